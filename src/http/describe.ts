// How routes describe themselves, in the terms of OpenAPI: the parameters, statuses, fields and examples that
// operations have in common are written here once.
import type { TObject } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import { closed } from '../schema/shapes.ts'
import { Type } from '../schema/type.ts'
import { ALWAYS, BODIED, KEYED, NO_STORE, problems, WRITING } from './describe-problems.ts'

interface Described<Query extends TObject> {
  operationId: string
  summary: string
  description: string
  tag: 'evaluations' | 'variants' | 'keys'
  querystring: Query
  /** The name of the element's schema. */
  element: string
  example: object
}

interface DescribedRead<Params extends TObject, Query extends TObject> extends Described<Query> {
  params: Params
  csvExample: string
  notFound: ErrorCode
}

const SECURITY = [{ apiKey: [] }, { bearer: [] }]

const CACHE_CONTROL = {
  type: 'string',
  description: 'private, no-cache: ask again before using a kept copy.',
}
const VARY = { type: 'string', description: 'Accept, Accept-Encoding, Authorization.' }
const ETAG = {
  type: 'string',
  description: 'A strong validator: of this version, representation and coding. Send it as If-None-Match.',
}
const LIST_FIELDS = {
  Link: {
    type: 'string',
    description: 'With limit, while there is more: <…>; rel="next" leads to the next page (RFC 8288).',
  },
  'Cache-Control': CACHE_CONTROL,
  Vary: VARY,
  'Content-Encoding': { type: 'string', description: 'zstd, br or gzip, where Accept-Encoding allows it.' },
  ...ALWAYS,
}

const CONDITIONAL = Type.Object({
  'if-none-match': Type.Optional(Type.String({ description: 'A validator from an earlier answer.' })),
  'accept-encoding': Type.Optional(Type.String({ description: 'Codings the client takes, with q-values.' })),
})
const UNCHANGED = {
  type: 'null',
  description: 'The answer has not changed since the one that If-None-Match names.',
  headers: { ETag: ETAG, 'Cache-Control': CACHE_CONTROL, Vary: VARY, ...ALWAYS },
}

export function describeRead<Params extends TObject, Query extends TObject>(
  read: DescribedRead<Params, Query>,
) {
  const schema = { type: 'array', items: { $ref: `${read.element}#` } }
  const ndjson = `${JSON.stringify(read.example)}\n`
  return {
    ...describeAny(read),
    params: read.params,
    headers: CONDITIONAL,
    response: {
      200: {
        description: 'Every element, or one page with limit.',
        headers: { ETag: ETAG, ...LIST_FIELDS },
        content: {
          'application/json': { schema, example: [read.example] },
          'application/x-ndjson': { schema: { type: 'string' }, example: ndjson },
          'text/csv': { schema: { type: 'string' }, example: read.csvExample },
        },
      },
      304: UNCHANGED,
      ...problems([...KEYED, read.notFound]),
    },
  }
}

const REPEATABLE = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'A token of your own: a repeat within a day gets the first answer again.',
    }),
  ),
})

/** Schemas are named; `isList`: an array of it, or one a line; `isFile`: bytes of any kind. */
type DescribedBody =
  | { schema: string; example: object; isList?: boolean; isFile?: undefined }
  | { isFile: true }

interface DescribedWrite<Params extends TObject, Query extends TObject> {
  operationId: string
  summary: string
  description: string
  tag: 'evaluations' | 'variants' | 'keys'
  params: Params
  querystring?: Query
  body?: DescribedBody
  answer: {
    status: 200 | 201 | 204
    schema?: string
    example?: object
    hasLocation?: boolean
    /** Whether it has what is never stored: then nothing is kept for a repeat. */
    isSecret?: boolean
  }
  errors: ErrorCode[]
}

export function describeWrite<Params extends TObject, Query extends TObject = TObject<Record<never, never>>>(
  write: DescribedWrite<Params, Query>,
) {
  const { operationId, summary, description, tag, body, answer } = write
  const reference = (name = '') => ({ $ref: `${name}#` })
  const success = {
    description: answer.status === 204 ? 'It is gone.' : 'What is stored now.',
    headers: {
      ...(answer.hasLocation && { Location: { type: 'string', description: 'The path of what was made.' } }),
      'Cache-Control': NO_STORE,
      ...ALWAYS,
    },
  }
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: SECURITY,
    querystring: (write.querystring ?? closed({})) as Query,
    params: write.params,
    ...(!answer.isSecret && { headers: REPEATABLE }),
    ...(body && { body: describeBody(body) }),
    response: {
      [answer.status]:
        answer.status === 204
          ? { type: 'null', ...success }
          : {
              ...success,
              content: { 'application/json': { schema: reference(answer.schema), example: answer.example } },
            },
      ...problems([...KEYED, ...(body ? BODIED : []), ...WRITING, ...write.errors]),
    },
  }
}

/** The writer of openapi.json takes the example of a body out of its schema, and drops one beside a reference. */
function describeBody(body: DescribedBody) {
  if (body.isFile)
    return { required: true, content: { 'application/octet-stream': { schema: { type: 'string' } } } }
  const { schema, example, isList = false } = body
  const one = { $ref: `${schema}#` }
  const content = isList
    ? {
        'application/json': { schema: { type: 'array', items: one, examples: [[example]] } },
        'application/x-ndjson': { schema: { type: 'string', examples: [`${JSON.stringify(example)}\n`] } },
      }
    : { 'application/json': { schema: { allOf: [one], examples: [example] } } }
  return { required: true, content }
}

interface DescribedDocument<Params extends TObject, Query extends TObject> extends Described<Query> {
  params: Params
  notFound: ErrorCode[]
  /** Whether it is an array of them. */
  isList?: boolean
  /** Whether the answer carries no validator. */
  isUnversioned?: boolean
}

/** One JSON document, read at once; `element` is the name of its schema. */
export function describeDocument<Params extends TObject, Query extends TObject>(
  document: DescribedDocument<Params, Query>,
) {
  const { notFound, isList = false, isUnversioned = false } = document
  const one = { $ref: `${document.element}#` }
  const content = isList
    ? { schema: { type: 'array', items: one }, example: [document.example] }
    : { schema: one, example: document.example }
  const { Link: _, ...fields } = LIST_FIELDS
  return {
    ...describeAny(document),
    params: document.params,
    ...(!isUnversioned && { headers: CONDITIONAL }),
    response: {
      200: {
        description: 'What was asked for.',
        headers: { ...(!isUnversioned && { ETag: ETAG }), ...fields },
        content: { 'application/json': content },
      },
      ...(!isUnversioned && { 304: UNCHANGED }),
      ...problems([...KEYED, ...notFound]),
    },
  }
}

export function describeList<Query extends TObject>(list: Described<Query>) {
  return {
    ...describeAny(list),
    response: {
      200: {
        description: 'Every element, or one page with limit.',
        headers: LIST_FIELDS,
        content: {
          'application/json': {
            schema: { type: 'array', items: { $ref: `${list.element}#` } },
            example: [list.example],
          },
        },
      },
      ...problems(KEYED),
    },
  }
}

function describeAny<Query extends TObject>({
  operationId,
  summary,
  description,
  tag,
  querystring,
}: Described<Query>) {
  return { operationId, summary, description, tags: [tag], security: SECURITY, querystring }
}

/** An operation of the service itself, without a key. */
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
    querystring: closed({}),
    response: {
      200: {
        description: 'Yes.',
        headers: ALWAYS,
        content: { [mediaType]: example === undefined ? { schema } : { schema, example } },
      },
      ...problems([
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
