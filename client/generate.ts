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
  const schemas = Object.entries(components.schemas).map(([name, schema]) => declaration(name, schema))
  const queries = operations.flatMap(({ operationId, parameters = [] }) => {
    const inQuery = parameters.filter((parameter) => parameter.in === 'query')
    const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Query`
    return inQuery.length === 0
      ? []
      : [`export interface ${name} ${block(inQuery.flatMap(queryMember), '')}\n`]
  })
  return [HEADER, ...schemas, ...queries, problemCodeType(operations)].join('\n')
}

function declaration(name: string, schema: Schema): string {
  const text = schema.properties
    ? `export interface ${name} ${typeOf(schema, '')}`
    : `export type ${name} = ${typeOf(schema, '')}`
  return `${comment(schema.description, '')}${text}\n`
}

/** Prints one member of an object type, with its comment, at the given indentation. */
type Member = (indent: string) => string

function member(name: string, schema: Schema, isRequired: boolean): Member {
  return (indent) => {
    const quoted = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    const type = typeOf(schema, indent)
    // exactOptionalPropertyTypes rejects an explicit undefined unless the type includes it.
    const orUndefined = type === 'unknown' ? '' : ' | undefined'
    const text = isRequired ? `${quoted}: ${type}` : `${quoted}?: ${type}${orUndefined}`
    return `${comment(descriptionOf(schema), indent)}${indent}${text}\n`
  }
}

function queryMember({ name, required = false, description, schema }: Parameter): Member[] {
  const [pattern] = Object.keys(schema.patternProperties ?? {})
  if (pattern === undefined) {
    return [member(name, { ...schema, ...(description && { description }) }, required)]
  }
  // A pattern such as ^(result|input)\. becomes one index signature per prefix.
  const prefixes = pattern.match(/^\^\(([\w|]+)\)\\\.$/)?.[1]?.split('|')
  if (!prefixes) throw new Error(`The generator does not support the parameter name pattern ${pattern}.`)
  return prefixes.map((prefix, index) => (indent) => {
    const signature = `[filter: \`${prefix}.\${string}\`]: string | undefined`
    return `${index === 0 ? comment(description, indent) : ''}${indent}${signature}\n`
  })
}

function block(members: Member[], indent: string): string {
  return `{\n${members.map((print) => print(`${indent}  `)).join('')}${indent}}`
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.anyOf) return schema.anyOf.map((option) => typeOf(option, indent)).join(' | ')
  if (schema.enum) return enumOf(schema.enum)
  switch (schema.type) {
    case undefined:
      return 'unknown'
    case 'integer':
      return 'number'
    case 'array':
      return arrayOf(schema, indent)
    case 'object':
      return objectOf(schema, indent)
    default:
      return schema.type
  }
}

/** In query parameters a boolean is an enum of 'true' and 'false'. */
function enumOf(values: string[]): string {
  return values.join() === 'true,false' ? 'boolean' : values.map((value) => `'${value}'`).join(' | ')
}

function arrayOf({ items = {}, minItems, maxItems }: Schema, indent: string): string {
  const type = typeOf(items, indent)
  if (minItems === maxItems && minItems !== undefined) return `[${Array(minItems).fill(type).join(', ')}]`
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const names = Object.keys(properties)
  if (names.length === 0) return 'Record<string, unknown>'
  return block(
    Object.entries(properties).map(([name, schema]) => member(name, schema, required.includes(name))),
    indent,
  )
}

/** The description of a nullable member is inside one of its alternatives. */
function descriptionOf({ description, anyOf = [] }: Schema): string | undefined {
  return description ?? anyOf.find((option) => option.description)?.description
}

function comment(description: string | undefined, indent: string): string {
  return description ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : ''
}

/** Each error description starts with its code and a colon. Several errors of one status follow each other. */
function problemCodeType(operations: Operation[]): string {
  const descriptions = operations.flatMap(({ responses }) =>
    Object.entries(responses).map(([status, { description }]) => (status >= '400' ? description : '')),
  )
  const described = descriptions.flatMap((text) =>
    [...text.matchAll(/(?:^|[.] )([a-z]+(?:-[a-z]+)*): [A-Z]/g)].map(([, code]) => code),
  )
  // This code belongs to no operation, so no description mentions it.
  const all = [...new Set([...described, 'route-not-found'])].sort()
  return `${comment('Error codes, for programs.', '')}export type ProblemCode =\n${all.map((code) => `  | '${code}'\n`).join('')}`
}
