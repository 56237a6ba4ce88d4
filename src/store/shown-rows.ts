// Which joined rows are shown, in what order, and how many rows there are of each class.
import type { RowClass } from '../schema/comparisons.ts'
import { BY_POSITION, type Filter, type Order } from '../schema/filters.ts'
import { type JoinedColumns, NOWHERE } from './joined-columns.ts'
import { selectJoined } from './joined-filters.ts'
import { type JoinedOrder, orderJoined } from './joined-orders.ts'
import { changesOf, classesOf } from './row-changes.ts'

export interface RowsQuestion {
  show: RowClass | 'all'
  /** The evaluator that classes are about; undefined where there is none. */
  on: string | undefined
  filters: Filter[]
  /** Undefined for the largest change first where rows changed, else their places. */
  order: Order | undefined
}

/** A row of the base or of the first candidate. */
export interface Sought {
  side: 'base' | 'candidate'
  position: number
}

export interface ShownRows {
  /** The places of all of them, in order. */
  places: Int32Array
  /** Of all rows that the filters leave, whether or not their class is shown. */
  classes: Record<RowClass, number>
  /** Of the row that is sought: how many come before it, and the same again where it is one of them. */
  before: number
  located: number | null
}

export async function findShownRows(
  columns: JoinedColumns,
  { show, on, filters, order }: RowsQuestion,
  sought?: Sought,
): Promise<ShownRows> {
  const { partners, places } = await columns.places(0)
  const changes = await changesOf(columns, columns.first, on)
  const classAt = classesOf(columns.base, columns.first, on)
  const selected = await selectJoined(columns, filters)
  const ordered = await orderJoined(columns, order ?? orderOf(show, on))
  const wanted = sought?.side === 'candidate' ? places[sought.position] : sought?.position
  const shown = new Int32Array(ordered.length)
  const classes = { regressed: 0, improved: 0, same: 0, incomparable: 0, missing: 0 }
  let [total, before] = [0, 0]
  let located: number | null = null
  for (const place of ordered) {
    if (place === wanted) before = total
    if (selected?.[place] === 0) continue
    const partner = partners[place] ?? NOWHERE
    const is = partner === NOWHERE ? 'missing' : classAt(changes(place, partner))
    classes[is] += 1
    if (show !== 'all' && show !== is) continue
    if (place === wanted) located = total
    shown[total] = place
    total += 1
  }
  return { places: shown.subarray(0, total), classes, before, located }
}

function orderOf(show: RowsQuestion['show'], on: string | undefined): JoinedOrder {
  const isChanged = show === 'regressed' || show === 'improved'
  return isChanged && on !== undefined ? { by: 'change', name: on } : BY_POSITION
}
