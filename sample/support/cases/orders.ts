// Support test cases about changing an order, and about an empty message.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const ORDERS: SupportCase[] = [
  {
    cite: 'orders §1',
    item: 'jacket',
    questions: [
      {
        text: `I ordered the {product} twice by accident, 20 minutes ago. Please cancel {order}!!`,
        lead: `That is easily sorted.`,
        delivered: null,
        placed: 0,
      },
      {
        text: prose`Can I still change the size on {order}? I put {size} and want one bigger. Ordered this
          morning around 8.`,
        lead: `Let's see if we are in time.`,
        delivered: null,
        placed: 0,
      },
    ],
    fact: 'Orders can be cancelled or changed in the account until they show "packing", usually for 2 hours.',
    mention: 'packing',
    answer: prose`You can cancel or change an order yourself until its status is **"packing"**, which is
      usually about 2 hours after you ordered. Go to *My orders → {order}* and choose *Change or cancel*.`,
    next: 'If the button is gone, let it arrive and send it back within 30 days of delivery.',
    brief: `You can change or cancel it in your account until it shows "packing", usually for 2 hours.`,
    plain: prose`Please open {order} in your account: until the status changes to "packing", usually for 2
      hours, you can cancel or change it there.`,
    wrong: [
      {
        text: prose`Orders can be cancelled up to 24 hours after they were placed. Reply "cancel" and we do
          it for you.`,
        why: 'Says 24 hours. It is possible until the order shows "packing", about 2 hours.',
      },
    ],
  },
  {
    cite: 'orders §2',
    item: 'mat',
    questions: [
      {
        text: `Oh no, {order} is going to my OLD address. It shipped an hour ago. Can you stop it?`,
        lead: `Moving house is enough trouble without this.`,
        delivered: null,
        placed: 1,
      },
      {
        text: prose`I'd like the {product} delivered to my office instead. Status says "packing" already. Is
          there any way to change the address?`,
        lead: `There is still a way.`,
        delivered: null,
        placed: 1,
      },
    ],
    fact: "After packing has begun, the address can only be changed through the carrier's redirect link.",
    mention: 'redirect',
    answer: prose`Once an order is being packed we can't change the address any more, but the carrier can.
      The tracking e-mail has a **redirect** link, with which you choose another address, a neighbour or a
      pick-up point.`,
    next: 'It works until the parcel is in the delivery van.',
    brief: prose`We can't change it any more, but you can: use the redirect link in the carrier's tracking
      e-mail.`,
    plain: prose`The address can't be changed by us at this stage. Please use the redirect link of the
      carrier, which you find in the tracking e-mail.`,
    unsupported: { in: 'next', what: 'until when the link works' },
    wrong: [
      {
        text: `I have changed the address of {order} for you, so it will arrive at the new one.`,
        why: 'Claims to have changed the address. At this point only the redirect link can.',
      },
    ],
  },
  {
    cite: 'orders §3',
    item: 'stove',
    questions: [
      {
        text: prose`Forgot a spork and a windshield for the {product}. Can you throw them into the same
          parcel? {order}`,
        lead: `A spork should never be forgotten.`,
        delivered: null,
        placed: 0,
      },
      {
        text: prose`Is it possible to add an item to an order I placed 10 minutes ago so that I don't pay
          delivery twice?`,
        lead: `You won't have to pay it twice.`,
        delivered: null,
        placed: 0,
      },
    ],
    fact: 'Nothing can be added; if a second order ships the same day, its delivery fee is refunded.',
    mention: 'same day',
    answer: prose`We can't add anything to an order once it is placed. Just place a second one: if both ship
      on the same day, we refund its delivery fee.`,
    next: 'That happens by itself, so there is nothing you need to ask for.',
    brief: `Please place a second order. If both ship the same day, we refund its delivery fee.`,
    plain: prose`I'm sorry, an order can't be extended. If you place another one and it ships the same day,
      its delivery fee is refunded to you.`,
    unsupported: { in: 'next', what: 'that this happens by itself' },
    wrong: [
      {
        text: `Reply with the article numbers and we add them to your parcel at no extra cost.`,
        why: 'Nothing can be added to an order. A second order is needed.',
      },
    ],
  },
  {
    cite: 'orders §4',
    item: 'trousers',
    customer: { name: 'Tuva Solberg', country: 'NO' },
    questions: [{ text: '', lead: 'Your message reached us without any text.' }],
    fact: 'The message is empty: ask what the customer needs, do not guess.',
    mention: 'What can we do for you',
    answer: prose`I can see your order {order}, but I don't want to guess. What can we do for you?`,
    brief: `Your message arrived empty. What can we do for you?`,
    plain: prose`It seems that your message did not come through: it is empty. What can we do for you?`,
    wrong: [
      {
        text: prose`Your order {order} with the {product} has been delivered on {delivered}. You can return
          it within 30 days.`,
        why: 'Guesses at a return. The message is empty, so it should ask.',
      },
    ],
  },
  {
    cite: 'orders §1',
    item: 'tent',
    language: 'ar',
    customer: { name: 'ليلى حداد (Layla Haddad)', country: 'FR' },
    questions: [
      {
        text: `مرحباً، طلبتُ الخيمة قبل نصف ساعة وأريد إلغاء الطلب رقم {order}. هل هذا ممكن؟`,
        delivered: null,
        placed: 0,
      },
    ],
    fact: 'Yes, in the account until the order shows "packing", usually for 2 hours.',
    mention: 'ساعتين',
    answer: prose`مرحباً ليلى،

      نعم، يمكنكِ إلغاء الطلب بنفسكِ من صفحة «طلباتي» ما دامت حالته لم تتحوّل إلى «قيد التغليف»، وعادةً ما
      يكون ذلك خلال ساعتين من الشراء.`,
    brief: `نعم، يمكنكِ إلغاء الطلب من حسابكِ قبل بدء التغليف، أي خلال ساعتين عادةً.`,
    english: prose`Yes, you can cancel it in your account until it shows "packing", usually for 2 hours after
      ordering.`,
    wrong: [
      {
        text: `لا يمكن إلغاء الطلب بعد الدفع، ولكن يمكنكِ رفض استلام الطرد.`,
        why: 'Says that a paid order cannot be cancelled. It can, until it shows "packing".',
      },
    ],
  },
]
