// Warnings about the agreement of two evaluators.
import type { Agreement, VerdictAgreement } from '../../schema/analysis/agreements.ts'
import { MIN_JUDGED_ROWS } from '../statistics/corrected-rate.ts'

/** The rows with a verdict of the evaluator. */
export interface EvaluatorVerdicts {
  evaluator_passes: number
  evaluator_fails: number
}

type Warning = Agreement['warnings'][number]

/** With fewer rows, the confidence interval of kappa is wider than 0.4 for every kappa up to about 0.7. */
const MIN_ROWS = 50
/** Kappa, precision and recall depend mostly on the rows of the rarer verdict. */
const MIN_ROWS_PER_VERDICT = 10

interface WarningCounts extends EvaluatorVerdicts {
  /** The rows in which the score is a number. */
  evaluator_numbers: number
  with_numbers: number
  /** Why the rows with both verdicts are not a random sample. Undefined if they are, or if it does not matter. */
  sampleGap: string | undefined
}

export function findAgreementWarnings(
  agreement: Omit<Agreement, 'warnings'>,
  counts: WarningCounts,
): Warning[] {
  const { evaluator, with: other } = agreement
  return [
    ...warnNothingToCompare(agreement),
    ...warnNoThreshold(agreement, evaluator, counts.evaluator_numbers),
    ...warnNoThreshold(agreement, other, counts.with_numbers),
    ...warnFewRows(agreement),
    ...warnUnjudged(agreement, counts),
    ...warnSample(counts.sampleGap),
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

/** Why there is no corrected pass rate although there are enough judged rows. */
function warnUnjudged(
  { verdicts, evaluator, with: other }: Omit<Agreement, 'warnings'>,
  { evaluator_passes, evaluator_fails }: EvaluatorVerdicts,
): Warning[] {
  if (!verdicts || verdicts.n < MIN_JUDGED_ROWS) return []
  const { both_pass, only_evaluator, only_with, both_fail } = verdicts
  const detail = (rows: number, verdict: string) =>
    `None of the ${rows} rows that ${verdict} with '${evaluator.name}' has a verdict of '${other.name}', so the pass rate cannot be corrected. Review some of them.`
  if (evaluator_passes > 0 && both_pass + only_evaluator === 0)
    return [{ code: 'unjudged-verdict', detail: detail(evaluator_passes, 'pass') }]
  if (evaluator_fails > 0 && only_with + both_fail === 0)
    return [{ code: 'unjudged-verdict', detail: detail(evaluator_fails, 'fail') }]
  return []
}

function warnSample(gap: string | undefined): Warning[] {
  if (gap === undefined) return []
  const detail = `The corrected pass rate assumes that the judged rows are a random sample of all rows. ${gap}`
  return [{ code: 'not-a-random-sample', detail }]
}
