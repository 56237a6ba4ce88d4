// Chips with the rows per class that select a class, and menus for the candidate and the evaluator.
import { Chip, ChipsSelect } from '../../../filters/chips.tsx'
import styles from '../../../filters/filters.module.css'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { evaluationName, withEvaluations, withFirstCandidate } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { classCounts, ROW_CLASSES, rowsInClass } from '../row-classes.ts'
import { CLASS_FILTERS } from '../search-params.ts'

export function ClassChips({ state }: { state: ComparisonState }) {
  const { params, comparison } = state
  const changeParams = useChangeSearchParams()
  const classes = classCounts(state)
  if (!classes) return <div className={styles.chips} />
  return (
    <div role="group" aria-label="Classes" className={styles.chips}>
      {CLASS_FILTERS.map((show) => {
        const { name, description, sign, outcome } = ROW_CLASSES[show]
        return (
          <Chip
            key={show}
            name={name}
            title={description}
            icon={outcome && <span className={outcome}>{sign}</span>}
            rows={rowsInClass(classes, show)}
            isSelected={params.show === show}
            onSelect={() => changeParams({ show: show === 'regressed' ? undefined : show })}
          />
        )
      })}
      {comparison && <CandidateSelect state={state} />}
      {comparison && <EvaluatorSelect state={state} />}
    </div>
  )
}

/** Row classes are those of the first candidate; selecting another one moves it to the first position. */
function CandidateSelect({ state: { params, comparison } }: { state: ComparisonState }) {
  const changeParams = useChangeSearchParams()
  const [, firstCandidate, ...otherCandidates] = params.evaluations
  if (otherCandidates.length === 0) return null
  return (
    <ChipsSelect
      prefix="of"
      label="Candidate for classes"
      value={firstCandidate}
      options={params.evaluations.slice(1).map((id) => ({ value: id, name: evaluationName(comparison, id) }))}
      onSelect={(id) => changeParams(withEvaluations(withFirstCandidate(params.evaluations, id)))}
    />
  )
}

function EvaluatorSelect({ state: { params, comparison, evaluator } }: { state: ComparisonState }) {
  const changeParams = useChangeSearchParams()
  const evaluators = comparison?.candidates[0]?.evaluators ?? []
  if (evaluator === undefined || evaluators.length === 0) return null
  if (evaluators.length === 1) return <span className={styles.count}>on {evaluator}</span>
  /** Also removes a sort order by the previous evaluator. */
  function selectEvaluator(name: string) {
    const isByEvaluator = /^(?:delta|result)\./.test(params.order ?? '')
    changeParams({ on: name, ...(isByEvaluator && { order: undefined }) })
  }
  return (
    <ChipsSelect
      prefix="on"
      label="Evaluator for classes"
      value={evaluator}
      options={evaluators.map(({ name }) => ({ value: name, name }))}
      onSelect={selectEvaluator}
    />
  )
}
