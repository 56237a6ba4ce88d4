// Support test cases about washing and storing products.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const CARE: SupportCase[] = [
  {
    cite: 'care §1',
    item: 'down',
    questions: [
      {
        text: `My {product} smells like a hut. Can it go in the washing machine, and with what?`,
        lead: `Hut smell is earned, but it does wash out.`,
        delivered: 210,
      },
      {
        text: `Washed my {product} and now it's full of sad little lumps. Did I kill it??`,
        lead: `Don't worry, lumps are only wet down.`,
        delivered: 95,
      },
    ],
    fact: 'Wash down at 30 °C with down soap and tumble dry on low with two tennis balls; no softener.',
    mention: 'tennis balls',
    answer: prose`Down likes it gentle:

      1. Wash at 30 °C with down soap, never with softener.
      2. Tumble dry on low with **two tennis balls**, which break up the lumps.
      3. Give it time: two or three rounds in the dryer are normal.`,
    brief: prose`Wash at 30 °C with down soap, then tumble dry on low with two tennis balls until the lumps
      are gone.`,
    plain: prose`Wash it at 30 °C with down soap and without softener. Then tumble dry it on low, together
      with two tennis balls, until all lumps are gone.`,
    wrong: [
      {
        text: `Down should only be dry-cleaned. Never put it in a washing machine or a dryer.`,
        why: 'The opposite of the care sheet: 30 °C with down soap, then the dryer on low.',
      },
    ],
  },
  {
    cite: 'care §2',
    item: 'rainwear',
    questions: [
      {
        text: prose`My {product} soaks through at the shoulders after an hour of rain. Is it broken or do I
          need to treat it?`,
        lead: `It is most likely not broken.`,
        delivered: 330,
      },
      {
        text: prose`water doesn't bead on the {product} any more :( washed it once with normal detergent and
          softener, was that a mistake`,
        lead: `The softener was the culprit, but it can be undone.`,
        delivered: 150,
      },
    ],
    fact: 'Wash at 30 °C without softener, 20 minutes in the dryer on low; re-proof if water does not bead.',
    mention: '20 minutes',
    answer: prose`Wash the {noun} at 30 °C without softener and then give it **20 minutes** in the dryer on
      low; the warmth wakes up the coating. If water still does not bead after that, it is time to re-proof
      it.`,
    next: 'Any spray-on or wash-in proofer for waterproofs will do.',
    brief: prose`Wash at 30 °C without softener, then 20 minutes in the dryer on low. Re-proof it if water
      still doesn't bead.`,
    plain: prose`The fabric just needs some care. Wash it at 30 °C without softener and tumble dry it on low
      for 20 minutes. Should water still not bead, re-proof it.`,
    unsupported: { in: 'next', what: 'which proofers will do' },
    wrong: [
      {
        text: `Wash it at 60 °C to remove the residue, and iron it on high to seal the coating.`,
        why: 'Would ruin the membrane. It is 30 °C, and 20 minutes in the dryer on low.',
      },
    ],
  },
  {
    cite: 'care §3',
    item: 'tent',
    questions: [
      {
        text: prose`Can I put the {product} in the washing machine on a cold wool cycle? There's mud all over
          the inner.`,
        lead: `Please don't, though I see the temptation.`,
        delivered: 60,
      },
      {
        text: prose`Packed the {product} away damp on Sunday because of the ferry, is it bad to leave it a
          week? And how do I get stains out?`,
        lead: `Better take it out tonight.`,
        delivered: 33,
      },
    ],
    fact: 'Sponge and lukewarm water, never the washing machine; store the tent fully dry.',
    mention: 'lukewarm',
    answer: prose`Clean the {noun} by hand with a sponge and lukewarm water, never in the washing machine.
      Let it dry completely before you store it, because damp fabric grows mould within days.`,
    next: 'Pitched in the shade, or hung over a door, it is dry in an afternoon.',
    brief: `Use a sponge and lukewarm water, never the washing machine, and store it fully dry.`,
    plain: prose`Tents must never go into a machine. Use a sponge with lukewarm water, and store it only when
      it is fully dry.`,
    unsupported: { in: 'answer', what: 'how fast mould grows' },
    wrong: [
      {
        text: `A cold wool cycle is fine for the {noun}, as long as you leave out the softener.`,
        why: 'Tents never go into the washing machine; sponge and lukewarm water only.',
      },
    ],
  },
]
