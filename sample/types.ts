// The types of the sample data, based on the schemas of the API.
import type { Evaluation } from '../src/schema/evaluations.ts'
import type { VariantRevision } from '../src/schema/revisions.ts'
import type { EvaluationScenario } from '../src/schema/scenarios.ts'

export type SampleRevision = VariantRevision & { message: string }

export interface SampleVariant {
  id: string
  name: string
  created_at: string
  revisions: SampleRevision[]
}

export interface SampleEvaluation {
  evaluation: Omit<Evaluation, 'scenario_count'>
  scenarios: EvaluationScenario[]
}
