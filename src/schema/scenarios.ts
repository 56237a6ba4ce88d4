// The JSON schema of scenarios, and of results that are added to them.
import type { Static } from 'typebox'
import { idSchema } from './ids.ts'
import {
  countSchema,
  freeForm,
  namedObject,
  nullable,
  optionalMembers,
  statisticSchema,
  strictObject,
  Type,
} from './schema-builders.ts'
import { createValidator } from './validation/validator.ts'

const ResultError = namedObject('Error', {
  message: Type.String(),
  stacktrace: Type.Optional(nullable(Type.String())),
})

const Result = namedObject('Result', {
  type: Type.String({
    description:
      'The type of the value. Known types: `text`, `json`, `bool`, `number`, `error`. Other strings are allowed.',
  }),
  value: Type.Optional(Type.Unknown({ description: 'Any JSON value. Returned exactly as it was sent.' })),
  error: Type.Optional(nullable(ResultError)),
})

const ScenarioInput = namedObject('ScenarioInput', {
  name: Type.String(),
  type: Type.String({ description: 'The type of the value, for example `text` or `json`.' }),
  value: Type.Unknown({ description: 'Any JSON value. Returned exactly as it was sent.' }),
})

const ScenarioOutput = namedObject('ScenarioOutput', {
  result: Result,
  cost: Type.Optional(nullable(Type.Number({ minimum: 0, description: 'Cost in US dollars.' }))),
  latency: Type.Optional(statisticSchema('Latency in seconds.')),
})

const CorrectAnswer = namedObject('CorrectAnswer', { key: Type.String(), value: Type.String() })

export const ScenarioResult = namedObject('ScenarioResult', {
  evaluator_config: Type.String({ description: 'The name of the evaluator.' }),
  result: Result,
})

const marks = {
  is_pinned: nullable(Type.Boolean()),
  note: nullable(Type.String()),
}

const content = {
  inputs: Type.Array(ScenarioInput),
  outputs: Type.Array(ScenarioOutput),
  correct_answers: nullable(Type.Array(CorrectAnswer)),
  ...marks,
  results: Type.Array(ScenarioResult),
}

/** All required members are always present in a response. The optional ones are present only if requested. */
export const EvaluationScenario = namedObject('EvaluationScenario', {
  id: Type.String(),
  evaluation_id: Type.String(),
  ...content,
  extra: Type.Optional(
    nullable(freeForm('Additional data of the client. Present only with `include=extra`.')),
  ),
  has_generated_id: Type.Optional(
    Type.Boolean({
      description:
        'Whether Assay generated the id because the client sent none. Present only if true, and only with `include=has_generated_id`.',
    }),
  ),
})
export type EvaluationScenario = Static<typeof EvaluationScenario>

const writtenMembers = optionalMembers({
  id: nullable(idSchema('1 to 200 characters, unique in the evaluation. Generated if omitted.')),
  evaluation_id: idSchema('If present, it must be the evaluation in the path.'),
  ...content,
  extra: nullable(
    freeForm(
      'Additional data. `results[i].reason` explains the result of an evaluator, `sample` is the row of the test set (1 to 200 characters), the same for all its repetitions, and `repetition` is the number of the repetition, from 1. All other members are free-form.',
    ),
  ),
})

export const ScenarioWrite = namedObject('ScenarioWrite', writtenMembers)
export type ScenarioWrite = Static<typeof ScenarioWrite>

export const DeletedScenarios = namedObject('DeletedScenarios', {
  deleted: countSchema('Number of deleted scenarios.'),
})

export const ScenarioPatch = namedObject('ScenarioPatch', optionalMembers(marks))
export type ScenarioPatch = Static<typeof ScenarioPatch>

/** What happens to a record whose id exists with different content. `replace_all` also deletes all other scenarios. */
export const ON_CONFLICT = ['error', 'replace', 'skip', 'replace_all'] as const
export type OnConflict = (typeof ON_CONFLICT)[number]

export const onConflictParam = Type.Optional(
  Type.Enum([...ON_CONFLICT], {
    description:
      'What happens to a scenario whose id exists with different content. `error` (default): the request is rejected. `replace`: the stored scenario is replaced; its pin, its note and the results of evaluators with the kind `human` are kept, unless the record contains them. `skip`: the stored scenario stays as it is. `replace_all`: afterwards the evaluation contains exactly the scenarios of the request, in their order. A stored scenario matches by its id if the client gave it, otherwise by its inputs. Its pin and note are kept, and its results of evaluators with the kind `human` and answers of reviewers if the outputs are the same.',
  }),
)

/** The response to an append. */
export const Appended = namedObject('Appended', {
  accepted: countSchema('Number of added records.'),
  unchanged: countSchema('Number of records that existed already with the same content.'),
  replaced: Type.Optional(
    countSchema(
      'With `on_conflict=replace` and `replace_all`: number of records that replaced a stored scenario.',
    ),
  ),
  skipped: Type.Optional(
    countSchema('With `on_conflict=skip`: number of records that existed already with different content.'),
  ),
  deleted: Type.Optional(
    countSchema('With `on_conflict=replace_all`: number of stored scenarios that match no record.'),
  ),
  dropped_notes: Type.Optional(
    countSchema('With `on_conflict=replace_all`: number of pins and notes of deleted scenarios.'),
  ),
  dropped_human_results: Type.Optional(
    countSchema(
      'With `on_conflict=replace_all`: number of results of evaluators with the kind `human` that were removed, because their scenario was deleted or its outputs changed.',
    ),
  ),
  dropped_answers: Type.Optional(
    countSchema(
      'With `on_conflict=replace_all`: number of answers of reviewers that were removed for the same reasons. A row has one result, but an answer per reviewer, also if it is disputed.',
    ),
  ),
})
export type Appended = Static<typeof Appended>
export const checkScenario = createValidator(ScenarioWrite)

/** A line of a full export, which also contains whether the id was generated. */
const ExportedScenario = strictObject({
  ...writtenMembers,
  has_generated_id: Type.Optional(Type.Boolean()),
})
export type ExportedScenario = Static<typeof ExportedScenario>
export const checkExportedScenario = createValidator(ExportedScenario)
export const checkScenarioPatch = createValidator(ScenarioPatch)

/** A result that is added to an existing scenario. */
export const NewResult = namedObject('NewResult', {
  scenario_id: idSchema('The id of the scenario. It must exist.'),
  evaluator_config: Type.String({
    description: 'The name of the evaluator. A result of this evaluator that the scenario has is replaced.',
  }),
  result: Result,
  reason: Type.Optional(nullable(Type.String({ description: 'Explains the result.' }))),
  by: Type.Optional(
    nullable(Type.String({ description: 'Who gave the result, for example the name of a reviewer.' })),
  ),
})
export type NewResult = Static<typeof NewResult>
export const checkResult = createValidator(NewResult)

/** The response to an upload of results. */
export const AddedResults = namedObject('AddedResults', {
  added: countSchema('Number of results that were added.'),
  replaced: countSchema('Number of results that replaced another result of the same evaluator.'),
  unchanged: countSchema('Number of results that existed already.'),
})
export type AddedResults = Static<typeof AddedResults>
