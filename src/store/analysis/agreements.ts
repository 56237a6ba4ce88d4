// The agreement of two evaluators: counts of their verdicts, kappa, rank correlation and the best threshold.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Problem } from '../../errors.ts'
import { toStorableText } from '../../json/storable-text.ts'
import type { Agreement } from '../../schema/analysis/agreements.ts'
import type { Connection } from '../dialect/dialect.ts'
import {
  DEFAULT_EVALUATOR,
  type DeclaredEvaluator,
  getDeclaredEvaluators,
  passes,
} from '../evaluations/evaluators.ts'
import { getOrdinal } from '../query/filters.ts'
import { findPositions, type PositionCondition } from '../query/row-selection.ts'
import { matchVerdicts, selectResultPairs } from '../query/verdicts.ts'
import type { BoundSql } from '../reads/conditions.ts'
import { getColumnOrdinals } from '../scenarios/columns.ts'
import {
  centerRanks,
  computeMeanDistance,
  correlateRanks,
  describeVerdicts,
  findBestThreshold,
  type VerdictCounts,
} from '../statistics/agreement.ts'
import { findAgreementWarnings } from './agreement-warnings.ts'

/** An evaluator of an evaluation. */
interface ComparedEvaluator {
  name: string
  ordinal: number
  declared: DeclaredEvaluator
}

/** The evaluator, and the one that it is compared with. */
export type ComparedEvaluators = readonly [evaluator: ComparedEvaluator, other: ComparedEvaluator]

/** Throws invalid-request if the names are equal, or the evaluation does not have one of them. */
export async function findEvaluatorPair(
  connection: Connection,
  evaluation: number,
  names: { evaluator: string; with: string },
): Promise<ComparedEvaluators> {
  const { score } = await getColumnOrdinals(connection, evaluation)
  const declared = await getDeclaredEvaluators(connection, evaluation)
  const find = (requestedName: string): ComparedEvaluator => {
    const ordinal = getOrdinal(score, requestedName, 'evaluator')
    const name = toStorableText(requestedName)
    return { name, ordinal, declared: declared.get(name) ?? DEFAULT_EVALUATOR }
  }
  const pair = [find(names.evaluator), find(names.with)] as const
  if (pair[0].ordinal !== pair[1].ordinal) return pair
  throw new Problem(
    'invalid-request',
    `'evaluator' and 'with' are both '${names.with}'. Compare two different evaluators.`,
  )
}

/** The counts of the rows with a score of both evaluators. */
export interface PairCounts extends VerdictCounts {
  n: number
  /** The rows in which the result of the evaluator is a number, of the other one, and of both. */
  evaluator_numbers: number
  with_numbers: number
  both_numbers: number
}

/** Compares the rows that match a condition over `measure AS row`, or all rows. */
export async function readAgreement(
  connection: Connection,
  { key, id, count }: { key: number; id: string; count: number },
  pair: ComparedEvaluators,
  filterCondition?: BoundSql,
): Promise<Agreement> {
  const { count: rows, condition } = await findPositions(connection, key, filterCondition, count)
  const pairs = selectScorePairs(connection, key, pair, condition)
  const counts = await countPairs(connection, pair, pairs)
  const { both_pass, both_fail, only_evaluator, only_with, n } = counts
  const hasVerdicts = both_pass + both_fail + only_evaluator + only_with > 0
  const verdicts = hasVerdicts ? describeVerdicts(counts) : null
  const numbers = await compareNumbers(connection, pair, pairs, counts)
  const [evaluator, other] = pair
  const agreement = {
    id,
    evaluator: describe(evaluator),
    with: describe(other),
    rows,
    n,
    verdicts,
    ...numbers,
  }
  return { ...agreement, warnings: findAgreementWarnings(agreement, counts) }
}

function describe({ name, declared }: ComparedEvaluator): Agreement['evaluator'] {
  return { name, ...declared }
}

/** The pairs of results that are scores, of the selected rows. */
function selectScorePairs(
  { sql }: Connection,
  evaluation: number,
  pair: ComparedEvaluators,
  condition: PositionCondition | undefined,
): BoundSql {
  const pairs = selectResultPairs(evaluation, pair, sql)
  return {
    sql: `${pairs.sql} AND a.is_error = 0 AND a.number IS NOT NULL AND b.is_error = 0 AND b.number IS NOT NULL
      ${condition ? `AND a.${condition.positionSql}` : ''}`,
    values: [...pairs.values, ...(condition?.values ?? [])],
  }
}

async function countPairs(
  connection: Connection,
  pair: ComparedEvaluators,
  pairs: BoundSql,
): Promise<PairCounts> {
  const conditions = {
    both_pass: matchVerdicts(pair, true, true),
    both_fail: matchVerdicts(pair, false, false),
    only_evaluator: matchVerdicts(pair, true, false),
    only_with: matchVerdicts(pair, false, true),
    evaluator_numbers: { sql: 'a.is_verdict = 0', values: [] },
    with_numbers: { sql: 'b.is_verdict = 0', values: [] },
    both_numbers: { sql: 'a.is_verdict = 0 AND b.is_verdict = 0', values: [] },
  } satisfies Record<Exclude<keyof PairCounts, 'n'>, BoundSql>
  const columns = Object.entries(conditions).map(
    ([name, { sql }]) => `count(*) FILTER (WHERE ${sql}) AS ${name}`,
  )
  const row = await connection.get<PairCounts>(
    `SELECT count(*) AS n, ${columns.join(', ')} ${pairs.sql}`,
    ...Object.values(conditions).flatMap(({ values }) => values),
    ...pairs.values,
  )
  return row as PairCounts
}

/** Compares the numbers of the evaluator with the numbers and with the verdicts of the other one. */
async function compareNumbers(
  connection: Connection,
  [evaluator, other]: ComparedEvaluators,
  pairs: BoundSql,
  { evaluator_numbers, both_numbers }: PairCounts,
): Promise<Pick<Agreement, 'numbers' | 'best_threshold'>> {
  if (evaluator_numbers === 0) return { numbers: null, best_threshold: null }
  const read = (column: string) =>
    connection.readNumbers(
      `SELECT ${column} ${pairs.sql} AND a.is_verdict = 0 ORDER BY a.position`,
      ...pairs.values,
    )
  const [scores, otherScores] = [await read('a.number'), await read('b.number')]
  const isMixed = both_numbers > 0 && both_numbers < evaluator_numbers
  const otherVerdicts = isMixed ? await read('b.is_verdict') : undefined
  const isVerdict = (row: number) => (otherVerdicts ? otherVerdicts[row] === 1 : both_numbers === 0)
  const hasVerdict = (row: number) => isVerdict(row) || other.declared.threshold !== null
  const hasPassed = (row: number) =>
    isVerdict(row) ? otherScores[row] === 1 : passes(other.declared, otherScores[row] as number)
  const passing = filterNumbers(scores, (row) => hasVerdict(row) && hasPassed(row))
  const failing = filterNumbers(scores, (row) => hasVerdict(row) && !hasPassed(row))
  // Each step takes 10 to 30 ms for 100,000 rows.
  await yieldToEventLoop()
  const best_threshold = describeBestThreshold(evaluator, { passing, failing })
  await yieldToEventLoop()
  if (both_numbers === 0) return { numbers: null, best_threshold }
  const isNumber = (row: number) => !isVerdict(row)
  const [numbers, otherNumbers] = [filterNumbers(scores, isNumber), filterNumbers(otherScores, isNumber)]
  const ranks = centerRanks(numbers)
  await yieldToEventLoop()
  const rank_correlation = correlateRanks(ranks, centerRanks(otherNumbers))
  await yieldToEventLoop()
  const mean_absolute_difference = computeMeanDistance(numbers, otherNumbers)
  return { numbers: { n: both_numbers, rank_correlation, mean_absolute_difference }, best_threshold }
}

/** The numbers of the selected rows. Faster than the method `filter` of typed arrays. */
function filterNumbers(numbers: Float64Array, isSelected: (row: number) => boolean): Float64Array {
  const selected = new Float64Array(numbers.length)
  let count = 0
  for (let row = 0; row < numbers.length; row += 1) {
    if (!isSelected(row)) continue
    selected[count] = numbers[row] as number
    count += 1
  }
  return selected.subarray(0, count)
}

function describeBestThreshold(
  { declared: { higher_is_better, threshold } }: ComparedEvaluator,
  scores: { passing: Float64Array; failing: Float64Array },
): Agreement['best_threshold'] {
  const best = findBestThreshold({ ...scores, higherIsBetter: higher_is_better, declared: threshold })
  return best && { threshold: best.threshold, ...describeVerdicts(best.counts) }
}
