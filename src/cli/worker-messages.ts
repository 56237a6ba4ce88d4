// What the processes of a service say to each other.

export type ToWorker =
  | { say: 'stop' }
  /** The answers under way have had their time. */
  | { say: 'hurry' }
  | { say: 'refused'; address: string }
  /** Asks for its own figures. */
  | { say: 'figures'; question: number }
  /** Those of all; without a text where they cannot be had. */
  | { say: 'metrics'; question: number; text?: string }

export type ToPrimary =
  | { say: 'listening'; address: string }
  | { say: 'failed'; message: string; hint: string; exitCode: 1 | 2 }
  | { say: 'refused'; address: string }
  | { say: 'figures'; question: number; figures: object[] }
  /** Asks for those of all. */
  | { say: 'metrics'; question: number }
