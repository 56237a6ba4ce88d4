// Results of the checks, and how they are printed.
import type { Measurements } from '../support/measurements.ts'
import type { Engine } from '../support/options.ts'
import { ENGINE_NAMES, formatDuration } from '../support/test-run.ts'

export interface CheckResult {
  number: number
  engine: Engine
  /** Incomplete if a test was skipped because a tool is not installed. Open if it failed as expected. */
  outcome: 'passed' | 'failed' | 'incomplete' | 'open'
  measurements: Measurements
  /** In milliseconds. */
  duration: number
}

/** These are added up over all tests of a check. Of other measurements, the largest counts. */
const COUNTS = ['cases', 'rounds', 'lost', 'wrong', 'leaked']

export function addMeasurements(total: Measurements, added: Measurements = {}): void {
  for (const [name, value = 0] of Object.entries(added)) {
    const previous = total[name]
    if (previous === undefined) total[name] = value
    else total[name] = COUNTS.includes(name) ? previous + value : Math.max(previous, value)
  }
}

const COLUMNS: [heading: string, measurement: string][] = [
  ...COUNTS.map((name): [string, string] => [name, name]),
  ['peak MB', 'peak_memory_mb'],
  ['read p99', 'small_read_p99_ms'],
  ['slowest', 'small_read_max_ms'],
]

export function formatTable(results: CheckResult[]): string {
  const headings = ['check', 'engine', 'result', ...COLUMNS.map(([heading]) => heading), 'time', 'other']
  const rows = results.map(({ number, engine, outcome, measurements, duration }) => [
    String(number),
    ENGINE_NAMES[engine],
    outcome,
    ...COLUMNS.map(([, name]) => (measurements[name] === undefined ? '' : formatNumber(measurements[name]))),
    formatDuration(duration),
    describeMeasurements(measurements, (name) => !COLUMNS.some(([, column]) => column === name)),
  ])
  const widths = headings.map((heading, column) =>
    Math.max(...[headings, ...rows].map((row) => row[column]?.length ?? heading.length)),
  )
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const UNITS: Record<string, string> = { ms: ' ms', s: ' s', mb: ' MB', percent: ' %' }

/** For example: 100 rounds, 0 lost, peak memory 41 MB. */
export function describeMeasurements(
  measurements: Measurements,
  isIncluded: (name: string) => boolean = () => true,
): string {
  return Object.entries(measurements)
    .filter(([name]) => isIncluded(name))
    .map(([name, value = 0]) => {
      const words = name.split('_')
      const unit = UNITS[words.at(-1) ?? '']
      if (unit === undefined) return `${formatNumber(value)} ${words.join(' ')}`
      return `${words.slice(0, -1).join(' ')} ${formatNumber(value)}${unit}`
    })
    .join(', ')
}

function formatNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })
}
