// Support test cases about exchanging a size or color.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const EXCHANGES: SupportCase[] = [
  {
    cite: 'exchanges §1',
    item: 'boots',
    questions: [
      {
        text: prose`The {product} in {size} are too tight with hiking socks (tried on in the kitchen only).
          Can I swap them for one size up, and what does it cost?`,
        lead: `The kitchen test with real socks is the best test there is.`,
        delivered: 4,
      },
      {
        text: prose`Hello, could I change my {product} from {size} to the next size? I'm not sure if that
          counts as a return or costs extra. Thanks, {first}`,
        lead: `No need to worry about the form, we call it an exchange.`,
        delivered: 9,
      },
    ],
    fact: 'One size or colour exchange per item is free, within 30 days of delivery.',
    mention: 'free',
    answer: prose`You have **one free exchange** of size or colour per item, within 30 days of delivery, so
      until {deadline}. It costs you nothing as long as the {noun} have only been worn indoors.`,
    next: 'Pick *Exchange* instead of *Return* in your account and choose the new size.',
    brief: `One exchange of size or colour is free, until {deadline}.`,
    plain: prose`Yes, and it is free of charge: each item can be exchanged once for another size or colour,
      up to 30 days after delivery. For you that is {deadline}.`,
    unsupported: { in: 'next', what: 'where to click in the account' },
    wrong: [
      {
        text: `You can exchange the {noun} as often as you need within 30 days, always free of charge.`,
        why: 'Promises unlimited exchanges. One per item is free.',
      },
      {
        text: `An exchange costs €5 and has to be started within 14 days of purchase.`,
        why: 'Invents a fee of €5 and a window of 14 days. One exchange is free for 30 days.',
      },
    ],
  },
  {
    cite: 'exchanges §2',
    item: 'jacket',
    questions: [
      {
        text: prose`I've asked to exchange the {product} for a bigger one and leave for Iceland in nine days.
          Do you wait until mine is back with you before you post the new one?`,
        lead: `Iceland, how lovely! I see why the timing matters.`,
        delivered: 5,
      },
      {
        text: `When do you ship the replacement for {order}? I dropped off the {noun} about an hour ago.`,
        lead: `That was quick!`,
        delivered: 7,
      },
    ],
    fact: 'The replacement ships as soon as the carrier scans the return, usually the same day.',
    mention: 'scans',
    answer: prose`We don't wait for your parcel: the new {noun} ships as soon as the carrier scans your
      return, usually on the same day. You get its tracking link by e-mail.`,
    next: 'Ask for a receipt at the drop-off point, that is the scan we wait for.',
    brief: `The replacement ships as soon as the carrier scans your return, usually the same day.`,
    plain: prose`We do not wait for it to come back. As soon as the carrier scans your return, the
      replacement leaves our warehouse, in most cases the same day.`,
    unsupported: { in: 'next', what: 'the advice to ask for a receipt' },
    wrong: [
      {
        text: `The replacement ships as soon as your return has reached our warehouse.`,
        why: 'Waits for the warehouse. The scan by the carrier is enough.',
      },
      {
        text: prose`We check returned items first, so please allow 7 to 10 business days until the
          replacement ships.`,
        why: 'Invents an inspection of 7 to 10 business days. The replacement ships at the first scan.',
      },
    ],
  },
  {
    cite: 'exchanges §3',
    item: 'trousers',
    questions: [
      {
        text: prose`Can I exchange my {product} for the long version? It's 15 euros more I think. Do I have
          to return and order again?`,
        lead: `No need to start over.`,
        delivered: 6,
      },
      {
        text: prose`Want to swap the {product} for a colour that is on sale now. What happens with the price
          difference, do I lose it?`,
        lead: `You won't lose anything.`,
        delivered: 11,
      },
    ],
    fact: 'If the new item costs more, the customer pays the difference; if it costs less, it is refunded.',
    mention: 'difference',
    answer: prose`You can exchange directly. If the new item costs more you pay only the difference, and if
      it costs less we refund the difference.`,
    next: 'You see the exact amount before you confirm the exchange.',
    brief: `If the new one costs more you pay the difference; if it costs less we refund it.`,
    plain: prose`You can exchange them for an item with another price. We only charge the difference, or pay
      it back to you if the new one is cheaper.`,
    unsupported: { in: 'next', what: 'that the amount is shown before confirming' },
    wrong: [
      {
        text: `If the new one costs more you pay the difference. A lower price is kept as Trail Points.`,
        why: 'A lower price is refunded, not turned into points. The difference upwards is right.',
      },
      {
        text: prose`Exchanges are only possible for an item of the same price, so you would have to return it
          and order again.`,
        why: 'Refuses an exchange at another price. The difference is paid or refunded.',
      },
    ],
  },
  {
    cite: 'exchanges §4',
    item: 'jacket',
    questions: [
      {
        text: prose`My size of the {product} is sold out everywhere. I have the {size} here and it doesn't
          fit. Can you hold an exchange until there is new stock?`,
        lead: `Yes, we can do that for a while.`,
        delivered: 14,
      },
      {
        text: prose`{order}: I wanted to exchange the {product} but the site says "not available in your
          size". So am I stuck with it now?`,
        lead: `You are not stuck with it, promised.`,
        delivered: 17,
      },
    ],
    fact: prose`If the size is sold out, we refund the item or hold the exchange for up to 14 days until new
      stock.`,
    mention: '14 days',
    answer: prose`When a size is sold out you have two choices:

      - **Wait:** we hold the exchange for up to 14 days, in case new stock comes in.
      - **Refund:** we give you the money back for the {noun} instead.`,
    next: 'Tell me which you prefer and I will note it on {order}.',
    brief: `We can hold the exchange for up to 14 days in case new stock comes in, or refund the {noun}.`,
    plain: prose`If your size is not available, we can keep the exchange open for up to 14 days and wait for
      new stock, or refund the {noun} now.`,
    wrong: [
      {
        text: `We can hold the exchange until your size is back in stock, however long that takes.`,
        why: 'Holds it without limit. The exchange is held for 14 days at most.',
      },
      {
        text: prose`If your size is sold out we can't exchange it. You could choose another {noun} of the
          same value.`,
        why: 'Leaves out both the refund and the 14 days, and invents a swap for another product.',
      },
    ],
  },
]
