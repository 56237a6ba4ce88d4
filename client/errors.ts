// What a call may throw beside the reason of an abort: what the service refused, and connections that are lost.
import type { Problem, ProblemCode } from './types.ts'

/** The service answered, and not with what was asked for. */
export class AssayError extends Error {
  override name = 'AssayError'
  /** The status of HTTP. */
  readonly status: number
  /** What went wrong, for programs; undefined where the answer is not one of the service, but of a proxy. */
  readonly code: ProblemCode | undefined
  readonly title: string
  /** What was wrong and what to do, for people. */
  readonly detail: string
  /** The id of the request, as in the log of the service. */
  readonly instance: string | undefined
  /** Of invalid-json: the line in the body. */
  readonly line: number | undefined
  /** Of invalid-json: how many bytes of the body come before. */
  readonly offset: number | undefined
  /** Of invalid-content: what does not fit, the first hundred. */
  readonly errors: NonNullable<Problem['errors']>
  /** Of invalid-content: how many errors there are in all. */
  readonly errorCount: number
  /** Of a file that was refused. */
  readonly report: Problem['report']
  /** How many seconds to wait before asking again, where the service says so. */
  readonly retryAfter: number | undefined

  constructor(status: number, problem: Partial<Problem>, retryAfter?: number) {
    const { title = `Status ${status}`, errors = [] } = problem
    const detail = problem.detail ?? `The answer with status ${status} is none of an Assay service.`
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
    this.report = problem.report
    this.retryAfter = retryAfter
  }
}

/** There was no connection to the service, or it broke off before the answer was whole. `cause` has the reason. */
export class AssayConnectionError extends Error {
  override name = 'AssayConnectionError'
}

/** The error that an answer stands for. */
export async function errorOf(response: Response): Promise<AssayError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
  const text = await response.text()
  const problem: Partial<Problem> = isProblem ? JSON.parse(text) : {}
  return new AssayError(response.status, problem, secondsToWait(response.headers.get('retry-after')))
}

/** Retry-After is a number of seconds, or, from a proxy, a date. */
function secondsToWait(field: string | null): number | undefined {
  if (field === null) return undefined
  const seconds = /^\d+$/.test(field) ? Number(field) : (Date.parse(field) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
