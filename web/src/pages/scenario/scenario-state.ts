// The state of an open scenario: its data, position, selected output and tab, and the matched row in the baseline.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { EvaluationScenario, Rows } from 'assay-client'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import type { Tab } from '../../evaluation-state/search-params.ts'
import { evaluationRows } from '../../queries/evaluations.ts'
import { scenarioTextQuery } from '../../queries/scenarios.ts'
import { type BaselineRow, type Outcome, outcomesOf } from '../../results/outcomes.ts'
import type { Output } from '../../row-panel/output-picker.tsx'
import type { RowNavigation } from '../../row-panel/row-navigation.ts'
import { useScenarioNavigation } from './row-navigation.ts'

export interface ScenarioState {
  scenario: EvaluationScenario
  text: string
  /** The selected output, and its index. */
  output: Output | undefined
  outputIndex: number
  tab: Tab
  outcomes: Outcome[]
  /** The matched row in the baseline; null if there is none. */
  baselineRow: BaselineRow
  navigation: RowNavigation<Rows>
  /** Whether the previous scenario is shown while the next one is loading. */
  isStale: boolean
}

export function useScenarioState(
  pageState: EvaluationState,
  id: string,
  open: (id: string) => void,
): { scenarioState: ScenarioState | undefined; navigation: RowNavigation<Rows>; error: unknown } {
  const { data, error, isPlaceholderData } = useQuery({
    ...scenarioTextQuery(pageState.id, id),
    placeholderData: keepPreviousData,
  })
  const navigation = useScenarioNavigation(pageState, id, open)
  const baselineRow = useBaselineRow(pageState, id, navigation)
  if (!data) return { scenarioState: undefined, navigation, error }
  const { scenario, text } = data
  const outputIndex = Math.min(pageState.params.output, scenario.outputs.length || 1) - 1
  const output = scenario.outputs[outputIndex]
  const scenarioState = {
    scenario,
    text,
    output,
    outputIndex,
    tab: pageState.params.tab ?? (scenario.correct_answers?.length && output ? 'diff' : 'output'),
    outcomes: outcomesOf(scenario, pageState.evaluation, isPlaceholderData ? undefined : baselineRow),
    baselineRow,
    navigation,
    isStale: isPlaceholderData,
  }
  return { scenarioState, navigation, error }
}

/** Comes with the position of the scenario. If filters exclude it, its position among all rows is requested. */
function useBaselineRow(
  pageState: EvaluationState,
  id: string,
  { position }: RowNavigation<Rows>,
): BaselineRow {
  const { data: unfilteredPosition } = useQuery({
    ...evaluationRows(pageState.id, { filters: [], base: pageState.baselineId }).positionQuery(id),
    enabled: pageState.baselineId !== undefined && position?.located === null,
  })
  const located = position?.located === null ? unfilteredPosition : position
  return located?.rows.find((row) => row.id === id)?.base
}
