// The summary of an evaluation over its rows: scenarios that are repeats of the same row count once.
import type { EvaluationSummary } from '../../../schema/summaries.ts'
import { DEFAULT_EVALUATOR } from '../../evaluations/evaluators.ts'
import { markMatchingRows } from '../../query/row-selection.ts'
import { summarize } from '../../query/summaries.ts'
import type { BoundSql } from '../../reads/conditions.ts'
import { meanInterval, rateInterval } from '../../statistics/mean-interval.ts'
import { roundRate, roundStatistic } from '../../statistics/rounding.ts'
import { computeTotals } from '../../statistics/sums.ts'
import type { SideColumns } from '../side-columns.ts'
import type { Side } from '../sides.ts'
import { averageRepeats, judgeScores, type RowNumbers } from './row-scores.ts'

type EvaluatorSummary = EvaluationSummary['evaluators'][number]
type MeasureSummary = EvaluationSummary['cost']

/** Summarizes the scenarios that match a condition over `measure AS row`, or all of them. */
export async function summarizeRows(
  columns: SideColumns,
  side: Side,
  condition: BoundSql | undefined,
): Promise<EvaluationSummary> {
  const { connection } = columns
  const summary = await summarize(connection, { key: side.key, id: side.info.id }, condition)
  const { firstPositions } = await columns.rows(side)
  if (!firstPositions) return summary
  const isIncluded = await markMatchingRows(connection, side, condition)
  const average = (scores: RowNumbers, numbers = scores.numbers) => {
    const included = numbers.map((number, position) => (isIncluded[position] === 1 ? number : Number.NaN))
    return toRowMeans(averageRepeats({ ...scores, numbers: included }, firstPositions))
  }
  const evaluators: EvaluatorSummary[] = []
  for (const evaluator of summary.evaluators) {
    const scores = (await columns.scores(side, evaluator.name)) as RowNumbers
    const declared = side.declared.get(evaluator.name) ?? DEFAULT_EVALUATOR
    evaluators.push(ofRows(evaluator, average(scores), average(scores, judgeScores(scores, declared))))
  }
  const ofMeasures = async (name: 'cost' | 'latency'): Promise<MeasureSummary> => {
    const { means } = average(await columns.measures(side, name))
    return { ...summary[name], mean: computeTotals(means).mean, mean_interval: meanInterval(means) }
  }
  return {
    ...summary,
    rows: countRows(firstPositions, isIncluded),
    evaluators,
    cost: await ofMeasures('cost'),
    latency: await ofMeasures('latency'),
  }
}

interface RowMeans {
  means: Float64Array
  /** The largest number of repeats of a row. */
  repeats: number
  /** The number of all repeats. */
  runs: number
  areVerdicts: boolean
}

function toRowMeans({ numbers, verdicts, counts }: ReturnType<typeof averageRepeats>): RowMeans {
  const means = numbers.filter((number) => !Number.isNaN(number))
  const repeats = counts.reduce((largest, count) => Math.max(largest, count), 0)
  const runs = counts.reduce((sum, count) => sum + count, 0)
  const verdictCount = verdicts.reduce((sum, isVerdict) => sum + isVerdict, 0)
  return { means, repeats, runs, areVerdicts: verdictCount === means.length }
}

function ofRows(evaluator: EvaluatorSummary, scores: RowMeans, passes: RowMeans): EvaluatorSummary {
  const { means, repeats, areVerdicts } = scores
  const rates = passes.means
  const countRates = (matches: (rate: number) => boolean) => rates.filter(matches).length
  const hasVerdicts = evaluator.passed !== null
  return {
    ...evaluator,
    mean: computeTotals(means).mean,
    mean_interval: areVerdicts ? intervalOfRates(scores) : meanInterval(means),
    pass_rate: hasVerdicts ? roundStatistic(computeTotals(rates).mean) : null,
    pass_rate_interval: hasVerdicts ? intervalOfRates(passes) : null,
    rows: means.length,
    repeats,
    flaky: hasVerdicts ? countRates((rate) => rate > 0 && rate < 1) : null,
    pass_all: hasVerdicts
      ? roundRate(
          countRates((rate) => rate === 1),
          rates.length,
        )
      : null,
    pass_any: hasVerdicts
      ? roundRate(
          countRates((rate) => rate > 0),
          rates.length,
        )
      : null,
  }
}

function intervalOfRates({ means, repeats, runs }: RowMeans): [number, number] | null {
  return rateInterval({ means, hasRepeats: repeats > 1, runs })
}

function countRows(firstPositions: Int32Array, isIncluded: Uint8Array): number {
  const rows = new Set<number>()
  for (const [position, first] of firstPositions.entries()) if (isIncluded[position] === 1) rows.add(first)
  return rows.size
}
