// What one scenario of an evaluation looks like on the wire.
import type { Static } from 'typebox'
import { checker } from './check.ts'
import { wrongIds } from './rules.ts'
import { closed, freeForm, nullable } from './shapes.ts'
import { Type } from './type.ts'

export const ResultError = closed({
  message: Type.String(),
  stacktrace: Type.Optional(nullable(Type.String())),
})

export const Result = closed({
  type: Type.String({ description: 'An open set; known: text, json, bool, number, error.' }),
  value: Type.Optional(Type.Unknown({ description: 'Any JSON value, exactly as it was written.' })),
  error: Type.Optional(nullable(ResultError)),
})

export const ScenarioInput = closed({
  name: Type.String(),
  type: Type.String(),
  value: Type.Unknown({ description: 'Any JSON value, exactly as it was written.' }),
})

export const ScenarioOutput = closed({
  result: Result,
  cost: Type.Optional(nullable(Type.Number({ description: 'US dollars.' }))),
  latency: Type.Optional(nullable(Type.Number({ description: 'Seconds.' }))),
})

export const CorrectAnswer = closed({ key: Type.String(), value: Type.String() })

export const ScenarioResult = closed({
  evaluator_config: Type.String({ description: 'The name of the evaluator.' }),
  result: Result,
})

/** The eight fields of the contract: always all present in an answer, and no others unless asked for. */
export const EvaluationScenario = closed({
  id: Type.String(),
  evaluation_id: Type.String(),
  inputs: Type.Array(ScenarioInput),
  outputs: Type.Array(ScenarioOutput),
  correct_answers: nullable(Type.Array(CorrectAnswer)),
  is_pinned: nullable(Type.Boolean()),
  note: nullable(Type.String()),
  results: Type.Array(ScenarioResult),
  extra: Type.Optional(
    nullable(freeForm('What the writer kept beside the contract; present only with include=extra.')),
  ),
})
export type EvaluationScenario = Static<typeof EvaluationScenario>

export const ScenarioWrite = closed({
  id: Type.Optional(
    nullable(
      Type.String({ description: '1 to 200 characters, unique in the evaluation; without it one is made.' }),
    ),
  ),
  evaluation_id: Type.Optional(Type.String({ description: 'The evaluation of the path, or left out.' })),
  inputs: Type.Optional(Type.Array(ScenarioInput)),
  outputs: Type.Optional(Type.Array(ScenarioOutput)),
  correct_answers: Type.Optional(nullable(Type.Array(CorrectAnswer))),
  is_pinned: Type.Optional(nullable(Type.Boolean())),
  note: Type.Optional(nullable(Type.String())),
  results: Type.Optional(Type.Array(ScenarioResult)),
  extra: Type.Optional(
    nullable(
      freeForm(
        'What else is to be kept: results[i].reason says why an evaluator said so, repetition which run of the same inputs it is; everything else is free.',
      ),
    ),
  ),
})
export type ScenarioWrite = Static<typeof ScenarioWrite>

export const ScenarioPatch = closed({
  is_pinned: Type.Optional(nullable(Type.Boolean())),
  note: Type.Optional(nullable(Type.String())),
})
export type ScenarioPatch = Static<typeof ScenarioPatch>

/** What became of the scenarios that were sent. */
export const Appended = closed({
  accepted: Type.Integer({ minimum: 0, description: 'How many were added.' }),
  unchanged: Type.Integer({ minimum: 0, description: 'How many were there already with the same content.' }),
})
export type Appended = Static<typeof Appended>
export const checkScenario = checker(ScenarioWrite, ({ value }) => wrongIds(value, 'id', 'evaluation_id'))
export const checkScenarioPatch = checker(ScenarioPatch)
