// Builds the OpenAPI descriptions of error responses.
import { ERRORS, type ErrorCode } from '../../errors.ts'

/** Headers of every response. */
export const COMMON_HEADERS = {
  'X-Request-Id': { type: 'string', description: 'The id of the request, which is also in the log.' },
  'X-Content-Type-Options': {
    type: 'string',
    description: '`nosniff`: do not guess the media type from the content.',
  },
}
export const NO_STORE = { type: 'string', description: '`no-store`: do not cache this response.' }

/** Errors of every operation that requires an API key. */
export const AUTHENTICATED_ERRORS: ErrorCode[] = [
  'invalid-request',
  'unauthorized',
  'access-denied',
  'method-not-allowed',
  'not-acceptable',
  'request-timeout',
  'uri-too-long',
  'expectation-failed',
  'too-many-requests',
  'header-fields-too-large',
  'internal-error',
  'unavailable',
]

/** Errors of every operation with a request body. */
export const BODY_ERRORS: ErrorCode[] = ['invalid-json', 'content-too-large', 'invalid-content']
/** Errors of every write. */
export const WRITE_ERRORS: ErrorCode[] = [
  'conflict',
  'unsupported-media-type',
  'invalid-content',
  'insufficient-storage',
]

const ERROR_HEADERS: Partial<Record<ErrorCode, Record<string, { type: string; description: string }>>> = {
  unauthorized: { 'WWW-Authenticate': { type: 'string', description: 'The authentication scheme.' } },
  'method-not-allowed': { Allow: { type: 'string', description: 'The methods that this path supports.' } },
  'too-many-requests': { 'Retry-After': { type: 'string', description: 'Seconds to wait before a retry.' } },
  conflict: {
    'Retry-After': {
      type: 'string',
      description: 'Seconds to wait, if a request with the same Idempotency-Key is in progress.',
    },
  },
  'unsupported-media-type': {
    Accept: { type: 'string', description: 'The supported media types.' },
    'Accept-Encoding': { type: 'string', description: 'The supported encodings.' },
  },
  'insufficient-storage': {
    'Retry-After': { type: 'string', description: 'Seconds to wait before a retry.' },
  },
  unavailable: { 'Retry-After': { type: 'string', description: 'Seconds to wait before a retry.' } },
}

/** One response per status. Errors with the same status share a response. */
export function problemResponses(codes: ErrorCode[]) {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status)
  const responses = [...byStatus].map(([status, codes]) => [status, problemResponse(codes)] as const)
  return Object.fromEntries(responses)
}

function problemResponse(codes: ErrorCode[]) {
  const [firstCode] = codes as [ErrorCode]
  const { status, title, when } = ERRORS[firstCode]
  return {
    description: codes.map((code) => `${code}: ${ERRORS[code].when}`).join(' '),
    headers: { 'Cache-Control': NO_STORE, ...COMMON_HEADERS, ...ERROR_HEADERS[firstCode] },
    content: {
      'application/problem+json': {
        schema: { $ref: 'Problem#' },
        example: {
          type: `/docs/errors#${firstCode}`,
          title,
          status,
          code: firstCode,
          detail: when,
          instance: '01890a5d-ac96-774b-bcce-b302099a8057',
        },
      },
    },
  }
}
