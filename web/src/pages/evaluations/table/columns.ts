// The columns of a section: fields of evaluations, and the measures of the section's own evaluators.
import type { Evaluation } from 'assay-client'
import type { Direction } from '../../../format/direction.ts'
import {
  type EvaluationGroup,
  type GroupMeasure,
  isEvaluatorMeasure,
  measuresOf,
} from '../../../groups/groups.ts'
import { UNIT_LABELS } from '../../../results/measures.ts'
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
  /** Whether there is space for a change after each value. */
  hasChanges?: boolean
  /** For columns with values of evaluators, latency or cost. */
  measure?: GroupMeasure
  /** Whether the newest value is worse or better than that of its baseline. */
  outcome?: Direction | undefined
  sortKey: (evaluation: Evaluation) => string | number | undefined
  /** The fields in exported files, besides the measure. */
  exported?: (evaluation: Evaluation) => Record<string, string | number | null>
}

export const NAME: Column = {
  id: 'name',
  title: 'Name',
  widthPx: 264,
  sortKey: ({ name, id }) => (name ?? id).toLowerCase(),
  exported: ({ status, variant_id, source }) => ({ status, variant_id, source }),
}
export const REVISION: Column = {
  id: 'revision',
  title: 'Revision',
  widthPx: 88,
  sortKey: ({ revision }) => revision ?? undefined,
  exported: ({ revision }) => ({ revision }),
}
const TAGS: Column = {
  id: 'tags',
  title: 'Tags',
  widthPx: 136,
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
export const CREATED: Column = {
  id: 'created',
  title: 'Created',
  widthPx: 112,
  isNumeric: true,
  sortKey: ({ created_at }) => created_at,
  exported: ({ created_at }) => ({ created_at }),
}

/** The space of a change, see table.module.css. */
export const CHANGE_PX = 70

const WIDTHS_PX = {
  evaluator: { withChanges: 152, withoutChanges: 128 },
  measurement: { withChanges: 164, withoutChanges: 96 },
}

function measureColumn(measure: GroupMeasure, evaluations: readonly Evaluation[]): Column {
  const hasChanges = evaluations.some(
    (evaluation) => measure.measureIn(evaluation)?.change?.difference !== undefined,
  )
  const { withChanges, withoutChanges } = WIDTHS_PX[isEvaluatorMeasure(measure) ? 'evaluator' : 'measurement']
  return {
    id: measure.id,
    title: measure.name,
    unit: UNIT_LABELS[measure.unit],
    description: DESCRIPTIONS[measure.unit],
    widthPx: hasChanges ? withChanges : withoutChanges,
    isNumeric: true,
    hasChanges,
    measure,
    outcome: evaluations.flatMap((evaluation) => measure.measureIn(evaluation)?.change?.direction ?? [])[0],
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
    ROWS,
    ...measuresOf(evaluations).map((measure) => measureColumn(measure, evaluations)),
    ...(hasTags ? [TAGS] : []),
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
