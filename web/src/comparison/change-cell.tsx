// What became of a row on one evaluator: "✓→✗ ▼" of verdicts, "0.93→0.41 ▼0.52" of numbers, and the same in words.
import { judgementOf, PLAIN_RULE } from '../evaluation/cells.ts'
import { score } from '../format/numbers.ts'
import styles from '../grid/grid.module.css'
import type { Content } from '../grid/row.tsx'
import { Delta } from '../parts/delta.tsx'
import type { JoinedRow } from './opened-row.ts'

interface Changed {
  on: string | undefined
  /** The candidate, from 1. */
  side: number
  /** What evaluations are called, the base first. */
  names: readonly string[]
  higherIsBetter: boolean
  decimals: number
}

const OUTCOMES = { regressed: 'worse', improved: 'better', same: 'tied', incomparable: null } as const

export function changeContent({ base, candidates }: JoinedRow, changed: Changed): Content {
  const { on, side, names, higherIsBetter, decimals } = changed
  const candidate = candidates[side - 1]
  if (!candidate || candidate.class === 'missing') {
    return [styles.nothing, whereFrom(base !== null, candidate?.row != null, changed)]
  }
  const before = said(base, on, decimals)
  const after = said(candidate.row, on, decimals)
  const outcome = OUTCOMES[candidate.class]
  const isScore = before.isNumber && after.isNumber
  return [
    undefined,
    <>
      <span aria-hidden="true">
        <Mark {...before} />
        <span className={styles.to}>→</span>
        <Mark {...after} />
      </span>
      <span className="unseen">
        {before.words} to {after.words}
        {outcome === null && ', cannot be compared'}
      </span>{' '}
      {outcome !== null && candidate.delta !== null && (
        <Delta
          value={candidate.delta}
          higherIsBetter={higherIsBetter}
          outcome={outcome}
          base={names[0] ?? 'the baseline'}
          format={isScore ? (by) => score(by, decimals) : undefined}
        />
      )}
    </>,
    outcome === null ? `Cannot be compared: ${before.words}, then ${after.words}` : undefined,
  ]
}

/** Of two evaluations, the one that has the row; of more, the one that has not. */
function whereFrom(isInBase: boolean, isInCandidate: boolean, { names, side }: Changed): string {
  const [base = '', candidate = ''] = [names[0], names[side]]
  if (names.length === 2) return `only in ${isInBase ? base : candidate}`
  return `not in ${isInCandidate ? base : candidate}`
}

interface Said {
  mark: string
  words: string
  className?: string | undefined
  isNumber?: boolean
}

function said(row: JoinedRow['base'], on: string | undefined, decimals: number): Said {
  if (!row || on === undefined) return { mark: '–', words: 'nothing', className: 'soft' }
  // Numbers are compared as numbers: a threshold makes no other class of them.
  const { state, value } = judgementOf(row, on, PLAIN_RULE)
  if (typeof value === 'number') {
    const number = score(value, decimals)
    return { mark: number, words: number, isNumber: true }
  }
  if (state === 'pass') return { mark: '✓', words: 'pass', className: 'better' }
  if (state === 'fail') return { mark: '✗', words: 'fail', className: 'worse' }
  if (state === 'error') return { mark: '⚠', words: `error: ${value}`, className: styles.error }
  if (state === 'labelled') return { mark: String(value), words: String(value) }
  return { mark: '–', words: 'not run', className: 'soft' }
}

function Mark({ mark, className }: Said) {
  return <span className={className}>{mark}</span>
}
