// Which revisions ran, and which parameters differ between that of the base and that of each candidate.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Comparison } from 'assay-client'
import { useCovers } from '../shell/confinement.ts'
import { differenceQuestion } from '../variant/questions.ts'
import styles from './head.module.css'
import { listed } from './outcomes.ts'

type Compared = Comparison['evaluations'][number]

export function Configuration({ comparison: { evaluations } }: { comparison: Comparison }) {
  const [base, ...candidates] = evaluations
  if (!base || evaluations.every(({ variant_id }) => variant_id === null)) return null
  const isKin = (one: Compared) => base.variant_id !== null && one.variant_id === base.variant_id
  const isShort = candidates.every(isKin)
  return (
    <>
      {!isShort && <Ran evaluation={base} />}
      {candidates.map((one, index) =>
        isKin(one) ? (
          <Difference
            key={one.id}
            base={base}
            candidate={one}
            variantId={base.variant_id ?? ''}
            isTold={index === 0}
          />
        ) : (
          <Ran key={one.id} evaluation={one} />
        ),
      )}
    </>
  )
}

/** An evaluation of another variant stands by itself. */
function Ran({ evaluation: { id, name, variant_id, revision } }: { evaluation: Compared }) {
  return (
    <span>
      {name ?? id}: {variant_id === null ? 'of no variant' : `${variant_id} ${revisionName(revision)}`}
    </span>
  )
}

interface DifferenceProps {
  base: Compared
  candidate: Compared
  variantId: string
  /** Whether what differs is said; else there is only the way to it. */
  isTold: boolean
}

function Difference({ base, candidate, variantId, isTold }: DifferenceProps) {
  const [from, to] = [base.revision, candidate.revision]
  const covers = useCovers()
  const hasDiff = from !== null && to !== null && from !== to && covers('variant', variantId)
  const { data } = useQuery({
    ...differenceQuestion(variantId, from ?? 0, to ?? 0),
    enabled: hasDiff && isTold,
  })
  if (from !== null && from === to) {
    return (
      <span>
        both ran {variantId} {revisionName(from)}
      </span>
    )
  }
  return (
    <span className={styles.difference} title={data?.changes.map(({ path }) => path).join('\n')}>
      {variantId} {revisionName(from)} → {revisionName(to)}
      {data && (
        <>
          :{' '}
          {data.change_count === 0
            ? 'no parameter differs'
            : `${listed(data.changes.map(({ path }) => path))} ${data.change_count === 1 ? 'differs' : 'differ'}`}
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
  return revision === null ? '(revision not known)' : `r${revision}`
}
