// Change of a row on one evaluator: "✓→✗ ▼" for verdicts, "0.93→0.41 ▼0.52" for numbers, and text for screen readers.

import { formatScore } from '../../../format/numbers.ts'
import { DEFAULT_RULE, judgeResult } from '../../../results/cells.ts'
import type { CellContent } from '../../../table/row.tsx'
import styles from '../../../table/table.module.css'
import { Delta } from '../../../ui/delta.tsx'
import type { JoinedRow } from '../row-data.ts'

interface ChangeContext {
  evaluator: string | undefined
  /** Index of the candidate among the evaluations. 0 is the baseline. */
  evaluationIndex: number
  /** Names of the evaluations, the baseline first. */
  names: readonly string[]
  higherIsBetter: boolean
  decimals: number
}

const DIRECTIONS = { regressed: 'worse', improved: 'better', same: 'tied', incomparable: null } as const

export function changeContent({ base, candidates }: JoinedRow, context: ChangeContext): CellContent {
  const { evaluator, evaluationIndex, names, higherIsBetter, decimals } = context
  const candidate = candidates[evaluationIndex - 1]
  if (!candidate || candidate.class === 'missing') {
    return [styles.muted, missingLabel(base !== null, candidate?.row != null, context)]
  }
  const baselineResult = resultLabel(base, evaluator, decimals)
  const candidateResult = resultLabel(candidate.row, evaluator, decimals)
  const direction = DIRECTIONS[candidate.class]
  const isScore = baselineResult.isNumber && candidateResult.isNumber
  return [
    undefined,
    <>
      <span aria-hidden="true">
        <ResultMark {...baselineResult} />
        <span className={styles.separator}>→</span>
        <ResultMark {...candidateResult} />
      </span>
      <span className="sr-only">
        {baselineResult.label} to {candidateResult.label}
        {direction === null && ', cannot be compared'}
      </span>{' '}
      {direction !== null && candidate.delta !== null && (
        <Delta
          difference={candidate.delta}
          higherIsBetter={higherIsBetter}
          direction={direction}
          baselineName={names[0] ?? 'the baseline'}
          format={isScore ? (value) => formatScore(value, decimals) : undefined}
        />
      )}
    </>,
    direction === null
      ? `Cannot be compared: ${baselineResult.label}, then ${candidateResult.label}`
      : undefined,
  ]
}

/** Names the evaluation that has the row if there are two, or else one that does not have it. */
function missingLabel(isInBaseline: boolean, isInCandidate: boolean, context: ChangeContext): string {
  const { names, evaluationIndex } = context
  const [baseline = '', candidate = ''] = [names[0], names[evaluationIndex]]
  if (names.length === 2) return `only in ${isInBaseline ? baseline : candidate}`
  return `not in ${isInCandidate ? baseline : candidate}`
}

interface ResultLabel {
  mark: string
  /** For screen readers and tooltips. */
  label: string
  className?: string | undefined
  isNumber?: boolean
}

function resultLabel(row: JoinedRow['base'], evaluator: string | undefined, decimals: number): ResultLabel {
  if (!row || evaluator === undefined) return { mark: '–', label: 'no result', className: 'muted' }
  // Numbers are compared as numbers: thresholds do not affect row classes.
  const { state, value } = judgeResult(row, evaluator, DEFAULT_RULE)
  if (typeof value === 'number') {
    const number = formatScore(value, decimals)
    return { mark: number, label: number, isNumber: true }
  }
  if (state === 'pass') return { mark: '✓', label: 'pass', className: 'better' }
  if (state === 'fail') return { mark: '✗', label: 'fail', className: 'worse' }
  if (state === 'error') return { mark: '⚠', label: `error: ${value}`, className: styles.error }
  if (state === 'labeled') return { mark: String(value), label: String(value) }
  return { mark: '–', label: 'not scored', className: 'muted' }
}

function ResultMark({ mark, className }: ResultLabel) {
  return <span className={className}>{mark}</span>
}
