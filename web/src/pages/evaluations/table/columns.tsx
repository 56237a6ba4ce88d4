// The columns of the list. A row of the table below declares everything about a column: title, width, cell, sort key,
// exported fields, and the API filters that the toolbar offers for it.

import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { Fragment, type ReactNode } from 'react'
import type { EVALUATION_FILTERS } from '../../../../../src/schema/filters/fields.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { EvaluationStatus } from '../../../navigation/evaluation-link.tsx'
import { RevisionLink } from '../../../navigation/revision-link.tsx'
import { Delta } from '../../../ui/delta.tsx'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import {
  type Baselines,
  costStatistic,
  errorCount,
  evaluatorStatistic,
  FORMATS,
  latencyStatistic,
  type Statistic,
} from './statistics.ts'
import styles from './table.module.css'

type ExportedFields = Record<string, string | number | null>

/** A filter of the API by a field of evaluations. */
export interface ListFilter {
  /** The name of the field, the search param and the API parameter. */
  param: keyof typeof EVALUATION_FILTERS
  noun: string
  /** `contains` is a search field, the others are a menu of options. */
  operator: 'contains' | 'eq' | 'has'
  /** Matches valid values. All are valid by default. */
  pattern?: RegExp
  /** Formats a value for labels. */
  format?: (value: string) => string
  /** Another filter without which this one is hidden. It is removed together with that one. */
  dependsOn?: keyof typeof EVALUATION_FILTERS
}

export interface Column {
  /** The name in the `order` search param. */
  id: string
  title: string
  /** Explains the title. */
  description?: string
  /** The minimum width in pixels, and the share of the remaining width. By default that of a statistic. */
  width?: readonly [minPx: number, share: number]
  /** The class of its cells and its header. */
  className?: 'name' | 'cell' | 'numbers'
  /** The content of a cell. By default the statistic. */
  cell?: (evaluation: Evaluation, isBaseline: boolean) => ReactNode
  /** For columns with statistics, which are also sort keys. */
  statistic?: (evaluation: Evaluation, baselines: Baselines) => Statistic | undefined
  sortKey?: (evaluation: Evaluation) => string | number | undefined
  /** The fields in exported files, besides the statistic. */
  exported?: (evaluation: Evaluation) => ExportedFields
  filters?: readonly ListFilter[]
  /** Whether no evaluation has a value. */
  isEmpty?: boolean
}

const COLUMNS_BEFORE_EVALUATORS = [
  {
    id: 'name',
    title: 'Name',
    width: [260, 4],
    className: 'name',
    cell: (evaluation, isBaseline) => <Name evaluation={evaluation} isBaseline={isBaseline} />,
    sortKey: ({ name, id }) => (name ?? id).toLowerCase(),
    exported: ({ status }) => ({ status }),
    filters: [
      { param: 'name', noun: 'name', operator: 'contains', format: (name) => `“${name}”` },
      { param: 'status', noun: 'status', operator: 'eq', pattern: /^(?:running|finished|failed)$/ },
    ],
  },
  {
    id: 'ran',
    title: 'Revision',
    description: 'Variant and revision',
    width: [132, 1],
    className: 'cell',
    cell: (evaluation) => <Revision evaluation={evaluation} />,
    sortKey: ({ variant_id, revision }) =>
      variant_id === null ? undefined : `${variant_id} ${String(revision ?? 0).padStart(10, '0')}`,
    exported: ({ variant_id, revision }) => ({ variant_id, revision }),
    filters: [
      { param: 'variant_id', noun: 'variant', operator: 'eq' },
      {
        param: 'revision',
        noun: 'revision',
        operator: 'eq',
        pattern: /^\d+$/,
        format: (revision) => `r${revision}`,
        // Revision numbers are per variant.
        dependsOn: 'variant_id',
      },
    ],
  },
  {
    id: 'tags',
    title: 'Tags',
    width: [88, 1],
    className: 'cell',
    cell: ({ tags }) => <Tags tags={tags} />,
    sortKey: ({ tags }) => tags[0],
    exported: ({ tags }) => ({ tags: tags.join(', ') }),
    filters: [{ param: 'tags', noun: 'tag', operator: 'has' }],
  },
  {
    id: 'rows',
    title: 'Rows',
    width: [64, 0.5],
    className: 'numbers',
    cell: ({ scenario_count }) => formatCount(scenario_count),
    sortKey: ({ scenario_count }) => scenario_count,
    exported: ({ scenario_count }) => ({ rows: scenario_count }),
  },
] as const satisfies Column[]

const COLUMNS_AFTER_EVALUATORS = [
  {
    id: 'latency',
    title: 'p50 latency',
    description: 'Median per row',
    width: [88, 1],
    statistic: latencyStatistic,
  },
  {
    id: 'cost',
    title: 'Cost',
    description: 'Total; the delta is per row',
    width: [88, 1],
    statistic: costStatistic,
  },
  {
    id: 'created',
    title: 'Created',
    width: [112, 0.5],
    className: 'cell',
    cell: ({ created_at }) => <TimeAgo time={created_at} />,
    sortKey: ({ created_at }) => created_at,
    exported: ({ created_at }) => ({ created_at }),
  },
] as const satisfies Column[]

type FieldColumn = (typeof COLUMNS_BEFORE_EVALUATORS | typeof COLUMNS_AFTER_EVALUATORS)[number]
export type FilterParam = Extract<FieldColumn, { filters: object }>['filters'][number]['param']

export const LIST_FILTERS = [...COLUMNS_BEFORE_EVALUATORS, ...COLUMNS_AFTER_EVALUATORS].flatMap(
  (column): readonly ListFilter[] => ('filters' in column ? column.filters : []),
) as (ListFilter & { param: FilterParam; dependsOn?: FilterParam })[]

const EVALUATOR_PREFIX = 'result.'

function evaluatorColumn([name, count]: [name: string, count: number]): Column {
  return {
    id: EVALUATOR_PREFIX + name,
    title: name,
    description: 'Pass rate, or mean without verdicts',
    isEmpty: count === 0,
    statistic: (evaluation, baselines) => evaluatorStatistic(evaluation, name, baselines),
  }
}

export function isEvaluatorColumn({ id }: Column): boolean {
  return id.startsWith(EVALUATOR_PREFIX)
}

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
  const hasTags = evaluations.some(({ tags }) => tags.length > 0)
  return [
    ...COLUMNS_BEFORE_EVALUATORS.filter(({ id }) => id !== 'tags' || hasTags),
    ...evaluatorCounts(evaluations).map(evaluatorColumn),
    ...COLUMNS_AFTER_EVALUATORS,
  ]
}

export interface CellProps {
  column: Column
  evaluation: Evaluation
  baselines: Baselines
  isBaseline: boolean
  /** Whether the column reserves space for a delta. */
  hasDelta: boolean
}

export function Cell({ column, evaluation, baselines, isBaseline, hasDelta }: CellProps) {
  const { className = 'statistic', cell, statistic } = column
  const Tag = className === 'name' ? 'th' : 'td'
  return (
    <Tag scope={className === 'name' ? 'row' : undefined} className={styles[className]}>
      {cell
        ? cell(evaluation, isBaseline)
        : statistic && <StatisticValue statistic={statistic(evaluation, baselines)} hasDelta={hasDelta} />}
    </Tag>
  )
}

function StatisticValue({ statistic, hasDelta }: { statistic: Statistic | undefined; hasDelta: boolean }) {
  const [format, formatDelta] = FORMATS[statistic?.unit ?? 'score']
  // Scores matter most. Latency and cost show only an arrow.
  const isBrief = statistic?.unit === 'seconds' || statistic?.unit === 'dollars'
  return (
    <>
      {statistic ? format(statistic.value) : <span className="muted">–</span>}
      {hasDelta && (
        <span className={isBrief ? styles.deltaArrow : styles.delta}>
          {statistic?.delta !== undefined && (
            <Delta
              difference={statistic.delta}
              higherIsBetter={statistic.higherIsBetter}
              format={formatDelta}
              isTriangleOnly={isBrief}
            />
          )}
        </span>
      )}
    </>
  )
}

function Name({ evaluation, isBaseline }: { evaluation: Evaluation; isBaseline: boolean }) {
  const { id, name } = evaluation
  const errors = errorCount(evaluation)
  return (
    <>
      {isBaseline && (
        <span aria-hidden="true" title="Baseline of other evaluations">
          ★
        </span>
      )}
      <Link
        to="/evaluations/$evaluationId"
        params={{ evaluationId: id }}
        tabIndex={-1}
        title={name === null ? id : `${name} (${id})`}
      >
        {name ?? id}
      </Link>
      {isBaseline && <span className={styles.baseline}>(baseline)</span>}
      <EvaluationStatus evaluation={evaluation} />
      {errors > 0 && (
        <Link
          to="/evaluations/$evaluationId"
          params={{ evaluationId: id }}
          search={{ group: 'error' }}
          tabIndex={-1}
          className={styles.errors}
          title={`${pluralize(errors, 'error')} of outputs and evaluators`}
        >
          <span aria-hidden="true">⚠ </span>
          {formatCount(errors)}
          <span className="sr-only"> {errors === 1 ? 'error' : 'errors'}</span>
        </Link>
      )}
    </>
  )
}

function Tags({ tags }: Pick<Evaluation, 'tags'>) {
  return (
    <span className="ellipsis" title={tags.join(', ')}>
      {tags.map((tag, index) => (
        <Fragment key={tag}>
          {index > 0 && ', '}
          <Link
            from="/"
            search={(search) => ({ ...search, tags: `has.${tag}` })}
            tabIndex={-1}
            className={styles.tag}
          >
            {tag}
          </Link>
        </Fragment>
      ))}
    </span>
  )
}

function Revision({ evaluation: { variant_id, revision } }: { evaluation: Evaluation }) {
  if (variant_id === null) return <span className="muted">–</span>
  if (revision === null) {
    return (
      <Link to="/variants/$variantId" params={{ variantId: variant_id }} tabIndex={-1}>
        {variant_id}
      </Link>
    )
  }
  return (
    <RevisionLink
      variantId={variant_id}
      revision={revision}
      tabIndex={-1}
      title={`${variant_id} r${revision}`}
      className={styles.revision}
    >
      <span>{variant_id}</span> r{revision}
    </RevisionLink>
  )
}
