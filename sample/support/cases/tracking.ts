// Support test cases about parcels that are late, lost or misdelivered.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const TRACKING: SupportCase[] = [
  {
    cite: 'tracking §2',
    item: 'tent',
    questions: [
      {
        text: prose`My parcel {order} has said "in transit" without any new scan for eight days now. We leave
          on holiday soon and the {noun} is in there. What happens next?`,
        lead: `Eight days without news is too long, I agree.`,
        delivered: null,
        placed: 11,
      },
      {
        text: prose`tracking for {order} is frozen since last week, nothing moves. Is it lost? Do I get a new
          {product} or my money?`,
        lead: `I understand the worry.`,
        delivered: null,
        placed: 13,
      },
    ],
    fact: 'After 5 business days without a scan we open a trace; 3 business days later we resend or refund.',
    mention: '3 business days',
    answer: prose`After 5 business days without a scan we open a trace, and for {order} that time has come.
      The carrier then has **3 business days** to answer. If the parcel is not found by then, we send a new
      one or refund you, as you prefer.`,
    next: 'You hear from us either way, so there is nothing you need to do.',
    brief: prose`We open a trace now. If the carrier has no answer in 3 business days, we resend or refund
      your order.`,
    plain: prose`Your parcel has had no scan for more than 5 business days, so we will open a trace with the
      carrier. They have 3 business days to reply. Without a result we send the {noun} again or refund it.`,
    wrong: [
      {
        text: prose`Please wait another 10 business days. A trace can only be opened 15 business days after
          dispatch.`,
        why: 'Makes the customer wait. A trace is opened after 5 business days without a scan.',
      },
    ],
  },
  {
    cite: 'tracking §1',
    item: 'small',
    questions: [
      {
        text: prose`Got the shipping mail this morning but the link says "no information available". Did
          something go wrong with {order}?`,
        lead: `Nothing went wrong, the carrier is just a little behind.`,
        delivered: null,
        placed: 1,
      },
      {
        text: prose`The tracking number for my {product} doesn't exist according to the carrier!! You sent it
          yesterday afternoon.`,
        lead: `That looks alarming but is quite normal.`,
        delivered: null,
        placed: 2,
      },
    ],
    fact: 'The first scan can take 24 hours; until then the link shows nothing.',
    mention: '24 hours',
    answer: prose`The link is sent at dispatch, and the first scan can take up to **24 hours**. Until then
      the carrier's page shows nothing, or even says that the number does not exist.`,
    next: 'If it is still empty tomorrow evening, write to us again and we ask the carrier.',
    brief: `The first scan can take 24 hours. Please try the link again tomorrow.`,
    plain: prose`Nothing is wrong with {order}. The tracking link is sent when the parcel leaves us, and it
      can take 24 hours until it has been scanned for the first time.`,
    unsupported: { in: 'next', what: 'that we ask the carrier after a day' },
    wrong: [
      {
        text: `It can take 3 to 5 business days until the tracking number is active.`,
        why: 'Says 3 to 5 business days. The first scan takes 24 hours at most.',
      },
    ],
  },
  {
    cite: 'tracking §3',
    item: 'jacket',
    questions: [
      {
        text: prose`Carrier says my parcel was "handed over to resident" on {delivered}. I am the resident.
          Nobody handed me anything. Where is my {product}?`,
        lead: `You would know best, of course.`,
        delivered: 2,
      },
      {
        text: prose`{order} is marked delivered but there's nothing here, I even looked behind the bins. Now
          what?`,
        lead: `Thank you for checking the bins already.`,
        delivered: 1,
      },
    ],
    fact: 'Check neighbours and the pick-up point, then tell us within 14 days; Larkfell files the claim.',
    mention: 'neighbours',
    answer: prose`Please ask your neighbours and look at the nearest pick-up point, since parcels are often
      left there. If it doesn't turn up, tell us within 14 days of the delivery date and **we file the
      claim** with the carrier. You don't have to deal with them.`,
    next: 'A short reply such as "still missing" is enough.',
    brief: prose`Please check with neighbours and the pick-up point. If it isn't there, tell us within 14
      days and we file the claim.`,
    plain: prose`I am sorry about this. Could you please check with your neighbours and at the pick-up point?
      If the {noun} is not there, let us know within 14 days, and we will file a claim with the carrier.`,
    unsupported: { in: 'next', what: 'that two words are enough' },
    wrong: [
      {
        text: prose`Please file a claim with the carrier within 48 hours. We can only refund you once they
          have accepted it.`,
        why: 'Leaves the claim to the customer and invents 48 hours. Larkfell files it.',
      },
    ],
  },
  {
    cite: 'tracking §4',
    item: 'boots',
    questions: [
      {
        text: prose`I was travelling and missed the pick-up, now the app shows "returned to sender". Do I
          have to order the {product} again and pay shipping twice?`,
        lead: `No, you don't have to order again.`,
        delivered: null,
        placed: 15,
      },
      {
        text: prose`How long does the pick-up point keep my parcel ({order})? I can only get there next
          Saturday, hope that's ok`,
        lead: `Let's see if Saturday works.`,
        delivered: null,
        placed: 6,
      },
    ],
    fact: 'Pick-up points keep a parcel for 7 days; then it comes back and is sent again once for free.',
    mention: '7 days',
    answer: prose`A pick-up point keeps the parcel for **7 days**. After that it comes back to us, and we
      send it again once, free of charge.`,
    next: 'We e-mail you as soon as it is back with us, to agree on a better address or date.',
    brief: `They keep it for 7 days. If it comes back to us, we send it again once for free.`,
    plain: prose`Parcels stay at the pick-up point for 7 days and are then returned to us. We ship them a
      second time at no charge.`,
    unsupported: { in: 'next', what: 'that we e-mail to agree on a date' },
    wrong: [
      {
        text: `It is kept for 14 days. If it is returned to us, sending it again costs €4.95.`,
        why: 'It is kept for 7 days, and the second delivery is free.',
      },
    ],
  },
  {
    cite: 'tracking §2',
    item: 'mat',
    customer: { name: 'Olle Ek', country: 'SE' },
    questions: [{ text: '📦❓❓ {order} 🥲', delivered: null, placed: 14, lead: '📦 indeed, let me look.' }],
    fact: 'After 5 business days without a scan we open a trace; 3 business days later we resend or refund.',
    mention: 'trace',
    answer: prose`There has been no scan of {order} for more than 5 business days, so we open a trace. The
      carrier then has 3 business days to answer; after that we send a new {noun} or refund you.`,
    next: 'Tell me which you would prefer, an emoji will do. 🔁 or 💶',
    brief: `No scan for 5 business days, so we open a trace 🔎. In 3 business days we resend or refund.`,
    plain: prose`Your parcel {order} has not been scanned for over 5 business days. We open a trace now; if
      the carrier has not found it in 3 business days, we resend or refund it.`,
    wrong: [
      {
        text: '📦🚚💨👍',
        isBare: true,
        why: 'Four emoji, no fact. The parcel has had no scan for days and needs a trace.',
      },
    ],
  },
  {
    cite: 'tracking §4',
    item: 'pack',
    language: 'pt',
    customer: { name: 'Beatriz Carvalho', country: 'PT' },
    questions: [
      {
        text: prose`Olá! Não consegui ir buscar a encomenda {order} ao ponto de recolha a tempo. Vai voltar
          para vocês? Tenho de pagar outra vez os portes?`,
        delivered: null,
        placed: 14,
      },
    ],
    fact: 'After 7 days the parcel comes back and is sent again once for free.',
    mention: '7 dias',
    answer: prose`Olá Beatriz,

      não se preocupe: o ponto de recolha guarda a encomenda durante 7 dias e depois ela volta para nós.
      Enviamo-la de novo uma vez sem qualquer custo. Avisamos por e-mail assim que chegar ao nosso armazém.`,
    brief: `Passados 7 dias a encomenda volta para nós e é enviada de novo, uma vez, sem custos.`,
    english: `The pick-up point keeps it for 7 days, then it comes back and we send it again once for free.`,
    wrong: [
      {
        text: `A encomenda volta para nós ao fim de 14 dias e o novo envio custa 4,95 €.`,
        why: 'It comes back after 7 days, and the second delivery is free.',
      },
    ],
  },
]
