// The JSON schema of the history of a scenario: the same row in other evaluations of the variant.
import type { Static } from 'typebox'
import { revisionSchema } from '../rules.ts'
import { ScenarioResult } from '../scenarios.ts'
import { countSchema, namedObject, nullable, statisticSchema, Type, timeSchema } from '../schema-builders.ts'

/** Only this many evaluations of the variant are searched, the newest ones. */
export const MAX_HISTORY_EVALUATIONS = 100

/** Of the rows of an evaluation with the same inputs, only this many are matched by inputs. Bounds how many rows are skipped. */
export const MAX_EQUAL_INPUTS = 1000

const HistoryRow = namedObject('HistoryRow', {
  evaluation_id: Type.String(),
  name: nullable(Type.String({ description: 'The name of the evaluation.' })),
  revision: nullable(revisionSchema('The revision of the variant that ran.')),
  created_at: timeSchema('The creation time of the evaluation. UTC, with milliseconds.'),
  scenario_id: Type.String({ description: 'The id of the row in this evaluation.' }),
  matched_by: Type.Enum(['id', 'input'], {
    description: 'Whether the row has the same id or, if one of the ids was generated, the same inputs.',
  }),
  results: Type.Array(ScenarioResult),
  cost: statisticSchema('Cost of all outputs together, in US dollars.'),
  latency: statisticSchema('Latency of all outputs together, in seconds.'),
  output_failed: Type.Boolean({
    description: 'Whether the application failed: at least one output is an error.',
  }),
  output_changed: nullable(
    Type.Boolean({
      description:
        'Whether the outputs differ from those of the next older row in this list. Null for the oldest row.',
    }),
  ),
})
export type HistoryRow = Static<typeof HistoryRow>

export const ScenarioHistory = namedObject('ScenarioHistory', {
  evaluation_id: Type.String({ description: 'The id of the evaluation of the requested scenario.' }),
  scenario_id: Type.String({ description: 'The id of the requested scenario.' }),
  variant_id: nullable(
    Type.String({ description: 'Null if the evaluation has no variant. Then only its own row is listed.' }),
  ),
  evaluation_count: countSchema(
    `Number of evaluations that were searched: the newest ${MAX_HISTORY_EVALUATIONS} of the variant.`,
  ),
  rows: Type.Array(HistoryRow, { description: 'The newest evaluation first.' }),
})
export type ScenarioHistory = Static<typeof ScenarioHistory>
