// The page with fewer than two evaluations in its address: what a comparison is, and the choice of what is missing.
import { useQuery } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { useChangeSearch } from '../change-search.ts'
import { evaluationQuestion } from '../evaluation/questions.ts'
import { baseFirst } from '../evaluations/base-first.ts'
import { EvaluationPicker } from '../parts/evaluation-picker.tsx'
import { Failure } from '../parts/failure.tsx'
import { useTitle } from '../parts/title.ts'
import styles from './choosing.module.css'
import { withEvaluations } from './compared.ts'

export function Choosing({ first }: { first: string | undefined }) {
  useTitle('Compare')
  const change = useChangeSearch()
  const { data, error } = useQuery({ ...evaluationQuestion(first ?? ''), enabled: first !== undefined })
  if (error && !data) {
    return (
      <main>
        <Failure error={error} />
      </main>
    )
  }
  const pick = (other: Evaluation) => change(withEvaluations(data ? baseFirst([data, other]) : [other.id]))
  return (
    <main className={styles.choosing}>
      <h1>{first === undefined ? 'Compare evaluations' : `Compare ${data?.name ?? first} with…`}</h1>
      <p>
        {first === undefined
          ? 'Choose two to four evaluations. Each is held against the first one, row by row.'
          : 'Choose the other evaluation. Which of the two is the baseline can be changed afterwards.'}
      </p>
      <EvaluationPicker
        // What is looked for next is another one.
        key={first}
        without={first === undefined ? [] : [first]}
        variantId={data?.variant_id}
        starred={data?.baseline_id}
        onPick={pick}
      />
    </main>
  )
}
