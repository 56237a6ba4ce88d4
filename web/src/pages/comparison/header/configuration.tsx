// The revisions that were evaluated, and the parameters that differ between the baseline and each candidate.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Comparison } from 'assay-client'
import { useCanRead } from '../../../api/restriction.ts'
import { diffQuery } from '../../../queries/variants.ts'
import { formatList } from '../statistics/outcomes.ts'

type ComparedEvaluation = Comparison['evaluations'][number]

export function Configuration({ comparison: { evaluations } }: { comparison: Comparison }) {
  const [baseline, ...candidates] = evaluations
  if (!baseline || evaluations.every(({ variant_id }) => variant_id === null)) return null
  const isSameVariant = (evaluation: ComparedEvaluation) =>
    baseline.variant_id !== null && evaluation.variant_id === baseline.variant_id
  const haveSameVariant = candidates.every(isSameVariant)
  return (
    <>
      {!haveSameVariant && <EvaluationRevision evaluation={baseline} />}
      {candidates.map((candidate, index) =>
        isSameVariant(candidate) ? (
          <Difference
            key={candidate.id}
            baseline={baseline}
            candidate={candidate}
            variantId={baseline.variant_id ?? ''}
            showsChanges={index === 0}
          />
        ) : (
          <EvaluationRevision key={candidate.id} evaluation={candidate} />
        ),
      )}
    </>
  )
}

/** Used when an evaluation has another variant than the baseline, so that there is no diff. */
function EvaluationRevision({
  evaluation: { id, name, variant_id, revision },
}: {
  evaluation: ComparedEvaluation
}) {
  return (
    <span>
      {name ?? id}: {variant_id === null ? 'no variant' : `${variant_id} ${revisionName(revision)}`}
    </span>
  )
}

interface DifferenceProps {
  baseline: ComparedEvaluation
  candidate: ComparedEvaluation
  variantId: string
  /** False shows only the link to the diff. */
  showsChanges: boolean
}

function Difference({ baseline, candidate, variantId, showsChanges }: DifferenceProps) {
  const [from, to] = [baseline.revision, candidate.revision]
  const canRead = useCanRead()
  const hasDiff = from !== null && to !== null && from !== to && canRead('variant', variantId)
  const { data } = useQuery({
    ...diffQuery(variantId, from ?? 0, to ?? 0),
    enabled: hasDiff && showsChanges,
  })
  if (from !== null && from === to) {
    return (
      <span>
        both use {variantId} {revisionName(from)}
      </span>
    )
  }
  return (
    <span title={data?.changes.map(({ path }) => path).join('\n')}>
      {variantId} {revisionName(from)} → {revisionName(to)}
      {data && (
        <>
          :{' '}
          {data.change_count === 0
            ? 'no parameter differs'
            : `${formatList(data.changes.map(({ path }) => path))} ${data.change_count === 1 ? 'differs' : 'differ'}`}
        </>
      )}{' '}
      {hasDiff && (
        <Link
          to="/variants/$variantId/revisions/$from/diff/$to"
          params={{ variantId, from: String(from), to: String(to) }}
        >
          diff
        </Link>
      )}
    </span>
  )
}

function revisionName(revision: number | null): string {
  return revision === null ? '(unknown revision)' : `r${revision}`
}
