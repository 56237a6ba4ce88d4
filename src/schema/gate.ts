// The JSON schema of the regression gate: its decision about a candidate, and the rules that a request can set.
import type { Static } from 'typebox'
import { countSchema, namedObject, nullable, rangeSchema, statisticSchema, Type } from './schema-builders.ts'

const GATE_DECISIONS = ['passed', 'failed', 'invalid'] as const
export type GateDecision = (typeof GATE_DECISIONS)[number]

/** The largest observed loss of a pass rate that passes. Numbers have no default, because their scale is unknown. */
export const DEFAULT_MAX_LOSS = 0.05
/** The smallest share of the baseline's rows that must be matched, and of its scored rows that must have a score. */
export const DEFAULT_MIN_MATCHED = 0.95

const GATE_REASONS = [
  ...(['certain', 'observed-loss', 'rows-regressed'] as const),
  ...(['running', 'run-failed', 'count-differs', 'rows-missing', 'rows-differ'] as const),
  ...(['scores-missing', 'nothing-checked', 'not-worse', 'not-excluded'] as const),
] as const
export type GateReasonCode = (typeof GATE_REASONS)[number]

const GateReason = namedObject('GateReason', {
  code: Type.Enum([...GATE_REASONS], {
    description:
      'Of a failed gate: `certain` (the confidence interval excludes that the loss is within the tolerance), `observed-loss` (the loss is larger than `max_loss`, but can be chance) or `rows-regressed`. Of an invalid gate: `running`, `run-failed`, `count-differs` (from `expected_count`), `rows-missing` (too few rows of the baseline are matched), `rows-differ`, `scores-missing` or `nothing-checked`. Of a passed gate: `not-worse` (a larger loss is excluded) or `not-excluded` (too few rows to exclude a loss).',
  }),
  evaluator: nullable(Type.String({ description: 'The evaluator that the reason is about.' })),
  detail: Type.String({ description: 'A readable explanation.' }),
})
export type GateReason = Static<typeof GateReason>

const GateCheck = namedObject('GateCheck', {
  name: Type.String({ description: 'The checked evaluator.' }),
  n: countSchema('Number of rows with a score in both evaluations.'),
  scored: countSchema('Number of rows with a score in the baseline.'),
  is_verdict: Type.Boolean({ description: 'True if all scores of the baseline are verdicts.' }),
  loss: statisticSchema('How much worse the candidate is. Negative if it is better.'),
  interval: nullable(
    rangeSchema(
      'Confidence interval of `loss` at the level 1 − 0.05 / m for m checked evaluators. A loss above its end is excluded. Null if there is none.',
    ),
  ),
})
export type GateCheck = Static<typeof GateCheck>

export const Gate = namedObject('Gate', {
  decision: Type.Enum([...GATE_DECISIONS], {
    description: '`invalid` if something prevents a decision.',
  }),
  reasons: Type.Array(GateReason, {
    description: 'Why, with at least one reason. The first one matters most.',
  }),
  checks: Type.Array(GateCheck, { description: 'The checked evaluators.' }),
  unchecked: Type.Array(Type.String(), {
    description:
      'The other evaluators: numbers without a declared direction or threshold, evaluators of people, those that the baseline has no score of, and those that `on` does not name.',
  }),
})
export type Gate = Static<typeof Gate>

const limit = (description: string, maximum?: number) =>
  Type.Optional(Type.Number({ minimum: 0, ...(maximum !== undefined && { maximum }), description }))

/** The query parameters of a comparison that change the decision. */
export const gateQuery = {
  on: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'The evaluators that the gate checks, separated by commas. Default: verdicts, and evaluators with a declared direction or threshold; not those of people.',
    }),
  ),
  tolerance: limit(
    'The gate fails if a checked evaluator is certainly worse by more than this. 0.02 is 2 points of a pass rate. Default: 0.',
  ),
  max_loss: limit(
    'The gate fails if the observed loss of a checked evaluator is larger than this, even if it can be chance. Default: 0.05 for verdicts, no limit for numbers.',
  ),
  max_regressed: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The gate fails if more rows than this regressed on a checked evaluator. Default: no limit.',
    }),
  ),
  min_matched: limit(
    'The gate is invalid if a smaller share of the baseline’s rows is matched. Default: 0.95.',
    1,
  ),
}

export interface GateRules {
  /** Names separated by commas. */
  on?: string | undefined
  tolerance?: number | undefined
  max_loss?: number | undefined
  max_regressed?: number | undefined
  min_matched?: number | undefined
}
