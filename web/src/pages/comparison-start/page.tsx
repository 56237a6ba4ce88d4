// Start page of a comparison: lets the user choose evaluations if the URL contains fewer than two. A page of its own, because
// it needs no table.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { GitCompareArrows } from 'lucide'
import { useState } from 'react'
import { ErrorPage } from '../../errors/error-page.tsx'
import { EvaluationPicker } from '../../navigation/evaluation-picker.tsx'
import { evaluationQuery, sortBaselineFirst } from '../../queries/evaluations.ts'
import { useChangeSearchParams } from '../../state/search-params.ts'
import { Button } from '../../ui/button.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { MAX_EVALUATIONS, withEvaluations } from '../comparison/search-params.ts'
import styles from './page.module.css'

export function ComparisonStartPage() {
  const [first] = useSearch({ from: '/compare' }).evaluation ?? []
  return <EvaluationChoice key={first} first={first} />
}

function EvaluationChoice({ first }: { first: string | undefined }) {
  useDocumentTitle('Compare')
  const changeParams = useChangeSearchParams()
  const { data, error } = useQuery({ ...evaluationQuery(first ?? ''), enabled: first !== undefined })
  const [chosen, setChosen] = useState<Evaluation[]>()
  const selected = chosen ?? (data ? [data] : [])
  if (error && !data) {
    return (
      <main>
        <ErrorPage error={error} />
      </main>
    )
  }
  function toggle(evaluation: Evaluation) {
    const others = selected.filter(({ id }) => id !== evaluation.id)
    setChosen(others.length < selected.length ? others : [...selected, evaluation])
  }
  const canCompare = selected.length >= 2
  return (
    <main className={styles.picker}>
      <div className={styles.title}>
        <h1>{first === undefined ? 'Compare evaluations' : `Compare ${data?.name ?? first} with…`}</h1>
        <Button
          variant="primary"
          icon={GitCompareArrows}
          aria-disabled={!canCompare}
          tooltip={canCompare ? 'Compare row by row' : 'Select at least two evaluations'}
          onClick={() => canCompare && changeParams(withEvaluations(sortBaselineFirst(selected)))}
        >
          Compare {canCompare && selected.length}
        </Button>
      </div>
      <p className="muted">
        Choose two to four evaluations. Rows are compared with the baseline or the oldest.
      </p>
      <EvaluationPicker
        excludedIds={[]}
        checked={{ ids: selected.map(({ id }) => id), isFull: selected.length >= MAX_EVALUATIONS }}
        variantId={data?.variant_id}
        baselineId={data?.baseline_id}
        onPick={toggle}
      />
    </main>
  )
}
