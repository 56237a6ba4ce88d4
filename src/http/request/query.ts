// Parses query strings and checks them against the route's schema. Error messages list what is allowed.
import type { TObject, TSchema } from 'typebox'
import { Problem } from '../../errors.ts'

const MALFORMED_NAME = Symbol('the name of a parameter that is not valid percent-encoded UTF-8')

/** All values of each parameter. */
export interface Query extends Record<string, string[]> {
  [MALFORMED_NAME]?: string
}

/** Never throws, because it runs before the checks of the request. The parser of the route reports a malformed parameter. */
export function parseQuery(text: string): Query {
  const query: Query = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const encodedName = equals === -1 ? pair : pair.slice(0, equals)
    const name = decode(encodedName)
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    if (name === undefined || value === undefined) {
      const shownName = name ?? encodedName
      if (!isIgnored(shownName)) query[MALFORMED_NAME] ??= shownName
      continue
    }
    query[name] ??= []
    query[name].push(value)
  }
  return query
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function isIgnored(name: string): boolean {
  return name.startsWith('_')
}

export type QueryValues = Record<string, string | number | boolean | string[]>

/** Parses the query of a route for Fastify. Ignores parameters whose name starts with an underscore. */
export function createQueryValidator(
  schema: TObject,
): (query: Query) => { value: QueryValues } | { error: Error } {
  const properties = Object.entries<TSchema>(schema.properties)
  const requiredLists = properties.flatMap(([name, parameter]) =>
    isList(parameter) && parameter.minItems !== undefined && schema.required?.includes(name)
      ? [{ name, parameter: parameter as RequiredList }]
      : [],
  )
  const requiredNames = (schema.required ?? []).filter((name) => !isList(schema.properties[name] as TSchema))
  return (query) => {
    const value: QueryValues = {}
    try {
      const malformedName = query[MALFORMED_NAME]
      if (malformedName !== undefined) throw malformedParameterProblem(malformedName)
      for (const name in query) {
        if (isIgnored(name)) continue
        const texts = query[name] ?? []
        const parameter = findParameter(schema, name)
        if (!parameter) throw unknownParameterProblem(name, knownParameters(schema))
        value[name] = isList(parameter) ? texts : parseValue(name, parameter, getSingleValue(name, texts))
      }
      for (const { name, parameter } of requiredLists) checkList(name, parameter, query[name] ?? [])
      const missingName = requiredNames.find((name) => value[name] === undefined)
      if (missingName !== undefined)
        throw new Problem('invalid-request', `The query parameter '${missingName}' is required.`)
      return { value }
    } catch (error) {
      return { error: error as Error }
    }
  }
}

function getSingleValue(name: string, values: string[]): string {
  if (values.length > 1)
    throw new Problem('invalid-request', `The query parameter '${name}' can be sent only once.`)
  return values[0] ?? ''
}

type ListSchema = TSchema & { minItems?: number; maxItems: number }
type RequiredList = ListSchema & { minItems: number }

/** Whether the parameter is repeated, once per value. */
function isList(parameter: TSchema): parameter is ListSchema {
  return (parameter as { type?: string }).type === 'array'
}

function checkList(name: string, { minItems, maxItems }: RequiredList, values: string[]): void {
  const instruction = `Send the query parameter '${name}' ${minItems} to ${maxItems} times`
  if (values.length < minItems || values.length > maxItems)
    throw new Problem('invalid-request', `${instruction}, once per value, not ${values.length} times.`)
  const duplicate = values.find((value, index) => values.indexOf(value) < index)
  if (duplicate !== undefined)
    throw new Problem(
      'invalid-request',
      `${instruction}, with different values. '${duplicate}' was sent twice.`,
    )
}

/** Parameters whose names are defined by a pattern, such as a prefix. */
function parameterPatterns(schema: TObject): Record<string, TSchema & { title?: string }> {
  return (schema as { patternProperties?: Record<string, TSchema> }).patternProperties ?? {}
}

function findParameter(schema: TObject, name: string): TSchema | undefined {
  if (Object.hasOwn(schema.properties, name)) return schema.properties[name]
  return Object.entries(parameterPatterns(schema)).find(([pattern]) => new RegExp(pattern).test(name))?.[1]
}

function knownParameters(schema: TObject): string[] {
  const patterns = Object.entries(parameterPatterns(schema)).map(([pattern, { title }]) => title ?? pattern)
  return [...Object.keys(schema.properties), ...patterns]
}

/** Parses a comma-separated list without duplicates. Throws invalid-request. */
export function parseList<Item extends string>(
  name: string,
  text: string | undefined,
  allowedItems: readonly Item[],
): Set<Item> {
  const items = text === undefined ? [] : text.split(',')
  for (const [index, item] of items.entries()) {
    if (allowedItems.some((allowedItem) => allowedItem === item) && items.indexOf(item) === index) continue
    throw new Problem(
      'invalid-request',
      `'${name}' must be a comma-separated list of ${allowedItems.join(', ')}, without duplicates, not '${text}'.`,
    )
  }
  return new Set(items as Item[])
}

function malformedParameterProblem(name: string): Problem {
  const detail = `The query parameter '${name}' has invalid percent-encoding. Encode it as UTF-8.`
  return new Problem('invalid-request', detail)
}

function unknownParameterProblem(name: string, known: string[]): Problem {
  const accepted = known.length === 0 ? 'no query parameters' : known.join(', ')
  return new Problem('invalid-request', `Unknown query parameter '${name}'. This path accepts ${accepted}.`)
}

function parseValue(name: string, parameter: TSchema, text: string): string | number | boolean {
  const {
    type,
    minimum,
    maximum,
    enum: choices = type === 'boolean' ? ['true', 'false'] : undefined,
  } = parameter as {
    type?: string
    minimum?: number
    maximum?: number
    enum?: string[]
  }
  if (type === 'integer') {
    const value = Number(text)
    if (/^(?:0|[1-9]\d*)$/.test(text) && value >= (minimum ?? 0) && value <= (maximum ?? Infinity))
      return value
    throw new Problem(
      'invalid-request',
      `'${name}' must be a whole number ${describeRange(parameter)}, not '${text}'.`,
    )
  }
  if (type === 'number') {
    const value = Number(text)
    if (
      /^(?:0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) &&
      value >= (minimum ?? 0) &&
      value <= (maximum ?? Infinity)
    )
      return value
    throw new Problem(
      'invalid-request',
      `'${name}' must be a number ${describeRange(parameter)}, not '${text}'.`,
    )
  }
  if (choices && !choices.includes(text)) {
    throw new Problem('invalid-request', `'${name}' must be one of ${choices.join(', ')}, not '${text}'.`)
  }
  return type === 'boolean' ? text === 'true' : text
}

function describeRange(parameter: TSchema): string {
  const { minimum = 0, maximum } = parameter as { minimum?: number; maximum?: number }
  return maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
}
