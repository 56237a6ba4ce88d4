// Part 1 of the triage test set: tickets about orders, parcels and payments.
import { prose } from '../text.ts'
import { type Ticket, ticket } from './ticket.ts'

export const ORDER_TICKETS: Ticket[] = [
  ticket(
    'email',
    'Where is my tent?',
    prose`We fly on Friday and the tent still shows "label created". Please tell me today whether it will
      make it.`,
    'delivery urgent negative human',
    'delivery high negative',
  ),
  ticket('chat', '', 'hey when do you ship again after the weekend? no rush', 'delivery low neutral'),
  ticket(
    'email',
    'Parcel left in the rain',
    prose`Your driver left an open box on the lawn. The sleeping bag is soaked. Photos attached.`,
    'delivery high angry human',
    'refund high angry human',
  ),
  ticket(
    'form',
    'Delivery to Malta',
    'Do you deliver to Malta, and what would it cost?',
    'delivery low neutral',
  ),
  ticket(
    'email',
    'Third time I write!!!',
    prose`Nobody answers. Parcel lost for three weeks, chat closed on me, phone is voicemail. If I hear
      nothing by tomorrow I go to my bank.`,
    'delivery urgent angry human',
  ),
  ticket(
    'chat',
    '',
    'driver says my street does not exist lol. it does. number 14b',
    'delivery normal neutral human',
    'delivery normal neutral',
  ),
  ticket(
    'email',
    'Thanks!',
    prose`Just wanted to say that the parcel came a day early and the handwritten card made my week. No reply
      needed.`,
    'other low positive',
  ),
  ticket(
    'form',
    'Wrong parcel',
    prose`I ordered a headlamp and received somebody else's climbing rope, with their name and address on the
      slip.`,
    'delivery high neutral human',
    'delivery normal neutral',
  ),
  ticket(
    'email',
    'Customs',
    prose`The carrier wants 48 francs before they hand over the boots. Nobody mentioned this at checkout. Is
      that legal?`,
    'delivery normal negative',
    'payment normal negative',
  ),
  ticket('chat', '', 'can i get it delivered to a packstation', 'delivery low neutral'),
  ticket(
    'email',
    'Return without the box',
    'The cat has destroyed the shoe box. May I return the shoes in another one?',
    'return low neutral',
  ),
  ticket(
    'form',
    'Return label does not open',
    'The PDF of the return label is empty on my phone and on my laptop.',
    'return normal neutral',
  ),
  ticket(
    'email',
    'Day 29',
    prose`Tomorrow is the last day of my 30 and your return page throws an error 500. I want it in writing
      that this counts as in time.`,
    'return urgent negative human',
    'return normal negative',
  ),
  ticket('chat', '', 'how do i return 1 thing out of 3', 'return low neutral'),
  ticket(
    'email',
    'Size exchange',
    'The M is too big, could I have an S instead? Tags are on.',
    'return normal neutral',
  ),
  ticket(
    'email',
    'Rücksendung',
    prose`Guten Tag, ich habe die Jacke vor zwei Wochen zurückgeschickt und seitdem nichts gehört. Können Sie
      bitte nachsehen?`,
    'refund normal negative',
    'return normal negative',
  ),
  ticket(
    'form',
    'Refund is 4.95 short',
    'You sent back 84.50, I paid 89.45. Where is the rest?',
    'refund normal negative',
  ),
  ticket(
    'email',
    'Refund to a closed account',
    prose`I have changed banks since I ordered, the old account is closed. Where does the refund go now?`,
    'refund high neutral human',
    'refund normal neutral human',
  ),
  ticket(
    'chat',
    '',
    'REFUND. NOW. order LK-48120. day 16!!!!',
    'refund urgent angry human',
    'refund high angry human',
  ),
  ticket(
    'email',
    'Double refund',
    'I think you refunded me twice, by mistake. How do I send it back? 🙂',
    'refund normal positive human',
    'refund low positive',
  ),
  ticket(
    'email',
    'Price dropped',
    'Bought it on Monday, cheaper on Thursday. Do you match your own prices?',
    'refund low neutral',
    'product_question low neutral',
  ),
  ticket(
    'form',
    'Cancel please',
    'Ordered twice by accident two minutes ago, please cancel the second one (LK-51877).',
    'order_change urgent neutral',
    'order_change high neutral',
  ),
  ticket(
    'chat',
    '',
    'wrong house number on my order, should be 12 not 21, it says packing already 😱',
    'order_change urgent negative human',
    'order_change urgent negative',
  ),
  ticket(
    'email',
    'Add socks',
    'Could you put two pairs of the grey socks into LK-50013 before it leaves?',
    'order_change normal neutral',
  ),
  ticket(
    'email',
    'Change of delivery date',
    'We are away until the 20th. Could the parcel arrive after that?',
    'order_change normal neutral',
    'delivery normal neutral',
  ),
  ticket(
    'form',
    'Pre-order',
    'When does the pre-ordered pack ship? And can I still change the colour to moss?',
    'order_change low neutral',
    'product_question low neutral',
  ),
  ticket(
    'chat',
    '',
    'pls cancel my whole order i lost my job today',
    'order_change high negative human',
    'order_change normal negative',
  ),
  ticket(
    'email',
    'Charged twice',
    'My statement shows 189.95 two times, on the same day, for one pair of boots.',
    'payment high negative human',
  ),
  ticket(
    'email',
    'Unknown charge',
    prose`There is a charge from Larkfell on my card and I have never heard of you. I have reported it to my
      bank as fraud.`,
    'payment urgent angry human',
    'payment high negative human',
  ),
  ticket('form', 'Invoice', 'Please send the invoice for LK-47220 as a PDF.', 'payment low neutral'),
  ticket('chat', '', 'paypal says declined but money is gone??', 'payment high negative'),
  ticket(
    'email',
    'VAT number on the invoice',
    'We are a company in Ghent and need the VAT number on it. Is that possible?',
    'payment normal neutral',
  ),
  ticket(
    'form',
    'Bank transfer',
    'I transferred the money on Tuesday and the order still says "waiting for payment".',
    'payment normal neutral',
    'payment high neutral',
  ),
  ticket(
    'email',
    'Gift card does not work',
    'The code ends in 7Q2X and the page says "unknown code". It is a present.',
    'payment normal negative',
    'loyalty normal negative',
  ),
  ticket('chat', '', 'do u take klarna', 'payment low neutral'),
  ticket('email', 'Apple Pay', '', 'payment low neutral', 'other low neutral human'),
  ticket(
    'email',
    'Colis abîmé',
    prose`Bonjour, le carton est arrivé ouvert et il manque le réchaud. Je pars en randonnée dans trois
      jours, c'est urgent. Merci`,
    'delivery urgent negative human',
  ),
  ticket(
    'form',
    'Order for a school',
    'We need 30 rain jackets by May. Do you do quotes, and payment on account?',
    'other normal positive human',
    'payment normal positive human',
  ),
  ticket(
    'email',
    'Pedido duplicado',
    'Hola, me han llegado dos mochilas y solo pedí una. ¿Qué hago con la otra?',
    'delivery normal positive',
    'return normal positive',
  ),
  ticket('chat', '', '?', 'other low neutral human'),
]
