// Compares evaluations with the operations of the API.
import type { Assay } from 'assay-client'
import type { GateRules } from '../../schema/gate.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import { noBaselineError, throwUsageError } from './target-errors.ts'
import type { OpenComparison, Regressions } from './target-types.ts'

/** Throws UsageError if the join key is invalid, and errors of the client. */
export async function openComparison(
  assay: Assay,
  evaluations: string[],
  joinKey: string,
  rules: GateRules,
): Promise<OpenComparison> {
  const [first = '', ...others] = evaluations
  const found = others.length === 0 ? await findBaseline(assay, first) : undefined
  const [baseline, candidates] = found ? [found.id, [first]] : [first, others]
  const comparison = await assay
    .compareEvaluations({ evaluation: [baseline, ...candidates], by: joinKey, ...rules })
    .catch(throwUsageError)
  const readScenario = (evaluation: string, id: string | undefined) =>
    assay.getEvaluationScenario(evaluation, id ?? '') as Promise<EvaluationScenario>
  return {
    comparison,
    chosen: found?.chosen ?? null,
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
      const regressions: Regressions = { total, rows: [] }
      for (const { base, base_score, candidates: compared } of rows) {
        const { row, score = null } = compared[0] ?? {}
        regressions.rows.push({
          baseline: await readScenario(baseline, base?.id),
          candidate: await readScenario(candidate, row?.id),
          base_score,
          score,
        })
      }
      return regressions
    },
    async breakDown(index, by) {
      const path = ['evaluations', candidates[index] ?? '', 'breakdown']
      return (await assay.read(path, { by, base: baseline }).catch(throwUsageError)).text()
    },
  }
}

/** Throws CommandError if the evaluation has no default baseline. */
async function findBaseline(assay: Assay, id: string) {
  // Without a value, `base` selects the default baseline.
  const { base } = await assay.getEvaluationSummary(id, { base: '' })
  if (!base) throw noBaselineError(id)
  return base
}
