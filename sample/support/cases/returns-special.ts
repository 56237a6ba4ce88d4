// Special test cases about returns: a return without a printer, and other languages.
import { dedent, prose } from '../../text.ts'
import type { SupportCase } from '../case.ts'

export const RETURNS_SPECIAL: SupportCase[] = [
  {
    cite: 'returns §7',
    item: 'pack',
    questions: [
      {
        text: prose`I want to send the {product} back but I have no printer and my account page only shows a
          spinner. Just tell me the address and what to write on the box and I'll do it by hand.`,
        delivered: 8,
        country: 'BE',
        lead: `Sorry about the spinner! By hand works too.`,
      },
    ],
    fact: prose`To Larkfell Returns, Kanaalweg 17, 3526 KL Utrecht, Netherlands, with the order number on the
      outside.`,
    mention: 'Kanaalweg 17',
    answer: dedent`
      1. Put the {product} in a box, tags on, with a note of your name.
      2. Write this on the outside, order number included:

      \`\`\`
      Larkfell Returns
      Kanaalweg 17
      3526 KL Utrecht
      Netherlands

      {order}
      \`\`\`

      3. Take it to any drop-off point and keep the receipt until the refund is there.`,
    brief: dedent`
      Send it to this address, with the order number on the outside:

      \`\`\`
      Larkfell Returns
      Kanaalweg 17
      3526 KL Utrecht, Netherlands
      {order}
      \`\`\``,
    unsupported: { in: 'answer', what: 'the advice to keep the receipt' },
    wrong: [
      {
        text: `Send it to Larkfell, Kanaalweg 17, 3526 KL Utrecht, and put the order number inside the box.`,
        why: 'The order number belongs on the outside of the box, not inside it.',
      },
      {
        text: prose`Send it to Larkfell Customer Care, Industrieweg 4, 1099 AB Amsterdam. No order number is
          needed.`,
        why: 'The address is invented, and the order number has to be on the outside.',
      },
    ],
  },
  {
    cite: 'returns §1',
    item: 'trousers',
    language: 'de',
    customer: { name: 'Friederike Lindner', country: 'DE' },
    questions: [
      {
        text: prose`Guten Tag, die Hose aus Bestellung {order} ist mir leider zu weit. Sie liegt seit gut
          drei Wochen ungetragen im Schrank, Etikett ist noch dran. Kann ich sie noch zurückschicken?`,
        delivered: 23,
      },
    ],
    fact: 'Yes: within 30 days of delivery, unused and with the tags attached.',
    mention: '30',
    answer: prose`Guten Tag Frau Lindner,

      ja, das geht noch: Sie können ungetragene Artikel mit Etikett innerhalb von 30 Tagen nach der
      Zustellung zurückschicken. Das Rücksendeetikett ist für Sie kostenlos und liegt in Ihrem Konto bereit.`,
    brief: `Ja, das geht noch: Sie haben 30 Tage ab Zustellung, ungetragen und mit Etikett.`,
    english: prose`Yes, you still can. Unworn items with the tags attached can be returned within 30 days of
      delivery, and the label is free.`,
    wrong: [
      {
        text: `Leider ist die Rückgabefrist von 14 Tagen ab Kaufdatum bereits abgelaufen.`,
        why: 'Refuses with a window of 14 days. The window is 30 days from delivery, and it is still open.',
      },
    ],
  },
  {
    cite: 'returns §2',
    item: 'boots',
    language: 'fr',
    customer: { name: 'Camille Girard', country: 'FR' },
    questions: [
      {
        text: prose`Bonjour, j'ai essayé les chaussures chez moi et elles sont trop petites. Est-ce que le
          retour est payant depuis la France, et y a-t-il des frais de remise en stock ? Merci d'avance`,
        delivered: 5,
      },
    ],
    fact: 'The return label is free inside the EU, and there is no restocking fee.',
    mention: 'gratuit',
    answer: prose`Bonjour Camille,

      rien à payer : l'étiquette de retour est gratuite depuis la France, comme partout dans l'UE, et il n'y
      a pas de frais de remise en stock. L'essayage à l'intérieur ne pose aucun problème.`,
    brief: `Le retour est gratuit depuis la France, et il n'y a pas de frais de remise en stock.`,
    english: `The return label is free from France, as everywhere in the EU, and there is no restocking fee.`,
    wrong: [
      {
        text: `Le retour coûte 6,95 € depuis la France, montant déduit de votre remboursement.`,
        why: 'Charges €6.95 for the label. Labels are free inside the EU.',
      },
    ],
  },
  {
    cite: 'returns §3',
    item: 'boots',
    language: 'ja',
    customer: { name: '田中 由紀 (Yuki Tanaka)', country: 'NL' },
    questions: [
      {
        text: prose`こんにちは。先週届いた登山靴を一度だけ山で履きましたが、サイズが合いませんでした。返品できますか？`,
        delivered: 8,
      },
    ],
    fact: 'No: footwear worn outdoors is not taken back unless it is faulty.',
    mention: '屋外',
    answer: prose`田中様

      お問い合わせありがとうございます。申し訳ございませんが、屋外で着用された靴は返品をお受けできません（不良品の場合を
      除きます）。室内での試し履きでしたら問題ございません。もし縫い目や靴底に不具合がございましたら、お写真をお送りください。`,
    brief: `申し訳ございませんが、屋外で着用された靴は、不良品の場合を除き返品できません。`,
    english: `Sorry, footwear that was worn outdoors can't be returned unless it is faulty.`,
    wrong: [
      {
        text: `はい、30日以内であれば、一度履かれた靴でも返品いただけます。`,
        why: 'Accepts footwear worn outdoors (in Japanese). Only faulty footwear is taken back after that.',
      },
    ],
  },
]
