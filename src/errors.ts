// Every error a client can meet, in one table, and the two classes that carry errors: Problem becomes an
// HTTP answer, CommandError becomes two lines on standard error.

export const ERRORS = {
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
    when: 'The evaluation or variant belongs to another project, or the key lacks the scope.',
  },
  'evaluation-not-found': {
    status: 404,
    title: 'Evaluation not found',
    when: 'No evaluation has this id.',
  },
  'variant-not-found': { status: 404, title: 'Variant not found', when: 'No variant has this id.' },
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
  'uri-too-long': {
    status: 414,
    title: 'URI too long',
    when: 'The request target is longer than the setting max-url-bytes.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    when: 'The Expect field asks for something other than 100-continue.',
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
} as const satisfies Record<string, { status: number; title: string; when: string }>

export type ErrorCode = keyof typeof ERRORS

/** An answer that is not a success: the code picks status and title, the detail says what and what to do. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, detail: string, headers: Record<string, string> = {}, options?: ErrorOptions) {
    super(detail, options)
    this.code = code
    this.headers = headers
  }

  get status(): number {
    return ERRORS[this.code].status
  }
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
