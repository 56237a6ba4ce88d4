// The Benchmark interface, and the service that a benchmark measures.
import type { Measurements } from './floors.ts'

export interface Benchmark {
  title: string
  /** Returns the lines of the report, and the measurements that have a floor. */
  run(subject: Subject): Promise<string[] | Report>
}

export interface Report {
  lines: string[]
  measurements: Measurements
}

/** A running service with test data, on the first CPU core. */
export interface Subject {
  baseUrl: string
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
