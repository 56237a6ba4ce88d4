// Comparisons by brute force: rows are paired and classed one by one, as the reference says, without a database.
import { type ExactFigures, exactFigures } from './exact-figures.ts'

/** JSON texts where a token may be none of JavaScript's numbers. */
export interface ModelResult {
  name: string
  value: string
  isError: boolean
}

export interface ModelRow {
  id: string
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
  base: number
  position: number
  cluster: unknown
}

export interface ModelJoin {
  by: string
  rate: number
  pairs: ModelPair[]
}

/** What rows are paired by. */
export type KeyedRow = Pick<ModelRow, 'id' | 'inputs'>
type Keyed = { rows: KeyedRow[] }

/** Undefined: the row has no such key. */
function keyOf(row: KeyedRow, position: number, by: string, isText = false): string | undefined {
  const form = (value: unknown) => (isText && typeof value === 'string' ? value : JSON.stringify(value))
  if (by === 'id') return row.id
  if (by === 'position') return String(position)
  if (by === 'input' && row.inputs.length === 0) return undefined
  const inputs = row.inputs.map(({ name, value }) => [name, form(value)]).sort()
  if (by === 'input') return JSON.stringify(inputs)
  const input = row.inputs.find(({ name }) => `input.${name}` === by)
  return input && form(input.value)
}

/** Positions by key, in order. */
function keyed({ rows }: Keyed, by: string, isText = false): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [position, row] of rows.entries()) {
    const key = keyOf(row, position, by, isText)
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), position])
  }
  return found
}

export function pairRows(base: Keyed, candidate: Keyed, by: string, isText = false): ModelPair[] {
  const others = keyed(candidate, by, isText)
  const pairs = [...keyed(base, by, isText)].flatMap(([key, positions]) =>
    positions.flatMap((position, turn): ModelPair[] => {
      const other = others.get(key)?.[turn]
      return other === undefined ? [] : [{ base: position, position: other, cluster: key }]
    }),
  )
  return pairs.sort((a, b) => a.base - b.base)
}

export function countRepeated(evaluation: ModelEvaluation, by: string): number {
  return [...keyed(evaluation, by).values()].reduce((sum, { length }) => sum + length - 1, 0)
}

/** The last one is taken. */
export function joinModel(base: Keyed, candidates: Keyed[], asked: string): ModelJoin[][] {
  const tried: ModelJoin[][] = []
  for (const by of asked === 'auto' ? ['id', 'input', 'position'] : [asked]) {
    const joined = candidates.map((candidate) => {
      const pairs = pairRows(base, candidate, by)
      const smaller = Math.min(base.rows.length, candidate.rows.length)
      return { by, pairs, rate: smaller === 0 ? 1 : pairs.length / smaller }
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

/** The first result of an evaluator counts; an error, a text, nothing and a number that is too large are no scores. */
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

export function isHigherBetter(base: ModelEvaluation, candidate: ModelEvaluation, name: string): boolean {
  const declared = [...base.declared, ...candidate.declared].find((one) => one.name === name)
  return declared?.higher_is_better ?? true
}

export interface Classed {
  class: 'regressed' | 'improved' | 'same' | 'incomparable'
  base?: Score
  candidate?: Score
}

export function classOf(base: ModelRow, candidate: ModelRow, name: string, isHigher: boolean): Classed {
  const [a, b] = [scoreOf(base, name), scoreOf(candidate, name)]
  if (!a || !b || a.isVerdict !== b.isVerdict) return { class: 'incomparable' }
  const scores = { base: a, candidate: b }
  if (a.number === b.number) return { class: 'same', ...scores }
  return { class: b.number > a.number === isHigher ? 'improved' : 'regressed', ...scores }
}

export function figuresOf(
  pairs: { base: number | null; candidate: number | null; cluster: unknown }[],
): ExactFigures {
  return exactFigures(
    pairs.flatMap(({ base, candidate, cluster }) =>
      base === null || candidate === null ? [] : [{ base, candidate, cluster }],
    ),
  )
}

export function isChanged(a: ModelRow, b: ModelRow): boolean {
  const form = ({ output }: ModelRow) => JSON.stringify([output.value, output.error])
  return form(a) !== form(b)
}

/** As it is sent: texts stay to the letter. */
export function writtenRow({ id, inputs, output, expected, results }: ModelRow): string {
  const { value, error, cost, latency } = output
  const failed = (message: string | null) =>
    message === null ? '' : `,"error":${JSON.stringify({ message })}`
  const written = results.map(
    ({ name, value, isError }) =>
      `{"evaluator_config":${JSON.stringify(name)},"result":{"type":"any","value":${value}${failed(isError ? 'Failed' : null)}}}`,
  )
  const members = [
    `"id":${JSON.stringify(id)}`,
    `"inputs":${JSON.stringify(inputs.map((input) => ({ ...input, type: 'any' })))}`,
    `"outputs":[{"result":{"type":"any","value":${value}${failed(error)}},"cost":${cost},"latency":${latency}}]`,
    `"correct_answers":${expected === null ? 'null' : JSON.stringify([{ key: 'answer', value: expected }])}`,
    `"results":[${written.join(',')}]`,
  ]
  return `{${members.join(',')}}`
}
