// Start page of a comparison: lets the user choose evaluations until the URL contains at least two.
import { useQuery } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { ErrorPage } from '../../errors/error-page.tsx'
import { EvaluationPicker } from '../../navigation/evaluation-picker.tsx'
import { evaluationQuery, sortBaselineFirst } from '../../queries/evaluations.ts'
import { useChangeSearchParams } from '../../state/search-params.ts'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { withEvaluations } from './evaluation-links.ts'
import styles from './start-page.module.css'

export function StartPage({ first }: { first: string | undefined }) {
  useDocumentTitle('Compare')
  const changeParams = useChangeSearchParams()
  const { data, error } = useQuery({ ...evaluationQuery(first ?? ''), enabled: first !== undefined })
  if (error && !data) {
    return (
      <main>
        <ErrorPage error={error} />
      </main>
    )
  }
  const pick = (other: Evaluation) =>
    changeParams(withEvaluations(data ? sortBaselineFirst([data, other]) : [other.id]))
  return (
    <main className={styles.picker}>
      <h1>{first === undefined ? 'Compare evaluations' : `Compare ${data?.name ?? first} with…`}</h1>
      <p className="muted">
        {first === undefined
          ? 'Choose two to four evaluations. Each is compared with the first, row by row.'
          : 'Choose the other evaluation. You can change the baseline later.'}
      </p>
      <EvaluationPicker
        // A new key resets the search text after the first choice.
        key={first}
        excludedIds={first === undefined ? [] : [first]}
        variantId={data?.variant_id}
        baselineId={data?.baseline_id}
        onPick={pick}
      />
    </main>
  )
}
