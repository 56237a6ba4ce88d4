// The state of an open scenario: its data, position, selected output, and the matched row in the baseline.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { EvaluationRows } from 'assay-client'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { evaluationRows } from '../../queries/evaluations.ts'
import { isNotFound } from '../../queries/following.ts'
import { scenarioTextQuery } from '../../queries/scenarios.ts'
import { useEvaluatorDisplays } from '../../results/evaluator-display.ts'
import { type BaselineRow, outcomesOf } from '../../results/outcomes.ts'
import type { RowNavigation } from '../../row-panel/row-navigation.ts'
import { useScenarioNavigation } from './row-navigation.ts'

export type ScenarioState = NonNullable<ReturnType<typeof useScenarioState>['scenarioState']>

export function useScenarioState(pageState: EvaluationState, id: string, open: (id: string) => void) {
  const { data, error, failureReason, isPlaceholderData } = useQuery({
    ...scenarioTextQuery(pageState.id, id),
    placeholderData: keepPreviousData,
  })
  const navigation = useScenarioNavigation(pageState, id, open)
  const baselineRow = useBaselineRow(pageState, id, navigation)
  const { summary, evaluation } = pageState
  // The rows of the table are not always loaded: its statistics, this row and the baseline decide how many decimals scores have.
  const displays = useEvaluatorDisplays(summary?.evaluators ?? evaluation?.evaluators ?? [], [
    { results: data?.scenario.results ?? [] },
    {
      results: (baselineRow?.deltas ?? []).map(({ evaluator, base }) => ({
        evaluator_config: evaluator,
        result: { type: 'number', value: base },
      })),
    },
  ])
  if (!data || isNotFound(error)) return { scenarioState: undefined, navigation, error, failureReason }
  const { scenario, text } = data
  const outputIndex = Math.min(pageState.params.output, scenario.outputs.length || 1) - 1
  const output = scenario.outputs[outputIndex]
  const scenarioState = {
    scenario,
    text,
    /** The selected output, and its index. */
    output,
    outputIndex,
    outcomes: outcomesOf(scenario, evaluation, isPlaceholderData ? undefined : baselineRow, displays),
    /** The matched row in the baseline; null if there is none. */
    baselineRow,
    /** Whether the previous scenario is shown while the next one is loading. */
    isStale: isPlaceholderData,
  }
  return { scenarioState, navigation, error, failureReason }
}

/** Comes with the position of the scenario. If filters exclude it, its position among all rows is requested. */
function useBaselineRow(
  pageState: EvaluationState,
  id: string,
  { position }: RowNavigation<EvaluationRows>,
): BaselineRow {
  const { data: unfilteredPosition } = useQuery({
    ...evaluationRows(pageState.id, { filters: [], base: pageState.baselineId }).positionQuery(id),
    enabled: pageState.baselineId !== undefined && position?.located === null,
  })
  const located = position?.located === null ? unfilteredPosition : position
  return located?.rows.find((row) => row.id === id)?.base
}
