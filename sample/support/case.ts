// The types of the support test set. A case is one fact of the policy with questions about it, and correct and wrong
// answers.
import type { Category } from './catalog.ts'

export interface Question {
  text: string
  /** The first sentence of a friendly answer. */
  lead?: string
  /** Days since the delivery. Null if the parcel has not been delivered; random if absent. */
  delivered?: number | null
  /** Days since the order, for a parcel that has not been delivered. */
  placed?: number
  country?: string
  payment?: string
  /** The amount paid by gift card, in euros. */
  giftCard?: number
  points?: number
  tier?: string
}

export interface Mistake {
  text: string
  /** The reason that the judge gives. */
  why: string
  /** Whether `text` is the whole output, without greeting and citation. */
  isBare?: boolean
}

export interface SupportCase {
  /** The section of the policy, such as `returns §1`. */
  cite: string
  /** The ordered product category. Null if the customer has no order. */
  item: Category | null
  questions: Question[]
  language?: string
  /** The customer, if the question fits only one person. */
  customer?: { name: string; country: string }
  fact: string
  /** Words that every correct answer contains, in the language of the case. */
  mention: string
  answer: string
  next?: string
  /** The answer in a plainer wording. Same as `answer` if absent. */
  plain?: string
  /** The answer in at most two sentences. If absent, the answer cannot be short and is truncated at the token limit. */
  brief?: string
  /** A detail of the answer or of the next step that the policy does not contain. */
  unsupported?: { in: 'answer' | 'next'; what: string }
  /** The first one misreads the policy. The last one is invented, for prompts without the policy. */
  wrong: [Mistake, ...Mistake[]]
  /** The answer in English, if the question is in another language. */
  english?: string
}
