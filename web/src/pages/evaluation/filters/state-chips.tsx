// The number of rows in each state, as chips that filter by it.
import type { EvaluationSummary } from 'assay-client'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { Chip, ChipsSelect } from '../../../filters/chips.tsx'
import styles from '../../../filters/filters.module.css'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { type FilterState, RESULT_STATES, stateCounts } from '../../../results/result-states.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { stateChange } from './state-filter.ts'

export function StateChips({ pageState }: { pageState: EvaluationState }) {
  const { summary, activeEvaluator, filterState, query, params } = pageState
  const changeParams = useChangeSearchParams()
  if (!summary) return <div className={styles.chips} />
  const evaluator = summary.evaluators.find(({ name }) => name === activeEvaluator)
  const choose = (state?: FilterState) => changeParams(stateChange(pageState, state))
  const toggle = (name: string, value: string) =>
    changeParams({ [name]: has(name, value) ? undefined : value })
  const has = (name: string, value: string) =>
    query.filters.some((filter) => filter[0] === name && filter[1] === value)
  const errors = errorCount(summary)
  return (
    <div role="group" aria-label="States" className={styles.chips}>
      <Chip name="All" rows={summary.matched} isSelected={!filterState} onSelect={() => choose()} />
      {evaluator && (
        <>
          <EvaluatorSelect pageState={pageState} evaluators={summary.evaluators} />
          {stateCounts(evaluator).map(([state, rows]) => {
            const { name, symbol, color } = RESULT_STATES[state]
            return state === 'scored' || state === 'labeled' ? (
              <span key={state} className={styles.count}>
                {name} <span className={styles.rows}>{formatCount(rows)}</span>
              </span>
            ) : (
              <Chip
                key={state}
                name={name}
                icon={color && <span className={color}>{symbol}</span>}
                rows={rows}
                isSelected={filterState === state}
                onSelect={() => choose(filterState === state ? undefined : state)}
              />
            )
          })}
        </>
      )}
      <span className={styles.rule} />
      <Chip
        name="Pinned"
        rows={summary.pinned}
        isSelected={has('is_pinned', 'is.true')}
        onSelect={() => toggle('is_pinned', 'is.true')}
      />
      <Chip
        name="Notes"
        rows={summary.noted}
        isSelected={has('note', 'is.present')}
        onSelect={() => toggle('note', 'is.present')}
      />
      {errors > 0 && params.group !== 'error' && (
        <button type="button" className={styles.errors} onClick={() => changeParams({ group: 'error' })}>
          {pluralize(errors, 'error')} <span aria-hidden="true">▸</span>
        </button>
      )}
    </div>
  )
}

/** Selects the evaluator of the states. The selected state stays if the new evaluator has it too. */
function EvaluatorSelect({
  pageState,
  evaluators,
}: {
  pageState: EvaluationState
  evaluators: EvaluationSummary['evaluators']
}) {
  const { activeEvaluator, filterState } = pageState
  const changeParams = useChangeSearchParams()
  if (evaluators.length === 1) return <span className={styles.count}>by {activeEvaluator}:</span>
  function selectEvaluator(evaluatorName: string) {
    const evaluator = evaluators.find(({ name }) => name === evaluatorName)
    const hasState = evaluator && stateCounts(evaluator).some(([state]) => state === filterState)
    const state = hasState ? filterState : undefined
    changeParams({ ...stateChange(pageState, state, evaluatorName), on: evaluatorName })
  }
  return (
    <ChipsSelect
      prefix="by"
      label="Evaluator"
      value={activeEvaluator}
      options={evaluators.map(({ name }) => ({ value: name, name }))}
      onSelect={selectEvaluator}
    />
  )
}

/** The errors of outputs and evaluators. A row can have several. */
function errorCount({ output_errors, evaluators }: EvaluationSummary): number {
  return evaluators.reduce((sum, { errors }) => sum + errors, output_errors)
}
