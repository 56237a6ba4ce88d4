// The columns of the list: all of them, the visible ones, and their sort keys.
import type { Evaluation } from 'assay-client'
import type { Order } from '../search-params.ts'
import {
  type Baselines,
  costStatistic,
  evaluatorStatistic,
  latencyStatistic,
  type Statistic,
} from './statistics.ts'

export interface Column {
  /** The name in the `order` search param. */
  id: string
  title: string
  /** Explains the title. */
  description?: string
  /** Whether no evaluation has a value. */
  isEmpty?: boolean
  /** For columns with statistics. */
  statistic?: (evaluation: Evaluation, baselines: Baselines) => Statistic | undefined
  sortKey: (evaluation: Evaluation) => string | number | undefined
}

const EVALUATOR_PREFIX = 'result.'
/** The number of evaluators that are visible by default. */
const MAX_EVALUATORS = 6
const NO_BASELINES: Baselines = new Map()

const NAME_COLUMN: Column = {
  id: 'name',
  title: 'Name',
  sortKey: ({ name, id }) => (name ?? id).toLowerCase(),
}
const COLUMNS_BEFORE_EVALUATORS: Column[] = [
  {
    id: 'ran',
    title: 'Revision',
    description: 'Variant and revision',
    sortKey: ({ variant_id, revision }) =>
      variant_id === null ? undefined : `${variant_id} ${String(revision ?? 0).padStart(10, '0')}`,
  },
  { id: 'rows', title: 'Rows', sortKey: ({ scenario_count }) => scenario_count },
]
const COLUMNS_AFTER_EVALUATORS: Column[] = [
  {
    id: 'latency',
    title: 'p50 latency',
    description: 'Median per row',
    statistic: latencyStatistic,
    sortKey: (evaluation) => latencyStatistic(evaluation, NO_BASELINES)?.value,
  },
  {
    id: 'cost',
    title: 'Cost',
    description: 'Total; the delta is per row',
    statistic: costStatistic,
    sortKey: (evaluation) => costStatistic(evaluation, NO_BASELINES)?.value,
  },
  { id: 'created', title: 'Created', sortKey: ({ created_at }) => created_at },
]

/** Evaluators with the number of evaluations that have a score of them, the most frequent first. Labels have no score. */
export function evaluatorCounts(evaluations: readonly Evaluation[]): [name: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { scores } of evaluations) {
    for (const { name, mean, pass_rate } of scores?.evaluators ?? []) {
      counts.set(name, (counts.get(name) ?? 0) + (mean === null && pass_rate === null ? 0 : 1))
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a)
}

export function columnsOf(evaluations: readonly Evaluation[]): Column[] {
  return [
    NAME_COLUMN,
    ...COLUMNS_BEFORE_EVALUATORS,
    ...evaluatorCounts(evaluations).map(evaluatorColumn),
    ...COLUMNS_AFTER_EVALUATORS,
  ]
}

function evaluatorColumn([name, count]: [name: string, count: number]): Column {
  return {
    id: EVALUATOR_PREFIX + name,
    title: name,
    description: 'Pass rate, or mean without verdicts',
    isEmpty: count === 0,
    statistic: (evaluation, baselines) => evaluatorStatistic(evaluation, name, baselines),
    sortKey: (evaluation) => evaluatorStatistic(evaluation, name, NO_BASELINES)?.value,
  }
}

/** The preference that stores the visible columns. */
export const COLUMNS_PREFERENCE = 'evaluations.columns'

/** Column id to visibility, for columns that the user has changed. */
export type ColumnChoices = Record<string, boolean>

export function readColumnChoices(text: string | undefined): ColumnChoices {
  try {
    return Object(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

/** By default, the first evaluators with scores and all other columns. The name is always visible. */
export function visibleColumnsOf(columns: readonly Column[], choices: ColumnChoices): Column[] {
  const firstColumns = columns
    .filter((column) => isEvaluatorColumn(column) && !column.isEmpty)
    .slice(0, MAX_EVALUATORS)
  return columns.filter(
    (column) =>
      column === NAME_COLUMN ||
      (choices[column.id] ?? (!isEvaluatorColumn(column) || firstColumns.includes(column))),
  )
}

export function isEvaluatorColumn({ id }: Column): boolean {
  return id.startsWith(EVALUATOR_PREFIX)
}

/** Keeps the order of the API if there is no `order`. Evaluations without a value come last in both directions. */
export function sortEvaluations(
  evaluations: readonly Evaluation[],
  columns: readonly Column[],
  order: Order | undefined,
): readonly Evaluation[] {
  const column = columns.find(({ id }) => id === order?.column)
  if (!order || !column) return evaluations
  const sign = order.isDescending ? -1 : 1
  const keyed = evaluations.map((evaluation) => ({ evaluation, key: column.sortKey(evaluation) }))
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return a === b ? 0 : a < b ? -sign : sign
  })
  return keyed.map(({ evaluation }) => evaluation)
}
