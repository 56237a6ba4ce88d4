// The agreement of two evaluators: counts of their verdicts, kappa, rank correlation and the best threshold.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Problem } from '../../errors.ts'
import { toStorableText } from '../../json/storable-text.ts'
import { type Agreement, MAX_THRESHOLDS } from '../../schema/analysis/agreements.ts'
import type { ComparisonCache } from '../compare/comparison-cache.ts'
import type { RowNumbers } from '../compare/rows/row-scores.ts'
import { SideColumns } from '../compare/side-columns.ts'
import { readSides, type Side } from '../compare/sides.ts'
import { openView, type ViewEvaluations } from '../compare/view-with-baseline.ts'
import type { Connection } from '../dialect/dialect.ts'
import { DEFAULT_EVALUATOR, type DeclaredEvaluator, passes } from '../evaluations/evaluators.ts'
import { getOrdinal } from '../query/filters.ts'
import { markMatchingRows } from '../query/row-selection.ts'
import type { ViewOptions } from '../query/views.ts'
import {
  centerRanks,
  computeMeanDistance,
  correlateRanks,
  describeVerdicts,
  findBestThreshold,
  listThresholds,
  type ThresholdSearch,
} from '../statistics/agreement.ts'
import { correctRate } from '../statistics/corrected-rate.ts'
import { roundRate } from '../statistics/rounding.ts'
import { findAgreementWarnings } from './agreement-warnings.ts'
import { findSampleGap, JUDGED, UNJUDGED } from './judged-sample.ts'
import { warnStaleJudge } from './stale-judge.ts'

/** The names of the evaluator and of the one that it is compared with. */
interface ComparedNames {
  evaluator: string
  with: string
}

/**
 * Checks the options and returns a function that reads the agreement as JSON text. Throws invalid-request if they name
 * something that the evaluations do not have, or the same evaluator twice.
 */
export async function openAgreement(
  connection: Connection,
  project: number,
  evaluations: ViewEvaluations,
  names: ComparedNames,
  viewOptions: ViewOptions,
  cache: ComparisonCache,
): Promise<() => Promise<string>> {
  const [side] = await readSides(connection, [evaluations.evaluation])
  const [evaluator, other] = findEvaluators(side, names)
  const { view } = await openView(connection, evaluations, viewOptions, cache)
  const columns = new SideColumns(connection, cache)
  const readScores = async (declared: ComparedEvaluator): Promise<Scores> => ({
    ...((await columns.scores(side, declared.name)) as RowNumbers),
    declared,
  })
  return async () => {
    const isSelected = await markMatchingRows(connection, side, view.condition)
    const pairs = pairScores(await readScores(evaluator), await readScores(other), isSelected)
    const { rows, n, both_pass, both_fail, only_evaluator, only_with } = pairs
    const agreement = {
      id: side.info.id,
      evaluator,
      with: other,
      rows,
      n,
      verdicts: both_pass + both_fail + only_evaluator + only_with > 0 ? describeVerdicts(pairs) : null,
      ...(await compareNumbers(evaluator, pairs)),
    }
    const { evaluator_passes, evaluator_fails } = pairs
    const evaluated = evaluator_passes + evaluator_fails
    const rate = correctRate(evaluated, evaluator_passes, pairs)
    const gap =
      rate &&
      (await findSampleGap({
        ...{ connection, cache, project, evaluator: other.name, judgments: pairs.judgments },
        evaluation: { ...evaluations.evaluation, id: side.info.id },
        hasFilters: viewOptions.filters.length > 0,
      }))
    const corrected_pass_rate = rate && {
      rows: evaluated,
      passed: evaluator_passes,
      pass_rate: roundRate(evaluator_passes, evaluated),
      judged: both_pass + both_fail + only_evaluator + only_with,
      ...rate,
      assumption_met: gap === undefined,
    }
    const response = { ...agreement, corrected_pass_rate }
    const warnings = [
      ...findAgreementWarnings(response, { ...pairs, sampleGap: gap ?? undefined }),
      ...(await warnStaleJudge(connection, side.key, evaluator.name, other.name)),
    ]
    return JSON.stringify({ ...response, warnings } satisfies Agreement)
  }
}

type ComparedEvaluator = Agreement['evaluator']

/** Throws invalid-request if the names are equal, or the evaluation does not have one of them. */
function findEvaluators(
  { ordinals, declared }: Side,
  names: ComparedNames,
): [evaluator: ComparedEvaluator, other: ComparedEvaluator] {
  const find = (requestedName: string): ComparedEvaluator => {
    getOrdinal(ordinals, requestedName, 'evaluator')
    const name = toStorableText(requestedName)
    return { name, ...(declared.get(name) ?? DEFAULT_EVALUATOR) }
  }
  const [evaluator, other] = [find(names.evaluator), find(names.with)]
  if (evaluator.name !== other.name) return [evaluator, other]
  throw new Problem(
    'invalid-request',
    `'evaluator' and 'with' are both '${names.with}'. Compare two different evaluators.`,
  )
}

interface Scores extends Pick<RowNumbers, 'numbers' | 'verdicts'> {
  declared: DeclaredEvaluator
}

/** Undefined without a score, and for a number if the evaluator declares no threshold. */
function getVerdict({ numbers, verdicts, declared }: Scores, position: number): boolean | undefined {
  const number = numbers[position] as number
  if (Number.isNaN(number)) return undefined
  if (verdicts[position] === 1) return number === 1
  return declared.threshold === null ? undefined : passes(declared, number)
}

type ScorePairs = ReturnType<typeof pairScores>

/** Counts the selected rows, and collects the numbers that are compared. */
function pairScores(scores: Scores, otherScores: Scores, isSelected: Uint8Array) {
  const pairs = {
    rows: 0,
    /** The rows with a score of both evaluators. All other members refer to these. */
    n: 0,
    both_pass: 0,
    both_fail: 0,
    only_evaluator: 0,
    only_with: 0,
    /** The rows with a verdict of the evaluator. */
    evaluator_passes: 0,
    evaluator_fails: 0,
    /** By position: JUDGED or UNJUDGED for rows with a verdict of the evaluator. */
    judgments: new Uint8Array(isSelected.length),
    /** The rows in which the score of the evaluator is a number, and of the other one. */
    evaluator_numbers: 0,
    with_numbers: 0,
    /** The numbers of the evaluator in the rows that pass and that fail with the other one. */
    passing: [] as number[],
    failing: [] as number[],
    /** The numbers of both evaluators, in the rows in which both scores are numbers. */
    numbers: [] as number[],
    otherNumbers: [] as number[],
  }
  for (let position = 0; position < isSelected.length; position += 1) {
    if (isSelected[position] === 0) continue
    pairs.rows += 1
    const number = scores.numbers[position] as number
    const otherNumber = otherScores.numbers[position] as number
    const hasPassed = getVerdict(scores, position)
    const hasOtherPassed = getVerdict(otherScores, position)
    if (hasPassed !== undefined) {
      pairs[hasPassed ? 'evaluator_passes' : 'evaluator_fails'] += 1
      pairs.judgments[position] = hasOtherPassed === undefined ? UNJUDGED : JUDGED
    }
    if (Number.isNaN(number) || Number.isNaN(otherNumber)) continue
    pairs.n += 1
    if (hasPassed !== undefined && hasOtherPassed !== undefined) {
      if (hasPassed) pairs[hasOtherPassed ? 'both_pass' : 'only_evaluator'] += 1
      else pairs[hasOtherPassed ? 'only_with' : 'both_fail'] += 1
    }
    const isOtherNumber = otherScores.verdicts[position] === 0
    if (isOtherNumber) pairs.with_numbers += 1
    if (scores.verdicts[position] === 1) continue
    pairs.evaluator_numbers += 1
    if (hasOtherPassed !== undefined) pairs[hasOtherPassed ? 'passing' : 'failing'].push(number)
    if (!isOtherNumber) continue
    pairs.numbers.push(number)
    pairs.otherNumbers.push(otherNumber)
  }
  return pairs
}

/** Compares the numbers of the evaluator with the numbers and with the verdicts of the other one. */
async function compareNumbers(
  evaluator: ComparedEvaluator,
  pairs: ScorePairs,
): Promise<Pick<Agreement, 'numbers' | 'best_threshold' | 'thresholds'>> {
  // Each step takes 10 to 30 ms for 100,000 rows.
  await yieldToEventLoop()
  const best_threshold = describeBestThreshold(evaluator, pairs)
  await yieldToEventLoop()
  const thresholds = listThresholds(toSearch(evaluator, pairs), MAX_THRESHOLDS)
  const n = pairs.numbers.length
  if (n === 0) return { numbers: null, best_threshold, thresholds }
  await yieldToEventLoop()
  const [numbers, otherNumbers] = [new Float64Array(pairs.numbers), new Float64Array(pairs.otherNumbers)]
  const ranks = centerRanks(numbers)
  await yieldToEventLoop()
  const rank_correlation = correlateRanks(ranks, centerRanks(otherNumbers))
  await yieldToEventLoop()
  const mean_absolute_difference = computeMeanDistance(numbers, otherNumbers)
  return { numbers: { n, rank_correlation, mean_absolute_difference }, best_threshold, thresholds }
}

function toSearch(
  { higher_is_better, threshold }: ComparedEvaluator,
  { passing, failing }: ScorePairs,
): ThresholdSearch {
  return {
    passing: new Float64Array(passing),
    failing: new Float64Array(failing),
    higherIsBetter: higher_is_better,
    declared: threshold,
  }
}

function describeBestThreshold(evaluator: ComparedEvaluator, pairs: ScorePairs): Agreement['best_threshold'] {
  const best = findBestThreshold(toSearch(evaluator, pairs))
  return best && { threshold: best.threshold, ...describeVerdicts(best.counts) }
}
