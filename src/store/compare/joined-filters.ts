// Filters joined rows. Filters apply to the row of the first candidate, or to the baseline row if there is none; `q`
// searches both.
import { Problem } from '../../errors.ts'
import { toStorableText } from '../../json/storable-text.ts'
import { listNames, type RowFilter } from '../../schema/filters/filters.ts'
import type { Order } from '../../schema/filters/orders.ts'
import { quoteNames } from '../../schema/validation/truncate.ts'
import { findDeltas } from '../query/deltas.ts'
import { buildCondition, type ColumnFilter, isColumnFilter } from '../query/filters.ts'
import { joinConditions } from '../reads/conditions.ts'
import type { JoinedColumns } from './joined-columns.ts'
import { NO_ROW } from './joins.ts'
import { listEvaluators, type Side, type Sides } from './sides.ts'

/** By row number: 1 for rows that match. Unused row numbers can have any value. */
export type RowMask = Uint8Array

/** Throws invalid-request if a filter or the order names an evaluator or input that no evaluation has. */
export function checkFilterNames(sides: Sides, filters: RowFilter[], order: Order | undefined): void {
  for (const { kind, name } of filters.flatMap(listNames)) resolveName(sides, name, kind)
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

/** Undefined if there are no filters. Filters that one statement can apply share a mask. */
export async function selectJoined(
  columns: JoinedColumns,
  filters: RowFilter[],
): Promise<RowMask | undefined> {
  const searches = filters.filter(({ field }) => field === 'q')
  const rowFilters = filters.filter((filter) => isColumnFilter(filter) && !searches.includes(filter))
  const deltaFilters = filters.filter((filter) => !isColumnFilter(filter))
  let mask: RowMask | undefined
  for (const part of [rowFilters, searches, ...deltaFilters.map((filter) => [filter])]) {
    if (part.length === 0) continue
    const { selected } = await columns.cached(`selected ${JSON.stringify(part)}`, async () => ({
      selected: await createMask(columns, part),
    }))
    mask = mask ? selected.map((bit, row) => bit & (mask?.[row] ?? 0)) : selected
  }
  return mask
}

async function createMask(columns: JoinedColumns, filters: RowFilter[]): Promise<RowMask> {
  const mask = new Uint8Array(columns.size)
  const [filter] = filters
  if (filter?.field === 'delta') {
    const { deltas } = await columns.changes(0, toStorableText(filter.name))
    for (const row of findDeltas(deltas, filter)) mask[row] = 1
    return mask
  }
  const { rowNumbers, candidatePositions } = columns.pairIndex(0)
  if (filter?.field === 'flaky') {
    const isFlaky = await columns.flakyRows(columns.first, toStorableText(filter.name))
    for (const [position, row] of rowNumbers.entries())
      if (row >= 0) mask[row] = Number((isFlaky[position] === 1) === (filter.value === 'true'))
    if (!candidatePositions.includes(NO_ROW)) return mask
    const isBaseFlaky = await columns.flakyRows(columns.baseline, toStorableText(filter.name))
    for (const [row, position] of candidatePositions.entries())
      if (position === NO_ROW) mask[row] = Number((isBaseFlaky[row] === 1) === (filter.value === 'true'))
    return mask
  }
  const columnFilters = filters.filter(isColumnFilter)
  const isSearch = filter?.field === 'q'
  for (const position of await findRows(columns, columns.first, columnFilters))
    mask[rowNumbers[position] as number] = 1
  if (!isSearch && !candidatePositions.includes(NO_ROW)) return mask
  for (const position of await findRows(columns, columns.baseline, columnFilters))
    if (isSearch || candidatePositions[position] === NO_ROW) mask[position] = 1
  return mask
}

/** Ordinals that no row has. */
function withoutRows(names: string[]): [string, number][] {
  return names.map((name) => [name, -1])
}

/**
 * The first positions of the rows of one evaluation of which a scenario matches. Names that it lacks match no rows.
 */
async function findRows(columns: JoinedColumns, side: Side, filters: ColumnFilter[]): Promise<Float64Array> {
  const { connection, sides } = columns
  const context = {
    evaluation: side.key,
    ordinals: {
      score: new Map([...withoutRows(listEvaluators(sides)), ...side.ordinals]),
      input: new Map([...withoutRows(listInputs(sides)), ...side.inputOrdinals]),
      expected: new Map(),
    },
    sql: connection.sql,
    declared: side.declared,
  }
  const { sql, values } = joinConditions(filters.map((filter) => buildCondition(filter, context)))
  const positions = await connection.readNumbers(
    `SELECT row.position FROM measure AS row WHERE row.evaluation = ? AND ${sql}`,
    side.key,
    ...values,
  )
  const { firstPositions } = await columns.rows(side)
  return firstPositions ? positions.map((position) => firstPositions[position] as number) : positions
}
