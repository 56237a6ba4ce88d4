// When rows broke: how many fail since which revision, as a link to the heat map of all evaluations of the variant.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useRestriction } from '../../api/restriction.ts'
import { pluralize } from '../../format/numbers.ts'
import { variantRowsQuery } from '../../queries/leaderboards.ts'
import type { Revision } from '../../queries/variants.ts'
import { type Metric, measuredRevisions } from '../../revisions/metrics.ts'
import { largestBreak } from './row-breaks.ts'

interface RowHistoryLinkProps {
  id: string
  revisions: readonly Revision[]
  metric: Metric | undefined
}

/** Nothing for latency and cost, for a single evaluation, and for share links, which cannot find evaluations. */
export function RowHistoryLink({ id, revisions, metric }: RowHistoryLinkProps) {
  const on = metric?.search.on
  const hasHistory = metric !== undefined && measuredRevisions(revisions, metric).length > 1
  const isEnabled = useRestriction() === null && on !== undefined && hasHistory
  const { data } = useQuery({ ...variantRowsQuery(id, on), enabled: isEnabled })
  const longest = useMemo(() => data && largestBreak(data), [data])
  if (!isEnabled || !data) return null
  const revision =
    longest &&
    revisions.find(({ evaluations }) =>
      evaluations.some((evaluation) => evaluation.id === longest.evaluation),
    )
  return (
    <Link
      to="/leaderboard"
      search={{ variant_id: `eq.${id}`, on, tab: 'rows' }}
      className="count-link"
      data-tooltip="Which row passes in which evaluation"
    >
      {longest && revision
        ? `${longest.isPart ? 'At least ' : ''}${pluralize(longest.rows, 'row')} ${longest.rows === 1 ? 'fails' : 'fail'} since r${revision.revision}`
        : 'Show rows by revision'}
    </Link>
  )
}
