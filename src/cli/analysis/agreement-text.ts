// The text report of the agreement of two evaluators.
import type { Agreement, VerdictAgreement } from '../../schema/analysis/agreements.ts'
import { wrapText } from '../output/help-text.ts'
import { encodePathSegment } from '../output/markdown.ts'
import { countOf, formatCount } from '../output/progress.ts'
import { formatMean, fractionDigits, NO_VALUE, PLAIN, RATE } from '../output/statistics.ts'
import { alignColumns, sanitizeLine, truncateLine } from '../output/terminal-text.ts'

const MAX_CELL_LENGTH = 20
const KAPPA_HELP = ' 1 is perfect agreement, 0 is chance.'

/** `url` is that of the web page, if it is known. */
export function agreementText(agreement: Agreement, url: string | undefined): string {
  const { verdicts, numbers, best_threshold, corrected_pass_rate, warnings } = agreement
  const names: Names = [sanitizeLine(agreement.evaluator.name), sanitizeLine(agreement.with.name)]
  const lines = [
    introduction(agreement),
    ...(verdicts && verdicts.n > 0 ? ['', ...verdictLines(verdicts, names)] : []),
    ...(corrected_pass_rate ? ['', correctedText(corrected_pass_rate, names)] : []),
    ...(best_threshold ? ['', thresholdText(best_threshold, agreement.evaluator.threshold, names)] : []),
    ...(numbers && numbers.n > 0 ? ['', numberText(numbers)] : []),
    ...(verdicts && verdicts.only_evaluator + verdicts.only_with > 0
      ? ['', disagreementText(agreement, verdicts, url)]
      : []),
    ...(warnings.length > 0 ? [''] : []),
    ...warnings.map(({ detail }) => wrapText(`Warning: ${sanitizeLine(detail)}`)),
    '',
  ]
  return lines.join('\n')
}

type Names = [evaluator: string, other: string]

function introduction({ id, evaluator, with: other, rows, n }: Agreement): string {
  const describe = ({ name, kind, threshold }: Agreement['evaluator']) => {
    const details = [kind, threshold !== null && `threshold ${threshold}`].filter(Boolean)
    return sanitizeLine(name) + (details.length === 0 ? '' : ` (${details.join(', ')})`)
  }
  const scored = `${formatCount(n)} of ${countOf(rows, 'row')} have a score of both`
  return wrapText(`${describe(evaluator)} and ${describe(other)} in ${sanitizeLine(id)}: ${scored}.`)
}

function verdictLines(verdicts: VerdictAgreement, names: Names): string[] {
  const { n, both_pass, both_fail, only_evaluator, only_with, agreement, precision, recall } = verdicts
  const [evaluator, other] = names
  const [row, column] = names.map((name) => truncateLine(name, MAX_CELL_LENGTH))
  const table = [
    ['', `${column} passes`, `${column} fails`, ''],
    [`${row} passes`, formatCount(both_pass), formatCount(only_evaluator), ''],
    [`${row} fails`, formatCount(only_with), formatCount(both_fail), ''],
  ]
  const equal = `${formatCount(both_pass + both_fail)} of ${countOf(n, 'row')} have equal verdicts`
  const fraction = (value: number | null, part: number, whole: number, text: string) =>
    value === null
      ? []
      : [`${formatRate(value)}, ${formatCount(part)} of the ${countOf(whole, 'row')} ${text}.`]
  return [
    ...alignColumns(table),
    '',
    `Agreement: ${formatRate(agreement)}, ${equal}.`,
    `Cohen's kappa: ${formatKappa(verdicts)}.${verdicts.kappa === null ? '' : KAPPA_HELP}`,
    wrapText(`${describeErrors(verdicts, names)}.`),
    ...fraction(
      precision,
      both_pass,
      both_pass + only_evaluator,
      `that pass with ${evaluator} also pass with ${other}`,
    ).map((text) => wrapText(`Precision: ${text}`)),
    ...fraction(
      recall,
      both_pass,
      both_pass + only_with,
      `that pass with ${other} also pass with ${evaluator}`,
    ).map((text) => wrapText(`Recall: ${text}`)),
  ]
}

/** For example: `judge passes 3 rows that human fails, and fails 10 rows that human passes`. */
function describeErrors({ only_evaluator, only_with }: VerdictAgreement, [evaluator, other]: Names): string {
  return `${evaluator} passes ${countOf(only_evaluator, 'row')} that ${other} fails, and fails ${countOf(only_with, 'row')} that ${other} passes`
}

function formatKappa({ kappa, interval }: VerdictAgreement): string {
  if (kappa === null) return 'not defined, because all verdicts are equal'
  const [low, high] = (interval ?? []).map((value) => formatMean(value, PLAIN, 2))
  const range = interval ? ` (95 % confidence interval ${low} to ${high})` : ''
  return formatMean(kappa, PLAIN, 2) + range
}

/** For example: `Pass rate: judge 87.5 % of 120 rows; corrected by 64 verdicts of people 81 % (74 to 88).` */
function correctedText(
  { rows, pass_rate, judged, corrected, interval }: NonNullable<Agreement['corrected_pass_rate']>,
  [evaluator, other]: Names,
): string {
  const [low, high] = interval.map((bound) => formatMean(bound, RATE, 0).replace(/ %$/, ''))
  const rate = formatMean(corrected, RATE, 0)
  return wrapText(
    `Pass rate: ${evaluator} ${formatRate(pass_rate)} of ${countOf(rows, 'row')}; corrected by ${countOf(judged, 'verdict')} of ${other} ${rate} (95 % confidence interval ${low} to ${high}).`,
  )
}

function thresholdText(
  best: NonNullable<Agreement['best_threshold']>,
  declared: number | null,
  names: Names,
): string {
  const subject = `Best threshold of ${names[0]}: ${best.threshold}`
  if (best.threshold === declared) return `${subject}, as declared.`
  const insteadOf = declared === null ? '' : ` instead of ${declared}`
  return wrapText(
    `${subject}${insteadOf}. With it, kappa is ${formatKappa(best)} and the agreement is ${formatRate(best.agreement)}: ${describeErrors(best, names)}. It was chosen on these rows, so expect less agreement on others.`,
  )
}

function numberText({
  n,
  rank_correlation,
  mean_absolute_difference,
}: NonNullable<Agreement['numbers']>): string {
  const difference = mean_absolute_difference
  const rank = rank_correlation === null ? NO_VALUE : formatMean(rank_correlation, PLAIN, 2)
  const distance = formatMean(difference, PLAIN, fractionDigits([difference], PLAIN))
  return `Numbers of ${countOf(n, 'row')}: rank correlation ${rank}, mean absolute difference ${distance}.`
}

/** How to list the rows with different verdicts. */
function disagreementText(
  { id, evaluator, with: other }: Agreement,
  { only_evaluator, only_with }: VerdictAgreement,
  url: string | undefined,
): string {
  const filter = [evaluator, other].map(({ name }) => `disagree=${encodePathSegment(name)}`).join('&')
  const subject = `Rows with different verdicts (${formatCount(only_evaluator + only_with)})`
  if (url === undefined) return `${subject}: use the filter ${filter}`
  return `${subject}: ${url}/evaluations/${encodePathSegment(id)}?${filter}`
}

function formatRate(value: number | null): string {
  return formatMean(value, RATE, 1)
}
