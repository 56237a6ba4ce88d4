// How routes describe what can go wrong, in the terms of OpenAPI.
import { ERRORS, type ErrorCode } from '../errors.ts'

/** Every answer has these. */
export const ALWAYS = {
  'X-Request-Id': { type: 'string', description: 'The id of the request, as in the log.' },
  'X-Content-Type-Options': { type: 'string', description: 'nosniff: the content is what its type says.' },
}
export const NO_STORE = { type: 'string', description: 'no-store: an error is not kept.' }

/** What any operation with a key may answer. */
export const KEYED: ErrorCode[] = [
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

/** What any operation with a body may answer, and any that writes. */
export const BODIED: ErrorCode[] = ['invalid-json', 'content-too-large', 'invalid-content']
export const WRITING: ErrorCode[] = [
  'conflict',
  'unsupported-media-type',
  'invalid-content',
  'insufficient-storage',
]

const FIELDS_OF: Partial<Record<ErrorCode, Record<string, { type: string; description: string }>>> = {
  unauthorized: { 'WWW-Authenticate': { type: 'string', description: 'How to send a key.' } },
  'method-not-allowed': { Allow: { type: 'string', description: 'The methods this path takes.' } },
  'too-many-requests': { 'Retry-After': { type: 'string', description: 'Seconds to wait.' } },
  conflict: {
    'Retry-After': { type: 'string', description: 'Seconds to wait, where the same request is under way.' },
  },
  'unsupported-media-type': {
    Accept: { type: 'string', description: 'The types that are taken.' },
    'Accept-Encoding': { type: 'string', description: 'The codings that are taken.' },
  },
  'insufficient-storage': { 'Retry-After': { type: 'string', description: 'Seconds to wait.' } },
  unavailable: { 'Retry-After': { type: 'string', description: 'Seconds to wait.' } },
}

/** One response a status; errors that share a status share the response. */
export function problems(codes: ErrorCode[]) {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status)
  const responses = [...byStatus].map(([status, codes]) => [status, problemResponse(codes)] as const)
  return Object.fromEntries(responses)
}

function problemResponse(codes: ErrorCode[]) {
  const [first] = codes as [ErrorCode]
  const { status, title, when } = ERRORS[first]
  return {
    description: codes.map((code) => `${code}: ${ERRORS[code].when}`).join(' '),
    headers: { 'Cache-Control': NO_STORE, ...ALWAYS, ...FIELDS_OF[first] },
    content: {
      'application/problem+json': {
        schema: { $ref: 'Problem#' },
        example: {
          type: `/docs/errors#${first}`,
          title,
          status,
          code: first,
          detail: when,
          instance: '01890a5d-ac96-774b-bcce-b302099a8057',
        },
      },
    },
  }
}
