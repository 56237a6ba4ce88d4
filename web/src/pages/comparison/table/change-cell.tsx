// Change of a row on one evaluator: "✓→✗ ▼" for verdicts, "0.93→0.41 ▼0.52" for numbers, and text for screen readers.

import { formatScore } from '../../../format/numbers.ts'
import { DEFAULT_RULE, judgeResult } from '../../../results/cells.ts'
import type { CellContent } from '../../../table/row.tsx'
import styles from '../../../table/table.module.css'
import { Delta } from '../../../ui/delta.tsx'
import type { JoinedRow } from '../row-data.ts'

interface ChangeContext {
  on: string | undefined
  /** Number of the candidate, from 1. */
  side: number
  /** Names of the evaluations, the baseline first. */
  names: readonly string[]
  higherIsBetter: boolean
  decimals: number
}

const OUTCOMES = { regressed: 'worse', improved: 'better', same: 'tied', incomparable: null } as const

export function changeContent({ base, candidates }: JoinedRow, context: ChangeContext): CellContent {
  const { on, side, names, higherIsBetter, decimals } = context
  const candidate = candidates[side - 1]
  if (!candidate || candidate.class === 'missing') {
    return [styles.muted, missingLabel(base !== null, candidate?.row != null, context)]
  }
  const before = resultLabel(base, on, decimals)
  const after = resultLabel(candidate.row, on, decimals)
  const outcome = OUTCOMES[candidate.class]
  const isScore = before.isNumber && after.isNumber
  return [
    undefined,
    <>
      <span aria-hidden="true">
        <ResultMark {...before} />
        <span className={styles.separator}>→</span>
        <ResultMark {...after} />
      </span>
      <span className="sr-only">
        {before.label} to {after.label}
        {outcome === null && ', cannot be compared'}
      </span>{' '}
      {outcome !== null && candidate.delta !== null && (
        <Delta
          value={candidate.delta}
          higherIsBetter={higherIsBetter}
          outcome={outcome}
          baselineName={names[0] ?? 'the baseline'}
          format={isScore ? (by) => formatScore(by, decimals) : undefined}
        />
      )}
    </>,
    outcome === null ? `Cannot be compared: ${before.label}, then ${after.label}` : undefined,
  ]
}

/** With two evaluations names the one that has the row; with more, the one that does not. */
function missingLabel(isInBaseline: boolean, isInCandidate: boolean, { names, side }: ChangeContext): string {
  const [baseline = '', candidate = ''] = [names[0], names[side]]
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

function resultLabel(row: JoinedRow['base'], on: string | undefined, decimals: number): ResultLabel {
  if (!row || on === undefined) return { mark: '–', label: 'no result', className: 'muted' }
  // Numbers are compared as numbers: thresholds do not affect row classes.
  const { state, value } = judgeResult(row, on, DEFAULT_RULE)
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
