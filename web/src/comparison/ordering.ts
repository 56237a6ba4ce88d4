// The order of joined rows: what the API does where none is said, what there is to choose, and how it is put in words.
import { orderWords as plainWords } from '../evaluation/ordering.ts'
import type { RowQuestion } from './questions.ts'

/** What an order is about. */
export interface Ordered extends Pick<RowQuestion, 'show' | 'order'> {
  on: string | undefined
  higherIsBetter: boolean
}

/** Changes for the worse first, or those for the better. */
function byChange(on: string, higherIsBetter: boolean, first: 'worse' | 'better'): string {
  return `delta.${on}.${higherIsBetter === (first === 'worse') ? 'asc' : 'desc'}`
}

/** The order of a class where none is said: the largest change first, or as the base has them. */
function ownOrder({ show, on, higherIsBetter }: Ordered): string {
  if (on === undefined || (show !== 'regressed' && show !== 'improved')) return 'position'
  return byChange(on, higherIsBetter, show === 'regressed' ? 'worse' : 'better')
}

/** The order that rows are in. */
export function orderOf(ordered: Ordered): string {
  const { order } = ordered
  if (order === 'position.asc') return 'position'
  return order ?? ownOrder(ordered)
}

/** The word of the address for an order: none, where the class has it anyway. */
export function orderWord(ordered: Ordered, order: string): string | undefined {
  return order === ownOrder(ordered) ? undefined : order
}

/** How the changes of the first candidate are sorted. */
export function changeSort(ordered: Ordered): 'ascending' | 'descending' | 'none' {
  const order = orderOf(ordered)
  if (order === `delta.${ordered.on}.asc`) return 'ascending'
  return order === `delta.${ordered.on}.desc` ? 'descending' : 'none'
}

/** Up, down, and as the base has them. */
export function nextOrder(ordered: Ordered): string {
  const sort = changeSort(ordered)
  if (sort === 'descending') return 'position'
  return `delta.${ordered.on}.${sort === 'none' ? 'asc' : 'desc'}`
}

interface OrderChoice {
  order: string
  words: string
}

/** All that the view can be sorted by, and the order it has. */
export function orderChoices(ordered: Ordered, [base, candidate]: [string, string]): OrderChoice[] {
  const { show, on, higherIsBetter } = ordered
  const changes: OrderChoice[] = []
  if (on !== undefined && show === 'all') {
    changes.push(
      { order: byChange(on, higherIsBetter, 'worse'), words: 'Worst change first' },
      { order: byChange(on, higherIsBetter, 'better'), words: 'Best change first' },
    )
  } else if (on !== undefined && (show === 'regressed' || show === 'improved')) {
    const [large, small] =
      show === 'regressed' ? (['worse', 'better'] as const) : (['better', 'worse'] as const)
    changes.push(
      { order: byChange(on, higherIsBetter, large), words: 'Largest change first' },
      { order: byChange(on, higherIsBetter, small), words: 'Smallest change first' },
    )
  }
  const choices = [
    ...changes,
    { order: 'position', words: `As in ${base}` },
    { order: 'latency.desc', words: `Slowest in ${candidate} first` },
    { order: 'cost.desc', words: `Dearest in ${candidate} first` },
  ]
  const order = orderOf(ordered)
  if (choices.some((one) => one.order === order)) return choices
  return [...choices, { order, words: plainWords(order) ?? order }]
}

/** "sorted by change, largest first". */
export function orderWords(ordered: Ordered): string | undefined {
  const order = orderOf(ordered)
  const isOwn = order === ownOrder(ordered)
  return isOwn && order !== 'position' ? 'sorted by change, largest first' : plainWords(order)
}
