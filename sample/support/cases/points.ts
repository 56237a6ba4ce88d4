// Support test cases about Trail Points, the loyalty points of the shop.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const POINTS: SupportCase[] = [
  {
    cite: 'points §1',
    item: 'tent',
    questions: [
      {
        text: `Order {order} came on {delivered} but I see no new Trail Points. Did they forget me?`,
        lead: `Nobody has forgotten you.`,
        delivered: 11,
      },
      {
        text: `when do the points for my {product} show up and how many will it be`,
        lead: `Soon, and quite a few.`,
        delivered: 18,
      },
    ],
    fact: 'One point per euro, credited 30 days after delivery.',
    mention: '30 days after delivery',
    answer: prose`You get 1 Trail Point per euro, and they are credited **30 days after delivery**. For
      {order} that is {deadline}, when {points} points land in your account.`,
    next: 'Until then they are listed as "pending" under *My points*.',
    brief: `Points come 30 days after delivery, so on {deadline}: {points} for this order.`,
    plain: prose`Nothing is lost. Points are added 30 days after delivery, one for each euro, so you will
      receive {points} points on {deadline}.`,
    unsupported: { in: 'next', what: 'the list of pending points' },
    wrong: [
      {
        text: prose`Points are credited as soon as the order is paid, so yours must have been lost. I have
          added them by hand.`,
        why: 'Points are credited 30 days after delivery; nothing was lost, and nothing can be added.',
      },
    ],
  },
  {
    cite: 'points §2',
    item: 'jacket',
    questions: [
      {
        text: `I have 340 points. What are they worth in euros and can I use all of them on my next order?`,
        lead: `A nice little pile.`,
        points: 340,
        tier: 'Hiker',
      },
      {
        text: `Can I buy a gift card for a friend with my points? There are 1,210 of them now.`,
        lead: `That's a kind thought.`,
        points: 1210,
        tier: 'Ridge',
      },
    ],
    fact: '100 points are worth €5; they are redeemed in steps of 100, and not for gift cards.',
    mention: '€5',
    answer: prose`100 points are worth **€5** and are redeemed in steps of 100 at checkout. You can use them
      for everything except gift cards; what is left over stays in your account.`,
    next: 'Move the slider under *Trail Points* at checkout.',
    brief: `100 points are worth €5, in steps of 100. They can't be used for gift cards.`,
    plain: prose`For every 100 points you get €5 off at checkout. They can be redeemed in steps of 100, but
      not for gift cards.`,
    wrong: [
      {
        text: prose`Each point is worth 10 cents, and you can spend them on anything in the shop, gift cards
          included.`,
        why: 'Points are worth 5 cents each, and gift cards are excluded.',
      },
    ],
  },
  {
    cite: 'points §3',
    item: 'boots',
    questions: [
      {
        text: `Logged in after a long time and my points are gone!! I had over 600. What happened?`,
        lead: `I understand that this is a shock.`,
        delivered: 602,
        points: 0,
        tier: 'Hiker',
      },
      {
        text: `Do Trail Points run out at some point? I only order about once a year.`,
        lead: `Once a year is enough.`,
        delivered: 290,
      },
    ],
    fact: 'Points expire 18 months after the last order.',
    mention: '18 months',
    answer: prose`Points expire **18 months** after your last order, and each new order starts that time
      again. Your last one, {order}, was on {placed}.`,
    next: 'We send a reminder a month before, to the address in your account.',
    brief: `Points expire 18 months after the last order. Yours was on {placed}.`,
    plain: prose`Your points are kept for 18 months after your latest order. In your case that was {order},
      on {placed}.`,
    unsupported: { in: 'next', what: 'the reminder a month before' },
    wrong: [
      {
        text: `Points never expire, so this must be a display error. Please log in again.`,
        why: 'Points expire 18 months after the last order.',
      },
    ],
  },
  {
    cite: 'points §2',
    item: 'pack',
    language: 'ko',
    customer: { name: '김민준 (Minjun Kim)', country: 'DE' },
    questions: [
      {
        text: '안녕하세요. 트레일 포인트가 500점 있는데 얼마로 쓸 수 있나요? 다음 주문에서 전부 사용해도 되나요?',
        points: 500,
        tier: 'Hiker',
      },
    ],
    fact: '100 points are worth €5, in steps of 100, so 500 points are worth €25.',
    mention: '25유로',
    answer: prose`민준 님, 안녕하세요.

      100포인트는 5유로이므로 500포인트는 25유로에 해당합니다. 결제 시 100포인트 단위로 사용하실 수 있으며, 기프트 카드 구매에는 사용하실 수 없습니다.`,
    brief: '500포인트는 25유로이며, 결제 시 100포인트 단위로 모두 사용하실 수 있습니다.',
    english:
      '100 points are worth €5, so your 500 points are worth €25. You can use all of them at checkout.',
    wrong: [
      {
        text: '500포인트는 50유로이며, 기프트 카드 구매에도 사용하실 수 있습니다.',
        why: 'Doubles the value, and allows gift cards. 500 points are worth €25.',
      },
    ],
  },
  {
    cite: 'points §4',
    item: 'tent',
    language: 'nl',
    customer: { name: 'Fleur Kuipers', country: 'NL' },
    questions: [
      {
        text: prose`Hoi! Hoeveel punten heb ik nodig voor Summit, en wat levert me dat eigenlijk op? Ik zit
          nu op Ridge.`,
        delivered: 26,
        points: 870,
        tier: 'Ridge',
      },
    ],
    fact: 'Summit begins at 1,500 points earned in a year; Summit customers have free shipping.',
    mention: '1.500',
    answer: prose`Hoi Fleur,

      voor Summit heb je 1.500 punten in een jaar nodig. Vanaf dat moment verzenden we al je bestellingen
      gratis, ook onder de € 75. Ridge begint bij 500, dus je bent al onderweg!`,
    brief: 'Summit begint bij 1.500 punten in een jaar. Daarna is de verzending altijd gratis.',
    english: 'You need 1,500 points in a year for Summit, and then shipping is always free.',
    wrong: [
      {
        text: 'Voor Summit heb je 1.000 punten nodig, en je krijgt dan 10% korting op alles.',
        why: 'It takes 1,500 points, and the reward is free shipping, not 10% off.',
      },
    ],
  },
]
