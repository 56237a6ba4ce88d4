// The rules for revision numbers, the statuses of evaluations, and the reasons for a default baseline.

import { nullable, Type } from './schema-builders.ts'
import type { ParsedValue } from './validation/parsed-value.ts'
import type { ValidationError } from './validation/validator.ts'

export const MAX_REVISION = 2147483647

export const revisionSchema = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_REVISION, description })

/** An error if the revision number is not plain digits. It is returned with its original text. */
export function invalidRevision({
  value,
  memberTexts,
}: ParsedValue<{ revision?: number | null }>): ValidationError[] {
  if (value.revision == null || /^\d+$/.test(memberTexts.get('revision') ?? '')) return []
  const detail = 'This must be an integer in plain digits, without exponent or fraction.'
  return [{ pointer: '/revision', detail }]
}

export const EVALUATION_STATUSES = ['running', 'finished', 'failed'] as const

/** Why a baseline was chosen that a request does not name. */
const BASELINE_REASONS = ['declared', 'marked', 'previous'] as const
export type BaselineReason = (typeof BASELINE_REASONS)[number]

export const chosenSchema = nullable(
  Type.Enum([...BASELINE_REASONS], {
    description:
      '`declared`: the `baseline_id` of the evaluation. `marked`: the newest older, finished evaluation of its variant that another evaluation has as `baseline_id`. `previous`: the finished evaluation before it. Null if the request names the baseline.',
  }),
)
