// Parses a JSON record and validates it. The exact text of each member is preserved.

import { parseScanned } from '../json/parse.ts'
import type { JsonProblem } from '../json/problem.ts'
import type { JsonRecord, RecordStart } from '../json/records.ts'
import type { ParsedValue } from '../schema/validation/parsed-value.ts'
import type { ValidationError, Validator } from '../schema/validation/validator.ts'

/** A valid record, or why it is invalid: it is not JSON (`problem`), or does not match its schema (`errors`). */
export type ValidatedRecord<Value> = { place: RecordStart } & (
  | { content: ParsedValue<Value>; problem?: undefined; errors?: undefined }
  | { content?: undefined; problem: JsonProblem; errors?: undefined }
  | { content?: undefined; problem?: undefined; errors: ValidationError[] }
)

export function validateRecord<Value>(
  record: JsonRecord,
  validate: Validator<Value>,
): ValidatedRecord<Value> {
  const { scanned, problem, index, line, offset } = record
  const place = { index, line, offset }
  if (!scanned) {
    return problem.fault === 'syntax'
      ? { place, problem }
      : { place, errors: [{ pointer: problem.pointer, detail: problem.message }] }
  }
  // Scanned text is valid JSON, so parsing cannot fail.
  const content = { value: parseScanned(scanned), memberTexts: scanned.members ?? new Map() }
  return validateContent(content, place, validate)
}

export function validateContent<Value>(
  content: ParsedValue<unknown>,
  place: RecordStart,
  validate: Validator<Value>,
): ValidatedRecord<Value> {
  const errors = validate(content)
  return errors.length === 0 ? { place, content: content as ParsedValue<Value> } : { place, errors }
}
