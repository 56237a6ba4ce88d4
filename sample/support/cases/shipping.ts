// Support test cases about shipping times, costs and limits.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const SHIPPING: SupportCase[] = [
  {
    cite: 'shipping §1',
    item: null,
    questions: [
      {
        text: `Hi! Thinking of ordering a tent today. How long does standard delivery to {country} take?`,
        lead: `A tent is always a good idea.`,
        country: 'IT',
      },
      {
        text: prose`if I order tonight, how many days until its here? im in {country} and my hike starts in a
          week and a half`,
        lead: `A week and a half should be enough.`,
        country: 'PT',
      },
    ],
    fact: 'To EU countries other than NL, BE and DE it takes 3 to 6 business days.',
    mention: '6 business days',
    answer: prose`Standard delivery to {country} takes **3 to 6 business days** from the day we ship. Orders
      placed in the evening leave us on the next working day.`,
    next: 'The tracking link comes by e-mail at dispatch.',
    brief: `To {country} it takes 3 to 6 business days from dispatch.`,
    plain: prose`Please allow 3 to 6 business days for {country}, counted from dispatch.`,
    wrong: [
      {
        text: `Standard delivery to {country} takes 2 to 3 business days.`,
        why: 'Gives the time for the Netherlands, Belgium and Germany. Here it is 3 to 6.',
      },
    ],
  },
  {
    cite: 'shipping §2',
    item: null,
    questions: [
      {
        text: prose`My basket is at 68 euros. How much is shipping to {country}, and how far am I from free
          delivery? I could add a pair of socks.`,
        lead: `Socks are never wrong.`,
        country: 'FR',
      },
      {
        text: `is there a minimum order for free shipping in {country}? Cant find it on the site`,
        lead: `It is a bit hidden, I'll pass that on.`,
        country: 'PL',
      },
    ],
    fact: 'In the EU delivery costs €4.95 and is free from €75.',
    mention: '€75',
    answer: `Delivery to {country} costs €4.95, whatever the weight, and from **€75** we pay it for you.`,
    next: 'The checkout shows how much is still missing, so you can decide there.',
    brief: `Delivery is €4.95, and free from €75.`,
    plain: prose`The delivery fee for {country} is €4.95. Orders of €75 or more are delivered
      free of charge.`,
    unsupported: { in: 'next', what: 'that the checkout shows the missing amount' },
    wrong: [
      {
        text: `Delivery to {country} is free from €50, so there is nothing more to pay.`,
        why: 'Says free from €50. The limit is €75.',
      },
    ],
  },
  {
    cite: 'shipping §3',
    item: null,
    questions: [
      {
        text: prose`I need a headlamp by tomorrow evening, I'm in {country}. Is express really next day, and
          until what time can I order?`,
        lead: `That can work.`,
        country: 'DE',
      },
      {
        text: prose`It's 15:20 and I just saw that you do express. If I order now, does it arrive tomorrow in
          {country}? What does it cost?`,
        lead: `You are just a little late for today's van.`,
        country: 'BE',
      },
    ],
    fact: 'Express costs €12.50 and arrives the next business day if ordered before 14:00.',
    mention: '14:00',
    answer: prose`Express to {country} costs €12.50 and arrives on the next business day if you order
      **before 14:00**. Orders after that leave a day later.`,
    next: 'Choose *Express* at checkout; it is shown as soon as your address is in.',
    brief: `Express is €12.50. Ordered before 14:00 it arrives the next business day, otherwise a day later.`,
    plain: prose`Yes, express is next business day in {country}, for €12.50, provided that the order is
      placed before 14:00. A later order is shipped one day later.`,
    unsupported: { in: 'next', what: 'where express is shown at checkout' },
    wrong: [
      {
        text: `Express costs €12.50 and arrives the next business day if you order before 17:00.`,
        why: 'Says 17:00. Orders have to be in before 14:00.',
      },
    ],
  },
  {
    cite: 'shipping §4',
    item: 'stove',
    questions: [
      {
        text: prose`Why can't I add gas canisters to my basket? I just got the {product} from you and it's
          useless without them. I'm in {country}.`,
        lead: `A stove without gas is a sad thing, I see the point.`,
        country: 'ES',
      },
      {
        text: `Can you send two gas canisters for my {product} to {country}? Express would be fine too.`,
        lead: `Two canisters go a long way.`,
        country: 'SE',
      },
    ],
    fact: 'No: gas canisters go by road only, to NL, BE and DE, and never with express.',
    mention: 'by road',
    answer: prose`Gas canisters may only travel by road, so we ship them within the Netherlands, Belgium and
      Germany and can't send any to {country}. That goes for express too.`,
    next: prose`Your {product} takes standard screw-top canisters, which most outdoor and hardware shops near
      you will have.`,
    brief: `We can't: gas canisters go by road only, to the Netherlands, Belgium and Germany.`,
    plain: prose`Unfortunately we can't deliver gas canisters to {country}. They go by road only, and just to
      the Netherlands, Belgium and Germany; express is excluded altogether.`,
    unsupported: { in: 'next', what: 'which canisters the stove takes' },
    wrong: [
      {
        text: `We can send canisters to {country} with standard delivery, just not with express.`,
        why: 'Offers canisters where we do not ship them. Only NL, BE and DE are possible.',
      },
    ],
  },
  {
    cite: 'shipping §5',
    item: null,
    questions: [
      {
        text: prose`Are customs charges included in your prices if I order from {country}? Last time,
          elsewhere, I paid 60 extra 😡`,
        lead: `I understand that you want to know first.`,
        country: 'CH',
      },
      {
        text: prose`Do I owe import tax when you ship to {country}? Order would be about 200 euros. Please
          give me a straight answer, the FAQ doesn't.`,
        lead: `Here is the straight answer.`,
        country: 'GB',
      },
    ],
    fact: 'Not included: outside the EU the carrier charges import duty and VAT on delivery.',
    mention: 'carrier',
    answer: prose`Import duty and VAT are not included. For {country} the carrier charges them on delivery,
      on top of our price and the €14.95 for shipping. We don't set those amounts, so I can't tell you the
      exact sum.`,
    next: 'The customs calculator of your country gives a good estimate.',
    brief: `No, they are not included. The carrier charges import duty and VAT on delivery.`,
    plain: prose`No, our prices do not include them. The carrier collects import duty and VAT from you when
      the parcel is delivered in {country}.`,
    unsupported: { in: 'next', what: 'the customs calculator' },
    wrong: [
      {
        text: `All duties and taxes for {country} are already in the price that you see at checkout.`,
        why: 'Says that duties are included. The carrier charges them on delivery.',
      },
    ],
  },
  {
    cite: 'shipping §6',
    item: null,
    questions: [
      {
        text: prose`I'm never at home during the day. Can you deliver to a parcel locker in {country}, or to
          the PO box of my company?`,
        lead: `Parcels and office hours don't mix well.`,
        country: 'NL',
      },
      {
        text: `Postfach / PO box as delivery address, is that possible in {country}? Or a packing station?`,
        lead: `One of the two is.`,
        country: 'DE',
      },
    ],
    fact: 'Parcel lockers yes (NL, BE, DE and FR, chosen at checkout); PO boxes no.',
    mention: 'locker',
    answer: prose`A parcel locker works in {country}: pick one at checkout under *Delivery → Locker*. A PO
      box doesn't, because our carriers can't deliver to them.`,
    next: 'The locker code comes by text message once the parcel is inside.',
    brief: `A parcel locker is fine, choose it at checkout. PO boxes are not possible.`,
    plain: prose`You can select a parcel locker in {country} at checkout. Delivery to a PO box is not
      possible.`,
    unsupported: { in: 'next', what: 'that the code comes by text message' },
    wrong: [
      {
        text: `Both work: enter the PO box as your address, or choose a locker at checkout.`,
        why: 'Accepts a PO box. Our carriers do not deliver to them.',
      },
    ],
  },
  {
    cite: 'shipping §1',
    item: null,
    language: 'it',
    customer: { name: 'Chiara Conti', country: 'IT' },
    questions: [
      {
        text: prose`Buongiorno, quanto costa la spedizione in Italia per un ordine di 120 € e in quanti
          giorni arriva? Grazie mille`,
      },
    ],
    fact: 'Free from €75 in the EU; 3 to 6 business days.',
    mention: '6 giorni lavorativi',
    answer: prose`Buongiorno Chiara,

      per un ordine di 120 € la spedizione è gratuita (lo è da 75 € in tutta l'UE). In Italia la consegna
      richiede da 3 a 6 giorni lavorativi dalla partenza del pacco.`,
    brief: `La spedizione è gratuita da 75 €, e in Italia arriva in 3-6 giorni lavorativi.`,
    english: `Shipping is free from €75 in the EU, and delivery to Italy takes 3 to 6 business days.`,
    wrong: [
      {
        text: `La spedizione costa 4,95 € e richiede 2-3 giorni lavorativi.`,
        why: 'Charges an order above €75, and gives the delivery time of another country.',
      },
    ],
  },
]
