// The errors that requests throw: error responses of the service and failed connections.
import type { Problem, ProblemCode } from './types.ts'

/** Thrown when the service responds with an error status, or when the response cannot be read. */
export class AssayError extends Error {
  override name = 'AssayError'
  /** The HTTP status code. */
  readonly status: number
  /** The error code, for programs. Undefined when the response comes from a proxy and not from the service. */
  readonly code: ProblemCode | undefined
  readonly title: string
  /** What went wrong and how to fix it, for people. Same text as `message`. */
  readonly detail: string
  /** The request id, as in the log of the service. */
  readonly instance: string | undefined
  /** For `invalid-json`: the line number in the request body. */
  readonly line: number | undefined
  /** For `invalid-json`: the byte offset in the request body. */
  readonly offset: number | undefined
  /** For `invalid-content`: the first 100 validation errors. */
  readonly errors: NonNullable<Problem['errors']>
  /** For `invalid-content`: the total number of validation errors. */
  readonly errorCount: number
  /** For `conflict`: the first 100 scenarios that exist with different content. */
  readonly conflicts: NonNullable<Problem['conflicts']>
  /** For `conflict`: the total number of these scenarios. */
  readonly conflictCount: number
  /** For a rejected import: the import report. */
  readonly report: Problem['report']
  /** Seconds to wait before the next attempt, if the response has a `Retry-After` header. */
  readonly retryAfter: number | undefined

  constructor(status: number, problem: Partial<Problem>, retryAfter?: number) {
    const { title = `Status ${status}`, errors = [], conflicts = [] } = problem
    const detail = problem.detail ?? `The response with status ${status} does not come from an Assay service.`
    super(detail)
    this.status = status
    this.code = problem.code as ProblemCode | undefined
    this.title = title
    this.detail = detail
    this.instance = problem.instance
    this.line = problem.line
    this.offset = problem.offset
    this.errors = errors
    this.errorCount = problem.error_count ?? errors.length
    this.conflicts = conflicts
    this.conflictCount = problem.conflict_count ?? conflicts.length
    this.report = problem.report
    this.retryAfter = retryAfter
  }
}

/** Thrown when the connection fails, or closes before the response is complete. `cause` is the original error. */
export class AssayConnectionError extends Error {
  override name = 'AssayConnectionError'
}

/** Builds the error for an error response. */
export async function toAssayError(response: Response): Promise<AssayError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
  const text = await response.text()
  const problem: Partial<Problem> = isProblem ? JSON.parse(text) : {}
  return new AssayError(response.status, problem, parseRetryAfter(response.headers.get('retry-after')))
}

/** Retry-After is a number of seconds or, from some proxies, a date. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
