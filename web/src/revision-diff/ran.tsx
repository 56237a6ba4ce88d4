// The evaluations that ran either revision, and the way to their comparison.
import { Link } from '@tanstack/react-router'
import { Evaluations } from '../revision/evaluations.tsx'
import { useCovers } from '../shell/confinement.ts'
import type { Revision } from '../variant/questions.ts'
import styles from './page.module.css'

export function Ran({ revisions }: { revisions: Revision[] }) {
  const covers = useCovers()
  const newest = revisions.flatMap(({ evaluations }) => evaluations[0]?.id ?? [])
  return (
    <section className={styles.ran} aria-labelledby="ran">
      <h2 id="ran">
        Evaluations that ran {revisions.length === 1 ? 'it' : 'them'}{' '}
        {newest.length === 2 && newest.every((id) => covers('evaluation', id)) && (
          <Link to="/compare" search={{ evaluation: newest }} className={styles.compare}>
            Compare<span className="unseen"> the newest of both</span>
          </Link>
        )}
      </h2>
      <Evaluations revisions={revisions} of={revisions} />
    </section>
  )
}
