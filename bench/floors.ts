// What Assay must reach, and what it should reach. `npm run bench` compares its measurements with them.
import { median } from './timing.ts'

interface Floor {
  question: string
  /** `npm run bench` exits with 1 if the median is worse. */
  floor: number
  goal: number
  /** `ratio` is the speed of Assay divided by the speed of the reference. */
  unit: 'ratio' | 'ms' | 'MB' | 's'
  better: 'higher' | 'lower'
}

const RATIO = { unit: 'ratio', better: 'higher' } as const
const TIME = { unit: 'ms', better: 'lower' } as const
const IMPORT = { floor: 0.18, goal: 0.4, ...RATIO }
const STALL = { floor: 100, goal: 30, ...TIME }

/** All are measured with default settings, with the request log. Each number is the median of its rounds. */
export const FLOORS = {
  'warm-identity': {
    question: 'cached read of 1,000 scenarios, 1.8 MB, compared with bare Node',
    floor: 0.85,
    goal: 0.95,
    ...RATIO,
  },
  'warm-gzip': {
    question: 'the same with gzip, 36 kB, compared with bare Node',
    floor: 0.55,
    goal: 0.8,
    ...RATIO,
  },
  'not-modified': { question: '304, compared with bare Node', floor: 0.5, goal: 0.75, ...RATIO },
  'full-read': {
    question: 'read of 100,000 scenarios without cache, compared with bare Node piping the file',
    floor: 0.8,
    goal: 1,
    ...RATIO,
  },
  import: { question: '`assay import` of NDJSON, compared with parsing and inserting each line', ...IMPORT },
  post: { question: 'NDJSON over HTTP, compared with parsing and inserting each line', ...IMPORT },
  'reads-during-post': {
    question: 'small reads while NDJSON is posted, 99th percentile',
    floor: 50,
    goal: 20,
    ...TIME,
  },
  'large-text': { question: 'longest small read while one record with a text of 30 MB is posted', ...STALL },
  'large-values': {
    question: 'longest small read while one record with 30 MB of small values is posted',
    ...STALL,
  },
  memory: { question: 'memory of the idle service (RSS)', floor: 110, goal: 90, unit: 'MB', better: 'lower' },
  start: {
    question: 'start of the process until `/readyz` returns 200',
    floor: 0.7,
    goal: 0.4,
    unit: 's',
    better: 'lower',
  },
} satisfies Record<string, Floor>

export type FloorName = keyof typeof FLOORS

/** The measurements of each round. */
export type Measurements = Partial<Record<FloorName, number[]>>

/** For a run of all benchmarks: a floor that none of them measures is missed. */
export const UNMEASURED: Measurements = Object.fromEntries(Object.keys(FLOORS).map((name) => [name, []]))

export type Verdict = 'goal met' | 'met' | 'MISSED'

/** The verdict on the median. No measurement is a missed floor. */
export function judge(name: FloorName, values: number[]): Verdict {
  const { floor, goal, better }: Floor = FLOORS[name]
  const value = median(values)
  const reaches = (limit: number) => (better === 'higher' ? value >= limit : value <= limit)
  if (reaches(goal)) return 'goal met'
  return reaches(floor) ? 'met' : 'MISSED'
}

/** 1 if a floor is missed. */
export function exitCode(measurements: Measurements): 0 | 1 {
  const entries = Object.entries(measurements) as [FloorName, number[]][]
  return entries.some(([name, values]) => judge(name, values) === 'MISSED') ? 1 : 0
}

const DECIMALS = { ratio: 3, ms: 1, MB: 1, s: 3 }

/** A Markdown table with one row per measured floor. */
export function formatTable(measurements: Measurements): string[] {
  const rows = Object.entries(measurements).map(([name, values]) => {
    const { question, floor, goal, unit }: Floor = FLOORS[name as FloorName]
    const format = (value: number) => value.toFixed(DECIMALS[unit])
    const suffix = unit === 'ratio' ? '' : ` ${unit}`
    const verdict = judge(name as FloorName, values)
    return [
      question,
      `${format(median(values))}${suffix}`,
      `${floor}${suffix}`,
      `${goal}${suffix}`,
      verdict === 'MISSED' ? `**${verdict}**` : verdict,
      values.map(format).join(', '),
    ]
  })
  const heading = ['question', 'median', 'floor', 'goal', 'verdict', 'rounds']
  const formatRow = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [formatRow(heading), `|${'---|'.repeat(heading.length)}`, ...rows.map(formatRow)]
}
