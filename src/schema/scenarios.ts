// The JSON schema of scenarios.
import type { Static } from 'typebox'
import { invalidIds } from './rules.ts'
import { freeForm, nullable, strictObject, Type } from './schema-builders.ts'
import { createValidator } from './validation/validator.ts'

export const ResultError = strictObject({
  message: Type.String(),
  stacktrace: Type.Optional(nullable(Type.String())),
})

export const Result = strictObject({
  type: Type.String({
    description:
      'The type of the value. Known types: `text`, `json`, `bool`, `number`, `error`. Other strings are allowed.',
  }),
  value: Type.Optional(Type.Unknown({ description: 'Any JSON value. Returned exactly as it was sent.' })),
  error: Type.Optional(nullable(ResultError)),
})

export const ScenarioInput = strictObject({
  name: Type.String(),
  type: Type.String(),
  value: Type.Unknown({ description: 'Any JSON value. Returned exactly as it was sent.' }),
})

export const ScenarioOutput = strictObject({
  result: Result,
  cost: Type.Optional(nullable(Type.Number({ description: 'Cost in US dollars.' }))),
  latency: Type.Optional(nullable(Type.Number({ description: 'Latency in seconds.' }))),
})

export const CorrectAnswer = strictObject({ key: Type.String(), value: Type.String() })

export const ScenarioResult = strictObject({
  evaluator_config: Type.String({ description: 'The name of the evaluator.' }),
  result: Result,
})

/** All required members are always present in a response. `extra` is present only if requested. */
export const EvaluationScenario = strictObject({
  id: Type.String(),
  evaluation_id: Type.String(),
  inputs: Type.Array(ScenarioInput),
  outputs: Type.Array(ScenarioOutput),
  correct_answers: nullable(Type.Array(CorrectAnswer)),
  is_pinned: nullable(Type.Boolean()),
  note: nullable(Type.String()),
  results: Type.Array(ScenarioResult),
  extra: Type.Optional(
    nullable(freeForm('Additional data of the client. Present only with `include=extra`.')),
  ),
})
export type EvaluationScenario = Static<typeof EvaluationScenario>

export const ScenarioWrite = strictObject({
  id: Type.Optional(
    nullable(
      Type.String({ description: '1 to 200 characters, unique in the evaluation. Generated if omitted.' }),
    ),
  ),
  evaluation_id: Type.Optional(
    Type.String({ description: 'If present, it must be the evaluation in the path.' }),
  ),
  inputs: Type.Optional(Type.Array(ScenarioInput)),
  outputs: Type.Optional(Type.Array(ScenarioOutput)),
  correct_answers: Type.Optional(nullable(Type.Array(CorrectAnswer))),
  is_pinned: Type.Optional(nullable(Type.Boolean())),
  note: Type.Optional(nullable(Type.String())),
  results: Type.Optional(Type.Array(ScenarioResult)),
  extra: Type.Optional(
    nullable(
      freeForm(
        'Additional data. `results[i].reason` explains the result of an evaluator, and `repetition` is the number of the run with the same inputs. All other members are free-form.',
      ),
    ),
  ),
})
export type ScenarioWrite = Static<typeof ScenarioWrite>

export const ScenarioPatch = strictObject({
  is_pinned: Type.Optional(nullable(Type.Boolean())),
  note: Type.Optional(nullable(Type.String())),
})
export type ScenarioPatch = Static<typeof ScenarioPatch>

/** The response to an append. */
export const Appended = strictObject({
  accepted: Type.Integer({ minimum: 0, description: 'Number of added records.' }),
  unchanged: Type.Integer({
    minimum: 0,
    description: 'Number of records that existed already with the same content.',
  }),
})
export type Appended = Static<typeof Appended>
export const checkScenario = createValidator(ScenarioWrite, ({ value }) =>
  invalidIds(value, 'id', 'evaluation_id'),
)
export const checkScenarioPatch = createValidator(ScenarioPatch)
