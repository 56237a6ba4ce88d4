// The headers and error responses that operations share, as components of the OpenAPI document.
import { ERRORS, type ErrorCode } from '../src/errors.ts'
import { Problem } from '../src/schema/problems.ts'
import type { SchemaPublisher } from './schemas.ts'

/** The description of each header, by component name. Two components of one header differ after a dot. */
const HEADERS = {
  'X-Request-Id': 'The id of the request, which is also in the log.',
  'X-Content-Type-Options': '`nosniff`: do not guess the media type from the content.',
  'Cache-Control':
    '`no-cache`: revalidate a cached response before you use it. `private` if the response needs a key.',
  'Cache-Control.no-store': '`no-store`: do not cache this response.',
  Vary: 'The request headers that the response depends on.',
  ETag: 'A strong validator of this version, format and encoding. Send it as If-None-Match in reads, or as If-Match in writes.',
  Link: 'With `limit`, if there are more elements: the URL of the next page, as `<…>; rel="next"` (RFC 8288).',
  'Content-Encoding': '`zstd`, `br` or `gzip`, if Accept-Encoding allows it.',
  Location: 'The path of the created object, or its URL if the setting public-url is set.',
  'Idempotent-Replayed':
    '`true` if the response repeats an earlier one with the same Idempotency-Key. Nothing was written.',
  'WWW-Authenticate': 'The authentication scheme.',
  Allow: 'The methods that this path supports.',
  Accept: 'The supported media types.',
  'Accept-Encoding': 'The supported encodings.',
  'Retry-After': 'Seconds to wait before a retry.',
}
type HeaderComponent = keyof typeof HEADERS

export const HEADER_COMPONENTS = Object.fromEntries(
  Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
)

export function headerRefs(...names: HeaderComponent[]) {
  const common = ['X-Request-Id', 'X-Content-Type-Options'] as const
  const refs = [...names, ...common].map((name) => [
    name.split('.')[0],
    { $ref: `#/components/headers/${name}` },
  ])
  return Object.fromEntries(refs)
}

export const NOT_MODIFIED = {
  description: 'The response has not changed since the ETag in If-None-Match.',
  headers: headerRefs('ETag', 'Cache-Control', 'Vary'),
}

const ERROR_HEADERS: Partial<Record<ErrorCode, HeaderComponent[]>> = {
  unauthorized: ['WWW-Authenticate'],
  'method-not-allowed': ['Allow'],
  'too-many-requests': ['Retry-After'],
  'too-many-queries': ['Retry-After'],
  conflict: ['Retry-After'],
  'unsupported-media-type': ['Accept', 'Accept-Encoding'],
  'insufficient-storage': ['Retry-After'],
  unavailable: ['Retry-After'],
}

/** Errors of every operation. */
const COMMON_ERRORS: ErrorCode[] = [
  'invalid-request',
  'method-not-allowed',
  'request-timeout',
  'uri-too-long',
  'expectation-failed',
  'header-fields-too-large',
  'internal-error',
  'not-implemented',
]

export const ERRORS_OF = {
  service: COMMON_ERRORS,
  /** Every operation that requires an API key. */
  authenticated: [
    ...COMMON_ERRORS,
    'unauthorized',
    'access-denied',
    'not-acceptable',
    'too-many-requests',
    'store-damaged',
    'unavailable',
  ],
  write: ['conflict', 'unsupported-media-type', 'invalid-content', 'insufficient-storage'],
  /** Writes that support If-Match. */
  conditionalWrite: ['precondition-failed'],
  body: ['invalid-json', 'content-too-large'],
} satisfies Record<string, ErrorCode[]>

/** The error of an unknown object, by the path parameter that names it. */
export const NOT_FOUND_ERRORS: Record<string, ErrorCode> = {
  evaluation_id: 'evaluation-not-found',
  scenario_id: 'scenario-not-found',
  evaluator: 'result-not-found',
  review_id: 'review-not-found',
  variant_id: 'variant-not-found',
  revision: 'revision-not-found',
  from: 'revision-not-found',
  public_id: 'share-not-found',
}

/** Collects error responses: one component for each set of errors that have the same status. */
export class ErrorResponses {
  readonly components: Record<string, object> = {}
  readonly #problem: object

  constructor(schemas: SchemaPublisher) {
    this.#problem = schemas.publish(Problem, 'response')
  }

  refs(codes: ErrorCode[]): Record<string, object> {
    const order = Object.keys(ERRORS) as ErrorCode[]
    const sortedCodes = order.filter((code) => codes.includes(code))
    const refs = [...Map.groupBy(sortedCodes, (code) => ERRORS[code].status)].map(([status, codes]) => {
      const name = codes.map(pascalCase).join('Or')
      this.components[name] ??= this.#describe(codes)
      return [status, { $ref: `#/components/responses/${name}` }]
    })
    return Object.fromEntries(refs)
  }

  #describe(codes: ErrorCode[]) {
    const [code] = codes as [ErrorCode]
    const { status, title, when } = ERRORS[code]
    const example = {
      type: `/docs/errors#${code}`,
      title,
      status,
      code,
      detail: when,
      instance: '01890a5d-ac96-774b-bcce-b302099a8057',
    }
    return {
      description: codes.map((code) => `${code}: ${ERRORS[code].when}`).join(' '),
      headers: headerRefs('Cache-Control.no-store', ...(ERROR_HEADERS[code] ?? [])),
      content: { 'application/problem+json': { schema: this.#problem, example } },
      'x-problem-codes': codes,
    }
  }
}

export function pascalCase(name: string): string {
  return name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase())
}
