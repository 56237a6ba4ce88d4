// Compares evaluations of a store.
import type { GateRules } from '../../schema/gate.ts'
import type { BaselineReason } from '../../schema/rules.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import { findProject } from '../../store/access/projects.ts'
import { ComparisonCache } from '../../store/compare/comparison-cache.ts'
import { compareEvaluations } from '../../store/compare/comparisons.ts'
import { findDefaultBaseline } from '../../store/compare/default-baseline.ts'
import { JoinedColumns } from '../../store/compare/joined-columns.ts'
import { type JoinedRowQuery, selectJoinedRows } from '../../store/compare/joined-row-selection.ts'
import { readJoinedRows } from '../../store/compare/joined-rows.ts'
import { readSides, type Side } from '../../store/compare/sides.ts'
import type { EvaluationInfo } from '../../store/evaluations/evaluations.ts'
import { readBodies } from '../../store/reads/bodies.ts'
import type { Connection } from '../../store/store.ts'
import { getFromProject } from './project-lookup.ts'
import { readBreakdown, rejectWrongUsage } from './store-analysis.ts'
import { noBaselineError, type OpenComparison, type Regressions } from './target.ts'

/** Throws CommandError if the evaluation has no default baseline. */
export async function findBaseline(
  snapshot: Connection,
  project: string,
  id: string,
): Promise<{ baseline: EvaluationInfo; chosen: BaselineReason }> {
  const { key } = await getFromProject(snapshot, project, 'evaluation', id)
  const viewer = { project: (await findProject(snapshot, project)) ?? -1, conceal: true, confined_to: null }
  const found = await findDefaultBaseline(snapshot, viewer, key)
  if (!found) throw noBaselineError(id)
  return {
    baseline: await getFromProject(snapshot, project, 'evaluation', found.base_id),
    chosen: found.chosen,
  }
}

/** The comparison can be used as long as the snapshot is open. Throws UsageError if the join key is invalid. */
export async function openComparison(
  snapshot: Connection,
  evaluations: EvaluationInfo[],
  chosen: BaselineReason | null,
  joinKey: string,
  rules: GateRules,
): Promise<OpenComparison> {
  const sides = await readSides(snapshot, evaluations)
  const [baseline] = sides
  const cache = new ComparisonCache()
  return rejectWrongUsage(async () => {
    const joined = await JoinedColumns.open(snapshot, sides, joinKey, cache)
    const comparison = await compareEvaluations(joined, joinKey, rules)
    return {
      comparison,
      chosen,
      async findRegressions(index, evaluator, limit): Promise<Regressions> {
        const candidate = sides[index + 1] as Side
        // One join per candidate, because joined rows are classified by their first candidate only.
        const pair: [Side, Side] = [baseline, candidate]
        const columns = await JoinedColumns.open(snapshot, pair, comparison.join.by, cache)
        const query: JoinedRowQuery = { show: 'regressed', on: evaluator, filters: [], order: undefined }
        const { rowNumbers } = await selectJoinedRows(columns, query)
        const rows = await readJoinedRows(columns, rowNumbers.subarray(0, limit), evaluator)
        const regressions: Regressions = { total: rowNumbers.length, rows: [] }
        for (const { baseline: position, base_score, candidates } of rows) {
          const { score = null, position: candidatePosition = null } = candidates[0] ?? {}
          const baselineScenario = await readScenario(snapshot, baseline, position)
          const candidateScenario = await readScenario(snapshot, candidate, candidatePosition)
          if (!baselineScenario || !candidateScenario) continue
          regressions.rows.push({
            baseline: baselineScenario,
            candidate: candidateScenario,
            base_score,
            score,
          })
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
