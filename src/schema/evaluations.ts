// The JSON schema of evaluations, and of the bodies that create and change them.
import type { Static } from 'typebox'
import { idSchema } from './ids.ts'
import { invalidRevision, revisionSchema } from './rules.ts'
import {
  countSchema,
  freeForm,
  namedObject,
  nullable,
  optionalMembers,
  Type,
  timeSchema,
} from './schema-builders.ts'
import { Scores } from './scores.ts'
import { timestampSchema } from './times.ts'
import { createValidator } from './validation/validator.ts'

export const EVALUATOR_KINDS = ['code', 'model', 'human'] as const
export type EvaluatorKind = (typeof EVALUATOR_KINDS)[number]

const Evaluator = namedObject('Evaluator', {
  name: Type.String({ description: 'The evaluator name, as in `results[].evaluator_config`.' }),
  higher_is_better: Type.Optional(Type.Boolean()),
  threshold: Type.Optional(Type.Number()),
  kind: Type.Optional(
    Type.Enum([...EVALUATOR_KINDS], {
      description:
        'Who gives the results: a program (`code`), a language model (`model`) or a person (`human`).',
    }),
  ),
})

const patchableMembers = {
  name: nullable(Type.String()),
  variant_id: nullable(idSchema('The variant that was evaluated. In a request, it must exist.')),
  revision: nullable(revisionSchema('The revision of the variant that ran. In a request, it must exist.')),
  baseline_id: nullable(idSchema('The evaluation that this one is compared with. It can be created later.')),
  evaluators: nullable(Type.Array(Evaluator)),
  metadata: nullable(freeForm('Free-form metadata.')),
}
const source = nullable(Type.String({ description: 'The tool that produced the results.' }))

export const Evaluation = namedObject('Evaluation', {
  id: Type.String(),
  ...patchableMembers,
  source,
  created_at: timeSchema('UTC, with milliseconds.'),
  scenario_count: countSchema('Number of scenarios.'),
  scores: Type.Optional(Scores),
})
export type Evaluation = Static<typeof Evaluation>

export const EvaluationPatch = namedObject('EvaluationPatch', optionalMembers(patchableMembers))
export type EvaluationPatch = Static<typeof EvaluationPatch>

export const EvaluationWrite = namedObject(
  'EvaluationWrite',
  optionalMembers({
    id: nullable(idSchema('1 to 200 characters, unique in the project. Generated if omitted.')),
    ...patchableMembers,
    source,
    created_at: nullable(timestampSchema('An RFC 3339 timestamp. Default: now.')),
  }),
)
export type EvaluationWrite = Static<typeof EvaluationWrite>

export const checkEvaluationPatch = createValidator(EvaluationPatch, invalidRevision)
export const checkEvaluation = createValidator(EvaluationWrite, invalidRevision)
