// Filters joined rows. Filters apply to the row of the first candidate, or to the baseline row if there is none; `q`
// searches both.
import { Problem } from '../../errors.ts'
import { toStorableText } from '../../json/storable-text.ts'
import type { Comparison } from '../../schema/filters/operators.ts'
import { FIELDS, type Filter, numberOf, type Order } from '../../schema/filters/row-filters.ts'
import { quoteNames } from '../../schema/validation/truncate.ts'
import { buildCondition } from '../query/filters.ts'
import { findThreshold } from '../query/views.ts'
import { type JoinedColumns, NO_ROW } from './joined-columns.ts'
import { createDeltaLookup } from './row-classes.ts'
import { listEvaluators, type Side, type Sides } from './sides.ts'

/** By row number: 1 for rows that match. Unused row numbers can have any value. */
export type RowMask = Uint8Array

/** Throws invalid-request if a filter or the order names an evaluator or input that no evaluation has. */
export function checkFilterNames(sides: Sides, filters: Filter[], order: Order | undefined): void {
  for (const { field, name } of filters) {
    const kind = FIELDS[field].names
    if (kind) resolveName(sides, name, kind)
  }
  if (order?.by === 'result' || order?.by === 'delta') resolveName(sides, order.name, 'evaluator')
}

/** Returns the name as it is stored. Throws invalid-request if no evaluation has it. */
export function resolveName(sides: Sides, requested: string, kind: 'evaluator' | 'input'): string {
  const names = kind === 'input' ? listInputs(sides) : listEvaluators(sides)
  const name = toStorableText(requested)
  if (names.includes(name)) return name
  const hint = names.length === 0 ? 'They have none' : `They have ${quoteNames(names)}`
  throw new Problem('invalid-request', `None of the evaluations has an ${kind} '${requested}'. ${hint}.`)
}

function listInputs(sides: Sides): string[] {
  return [...new Set(sides.flatMap(({ info }) => info.inputs))]
}

/** Undefined if there are no filters. */
export async function selectJoined(columns: JoinedColumns, filters: Filter[]): Promise<RowMask | undefined> {
  const isRowFilter = ({ field }: Filter) => field !== 'q' && field !== 'delta'
  const parts = [
    filters.filter(isRowFilter),
    ...filters.filter((filter) => !isRowFilter(filter)).map((filter) => [filter]),
  ]
  let mask: RowMask | undefined
  for (const part of parts) {
    if (part.length === 0) continue
    const { selected } = await columns.cached(`selected ${JSON.stringify(part)}`, async () => ({
      selected: await createMask(columns, part),
    }))
    mask = mask ? selected.map((bit, row) => bit & (mask?.[row] ?? 0)) : selected
  }
  return mask
}

async function createMask(columns: JoinedColumns, filters: Filter[]): Promise<RowMask> {
  const [filter] = filters
  if (filter?.field === 'q') return maskByText(columns, filter)
  return filter?.field === 'delta' ? maskByDelta(columns, filter) : maskByRow(columns, filters)
}

async function maskByText(columns: JoinedColumns, filter: Filter): Promise<RowMask> {
  const { rowNumbers } = await columns.pairIndex(0)
  const mask = new Uint8Array(columns.size)
  for (const position of await findRows(columns, columns.first, [filter]))
    mask[rowNumbers[position] as number] = 1
  for (const position of await findRows(columns, columns.baseline, [filter])) mask[position] = 1
  return mask
}

async function maskByRow(columns: JoinedColumns, filters: Filter[]): Promise<RowMask> {
  const { rowNumbers, candidatePositions } = await columns.pairIndex(0)
  const mask = new Uint8Array(columns.size)
  for (const position of await findRows(columns, columns.first, filters))
    mask[rowNumbers[position] as number] = 1
  if (!candidatePositions.includes(NO_ROW)) return mask
  for (const position of await findRows(columns, columns.baseline, filters))
    if (candidatePositions[position] === NO_ROW) mask[position] = 1
  return mask
}

const COMPARATORS: Record<Comparison, (delta: number, operand: number) => boolean> = {
  eq: (delta, operand) => delta === operand,
  ne: (delta, operand) => delta !== operand,
  lt: (delta, operand) => delta < operand,
  lte: (delta, operand) => delta <= operand,
  gt: (delta, operand) => delta > operand,
  gte: (delta, operand) => delta >= operand,
}

async function maskByDelta(columns: JoinedColumns, filter: Filter): Promise<RowMask> {
  if (filter.operator === 'is' || filter.operator === 'contains')
    throw new Error('A delta filter needs a comparison operator')
  const compare = COMPARATORS[filter.operator]
  const operand = numberOf(filter.operand) as number
  const { candidatePositions } = await columns.pairIndex(0)
  const evaluator = toStorableText(filter.name)
  const deltaOf = await createDeltaLookup(columns, columns.first, evaluator)
  const mask = new Uint8Array(columns.size)
  for (const [baseline, candidate] of candidatePositions.entries()) {
    const delta = deltaOf(baseline, candidate)
    if (Number.isFinite(delta) && compare(delta, operand)) mask[baseline] = 1
  }
  return mask
}

/** The positions of the rows of one evaluation that match. Names that it lacks match no rows. */
function findRows(
  { connection, sides }: JoinedColumns,
  side: Side,
  filters: Filter[],
): Promise<Float64Array> {
  const { sql, values } = buildCondition(filters, {
    evaluation: side.key,
    columns: {
      score: [...new Set([...side.evaluators, ...listEvaluators(sides)])],
      input: [...new Set([...side.info.inputs, ...listInputs(sides)])],
      expected: [],
    },
    sql: connection.sql,
    threshold: (evaluator) => findThreshold(side.declared, evaluator),
    deltas() {
      throw new Error('Delta filters need two evaluations')
    },
  })
  return connection.readNumbers(
    `SELECT row.position FROM measure AS row WHERE row.evaluation = ? AND ${sql}`,
    side.key,
    ...values,
  )
}
