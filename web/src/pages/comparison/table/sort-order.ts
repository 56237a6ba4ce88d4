// Sort order of the joined rows: the default order of each class, the choices, and their labels.
import { orderLabel as columnOrderLabel, currentOrder } from '../../../table/columns/sort-order.ts'
import type { RowQuery } from '../queries.ts'
import type { ClassFilter } from '../search-params.ts'

/** The order, and the class and evaluator that its default depends on. */
interface SortState extends Pick<RowQuery, 'show' | 'order'> {
  evaluator: string | undefined
  higherIsBetter: boolean
}

/** Orders by change, the default of the class first: which change is on top, and the label of the order. */
const CHANGE_ORDERS: { [show in ClassFilter]?: [top: 'worse' | 'better', label: string][] } = {
  regressed: [
    ['worse', 'Largest change first'],
    ['better', 'Smallest change first'],
  ],
  improved: [
    ['better', 'Largest change first'],
    ['worse', 'Smallest change first'],
  ],
  all: [
    ['worse', 'Largest regression first'],
    ['better', 'Largest improvement first'],
  ],
}

interface OrderChoice {
  order: string
  label: string
}

function changeOrders({ show, evaluator, higherIsBetter }: SortState): OrderChoice[] {
  if (evaluator === undefined) return []
  return (CHANGE_ORDERS[show] ?? []).map(([top, label]) => ({
    order: `delta.${evaluator}.${higherIsBetter === (top === 'worse') ? 'asc' : 'desc'}`,
    label,
  }))
}

/** The order of a class without an `order` param: the largest change first, or the order of the baseline. */
export function defaultOrder(sortState: SortState): string {
  return (sortState.show !== 'all' && changeOrders(sortState)[0]?.order) || 'position'
}

/** All orders that can be selected, and the current one if it is not among them. */
export function orderChoices(sortState: SortState, [baseline, candidate]: [string, string]): OrderChoice[] {
  const choices = [
    ...changeOrders(sortState),
    { order: 'position', label: `Order of ${baseline}` },
    { order: 'latency.desc', label: `Slowest in ${candidate} first` },
    { order: 'cost.desc', label: `Most expensive in ${candidate} first` },
  ]
  const order = currentOrder(sortState.order, defaultOrder(sortState))
  if (choices.some((choice) => choice.order === order)) return choices
  return [...choices, { order, label: columnOrderLabel(order) ?? order }]
}

/** "sorted by change, largest first". */
export function orderLabel(sortState: SortState): string | undefined {
  const order = currentOrder(sortState.order, defaultOrder(sortState))
  const isDefault = order === defaultOrder(sortState)
  return isDefault && order !== 'position' ? 'sorted by change, largest first' : columnOrderLabel(order)
}
