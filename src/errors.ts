// Every error a client can meet, in one table, and the two classes that carry errors: Problem becomes an
// HTTP answer, CommandError becomes two lines on standard error.

export const ERRORS = {
  'invalid-json': {
    status: 400,
    title: 'Invalid JSON',
    when: 'The body, or a line of it, is not JSON in UTF-8: `line` and `offset` say where.',
  },
  'invalid-request': {
    status: 400,
    title: 'Invalid request',
    when: 'The request is malformed, a query parameter is unknown, repeated or out of range, a cursor does not belong to this list, or a field such as Host or Authorization is missing or doubled.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    when: 'No API key was sent, or it is malformed, unknown, expired or revoked.',
  },
  'access-denied': {
    status: 403,
    title: 'Access denied',
    when: 'The evaluation or variant belongs to another project, the key lacks the scope, or it is confined to something else.',
  },
  'evaluation-not-found': {
    status: 404,
    title: 'Evaluation not found',
    when: 'No evaluation has this id.',
  },
  'variant-not-found': { status: 404, title: 'Variant not found', when: 'No variant has this id.' },
  'scenario-not-found': {
    status: 404,
    title: 'Scenario not found',
    when: 'The evaluation has no scenario with this id.',
  },
  'revision-not-found': {
    status: 404,
    title: 'Revision not found',
    when: 'The variant has no revision with this number.',
  },
  'share-not-found': {
    status: 404,
    title: 'Share not found',
    when: 'The project has no share with this public part, or it has ended.',
  },
  'route-not-found': { status: 404, title: 'Route not found', when: 'Nothing is served at this path.' },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    when: 'The path exists and does not take this method; the Allow field lists those it takes.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    when: 'None of the representations or codings served here fits Accept and Accept-Encoding.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    when: 'The request did not arrive in time.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    when: 'The id or revision number already holds something else, or a request with the same Idempotency-Key is under way.',
  },
  'content-too-large': {
    status: 413,
    title: 'Content too large',
    when: 'The body is larger than the setting max-body-bytes, a record larger than max-record-bytes, or a compressed body expands more than max-expansion allows.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URI too long',
    when: 'The request target is longer than the setting max-url-bytes.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    when: 'The body is of a type or coding that this operation does not take.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    when: 'The Expect field asks for something other than 100-continue.',
  },
  'invalid-content': {
    status: 422,
    title: 'Invalid content',
    when: 'The body is JSON and does not fit: its shape, a name that stands twice in an object, nesting, a reference that leads nowhere. `errors` says what and where; nothing was stored.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    when: 'Too many refused keys came from this address within a minute; Retry-After says when to go on.',
  },
  'header-fields-too-large': {
    status: 431,
    title: 'Header fields too large',
    when: 'The header block is larger than the setting max-header-bytes.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    when: 'The service failed; its log has the reason under the request id.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    when: 'The store cannot answer now, or the service is shutting down; Retry-After says when to try again.',
  },
  'insufficient-storage': {
    status: 507,
    title: 'Insufficient storage',
    when: 'There is no room left to store what was sent; nothing of it was kept.',
  },
} as const satisfies Record<string, { status: number; title: string; when: string }>

export type ErrorCode = keyof typeof ERRORS

/** Of invalid-json `line` and `offset`, of invalid-content `errors` (the first hundred) and `error_count`. */
export interface ProblemMembers {
  line?: number
  offset?: number
  errors?: { pointer: string; line: number; detail: string }[]
  error_count?: number
}

/** An answer that is not a success: the code picks status and title, the detail says what and what to do. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>
  /** What the answer says beside the usual members: where in the body it was. */
  readonly members: Readonly<ProblemMembers>

  constructor(
    code: ErrorCode,
    detail: string,
    headers: Record<string, string> = {},
    { members = {}, ...options }: ErrorOptions & { members?: ProblemMembers } = {},
  ) {
    super(detail, options)
    this.code = code
    this.headers = headers
    this.members = members
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** A body that is JSON and does not fit at one place. */
export function invalidContent(pointer: string, detail: string): Problem {
  const members = { errors: [{ pointer, line: 1, detail }], error_count: 1 }
  return new Problem('invalid-content', `${detail} Nothing was stored.`, {}, { members })
}

/** A command that cannot go on: one line, a hint on the next, and the exit code (1 failed, 2 wrong use). */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly hint: string
  readonly exitCode: 1 | 2

  constructor(message: string, hint: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.hint = hint
    this.exitCode = exitCode
  }
}

/** A command that needs a store found none. */
export class NoStore extends CommandError {
  override name = 'NoStore'
}
