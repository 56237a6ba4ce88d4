// The Benchmark interface, and the service that a benchmark measures.

export interface Benchmark {
  title: string
  /** Returns the lines of the report. */
  run(subject: Subject): Promise<string[]>
}

/** A running service with test data. */
export interface Subject {
  baseUrl: string
  /** Process id of the service. */
  pid: number
  /** API key with the scope read. */
  key: string
  /** API key with the scope write. */
  writeKey: string
  /** API paths of the scenarios of two evaluations: 1,000 (small) and 100,000 (large) scenarios. */
  small: string
  large: string
  /** Data folder of the service. Benchmarks can also write their files here. */
  folder: string
}
