// Which joined rows filters leave. They are about the row of the first candidate, or that of the base where the candidate
// has none; a text may stand on either side.
import { Problem } from '../errors.ts'
import { storable } from '../json/storable.ts'
import { FIELDS, type Filter, numberOf, type Order } from '../schema/filters.ts'
import type { Comparison } from '../schema/operators.ts'
import { evaluatorsOf, type Side, type Sides } from './compared-sides.ts'
import { conditionOf } from './filters.ts'
import { type JoinedColumns, NOWHERE } from './joined-columns.ts'
import { changesOf } from './row-changes.ts'
import { shownNames } from './shown-names.ts'
import { thresholdOf } from './views.ts'

/** By place, 1 where a row is left; places of no row do not matter. */
export type Selection = Uint8Array

/** Throws invalid-request where none of the evaluations has what a filter or the order names. */
export function checkNames(sides: Sides, filters: Filter[], order: Order | undefined): void {
  for (const { field, name } of filters) {
    const kind = FIELDS[field].names
    if (kind) knownName(sides, name, kind)
  }
  if (order?.by === 'result' || order?.by === 'delta') knownName(sides, order.name, 'evaluator')
}

/** The name as the store has it. */
export function knownName(sides: Sides, asked: string, kind: 'evaluator' | 'input'): string {
  const names = kind === 'input' ? inputsOf(sides) : evaluatorsOf(sides)
  const name = storable(asked)
  if (names.includes(name)) return name
  const there = names.length === 0 ? 'They have none' : `They have ${shownNames(names)}`
  throw new Problem('invalid-request', `No evaluation here has an ${kind} '${asked}'. ${there}.`)
}

function inputsOf(sides: Sides): string[] {
  return [...new Set(sides.flatMap(({ about }) => about.inputs))]
}

/** Undefined where there are no filters. */
export async function selectJoined(
  columns: JoinedColumns,
  filters: Filter[],
): Promise<Selection | undefined> {
  const isPlain = ({ field }: Filter) => field !== 'q' && field !== 'delta'
  const parts = [filters.filter(isPlain), ...filters.filter((one) => !isPlain(one)).map((one) => [one])]
  let left: Selection | undefined
  for (const part of parts) {
    if (part.length === 0) continue
    const { selected } = await columns.kept(`selected ${JSON.stringify(part)}`, async () => ({
      selected: await select(columns, part),
    }))
    left = left ? selected.map((one, place) => one & (left?.[place] ?? 0)) : selected
  }
  return left
}

async function select(columns: JoinedColumns, filters: Filter[]): Promise<Selection> {
  const [filter] = filters
  if (filter?.field === 'q') return selectByText(columns, filter)
  return filter?.field === 'delta' ? selectByDelta(columns, filter) : selectByRow(columns, filters)
}

async function selectByText(columns: JoinedColumns, filter: Filter): Promise<Selection> {
  const { places } = await columns.places(0)
  const selected = new Uint8Array(columns.size)
  for (const position of await findRows(columns, columns.first, [filter]))
    selected[places[position] as number] = 1
  for (const position of await findRows(columns, columns.base, [filter])) selected[position] = 1
  return selected
}

async function selectByRow(columns: JoinedColumns, filters: Filter[]): Promise<Selection> {
  const { places, partners } = await columns.places(0)
  const selected = new Uint8Array(columns.size)
  for (const position of await findRows(columns, columns.first, filters))
    selected[places[position] as number] = 1
  if (!partners.includes(NOWHERE)) return selected
  for (const position of await findRows(columns, columns.base, filters))
    if (partners[position] === NOWHERE) selected[position] = 1
  return selected
}

const HOLDS: Record<Comparison, (delta: number, operand: number) => boolean> = {
  eq: (delta, operand) => delta === operand,
  ne: (delta, operand) => delta !== operand,
  lt: (delta, operand) => delta < operand,
  lte: (delta, operand) => delta <= operand,
  gt: (delta, operand) => delta > operand,
  gte: (delta, operand) => delta >= operand,
}

async function selectByDelta(columns: JoinedColumns, filter: Filter): Promise<Selection> {
  if (filter.operator === 'is' || filter.operator === 'contains') throw new Error('A delta is compared')
  const holds = HOLDS[filter.operator]
  const operand = numberOf(filter.operand) as number
  const { partners } = await columns.places(0)
  const evaluator = storable(filter.name)
  const changes = await changesOf(columns, columns.first, evaluator)
  const selected = new Uint8Array(columns.size)
  for (const [base, candidate] of partners.entries()) {
    const change = changes(base, candidate)
    if (Number.isFinite(change) && holds(change, operand)) selected[base] = 1
  }
  return selected
}

/** Their positions. An evaluation does not have to have what is named: then none of its rows has it. */
function findRows(
  { connection, sides }: JoinedColumns,
  side: Side,
  filters: Filter[],
): Promise<Float64Array> {
  const { sql, values } = conditionOf(filters, {
    evaluation: side.key,
    columns: {
      score: [...new Set([...side.evaluators, ...evaluatorsOf(sides)])],
      input: [...new Set([...side.about.inputs, ...inputsOf(sides)])],
      expected: [],
    },
    words: connection.sql,
    threshold: (evaluator) => thresholdOf(side.declared, evaluator),
    deltas() {
      throw new Error('Deltas are not looked for in one evaluation')
    },
  })
  return connection.numbers(
    `SELECT row.position FROM measure AS row WHERE row.evaluation = ? AND ${sql}`,
    side.key,
    ...values,
  )
}
