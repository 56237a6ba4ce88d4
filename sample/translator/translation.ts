// The form in which the translations of the sample are written.
import type { ReplyKey } from './replies.ts'

export interface Translation {
  reply: ReplyKey
  /** The language asked for: a key of LANGUAGES. */
  to: string
  text: string
  /** Another candidate, where the app gave two. */
  second?: string
  fault?: Fault
}

export interface Fault {
  adequacy: number
  terminology: 'consistent' | 'off glossary'
  reason: string
  isOtherLanguage?: boolean
}
