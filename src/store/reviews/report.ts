// The report of a review: progress, results, agreement of reviewers, disputed rows and labels.
import type { ReviewAnswer } from '../../schema/reviews/answers.ts'
import {
  type AnswerReport,
  type LabelCount,
  MAX_DISPUTED_ROWS,
  MIN_ROWS_FOR_KAPPA,
  MORE_ROWS,
  type Review,
  type ReviewerPair,
  type ReviewQuestion,
  type ReviewReport,
} from '../../schema/reviews/reviews.ts'
import {
  centerRanks,
  computeMeanDistance,
  correlateRanks,
  describeVerdicts,
} from '../statistics/agreement.ts'
import { proportionInterval } from '../statistics/beta-distribution.ts'
import { rateInterval } from '../statistics/mean-interval.ts'
import { roundRate, roundStatistic } from '../statistics/rounding.ts'
import { computeOutcome, definiteAnswers, labelsOf } from './outcomes.ts'
import { countPreferences } from './preferences.ts'
import { isComplete, isDecided, type ReviewedRow, type ReviewedRows, reviewersOf } from './rows.ts'

/** Longer pauses between two answers are not work on rows. */
const MAX_PAUSE_MS = 300_000

export function buildReport(review: Review, { rows, warnings }: ReviewedRows): ReviewReport {
  const results = review.questions.map((question) => reportAnswers(question, rows))
  const isDisputed = (row: ReviewedRow) =>
    review.questions.some(({ evaluator, type }) => computeOutcome(type, answersTo(row, evaluator)).isDisputed)
  const isAnswered = (row: ReviewedRow) => isDecided(review, row) || reviewersOf(review, row).length > 0
  return {
    ...review,
    progress: {
      rows: rows.length,
      answered: rows.filter(isAnswered).length,
      complete: rows.filter((row) => isComplete(review, row)).length,
      disputed: rows.filter(isDisputed).length,
    },
    reviewers: reportReviewers(review, rows),
    results,
    warnings,
  }
}

function answersTo({ answers }: ReviewedRow, evaluator: string): ReviewAnswer[] {
  return answers.filter((answer) => answer.evaluator === evaluator)
}

function reportReviewers(review: Review, rows: readonly ReviewedRow[]): ReviewReport['reviewers'] {
  const answers = rows.flatMap((row) => row.answers.filter(({ is_decision }) => !is_decision))
  const answered = Map.groupBy(
    rows.flatMap((row) => reviewersOf(review, row).map((name) => ({ name, row }))),
    ({ name }) => name,
  )
  return [...Map.groupBy(answers, ({ by }) => by)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => {
      const times = [...new Set(own.map(({ answered_at }) => answered_at))].sort()
      const rowTimes = (answered.get(name) ?? []).map(({ row }) => lastTime(row, name)).sort((a, b) => a - b)
      return {
        name,
        answered: rowTimes.length,
        rows_per_hour: computeRate(rowTimes),
        last_answer_at: times.at(-1) as string,
      }
    })
}

function lastTime({ answers }: ReviewedRow, name: string): number {
  const own = answers.filter(({ by, is_decision }) => by === name && !is_decision)
  return Math.max(...own.map(({ answered_at }) => Date.parse(answered_at)))
}

/** Rows per hour. `times` are in milliseconds and sorted. */
function computeRate(times: readonly number[]): number | null {
  const pauses = times.slice(1).map((time, index) => time - (times[index] as number))
  const work = pauses.filter((pause) => pause <= MAX_PAUSE_MS)
  const total = work.reduce((sum, pause) => sum + pause, 0)
  return total === 0 ? null : roundStatistic((work.length * 3_600_000) / total)
}

function reportAnswers({ evaluator, type }: ReviewQuestion, rows: readonly ReviewedRow[]): AnswerReport {
  const answered = rows
    .map((row) => ({ row, answers: answersTo(row, evaluator) }))
    .map(({ row, answers }) => ({
      row,
      answers,
      outcome: computeOutcome(type, answers),
      definite: definiteAnswers(type, answers),
      labels: labelsOf(type, answers),
    }))
  const results = answered.flatMap(({ outcome }) => outcome.result ?? [])
  const overlapping = answered.filter(({ definite }) => definite.length > 1)
  const disputed = answered.filter(({ outcome }) => outcome.isDisputed)
  const passed = results.filter(({ value }) => value === true).length
  return {
    evaluator,
    type,
    answered: answered.filter(({ labels }) => labels !== undefined).length,
    results: results.length,
    disputed: disputed.length,
    cannot_tell: answered.flatMap(({ answers }) => answers).filter(({ value }) => value === null).length,
    ...(type === 'verdict' ? describePassRate(passed, results.length) : NO_PASS_RATE),
    preference: type === 'preference' ? countPreferences(results) : null,
    labels: countLabels(answered.flatMap(({ labels }) => (labels ? [labels] : []))),
    agreeing: overlapping.filter(({ definite }) => new Set(definite.map(({ value }) => value)).size === 1)
      .length,
    overlapping: overlapping.length,
    pairs: pairReviewers(
      type,
      answered.map(({ definite }) => definite),
    ),
    disputed_rows: disputed
      .slice(0, MAX_DISPUTED_ROWS)
      .map(({ row, answers }) => ({ scenario_id: row.scenario_id, answers })),
  }
}

type PassRate = Pick<
  AnswerReport,
  'passed' | 'pass_rate' | 'pass_rate_interval' | 'precision' | 'expected_precision'
>

const NO_PASS_RATE: PassRate = {
  passed: null,
  pass_rate: null,
  pass_rate_interval: null,
  precision: null,
  expected_precision: null,
}

function describePassRate(passed: number, n: number): PassRate {
  if (n === 0) return { ...NO_PASS_RATE, passed }
  const verdicts = Float64Array.from({ length: n }, (_, row) => Number(row < passed))
  const more = n + MORE_ROWS
  return {
    passed,
    pass_rate: roundRate(passed, n),
    pass_rate_interval: rateInterval({ means: verdicts, hasRepeats: false, runs: n }),
    precision: { rows: n, margin: marginOf(passed, n) },
    expected_precision: { rows: more, margin: marginOf((passed / n) * more, more) },
  }
}

function marginOf(passed: number, n: number): number {
  const [low, high] = proportionInterval(passed, n, 0.95)
  return roundStatistic((high - low) / 2) as number
}

/** The most frequent first, then by name. */
export function countLabels(rows: readonly ReadonlySet<string>[]): LabelCount[] {
  const counts = new Map<string, number>()
  for (const labels of rows) for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts]
    .map(([label, rows]) => ({ label, rows }))
    .sort((a, b) => b.rows - a.rows || (a.label < b.label ? -1 : 1))
}

/** The agreement of each two reviewers with common rows. `rows` are the definite answers of each row. */
function pairReviewers(type: ReviewQuestion['type'], rows: readonly ReviewAnswer[][]): ReviewerPair[] {
  const pairs = new Map<string, { reviewers: [string, string]; values: [unknown, unknown][] }>()
  for (const answers of rows) {
    const sorted = answers.toSorted((a, b) => (a.by < b.by ? -1 : 1))
    for (const [index, first] of sorted.entries())
      for (const second of sorted.slice(index + 1)) {
        const reviewers: [string, string] = [first.by, second.by]
        const name = JSON.stringify(reviewers)
        const pair = pairs.get(name) ?? { reviewers, values: [] }
        pair.values.push([first.value, second.value])
        pairs.set(name, pair)
      }
  }
  return [...pairs.values()]
    .sort((a, b) => (JSON.stringify(a.reviewers) < JSON.stringify(b.reviewers) ? -1 : 1))
    .map(({ reviewers, values }) => ({ reviewers, ...describePair(type, values) }))
}

function describePair(
  type: ReviewQuestion['type'],
  values: [unknown, unknown][],
): Omit<ReviewerPair, 'reviewers'> {
  const rows = values.length
  const agreeing = values.filter(([first, second]) => first === second).length
  const statistics = {
    rows,
    agreeing,
    agreement: roundRate(agreeing, rows),
    kappa: null,
    interval: null,
    rank_correlation: null,
    mean_absolute_difference: null,
  }
  if (type === 'verdict' && rows >= MIN_ROWS_FOR_KAPPA) {
    const count = (first: boolean, second: boolean) =>
      values.filter(([a, b]) => a === first && b === second).length
    const { kappa, interval } = describeVerdicts({
      both_pass: count(true, true),
      both_fail: count(false, false),
      only_evaluator: count(true, false),
      only_with: count(false, true),
    })
    return { ...statistics, kappa, interval }
  }
  if (type !== 'number') return statistics
  const [first, second] = [0, 1].map((side) => Float64Array.from(values, (pair) => pair[side] as number))
  if (!first || !second) return statistics
  return {
    ...statistics,
    rank_correlation: correlateRanks(centerRanks(first), centerRanks(second)),
    mean_absolute_difference: computeMeanDistance(first, second),
  }
}
