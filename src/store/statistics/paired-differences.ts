// Statistics of the paired rows of two evaluations: means, confidence interval, and whether the difference is significant. Uses
// no database.
import { studentQuantile } from './beta-distribution.ts'
import { detectableRateChange, detectableStandardErrors } from './detectable-change.ts'
import { exactMcNemar } from './mcnemar-test.ts'
import {
  type DifferenceSummary,
  type MeasuredDifferences,
  measureDifferences,
  type PairedNumbers,
} from './measured-differences.ts'
import { detectableRepeatedChange, repeatedInterval } from './repeated-verdicts.ts'
import { roundStatistic } from './rounding.ts'
import { verdictInterval } from './verdict-interval.ts'

export type { PairedNumbers }

export interface PairedDifferenceStatistics extends DifferenceSummary, Conclusion {}

/** What the differences show at a confidence level. */
export interface Conclusion {
  /** Confidence interval of `delta`. Null if there are too few rows, or if it does not fit doubles. */
  interval: [low: number, high: number] | null
  /**
   * `higher` or `lower` if the difference is significant. Null if nothing can be concluded: there are no rows, or all
   * differences of numbers are equal and not 0.
   */
  direction: 'higher' | 'lower' | 'tied' | 'too-few' | null
  /** Of McNemar's exact test. Null for numbers, and if rows have repeats. */
  p_value: number | null
  /** The smallest change that would have been significant with a probability of 80 %. Null if there is none, or too few rows. */
  detectable: number | null
}

/** With fewer rows no exact test of verdicts can reject at 95 %, and a variance is a guess. */
export const MIN_ROWS = 6

export function summarizeDifferences(numbers: PairedNumbers, confidence = 0.95): PairedDifferenceStatistics {
  const measured = measureDifferences(numbers)
  return { ...measured.summary, ...concludeDifferences(measured, confidence) }
}

const NO_CONCLUSION = { interval: null, p_value: null, detectable: null } as const

export function concludeDifferences(measured: MeasuredDifferences, confidence: number): Conclusion {
  const { n, verdicts } = measured.summary
  if (!canConclude(measured)) return concludeNothing(measured)
  if (verdicts < n) return concludeNumbers(measured, confidence)
  return measured.hasRepeats ? concludeRepeated(measured, confidence) : concludeVerdicts(measured, confidence)
}

/** Equal differences of numbers say nothing about other rows, unless they are 0. */
export function canConclude({ summary, hasVariance }: MeasuredDifferences): boolean {
  const { n, verdicts, delta } = summary
  return n >= MIN_ROWS && (verdicts === n || hasVariance || delta === 0)
}

/** The exact test is valid for few rows, too. */
function concludeNothing(measured: MeasuredDifferences): Conclusion {
  const { n, verdicts } = measured.summary
  if (n === 0 || n >= MIN_ROWS) return { ...NO_CONCLUSION, direction: null }
  const hasTest = verdicts === n && !measured.hasRepeats
  return { ...NO_CONCLUSION, direction: 'too-few', p_value: hasTest ? testVerdicts(measured) : null }
}

function testVerdicts({ summary }: MeasuredDifferences): number | null {
  return roundStatistic(exactMcNemar(summary.lower, summary.higher))
}

function concludeVerdicts(measured: MeasuredDifferences, confidence: number): Conclusion {
  const { n, higher, lower } = measured.summary
  const [low, high] = verdictInterval({ n, higher, lower }, confidence)
  return {
    interval: roundInterval(low, high),
    direction: directionOf(low, high),
    p_value: testVerdicts(measured),
    detectable: roundStatistic(detectableRateChange(n, (higher + lower) / n, confidence)),
  }
}

function concludeRepeated(measured: MeasuredDifferences, confidence: number): Conclusion {
  const changes = measured.sumChanges()
  const [low, high] = repeatedInterval(changes, confidence)
  return {
    interval: roundInterval(low, high),
    direction: directionOf(low, high),
    p_value: null,
    detectable: roundStatistic(detectableRepeatedChange(changes, confidence)),
  }
}

/** Student's t over rows. */
function concludeNumbers(measured: MeasuredDifferences, confidence: number): Conclusion {
  const { summary, scaledDelta, standardError, hasVariance, unscale } = measured
  if (!hasVariance) return { ...NO_CONCLUSION, interval: [0, 0], direction: 'tied' }
  const degreesOfFreedom = summary.n - 1
  const quantile = studentQuantile(confidence, degreesOfFreedom)
  const margin = quantile * standardError
  const [low, high] = [scaledDelta - margin, scaledDelta + margin]
  const [unscaledLow, unscaledHigh] = [unscale(low), unscale(high)]
  return {
    interval: unscaledLow === null || unscaledHigh === null ? null : [unscaledLow, unscaledHigh],
    direction: directionOf(low, high),
    p_value: null,
    detectable: unscale(detectableStandardErrors(quantile, degreesOfFreedom) * standardError),
  }
}

function roundInterval(low: number, high: number): [low: number, high: number] | null {
  const [roundedLow, roundedHigh] = [roundStatistic(low), roundStatistic(high)]
  return roundedLow === null || roundedHigh === null ? null : [roundedLow, roundedHigh]
}

function directionOf(low: number, high: number): 'higher' | 'lower' | 'tied' {
  return low > 0 ? 'higher' : high < 0 ? 'lower' : 'tied'
}
