// Builds revisions and their evaluations for tests of the pages that show them.
import type { Revision, RevisionEvaluation } from '../../web/src/queries/variants.ts'

export type Score = RevisionEvaluation['scores']['evaluators'][number]

export function evaluationOf(
  id: string,
  scores: Partial<Score>[] = [],
  cost: number | null = null,
): RevisionEvaluation {
  return {
    id,
    name: null,
    created_at: '2026-01-01T00:00:00.000Z',
    scenario_count: 10,
    scores: {
      output_errors: 0,
      cost: { n: 10, total: cost === null ? null : cost * 10, mean: cost },
      latency: { n: 0, mean: null, p50: null },
      evaluators: scores.map((score) => ({
        name: 'exact',
        higher_is_better: true,
        n: 10,
        errors: 0,
        mean: null,
        pass_rate: null,
        ...score,
      })),
    },
  }
}

export function revisionOf(
  revision: number,
  evaluations: RevisionEvaluation[] = [],
  rest: Partial<Revision> = {},
): Revision {
  const config = { config_name: 'x', parameters: {} }
  return {
    revision,
    modified_by: 'ana',
    created_at: '2026-01-01T00:00:00.000Z',
    config,
    evaluations,
    message: null,
    text: '',
    ...rest,
  }
}

export const passing = (rate: number) => [{ mean: rate, pass_rate: rate }]
