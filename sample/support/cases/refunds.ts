// Support test cases about refunds.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const REFUNDS: SupportCase[] = [
  {
    cite: 'refunds §1',
    item: 'jacket',
    questions: [
      {
        text: prose`I dropped off my return for {order} on Monday. When will I see the money, and does it
          come back to my card or as credit?`,
        lead: `Thanks for sending it back so quickly.`,
        delivered: 16,
        payment: 'card',
      },
      {
        text: prose`WHERE IS MY REFUND. The tracking says you have had the {noun} since yesterday. How long
          does this take?`,
        lead: `I understand that you want to know where your money is, and it is on its way.`,
        delivered: 24,
      },
    ],
    fact: 'Within 5 business days of the parcel reaching the warehouse, to the original payment method.',
    mention: '5 business days',
    answer: prose`The refund goes back the way you paid, within **5 business days** of the parcel reaching
      our warehouse. You get an e-mail the moment it is booked.`,
    next: 'Your bank may need another day or so to show it.',
    brief: `It goes back the way you paid, within 5 business days of the parcel reaching our warehouse.`,
    plain: prose`We pay it back the way you paid, not as credit. Please allow up to 5 business days from the
      moment the parcel arrives at our warehouse.`,
    unsupported: { in: 'next', what: 'that banks may need another day' },
    wrong: [
      {
        text: `The refund goes back the way you paid, within 5 business days of you dropping off the parcel.`,
        why: 'Counts from the drop-off. The 5 business days begin when the parcel reaches the warehouse.',
      },
      {
        text: prose`Refunds take 10 to 14 business days and are paid out as store credit unless you ask
          otherwise.`,
        why: 'Both the 10 to 14 days and the store credit are invented.',
      },
    ],
  },
  {
    cite: 'refunds §2',
    item: 'small',
    questions: [
      {
        text: prose`If I return only the {product} and keep the rest of {order}, do I get the 4.95 for
          delivery back as well?`,
        lead: `Good question, that part is easy to miss.`,
        tier: 'Hiker',
      },
      {
        text: prose`sending back one of the three things i ordered ({product}). is the delivery fee refunded
          too or at least a third of it? 😅`,
        lead: `I see what you did there!`,
        tier: 'Hiker',
      },
    ],
    fact: 'No: the delivery fee is refunded only if the whole order is returned.',
    mention: 'whole order',
    answer: prose`The delivery fee only comes back if the whole order is returned. If you keep the other
      items, you get the price of the {product} (€{price}) in full, but not the delivery fee.`,
    next: 'If you decide to send everything back after all, put it in one parcel and we refund the fee too.',
    brief: prose`No, the delivery fee is only refunded if the whole order comes back. You get €{price} for
      the {noun}.`,
    plain: prose`You get back €{price} for the {product}. The delivery fee of €4.95 would only be included if
      you returned the whole order.`,
    wrong: [
      {
        text: `We refund the delivery fee in proportion, so a part of the €4.95 comes back to you.`,
        why: 'Invents a proportional refund. The fee comes back only with the whole order.',
      },
      {
        text: `Yes, the delivery fee is always part of the refund, whatever you keep.`,
        why: 'Says that the fee is always refunded. It comes back only with the whole order.',
      },
    ],
  },
  {
    cite: 'refunds §3',
    item: 'tent',
    questions: [
      {
        text: prose`I paid for the {product} with a 50 euro gift card and the rest by card. I'm sending it
          back. What goes where?`,
        lead: `Let me untangle that for you.`,
        delivered: 10,
        payment: 'card',
        giftCard: 50,
      },
      {
        text: prose`Part of {order} was paid with a voucher from my colleagues. When you refund it, can I
          have everything on my bank account please?`,
        lead: `What nice colleagues!`,
        delivered: 13,
        payment: 'card',
        giftCard: 120,
      },
    ],
    fact: 'The gift card is refilled first; the rest goes back to the other payment method.',
    mention: 'refilled first',
    answer: prose`With a mixed payment the gift card is refilled first, up to the amount that was taken from
      it. The rest goes back to your other payment method. We can't pay the gift card part out to a bank
      account.`,
    next: 'The code stays the same, so keep the e-mail with the gift card.',
    brief: `The gift card is refilled first, and the rest goes back the way you paid it.`,
    plain: prose`The refund is split. Your gift card is refilled first, with the amount you used from it, and
      the remainder goes to your card.`,
    unsupported: { in: 'next', what: 'that the code stays the same' },
    wrong: [
      {
        text: `The card payment is refunded first, and what is left goes back onto the gift card.`,
        why: 'Turns the order round: the gift card is refilled first.',
      },
      {
        text: `Gift card amounts expire once used, so you get back only the part that you paid by card.`,
        why: 'Says that the gift card part is lost. It is refilled first.',
      },
    ],
  },
  {
    cite: 'refunds §4',
    item: 'mat',
    questions: [
      {
        text: prose`I bought the {product} and a few days later you drop the price by 30 euros?! Can I at
          least have the difference?`,
        lead: `That is annoying, and yes, we can do something about it.`,
        delivered: 4,
        country: 'NL',
      },
      {
        text: prose`Saw that the {product} is cheaper now than when I ordered it last week ({order}). Any
          chance of a refund?`,
        lead: `Well spotted.`,
        delivered: 3,
        country: 'DE',
      },
    ],
    fact: 'Yes: if the price drops within 14 days of purchase, the difference is refunded as a gift card.',
    mention: '14 days',
    answer: prose`If a price drops within 14 days of your purchase we make up the difference with a gift
      card. You ordered on {placed}, so this counts, and you can keep the {noun}.`,
    next: 'Reply with the new price and I will ask a colleague to send it today.',
    brief: `Yes: within 14 days of purchase you get the difference as a gift card.`,
    plain: prose`Your order of {placed} is less than 14 days old, so we refund the difference in the form of
      a gift card. There is no need to return the {noun}.`,
    unsupported: { in: 'next', what: 'that a colleague sends it today' },
    wrong: [
      {
        text: prose`If the price drops within 30 days of your purchase, we pay the difference back the way
          you paid.`,
        why: 'Wrong window and wrong way: it is 14 days, and the difference comes as a gift card.',
      },
      {
        text: prose`We don't adjust prices after an order. You could return the {noun} and buy it again at
          the lower price.`,
        why: 'Refuses the adjustment. Within 14 days the difference is refunded as a gift card.',
      },
    ],
  },
  {
    cite: 'refunds §5',
    item: 'small',
    questions: [
      {
        text: prose`The {product} arrived broken today, the box was crushed on one side. I took photos. Do I
          need to send it back?`,
        lead: `Oh no, I'm sorry about that, and thank you for the photos.`,
        delivered: 0,
      },
      {
        text: prose`Unpacked my order {order} just now: the {product} is cracked. What are my options? I'd
          need one before the weekend actually.`,
        lead: `Sorry, that is not how it should arrive.`,
        delivered: 1,
      },
    ],
    fact: 'Replacement or full refund, as the customer likes; under €40 the item need not be sent back.',
    mention: 'full refund',
    answer: prose`You can choose between **a replacement** and **a full refund**. We only need a photo within
      7 days of delivery, and because the {noun} costs less than €40 you don't have to send it back.`,
    next: 'Reply with the photo and the word "replacement" or "refund", and we do the rest today.',
    brief: prose`You can choose a replacement or a full refund, and you don't need to send the {noun} back.`,
    plain: prose`Which would you like, a replacement or a full refund? Both are possible with your photo, and
      since the {noun} is below €40, you can keep or recycle it.`,
    unsupported: { in: 'next', what: 'that it is done today' },
    wrong: [
      {
        text: prose`Please send the {noun} back first. Once we have it, you can choose a replacement or a
          full refund.`,
        why: 'Asks for the item back. Under €40 it need not be returned.',
      },
      {
        text: prose`Damage in transit has to be claimed with the carrier directly. We can offer you 10% off a
          new one.`,
        why: 'Sends the customer to the carrier and invents a discount. We replace or refund in full.',
      },
    ],
  },
]
