// What a benchmark is: a question, and a run against a service that answers it in a few lines.

export interface Bench {
  question: string
  run(subject: Subject): Promise<string[]>
}

/** A running service and what is in it. */
export interface Subject {
  base: string
  /** Of its process. */
  pid: number
  /** May read. */
  key: string
  /** May write. */
  writeKey: string
  /** The paths of the scenarios of an evaluation of 1,000 and of one of 100,000. */
  small: string
  large: string
  /** The service's data folder, and for files of the benchmark's own. */
  folder: string
}
