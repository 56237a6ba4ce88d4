// What a test measured, for the table of `npm run trust`. The names are the same in all tests, so that they share a column.
import type { TestContext } from 'node:test'

export interface Measurements {
  /** What the check ran: requests, inputs, clients or rounds, whichever it counts. */
  cases?: number
  rounds?: number
  /** Acknowledged writes that are missing. */
  lost?: number
  /** Responses or rows that differ from what was stored. */
  wrong?: number
  /** Secrets, or data of other projects, that became visible. */
  leaked?: number
  /** The highest VmHWM of the service, above its idle VmRSS. */
  peak_memory_mb?: number
  /** 99th percentile, and the slowest, of small reads that run at the same time. */
  small_read_p99_ms?: number
  small_read_max_ms?: number
  /** Anything else that belongs to this check only. */
  [name: string]: number | undefined
}

const PREFIX = 'measured '

export function reportMeasurements(test: TestContext, measurements: Measurements): void {
  test.diagnostic(PREFIX + JSON.stringify(measurements))
}

/** Undefined if the diagnostic message is about something else. */
export function parseMeasurements(message: string): Measurements | undefined {
  return message.startsWith(PREFIX) ? JSON.parse(message.slice(PREFIX.length)) : undefined
}
