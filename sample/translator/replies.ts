// The English replies that reply-translator translates, by key, and the target languages.
import { prose } from '../text.ts'

export const REPLIES = {
  label: prose`Hi {name}, the return label is free and valid for 30 days from delivery. Print it from "My
    orders", or show the QR code at the drop-off point.`,
  refund: prose`Hello {name}, your refund of €84.50 is on its way. It reaches your account within 5 business
    days.`,
  delay: prose`Hi {name}, we are sorry: your parcel is two days late because of a storm. The new delivery
    date is 14 October.`,
  gift: prose`Hello {name}, your gift card is valid for 3 years and cannot be paid out in cash.`,
  points: prose`Hi {name}, you have 340 Trail Points. 100 points are worth €5.`,
  zip: prose`Hello {name}, a new zip costs €18 and the repair takes 10 working days. Please send the tent
    clean and dry.`,
  boots: prose`Hi {name}, boots that were worn outdoors cannot be returned unless they are faulty.`,
  locker: prose`Hi {name}, your parcel is waiting in the locker. The code is 4471. It is kept for 7 days. 📦`,
  down: prose`Hello {name}, wash the down jacket at 30 °C with down soap and dry it with two
    tennis balls. 🎾🎾`,
  customs: prose`Hello {name}, import duty is not included in our price. The carrier charges it on delivery.`,
  cancel: prose`Hi {name}, your order LK-50212 has been cancelled. You have not been charged.`,
  stock: prose`Hi {name}, size M is sold out. We can hold the exchange for up to 14 days or refund you. Which
    do you prefer?`,
  warranty: prose`Hello {name}, our tents have a warranty of 5 years. It does not cover normal wear.`,
  thanks: prose`Hi {name}, thank you for your kind words! The whole team was happy to read them. 🥾💚`,
  claim: prose`Hello {name}, please send us a photo and the order number. We answer within 3 business days.`,
} satisfies Record<string, string>

export type ReplyKey = keyof typeof REPLIES

export interface Language {
  code: string
  name: string
  customers: readonly string[]
  /** The glossary entry for the most frequent term. */
  glossary: string
}

export const LANGUAGES: Record<string, Language> = {
  de: { code: 'de-DE', name: 'German', customers: ['Jonas', 'Anke'], glossary: 'gift card = Gutschein' },
  fr: {
    code: 'fr-FR',
    name: 'French',
    customers: ['Camille', 'Hugo'],
    glossary: 'pick-up point = point relais',
  },
  es: { code: 'es-ES', name: 'Spanish', customers: ['Lucía', 'Iker'], glossary: 'refund = reembolso' },
  pt: { code: 'pt-PT', name: 'Portuguese', customers: ['Beatriz', 'Rui'], glossary: 'parcel = encomenda' },
  pl: { code: 'pl-PL', name: 'Polish', customers: ['Zofia', 'Kacper'], glossary: 'warranty = gwarancja' },
  uk: { code: 'uk-UA', name: 'Ukrainian', customers: ['Олена', 'Тарас'], glossary: 'order = замовлення' },
  el: {
    code: 'el-GR',
    name: 'Greek',
    customers: ['Ελένη', 'Νίκος'],
    glossary: 'refund = επιστροφή χρημάτων',
  },
  ar: { code: 'ar', name: 'Arabic', customers: ['ليلى', 'سامي'], glossary: 'gift card = بطاقة هدايا' },
  hi: { code: 'hi-IN', name: 'Hindi', customers: ['प्रिया', 'अर्जुन'], glossary: 'warranty = वारंटी' },
  ja: { code: 'ja-JP', name: 'Japanese', customers: ['由紀', '健太'], glossary: 'return = 返品' },
  ko: { code: 'ko-KR', name: 'Korean', customers: ['민준', '서연'], glossary: 'refund = 환불' },
  zh: { code: 'zh-Hans', name: 'Chinese', customers: ['李娜', '王伟'], glossary: 'order number = 订单号' },
}
