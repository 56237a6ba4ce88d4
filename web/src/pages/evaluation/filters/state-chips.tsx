// The states of the rows for one evaluator, as chips that filter by it, and the heading that replaces them above errors.
import { Link } from '@tanstack/react-router'
import type { EvaluationSummary } from 'assay-client'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import styles from '../../../filters/row-toolbar.module.css'
import { formatCount } from '../../../format/numbers.ts'
import {
  type FilterState,
  RESULT_STATES,
  type RepeatedState,
  type ResultState,
} from '../../../results/result-states.ts'
import { stateCounts } from '../../../results/state-filters.ts'
import { StateIcon } from '../../../results/state-icon.tsx'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Triangle } from '../../../ui/icon.tsx'
import { ChoiceMenu } from '../../../ui/menus/choice-menu.tsx'
import { Skeleton } from '../../../ui/messages/skeleton.tsx'
import chipStyles from './state-chips.module.css'
import { selectedChange, stateChange } from './state-filter.ts'

/** The states of an evaluator with their rows, if their number is known. */
type CountStates = (evaluator: string | undefined) => [ResultState | RepeatedState, number | undefined][]

export function StateChips({ pageState }: { pageState: EvaluationState }) {
  const { summary, totalSummary = summary, activeEvaluator, filterState, isGrouped } = pageState
  const changeParams = useChangeSearchParams()
  if (!summary) {
    return (
      <div className={`${styles.chips} ${chipStyles.loading}`}>
        <Skeleton width={70} />
      </div>
    )
  }
  const hasEvaluator = summary.evaluators.some(({ name }) => name === activeEvaluator)
  const countsOf: CountStates = (evaluator) =>
    isGrouped ? repeatedStateCounts(summary, evaluator) : stateCounts(summary, evaluator)
  const choose = (state?: FilterState) => changeParams(stateChange(pageState, state))
  const change = selectedChange(pageState)
  const countRows = ({ rows, matched }: EvaluationSummary) => (isGrouped ? rows : matched)
  return (
    <div role="group" aria-label="States" className={styles.chips}>
      {hasEvaluator && <EvaluatorMenu pageState={pageState} summary={summary} countsOf={countsOf} />}
      <Chip
        count={countRows(summary)}
        total={totalSummary && countRows(totalSummary)}
        isPressed={!filterState}
        onClick={() => choose()}
      >
        All
      </Chip>
      {change && (
        <Chip
          icon={<Triangle direction={change.direction} />}
          count={change.rows}
          isPressed
          onClick={() => choose()}
        >
          {change.direction === 'worse' ? 'Regressed' : 'Improved'}
        </Chip>
      )}
      {countsOf(activeEvaluator).map(([state, rows]) => {
        const { name } = RESULT_STATES[state]
        return state === 'scored' || state === 'labeled' ? (
          <span key={state} className={chipStyles.count}>
            {name} <span className="quiet">{formatCount(rows ?? 0)}</span>
          </span>
        ) : (
          <Chip
            key={state}
            icon={<StateIcon state={state} />}
            count={rows}
            isPressed={filterState === state}
            onClick={() => choose(filterState === state ? undefined : state)}
          >
            {name}
          </Chip>
        )
      })}
    </div>
  )
}

interface EvaluatorMenuProps {
  pageState: EvaluationState
  summary: EvaluationSummary
  countsOf: CountStates
}

/** Selects the evaluator of the states. The selected state stays if the new evaluator has it too. */
function EvaluatorMenu({ pageState, summary, countsOf }: EvaluatorMenuProps) {
  const { activeEvaluator, filterState } = pageState
  const changeParams = useChangeSearchParams()
  function selectEvaluator(evaluatorName: string) {
    const hasState = countsOf(evaluatorName).some(([state]) => state === filterState)
    const state = hasState ? filterState : undefined
    changeParams({ ...stateChange(pageState, state, evaluatorName), on: evaluatorName })
  }
  return (
    <ChoiceMenu
      title="Evaluator"
      value={activeEvaluator}
      options={summary.evaluators.map(({ name }) => ({ value: name, name }))}
      onSelect={selectEvaluator}
    />
  )
}

/** The number of rows with an error or a failed output is not known. */
function repeatedStateCounts(
  { output_errors, evaluators }: Pick<EvaluationSummary, 'output_errors' | 'evaluators'>,
  evaluatorName: string | undefined,
): ReturnType<CountStates> {
  const failedOutputs: [ResultState, undefined][] = output_errors > 0 ? [['output_error', undefined]] : []
  const evaluator = evaluators.find(({ name }) => name === evaluatorName)
  if (!evaluator) return failedOutputs
  const { rows = 0, flaky, pass_all = null, pass_any = null, errors } = evaluator
  const hasVerdicts = typeof flaky === 'number' && pass_all !== null && pass_any !== null
  return [
    ...(hasVerdicts
      ? ([
          ['flaky', flaky],
          ['always_pass', Math.round(pass_all * rows)],
          ['always_fail', Math.round((1 - pass_any) * rows)],
        ] satisfies [RepeatedState, number][])
      : []),
    ...(errors > 0 ? ([['error', undefined]] satisfies [ResultState, undefined][]) : []),
    ...failedOutputs,
  ]
}

export function ErrorsHeading({ pageState: { id, summary } }: { pageState: EvaluationState }) {
  const errors = summary?.evaluators.reduce((sum, { errors }) => sum + errors, summary.output_errors)
  return (
    <div className={chipStyles.heading}>
      <h2>Errors {errors !== undefined && <span className="quiet">{formatCount(errors)}</span>}</h2>
      <Link
        to="/evaluations/$evaluationId"
        params={{ evaluationId: id }}
        search={(old) => ({ ...old, group: undefined })}
      >
        Back to rows
      </Link>
    </div>
  )
}
