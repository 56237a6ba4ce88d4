// The tabs that select a repeat of the open row: one line for the baseline, and one per candidate.
import { useQueries } from '@tanstack/react-query'
import { evaluationRows, hasScenario } from '../../../queries/evaluations.ts'
import { useEvaluatorDisplays } from '../../../results/evaluator-display.ts'
import { RepeatTabs, repeatTabs } from '../../../row-panel/repeat-tabs.tsx'
import type { ComparisonState } from '../page-state.ts'
import { scoreText } from '../row-classes.ts'
import type { EvaluationRow, RowData } from '../row-data.ts'
import styles from './row-panel.module.css'

interface RepeatsProps {
  state: ComparisonState
  rowData: RowData
  selectedCandidates: EvaluationRow[]
  /** Called with the index of the evaluation and the scenario of a repeat. */
  onSelect: (evaluationIndex: number, scenario: string) => void
}

const NO_EVALUATORS: never[] = []

export function Repeats({ state, rowData, selectedCandidates, onSelect }: RepeatsProps) {
  const { row, baseline, candidates } = rowData
  const sides = [
    { evaluationRow: baseline, repeats: row.base_repeats, score: row.base_score },
    ...candidates.map((evaluationRow, index) => {
      const { repeats = null, score = null } = row.candidates[index] ?? {}
      return { evaluationRow, repeats, score }
    }),
  ]
  // The rows of a comparison have no scores of single repeats.
  const rows = useQueries({
    queries: sides.map(({ evaluationRow, repeats }) => ({
      ...evaluationRows(evaluationRow.comparedEvaluation.id, { filters: [], group: 'row' }).positionQuery(
        repeats?.[0] ?? '',
      ),
      enabled: repeats !== null,
    })),
  })
  const displays = useEvaluatorDisplays(state.comparison?.candidates[0]?.evaluators ?? NO_EVALUATORS)
  return (
    <div className={styles.repeats}>
      {sides.map(({ evaluationRow, repeats, score }, index) => {
        const { comparedEvaluation, scenario, shortName } = evaluationRow
        const isVisible = index === 0 || selectedCandidates.includes(evaluationRow)
        if (!repeats || !scenario || !isVisible) return null
        const found = rows[index]?.data?.rows.find((item) => hasScenario(item, repeats[0] ?? ''))
        return (
          <div key={comparedEvaluation.id} className={styles.repeatsOfSide}>
            <p>
              <bdi>{shortName}</bdi> <span className="quiet">{scoreText(score)}</span>
            </p>
            <RepeatTabs
              label={`Repeat of ${shortName}`}
              tabs={
                found?.repeats
                  ? repeatTabs(found.repeats, displays, state.evaluator)
                  : repeats.map((id) => ({ id }))
              }
              selectedId={scenario.id}
              hasKeys={candidates.length === 1 && index === 1}
              onSelect={(id) => onSelect(index, id)}
            />
          </div>
        )
      })}
    </div>
  )
}
