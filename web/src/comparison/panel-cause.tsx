// What may have caused the difference: what changed between the revisions that the two evaluations ran.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCovers } from '../shell/confinement.ts'
import { ChangeWords } from '../variant/change-words.tsx'
import { changesBetween } from '../variant/changes.ts'
import { differenceQuestion } from '../variant/questions.ts'
import type { ComparedEvaluation, RowSide } from './opened-row.ts'
import styles from './panel.module.css'

export function PanelCause({ base, candidate }: { base: RowSide; candidate: RowSide }) {
  const ran = revisionsOf(base.compared, candidate.compared)
  const { variant = '', from = 0, to = 0 } = ran ?? {}
  const isAsked = useCovers()('variant', variant) && ran !== undefined
  const { data } = useQuery({ ...differenceQuestion(variant, from, to), enabled: isAsked })
  if (!ran || !data) return null
  return (
    <section className={styles.cause} aria-label="What changed">
      <ChangeWords changed={changesBetween(data)} />
      <Link
        to="/variants/$variantId/revisions/$from/diff/$to"
        params={{ variantId: variant, from: String(from), to: String(to) }}
      >
        what changed between r{from} and r{to}
      </Link>
    </section>
  )
}

/** Undefined where the two did not run two revisions of one variant. */
function revisionsOf(base: ComparedEvaluation, candidate: ComparedEvaluation) {
  const [from, to] = [base.revision, candidate.revision]
  if (base.variant_id === null || base.variant_id !== candidate.variant_id) return undefined
  return from === null || to === null || from === to ? undefined : { variant: base.variant_id, from, to }
}
