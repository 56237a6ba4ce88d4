// The columns of a section: fields of evaluations, and the measures of the section's own evaluators.
import type { Evaluation } from 'assay-client'
import { UNIT_LABELS } from '../../../results/measures.ts'
import { type EvaluationGroup, type GroupMeasure, isEvaluatorMeasure, measuresOf } from '../groups.ts'
import type { Order } from '../search-params.ts'

export interface Column {
  /** The name in the `order` search param and in exported files. */
  id: string
  title: string
  /** The unit of its numbers, after the title. */
  unit?: string
  /** Explains the title. */
  description?: string
  widthPx: number
  isNumeric?: boolean
  /** For columns with values of evaluators, latency or cost. */
  measure?: GroupMeasure
  sortKey: (evaluation: Evaluation) => string | number | undefined
  /** The fields in exported files, besides the measure. */
  exported?: (evaluation: Evaluation) => Record<string, string | number | null>
}

const NAME: Column = {
  id: 'name',
  title: 'Name',
  widthPx: 240,
  sortKey: ({ name, id }) => (name ?? id).toLowerCase(),
  exported: ({ status, variant_id, source }) => ({ status, variant_id, source }),
}
const REVISION: Column = {
  id: 'revision',
  title: 'Revision',
  widthPx: 72,
  sortKey: ({ revision }) => revision ?? undefined,
  exported: ({ revision }) => ({ revision }),
}
const TAGS: Column = {
  id: 'tags',
  title: 'Tags',
  widthPx: 112,
  sortKey: ({ tags }) => tags[0],
  exported: ({ tags }) => ({ tags: tags.join(', ') }),
}
const ROWS: Column = {
  id: 'rows',
  title: 'Rows',
  widthPx: 64,
  isNumeric: true,
  sortKey: ({ scenario_count }) => scenario_count,
  exported: ({ scenario_count }) => ({ rows: scenario_count }),
}
const CREATED: Column = {
  id: 'created',
  title: 'Created',
  widthPx: 112,
  isNumeric: true,
  sortKey: ({ created_at }) => created_at,
  exported: ({ created_at }) => ({ created_at }),
}

/** A value and its change need more space than a value. */
const MEASURE_WITH_CHANGE_PX = 144
const MEASURE_PX = 104

function measureColumn(measure: GroupMeasure): Column {
  return {
    id: measure.id,
    title: measure.name,
    unit: UNIT_LABELS[measure.unit],
    description: DESCRIPTIONS[measure.unit],
    widthPx: measure.unit === 'seconds' ? MEASURE_PX : MEASURE_WITH_CHANGE_PX,
    isNumeric: true,
    measure,
    sortKey: (evaluation) => measure.measureIn(evaluation)?.value,
  }
}

const DESCRIPTIONS = {
  percent: 'pass rate',
  score: 'mean score',
  seconds: 'median per row',
  dollars: 'total of a run, and the change per row',
}

/** Columns that no evaluation of the group has a value for are omitted. */
export function columnsOf({
  evaluations,
  variantId,
}: Pick<EvaluationGroup, 'evaluations' | 'variantId'>): Column[] {
  const hasRevisions = variantId !== null && evaluations.some(({ revision }) => revision !== null)
  const hasTags = evaluations.some(({ tags }) => tags.length > 0)
  return [
    NAME,
    ...(hasRevisions ? [REVISION] : []),
    ...(hasTags ? [TAGS] : []),
    ROWS,
    ...measuresOf(evaluations).map(measureColumn),
    CREATED,
  ]
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

const SELECT_PX = 32
/** Both margins of the page. */
const MARGINS_PX = 48
/** Narrower pages show the name and the first evaluator. */
const NARROW_PX = 720

/** The chosen columns, and the most important others that fit. The name is always visible. */
export function visibleColumnsOf(
  columns: readonly Column[],
  choices: ColumnChoices,
  widthPx: number,
): Column[] {
  const important = byImportance(columns).filter(({ id }) => choices[id] !== false)
  const isVisible = ({ id }: Column) => id === 'name' || choices[id] === true
  if (widthPx < NARROW_PX) {
    const shown = important.find((column) => column.measure)
    return columns.filter((column) => column.id === 'name' || column === shown)
  }
  const visible = new Set(columns.filter(isVisible))
  let usedPx = minWidthOf([...visible])
  for (const column of important) {
    if (visible.has(column)) continue
    if (usedPx + column.widthPx > widthPx) break
    usedPx += column.widthPx
    visible.add(column)
  }
  return columns.filter((column) => visible.has(column))
}

function minWidthOf(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + column.widthPx, SELECT_PX + MARGINS_PX)
}

/** The tracks of the CSS grid, and its minimum width. Only the name grows. */
export function columnTracks(columns: readonly Column[], widthPx: number) {
  const isNarrow = widthPx < NARROW_PX
  const tracks = columns.map((column) => {
    if (column.id !== 'name') return `${column.widthPx}px`
    return isNarrow ? 'minmax(0, 1fr)' : `minmax(${column.widthPx}px, 1fr)`
  })
  if (isNarrow) return { tracks: tracks.join(' '), minWidthPx: 0 }
  return { tracks: `${SELECT_PX}px ${tracks.join(' ')}`, minWidthPx: minWidthOf(columns) }
}

/** Two evaluators come before the other columns, the rest after them. */
function byImportance(columns: readonly Column[]): Column[] {
  const evaluators = columns.filter(isEvaluatorMeasure)
  const order = ['revision', 'cost', 'created', 'latency', 'rows']
  const fields = order.flatMap((id) => columns.find((column) => column.id === id) ?? [])
  const [firstEvaluator, secondEvaluator, ...otherEvaluators] = evaluators
  const first = [firstEvaluator, secondEvaluator].flatMap((column) => column ?? [])
  return [...first, ...fields, ...otherEvaluators, ...columns.filter(({ id }) => id === 'tags')]
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
