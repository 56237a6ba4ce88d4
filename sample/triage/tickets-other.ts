// Part 3 of the triage test set: tickets about accounts and other topics.
import { prose } from '../text.ts'
import { type Ticket, ticket } from './ticket.ts'

export const OTHER_TICKETS: Ticket[] = [
  ticket(
    'email',
    'Delete my account',
    'Under article 17 GDPR I ask you to delete all my data and to confirm it in writing.',
    'privacy high neutral human',
    'privacy normal neutral human',
  ),
  ticket(
    'email',
    'Someone else is in my account',
    prose`I logged in and saw another person's orders and address. That is a serious leak. Who else sees
      mine?`,
    'privacy urgent angry human',
  ),
  ticket(
    'chat',
    '',
    'cant log in, reset mail never comes',
    'privacy normal negative',
    'other normal negative',
  ),
  ticket(
    'form',
    'Newsletter',
    'I have unsubscribed four times. FOUR. Please make it stop.',
    'privacy normal angry',
    'other normal angry',
  ),
  ticket(
    'email',
    'Copy of my data',
    'Please send me a copy of the data that you hold about me.',
    'privacy normal neutral human',
  ),
  ticket(
    'email',
    'Review removed?',
    'I wrote an honest two-star review and it is gone. Do you delete bad reviews?',
    'other normal negative human',
    'other normal negative',
  ),
  ticket(
    'form',
    'Job',
    'Are you looking for people in the workshop? I sew tents for a living.',
    'other low positive human',
    'other low positive',
  ),
  ticket(
    'email',
    'Partnership opportunity!!!',
    prose`Dear Sir/Madam, we boost your traffic by 300% GUARANTEED with our SEO package. Reply for a free
      audit.`,
    'other low neutral',
  ),
  ticket('chat', '', 'are you a bot', 'other low neutral'),
  ticket(
    'email',
    'Accessibility of your shop',
    prose`I use a screen reader. The size buttons have no names, so I cannot order. Happy to test if you want
      to mend it.`,
    'other high neutral human',
    'product_question normal neutral',
  ),
  ticket(
    'email',
    'Lawyer',
    prose`My client, Mr Brandt, was injured when a trekking pole collapsed. You will find our letter
      attached. Deadline: 14 days.`,
    'warranty_repair urgent neutral human',
    'other high neutral human',
  ),
  ticket(
    'form',
    'Press enquiry',
    'I write for a hiking magazine and would like to talk to someone about repairability.',
    'other normal positive human',
    'warranty_repair normal positive human',
  ),
  ticket(
    'chat',
    '',
    '{"order": "LK-52218", "status": null, "error": "x is not a function"} ??? your site shows me this',
    'other high neutral human',
    'order_change normal neutral',
  ),
  ticket(
    'email',
    'Czy wysyłacie do Polski?',
    'Dzień dobry, czy wysyłacie butle z gazem do Polski?',
    'delivery low neutral',
  ),
  ticket(
    'email',
    'سؤال عن المقاس',
    'هل الحذاء مناسب للقدم العريضة؟ مقاسي 43.',
    'product_question low neutral',
  ),
  ticket('chat', '', '👍👍👍', 'other low positive'),
  ticket(
    'email',
    'Re: Re: Re: your ticket T-29981',
    'No, that did not help either. Same as before. See below.',
    'other normal negative human',
    'other low neutral',
  ),
  ticket(
    'form',
    'Tent for a wedding 💍',
    prose`We get married in a meadow in June and would like to borrow ten tents for the guests. Do you rent?`,
    'product_question low positive',
    'other low positive human',
  ),
]
