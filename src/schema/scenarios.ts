// What one scenario of an evaluation looks like on the wire.
import Type, { type Static } from 'typebox'
import { closed, nullable } from './shapes.ts'

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
    nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'What the writer kept beside the contract; present only with include=extra.',
      }),
    ),
  ),
})
export type EvaluationScenario = Static<typeof EvaluationScenario>
