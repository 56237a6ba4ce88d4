// What the list does with its columns: visibility, widths and order.
import type { Evaluation } from 'assay-client'
import { type Column, isEvaluatorColumn } from './columns.tsx'
import type { Baselines } from './statistics.ts'

/** The number of evaluators that are visible by default. */
const MAX_EVALUATORS = 6
const NO_BASELINES: Baselines = new Map()

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
      column.id === 'name' ||
      (choices[column.id] ?? (!isEvaluatorColumn(column) || firstColumns.includes(column))),
  )
}

const SELECT_PX = 36
const STATISTIC_WIDTH = [92, 1] as const
const STATISTIC_WITH_DELTA_WIDTH = [128, 1] as const

/** The ids of columns with a delta in any row. All their rows reserve the space, so that values are aligned. */
export function columnsWithDelta(
  columns: readonly Column[],
  rows: readonly Evaluation[],
  baselines: Baselines,
): ReadonlySet<string> {
  const comparedColumns = columns.filter(({ statistic }) =>
    rows.some((evaluation) => statistic?.(evaluation, baselines)?.delta !== undefined),
  )
  return new Set(comparedColumns.map(({ id }) => id))
}

/** The tracks of the CSS grid, and its minimum width. */
export function columnWidths(columns: readonly Column[], deltaColumns: ReadonlySet<string>) {
  const widths = columns.map(
    ({ id, width }) => width ?? (deltaColumns.has(id) ? STATISTIC_WITH_DELTA_WIDTH : STATISTIC_WIDTH),
  )
  return {
    tracks: `${SELECT_PX}px ${widths.map(([minPx, share]) => `minmax(${minPx}px, ${share}fr)`).join(' ')}`,
    minWidthPx: widths.reduce((sum, [minPx]) => sum + minPx, SELECT_PX),
  }
}

export interface Order {
  column: string
  isDescending: boolean
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
  const keyed = evaluations.map((evaluation) => ({
    evaluation,
    key: column.sortKey ? column.sortKey(evaluation) : column.statistic?.(evaluation, NO_BASELINES)?.value,
  }))
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return a === b ? 0 : a < b ? -sign : sign
  })
  return keyed.map(({ evaluation }) => evaluation)
}
