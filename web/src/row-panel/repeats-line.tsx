// One line below the header of a row with repeats: how many pass, and the mean of scores, for each evaluator.
import type { ReactNode } from 'react'
import { DEFAULT_DISPLAY, type EvaluatorDisplays, formatFixed } from '../results/evaluator-display.ts'
import { PassCount } from '../results/repeat-marks.tsx'
import { type RowRepeats, repeatedResult } from '../results/repeats.ts'
import { useIsNarrow } from '../ui/media.ts'
import styles from './summary-line.module.css'

/** More evaluators would not be readable in one line. */
const MAX_EVALUATORS = 2

interface RepeatsLineProps {
  repeats: RowRepeats
  displays: EvaluatorDisplays
  /** The evaluator that comes first. */
  activeEvaluator: string | undefined
  /** At the end of the line: latency and cost of the selected repeat. */
  children: ReactNode
}

export function RepeatsLine({ repeats, displays, activeEvaluator, children }: RepeatsLineProps) {
  const isNarrow = useIsNarrow()
  const results = repeats.scores
    .toSorted((a, b) => Number(b.evaluator === activeEvaluator) - Number(a.evaluator === activeEvaluator))
    .flatMap(({ evaluator }) => {
      const display = { ...(displays[evaluator] ?? DEFAULT_DISPLAY), isRounded: true }
      const result = repeatedResult(repeats, evaluator, display)
      return result ? { evaluator, result, display } : []
    })
  return (
    <div className={styles.line} tabIndex={isNarrow ? 0 : undefined}>
      <ul className={styles.results} aria-label="Summary">
        {results.slice(0, MAX_EVALUATORS).map(({ evaluator, result, display }) => (
          <li key={evaluator} data-tooltip={evaluator}>
            <bdi className={styles.name}>{evaluator}</bdi>{' '}
            {result.hasVerdicts ? (
              <PassCount result={result} />
            ) : (
              <span className={styles.score}>
                {formatFixed(result.mean, display)}
                {result.deviation !== undefined && (
                  <span className="quiet"> ± {formatFixed(result.deviation, display)}</span>
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
      <div className={styles.measures}>{children}</div>
    </div>
  )
}
