// What the processes of a service say to each other.

export type ToWorker =
  | { say: 'stop' }
  /** The answers under way have had their time. */
  | { say: 'hurry' }
  | { say: 'refused'; address: string }
  | { say: 'metrics'; question: number; text: string }

export type ToPrimary =
  | { say: 'listening'; address: string }
  | { say: 'failed'; message: string; hint: string; exitCode: 1 | 2 }
  | { say: 'refused'; address: string }
  | { say: 'metrics'; question: number }
