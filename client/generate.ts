// Generates the types of the client from the OpenAPI document: schemas, query parameters and error codes. Returns text,
// so that a test can compare it with the committed file.

interface Schema {
  $ref?: string
  type?: string
  enum?: string[]
  anyOf?: Schema[]
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  description?: string
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Operation {
  operationId: string
  parameters?: Parameter[]
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const HEADER = '// Types of the HTTP API. Generated from openapi.json by `npm run openapi`; do not edit.\n'

export function generateTypes({ paths, components }: OpenApi): string {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const schemas = Object.entries(components.schemas).map(([name, schema]) => formatDeclaration(name, schema))
  const queries = operations.flatMap(({ operationId, parameters = [] }) => {
    const queryParameters = parameters.filter((parameter) => parameter.in === 'query')
    const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Query`
    return queryParameters.length === 0
      ? []
      : [`export interface ${name} ${formatBlock(queryParameters.flatMap(formatQueryMember), '')}\n`]
  })
  return [HEADER, ...schemas, ...queries, formatProblemCodes(operations)].join('\n')
}

function formatDeclaration(name: string, schema: Schema): string {
  const text = schema.properties
    ? `export interface ${name} ${formatType(schema, '')}`
    : `export type ${name} = ${formatType(schema, '')}`
  return `${formatComment(schema.description, '')}${text}\n`
}

/** Prints one member of an object type, with its comment, at the given indentation. */
type MemberFormatter = (indent: string) => string

function formatMember(name: string, schema: Schema, isRequired: boolean): MemberFormatter {
  return (indent) => {
    const quotedName = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    const type = formatType(schema, indent)
    // exactOptionalPropertyTypes rejects an explicit undefined unless the type includes it.
    const orUndefined = type === 'unknown' ? '' : ' | undefined'
    const text = isRequired ? `${quotedName}: ${type}` : `${quotedName}?: ${type}${orUndefined}`
    return `${formatComment(descriptionOf(schema), indent)}${indent}${text}\n`
  }
}

function formatQueryMember({ name, required = false, description, schema }: Parameter): MemberFormatter[] {
  const [pattern] = Object.keys(schema.patternProperties ?? {})
  if (pattern === undefined) {
    return [formatMember(name, { ...schema, ...(description && { description }) }, required)]
  }
  // A pattern such as ^(result|input)\. becomes one index signature per prefix.
  const prefixes = pattern.match(/^\^\(([\w|]+)\)\\\.$/)?.[1]?.split('|')
  if (!prefixes) throw new Error(`The generator does not support the parameter name pattern ${pattern}.`)
  return prefixes.map((prefix, index) => (indent) => {
    const signature = `[filter: \`${prefix}.\${string}\`]: string | undefined`
    return `${index === 0 ? formatComment(description, indent) : ''}${indent}${signature}\n`
  })
}

function formatBlock(members: MemberFormatter[], indent: string): string {
  return `{\n${members.map((format) => format(`${indent}  `)).join('')}${indent}}`
}

function formatType(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.anyOf) return schema.anyOf.map((option) => formatType(option, indent)).join(' | ')
  if (schema.enum) return formatEnum(schema.enum)
  switch (schema.type) {
    case undefined:
      return 'unknown'
    case 'integer':
      return 'number'
    case 'array':
      return formatArray(schema, indent)
    case 'object':
      return formatObject(schema, indent)
    default:
      return schema.type
  }
}

/** In query parameters a boolean is an enum of 'true' and 'false'. */
function formatEnum(values: string[]): string {
  return values.join() === 'true,false' ? 'boolean' : values.map((value) => `'${value}'`).join(' | ')
}

function formatArray({ items = {}, minItems, maxItems }: Schema, indent: string): string {
  const type = formatType(items, indent)
  if (minItems === maxItems && minItems !== undefined) return `[${Array(minItems).fill(type).join(', ')}]`
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
}

function formatObject({ properties = {}, required = [] }: Schema, indent: string): string {
  const names = Object.keys(properties)
  if (names.length === 0) return 'Record<string, unknown>'
  return formatBlock(
    Object.entries(properties).map(([name, schema]) => formatMember(name, schema, required.includes(name))),
    indent,
  )
}

/** The description of a nullable member is inside one of its alternatives. */
function descriptionOf({ description, anyOf = [] }: Schema): string | undefined {
  return description ?? anyOf.find((option) => option.description)?.description
}

function formatComment(description: string | undefined, indent: string): string {
  return description ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : ''
}

/** Each error description starts with its code and a colon. Several errors of one status follow each other. */
function formatProblemCodes(operations: Operation[]): string {
  const descriptions = operations.flatMap(({ responses }) =>
    Object.entries(responses).map(([status, { description }]) => (status >= '400' ? description : '')),
  )
  const documentedCodes = descriptions.flatMap((text) =>
    [...text.matchAll(/(?:^|[.] )([a-z]+(?:-[a-z]+)*): [A-Z]/g)].map(([, code]) => code),
  )
  // This code belongs to no operation, so no description mentions it.
  const codes = [...new Set([...documentedCodes, 'route-not-found'])].sort()
  return `${formatComment('Error codes, for programs.', '')}export type ProblemCode =\n${codes.map((code) => `  | '${code}'\n`).join('')}`
}
