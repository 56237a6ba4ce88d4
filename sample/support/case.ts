// The form in which the support test set is written: one case is one fact of the policy, the questions that
// ask for it, and what good and bad answers to them say.
import type { Category } from './catalog.ts'

export interface Question {
  text: string
  /** The sentence with which a friendly agent begins. */
  lead?: string
  /** Days since the parcel was delivered; null: it is on its way. Drawn from the generator if absent. */
  delivered?: number | null
  /** Days since the order was placed; for a parcel that is on its way. */
  placed?: number
  country?: string
  payment?: string
  /** The part of the price that was paid by gift card, in euros. */
  giftCard?: number
  points?: number
  tier?: string
}

export interface Mistake {
  text: string
  /** What the judge says about it. */
  why: string
  /** The whole output, without greeting or citation. */
  isBare?: boolean
}

export interface SupportCase {
  /** The section of the policy, as in `returns §1`. */
  cite: string
  /** What was ordered; null: the customer has no order yet. */
  item: Category | null
  questions: Question[]
  language?: string
  /** Where the question only fits one person. */
  customer?: { name: string; country: string }
  fact: string
  /** Words that every right answer holds, in the language of the case. */
  mention: string
  answer: string
  next?: string
  /** The answer in the words of a steadier model; absent: the same words. */
  plain?: string
  /** The answer in two sentences at most; absent: the answer cannot be short, and is cut off at the limit. */
  brief?: string
  /** A detail of the answer, or of the next step, that the policy does not hold. */
  loose?: { in: 'answer' | 'next'; what: string }
  /** The first is a misreading of the policy, the last is what a model says without having it. */
  wrong: [Mistake, ...Mistake[]]
  /** The answer in English, where the question is not. */
  english?: string
}
