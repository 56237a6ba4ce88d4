// Generates the types of the client from the OpenAPI document: schemas, query parameters and error codes. Returns text,
// so that a test can compare it with the committed file.

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: (string | null)[]
  anyOf?: Schema[]
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  propertyNames?: { pattern: string }
  required?: string[]
  description?: string
  'x-extensible-enum'?: string[]
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Operation {
  operationId: string
  parameters?: (Parameter | { $ref: string })[]
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

const HEADER = '// Types of the HTTP API. Generated from openapi.json by `npm run openapi`; do not edit.\n'

export function generateTypes({ paths, components }: OpenApi): string {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const schemas = Object.entries(components.schemas).map(([name, schema]) => formatDeclaration(name, schema))
  const queries = operations.flatMap(({ operationId, parameters = [] }) => {
    const queryParameters = parameters
      .map((parameter) => ('$ref' in parameter ? components.parameters[nameOf(parameter.$ref)] : parameter))
      .filter((parameter): parameter is Parameter => parameter?.in === 'query')
    const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Query`
    return queryParameters.length === 0
      ? []
      : [`export interface ${name} ${formatBlock(queryParameters.flatMap(formatQueryMember), '')}\n`]
  })
  return [HEADER, ...schemas, ...queries, formatProblemCodes(components.schemas)].join('\n')
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
    return `${formatComment(schema.description, indent)}${indent}${text}\n`
  }
}

function formatQueryMember({ name, required = false, description, schema }: Parameter): MemberFormatter[] {
  const pattern = schema.propertyNames?.pattern
  if (pattern === undefined) {
    // A filter can be one value or several.
    const isRepeatable = schema.type === 'array' && !required && schema.minItems === undefined
    const anyOf = [{ type: 'string' }, schema]
    return [
      formatMember(
        name,
        { ...(isRepeatable ? { anyOf } : schema), ...(description && { description }) },
        required,
      ),
    ]
  }
  // A pattern such as ^result\.|^input\. becomes one index signature per prefix.
  return pattern.split('|').map((part, index) => (indent) => {
    const prefix = part.match(/^\^(\w+)\\\.$/)?.[1]
    if (!prefix) throw new Error(`The generator does not support the parameter name pattern ${pattern}.`)
    const signature = `[filter: \`${prefix}.\${string}\`]: string | readonly string[] | undefined`
    return `${index === 0 ? formatComment(description, indent) : ''}${indent}${signature}\n`
  })
}

function formatBlock(members: MemberFormatter[], indent: string): string {
  return `{\n${members.map((format) => format(`${indent}  `)).join('')}${indent}}`
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

function formatType(schema: Schema, indent: string): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.anyOf) return schema.anyOf.map((option) => formatType(option, indent)).join(' | ')
  if (schema.enum) return schema.enum.map((value) => (value === null ? 'null' : `'${value}'`)).join(' | ')
  if (schema.type === undefined) return 'unknown'
  return [schema.type]
    .flat()
    .map((type) => formatSingleType(type, schema, indent))
    .join(' | ')
}

function formatSingleType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'array':
      return formatArray(schema, indent)
    case 'object':
      return formatObject(schema, indent)
    default:
      return type
  }
}

function formatArray({ items = {}, minItems, maxItems }: Schema, indent: string): string {
  const type = formatType(items, indent)
  if (minItems === maxItems && minItems !== undefined) return `[${Array(minItems).fill(type).join(', ')}]`
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
}

function formatObject(schema: Schema, indent: string): string {
  const { properties, required = [], additionalProperties } = schema
  if (!properties) {
    const value =
      typeof additionalProperties === 'object' ? formatType(additionalProperties, indent) : 'unknown'
    return `Record<string, ${value}>`
  }
  return formatBlock(
    Object.entries(properties).map(([name, schema]) => formatMember(name, schema, required.includes(name))),
    indent,
  )
}

function formatComment(description: string | undefined, indent: string): string {
  return description ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : ''
}

function formatProblemCodes({ Problem }: Record<string, Schema>): string {
  const codes = Problem?.properties?.code?.['x-extensible-enum'] ?? []
  return `${formatComment('Error codes, for programs.', '')}export type ProblemCode =\n${codes.map((code) => `  | '${code}'\n`).join('')}`
}
