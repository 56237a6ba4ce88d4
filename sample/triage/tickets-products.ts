// Part 2 of the triage test set: tickets about products, repairs and points.
import { prose } from '../text.ts'
import { type Ticket, ticket } from './ticket.ts'

export const PRODUCT_TICKETS: Ticket[] = [
  ticket(
    'email',
    'Stove caught fire',
    prose`The hose of the two-burner stove leaked and caught fire on our balcony. Nobody is hurt, but my
      hands shake while I write this. Are there other cases?`,
    'warranty_repair urgent negative human',
  ),
  ticket(
    'form',
    'Sole came off',
    'The left sole of my boots came off after eight months. Is this a warranty case?',
    'warranty_repair normal negative',
  ),
  ticket(
    'chat',
    '',
    'zip stuck since today, can u fix or do i need to send it in',
    'warranty_repair normal neutral',
  ),
  ticket(
    'email',
    'Repair took five weeks',
    prose`You say ten working days. It was five weeks, my trip is over, and the zip is still the wrong
      colour.`,
    'warranty_repair high angry human',
    'warranty_repair normal angry',
  ),
  ticket(
    'email',
    'Pole section',
    'How do I order a single pole section for the Fellside 2, the one with the bend?',
    'warranty_repair low neutral',
    'product_question low neutral',
  ),
  ticket(
    'form',
    'Warranty of a used tent',
    'I bought it second-hand. Does the warranty still count for me?',
    'warranty_repair low neutral',
  ),
  ticket(
    'email',
    'Cracked buckle, again',
    prose`This is the second replacement and the same buckle has cracked again. I carried my toddler in the
      wind with a rope around my waist.`,
    'warranty_repair urgent angry human',
    'warranty_repair high negative human',
  ),
  ticket(
    'chat',
    '',
    'down jacket lost feathers everywhere, looks like a pillow fight 😂',
    'warranty_repair low positive',
    'product_question low positive',
  ),
  ticket(
    'email',
    'Filter tastes of chlorine',
    'Is it safe to drink? I have already used it with the kids.',
    'product_question urgent negative human',
    'product_question normal neutral',
  ),
  ticket(
    'form',
    'Weight of the Cairn 45',
    'The page says 1.4 kg and the label says 1.62 kg. Which is right?',
    'product_question low neutral',
  ),
  ticket('chat', '', 'is the scree jacket pfas free', 'product_question low neutral'),
  ticket(
    'email',
    'Which mat for minus ten?',
    prose`I plan a winter tour in the Tatra mountains. Is the Loft 6 warm enough or should I take the Skrea?
      I sleep cold.`,
    'product_question normal neutral',
  ),
  ticket('chat', '', 'hi do the boots run small? usually 42 in everything', 'product_question low neutral'),
  ticket(
    'email',
    'Allergic to the insoles?',
    prose`Since I wear the approach shoes both feet are red and blistered. My doctor asks what glue you use.`,
    'product_question high negative human',
    'warranty_repair normal negative',
  ),
  ticket(
    'form',
    'Spare parts list',
    'Where can I find the list of spare parts for the gas stove?',
    'product_question low neutral',
  ),
  ticket(
    'email',
    '寝袋について',
    'Hush 400の快適温度は何度ですか？標高3000mの山小屋で使う予定です。',
    'product_question low neutral',
  ),
  ticket(
    'chat',
    '',
    'whats the difference between wren and fellside 2 pls explain like im five',
    'product_question low positive',
  ),
  ticket(
    'email',
    'Vegan glue',
    'Are the leather-free shoes also free of animal glue? I could not find it on the page.',
    'product_question low neutral',
  ),
  ticket(
    'form',
    'Points vanished',
    'I had 620 points yesterday and 20 today. I have not ordered anything.',
    'loyalty normal negative',
    'loyalty high negative',
  ),
  ticket('chat', '', 'how many points till summit', 'loyalty low neutral'),
  ticket(
    'email',
    'Points for an old order',
    'I ordered as a guest in June. Can the points still be added to my account?',
    'loyalty low neutral',
  ),
  ticket(
    'form',
    'Birthday voucher',
    'My birthday was last week and no voucher came this year. Is it gone for good? 🎂',
    'loyalty low neutral',
    'payment low neutral',
  ),
]
