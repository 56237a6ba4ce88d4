// The figures of a comparison as people read them, for the terminal and for Markdown alike: rows of cells, and the
// verdict in one sentence.
import type { ComparedCandidate, ComparedEvaluator, Comparison, Measured } from '../schema/comparisons.ts'
import { whole } from './progress.ts'

/** How a name that others chose is shown. */
export type Naming = (name: string) => string

/** What is compared, as it is called, and how its numbers are shown. */
interface Line extends Measured {
  label: string
  unit: Unit
  classes?: ComparedEvaluator['classes']
}

interface Unit {
  factor: number
  before: string
  behind: string
  behindChange: string
}

const PLAIN: Unit = { factor: 1, before: '', behind: '', behindChange: '' }
const RATE: Unit = { factor: 100, before: '', behind: ' %', behindChange: ' pp' }
const DOLLARS: Unit = { factor: 1, before: '$', behind: '', behindChange: '' }
const SECONDS: Unit = { factor: 1, before: '', behind: ' s', behindChange: ' s' }

export const HEADS = ['', 'base', 'candidate', 'change', '95 % interval', 'regressed', 'improved', 'n', '']

/** Stands where there is nothing. */
const NONE = '-'

const MOST_NAMED = 10

export function tableOf(candidate: ComparedCandidate, naming: Naming): string[][] {
  return linesOf(candidate, naming).map((line) => [
    line.label,
    ...figuresOf(line),
    line.classes ? whole(line.classes.regressed) : '',
    line.classes ? whole(line.classes.improved) : '',
    whole(line.n),
    line.outcome ?? 'not comparable',
  ])
}

/** Cost and latency only where there is something to compare. */
function linesOf({ evaluators, cost, latency }: ComparedCandidate, naming: Naming): Line[] {
  const measured: Line[] = [
    { ...cost, label: 'cost', unit: DOLLARS },
    { ...latency, label: 'latency', unit: SECONDS },
  ]
  return [
    ...evaluators.map((evaluator) => ({
      ...evaluator,
      label: naming(evaluator.name),
      unit: unitOf(evaluator),
    })),
    ...measured.filter(({ n }) => n > 0),
  ]
}

/** Means of verdicts are pass rates. Only verdicts have a p-value. */
function unitOf({ p_value }: ComparedEvaluator): Unit {
  return p_value === null ? PLAIN : RATE
}

function figuresOf({ base_mean, mean, delta, interval, unit }: Line): string[] {
  const digits = digitsOf([base_mean, mean, delta], unit)
  const [low = null, high = null] = interval ?? []
  return [
    amount(base_mean, unit, digits),
    amount(mean, unit, digits),
    change(delta, unit, digits, unit.behindChange),
    interval ? `${change(low, unit, digits)} to ${change(high, unit, digits, unit.behindChange)}` : NONE,
  ]
}

/** Four that count, of the largest; of a rate one behind the point. */
function digitsOf(values: (number | null)[], unit: Unit): number {
  if (unit === RATE) return 1
  const largest = Math.max(...values.map((value) => Math.abs(value ?? 0)))
  return largest === 0 ? 3 : Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(largest))))
}

function amount(value: number | null, unit: Unit, digits: number): string {
  if (value === null) return NONE
  const text = `${unit.before}${unsigned(value * unit.factor, digits)}${unit.behind}`
  return value < 0 && !isNothing(text) ? `-${text}` : text
}

function change(value: number | null, unit: Unit, digits: number, behind = ''): string {
  if (value === null) return NONE
  const text = `${unit.before}${unsigned(value * unit.factor, digits)}${behind}`
  if (isNothing(text)) return text
  return value < 0 ? `-${text}` : `+${text}`
}

/** What would be too long to be read is shown as a power of ten. */
function unsigned(value: number, digits: number): string {
  const size = Math.abs(value)
  return size >= 1e9 || (size > 0 && digits === 12) ? size.toPrecision(4) : size.toFixed(digits)
}

/** Whether no digit of a number is left but zeros. */
function isNothing(text: string): boolean {
  return !/[1-9]/.test(text)
}

/** How far a mean is from that of the base, as the table shows it, or as closely as it takes. */
export function distanceOf(evaluator: ComparedEvaluator): string {
  const { base_mean, mean, delta } = evaluator
  const unit = unitOf(evaluator)
  const distance = Math.abs(delta ?? 0) * unit.factor
  const text = unsigned(distance, digitsOf([base_mean, mean, delta], unit))
  return `${isNothing(text) ? distance.toPrecision(2) : text}${unit.behindChange}`
}

/** Such as: candidate against base: worse on exact, better on latency, tied on 2. */
export function verdictOf(base: string, candidate: ComparedCandidate, naming: Naming): string {
  const lines = linesOf(candidate, naming)
  const labels = (outcome: Line['outcome']) =>
    lines.filter((line) => line.outcome === outcome).map(({ label }) => label)
  const [worse, better, tied, neither] = [labels('worse'), labels('better'), labels('tied'), labels(null)]
  const parts = [
    worse.length > 0 && `worse on ${enumerate(worse)}`,
    better.length > 0 && `better on ${enumerate(better)}`,
    tied.length > 0 && `tied on ${tiedText(tied, lines.length)}`,
    neither.length > 0 && `nothing to compare on ${enumerate(neither)}`,
  ].filter((part) => part !== false)
  const said = parts.length === 0 ? 'nothing to compare' : parts.join(', ')
  return `${naming(candidate.id)} against ${naming(base)}: ${said}.`
}

/** How many, where it is neither one nor all of them. */
function tiedText(tied: string[], all: number): string {
  if (tied.length === all) return 'everything'
  return tied.length === 1 ? enumerate(tied) : whole(tied.length)
}

/** Such as: a, b and c. The first ten of very many. */
export function enumerate(names: string[]): string {
  const others = names.length - MOST_NAMED
  if (others > 0)
    return `${names.slice(0, MOST_NAMED).join(', ')} and ${whole(others)} ${others === 1 ? 'other' : 'others'}`
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

/** How the rows were paired. */
export function joinedText({ join }: Comparison, candidate: ComparedCandidate, naming: Naming): string {
  const { matched, only_in_base, only_in_candidate } = candidate
  const parts = [
    `${whole(matched)} ${matched === 1 ? 'scenario' : 'scenarios'} paired by ${naming(join.by)}`,
    only_in_base > 0 && `${whole(only_in_base)} only in the base`,
    only_in_candidate > 0 && `${whole(only_in_candidate)} only in the candidate`,
  ]
  return `${parts.filter((part) => part !== false).join(', ')}.`
}
