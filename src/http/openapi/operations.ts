// Builds the OpenAPI descriptions of routes: the parameters, statuses, headers and examples that operations share.
import type { TObject } from 'typebox'
import type { ErrorCode } from '../../errors.ts'
import { strictObject, Type } from '../../schema/schema-builders.ts'
import {
  AUTHENTICATED_ERRORS,
  BODY_ERRORS,
  COMMON_HEADERS,
  NO_STORE,
  problemResponses,
  WRITE_ERRORS,
} from './error-responses.ts'

interface OperationDescription<Query extends TObject> {
  operationId: string
  summary: string
  description: string
  tag: 'evaluations' | 'variants' | 'keys'
  querystring: Query
  /** The name of the element's schema. */
  element: string
  example: object
}

interface ReadDescription<Params extends TObject, Query extends TObject> extends OperationDescription<Query> {
  params: Params
  csvExample: string
  notFound: ErrorCode
}

const SECURITY = [{ apiKey: [] }, { bearer: [] }]

const CACHE_CONTROL = {
  type: 'string',
  description: '`private, no-cache`: revalidate a cached response before you use it.',
}
const VARY = { type: 'string', description: 'Accept, Accept-Encoding, Authorization.' }
const ETAG = {
  type: 'string',
  description: 'A strong validator of this version, format and encoding. Send it as If-None-Match.',
}
const LIST_HEADERS = {
  Link: {
    type: 'string',
    description:
      'With `limit`, if there are more elements: the URL of the next page, as `<…>; rel="next"` (RFC 8288).',
  },
  'Cache-Control': CACHE_CONTROL,
  Vary: VARY,
  'Content-Encoding': {
    type: 'string',
    description: '`zstd`, `br` or `gzip`, if Accept-Encoding allows it.',
  },
  ...COMMON_HEADERS,
}

const CONDITIONAL_HEADERS = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({
      description: 'The ETag of an earlier response. If it still matches, the response is 304.',
    }),
  ),
  'accept-encoding': Type.Optional(
    Type.String({ description: 'The encodings that the client accepts, with q-values.' }),
  ),
})
const NOT_MODIFIED = {
  type: 'null',
  description: 'The response has not changed since the ETag in If-None-Match.',
  headers: { ETag: ETAG, 'Cache-Control': CACHE_CONTROL, Vary: VARY, ...COMMON_HEADERS },
}

export function describeRead<Params extends TObject, Query extends TObject>(
  read: ReadDescription<Params, Query>,
) {
  const schema = { type: 'array', items: { $ref: `${read.element}#` } }
  const ndjson = `${JSON.stringify(read.example)}\n`
  return {
    ...describeOperation(read),
    params: read.params,
    headers: CONDITIONAL_HEADERS,
    response: {
      200: {
        description: 'All elements, or one page if `limit` is set.',
        headers: { ETag: ETAG, ...LIST_HEADERS },
        content: {
          'application/json': { schema, example: [read.example] },
          'application/x-ndjson': { schema: { type: 'string' }, example: ndjson },
          'text/csv': { schema: { type: 'string' }, example: read.csvExample },
        },
      },
      304: NOT_MODIFIED,
      ...problemResponses([...AUTHENTICATED_ERRORS, read.notFound]),
    },
  }
}

const IDEMPOTENCY_HEADERS = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'A unique value that you choose. Repeating the request with the same value within 24 hours returns the first response again.',
    }),
  ),
})

/** `schema` is the name of a schema. With `isList`, the body is an array, or one element per line. `isFile`: any bytes. */
type BodyDescription =
  | { schema: string; example: object; isList?: boolean; isFile?: undefined }
  | { isFile: true }

interface WriteDescription<Params extends TObject, Query extends TObject> {
  operationId: string
  summary: string
  description: string
  tag: 'evaluations' | 'variants' | 'keys'
  params: Params
  querystring?: Query
  body?: BodyDescription
  success: {
    status: 200 | 201 | 204
    schema?: string
    example?: object
    hasLocation?: boolean
    /** Whether the response contains a secret. It is then never stored, and Idempotency-Key is not supported. */
    isSecret?: boolean
  }
  errors: ErrorCode[]
}

export function describeWrite<Params extends TObject, Query extends TObject = TObject<Record<never, never>>>(
  write: WriteDescription<Params, Query>,
) {
  const { operationId, summary, description, tag, body, success } = write
  const reference = (name = '') => ({ $ref: `${name}#` })
  const response = {
    description: success.status === 204 ? 'The object was deleted.' : 'The write succeeded.',
    headers: {
      ...(success.hasLocation && {
        Location: { type: 'string', description: 'The path of the created object.' },
      }),
      'Cache-Control': NO_STORE,
      ...COMMON_HEADERS,
    },
  }
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: SECURITY,
    querystring: (write.querystring ?? strictObject({})) as Query,
    params: write.params,
    ...(!success.isSecret && { headers: IDEMPOTENCY_HEADERS }),
    ...(body && { body: describeBody(body) }),
    response: {
      [success.status]:
        success.status === 204
          ? { type: 'null', ...response }
          : {
              ...response,
              content: {
                'application/json': { schema: reference(success.schema), example: success.example },
              },
            },
      ...problemResponses([
        ...AUTHENTICATED_ERRORS,
        ...(body ? BODY_ERRORS : []),
        ...WRITE_ERRORS,
        ...write.errors,
      ]),
    },
  }
}

/** The OpenAPI generator reads the example of a body from its schema and drops examples next to a $ref, hence allOf. */
function describeBody(body: BodyDescription) {
  if (body.isFile)
    return { required: true, content: { 'application/octet-stream': { schema: { type: 'string' } } } }
  const { schema, example, isList = false } = body
  const reference = { $ref: `${schema}#` }
  const content = isList
    ? {
        'application/json': { schema: { type: 'array', items: reference, examples: [[example]] } },
        'application/x-ndjson': { schema: { type: 'string', examples: [`${JSON.stringify(example)}\n`] } },
      }
    : { 'application/json': { schema: { allOf: [reference], examples: [example] } } }
  return { required: true, content }
}

interface DocumentDescription<Params extends TObject, Query extends TObject>
  extends OperationDescription<Query> {
  params: Params
  notFound: ErrorCode[]
  /** Whether the response is an array of elements. */
  isList?: boolean
  /** Whether the response has no ETag. */
  isUnversioned?: boolean
}

/** Describes a read of one JSON document. `element` is the name of its schema. */
export function describeDocument<Params extends TObject, Query extends TObject>(
  document: DocumentDescription<Params, Query>,
) {
  const { notFound, isList = false, isUnversioned = false } = document
  const reference = { $ref: `${document.element}#` }
  const content = isList
    ? { schema: { type: 'array', items: reference }, example: [document.example] }
    : { schema: reference, example: document.example }
  const { Link: _, ...headers } = LIST_HEADERS
  return {
    ...describeOperation(document),
    params: document.params,
    ...(!isUnversioned && { headers: CONDITIONAL_HEADERS }),
    response: {
      200: {
        description: 'The requested object.',
        headers: { ...(!isUnversioned && { ETag: ETAG }), ...headers },
        content: { 'application/json': content },
      },
      ...(!isUnversioned && { 304: NOT_MODIFIED }),
      ...problemResponses([...AUTHENTICATED_ERRORS, ...notFound]),
    },
  }
}

export function describeList<Query extends TObject>(list: OperationDescription<Query>) {
  return {
    ...describeOperation(list),
    response: {
      200: {
        description: 'All elements, or one page if `limit` is set.',
        headers: LIST_HEADERS,
        content: {
          'application/json': {
            schema: { type: 'array', items: { $ref: `${list.element}#` } },
            example: [list.example],
          },
        },
      },
      ...problemResponses(AUTHENTICATED_ERRORS),
    },
  }
}

function describeOperation<Query extends TObject>({
  operationId,
  summary,
  description,
  tag,
  querystring,
}: OperationDescription<Query>) {
  return { operationId, summary, description, tags: [tag], security: SECURITY, querystring }
}

/** Describes an operation of the service itself, which needs no API key. */
export function describeService(service: {
  operationId: string
  summary: string
  mediaType: string
  schema?: object
  example?: unknown
  errors?: ErrorCode[]
  security?: Record<string, string[]>[]
}) {
  const { operationId, summary, mediaType, schema = { type: 'string' }, example } = service
  return {
    operationId,
    summary,
    tags: ['service'],
    security: service.security ?? [],
    querystring: strictObject({}),
    response: {
      200: {
        description: 'Success.',
        headers: COMMON_HEADERS,
        content: { [mediaType]: example === undefined ? { schema } : { schema, example } },
      },
      ...problemResponses([
        'invalid-request',
        'method-not-allowed',
        'request-timeout',
        'uri-too-long',
        'expectation-failed',
        'header-fields-too-large',
        'internal-error',
        ...(service.errors ?? []),
      ]),
    },
  }
}
