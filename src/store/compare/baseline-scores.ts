// The scores of listed evaluations, with statistics relative to their baselines.

import type { BaselineReason } from '../../schema/rules.ts'
import { MAX_LIST_COMPARISON_ROWS, type Scores } from '../../schema/scores.ts'
import type { Connection } from '../dialect/dialect.ts'
import { readScoreTexts } from '../evaluations/stored-scores.ts'
import { inLists } from '../reads/in-list.ts'
import { readScenarioIds } from '../reads/scenario-ids.ts'
import { readBaselineStatistics, toSummaryBaseline } from './baseline-summary.ts'
import type { ComparisonCache } from './comparison-cache.ts'
import { type ChosenBaseline, SELECT_BASELINES } from './default-baseline.ts'
import { JoinedColumns, type RowChanges } from './joined-columns.ts'
import { classOf } from './row-classes.ts'
import { isHigherBetter, readSides } from './sides.ts'

/** The baselines of evaluations that are small enough. `keys` is an in-list. Values: the keys, then the maximum number of scenarios. */
export const READ_BASELINES = (keys: string) => `${SELECT_BASELINES(keys)}
    AND own.scenario_count > 0 AND baseline.scenario_count > 0 AND own.scenario_count + baseline.scenario_count <= ?`

/** Scores as JSON text, by key. Evaluations without a baseline, or with too many rows, have no statistics relative to it. */
export async function readScoresWithBaselines(
  connection: Connection,
  evaluations: readonly { key: number }[],
  cache: ComparisonCache,
): Promise<Map<number, string>> {
  const texts = await readScoreTexts(connection, evaluations)
  for (const { placeholders, values } of inLists([...texts.keys()], 1000)) {
    const rows = await connection.all<ChosenBaseline>(
      READ_BASELINES(placeholders),
      ...values,
      MAX_LIST_COMPARISON_ROWS,
    )
    for (const { key, version, count, base_key, base_version, base_count, chosen } of rows) {
      const baseline = { key: base_key, version: base_version, count: base_count }
      const candidate = { key, version, count }
      const text = await cache.scores([baseline, candidate], chosen, async () => {
        const sides = await readSides(connection, [baseline, candidate])
        const columns = await JoinedColumns.open(connection, sides, 'auto', cache)
        return JSON.stringify(await addBaseline(JSON.parse(texts.get(key) as string), columns, chosen))
      })
      texts.set(key, text)
    }
  }
  return texts
}

async function addBaseline(scores: Scores, columns: JoinedColumns, chosen: BaselineReason): Promise<Scores> {
  const { statisticsOf, cost, latency } = await readBaselineStatistics(columns)
  const regressions = await findLargestRegressions(columns)
  return {
    ...scores,
    cost: { ...scores.cost, base: cost },
    latency: { ...scores.latency, base: latency },
    evaluators: scores.evaluators.map((evaluator) => ({
      ...evaluator,
      base: statisticsOf(evaluator.name),
      largest_regression: regressions.get(evaluator.name) ?? null,
    })),
    base: await toSummaryBaseline(columns, chosen),
  }
}

/** The ids of the candidate's scenarios with the largest change for the worse, by evaluator. */
async function findLargestRegressions(columns: JoinedColumns): Promise<Map<string, string>> {
  const { connection, baseline, first } = columns
  const { candidatePositions } = columns.pairIndex(0)
  const positions = new Map<string, number>()
  for (const name of first.evaluators) {
    const row = findLargestRegression(await columns.changes(0, name), isHigherBetter(baseline, first, name))
    if (row !== undefined) positions.set(name, candidatePositions[row] as number)
  }
  const ids = await readScenarioIds(connection, first.key, [...positions.values()])
  return new Map([...positions].map(([name, position]) => [name, ids.get(position) as string]))
}

/** The baseline position of the first of the largest regressions, as in the rows of a comparison. */
function findLargestRegression({ deltas, changes }: RowChanges, higherIsBetter: boolean): number | undefined {
  let [largest, largestRow]: [number, number | undefined] = [0, undefined]
  for (const [row, delta] of deltas.entries()) {
    if (classOf(changes[row] as number, higherIsBetter) !== 'regressed' || Math.abs(delta) <= largest)
      continue
    largest = Math.abs(delta)
    largestRow = row
  }
  return largestRow
}
