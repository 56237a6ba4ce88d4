// The line below the verdict: status, revision, what differs from the baseline, baseline, source, tags and time.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Evaluation, EvaluationSummary } from 'assay-client'
import { useCanRead } from '../../../api/restriction.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { formatCount, formatPercent, pluralize } from '../../../format/numbers.ts'
import { formatTimeAgo } from '../../../format/times.ts'
import { EvaluationStatus } from '../../../navigation/links.tsx'
import { revisionQuery } from '../../../queries/variants.ts'
import { RunProgress } from '../../../running/running.tsx'
import { Skeleton } from '../../../ui/messages/skeleton.tsx'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { ReviewLinks } from '../reviews/review-links.tsx'
import { BaselineMenu } from './baseline-menu.tsx'
import styles from './header.module.css'
import { mainParameters } from './main-parameters.ts'

export function Details({ pageState }: { pageState: EvaluationState }) {
  const { evaluation } = pageState
  if (!evaluation) {
    return (
      <div className={styles.details}>
        <Skeleton width={40} />
      </div>
    )
  }
  const { source, tags } = evaluation
  return (
    <div className={styles.details}>
      {evaluation.status === 'running' ? (
        <RunProgress evaluation={evaluation} />
      ) : (
        <EvaluationStatus evaluation={evaluation} />
      )}
      <Variant evaluation={evaluation} />
      <Configuration pageState={pageState} evaluation={evaluation} />
      <BaselineMenu pageState={pageState} evaluation={evaluation} />
      <Pairing pageState={pageState} />
      {pageState.hasRepeats && pageState.totalSummary && <RowCount summary={pageState.totalSummary} />}
      <ReviewLinks evaluation={evaluation} />
      <Times evaluation={evaluation} />
      {source && <span>from {source}</span>}
      {tags.length > 0 && <span data-tooltip={`Tags: ${tags.join(', ')}`}>{tags.join(', ')}</span>}
    </div>
  )
}

function Variant({ evaluation: { variant_id, revision } }: { evaluation: Evaluation }) {
  const isAllowed = useCanRead()('variant', variant_id)
  if (variant_id === null) return null
  if (revision === null) {
    return isAllowed ? (
      <Link to="/variants/$variantId" params={{ variantId: variant_id }}>
        {variant_id}
      </Link>
    ) : (
      <span>{variant_id}</span>
    )
  }
  const name = `${variant_id} r${revision}`
  if (!isAllowed) return <span>{name}</span>
  return (
    <Link
      to="/variants/$variantId/revisions/$revision"
      params={{ variantId: variant_id, revision: String(revision) }}
    >
      {name}
    </Link>
  )
}

interface ConfigurationProps {
  pageState: EvaluationState
  evaluation: Evaluation
}

/** The main parameters, and how many differ from the revision of the baseline. */
function Configuration({ pageState, evaluation: { variant_id, revision } }: ConfigurationProps) {
  const isAllowed = useCanRead()('variant', variant_id) && variant_id !== null && revision !== null
  const { totalSummary } = pageState
  const { changed_parameters: count, revision: from } = totalSummary?.base ?? {}
  const isCompared = typeof count === 'number' && typeof from === 'number' && from !== revision
  // What differs from the baseline says more than the parameters, and saves a request.
  const { data } = useQuery({
    ...revisionQuery(variant_id ?? '', revision ?? 0),
    enabled: isAllowed && totalSummary !== undefined && !isCompared,
  })
  if (!isAllowed) return null
  const parameters = mainParameters(data?.config.parameters)
  return (
    <>
      {parameters.length > 0 && (
        // Shortened before the other items.
        <span style={{ flexShrink: 9 }} data-tooltip={parameters.join(', ')}>
          {parameters.join(' · ')}
        </span>
      )}
      {isCompared && (
        <Link
          className={styles.difference}
          to="/variants/$variantId/revisions/$from/diff/$to"
          params={{ variantId: variant_id, from: String(from), to: String(revision) }}
        >
          {pluralize(count, 'parameter')} {count === 1 ? 'differs' : 'differ'} from r{from}
        </Link>
      )}
    </>
  )
}

/** "120 rows × 5", or both numbers if not all rows have the same number of repeats. */
function RowCount({ summary: { rows, matched } }: { summary: EvaluationSummary }) {
  const repeats = matched / rows
  return (
    <span data-tooltip={`${pluralize(matched, 'scenario')}: several are repeats of the same row`}>
      {Number.isInteger(repeats)
        ? `${pluralize(rows, 'row')} × ${formatCount(repeats)}`
        : `${pluralize(rows, 'row')}, ${pluralize(matched, 'scenario')}`}
    </span>
  )
}

/** The join key and the share of matched rows, unless all rows are matched by their id. */
function Pairing({ pageState: { totalSummary } }: { pageState: EvaluationState }) {
  if (!totalSummary?.base) return null
  const { by, match_rate, matched } = totalSummary.base
  if (by === 'id' && match_rate === 1) return null
  return (
    <span data-tooltip={`${pluralize(matched, 'row')} of the smaller evaluation matched`}>
      matched by {by}, {formatPercent(match_rate)}
    </span>
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
