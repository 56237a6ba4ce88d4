// The parameters that differ between the baseline and a candidate, as a link to the diff of their revisions.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Comparison } from 'assay-client'
import { useCanRead } from '../../../api/restriction.ts'
import { formatList } from '../../../format/list.ts'
import { diffQuery } from '../../../queries/variants.ts'
import styles from './header.module.css'

type ComparedEvaluation = Comparison['evaluations'][number]

interface ParameterDifferencesProps {
  comparison: Comparison
  candidateId: string
}

/** Starts with a space, because it follows a sentence. */
export function ParameterDifferences({ comparison, candidateId }: ParameterDifferencesProps) {
  const [baseline] = comparison.evaluations
  const candidate = comparison.evaluations.find(({ id }) => id === candidateId)
  if (!baseline || !candidate || (baseline.variant_id === null && candidate.variant_id === null)) return null
  if (baseline.variant_id === null || baseline.variant_id !== candidate.variant_id) {
    return (
      <span className="muted">
        {' '}
        {revisionName(candidate)}, compared with {revisionName(baseline)}.
      </span>
    )
  }
  if (baseline.revision === null || candidate.revision === null) return null
  if (baseline.revision === candidate.revision) {
    return <span className="muted"> Both use {revisionName(baseline)}.</span>
  }
  return (
    <DiffLink
      variantId={baseline.variant_id}
      from={baseline.revision}
      to={candidate.revision}
      // With several candidates, the sentences have no room for the names, and the page no request for them.
      hasNames={comparison.candidates.length === 1}
    />
  )
}

/** "support-answer r4" */
function revisionName({ variant_id, revision }: ComparedEvaluation): string {
  if (variant_id === null) return 'no variant'
  return revision === null ? variant_id : `${variant_id} r${revision}`
}

interface DiffLinkProps {
  variantId: string
  from: number
  to: number
  /** Whether the link names the parameters. */
  hasNames: boolean
}

function DiffLink({ variantId, from, to, hasNames }: DiffLinkProps) {
  const canRead = useCanRead()('variant', variantId)
  const { data } = useQuery({ ...diffQuery(variantId, from, to), enabled: canRead && hasNames })
  if (!canRead || (hasNames && !data)) return null
  const paths = data?.changes.map(({ path }) => path) ?? []
  return (
    <>
      {' '}
      <Link
        className={styles.differences}
        to="/variants/$variantId/revisions/$from/diff/$to"
        params={{ variantId, from: String(from), to: String(to) }}
        data-tooltip={paths.length > 3 ? paths.join('\n') : undefined}
      >
        {hasNames && data ? differences(data.change_count, paths) : `Diff r${from} to r${to}`}
      </Link>
    </>
  )
}

function differences(count: number, paths: readonly string[]): string {
  if (count === 0) return 'No parameter differs'
  return `${formatList(paths)} ${count === 1 ? 'differs' : 'differ'}`
}
