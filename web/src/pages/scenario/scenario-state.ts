// The state of an open scenario: its data, position, selected output, and the matched row in the baseline.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { EvaluationRows } from 'assay-client'
import { queryClient } from '../../api/client.ts'
import { failureFilter, failuresIn } from '../../evaluation-state/next-failure.ts'
import { type EvaluationState, selectEvaluator } from '../../evaluation-state/page-state.ts'
import { evaluationRows, hasScenario, summaryQuery } from '../../queries/evaluations.ts'
import { isNotFound } from '../../queries/following.ts'
import { scenarioTextQuery } from '../../queries/scenarios.ts'
import { useEvaluatorDisplays } from '../../results/evaluator-display.ts'
import { outcomesOf } from '../../results/outcomes.ts'
import { type RowNavigation, useRowNavigation } from '../../row-panel/row-navigation.ts'

export type ScenarioState = NonNullable<ReturnType<typeof useScenarioState>['scenarioState']>

export function useScenarioState(pageState: EvaluationState, id: string, open: (id: string) => void) {
  const { data, error, failureReason, isPlaceholderData } = useQuery({
    ...scenarioTextQuery(pageState.id, id),
    placeholderData: keepPreviousData,
  })
  const navigation = useScenarioNavigation(pageState, id, open)
  const row = useLocatedRow(pageState, id, navigation)
  const baselineRow = row?.base
  const repeats = row?.repeats ?? undefined
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
  if (!data || isNotFound(error)) return { scenarioState: undefined, row, navigation, error, failureReason }
  const { scenario, text } = data
  const outputIndex = Math.min(pageState.params.output, scenario.outputs.length || 1) - 1
  const output = scenario.outputs[outputIndex]
  const scenarioState = {
    scenario,
    text,
    /** The selected output, and its index. */
    output,
    outputIndex,
    // The changes of a row with repeats are those of their means, not of one repeat.
    outcomes: outcomesOf(
      scenario,
      evaluation,
      isPlaceholderData || repeats ? undefined : baselineRow,
      displays,
    ),
    displays,
    /** All repeats of the row; undefined if there is only one. */
    repeats,
    /** The matched row in the baseline; null if there is none. */
    baselineRow,
    /** Whether the previous scenario is shown while the next one is loading. */
    isStale: isPlaceholderData,
  }
  return { scenarioState, row, navigation, error, failureReason }
}

/** The row comes with the position of the scenario. If filters exclude it, its position among all rows is requested. */
function useLocatedRow(
  pageState: EvaluationState,
  id: string,
  { position }: RowNavigation<EvaluationRows>,
): EvaluationRows['rows'][number] | undefined {
  const { data: unfilteredPosition } = useQuery({
    ...evaluationRows(pageState.id, { ...pageState.query, filters: [] }).positionQuery(id),
    enabled:
      position?.located === null &&
      (pageState.baselineId !== undefined || pageState.query.group !== undefined),
  })
  const located = position?.located === null ? unfilteredPosition : position
  return located?.rows.find((row) => hasScenario(row, id))
}

/** The position of a scenario among the filtered rows, and navigation to other rows and failures. */
function useScenarioNavigation(
  { id, evaluation, query, activeEvaluator }: EvaluationState,
  scenario: string,
  open: (id: string) => void,
): RowNavigation<EvaluationRows> {
  return useRowNavigation({
    source: evaluationRows(id, query),
    isReady: evaluation !== undefined,
    row: scenario,
    open,
    scenariosOf: (row) => [[id, row.id]],
    matchName: 'failure',
    loadMatches: async () => {
      const summary = await queryClient.fetchQuery(summaryQuery(id, { filters: [], base: query.base }))
      return failuresIn(id, query, failureFilter(summary, selectEvaluator(activeEvaluator, summary)))
    },
  })
}
