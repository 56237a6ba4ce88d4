// Builds the OpenAPI document from the routes.
import type { RouteOptions } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../../errors.ts'
import { NAMED_FILTERS } from '../../schema/filters/filter-params.ts'
import { CSV_EXAMPLES, EXAMPLES } from './examples.ts'
import type {} from './operations.ts'
import {
  ERRORS_OF,
  ErrorResponses,
  HEADER_COMPONENTS,
  headerRefs,
  NOT_FOUND_ERRORS,
  NOT_MODIFIED,
  pascalCase,
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
  { name: 'variants', description: 'Variants and their revisions.' },
  { name: 'keys', description: 'The API key of the request, and share links.' },
  { name: 'service', description: 'Health checks, metrics and the OpenAPI document.' },
]

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an earlier response. If it still matches, the response is 304.',
  schema: { type: 'string' },
}
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique value that you choose. Repeating the request with the same value within 24 hours returns the first response again.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description: string
  schema: object
}

interface Operation {
  operationId: string
  parameters: object[]
  responses: Record<string, object>
}

type Route = Pick<RouteOptions, 'method' | 'url' | 'schema'>

/** `info` is the member of that name. Routes without an operationId are not in the document. */
export function buildDocument(info: object, routes: Route[]) {
  const describedRoutes = routes.filter(({ schema }) => schema?.operationId !== undefined)
  const schemas = new SchemaPublisher()
  const errors = new ErrorResponses(schemas)
  const parameters = new ParameterComponents(schemas)
  for (const { schema } of describedRoutes) if (schema?.returns) schemas.publish(schema.returns, 'response')
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of describedRoutes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][methodOf(route).toLowerCase()] = describeOperation(route, schemas, errors, parameters)
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
  errors: ErrorResponses,
  parameters: ParameterComponents,
) {
  const { schema = {} } = route
  const { operationId = '', summary, description, tag = '', body, returns, isUnversioned, isSecret } = schema
  const isWrite = methodOf(route) !== 'GET'
  const isService = tag === 'service'
  const params = Object.keys((schema.params as TObject | undefined)?.properties ?? {})
  const errorCodes: ErrorCode[] = [
    ...(isService ? ERRORS_OF.service : ERRORS_OF.authenticated),
    ...(isWrite ? ERRORS_OF.write : []),
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
      ...(isWrite && !isSecret ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body !== undefined && { requestBody: describeBody(body as TSchema, schemas) }),
    responses: {
      ...describeSuccess(route, schemas, returns),
      ...(isVersioned && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...errors.refs(errorCodes),
    },
  }
}

function describeSuccess(route: Route, schemas: SchemaPublisher, returns: TSchema | undefined) {
  const { schema = {} } = route
  const { mediaType = 'application/json', isUnversioned, hasLocation } = schema
  const method = methodOf(route)
  if (returns === undefined)
    return {
      204: { description: 'The object was deleted.', headers: headerRefs('Cache-Control.no-store') },
    }
  const content = { [mediaType]: { schema: schemas.publish(returns, 'response') } }
  if (method !== 'GET')
    return {
      [schema.status ?? (method === 'POST' ? 201 : 200)]: {
        description: 'The write succeeded.',
        headers: headerRefs(...(hasLocation ? (['Location'] as const) : []), 'Cache-Control.no-store'),
        content,
      },
    }
  if (schema.tag === 'service' && isUnversioned)
    return { 200: { description: 'Success.', headers: headerRefs(), content } }
  const query = (schema.querystring as TObject | undefined)?.properties ?? {}
  return {
    200: {
      description:
        'cursor' in query ? 'All elements, or one page if `limit` is set.' : 'The requested object.',
      headers: headerRefs(
        ...(isUnversioned ? [] : (['ETag'] as const)),
        ...('cursor' in query ? (['Link'] as const) : []),
        'Cache-Control',
        'Vary',
        'Content-Encoding',
      ),
      content,
      ...('format' in query && { 'x-representations': representationsOf(elementName(returns), true) }),
    },
  }
}

function elementName(list: TSchema): string {
  return (list as unknown as { items: { title: string } }).items.title
}

/**
 * Other representations of a JSON array. They are not in `content`, because generated clients would then return a
 * union of types, or text.
 */
function representationsOf(element: string, hasCsv: boolean) {
  return {
    'application/x-ndjson': {
      description: 'One element per line.',
      example: `${JSON.stringify(EXAMPLES[element])}\n`,
    },
    ...(hasCsv && {
      'text/csv': {
        description: 'One element per row, with a header row. Some values are simplified.',
        example: CSV_EXAMPLES[element],
      },
    }),
  }
}

function describeBody(body: TSchema, schemas: SchemaPublisher) {
  const { type, format } = body as unknown as { type: string; format?: string }
  const mediaType = format === 'binary' ? 'application/octet-stream' : 'application/json'
  return {
    required: true,
    content: { [mediaType]: { schema: schemas.publish(body, 'request') } },
    ...(type === 'array' && { 'x-representations': representationsOf(elementName(body), false) }),
  }
}

/** Describes parameters. Those that several operations have become components. */
class ParameterComponents {
  readonly components: Record<string, object> = {}
  readonly #schemas: SchemaPublisher

  constructor(schemas: SchemaPublisher) {
    this.#schemas = schemas
  }

  describe(parameters: TObject | undefined, location: 'path' | 'query'): object[] {
    const {
      properties = {},
      required = [],
      patternProperties,
    } = (parameters ?? {}) as Partial<TObject> & {
      patternProperties?: Record<string, object>
    }
    const described = Object.entries(properties).map(([name, schema]) => {
      const { description, ...rest } = this.#schemas.publish(schema, 'request') as { description: string }
      const isRequired = location === 'path' || (required as string[]).includes(name)
      return { name, in: location, ...(isRequired && { required: true }), description, schema: rest }
    })
    if (!patternProperties) return described
    const pattern = Object.keys(patternProperties).join('|')
    // Generators support maps, but not patternProperties.
    const schema = { type: 'object', propertyNames: { pattern }, additionalProperties: { type: 'string' } }
    return [...described, { ...NAMED_FILTERS, schema }]
  }

  /** Replaces parameters that several operations have with references. */
  share(operations: Operation[]): void {
    const uses = operations.flatMap((operation) =>
      operation.parameters.map((parameter) => ({ operation, parameter: parameter as Parameter })),
    )
    const sharedUses = [...Map.groupBy(uses, ({ parameter }) => JSON.stringify(parameter)).values()].filter(
      (group) => group.length > 1,
    )
    const names = new Map<string, string>()
    for (const [first] of sharedUses) {
      const { parameter, operation } = first as (typeof uses)[number]
      const shortName = `${pascalCase(parameter.name)}Parameter`
      const isTaken = Object.hasOwn(this.components, shortName)
      const name = isTaken ? `${pascalCase(operation.operationId)}${shortName}` : shortName
      this.components[name] = parameter
      names.set(JSON.stringify(parameter), name)
    }
    for (const operation of operations) {
      operation.parameters = operation.parameters.map((parameter) => {
        const name = names.get(JSON.stringify(parameter))
        return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
      })
    }
  }
}
