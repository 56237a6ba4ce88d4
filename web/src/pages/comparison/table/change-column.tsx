// Column type of a candidate's change: "✓→✗ ▼" for verdicts, "0.93→0.41 ▼0.52" for numbers, and text for screen readers.
import { formatScore } from '../../../format/numbers.ts'
import { DEFAULT_RULE, judgeResult, resultOf } from '../../../results/cells.ts'
import { RESULT_STATES } from '../../../results/result-states.ts'
import { nameWidth } from '../../../table/columns/column-layout.ts'
import type { Cell, Column, ColumnType } from '../../../table/columns/column-type.ts'
import styles from '../../../table/table.module.css'
import { Delta } from '../../../ui/delta.tsx'
import type { JoinedRow } from '../queries.ts'
import { ROW_CLASSES } from '../row-classes.ts'
import { type ComparisonContext, type Names, scenarioAt } from './context.ts'

export const changeColumn: ColumnType<JoinedRow, Names, ComparisonContext> = {
  label: 'change',
  columns: ({ evaluations: [, ...candidates] }) =>
    candidates.map((name, index) => ({
      key: `change.${index + 1}`,
      name,
      isPinned: true,
      evaluationIndex: index + 1,
    })),
  width: ({ name }, _, { evaluator = '' }) => nameWidth(Math.max(name.length, evaluator.length), 150, 220),
  align: 'left',
  cell: changeCell,
  value: changeText,
  header: (_, { evaluator }) => evaluator,
  // The API can sort only by the change of the first candidate.
  sort: ({ evaluationIndex }, { evaluator }) =>
    evaluationIndex === 1 && evaluator !== undefined ? [`delta.${evaluator}`] : [],
}

/** "pass to fail", or why there is no change. */
function changeText(row: JoinedRow, column: Column, context: ComparisonContext): string {
  const { candidate, results } = changeOf(row, column, context)
  if (!candidate || candidate.class === 'missing') return missingLabel(row, column, context)
  const labels = results.map(({ label }) => label).join(' to ')
  return candidate.class === 'incomparable' ? `${labels}, cannot be compared` : labels
}

function changeCell(row: JoinedRow, column: Column, context: ComparisonContext): Cell {
  const { candidate, results } = changeOf(row, column, context)
  const text = changeText(row, column, context)
  if (!candidate || candidate.class === 'missing') return { className: 'muted', content: text }
  const [baselineResult, candidateResult] = results
  const isComparable = candidate.class !== 'incomparable'
  const { names, display } = context
  const isScore = baselineResult.isNumber && candidateResult.isNumber
  return {
    content: (
      <>
        <span aria-hidden="true">
          <span className={baselineResult.className}>{baselineResult.mark}</span>
          <span className={styles.separator}>→</span>
          <span className={candidateResult.className}>{candidateResult.mark}</span>
        </span>
        <span className="sr-only">{text}</span>{' '}
        {isComparable && candidate.delta !== null && (
          <Delta
            difference={candidate.delta}
            higherIsBetter={display.higherIsBetter}
            direction={ROW_CLASSES[candidate.class].outcome ?? 'tied'}
            baselineName={names[0] ?? 'the baseline'}
            format={isScore ? (value) => formatScore(value, display.decimals) : undefined}
          />
        )}
      </>
    ),
    title: isComparable
      ? undefined
      : `Cannot be compared: ${baselineResult.label}, then ${candidateResult.label}`,
  }
}

function changeOf(row: JoinedRow, { evaluationIndex = 0 }: Column, context: ComparisonContext) {
  const candidate = row.candidates[evaluationIndex - 1]
  const results = [resultLabel(row.base, context), resultLabel(candidate?.row, context)] as const
  return { candidate, results }
}

/** Names the evaluation that has the row if there are two, or else one that does not have it. */
function missingLabel(row: JoinedRow, { evaluationIndex = 0 }: Column, { names }: ComparisonContext): string {
  const [baseline = '', candidate = ''] = [names[0], names[evaluationIndex]]
  if (names.length === 2) return `only in ${row.base ? baseline : candidate}`
  return `not in ${scenarioAt(row, evaluationIndex) ? baseline : candidate}`
}

interface ResultLabel {
  mark: string
  /** For screen readers and tooltips. */
  label: string
  className?: string | undefined
  isNumber?: boolean
}

function resultLabel(
  row: JoinedRow['base'] | undefined,
  { evaluator, display }: ComparisonContext,
): ResultLabel {
  if (!row || evaluator === undefined) return { mark: '–', label: 'no result', className: 'muted' }
  // Numbers are compared as numbers: thresholds do not affect row classes.
  const { state, value } = judgeResult(resultOf(row, evaluator), DEFAULT_RULE)
  if (typeof value === 'number') {
    const number = formatScore(value, display.decimals)
    return { mark: number, label: number, isNumber: true }
  }
  const { symbol: mark, color } = RESULT_STATES[state]
  if (state === 'pass' || state === 'fail') return { mark, label: state, className: color }
  if (state === 'error') return { mark, label: `error: ${value}`, className: styles.error }
  if (state === 'labeled') return { mark: String(value), label: String(value) }
  return { mark, label: 'not scored', className: 'muted' }
}
