// Validates a value against a JSON schema and creates readable error messages.
import { createRequire } from 'node:module'
import type { Static, TSchema } from 'typebox'
import type { Compile } from 'typebox/schema'
import { FORMATS } from './formats.ts'
import type { ParsedValue } from './parsed-value.ts'
import { truncate } from './truncate.ts'

const require = createRequire(import.meta.url)
/** The maximum number of errors per value. The default is 8. */
const MAX_ERRORS = 1000

/** `pointer` (RFC 6901) is the path of the invalid value. */
export interface ValidationError {
  pointer: string
  detail: string
}

/** An error of TypeBox. */
interface SchemaError {
  keyword: string
  schemaPath: string
  instancePath: string
  params: {
    type?: string | string[]
    requiredProperties?: string[]
    format?: string
    allowedValues?: unknown[]
  }
  message: string
}

/** Returns the validation errors of a value. An empty list means that it is valid. */
export interface Validator<Value> {
  (content: ParsedValue<unknown>): ValidationError[]
  /** Never set. It only associates a validator with the type of its values. */
  readonly checked?: Value
}

/** `rules` are checks that a schema cannot express. They run only on values that match the schema. */
export function createValidator<Schema extends TSchema>(
  schema: Schema,
  rules?: (content: ParsedValue<Static<Schema>>) => ValidationError[],
): Validator<Static<Schema>> {
  // Compiled on first use, because most processes use few schemas.
  let compiledSchema: ReturnType<typeof Compile<Schema>> | undefined
  return (content) => {
    compiledSchema ??= compile(schema)
    const { value } = content
    if (!compiledSchema.Check(value)) {
      return describeErrors(schema, compiledSchema.Errors(value)[1] as SchemaError[], value)
    }
    return rules?.(content as ParsedValue<Static<Schema>>) ?? []
  }
}

/** Loads the compiler with the first schema: its 235 modules take 7 MB, and a service that only serves reads needs none. */
function compile<Schema extends TSchema>(schema: Schema) {
  const { Settings } = require('typebox/system') as typeof import('typebox/system')
  const { Set: setFormat } = require('typebox/format') as typeof import('typebox/format')
  const { Compile } = require('typebox/schema') as typeof import('typebox/schema')
  Settings.Set({ maxErrors: MAX_ERRORS })
  for (const [name, { isValid }] of FORMATS) setFormat(name, isValid)
  return Compile(schema)
}

const OUT_OF_RANGE = `This number is outside the range of a double. The largest is ${Number.MAX_VALUE}.`

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

function typesOf({ type = [] }: SchemaError['params']): string[] {
  return [type].flat()
}

/** JSON.parse returns an infinity for a number outside the range of a double. TypeBox does not accept it as a number. */
function isOutOfRange({ params, instancePath }: SchemaError, value: unknown): boolean {
  return (
    typesOf(params).includes('number') &&
    [Infinity, -Infinity].includes(getAtPointer(value, instancePath) as number)
  )
}

function describeErrors(schema: TSchema, schemaErrors: SchemaError[], value: unknown): ValidationError[] {
  return schemaErrors.flatMap((error) => {
    const { keyword, schemaPath, instancePath: pointer, params, message } = error
    if (isOutOfRange(error, value)) return { pointer, detail: OUT_OF_RANGE }
    switch (keyword) {
      // TypeBox reports each unknown member, too.
      case 'additionalProperties':
        return []
      case 'boolean':
        return { pointer, detail: describeUnknownMember(schema, schemaPath, pointer) }
      case 'type': {
        const names = typesOf(params).map((type) => TYPE_NAMES[type] ?? type)
        return { pointer, detail: `This must be ${names.join(' or ')}.` }
      }
      case 'required':
        return (params.requiredProperties ?? []).map((name) => ({
          pointer,
          detail: `The member '${name}' is missing.`,
        }))
      case 'enum':
        // A value of another type has an error about its type, too.
        if (typeof getAtPointer(value, pointer) !== 'string') return []
        return { pointer, detail: `This must be one of ${(params.allowedValues ?? []).join(', ')}.` }
      default:
        return { pointer, detail: FORMATS.get(params.format ?? '')?.detail ?? `This ${message}.` }
    }
  })
}

function describeUnknownMember(schema: TSchema, schemaPath: string, pointer: string): string {
  const objectSchema = getAtPointer(
    schema,
    schemaPath.replace(/^#/, '').replace(/\/additionalProperties$/, ''),
  )
  const knownNames = Object.keys((objectSchema as { properties?: object }).properties ?? {})
  const name = truncate(unescapePointerPart(pointer.slice(pointer.lastIndexOf('/') + 1)), 100)
  return `The member '${name}' is unknown. Allowed: ${knownNames.join(', ')}.`
}

function getAtPointer(value: unknown, pointer: string): unknown {
  let current: unknown = value
  for (const part of pointer.split('/').slice(1)) {
    if (typeof current !== 'object' || current === null) return undefined
    current = (current as Record<string, unknown>)[unescapePointerPart(part)]
  }
  return current
}

function unescapePointerPart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
