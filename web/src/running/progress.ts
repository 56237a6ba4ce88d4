// The progress of a running evaluation, from its counts and times.
import type { Evaluation } from 'assay-client'
import { formatCount, pluralize } from '../format/numbers.ts'

/** A running evaluation without a write for this long has probably stopped. */
const STALLED_MS = 15 * 60_000
/** A rate of fewer seconds is only noise. */
const MIN_RATE_MS = 5000
const MINUTE_MS = 60_000
/** The rate is that of the samples of this time. */
const RATE_MS = MINUTE_MS

type Running = Pick<Evaluation, 'scenario_count' | 'expected_count' | 'created_at' | 'updated_at'>

export interface Progress {
  /** From 0 to 1. Undefined if the number of rows is unknown. */
  share: number | undefined
  isStalled: boolean
  /** "18 rows per minute, about 3 minutes left", or "not updated for 20 minutes". */
  pace: string
}

/** How many rows there were at the time of a write. */
export interface Sample {
  at: number
  count: number
}

/** Adds the last write, and removes samples that are too old for the rate. Returns the same array if nothing was written. */
export function withSample(samples: readonly Sample[], evaluation: Running): readonly Sample[] {
  const sample = { at: Date.parse(evaluation.updated_at), count: evaluation.scenario_count }
  if (samples.at(-1)?.at === sample.at) return samples
  return [...samples.filter(({ at }) => sample.at - at <= RATE_MS), sample]
}

export function progressOf(evaluation: Running, now = Date.now(), samples: readonly Sample[] = []): Progress {
  const { scenario_count, expected_count } = evaluation
  const share = expected_count ? Math.min(1, scenario_count / expected_count) : undefined
  const idleMs = now - Date.parse(evaluation.updated_at)
  if (idleMs >= STALLED_MS) return { share, isStalled: true, pace: `not updated for ${duration(idleMs)}` }
  return { share, isStalled: false, pace: paceOf(evaluation, samples) }
}

function paceOf(evaluation: Running, samples: readonly Sample[]): string {
  const { scenario_count, expected_count } = evaluation
  const rowsPerMs = rateBetween(samples[0], samples.at(-1)) ?? averageRate(evaluation)
  if (rowsPerMs === undefined) return ''
  const perMinute = rowsPerMs * MINUTE_MS
  const rate =
    perMinute >= 1
      ? `${rowsText(Math.round(perMinute))} per minute`
      : `${rowsText(Math.ceil(perMinute * 60))} per hour`
  const rest = (expected_count ?? 0) - scenario_count
  return rest > 0 ? `${rate}, about ${duration(rest / rowsPerMs)} left` : rate
}

function averageRate({ scenario_count, created_at, updated_at }: Running): number | undefined {
  return rateBetween(
    { at: Date.parse(created_at), count: 0 },
    { at: Date.parse(updated_at), count: scenario_count },
  )
}

/** Rows per millisecond. Undefined if there are too few. */
function rateBetween(first: Sample | undefined, last: Sample | undefined): number | undefined {
  if (!first || !last || last.at - first.at < MIN_RATE_MS || last.count <= first.count) return undefined
  return (last.count - first.count) / (last.at - first.at)
}

function rowsText(count: number): string {
  return pluralize(count, 'row')
}

/** "3 minutes", "2 hours", "5 days". */
function duration(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS))
  if (minutes < 120) return pluralize(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? pluralize(hours, 'hour') : pluralize(Math.round(hours / 24), 'day')
}

/** "74 of 120 rows". */
export function countText({ scenario_count, expected_count }: Running): [count: string, rest: string] {
  if (expected_count === null) return [formatCount(scenario_count), scenario_count === 1 ? 'row' : 'rows']
  return [formatCount(scenario_count), `of ${pluralize(expected_count, 'row')}`]
}
