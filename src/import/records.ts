// From a record of JSON to a written value: parsed, held against what is wanted, with its texts as they came.

import { parseScanned } from '../json/parse.ts'
import type { JsonProblem } from '../json/problem.ts'
import type { JsonRecord, Place } from '../json/records.ts'
import type { Scanned } from '../json/scan.ts'
import type { Checker, ContentError } from '../schema/check.ts'
import type { Written } from '../schema/written.ts'

/** A record that can be kept, or why it cannot: it is no JSON (`problem`), or it does not fit (`errors`). */
export type Judged<Value> = { place: Place } & (
  | { written: Written<Value>; problem?: undefined; errors?: undefined }
  | { written?: undefined; problem: JsonProblem; errors?: undefined }
  | { written?: undefined; problem?: undefined; errors: ContentError[] }
)

export function judgeRecord<Value>(record: JsonRecord, check: Checker<Value>): Judged<Value> {
  const { scanned, problem, ...place } = record
  if (!scanned) {
    return problem.fault === 'syntax'
      ? { place, problem }
      : { place, errors: [{ pointer: problem.pointer, detail: problem.message }] }
  }
  const written = parse(scanned)
  const errors = check(written)
  return errors.length === 0 ? { place, written: written as Written<Value> } : { place, errors }
}

/** What was scanned is valid, so that parsing cannot fail. */
function parse(scanned: Scanned): Written<unknown> {
  return { value: parseScanned(scanned), texts: scanned.members ?? new Map() }
}
