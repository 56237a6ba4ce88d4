// In place of figures and rows where the evaluations cannot be compared: which are not there, or why not, and ways out.
import { useQueries } from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { isUnreachable } from '../api.ts'
import { useChangeSearch } from '../change-search.ts'
import { evaluationQuestion } from '../evaluation/questions.ts'
import { CopyDetails } from '../parts/refused.tsx'
import styles from './choosing.module.css'
import { withEvaluations } from './compared.ts'
import type { Shown } from './shown.ts'

export function NotCompared({ shown, error }: { shown: Shown; error: AssayError }) {
  const { evaluations, by } = shown.view
  const change = useChangeSearch()
  const absent = useQueries({
    queries: evaluations.map(evaluationQuestion),
    combine: (results) =>
      results.flatMap(({ error: refused }, place) =>
        refused instanceof AssayError && !isUnreachable(refused) ? [evaluations[place] as string] : [],
      ),
  })
  if (isUnreachable(error)) return <p className={styles.refused}>Waiting for the server…</p>
  return (
    <div role="alert" className={styles.refused}>
      <h2>{error.title}</h2>
      {absent.length === 0 && <p>{error.detail}</p>}
      {absent.map((id) => (
        <p key={id}>
          There is no evaluation {id}, or this key may not read it.
          <button
            type="button"
            onClick={() => change(withEvaluations(evaluations.filter((other) => other !== id)))}
          >
            Go on without it
          </button>
        </p>
      ))}
      <p>
        {absent.length === 0 && by !== 'auto' && (
          <button type="button" onClick={() => change({ by: undefined })}>
            Match rows automatically
          </button>
        )}
        <CopyDetails error={error} />
      </p>
    </div>
  )
}
