// Query strings: read exactly, checked against the route's schema, refused with what is allowed.
import type { TObject, TSchema } from 'typebox'
import { Problem } from '../errors.ts'

/** Every value of every parameter. Never throws: what cannot be decoded stays as it is, and fits nothing. */
export function readQuery(text: string): Record<string, string[]> {
  const query: Record<string, string[]> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    query[name] ??= []
    query[name].push(equals === -1 ? '' : decode(pair.slice(equals + 1)))
  }
  return query
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

export type Checked = Record<string, string | number | string[]>

/** Parameters whose name begins with an underscore are left to the client's own use. */
export function queryChecker(schema: TObject): (query: Record<string, string[]>) => Checked {
  const properties = Object.entries<TSchema>(schema.properties)
  const lists = properties.flatMap(([name, parameter]) => (isList(parameter) ? [{ name, parameter }] : []))
  return (query) => {
    const checked: Checked = {}
    for (const name in query) {
      if (name.startsWith('_')) continue
      const values = query[name] ?? []
      const parameter = parameterOf(schema, name)
      if (!parameter) throw unknownParameter(name, knownParameters(schema))
      checked[name] = isList(parameter) ? values : readValue(name, parameter, onlyOf(name, values))
    }
    for (const { name, parameter } of lists) checkList(name, parameter, query[name] ?? [])
    return checked
  }
}

function onlyOf(name: string, values: string[]): string {
  if (values.length > 1) throw new Problem('invalid-request', `The query parameter '${name}' may stand once.`)
  return values[0] ?? ''
}

type ListSchema = TSchema & { minItems: number; maxItems: number }

/** A parameter that is repeated, once for each value. */
function isList(parameter: TSchema): parameter is ListSchema {
  return (parameter as { type?: string }).type === 'array'
}

function checkList(name: string, { minItems, maxItems }: ListSchema, values: string[]): void {
  const range = `The query parameter '${name}' stands ${minItems} to ${maxItems} times`
  if (values.length < minItems || values.length > maxItems)
    throw new Problem('invalid-request', `${range}, once for each of them, not ${values.length} times.`)
  const twice = values.find((value, index) => values.indexOf(value) < index)
  if (twice !== undefined)
    throw new Problem('invalid-request', `${range}, each time with another value; '${twice}' is there twice.`)
}

/** Those whose name is not known beforehand, by what it begins with. */
function patternsOf(schema: TObject): Record<string, TSchema & { title?: string }> {
  return (schema as { patternProperties?: Record<string, TSchema> }).patternProperties ?? {}
}

function parameterOf(schema: TObject, name: string): TSchema | undefined {
  if (Object.hasOwn(schema.properties, name)) return schema.properties[name]
  return Object.entries(patternsOf(schema)).find(([pattern]) => new RegExp(pattern).test(name))?.[1]
}

function knownParameters(schema: TObject): string[] {
  const patterns = Object.entries(patternsOf(schema)).map(([pattern, { title }]) => title ?? pattern)
  return [...Object.keys(schema.properties), ...patterns]
}

/** The words of a list with commas, none of them twice. Throws invalid-request. */
export function readWords<Word extends string>(
  name: string,
  text: string | undefined,
  known: readonly Word[],
): Set<Word> {
  const words = text === undefined ? [] : text.split(',')
  for (const [index, word] of words.entries()) {
    if (known.some((one) => one === word) && words.indexOf(word) === index) continue
    const allowed =
      known.length === 1 ? known[0] : `one or more of ${known.join(', ')}, with commas, each once`
    throw new Problem('invalid-request', `'${name}' is ${allowed}; not '${text}'.`)
  }
  return new Set(words as Word[])
}

function unknownParameter(name: string, known: string[]): Problem {
  const takes = known.length === 0 ? 'This path takes none' : `This path takes ${known.join(', ')}`
  return new Problem('invalid-request', `There is no query parameter '${name}' here. ${takes}.`)
}

function readValue(name: string, parameter: TSchema, text: string): string | number {
  const {
    type,
    minimum,
    maximum,
    enum: words,
  } = parameter as {
    type?: string
    minimum?: number
    maximum?: number
    enum?: string[]
  }
  if (type === 'integer') {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= (minimum ?? 0) && value <= (maximum ?? Infinity)) return value
    throw new Problem(
      'invalid-request',
      `'${name}' is a whole number from ${minimum} to ${maximum} in plain digits, not '${text}'.`,
    )
  }
  if (words && !words.includes(text)) {
    throw new Problem('invalid-request', `'${name}' is one of ${words.join(', ')}, not '${text}'.`)
  }
  return text
}
