// Selects joined rows by class and filters, in order, and counts the rows of each class.
import type { RowClass } from '../../schema/comparisons.ts'
import type { RowFilter } from '../../schema/filters/filters.ts'
import { BY_POSITION, type Order } from '../../schema/filters/orders.ts'
import type { JoinedColumns } from './joined-columns.ts'
import { selectJoined } from './joined-filters.ts'
import { type JoinedOrder, orderJoined } from './joined-orders.ts'
import { NO_ROW } from './joins.ts'
import { classOf } from './row-classes.ts'
import { isHigherBetter } from './sides.ts'

export interface JoinedRowQuery {
  show: RowClass | 'all'
  /** The evaluator that determines classes; undefined if there is none. */
  on: string | undefined
  filters: RowFilter[]
  /** Default: largest change first for regressed, improved and unclear rows, otherwise row number. */
  order: Order | undefined
}

/** A row of the baseline or of the first candidate. */
export interface RowReference {
  side: 'base' | 'candidate'
  position: number
}

export interface SelectedRows {
  /** The row numbers of the selected rows, in order. */
  rowNumbers: Int32Array
  /** Counts over all rows that match the filters, including classes that are not selected. */
  classes: Record<RowClass, number>
  /** The number of selected rows before the located row. */
  before: number
  /** The index of the located row, or null if it is not selected. */
  located: number | null
}

export async function selectJoinedRows(
  columns: JoinedColumns,
  { show, on, filters, order }: JoinedRowQuery,
  locate?: RowReference,
): Promise<SelectedRows> {
  const { candidatePositions, rowNumbers } = columns.pairIndex(0)
  const { changes } = await columns.changes(0, on)
  const higherIsBetter = isHigherBetter(columns.baseline, columns.first, on)
  const mask = await selectJoined(columns, filters)
  const ordered = await orderJoined(columns, order ?? defaultOrder(show, on))
  const targetRow = locate && (await findRowNumber(columns, rowNumbers, locate))
  const selectedRows = new Int32Array(ordered.length)
  const classes = { regressed: 0, improved: 0, same: 0, unclear: 0, incomparable: 0, missing: 0 }
  let [selectedCount, precedingCount] = [0, 0]
  let locatedIndex: number | null = null
  for (const row of ordered) {
    if (row === targetRow) precedingCount = selectedCount
    if (mask?.[row] === 0) continue
    const isMissing = (candidatePositions[row] ?? NO_ROW) === NO_ROW
    const rowClass = isMissing ? 'missing' : classOf(changes[row] as number, higherIsBetter)
    classes[rowClass] += 1
    if (show !== 'all' && show !== rowClass) continue
    if (row === targetRow) locatedIndex = selectedCount
    selectedRows[selectedCount] = row
    selectedCount += 1
  }
  return {
    rowNumbers: selectedRows.subarray(0, selectedCount),
    classes,
    before: precedingCount,
    located: locatedIndex,
  }
}

/** A repeat is located by the first scenario of its row. */
async function findRowNumber(
  columns: JoinedColumns,
  rowNumbers: Int32Array,
  { side, position }: RowReference,
): Promise<number | undefined> {
  const { firstPositions } = await columns.rows(side === 'base' ? columns.baseline : columns.first)
  const first = firstPositions?.[position] ?? position
  return side === 'base' ? first : rowNumbers[first]
}

function defaultOrder(show: JoinedRowQuery['show'], on: string | undefined): JoinedOrder {
  const isChanged = show === 'regressed' || show === 'improved' || show === 'unclear'
  return isChanged && on !== undefined ? { by: 'change', name: on } : BY_POSITION
}
