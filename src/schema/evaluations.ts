// What an evaluation looks like on the wire, and what may be written of it.
import type { Static } from 'typebox'
import { checker } from './check.ts'
import { MAX_REVISION, wrongIds, wrongRevision, wrongTime } from './rules.ts'
import { Scores } from './scores.ts'
import { closed, freeForm, nullable } from './shapes.ts'
import { Type } from './type.ts'

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
  metadata: nullable(freeForm('Whatever else is to be known of it.')),
  scores: Type.Optional(Scores),
})
export type Evaluation = Static<typeof Evaluation>

const mayPatch = {
  name: Type.Optional(nullable(Type.String())),
  variant_id: Type.Optional(
    nullable(Type.String({ description: 'The variant that was evaluated; it must be there.' })),
  ),
  revision: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: MAX_REVISION,
        description: 'The revision of it that ran; it must be there.',
      }),
    ),
  ),
  baseline_id: Type.Optional(
    nullable(Type.String({ description: 'The evaluation to compare against; it may come later.' })),
  ),
  evaluators: Type.Optional(nullable(Type.Array(Evaluator))),
  metadata: Type.Optional(nullable(freeForm('Whatever else is to be known of it.'))),
}

export const EvaluationPatch = closed(mayPatch)
export type EvaluationPatch = Static<typeof EvaluationPatch>

export const EvaluationWrite = closed({
  id: Type.Optional(
    nullable(
      Type.String({ description: '1 to 200 characters, unique in the project; without it one is made.' }),
    ),
  ),
  ...mayPatch,
  source: Type.Optional(nullable(Type.String({ description: 'The tool the results came from.' }))),
  created_at: Type.Optional(nullable(Type.String({ description: 'A time of RFC 3339. Without it: now.' }))),
})
export type EvaluationWrite = Static<typeof EvaluationWrite>

export const checkEvaluationPatch = checker(EvaluationPatch, (written) => [
  ...wrongIds(written.value, 'variant_id', 'baseline_id'),
  ...wrongRevision(written),
])

export const checkEvaluation = checker(EvaluationWrite, (written) => [
  ...wrongIds(written.value, 'id', 'variant_id', 'baseline_id'),
  ...wrongRevision(written),
  ...wrongTime(written.value),
])
