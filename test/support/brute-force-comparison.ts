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

export interface ModelPair {
  baseline: number
  position: number
  cluster: unknown
}

export interface ModelJoin {
  by: string
  rate: number
  pairs: ModelPair[]
}

/** The members that join keys are made of. */
export type KeyedRow = Pick<ModelRow, 'id' | 'hasGeneratedId' | 'inputs'>
type KeyedRows = { rows: KeyedRow[] }

/** Undefined if the row has no such key. */
function keyOf(row: KeyedRow, position: number, by: string, ignoresTypes = false): string | undefined {
  const textOf = (value: unknown) =>
    ignoresTypes && typeof value === 'string' ? value : JSON.stringify(value)
  if (by === 'id') return row.hasGeneratedId ? undefined : row.id
  if (by === 'position') return String(position)
  if (by === 'input' && row.inputs.length === 0) return undefined
  const inputs = row.inputs.map(({ name, value }) => [name, textOf(value)]).sort()
  if (by === 'input') return JSON.stringify(inputs)
  const input = row.inputs.find(({ name }) => `input.${name}` === by)
  return input && textOf(input.value)
}

/** Positions by key, in ascending order. */
function positionsByKey({ rows }: KeyedRows, by: string, ignoresTypes = false): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [position, row] of rows.entries()) {
    const key = keyOf(row, position, by, ignoresTypes)
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), position])
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
      return other === undefined ? [] : [{ baseline: position, position: other, cluster: key }]
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
      const smaller = Math.min(baseline.rows.length, candidate.rows.length)
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

export function evaluatorsOf({ rows }: ModelEvaluation): string[] {
  return [...new Set(rows.flatMap(({ results }) => results.map(({ name }) => name)))]
}

export function isHigherBetter(baseline: ModelEvaluation, candidate: ModelEvaluation, name: string): boolean {
  const declared = [...baseline.declared, ...candidate.declared].find((one) => one.name === name)
  return declared?.higher_is_better ?? true
}

export interface ClassifiedPair {
  class: 'regressed' | 'improved' | 'same' | 'incomparable'
  baseline?: Score
  candidate?: Score
}

export function classOf(
  baseline: ModelRow,
  candidate: ModelRow,
  name: string,
  isHigher: boolean,
): ClassifiedPair {
  const [a, b] = [scoreOf(baseline, name), scoreOf(candidate, name)]
  if (!a || !b || a.isVerdict !== b.isVerdict) return { class: 'incomparable' }
  const scores = { baseline: a, candidate: b }
  if (a.number === b.number) return { class: 'same', ...scores }
  return { class: b.number > a.number === isHigher ? 'improved' : 'regressed', ...scores }
}

export function pairedStatistics(
  pairs: { baseline: number | null; candidate: number | null; cluster: unknown }[],
): ExactStatistics {
  return exactStatistics(
    pairs.flatMap(({ baseline, candidate, cluster }) =>
      baseline === null || candidate === null ? [] : [{ baseline, candidate, cluster }],
    ),
  )
}

/** Values that differ only in type are equal here. */
export function haveDifferentInputs(a: ModelRow, b: ModelRow): boolean {
  return keyOf(a, 0, 'input', true) !== keyOf(b, 0, 'input', true)
}

export function isChanged(a: ModelRow, b: ModelRow): boolean {
  const outputOf = ({ output }: ModelRow) => JSON.stringify([output.value, output.error])
  return outputOf(a) !== outputOf(b)
}

/** The JSON text to upload, with value texts unchanged. */
export function rowJson({ id, hasGeneratedId, inputs, output, expected, results }: ModelRow): string {
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
  ]
  return `{${members.join(',')}}`
}
