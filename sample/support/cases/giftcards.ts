// Support test cases about gift cards.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const GIFTCARDS: SupportCase[] = [
  {
    cite: 'giftcards §1',
    item: null,
    questions: [
      {
        text: prose`Found a Larkfell gift card in a drawer, dated May 2024. Is it still good? And could I
          have it paid out instead?`,
        lead: `Drawers hold treasures!`,
      },
      {
        text: prose`Do your gift cards expire? I want to give one to my dad, who needs about a decade to
          choose a rucksack.`,
        lead: `We know the type, and we like him already.`,
      },
    ],
    fact: 'Gift cards are valid for 3 years from purchase and are not paid out in cash.',
    mention: '3 years',
    answer: prose`Our gift cards are valid for **3 years** from the day they were bought. They can be spent
      on anything in the shop, but not paid out in cash.`,
    next: 'Enter the code at checkout, under *Gift card*, to see what is left on it.',
    brief: `They are valid for 3 years from purchase and can't be paid out in cash.`,
    plain: prose`A gift card can be used for 3 years from the date of purchase. It is not possible to
      exchange it for cash.`,
    unsupported: { in: 'next', what: 'that the checkout shows the balance' },
    wrong: [
      {
        text: `Gift cards are valid for 12 months, after which the balance is lost.`,
        why: 'Says 12 months. Gift cards are valid for 3 years.',
      },
    ],
  },
  {
    cite: 'giftcards §2',
    item: null,
    questions: [
      {
        text: prose`I have four gift cards of 25 from different people. Can I use them all at once and pay
          the rest by card?`,
        lead: `You have generous friends.`,
      },
      {
        text: `can i combine 2 gift cards with paypal in one order or is it one or the other`,
        lead: `No need to choose.`,
      },
    ],
    fact: 'Up to 3 gift cards per order, together with any other payment method.',
    mention: '3 gift cards',
    answer: prose`You can use up to **3 gift cards** in one order and pay the rest with any other method. A
      fourth card has to wait for the next order.`,
    next: 'Enter one code after the other; the amount left to pay goes down each time.',
    brief: `Up to 3 gift cards per order, combined with any payment method.`,
    plain: prose`You can combine them: up to 3 gift cards in one order, and any other payment method for the
      rest.`,
    wrong: [
      {
        text: `Only one gift card can be used per order, but you can pay the rest with another method.`,
        why: 'Says one per order. Up to 3 can be combined.',
      },
    ],
  },
  {
    cite: 'giftcards §3',
    item: null,
    questions: [
      {
        text: prose`It's my wife's birthday TODAY and I forgot. If I buy a gift card now, when does it
          arrive? Please say it's quick 🙏`,
        lead: `It's quick, breathe!`,
      },
      {
        text: prose`Can a gift card be sent on a certain date, the 24th of December? Do you also do nice
          printed ones?`,
        lead: `Planning ahead, very good.`,
      },
    ],
    fact: 'By e-mail within 15 minutes or on a date chosen at checkout; there are no printed cards.',
    mention: '15 minutes',
    answer: prose`Gift cards come by e-mail, within **15 minutes** or on a date that you choose at checkout.
      There are no printed cards, but the PDF looks good on thick paper.`,
    next: 'You can have it sent to yourself first if you want to hand it over in person.',
    brief: `It comes by e-mail within 15 minutes, or on a date you choose. There are no printed cards.`,
    plain: prose`The gift card is e-mailed within 15 minutes, or on the date that you select at checkout. We
      do not offer printed cards.`,
    unsupported: { in: 'next', what: 'that it can be sent to yourself first' },
    wrong: [
      {
        text: `Gift cards are printed and posted, so please allow 2 to 3 business days.`,
        why: 'There are no printed cards. They come by e-mail within 15 minutes.',
      },
    ],
  },
  {
    cite: 'giftcards §4',
    item: null,
    questions: [
      {
        text: `I deleted the mail with the gift card code 🤦 I bought it myself in July. Is the money gone?`,
        lead: `The money is not gone.`,
      },
      {
        text: prose`My aunt sent me one of your gift cards and I can't find the code any more. Could you send
          it to me again?`,
        lead: `Codes do like to hide.`,
      },
    ],
    fact: "With the order number the code is sent again, to the buyer's e-mail address.",
    mention: 'order number',
    answer: prose`We can send the code again if you give us the order number of the gift card. It always goes
      to the e-mail address of the person who **bought** it, to keep it safe.`,
    next: 'If that is not you, ask them to forward it.',
    brief: `Give us the order number and we send the code again, to the buyer's e-mail address.`,
    plain: prose`Please tell us the order number of the gift card. We will then send the code again, to the
      e-mail address of the buyer.`,
    wrong: [
      {
        text: `Lost codes can't be restored, since a gift card is treated like cash.`,
        why: 'Refuses. With the order number the code is sent again to the buyer.',
      },
    ],
  },
]
