// Support test cases about payments and invoices.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const PAYMENTS: SupportCase[] = [
  {
    cite: 'payments §2',
    item: 'boots',
    questions: [
      {
        text: prose`I cancelled {order} right away but €{total} is still missing from my card. Why do you
          charge before you ship?`,
        lead: `I see why that looks like a charge.`,
        delivered: null,
        placed: 1,
        payment: 'card',
      },
      {
        text: prose`My bank shows €{total} as "pending" for the {product}. Have you charged me already? It
          hasn't even shipped.`,
        lead: `You have not been charged yet.`,
        delivered: null,
        placed: 2,
        payment: 'card',
      },
    ],
    fact: 'Cards are charged at dispatch; before that it is a reservation that the bank drops within 7 days.',
    mention: 'reservation',
    answer: prose`Cards are only charged at dispatch. What you see is a reservation by your bank, and if
      nothing ships, the bank drops it within 7 days. We can't speed that up from here.`,
    next: 'The e-mail "Your order is on its way" tells you when the real charge happens.',
    brief: `It is only a reservation; we charge at dispatch. Without one, your bank drops it within 7 days.`,
    plain: prose`The amount is a reservation, not a charge. We charge cards at dispatch, and your bank
      releases the reservation within 7 days if nothing is shipped.`,
    unsupported: { in: 'next', what: 'the e-mail that announces the charge' },
    wrong: [
      {
        text: `Cards are charged when you order. A cancelled order is refunded within 14 days.`,
        why: 'Cards are charged at dispatch. What the customer sees is a reservation.',
      },
    ],
  },
  {
    cite: 'payments §1',
    item: null,
    questions: [
      {
        text: `Do you offer instalments? The tent I want is 449 and I'd rather pay in three parts.`,
        lead: `It is a lot of money for a tent, I understand.`,
      },
      {
        text: `Which ways to pay do you have? I don't own a credit card. Cash on delivery maybe?`,
        lead: `You don't need a credit card.`,
      },
    ],
    fact: 'Card, PayPal, iDEAL, Bancontact and bank transfer; no instalments, no cash on delivery.',
    mention: 'bank transfer',
    answer: prose`We don't offer instalments or cash on delivery, but there is a choice:

      - card (debit or credit) or PayPal
      - iDEAL or Bancontact
      - bank transfer; we ship when the money is in`,
    brief: `Card, PayPal, iDEAL, Bancontact or bank transfer. We don't do instalments or cash on delivery.`,
    plain: prose`Instalments and cash on delivery are not available. We accept cards, PayPal, iDEAL,
      Bancontact and bank transfer.`,
    wrong: [
      {
        text: `You can pay in three instalments without interest; choose *Pay later* at checkout.`,
        why: 'Invents instalments. They are not offered.',
      },
    ],
  },
  {
    cite: 'payments §3',
    item: 'pack',
    questions: [
      {
        text: prose`Could you put my company name and VAT number on the invoice for {order}? My accountant
          insists.`,
        lead: `Accountants do that.`,
      },
      {
        text: prose`Where do I find the invoice for the {product}, and can you reissue it to my employer
          (with VAT ID)?`,
        lead: `Half of that is easy.`,
      },
    ],
    fact: 'Invoices are in the account; company name and VAT number cannot be added after ordering.',
    mention: 'VAT number',
    answer: prose`Your invoice is in your account, under *My orders → {order}*. A company name and VAT number
      have to be entered before ordering, and we can't add them to an invoice later.`,
    next: 'For next time you can save both under *My details*.',
    brief: `The invoice is in your account, but a company name and VAT number can't be added after ordering.`,
    plain: prose`You can download the invoice from your account. I am afraid that a company name or VAT
      number can't be added once an order has been placed.`,
    unsupported: { in: 'next', what: 'that both can be saved for next time' },
    wrong: [
      {
        text: `Send us the company name and VAT number and we issue a new invoice within 2 business days.`,
        why: 'Promises a new invoice. A VAT number cannot be added after ordering.',
      },
    ],
  },
]
