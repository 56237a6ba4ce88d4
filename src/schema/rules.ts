// Validation rules that a JSON schema cannot express, shared by several resources.

import { ID_RULES, isId } from './ids.ts'
import { normalizeTime } from './times.ts'
import type { ParsedValue } from './validation/parsed-value.ts'
import type { ValidationError } from './validation/validator.ts'

export const MAX_REVISION = 2147483647

/** Errors for the members among these that are not valid ids. */
export function invalidIds(value: object, ...names: string[]): ValidationError[] {
  return names.flatMap((name) => {
    const id = (value as Record<string, unknown>)[name]
    return typeof id !== 'string' || isId(id) ? [] : [{ pointer: `/${name}`, detail: ID_RULES }]
  })
}

export function invalidTime<Name extends 'created_at' | 'expires_at' = 'created_at'>(
  value: { [Time in Name]?: string | null },
  name = 'created_at' as Name,
): ValidationError[] {
  const time = value[name]
  if (time == null || normalizeTime(time) !== undefined) return []
  const detail = 'This must be an RFC 3339 timestamp, such as 2026-11-15T09:15:00.123Z.'
  return [{ pointer: `/${name}`, detail }]
}

/** An error if the revision number is not plain digits. It is returned with its original text. */
export function invalidRevision({
  value,
  memberTexts: texts,
}: ParsedValue<{ revision?: number | null }>): ValidationError[] {
  if (value.revision == null || /^\d+$/.test(texts.get('revision') ?? '')) return []
  return [
    {
      pointer: '/revision',
      detail: 'This must be an integer in plain digits, without exponent or fraction.',
    },
  ]
}
