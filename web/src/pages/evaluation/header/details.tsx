// The line below the name: the baseline, what differs from it, the revision and its main parameters.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Evaluation, EvaluationSummary } from 'assay-client'
import { useCanRead } from '../../../api/restriction.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { formatPercent, pluralize } from '../../../format/numbers.ts'
import { formatTimeAgo } from '../../../format/times.ts'
import { EvaluationStatus } from '../../../navigation/evaluation-link.tsx'
import { diffQuery, revisionQuery } from '../../../queries/variants.ts'
import page from '../../../table/page.module.css'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { BaselineMenu } from './baseline-menu.tsx'
import styles from './header.module.css'
import { mainParameters } from './main-parameters.ts'

export function Details({ pageState }: { pageState: EvaluationState }) {
  const { evaluation } = pageState
  if (!evaluation) return <p className={`${page.details} ${styles.details}`} />
  return (
    <div className={`${page.details} ${styles.details}`}>
      <EvaluationStatus evaluation={evaluation} />
      <BaselineMenu pageState={pageState} evaluation={evaluation} />
      <Pairing pageState={pageState} />
      <Difference evaluation={evaluation} base={pageState.summary?.base} />
      <Configuration evaluation={evaluation} />
      {evaluation.source && <span>from {evaluation.source}</span>}
      {evaluation.tags.length > 0 && (
        <span title={`Tags: ${evaluation.tags.join(', ')}`}>{evaluation.tags.join(', ')}</span>
      )}
      <Times evaluation={evaluation} />
    </div>
  )
}

/** The update time is omitted if it reads like the creation time. */
function Times({ evaluation: { created_at, updated_at } }: { evaluation: Evaluation }) {
  return (
    <>
      <span>
        <TimeAgo time={created_at} />
      </span>
      {formatTimeAgo(updated_at) !== formatTimeAgo(created_at) && (
        <span>
          updated <TimeAgo time={updated_at} />
        </span>
      )}
    </>
  )
}

/** The join key, and the share of matched rows. */
function Pairing({ pageState: { summary } }: { pageState: EvaluationState }) {
  if (!summary?.base) return null
  const { by, match_rate, matched } = summary.base
  return (
    <span title={`${pluralize(matched, 'row')} of the smaller evaluation matched`}>
      matched by {by}, {formatPercent(match_rate)}
    </span>
  )
}

interface DifferenceProps {
  evaluation: Evaluation
  base: EvaluationSummary['base']
}

/** The number of parameters that differ, if both evaluations ran revisions of the same variant. */
function Difference({ evaluation, base }: DifferenceProps) {
  const { variant_id, revision } = evaluation
  const from = base?.variant_id === variant_id ? (base?.revision ?? undefined) : undefined
  const isAllowed = useCanRead()('variant', variant_id)
  const isComparable =
    isAllowed && variant_id !== null && revision !== null && from !== undefined && from !== revision
  const { data: diff } = useQuery({
    ...diffQuery(variant_id ?? '', from ?? 0, revision ?? 0),
    enabled: isComparable,
  })
  if (from !== undefined && from === revision) return <span>same revision as the baseline</span>
  if (!diff || !isComparable) return null
  return (
    <span>
      <Link
        to="/variants/$variantId/revisions/$revision"
        params={{ variantId: variant_id, revision: String(revision) }}
      >
        {pluralize(diff.change_count, 'parameter')} {diff.change_count === 1 ? 'differs' : 'differ'}
      </Link>{' '}
      from r{from}
    </span>
  )
}

function Configuration({ evaluation: { variant_id, revision } }: { evaluation: Evaluation }) {
  const isAllowed = useCanRead()('variant', variant_id)
  const { data } = useQuery({
    ...revisionQuery(variant_id ?? '', revision ?? 0),
    enabled: isAllowed && variant_id !== null && revision !== null,
  })
  if (variant_id === null) return null
  if (!isAllowed) {
    return (
      <span>
        variant {variant_id} {revision !== null && `r${revision}`}
      </span>
    )
  }
  const parameters = mainParameters(data?.config.parameters)
  return (
    <>
      <span>
        variant{' '}
        <Link to="/variants/$variantId" params={{ variantId: variant_id }}>
          {variant_id}
        </Link>{' '}
        {revision !== null && (
          <Link
            to="/variants/$variantId/revisions/$revision"
            params={{ variantId: variant_id, revision: String(revision) }}
          >
            r{revision}
          </Link>
        )}
      </span>
      {parameters.length > 0 && (
        <span className={styles.parameters} title={parameters.join('\n')}>
          {parameters.join(' · ')}
        </span>
      )}
    </>
  )
}
