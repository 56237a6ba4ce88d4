// What an evaluation looks like in a list.
import Type, { type Static } from 'typebox'
import { closed, nullable } from './shapes.ts'

export const Evaluator = closed({
  name: Type.String({ description: 'The string in results[].evaluator_config.' }),
  higher_is_better: Type.Optional(Type.Boolean()),
  threshold: Type.Optional(Type.Number()),
})

export const Evaluation = closed({
  id: Type.String(),
  name: nullable(Type.String()),
  variant_id: nullable(Type.String({ description: 'The variant that was evaluated.' })),
  revision: nullable(Type.Integer({ description: 'The revision of it that ran.' })),
  baseline_id: nullable(Type.String({ description: 'The evaluation this one is compared against.' })),
  source: nullable(Type.String({ description: 'The tool the results came from.' })),
  created_at: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
  scenario_count: Type.Integer({ minimum: 0 }),
  evaluators: nullable(Type.Array(Evaluator)),
  metadata: nullable(Type.Record(Type.String(), Type.Unknown())),
})
export type Evaluation = Static<typeof Evaluation>
