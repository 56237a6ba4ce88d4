// Support test cases about the deadline and the process of returns.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const RETURNS: SupportCase[] = [
  {
    cite: 'returns §1',
    item: 'jacket',
    questions: [
      {
        text: prose`Hi there, the {product} from order {order} arrived on {delivered}. I haven't worn it
          outside and the tags are still on. How long do I have to send it back?`,
        lead: `Good that you ask early, there is still time.`,
        delivered: 12,
      },
      {
        text: prose`the {product} is nice but it doesn't really fit under my pack straps tbh. still has the
          tags. whats the deadline for returning it? order {order}`,
        lead: `A {noun} that fights with your pack is no fun, so let's look at the dates.`,
        delivered: 19,
      },
    ],
    fact: 'The customer has 30 days from delivery; the item must be unused, with the tags attached.',
    mention: '30 days',
    answer: prose`You can return the {product} within **30 days of delivery**, as long as it is unused and
      the tags are still attached. Yours was delivered on {delivered}, so the last day is **{deadline}**.`,
    next: 'You can start the return under *My orders → {order}*; the label is made for you there.',
    brief: prose`You have 30 days from delivery, which means until {deadline}. The {noun} has to be unused,
      with the tags on.`,
    plain: prose`Returns are open for 30 days from the delivery date. Your {noun} arrived on {delivered}, so
      please send it by {deadline}, unworn and with its tags on.`,
    wrong: [
      {
        text: `You can return the {product} within 30 days of placing the order, so the last day is {early}.`,
        why: 'Counts the 30 days from the order date. The policy counts from delivery.',
      },
      {
        text: `You have 14 days from purchase to send it back. After that we can only offer store credit.`,
        why: 'Says 14 days from purchase and invents store credit. The reference is 30 days from delivery.',
      },
    ],
  },
  {
    cite: 'returns §1',
    item: 'pack',
    questions: [
      {
        text: prose`My {product} came on {delivered} and I have been abroad ever since, so it is completely
          unused. I know that is more than a month. Can I still return it?`,
        lead: `Welcome back, and thank you for being open about the dates.`,
        delivered: 38,
      },
      {
        text: prose`ok so I completely forgot about this parcel, it's still sealed in the hallway 😬 order
          {order}. is it too late??`,
        lead: `It happens to the best of us!`,
        delivered: 47,
      },
    ],
    fact: 'No. The 30 days from delivery are over, so the item can no longer be returned.',
    mention: 'within 30 days of delivery',
    answer: prose`I'm afraid it is too late for a return, even unused: we take items back within 30 days of
      delivery, and for order {order} that ended on {deadline}.`,
    next: 'Should the {noun} ever turn out to be faulty, the warranty is still there for you.',
    brief: prose`Unfortunately it is too late. Returns are possible within 30 days of delivery, which ended
      on {deadline}.`,
    plain: prose`Order {order} was delivered on {delivered}, and items can be returned within 30 days of
      delivery. That period ended on {deadline}, so we can no longer accept the {noun}, although it is
      unused.`,
    wrong: [
      {
        text: `Since the {noun} is unused, we can still take it back: unused items have 60 days.`,
        why: 'Invents a window of 60 days for unused items. There is one window, 30 days.',
      },
      {
        text: `Yes, that's fine. Late returns have a handling fee of 20%, which we take off your refund.`,
        why: 'Accepts a return after the window and invents a fee of 20%. The answer should be no.',
      },
    ],
  },
  {
    cite: 'returns §2',
    item: 'tent',
    questions: [
      {
        text: prose`Do I have to pay for sending the {product} back from {country}? The shop where I bought
          my last one charged me 12 euros for that, which is why I ask first.`,
        lead: `No surprises like that with us.`,
        country: 'SE',
      },
      {
        text: `Quick one: is the return label free from {country}? It's the {product}, order {order}.`,
        lead: `Happy to clear that up.`,
        country: 'IE',
      },
    ],
    fact: 'The return label is free inside the EU, and there is no restocking fee.',
    mention: 'no restocking fee',
    answer: prose`Sending the {noun} back costs you nothing: the return label is **free** from {country}, as
      everywhere in the EU, and there is no restocking fee.`,
    next: prose`Print the label from *My orders*, or show the QR code at the drop-off point if you have no
      printer.`,
    brief: `The label is free from {country}, and there is no restocking fee.`,
    plain: prose`You do not have to pay anything. Returns from {country} travel on our free label, and there
      is no restocking fee either.`,
    unsupported: { in: 'next', what: 'the QR code at the drop-off point' },
    wrong: [
      {
        text: `The label itself is free. Only a restocking fee of €5 is taken off your refund.`,
        why: 'Invents a restocking fee of €5. The policy says that there is none.',
      },
      {
        text: `Return postage is €6.95 per parcel, which we take off your refund.`,
        why: 'Charges €6.95 for the label. Labels are free inside the EU.',
      },
    ],
  },
  {
    cite: 'returns §2',
    item: 'mat',
    questions: [
      {
        text: prose`Since Brexit I never know how this works. Who pays the postage if I send the {product}
          back from the UK?`,
        lead: `You are not the only one who wonders.`,
        country: 'GB',
      },
      {
        text: prose`I live in {country} and would like to return my {product} ({order}). Will you e-mail me a
          prepaid label?`,
        lead: `Thank you for asking before posting it.`,
        country: 'NO',
      },
    ],
    fact: 'Outside the EU the customer pays the return postage. There is no restocking fee.',
    mention: 'no restocking fee',
    answer: prose`From {country} the return postage is yours to pay, because our prepaid labels only work
      inside the EU. We take nothing else off: there is no restocking fee.`,
    next: 'Please use a tracked service and write {order} on the parcel, so that we can match it quickly.',
    brief: `Outside the EU you pay the return postage yourself. There is no restocking fee.`,
    plain: prose`Since {country} is outside the EU, the postage for a return is at your own cost. Apart from
      that you get the full price back; there is no restocking fee.`,
    unsupported: { in: 'next', what: 'the advice to use a tracked service' },
    wrong: [
      {
        text: `Returns are free for you as well: we e-mail you a prepaid label that works from {country}.`,
        why: 'Promises a prepaid label. Outside the EU the customer pays the postage.',
      },
      {
        text: `We e-mail you a prepaid label, and €15 for customs handling is taken off your refund.`,
        why: 'Both the label and the customs fee of €15 are invented.',
      },
    ],
  },
]
