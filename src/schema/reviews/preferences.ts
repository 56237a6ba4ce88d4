// The JSON schema of what people prefer in a comparison.
import type { Static } from 'typebox'
import { countSchema, namedObject, nullable, rangeSchema, statisticSchema, Type } from '../schema-builders.ts'

const counts = {
  candidate: countSchema('Number of rows in which people prefer the candidate.'),
  baseline: countSchema('Number of rows in which people prefer the baseline.'),
  equal: countSchema('Number of rows in which both are equal.'),
  both_bad: countSchema('Number of rows in which both are bad.'),
  share: statisticSchema(
    'Fraction of the rows with a preferred side in which people prefer the candidate. Null without such rows.',
  ),
  interval: nullable(rangeSchema('Exact 95 % confidence interval of `share`.')),
}

export const PreferenceCounts = namedObject('PreferenceCounts', counts)
export type PreferenceCounts = Static<typeof PreferenceCounts>

export const ComparisonPreference = namedObject('ComparisonPreference', {
  review_id: Type.String({ description: 'The review that compares both evaluations.' }),
  evaluator: Type.String({ description: 'The evaluator of the question.' }),
  ...counts,
})
