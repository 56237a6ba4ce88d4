// Sort order of the joined rows: the default order of each class, the choices, and their labels.
import { orderLabel as columnOrderLabel, currentOrder } from '../../../table/columns/sort-order.ts'
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
export function defaultOrder({ show, evaluator, higherIsBetter }: SortState): string {
  if (evaluator === undefined || (show !== 'regressed' && show !== 'improved')) return 'position'
  return orderByChange(evaluator, higherIsBetter, show === 'regressed' ? 'worse' : 'better')
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
