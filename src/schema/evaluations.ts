// The JSON schema of evaluations, and of the bodies that create and change them.
import type { Static } from 'typebox'
import { idSchema } from './ids.ts'
import { EVALUATION_STATUSES, invalidRevision, revisionSchema } from './rules.ts'
import {
  countSchema,
  freeForm,
  namedObject,
  nullable,
  optionalMembers,
  strictObject,
  Type,
  timeSchema,
} from './schema-builders.ts'
import { Scores } from './scores.ts'
import { timestampSchema } from './times.ts'
import { defineFormat } from './validation/formats.ts'
import { createValidator } from './validation/validator.ts'

export const EVALUATOR_KINDS = ['code', 'model', 'human'] as const
export type EvaluatorKind = (typeof EVALUATOR_KINDS)[number]

const Evaluator = namedObject('Evaluator', {
  name: Type.String({ description: 'The evaluator name, as in `results[].evaluator_config`.' }),
  higher_is_better: Type.Optional(Type.Boolean()),
  threshold: Type.Optional(Type.Number()),
  model: Type.Optional(Type.String({ description: 'The language model of a judge.' })),
  prompt: Type.Optional(
    Type.String({ description: 'The prompt of a judge, or its name and version, such as `judge-v4`.' }),
  ),
  kind: Type.Optional(
    Type.Enum([...EVALUATOR_KINDS], {
      description:
        'Who gives the results: a program (`code`), a language model (`model`) or a person (`human`).',
    }),
  ),
})

const EvaluatorChange = namedObject('EvaluatorChange', {
  name: Type.String({ description: 'The evaluator to change, or to declare if it is not declared.' }),
  higher_is_better: Type.Optional(nullable(Type.Boolean())),
  threshold: Type.Optional(nullable(Type.Number())),
  model: Type.Optional(nullable(Type.String())),
  prompt: Type.Optional(nullable(Type.String())),
  kind: Type.Optional(nullable(Type.Enum([...EVALUATOR_KINDS]))),
})

const MAX_EXPECTED_COUNT = 2147483647

defineFormat(
  'tag',
  (text) => /^\P{Cc}{1,64}$/u.test(text) && text.isWellFormed(),
  'A tag must have 1 to 64 characters, without control characters and lone surrogates.',
)

const status = Type.Enum(EVALUATION_STATUSES, {
  description:
    '`running` while scenarios are still being added, `failed` if it ended early. Default: `finished`.',
})
const tags = Type.Array(Type.String({ format: 'tag' }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'At most 20 different tags of 1 to 64 characters. Their order is preserved.',
})

/** Null is the same as absent when an evaluation is created. In a change, it clears the member. */
const patchableMembers = {
  name: nullable(Type.String()),
  variant_id: nullable(idSchema('The variant that was evaluated. In a request, it must exist.')),
  revision: nullable(revisionSchema('The revision of the variant that ran. In a request, it must exist.')),
  baseline_id: nullable(idSchema('The evaluation that this one is compared with. It can be created later.')),
  family: nullable(
    idSchema(
      'The evaluations of one file with several prompts or providers have the same family: their id without the number of the column.',
    ),
  ),
  label: nullable(Type.String({ description: 'The prompt of this evaluation in its family.' })),
  provider: nullable(Type.String({ description: 'The provider of this evaluation in its family.' })),
  status: nullable(status),
  expected_count: nullable(
    Type.Integer({
      minimum: 0,
      maximum: MAX_EXPECTED_COUNT,
      description: 'The number of scenarios that a running evaluation will have, to show its progress.',
    }),
  ),
  tags: nullable(tags),
  evaluators: nullable(Type.Array(Evaluator)),
  metadata: nullable(freeForm('Free-form metadata.')),
}
const source = nullable(Type.String({ description: 'The tool that produced the results.' }))

export const Evaluation = namedObject('Evaluation', {
  id: Type.String(),
  ...patchableMembers,
  status,
  tags,
  source,
  created_at: timeSchema('UTC, with milliseconds.'),
  updated_at: timeSchema('The time of the last write that changed the evaluation or its scenarios.'),
  scenario_count: countSchema('Number of scenarios.'),
  scores: Type.Optional(Scores),
})
export type Evaluation = Static<typeof Evaluation>
export type EvaluationStatus = Evaluation['status']

export const EvaluationPatch = namedObject(
  'EvaluationPatch',
  optionalMembers({
    ...patchableMembers,
    evaluators: nullable(
      Type.Array(EvaluatorChange, {
        description:
          'Sets the members of the named evaluators. Their other members and other evaluators stay. `null` removes a member, or all evaluators.',
      }),
    ),
  }),
)
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

/** An evaluation in a full export. Exports of earlier versions have no update time. */
const EvaluationRecord = strictObject({
  ...EvaluationWrite.properties,
  updated_at: Type.Optional(timestampSchema('When it was last updated.')),
})
export const checkEvaluationRecord = createValidator(EvaluationRecord, invalidRevision)
