// Evaluations of both revisions, and a link that compares the newest of each.
import { Link } from '@tanstack/react-router'
import { useCanRead } from '../../api/restriction.ts'
import type { Revision } from '../../queries/variants.ts'
import { EvaluationTable } from '../../revisions/evaluation-table.tsx'
import styles from './page.module.css'

export function Evaluations({ revisions }: { revisions: Revision[] }) {
  const canRead = useCanRead()
  const newest = revisions.flatMap(({ evaluations }) => evaluations[0]?.id ?? [])
  return (
    <section className={styles.evaluations} aria-labelledby="evaluations">
      <h2 id="evaluations">
        Evaluations{' '}
        {newest.length === 2 && newest.every((id) => canRead('evaluation', id)) && (
          <Link to="/compare" search={{ evaluation: newest }} className={styles.compare}>
            Compare<span className="sr-only"> the newest evaluations</span>
          </Link>
        )}
      </h2>
      <EvaluationTable revisions={revisions} listedRevisions={revisions} />
    </section>
  )
}
