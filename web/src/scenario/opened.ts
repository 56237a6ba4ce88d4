// The scenario that is looked at, with all that is known of it: its text, its place, its partner in the baseline.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { EvaluationScenario } from 'assay-client'
import { placeQuestion } from '../evaluation/questions.ts'
import type { Shown } from '../evaluation/shown.ts'
import type { Tab } from '../evaluation/view.ts'
import { type Moves, useMoves } from './moves.ts'
import { type BaseRow, type Outcome, outcomesOf } from './outcomes.ts'
import { exactScenarioQuestion } from './questions.ts'

export type Output = EvaluationScenario['outputs'][number]

export interface Opened {
  scenario: EvaluationScenario
  text: string
  /** The output that is looked at, and which one it is, from 0. */
  output: Output | undefined
  outputIndex: number
  tab: Tab
  outcomes: Outcome[]
  /** The row of the baseline that it is paired with. */
  base: BaseRow
  moves: Moves
  /** While the next scenario is on its way the one before stays. */
  isOld: boolean
}

export function useOpened(
  shown: Shown,
  id: string,
  open: (id: string) => void,
): { opened: Opened | undefined; moves: Moves; error: unknown } {
  const { data, error, isPlaceholderData } = useQuery({
    ...exactScenarioQuestion(shown.id, id),
    placeholderData: keepPreviousData,
  })
  const moves = useMoves(shown, id, open)
  const base = useBaseRow(shown, id, moves)
  if (!data) return { opened: undefined, moves, error }
  const { scenario, text } = data
  const outputIndex = Math.min(shown.view.output, scenario.outputs.length || 1) - 1
  const output = scenario.outputs[outputIndex]
  const opened = {
    scenario,
    text,
    output,
    outputIndex,
    tab: shown.view.tab ?? (scenario.correct_answers?.length && output ? 'diff' : 'output'),
    outcomes: outcomesOf(scenario, shown.evaluation, isPlaceholderData ? undefined : base),
    base,
    moves,
    isOld: isPlaceholderData,
  }
  return { opened, moves, error }
}

/** Comes with the place in the view; where filters leave the scenario out, with its place among all. */
function useBaseRow(shown: Shown, id: string, { place }: Moves): BaseRow {
  const { data: among } = useQuery({
    ...placeQuestion(shown.id, { filters: [], base: shown.base }, id),
    enabled: shown.base !== undefined && place?.located === null,
  })
  const found = place?.located === null ? among : place
  return found?.rows.find((row) => row.id === id)?.base
}
