// Sort order of the joined rows: the default order of each class, the choices, and their labels.
import { orderLabel as columnOrderLabel } from '../../../table/columns/sort-order.ts'
import type { RowQuery } from '../queries.ts'

/** The order, and the class and evaluator that its default depends on. */
export interface SortState extends Pick<RowQuery, 'show' | 'order'> {
  evaluator: string | undefined
  higherIsBetter: boolean
}

/** Largest regressions first, or largest improvements first. */
function orderByChange(evaluator: string, higherIsBetter: boolean, firstChange: 'worse' | 'better'): string {
  return `delta.${evaluator}.${higherIsBetter === (firstChange === 'worse') ? 'asc' : 'desc'}`
}

/** The order of a class without an `order` param: the largest change first, or the order of the baseline. */
function defaultOrder({ show, evaluator, higherIsBetter }: SortState): string {
  if (evaluator === undefined || (show !== 'regressed' && show !== 'improved')) return 'position'
  return orderByChange(evaluator, higherIsBetter, show === 'regressed' ? 'worse' : 'better')
}

/** The order that rows actually have. */
export function orderOf(sortState: SortState): string {
  const { order } = sortState
  if (order === 'position.asc') return 'position'
  return order ?? defaultOrder(sortState)
}

/** The value of the `order` param; undefined for the default order. */
export function orderParam(sortState: SortState, order: string): string | undefined {
  return order === defaultOrder(sortState) ? undefined : order
}

/** Sort direction of the first candidate's change column. */
export function changeSort(sortState: SortState): 'ascending' | 'descending' | 'none' {
  const order = orderOf(sortState)
  if (order === `delta.${sortState.evaluator}.asc`) return 'ascending'
  return order === `delta.${sortState.evaluator}.desc` ? 'descending' : 'none'
}

/** Cycles through ascending, descending and the order of the baseline. */
export function nextOrder(sortState: SortState): string {
  const sort = changeSort(sortState)
  if (sort === 'descending') return 'position'
  return `delta.${sortState.evaluator}.${sort === 'none' ? 'asc' : 'desc'}`
}

interface OrderChoice {
  order: string
  label: string
}

/** All orders that can be selected, and the current one if it is not among them. */
export function orderChoices(sortState: SortState, [baseline, candidate]: [string, string]): OrderChoice[] {
  const { show, evaluator, higherIsBetter } = sortState
  const changes: OrderChoice[] = []
  if (evaluator !== undefined && show === 'all') {
    changes.push(
      { order: orderByChange(evaluator, higherIsBetter, 'worse'), label: 'Largest regression first' },
      { order: orderByChange(evaluator, higherIsBetter, 'better'), label: 'Largest improvement first' },
    )
  } else if (evaluator !== undefined && (show === 'regressed' || show === 'improved')) {
    const [largest, smallest] =
      show === 'regressed' ? (['worse', 'better'] as const) : (['better', 'worse'] as const)
    changes.push(
      { order: orderByChange(evaluator, higherIsBetter, largest), label: 'Largest change first' },
      { order: orderByChange(evaluator, higherIsBetter, smallest), label: 'Smallest change first' },
    )
  }
  const choices = [
    ...changes,
    { order: 'position', label: `Order of ${baseline}` },
    { order: 'latency.desc', label: `Slowest in ${candidate} first` },
    { order: 'cost.desc', label: `Most expensive in ${candidate} first` },
  ]
  const order = orderOf(sortState)
  if (choices.some((choice) => choice.order === order)) return choices
  return [...choices, { order, label: columnOrderLabel(order) ?? order }]
}

/** "sorted by change, largest first". */
export function orderLabel(sortState: SortState): string | undefined {
  const order = orderOf(sortState)
  const isDefault = order === defaultOrder(sortState)
  return isDefault && order !== 'position' ? 'sorted by change, largest first' : columnOrderLabel(order)
}
