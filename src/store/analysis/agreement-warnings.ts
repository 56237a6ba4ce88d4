// Warnings about the agreement of two evaluators.
import type { Agreement, VerdictAgreement } from '../../schema/analysis/agreements.ts'

type Warning = Agreement['warnings'][number]

/** With fewer rows, the confidence interval of kappa is wider than 0.4 for every kappa up to about 0.7. */
const MIN_ROWS = 50
/** Kappa, precision and recall depend mostly on the rows of the rarer verdict. */
const MIN_ROWS_PER_VERDICT = 10

export function findAgreementWarnings(
  agreement: Omit<Agreement, 'warnings'>,
  counts: { evaluator_numbers: number; with_numbers: number },
): Warning[] {
  const { evaluator, with: other } = agreement
  return [
    ...warnNothingToCompare(agreement),
    ...warnNoThreshold(agreement, evaluator, counts.evaluator_numbers),
    ...warnNoThreshold(agreement, other, counts.with_numbers),
    ...warnFewRows(agreement),
  ]
}

function warnNothingToCompare({ n }: Pick<Agreement, 'n'>): Warning[] {
  if (n > 0) return []
  const detail =
    'No row has a score of both evaluators. Errors, texts and missing results are not scores. Check the filters.'
  return [{ code: 'nothing-to-compare', detail }]
}

function warnNoThreshold(
  { id }: Pick<Agreement, 'id'>,
  { name, threshold }: Agreement['evaluator'],
  numberCount: number,
): Warning[] {
  if (threshold !== null || numberCount === 0) return []
  const rows = numberCount === 1 ? '1 row has' : `${numberCount} rows have`
  const detail = `${rows} a number of '${name}', which declares no threshold. So they have no verdict to compare. Set its 'threshold' with PATCH /evaluations/${id}.`
  return [{ code: 'no-threshold', detail }]
}

/** Only one warning, even if several statistics have few rows. */
function warnFewRows({
  verdicts,
  numbers,
  best_threshold,
  with: { name },
}: Omit<Agreement, 'warnings'>): Warning[] {
  const advice = 'With so few rows, all statistics can be chance, above all the best threshold.'
  for (const counts of [verdicts, best_threshold]) {
    if (!counts) continue
    const { n, passed, failed } = countVerdicts(counts)
    if (n >= MIN_ROWS && Math.min(passed, failed) >= MIN_ROWS_PER_VERDICT) continue
    const detail = `Verdicts are compared in ${n} rows: with '${name}', ${passed} pass and ${failed} fail. ${advice} Compare at least ${MIN_ROWS} rows, with at least ${MIN_ROWS_PER_VERDICT} of each verdict.`
    return [{ code: 'few-rows', detail }]
  }
  if (!numbers || numbers.n >= MIN_ROWS) return []
  const detail = `Numbers are compared in ${numbers.n} rows. ${advice} Compare at least ${MIN_ROWS} rows.`
  return [{ code: 'few-rows', detail }]
}

function countVerdicts({ n, both_pass, only_with }: VerdictAgreement) {
  const passed = both_pass + only_with
  return { n, passed, failed: n - passed }
}
