// Compares evaluations of a store.
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import { ComparisonCache } from '../../store/compare/comparison-cache.ts'
import { compareEvaluations } from '../../store/compare/comparisons.ts'
import { JoinedColumns } from '../../store/compare/joined-columns.ts'
import { type JoinedRowQuery, selectJoinedRows } from '../../store/compare/joined-row-selection.ts'
import { readJoinedRows } from '../../store/compare/joined-rows.ts'
import { readSides, type Side } from '../../store/compare/sides.ts'
import type { EvaluationInfo } from '../../store/evaluations/evaluations.ts'
import { countScoresByEvaluator } from '../../store/evaluations/evaluators.ts'
import { readBodies } from '../../store/reads/bodies.ts'
import type { Connection } from '../../store/store.ts'
import { readBreakdown, rejectWrongUsage } from './store-analysis.ts'
import type { OpenComparison, Regressions } from './target.ts'

/** The comparison can be used as long as the snapshot is open. Throws UsageError if the join key is invalid. */
export async function openComparison(
  snapshot: Connection,
  evaluations: EvaluationInfo[],
  joinKey: string,
): Promise<OpenComparison> {
  const sides = await readSides(snapshot, evaluations)
  const [baseline] = sides
  const cache = new ComparisonCache()
  return rejectWrongUsage(async () => {
    const comparison = await compareEvaluations(
      await JoinedColumns.open(snapshot, sides, joinKey, cache),
      joinKey,
    )
    return {
      comparison,
      scoredCounts: await countScoresByEvaluator(snapshot, baseline.key),
      async findRegressions(index, evaluator, limit): Promise<Regressions> {
        const candidate = sides[index + 1] as Side
        // One join per candidate, because joined rows are classified by their first candidate only.
        const pair: [Side, Side] = [baseline, candidate]
        const columns = await JoinedColumns.open(snapshot, pair, comparison.join.by, cache)
        const query: JoinedRowQuery = { show: 'regressed', on: evaluator, filters: [], order: undefined }
        const { rowNumbers } = await selectJoinedRows(columns, query)
        const rows = await readJoinedRows(columns, rowNumbers.subarray(0, limit), evaluator)
        const regressions: Regressions = { total: rowNumbers.length, pairs: [] }
        for (const row of rows) {
          const baselineScenario = await readScenario(snapshot, baseline, row.baseline)
          const candidateScenario = await readScenario(
            snapshot,
            candidate,
            row.candidates[0]?.position ?? null,
          )
          if (baselineScenario && candidateScenario)
            regressions.pairs.push([baselineScenario, candidateScenario])
        }
        return regressions
      },
      breakDown: (index, by) =>
        readBreakdown(snapshot, by, evaluations[index + 1] as EvaluationInfo, evaluations[0], cache),
    }
  })
}

async function readScenario(
  snapshot: Connection,
  { key }: Side,
  position: number | null,
): Promise<EvaluationScenario | undefined> {
  if (position === null) return undefined
  for await (const { body } of readBodies(snapshot, key, Float64Array.of(position))) return JSON.parse(body)
  return undefined
}
