// Support test cases about repairs.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const REPAIRS: SupportCase[] = [
  {
    cite: 'repairs §1',
    item: 'tent',
    questions: [
      {
        text: `The door zip of my {product} has lost three teeth. What does a new zip cost?`,
        lead: `Three teeth is enough to let every midge in.`,
        delivered: 880,
      },
      {
        text: prose`One zip and one pole section on the {product} are gone after a storm on Skye 🌬️ Roughly
          what would I pay to have both done?`,
        lead: `Sounds like quite a night!`,
        delivered: 510,
      },
    ],
    fact: 'A zip costs €18, a tent pole section €9; patches up to 5 cm are free on Larkfell products.',
    mention: '€18',
    answer: prose`Our workshop charges fixed prices:

      | Repair | Price |
      | --- | --- |
      | Zip | €18 |
      | Tent pole section | €9 |
      | Patch up to 5 cm (Larkfell) | free |`,
    next: 'You pay the postage to us, and we pay the way back.',
    brief: `A zip is €18 and a pole section €9.`,
    plain: prose`A new zip is €18, and a pole section is €9. Patches up to 5 cm are free for Larkfell
      products.`,
    wrong: [
      {
        text: `A zip is replaced for €25 including the return postage.`,
        why: 'Says €25. A zip costs €18.',
      },
    ],
  },
  {
    cite: 'repairs §2',
    item: 'pack',
    questions: [
      {
        text: prose`If I post my {product} to the workshop tomorrow, will I have it back before the half-term
          break in four weeks?`,
        lead: `Four weeks should be enough.`,
        delivered: 300,
      },
      {
        text: `how long do repairs take at the moment? hip belt buckle of the {product}, {order}`,
        lead: `Buckles are quick to do.`,
        delivered: 205,
      },
    ],
    fact: 'Repairs take 10 working days from arrival in the workshop.',
    mention: '10 working days',
    answer: prose`A repair takes **10 working days** from the day your {noun} arrives in the workshop. Add a
      few days for the post each way.`,
    next: 'We send you a message when it arrives and another when it leaves.',
    brief: `10 working days from arrival in the workshop, plus the post each way.`,
    plain: prose`The workshop needs 10 working days, starting when the {noun} arrives there.`,
    unsupported: { in: 'next', what: 'that two messages are sent' },
    wrong: [
      {
        text: `Repairs currently take 4 to 6 weeks from arrival.`,
        why: 'Says 4 to 6 weeks. It is 10 working days from arrival.',
      },
    ],
  },
  {
    cite: 'repairs §3',
    item: 'jacket',
    questions: [
      {
        text: `Do I need to wash the {product} before I send it in for a patch? It has seen a lot of bog.`,
        lead: `Bog is a compliment to a jacket!`,
        delivered: 260,
      },
      {
        text: prose`Your repair form mentions a charge for "cleaning". What is that, how much is it, and how
          do I avoid it with my {product}?`,
        lead: `It is easy to avoid.`,
        delivered: 190,
      },
    ],
    fact: 'Items must arrive clean and dry; otherwise cleaning costs €15.',
    mention: '€15',
    answer: prose`Things have to arrive in the workshop clean and dry, because dirt ruins the machines and
      the glue. If they don't, we clean them first, and that costs **€15**.`,
    next: 'A wash at 30 °C and a day on the line is all it takes.',
    brief: `Items must arrive clean and dry. Otherwise we clean them, which costs €15.`,
    plain: prose`The workshop only accepts items that are clean and dry. If it has to clean your {noun}
      first, it adds €15 to the bill.`,
    unsupported: { in: 'next', what: 'the washing advice' },
    wrong: [
      {
        text: `Cleaning is part of every repair and free of charge.`,
        why: 'Says that cleaning is free. It costs €15 if the item does not arrive clean.',
      },
    ],
  },
  {
    cite: 'repairs §4',
    item: 'boots',
    questions: [
      {
        text: prose`Can your workshop resole my {product}? And would you also look at a jacket of another
          brand that I bought somewhere else?`,
        lead: `It's good to see old gear kept going.`,
        delivered: 820,
      },
      {
        text: prose`The {product} have a split seam at the ankle. Do you repair shoes too, or only your own
          stuff?`,
        lead: `A split seam is a nuisance.`,
        delivered: 540,
      },
    ],
    fact: 'No footwear. Other brands: only zips and patches, at €18 each.',
    mention: 'zips and patches',
    answer: prose`We don't repair footwear, so a cobbler is the better address for the {noun}. For clothing
      and gear of other brands we do zips and patches, at €18 each.`,
    next: `If the damage looks like a fault and not like wear, send a photo and we check the warranty first.`,
    brief: `We don't repair footwear. On other brands we do zips and patches, at €18 each.`,
    plain: prose`Our workshop does not repair footwear, sorry. For items of other brands it offers zips and
      patches, for €18 each.`,
    wrong: [
      {
        text: `Yes, our workshop resoles and restitches all footwear, from €45 a pair.`,
        why: 'Invents a footwear service at €45. The workshop does no footwear.',
      },
    ],
  },
]
