// The JSON schema of evaluations, and of the bodies that create and change them.
import type { Static } from 'typebox'
import { invalidIds, invalidRevision, invalidTime, MAX_REVISION } from './rules.ts'
import { freeForm, nullable, strictObject, Type } from './schema-builders.ts'
import { Scores } from './scores.ts'
import { createValidator } from './validation/validator.ts'

export const Evaluator = strictObject({
  name: Type.String({ description: 'The evaluator name, as in `results[].evaluator_config`.' }),
  higher_is_better: Type.Optional(Type.Boolean()),
  threshold: Type.Optional(Type.Number()),
})

export const Evaluation = strictObject({
  id: Type.String(),
  name: nullable(Type.String()),
  variant_id: nullable(Type.String({ description: 'The variant that was evaluated.' })),
  revision: nullable(Type.Integer({ description: 'The revision of the variant that ran.' })),
  baseline_id: nullable(Type.String({ description: 'The evaluation that this one is compared with.' })),
  source: nullable(Type.String({ description: 'The tool that produced the results.' })),
  created_at: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
  scenario_count: Type.Integer({ minimum: 0 }),
  evaluators: nullable(Type.Array(Evaluator)),
  metadata: nullable(freeForm('Free-form metadata.')),
  scores: Type.Optional(Scores),
})
export type Evaluation = Static<typeof Evaluation>

const patchableMembers = {
  name: Type.Optional(nullable(Type.String())),
  variant_id: Type.Optional(
    nullable(Type.String({ description: 'The variant that was evaluated. It must exist.' })),
  ),
  revision: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: MAX_REVISION,
        description: 'The revision of the variant that ran. It must exist.',
      }),
    ),
  ),
  baseline_id: Type.Optional(
    nullable(Type.String({ description: 'The evaluation to compare with. It can be created later.' })),
  ),
  evaluators: Type.Optional(nullable(Type.Array(Evaluator))),
  metadata: Type.Optional(nullable(freeForm('Free-form metadata.'))),
}

export const EvaluationPatch = strictObject(patchableMembers)
export type EvaluationPatch = Static<typeof EvaluationPatch>

export const EvaluationWrite = strictObject({
  id: Type.Optional(
    nullable(
      Type.String({ description: '1 to 200 characters, unique in the project. Generated if omitted.' }),
    ),
  ),
  ...patchableMembers,
  source: Type.Optional(nullable(Type.String({ description: 'The tool that produced the results.' }))),
  created_at: Type.Optional(nullable(Type.String({ description: 'An RFC 3339 timestamp. Default: now.' }))),
})
export type EvaluationWrite = Static<typeof EvaluationWrite>

export const checkEvaluationPatch = createValidator(EvaluationPatch, (content) => [
  ...invalidIds(content.value, 'variant_id', 'baseline_id'),
  ...invalidRevision(content),
])

export const checkEvaluation = createValidator(EvaluationWrite, (content) => [
  ...invalidIds(content.value, 'id', 'variant_id', 'baseline_id'),
  ...invalidRevision(content),
  ...invalidTime(content.value),
])
