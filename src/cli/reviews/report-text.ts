// The report of a review as text: a sentence per question, then tables of reviewers, pairs, labels and disputed rows.
import type { AnswerReport, ReviewReport } from '../../schema/reviews/reviews.ts'
import { formatTable, sanitizeLine, truncateLine } from '../output/terminal-text.ts'

const MAX_CELL_LENGTH = 40
const MAX_LISTED = 20

export function reportText({ id, name, progress, reviewers, results, warnings }: ReviewReport): string {
  const { rows, answered, complete, disputed } = progress
  const people = reviewers.map((reviewer) => [
    truncateLine(reviewer.name, MAX_CELL_LENGTH),
    String(reviewer.answered),
    reviewer.rows_per_hour === null ? '' : String(Math.round(reviewer.rows_per_hour)),
    reviewer.last_answer_at,
  ])
  return [
    `${sanitizeLine(name ?? id)}: ${answered} of ${rows} rows answered, ${complete} complete, ${disputed} disputed.`,
    ...warnings.map((warning) => `Warning: ${sanitizeLine(warning)}`),
    ...(people.length > 0
      ? ['', formatTable([['REVIEWER', 'ROWS', 'PER HOUR', 'LAST ANSWER'], ...people])]
      : []),
    ...results.flatMap((result) => ['', ...describeAnswers(result)]),
  ].join('\n')
}

function describeAnswers(report: AnswerReport): string[] {
  const { evaluator, results, overlapping, agreeing, pairs, labels, disputed_rows } = report
  const pairRows = pairs.map(({ reviewers, rows, agreement, kappa, interval }) => [
    truncateLine(reviewers.join(' and '), MAX_CELL_LENGTH),
    String(rows),
    percent(agreement),
    kappa === null ? '' : kappa.toFixed(2),
    interval === null ? '' : interval.map((bound) => bound.toFixed(2)).join(' to '),
  ])
  const agreement = overlapping === 0 ? '' : ` Reviewers agree on ${agreeing} of ${overlapping} rows.`
  return [
    `${sanitizeLine(evaluator)}: ${results} results.${describePassRate(report)}${agreement}`,
    ...(pairRows.length > 0
      ? [formatTable([['PAIR', 'ROWS', 'AGREE', 'KAPPA', '95 % INTERVAL'], ...pairRows])]
      : []),
    ...(labels.length > 0
      ? [
          formatTable([
            ['LABEL', 'ROWS'],
            ...labels
              .slice(0, MAX_LISTED)
              .map(({ label, rows }) => [truncateLine(label, MAX_CELL_LENGTH), String(rows)]),
          ]),
        ]
      : []),
    ...disputed_rows.slice(0, MAX_LISTED).map(({ scenario_id, answers }) => {
      const values = answers.map(({ by, value }) => `${by}: ${value === null ? 'cannot tell' : value}`)
      return `Disputed: ${sanitizeLine(scenario_id)} (${sanitizeLine(values.join(', '))})`
    }),
  ]
}

function describePassRate({ pass_rate, precision, expected_precision }: AnswerReport): string {
  if (pass_rate === null || !precision || !expected_precision) return ''
  const more = expected_precision.rows - precision.rows
  return ` ${percent(pass_rate)} pass: after ${precision.rows} rows known to ± ${points(precision.margin)} points, after ${more} more to about ± ${points(expected_precision.margin)}.`
}

function percent(rate: number | null): string {
  return rate === null ? '' : `${Math.round(100 * rate)} %`
}

function points(margin: number): number {
  return Math.round(100 * margin)
}
