// The JSON schema of the comparison of labels: which failure modes are new, gone, more or less frequent.
import type { Static } from 'typebox'
import { countSchema, namedObject, nullable, rangeSchema, Type } from '../schema-builders.ts'

export const LABEL_STATES = ['new', 'gone', 'more', 'less', 'unclear'] as const

const ComparedLabel = namedObject('ComparedLabel', {
  label: Type.String(),
  state: Type.Enum([...LABEL_STATES], {
    description:
      '`new` and `gone`: no row of the baseline or of the candidate has it. `more` and `less`: the interval excludes 0. `unclear`: everything else.',
  }),
  base_rows: countSchema('Number of common rows with this label in the baseline.'),
  rows: countSchema('Number of common rows with this label in the candidate.'),
  delta: Type.Number({
    description: 'The share of common rows in the candidate minus that in the baseline.',
  }),
  interval: nullable(rangeSchema('95 % confidence interval of `delta`. Null below 6 common rows.')),
})
export type ComparedLabel = Static<typeof ComparedLabel>

export const LabelComparison = namedObject('LabelComparison', {
  evaluator: Type.String({ description: 'The evaluator of the question.' }),
  base_id: Type.String({ description: 'The baseline.' }),
  candidate_id: Type.String({ description: 'The candidate.' }),
  common_rows: countSchema(
    'Number of matched rows with definite answers in both evaluations. Only these count.',
  ),
  labels: Type.Array(ComparedLabel, { description: 'The most frequent in the candidate first.' }),
})
export type LabelComparison = Static<typeof LabelComparison>
