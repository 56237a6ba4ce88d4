// In-memory model of comparisons: pairs and classifies rows one by one as the reference documents it.
import { type ExactStatistics, exactStatistics } from './exact-statistics.ts'

/** `value` is JSON text, because a number can exceed the range of a double. */
export interface ModelResult {
  name: string
  value: string
  isError: boolean
}

export interface ModelRow {
  id: string
  /** Uploaded without an id. */
  hasGeneratedId?: boolean
  /** The name of its row, which its repeats share. */
  sample?: string | undefined
  inputs: { name: string; value: unknown }[]
  output: { value: string; error: string | null; cost: number | null; latency: number | null }
  expected: string | null
  results: ModelResult[]
}

export interface ModelEvaluation {
  id: string
  declared: { name: string; higher_is_better?: boolean; threshold?: number }[]
  rows: ModelRow[]
}

/** Positions of the first scenarios of both rows. */
export interface ModelPair {
  baseline: number
  position: number
}

export interface ModelJoin {
  by: string
  rate: number
  pairs: ModelPair[]
}

/** The members that rows and join keys are made of. */
export type KeyedRow = Pick<ModelRow, 'id' | 'hasGeneratedId' | 'inputs' | 'sample'> & { expected?: unknown }
type KeyedRows = { rows: KeyedRow[] }

/** The positions of the repeats of each row, in the order of the first ones. */
export function formRows({ rows }: KeyedRows): number[][] {
  const found = new Map<string, number[]>()
  for (const [position, { sample, inputs, expected }] of rows.entries()) {
    const equal = inputs.length === 0 ? position : [sortInputs(inputs, JSON.stringify), expected]
    const key = JSON.stringify(sample === undefined ? [equal] : { sample })
    found.set(key, [...(found.get(key) ?? []), position])
  }
  return [...found.values()]
}

function sortInputs(inputs: ModelRow['inputs'], textOf: (value: unknown) => string): string[][] {
  return inputs.map(({ name, value }) => [name, textOf(value)]).sort()
}

/** Undefined if the row has no such key. `rank` is its place among the rows. */
function keyOf(row: KeyedRow, rank: number, by: string, ignoresTypes = false): string | undefined {
  const textOf = (value: unknown) =>
    ignoresTypes && typeof value === 'string' ? value : JSON.stringify(value)
  if (by === 'id') return row.hasGeneratedId ? undefined : (row.sample ?? row.id)
  if (by === 'position') return String(rank)
  if (by === 'input' && row.inputs.length === 0) return undefined
  if (by === 'input') return JSON.stringify(sortInputs(row.inputs, textOf))
  const input = row.inputs.find(({ name }) => `input.${name}` === by)
  return input && textOf(input.value)
}

/** The first positions of rows by key, in ascending order. */
function positionsByKey(evaluation: KeyedRows, by: string, ignoresTypes = false): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [rank, [first = 0]] of formRows(evaluation).entries()) {
    const key = keyOf(evaluation.rows[first] as KeyedRow, rank, by, ignoresTypes)
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), first])
  }
  return found
}

export function pairRows(
  baseline: KeyedRows,
  candidate: KeyedRows,
  by: string,
  ignoresTypes = false,
): ModelPair[] {
  const candidatePositions = positionsByKey(candidate, by, ignoresTypes)
  const pairs = [...positionsByKey(baseline, by, ignoresTypes)].flatMap(([key, positions]) =>
    positions.flatMap((position, occurrence): ModelPair[] => {
      const other = candidatePositions.get(key)?.[occurrence]
      return other === undefined ? [] : [{ baseline: position, position: other }]
    }),
  )
  return pairs.sort((a, b) => a.baseline - b.baseline)
}

export function countRepeated(evaluation: KeyedRows, by: string): number {
  return [...positionsByKey(evaluation, by).values()].reduce((sum, { length }) => sum + length - 1, 0)
}

/** The joins by every key that was tried; the last one is used. */
export function joinByModel(baseline: KeyedRows, candidates: KeyedRows[], requested: string): ModelJoin[][] {
  const tried: ModelJoin[][] = []
  for (const by of requested === 'auto' ? ['id', 'input', 'position'] : [requested]) {
    const joined = candidates.map((candidate) => {
      const pairs = pairRows(baseline, candidate, by)
      const smaller = Math.min(formRows(baseline).length, formRows(candidate).length)
      return { by, pairs, rate: smaller === 0 ? 1 : Number((pairs.length / smaller).toPrecision(12)) }
    })
    tried.push(joined)
    if (joined.every(({ rate }) => rate >= 0.95)) break
  }
  return tried
}

export interface Score {
  number: number
  isVerdict: boolean
}

/** Uses the first result of the evaluator. Errors, texts, null and numbers that overflow a double are not scores. */
export function scoreOf(row: ModelRow, name: string): Score | undefined {
  const result = row.results.find((one) => one.name === name)
  if (!result || result.isError) return undefined
  const value: unknown = JSON.parse(result.value)
  if (typeof value === 'boolean') return { number: Number(value), isVerdict: true }
  return typeof value === 'number' && Number.isFinite(value) ? { number: value, isVerdict: false } : undefined
}

/** The texts of the repeats of all rows, with how often each occurs in both evaluations. Null without texts in one of them. */
export function labelsOf(pairs: [ModelRow[], ModelRow[]][], name: string) {
  const [base, candidate] = ([0, 1] as const).map((side) =>
    pairs.flatMap((pair) =>
      pair[side].flatMap(({ results }) => {
        const result = results.find((one) => one.name === name)
        const value: unknown = result && !result.isError ? JSON.parse(result.value) : null
        return typeof value === 'string' ? value : []
      }),
    ),
  ) as [string[], string[]]
  if (base.length === 0 || candidate.length === 0) return null
  const countIn = (texts: string[], label: string) => texts.filter((text) => text === label).length
  return [...new Set([...base, ...candidate])]
    .sort()
    .map((label) => ({ label, base: countIn(base, label), candidate: countIn(candidate, label) }))
    .sort((a, b) => b.base - a.base || b.candidate - a.candidate)
}

export function evaluatorsOf({ rows }: ModelEvaluation): string[] {
  return [...new Set(rows.flatMap(({ results }) => results.map(({ name }) => name)))]
}

export function isHigherBetter(baseline: ModelEvaluation, candidate: ModelEvaluation, name: string): boolean {
  const declared = [...baseline.declared, ...candidate.declared].find((one) => one.name === name)
  return declared?.higher_is_better ?? true
}

export interface RowScore {
  mean: number
  isVerdict: boolean
  numbers: number[]
}

/** The scores of the repeats of a row. Undefined without one, or if their sum exceeds the range of a double. */
export function rowScoreOf(repeats: ModelRow[], name: string): RowScore | undefined {
  const scores = repeats.map((row) => scoreOf(row, name)).filter((score) => score !== undefined)
  return averageOf(scores)
}

export function averageOf(scores: Score[]): RowScore | undefined {
  const numbers = scores.map(({ number }) => number)
  if (numbers.length === 0) return undefined
  const areEqual = numbers.every((number) => number === numbers[0])
  const sum = numbers.reduce((total, number) => total + number, 0)
  const mean = areEqual ? (numbers[0] as number) : sum / numbers.length
  if (!Number.isFinite(mean)) return undefined
  return { mean, numbers, isVerdict: scores.every(({ isVerdict }) => isVerdict) }
}

export interface ClassifiedPair {
  class: 'regressed' | 'improved' | 'same' | 'unclear' | 'incomparable'
  baseline?: RowScore
  candidate?: RowScore
  delta?: number
}

export function classOf(
  baseline: RowScore | undefined,
  candidate: RowScore | undefined,
  isHigher: boolean,
): ClassifiedPair {
  if (!baseline || !candidate || baseline.isVerdict !== candidate.isVerdict) return { class: 'incomparable' }
  const difference = candidate.mean - baseline.mean
  const isRounding =
    Math.abs(difference) < 1e-12 * Math.max(Math.abs(candidate.mean), Math.abs(baseline.mean))
  const hasRepeats = baseline.numbers.length + candidate.numbers.length > 2
  const delta = hasRepeats && isRounding ? 0 : difference
  const scores = { baseline, candidate, delta }
  if (delta === 0) return { class: 'same', ...scores }
  const [low, high] = delta > 0 ? [baseline, candidate] : [candidate, baseline]
  const isSeparate = Math.max(...low.numbers) < Math.min(...high.numbers)
  if (!isSeparate && !(baseline.isVerdict && isSignificant(baseline.numbers, candidate.numbers)))
    return { class: 'unclear', ...scores }
  return { class: delta > 0 === isHigher ? 'improved' : 'regressed', ...scores }
}

/** Fisher's exact test, two-sided: the tables with the same margins that are at most as probable. In integers. */
function isSignificant(first: number[], second: number[]): boolean {
  const passesOf = (numbers: number[]) => numbers.filter((number) => number === 1).length
  const [passes, count] = [passesOf(first) + passesOf(second), first.length + second.length]
  const ways = (firstPasses: number) =>
    choose(first.length, firstPasses) * choose(second.length, passes - firstPasses)
  const observed = ways(passesOf(first))
  let asExtreme = 0n
  for (let k = 0; k <= first.length; k += 1) if (ways(k) <= observed) asExtreme += ways(k)
  return asExtreme * 20n <= choose(count, passes)
}

function choose(count: number, size: number): bigint {
  if (size < 0 || size > count) return 0n
  let ways = 1n
  for (let k = 1; k <= size; k += 1) ways = (ways * BigInt(count - size + k)) / BigInt(k)
  return ways
}

export function pairedStatistics(
  pairs: { baseline: number | undefined; candidate: number | undefined }[],
): ExactStatistics {
  return exactStatistics(
    pairs.flatMap(({ baseline, candidate }) =>
      baseline === undefined || candidate === undefined ? [] : [{ baseline, candidate }],
    ),
  )
}

/** Values that differ only in type are equal here. */
export function haveDifferentInputs(a: KeyedRow, b: KeyedRow): boolean {
  const [first, second] = [a, b].map((row) => keyOf(row, 0, 'input', true))
  return first !== undefined && second !== undefined && first !== second
}

export function isChanged(a: ModelRow, b: ModelRow): boolean {
  const outputOf = ({ output }: ModelRow) => JSON.stringify([output.value, output.error])
  return outputOf(a) !== outputOf(b)
}

/** The JSON text to upload, with value texts unchanged. */
export function rowJson({ id, hasGeneratedId, sample, inputs, output, expected, results }: ModelRow): string {
  const { value, error, cost, latency } = output
  const errorMember = (message: string | null) =>
    message === null ? '' : `,"error":${JSON.stringify({ message })}`
  const resultTexts = results.map(
    ({ name, value, isError }) =>
      `{"evaluator_config":${JSON.stringify(name)},"result":{"type":"any","value":${value}${errorMember(isError ? 'Failed' : null)}}}`,
  )
  const members = [
    `"id":${hasGeneratedId ? 'null' : JSON.stringify(id)}`,
    `"inputs":${JSON.stringify(inputs.map((input) => ({ ...input, type: 'any' })))}`,
    `"outputs":[{"result":{"type":"any","value":${value}${errorMember(error)}},"cost":${cost},"latency":${latency}}]`,
    `"correct_answers":${expected === null ? 'null' : JSON.stringify([{ key: 'answer', value: expected }])}`,
    `"results":[${resultTexts.join(',')}]`,
    ...(sample === undefined ? [] : [`"extra":${JSON.stringify({ sample })}`]),
  ]
  return `{${members.join(',')}}`
}
