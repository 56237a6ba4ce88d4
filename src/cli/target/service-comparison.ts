// Compares evaluations of a service.
import type { Assay } from 'assay-client'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import { readBreakdown } from './service-analysis.ts'
import { toUsageError } from './service-errors.ts'
import type { OpenComparison, Regressions } from './target.ts'

/** Throws UsageError if the join key is invalid, and errors of the client. */
export async function openComparison(
  assay: Assay,
  evaluations: string[],
  joinKey: string,
): Promise<OpenComparison> {
  const [baseline = '', ...candidates] = evaluations
  const comparison = await assay
    .compareEvaluations({ evaluation: evaluations, by: joinKey })
    .catch((error: unknown) => {
      throw toUsageError(error)
    })
  const { evaluators } = await assay.getEvaluationSummary(baseline)
  const readScenario = (evaluation: string, id: string | undefined) =>
    assay.getEvaluationScenario(evaluation, id ?? '') as Promise<EvaluationScenario>
  return {
    comparison,
    scoredCounts: new Map(evaluators.filter(({ n }) => n > 0).map(({ name, n }) => [name, n])),
    async findRegressions(index, evaluator, limit): Promise<Regressions> {
      const candidate = candidates[index] ?? ''
      const { total, rows } = await assay.listComparisonRows({
        evaluation: [baseline, candidate],
        by: comparison.join.by,
        show: 'regressed',
        on: evaluator,
        limit,
        preview: 1,
      })
      const regressions: Regressions = { total, pairs: [] }
      for (const row of rows) {
        const baselineScenario = await readScenario(baseline, row.base?.id)
        regressions.pairs.push([baselineScenario, await readScenario(candidate, row.candidates[0]?.row?.id)])
      }
      return regressions
    },
    breakDown: (index, by) => readBreakdown(assay, candidates[index] ?? '', by, baseline),
  }
}
