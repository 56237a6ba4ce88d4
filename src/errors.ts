// The table of API errors, and the error classes: Problem (HTTP responses), CommandError (command line) and UnreadableFile
// (imports).

export const ERRORS = {
  'invalid-json': {
    status: 400,
    title: 'Invalid JSON',
    when: 'The body, or a line of it, is not valid JSON in UTF-8. `line` and `offset` give the position.',
  },
  'invalid-request': {
    status: 400,
    title: 'Invalid request',
    when: 'The request is malformed, a query parameter is unknown, out of range or not valid percent-encoded UTF-8, one that is not a filter is repeated, a cursor belongs to another list, or a header such as Host or Authorization is missing or repeated.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    when: 'The API key is missing, malformed, unknown, expired or revoked.',
  },
  'access-denied': {
    status: 403,
    title: 'Access denied',
    when: 'The evaluation, variant or review belongs to another project, the key does not have the required scope, or the restricted key of a share link does not allow this request.',
  },
  'evaluation-not-found': {
    status: 404,
    title: 'Evaluation not found',
    when: 'There is no evaluation with this id.',
  },
  'variant-not-found': { status: 404, title: 'Variant not found', when: 'There is no variant with this id.' },
  'review-not-found': { status: 404, title: 'Review not found', when: 'There is no review with this id.' },
  'scenario-not-found': {
    status: 404,
    title: 'Scenario not found',
    when: 'The evaluation has no scenario with this id.',
  },
  'evaluator-not-found': {
    status: 404,
    title: 'Evaluator not found',
    when: 'The evaluation has no results of this evaluator.',
  },
  'result-not-found': {
    status: 404,
    title: 'Result not found',
    when: 'The scenario has no result of this evaluator.',
  },
  'revision-not-found': {
    status: 404,
    title: 'Revision not found',
    when: 'The variant has no revision with this number.',
  },
  'share-not-found': {
    status: 404,
    title: 'Share not found',
    when: 'The project has no active share with this public id.',
  },
  'route-not-found': { status: 404, title: 'Route not found', when: 'There is no resource at this path.' },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    when: 'The path does not support this method. The Allow header lists the supported methods.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    when: 'No available media type or encoding matches the Accept and Accept-Encoding headers.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    when: 'The request did not arrive in time.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    when: 'The id or revision number already exists with different content, or a request with the same Idempotency-Key is in progress. For scenarios, `conflicts` lists the first 100 and their positions, and `conflict_count` is their number. For imports, `errors` and `report` list them. `on_conflict` determines what happens to them.',
  },
  'cursor-expired': {
    status: 410,
    title: 'Cursor expired',
    when: 'Changes after the cursor are older than the setting changes-retention, or the store was restored from a backup. Read the lists again, then read the changes without a cursor.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    when: 'No ETag in If-Match matches: the object has changed since you read it. Nothing was changed.',
  },
  'content-too-large': {
    status: 413,
    title: 'Content too large',
    when: 'The body exceeds the setting max-body-bytes, a record exceeds max-record-bytes, the temporary files of the upload exceed max-buffer-bytes, or the body expands to more than 200 times its compressed size.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URI too long',
    when: 'The request URL is longer than 8192 bytes.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    when: 'The operation does not support the Content-Type, its charset, or the Content-Encoding of the body.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    when: 'The Expect header is not 100-continue.',
  },
  'invalid-content': {
    status: 422,
    title: 'Invalid content',
    when: 'The body is JSON but not valid: it does not match the schema, repeats a name in an object, is nested too deeply or refers to an unknown id. `errors` lists each problem and its position. Nothing was stored.',
  },
  'nothing-to-rank': {
    status: 422,
    title: 'Nothing to rank',
    when: 'The evaluations of a leaderboard have no row with a score of the evaluator in common.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    when: 'This address sent more than 300 invalid keys within one minute. Retry after the time in Retry-After.',
  },
  'too-many-queries': {
    status: 429,
    title: 'Too many queries',
    when: 'Too many filters, searches, summaries or comparisons of this key or project are in progress. Retry after the time in Retry-After, and send fewer at the same time.',
  },
  'header-fields-too-large': {
    status: 431,
    title: 'Header fields too large',
    when: 'The request headers are larger than 16384 bytes.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    when: 'The service failed. Its log contains the cause under the request id.',
  },
  'store-damaged': {
    status: 500,
    title: 'Store damaged',
    when: 'The database is damaged. Retrying does not help: the operator must restore a backup. The log names the damaged file.',
  },
  'not-implemented': {
    status: 501,
    title: 'Not implemented',
    when: 'The Transfer-Encoding of the request contains more than chunked.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    when: 'The store is not available, too many queries of all clients are in progress, or the service is shutting down. Retry after the time in Retry-After.',
  },
  'query-timeout': {
    status: 504,
    title: 'Query timeout',
    when: 'The query exceeds the setting query-timeout, and would again. Use more filters, or increase the setting.',
  },
  'insufficient-storage': {
    status: 507,
    title: 'Insufficient storage',
    when: 'There is not enough disk space to store the request. Nothing was stored.',
  },
} as const satisfies Record<string, { status: number; title: string; when: string }>

export type ErrorCode = keyof typeof ERRORS

/**
 * invalid-json sets `line` and `offset`; invalid-content and a conflict of an import set `errors` (at most 100) and `error_count`; a
 * conflict of scenarios sets `conflicts` (at most 100) and `conflict_count`.
 */
export interface ProblemMembers {
  line?: number
  offset?: number
  errors?: { pointer: string; line: number; detail: string }[]
  error_count?: number
  conflicts?: { id: string; pointer: string; line: number }[]
  conflict_count?: number
}

/** An HTTP error response. The code determines status and title; the detail describes what happened and what to do. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>
  /** Additional members of the response, such as the position in the body. */
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

  static fromData({ code, detail, headers, members, cause }: ProblemData): Problem {
    const options = cause === undefined ? { members } : { members, cause: new Error(cause) }
    return new Problem(code, detail, { ...headers }, options)
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  /** For messages between threads, which keep only the message of an Error. */
  toData(): ProblemData {
    const { code, message, headers, members, cause } = this
    return {
      code,
      detail: message,
      headers,
      members,
      ...(cause instanceof Error && { cause: cause.message }),
    }
  }
}

/** A Problem as plain data. */
export interface ProblemData {
  code: ErrorCode
  detail: string
  headers: Readonly<Record<string, string>>
  members: Readonly<ProblemMembers>
  /** The message of the cause, for the log. */
  cause?: string
}

/** What to do about a damaged store. */
export const RESTORE_HINT =
  'Stop the service and restore a backup: assay restore FILE. It keeps the replaced store.'

/** An invalid-content error at one position of the body. */
export function invalidContent(pointer: string, detail: string): Problem {
  const members = { errors: [{ pointer, line: 1, detail }], error_count: 1 }
  return new Problem('invalid-content', `${detail} Nothing was stored.`, {}, { members })
}

/** An error of a command: message, hint, and exit code. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly hint: string
  /** 1: the command failed. 2: wrong usage. 3: the gate of a comparison cannot decide. 130: interrupted by Ctrl-C. */
  readonly exitCode: 1 | 2 | 3 | 130

  constructor(message: string, hint: string, exitCode: CommandError['exitCode'] = 1) {
    super(message)
    this.hint = hint
    this.exitCode = exitCode
  }
}

/** Wrong usage of a command. `runCommand` converts it to a CommandError with a hint that names the command. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The store that a command needs does not exist. */
export class StoreNotFound extends CommandError {
  override name = 'StoreNotFound'
}

/** The error of a file or folder that this user cannot use, as a CommandError. Undefined for other errors. */
export function permissionError(error: unknown): CommandError | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) return undefined
  return new CommandError(message, 'Check the permissions of this path, and the user that runs Assay.')
}

/** A file that cannot be read as a whole. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
  readonly line: number

  constructor(message: string, line = 1) {
    super(message)
    this.line = line
  }
}
