// Writes the types of the client from the OpenAPI document: each schema, the query of each operation, the codes of
// errors. Text in, text out, so that a test can hold the committed file against it.

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

const HEAD =
  '// The shapes of the wire. Generated from openapi.json by `npm run openapi`; not to be edited.\n'

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
  return [HEAD, ...schemas, ...queries, codes(operations)].join('\n')
}

function declaration(name: string, schema: Schema): string {
  const text = schema.properties
    ? `export interface ${name} ${typeOf(schema, '')}`
    : `export type ${name} = ${typeOf(schema, '')}`
  return `${comment(schema.description, '')}${text}\n`
}

/** One member of an object, at any depth: its comment, its name, its type. */
type Member = (indent: string) => string

function member(name: string, schema: Schema, isRequired: boolean): Member {
  return (indent) => {
    const quoted = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    const type = typeOf(schema, indent)
    // Under exactOptionalPropertyTypes a member that may be left out must say that it may be undefined too.
    const alternative = type === 'unknown' ? '' : ' | undefined'
    const text = isRequired ? `${quoted}: ${type}` : `${quoted}?: ${type}${alternative}`
    return `${comment(descriptionOf(schema), indent)}${indent}${text}\n`
  }
}

function queryMember({ name, required = false, description, schema }: Parameter): Member[] {
  const [pattern] = Object.keys(schema.patternProperties ?? {})
  if (pattern === undefined) {
    return [member(name, { ...schema, ...(description && { description }) }, required)]
  }
  // A family of filters, such as ^(result|input)\. : one signature for each beginning that it allows.
  const beginnings = pattern.match(/^\^\(([\w|]+)\)\\\.$/)?.[1]?.split('|')
  if (!beginnings) throw new Error(`The generator does not know families such as ${pattern}.`)
  return beginnings.map((beginning, place) => (indent) => {
    const signature = `[filter: \`${beginning}.\${string}\`]: string | undefined`
    return `${place === 0 ? comment(description, indent) : ''}${indent}${signature}\n`
  })
}

function block(members: Member[], indent: string): string {
  return `{\n${members.map((one) => one(`${indent}  `)).join('')}${indent}}`
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ')
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

/** The words true and false are what a boolean is in a query. */
function enumOf(words: string[]): string {
  return words.join() === 'true,false' ? 'boolean' : words.map((word) => `'${word}'`).join(' | ')
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

/** What may be null is described inside of its alternative. */
function descriptionOf({ description, anyOf = [] }: Schema): string | undefined {
  return description ?? anyOf.find((one) => one.description)?.description
}

function comment(description: string | undefined, indent: string): string {
  return description ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : ''
}

/** The description of an error begins with its code and a colon; several that share a status follow each other. */
function codes(operations: Operation[]): string {
  const descriptions = operations.flatMap(({ responses }) =>
    Object.entries(responses).map(([status, { description }]) => (status >= '400' ? description : '')),
  )
  const found = descriptions.flatMap((text) =>
    [...text.matchAll(/(?:^|[.] )([a-z]+(?:-[a-z]+)*): [A-Z]/g)].map(([, code]) => code),
  )
  // No operation answers that there is none.
  const all = [...new Set([...found, 'route-not-found'])].sort()
  return `${comment('The error, for programs.', '')}export type ProblemCode =\n${all.map((code) => `  | '${code}'\n`).join('')}`
}
