// Collects the errors of an uploaded body: the first 100 in detail, and the number of all.
import { Problem } from '../../errors.ts'
import { truncate } from './truncate.ts'
import type { ValidationError } from './validator.ts'

const MAX_LISTED_ERRORS = 100

export class ContentErrors {
  count = 0
  readonly #listedErrors: { pointer: string; line: number; detail: string }[] = []

  /** `prefix` is the pointer of the record, which begins at `line`. */
  add(errors: readonly ValidationError[], prefix: string, line: number): void {
    this.count += errors.length
    for (const { pointer, detail } of errors) {
      if (this.#listedErrors.length === MAX_LISTED_ERRORS) return
      this.#listedErrors.push({ pointer: truncate(prefix + pointer), line, detail: truncate(detail) })
    }
  }

  toProblem(): Problem {
    const [firstError] = this.#listedErrors
    const location =
      firstError?.pointer === '' ? '' : ` (at ${firstError?.pointer}, line ${firstError?.line})`
    const total = this.count === 1 ? '' : ` There are ${this.count} errors in total.`
    const detail = `${firstError?.detail}${location}${total} Nothing was stored.`
    return new Problem(
      'invalid-content',
      detail,
      {},
      { members: { errors: this.#listedErrors, error_count: this.count } },
    )
  }
}
