// The cells of a row.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { TriangleAlert } from 'lucide'
import { Fragment } from 'react'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { errorCount, type GroupMeasure } from '../../../groups/groups.ts'
import { MeasureChange } from '../../../groups/measure-parts.tsx'
import { hasOtherRevision } from '../../../groups/series.ts'
import { RevisionLink } from '../../../navigation/links.tsx'
import { formatMeasure } from '../../../results/measures.ts'
import { Badge } from '../../../ui/chip.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import type { Column } from './columns.ts'
import styles from './table.module.css'

interface CellProps {
  column: Column
  evaluation: Evaluation
  isBaseline: boolean
}

export function Cell({ column, evaluation, isBaseline }: CellProps) {
  const { id, measure, isNumeric, hasChanges = false } = column
  if (id === 'name') {
    return (
      <th scope="row" className={styles.name}>
        <Name evaluation={evaluation} isBaseline={isBaseline} />
      </th>
    )
  }
  return (
    <td className={`${isNumeric ? styles.number : styles.cell} ${measure ? '' : styles.field}`}>
      {measure ? (
        <MeasureCell measure={measure} evaluation={evaluation} hasChanges={hasChanges} />
      ) : (
        <Field id={id} evaluation={evaluation} />
      )}
    </td>
  )
}

interface MeasureCellProps {
  measure: GroupMeasure
  evaluation: Evaluation
  hasChanges: boolean
}

/** Empty without a value: a column of the section always has some. */
function MeasureCell({ measure, evaluation, hasChanges }: MeasureCellProps) {
  const { unit, decimals } = measure
  const value = measure.measureIn(evaluation)
  if (!value) return null
  return (
    <>
      {formatMeasure(unit, value.value, decimals)}
      {hasChanges && (
        <span className={styles.change}>
          <MeasureChange measure={measure} evaluation={evaluation} />
        </span>
      )}
    </>
  )
}

function Field({ id, evaluation }: { id: string; evaluation: Evaluation }) {
  const { variant_id, revision, scenario_count, created_at, tags, scores } = evaluation
  if (id === 'rows') return formatCount(scenario_count)
  if (id === 'created') return <TimeAgo time={created_at} />
  if (id === 'tags') return <Tags tags={tags} />
  if (variant_id === null || revision === null) return null
  return (
    <>
      <RevisionLink variantId={variant_id} revision={revision} tabIndex={-1} className={styles.quietLink} />
      {scores?.base && hasOtherRevision(evaluation, scores.base) && (
        <span className={styles.against}>vs r{scores.base.revision}</span>
      )}
    </>
  )
}

function Name({ evaluation, isBaseline }: { evaluation: Evaluation; isBaseline: boolean }) {
  const { id, name, status, scenario_count, expected_count } = evaluation
  const errors = errorCount(evaluation)
  const progress =
    expected_count === null ? '' : ` ${formatCount(scenario_count)} of ${formatCount(expected_count)}`
  return (
    <>
      <Link
        to="/evaluations/$evaluationId"
        params={{ evaluationId: id }}
        tabIndex={-1}
        className={styles.title}
        data-tooltip={name === null || name === id ? undefined : `${name} (${id})`}
      >
        {name ?? id}
      </Link>
      {status !== 'finished' && (
        <Badge tone={status === 'running' ? 'accent' : 'warning'}>
          {status}
          <span className={styles.progress}>{progress}</span>
        </Badge>
      )}
      {isBaseline && (
        <span className={styles.baseline}>
          <Badge>baseline</Badge>
        </span>
      )}
      {errors > 0 && (
        <Link
          to="/evaluations/$evaluationId"
          params={{ evaluationId: id }}
          search={{ group: 'error' }}
          tabIndex={-1}
          className={styles.errors}
          data-tooltip={`${pluralize(errors, 'error')} of outputs and evaluators`}
        >
          <Icon icon={TriangleAlert} size={14} />
          {formatCount(errors)}
          <span className="sr-only"> {errors === 1 ? 'error' : 'errors'}</span>
        </Link>
      )}
    </>
  )
}

function Tags({ tags }: Pick<Evaluation, 'tags'>) {
  return (
    <span className="ellipsis" data-tooltip={tags.join(', ') || undefined}>
      {tags.map((tag, index) => (
        <Fragment key={tag}>
          {index > 0 && ', '}
          <Link
            from="/"
            search={(search) => ({ ...search, tags: `has.${tag}` })}
            tabIndex={-1}
            className={styles.quietLink}
          >
            {tag}
          </Link>
        </Fragment>
      ))}
    </span>
  )
}
