// The columns of the list: which there are, which are shown, and what rows are sorted by in each.
import type { Evaluation } from 'assay-client'
import { type Baselines, costFigure, evaluatorFigure, type Figure, latencyFigure } from './figures.ts'
import type { Order } from './view.ts'

export interface Column {
  /** As `order` in the address names it. */
  id: string
  title: string
  /** What it is about, where the title is short. */
  about?: string
  /** Nothing stands in it. */
  isBlank?: boolean
  /** Of columns of figures. */
  figure?: (evaluation: Evaluation, baselines: Baselines) => Figure | undefined
  sortKey: (evaluation: Evaluation) => string | number | undefined
}

const RESULT = 'result.'
/** Evaluators differ between evaluations, and a screen has room for so many. */
const MOST_EVALUATORS = 6
const NO_BASELINES: Baselines = new Map()

const NAME: Column = { id: 'name', title: 'Name', sortKey: ({ name, id }) => (name ?? id).toLowerCase() }
const BEFORE: Column[] = [
  {
    id: 'ran',
    title: 'Ran',
    about: 'The variant and the revision of it that ran',
    sortKey: ({ variant_id, revision }) =>
      variant_id === null ? undefined : `${variant_id} ${String(revision ?? 0).padStart(10, '0')}`,
  },
  { id: 'rows', title: 'Rows', sortKey: ({ scenario_count }) => scenario_count },
]
const BEHIND: Column[] = [
  {
    id: 'latency',
    title: 'p50 latency',
    about: 'Half of the rows took less',
    figure: latencyFigure,
    sortKey: (evaluation) => latencyFigure(evaluation, NO_BASELINES)?.value,
  },
  {
    id: 'cost',
    title: 'Cost',
    about: 'Of all rows together; compared by the row',
    figure: costFigure,
    sortKey: (evaluation) => costFigure(evaluation, NO_BASELINES)?.value,
  },
  { id: 'created', title: 'Created', sortKey: ({ created_at }) => created_at },
]

/** Evaluators and how many evaluations have a figure of them, the most first; labels have none. */
export function evaluatorCounts(evaluations: readonly Evaluation[]): [name: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { scores } of evaluations) {
    for (const { name, mean, pass_rate } of scores?.evaluators ?? []) {
      counts.set(name, (counts.get(name) ?? 0) + (mean === null && pass_rate === null ? 0 : 1))
    }
  }
  return [...counts].sort(([, one], [, other]) => other - one)
}

export function columnsOf(evaluations: readonly Evaluation[]): Column[] {
  return [NAME, ...BEFORE, ...evaluatorCounts(evaluations).map(evaluatorColumn), ...BEHIND]
}

function evaluatorColumn([name, count]: [name: string, count: number]): Column {
  return {
    id: RESULT + name,
    title: name,
    about: `Pass rate of ${name}, or its mean where it has no verdicts`,
    isBlank: count === 0,
    figure: (evaluation, baselines) => evaluatorFigure(evaluation, name, baselines),
    sortKey: (evaluation) => evaluatorFigure(evaluation, name, NO_BASELINES)?.value,
  }
}

/** Where this browser keeps which columns are shown. */
export const CHOICES = 'evaluations.columns'

/** Column ids to whether they are shown, where somebody chose. */
export type Choices = Record<string, boolean>

export function readChoices(text: string | undefined): Choices {
  try {
    return Object(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

/** Without a choice: the first evaluators that have figures, and everything else. The name is always there. */
export function shownColumns(columns: readonly Column[], choices: Choices): Column[] {
  const first = columns.filter((column) => isEvaluator(column) && !column.isBlank).slice(0, MOST_EVALUATORS)
  return columns.filter(
    (column) => column === NAME || (choices[column.id] ?? (!isEvaluator(column) || first.includes(column))),
  )
}

export function isEvaluator({ id }: Column): boolean {
  return id.startsWith(RESULT)
}

/** Without an order as they came. Rows that have nothing to sort by come last, whichever the direction. */
export function sorted(
  evaluations: readonly Evaluation[],
  columns: readonly Column[],
  order: Order | undefined,
): readonly Evaluation[] {
  const column = columns.find(({ id }) => id === order?.column)
  if (!order || !column) return evaluations
  const sign = order.isDescending ? -1 : 1
  const keyed = evaluations.map((evaluation) => ({ evaluation, key: column.sortKey(evaluation) }))
  keyed.sort(({ key: one }, { key: other }) => {
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined)
    return one === other ? 0 : one < other ? -sign : sign
  })
  return keyed.map(({ evaluation }) => evaluation)
}
