// Support test cases about the warranty.
import { prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const WARRANTY: SupportCase[] = [
  {
    cite: 'warranty §1',
    item: 'tent',
    questions: [
      {
        text: prose`I bought my {product} from you three years ago and now the floor coating peels off in
          flakes, though it has seen maybe 20 nights. Is that still under warranty?`,
        lead: `Peeling after 20 nights should not happen.`,
        delivered: 1121,
      },
      {
        text: `How long is the warranty on the {product}? Asking because a seam looks a bit off on mine.`,
        lead: `Good that you looked closely.`,
        delivered: 15,
      },
    ],
    fact: 'Larkfell tents have a warranty of 5 years.',
    mention: '5 years',
    answer: prose`Our own tents have a warranty of **5 years** from delivery, and a fault in the coating or a
      seam is just what it is for.`,
    next: 'Send us a photo and the order number, and you have an answer within 3 business days.',
    brief: `Larkfell tents have a warranty of 5 years, and a fault like this is covered.`,
    plain: prose`The {product} is a Larkfell tent, and those have a warranty of 5 years. Faults in material
      and workmanship, like the one you describe, are covered.`,
    wrong: [
      {
        text: `The warranty on our products is 3 years.`,
        why: 'Gives the period of other Larkfell products. Tents and packs have 5 years.',
      },
    ],
  },
  {
    cite: 'warranty §1',
    item: 'boots',
    questions: [
      {
        text: prose`The sole of my {product} is coming off at the toe. I've had them for ages (2.5 years?).
          Covered or not?`,
        lead: `Soles should hold on better than that.`,
        delivered: 915,
      },
      {
        text: prose`hi, is the warranty on {product} the same 5 years as on your tents? the eyelets are
          rusting after only 14 months`,
        lead: `Rust after 14 months is early.`,
        delivered: 426,
      },
    ],
    fact: 'Products of other brands, such as these, have a warranty of 2 years.',
    mention: '2 years',
    answer: prose`Your {product} are made by {brand}, and for brands other than our own the warranty is **2
      years** from delivery. You received them on {delivered}, so it {warranty}.`,
    brief: `They are from {brand}, and other brands have 2 years of warranty, so it {warranty}.`,
    plain: prose`{brand} is not our own brand, so the warranty is 2 years. Counted from {delivered}, it
      {warranty}.`,
    wrong: [
      {
        text: `Everything in our shop has 5 years of warranty, so this is covered.`,
        why: 'Other brands have 2 years. The 5 years are for Larkfell tents and packs.',
      },
    ],
  },
  {
    cite: 'warranty §2',
    item: 'jacket',
    questions: [
      {
        text: prose`A spark from the campfire burned two holes in my {product}. It's only four months old so
          it must be under warranty, right?`,
        lead: `Campfires and jackets, a sad old story.`,
        delivered: 122,
      },
      {
        text: prose`Cuffs on my {product} are frayed from rock, looks shabby. Do you replace it under
          warranty? It's from spring.`,
        lead: `It sounds as if it has seen some good days out.`,
        delivered: 160,
      },
    ],
    fact: 'No: the warranty covers faults in material and workmanship, not wear, accidents or heat.',
    mention: 'workmanship',
    answer: prose`The warranty covers faults in material and workmanship. Wear, accidents and heat are not
      part of it, so I'm afraid this one is not covered.`,
    next: 'Our workshop can patch it, though, and on Larkfell products patches up to 5 cm are free.',
    brief: prose`That isn't covered: the warranty is for faults in material and workmanship, not wear, heat
      or accidents.`,
    plain: prose`This is not a warranty case, I am sorry. We cover faults in material and workmanship; wear,
      accidents and damage by heat are excluded.`,
    wrong: [
      {
        text: `Since the {noun} is less than a year old, we replace it under warranty.`,
        why: 'Wear and accidents are not covered, however new the item is.',
      },
    ],
  },
  {
    cite: 'warranty §4',
    item: 'pack',
    questions: [
      {
        text: prose`I bought a used {product} from somebody online and a buckle snapped on the first trip.
          Does the warranty count for me too? The seller gave me the order number, {order}.`,
        lead: `Good gear deserves a second life.`,
        delivered: 640,
      },
      {
        text: prose`My brother passed his {product} on to me. If something breaks, can I claim or does it
          have to be him? Order was {order}.`,
        lead: `Lucky you, nice brother.`,
        delivered: 410,
      },
    ],
    fact: 'Yes: the warranty goes with the product; a second owner needs the original order number.',
    mention: 'order number',
    answer: prose`The warranty goes with the product, not with the person. As the second owner you can claim
      yourself, with the original order number, {order}. For a Larkfell pack it runs for 5 years from the
      first delivery.`,
    next: 'Send us a photo of the damage and we answer within 3 business days.',
    brief: `Yes, the warranty goes with the product. You only need the original order number.`,
    plain: prose`Yes, the warranty belongs to the product, and with the original order number ({order}) a
      second owner can use it in the same way.`,
    wrong: [
      {
        text: `The warranty is personal, so only the first buyer can make a claim.`,
        why: 'The warranty goes with the product. A second owner can claim with the order number.',
      },
    ],
  },
  {
    cite: 'warranty §5',
    item: 'tent',
    questions: [
      {
        text: prose`You replaced my {product} last month under warranty (great service btw). Does the new one
          have 5 fresh years now?`,
        lead: `Thank you, we will tell the workshop!`,
        delivered: 700,
      },
      {
        text: prose`If a {noun} is repaired under warranty, does the period start again from that day? Asking
          for {order}.`,
        lead: `A fair question.`,
        delivered: 380,
      },
    ],
    fact: 'No: a repaired or replaced item keeps the original period; it does not start again.',
    mention: 'original period',
    answer: prose`A repaired or replaced item keeps the original period, it does not start again. For your
      {product} the 5 years still count from {delivered}.`,
    next: 'The exact end date is shown under *My orders → {order}*.',
    brief: `It keeps the original period. A repair or replacement does not start it again.`,
    plain: prose`No. The original period continues after a repair or a replacement; for your {noun} it began
      on {delivered} and lasts 5 years.`,
    unsupported: { in: 'next', what: 'where the end date is shown' },
    wrong: [
      {
        text: `A replacement comes with a new warranty of 5 years from the day you receive it.`,
        why: 'The period does not start again; a replacement keeps the original one.',
      },
    ],
  },
  {
    cite: 'warranty §3',
    item: 'jacket',
    language: 'pl',
    customer: { name: 'Kacper Wójcik', country: 'PL' },
    questions: [
      {
        text: prose`Dzień dobry, w kurtce kupionej wiosną odklejają się taśmy na szwach. Jak mogę zgłosić
          reklamację i ile czasu czeka się na odpowiedź?`,
        delivered: 140,
      },
    ],
    fact: 'A photo and the order number are needed; the answer comes within 3 business days.',
    mention: '3 dni roboczych',
    answer: prose`Dzień dobry, Panie Kacprze,

      bardzo nam przykro z powodu taśm. Wystarczy odpowiedzieć na tę wiadomość, dołączając zdjęcie i numer
      zamówienia. Odpowiemy w ciągu 3 dni roboczych.`,
    brief: `Proszę przesłać zdjęcie i numer zamówienia. Odpowiemy w ciągu 3 dni roboczych.`,
    english: `Please send us a photo and the order number. We answer within 3 business days.`,
    wrong: [
      {
        text: `Reklamację należy zgłosić bezpośrednio u producenta. Na odpowiedź czeka się do 30 dni.`,
        why: 'Sends the customer to the maker and invents 30 days. We answer within 3 business days.',
      },
    ],
  },
]
