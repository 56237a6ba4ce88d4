// Builds the OpenAPI document from the routes.
import type { RouteOptions } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../src/errors.ts'
import type {} from '../src/http/openapi/operations.ts'
import { ExampleComponents, representationsOf } from './example-components.ts'
import {
  IDEMPOTENCY_KEY,
  IF_MATCH,
  IF_NONE_MATCH,
  type Operation,
  ParameterComponents,
} from './parameters.ts'
import {
  ERRORS_OF,
  ErrorResponses,
  HEADER_COMPONENTS,
  headerRefs,
  NOT_FOUND_ERRORS,
  NOT_MODIFIED,
} from './responses.ts'
import { SchemaPublisher } from './schemas.ts'

const SECURITY = [{ apiKey: [] }, { bearer: [] }]

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The API key alone, or after the word `ApiKey`.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key after the word `Bearer`.' },
  metricsToken: { type: 'http', scheme: 'bearer', description: 'The value of the setting `metrics-token`.' },
}

const TAGS = [
  { name: 'evaluations', description: 'Evaluations and their scenarios.' },
  { name: 'reviews', description: 'Reviews: questions about rows that people answer.' },
  { name: 'variants', description: 'Variants and their revisions.' },
  { name: 'changes', description: 'The change log of the project.' },
  { name: 'keys', description: 'The API key of the request, and share links.' },
  { name: 'service', description: 'Health checks, metrics and the OpenAPI document.' },
]

type Route = Pick<RouteOptions, 'method' | 'url' | 'schema'>

/** `info` is the member of that name. Routes without an operationId are not in the document. */
export function buildDocument(info: object, routes: Route[]) {
  const describedRoutes = routes.filter(({ schema }) => schema?.operationId !== undefined)
  const schemas = new SchemaPublisher()
  const examples = new ExampleComponents()
  const errors = new ErrorResponses(schemas)
  const parameters = new ParameterComponents(schemas)
  for (const { schema } of describedRoutes) if (schema?.returns) schemas.publish(schema.returns, 'response')
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of describedRoutes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][methodOf(route).toLowerCase()] = describeOperation(
      route,
      schemas,
      examples,
      errors,
      parameters,
    )
  }
  parameters.share(Object.values(paths).flatMap((item) => Object.values(item)))
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: schemas.components,
      responses: { NotModified: NOT_MODIFIED, ...errors.components },
      parameters: parameters.components,
      examples: examples.components,
      headers: HEADER_COMPONENTS,
    },
  }
}

/** HEAD would only repeat GET. */
function methodOf({ method }: Route): string {
  return [method].flat()[0] as string
}

function describeOperation(
  route: Route,
  schemas: SchemaPublisher,
  examples: ExampleComponents,
  errors: ErrorResponses,
  parameters: ParameterComponents,
) {
  const { schema = {} } = route
  const { operationId = '', summary, description, tag = '', body, isUnversioned, isSecret } = schema
  const isWrite = methodOf(route) !== 'GET'
  const isService = tag === 'service'
  const params = Object.keys((schema.params as TObject | undefined)?.properties ?? {})
  // A write to a path with an id changes an object that can exist already.
  const isConditionalWrite = isWrite && !isUnversioned && params.length > 0
  const errorCodes: ErrorCode[] = [
    ...(isService ? ERRORS_OF.service : ERRORS_OF.authenticated),
    ...(isWrite ? ERRORS_OF.write : []),
    ...(isConditionalWrite ? ERRORS_OF.conditionalWrite : []),
    ...(body ? ERRORS_OF.body : []),
    ...params.flatMap((name) => NOT_FOUND_ERRORS[name] ?? []),
    ...(schema.errors ?? []),
  ]
  const isVersioned = !isWrite && !isUnversioned
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: schema.security ?? (isService ? [] : SECURITY),
    parameters: [
      ...parameters.describe(schema.params as TObject | undefined, 'path'),
      ...parameters.describe(schema.querystring as TObject | undefined, 'query'),
      ...(isVersioned ? [IF_NONE_MATCH] : []),
      ...(isConditionalWrite ? [IF_MATCH] : []),
      ...(isWrite && !isSecret ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body !== undefined && { requestBody: describeBody(body as TSchema, schemas, examples) }),
    responses: {
      ...describeSuccess(route, schemas, examples),
      ...(isVersioned && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...errors.refs(errorCodes),
    },
  }
}

/** What a key that cannot read gets instead of a stored object. */
function describeReceipt(returns: TSchema): string {
  const { properties = {} } = returns as Partial<TObject>
  const name = ['id', 'revision'].find((each) => each in properties)
  return name === undefined ? '' : ` A key without the scope \`read\` gets only \`${name}\`.`
}

function describeSuccess(route: Route, schemas: SchemaPublisher, examples: ExampleComponents) {
  const { schema = {} } = route
  const { returns, mediaType = 'application/json', isUnversioned, hasLocation, isSecret } = schema
  const method = methodOf(route)
  const replayed = isSecret || method === 'GET' ? [] : (['Idempotent-Replayed'] as const)
  if (returns === undefined)
    return {
      204: {
        description: 'The object was deleted.',
        headers: headerRefs(...replayed, 'Cache-Control.no-store'),
      },
    }
  const content = {
    [mediaType]: { schema: schemas.publish(returns, 'response'), ...examples.describe(returns) },
  }
  if (method !== 'GET')
    return {
      [schema.status ?? (method === 'POST' ? 201 : 200)]: {
        description: `The write succeeded.${isSecret ? '' : describeReceipt(returns)}`,
        headers: headerRefs(
          ...replayed,
          ...(hasLocation ? (['Location'] as const) : []),
          ...(isUnversioned ? [] : (['ETag'] as const)),
          'Cache-Control.no-store',
        ),
        content,
      },
    }
  if (schema.tag === 'service' && isUnversioned)
    return { 200: { description: 'Success.', headers: headerRefs(), content } }
  const query = (schema.querystring as TObject | undefined)?.properties ?? {}
  const isList = 'cursor' in query || 'after' in query
  const formats = (query.format as { enum?: string[] } | undefined)?.enum ?? []
  return {
    200: {
      description: isList ? 'All elements, or one page if `limit` is set.' : 'The requested object.',
      headers: headerRefs(
        ...(isUnversioned ? [] : (['ETag'] as const)),
        ...(isList ? (['Link'] as const) : []),
        'Cache-Control',
        'Vary',
        'Content-Encoding',
      ),
      content,
      ...(formats.length > 0 && { 'x-representations': representationsOf(returns, formats) }),
    },
  }
}

function describeBody(body: TSchema, schemas: SchemaPublisher, examples: ExampleComponents) {
  const { type, format } = body as unknown as { type: string; format?: string }
  const mediaType = format === 'binary' ? 'application/octet-stream' : 'application/json'
  return {
    required: true,
    content: { [mediaType]: { schema: schemas.publish(body, 'request'), ...examples.describe(body) } },
    ...(type === 'array' && { 'x-representations': representationsOf(body, ['ndjson']) }),
  }
}
