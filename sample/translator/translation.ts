// The type of the translations in the sample.
import type { ReplyKey } from './replies.ts'

export interface Translation {
  reply: ReplyKey
  /** The target language, a key of LANGUAGES. */
  to: string
  text: string
  /** A second candidate, if the app returned two. */
  second?: string
  fault?: Fault
}

export interface Fault {
  adequacy: number
  terminology: 'consistent' | 'off glossary'
  reason: string
  isOtherLanguage?: boolean
}
