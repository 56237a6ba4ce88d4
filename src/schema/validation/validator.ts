// Validates a value against a JSON schema and creates readable error messages.
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { Settings } from 'typebox/system'
import type { ParsedValue } from './parsed-value.ts'
import { truncate } from './truncate.ts'

/** The maximum number of errors per value. The default is 8. */
Settings.Set({ maxErrors: 1000 })

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
  params: { type?: string; requiredProperties?: string[] }
  message: string
}

/** Returns the validation errors of a value. An empty list means that it is valid. */
export interface Validator<Value> {
  (content: ParsedValue<unknown>): ValidationError[]
  /** Never set: it ties a validator to the type of its values. */
  readonly checked?: Value
}

/** `rules` are checks that a schema cannot express. They run only on values that match the schema. */
export function createValidator<Schema extends TSchema>(
  schema: Schema,
  rules: (content: ParsedValue<Static<Schema>>) => ValidationError[] = () => [],
): Validator<Static<Schema>> {
  // Compiled on first use, because most processes use few schemas.
  let compiled: ReturnType<typeof Compile<Schema>> | undefined
  return (content) => {
    compiled ??= Compile(schema)
    const { value } = content
    if (!compiled.Check(value)) {
      const schemaErrors = withoutInfinity(compiled.Errors(value)[1] as SchemaError[], value)
      if (schemaErrors.length > 0) return describe(schema, schemaErrors)
    }
    return rules(content as ParsedValue<Static<Schema>>)
  }
}

/** A number beyond the range of a double parses as Infinity. It is still a valid number. */
function withoutInfinity(schemaErrors: SchemaError[], value: unknown): SchemaError[] {
  const numbers = schemaErrors.filter(
    ({ params, instancePath }) =>
      params.type === 'number' && [Infinity, -Infinity].includes(at(value, instancePath) as number),
  )
  const pointers = new Set(numbers.map(({ instancePath }) => instancePath))
  return schemaErrors.filter(({ instancePath }) => !pointers.has(instancePath))
}

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/** Reports one error per path: the alternatives of a union are combined. */
function describe(schema: TSchema, schemaErrors: SchemaError[]): ValidationError[] {
  const errors: ValidationError[] = []
  const expected = new Map<string, string[]>()
  for (const { keyword, schemaPath, instancePath: pointer, params, message } of schemaErrors) {
    if (keyword === 'anyOf' || keyword === 'additionalProperties') continue
    if (keyword === 'type') {
      const types = expected.get(pointer)
      if (types) types.push(params.type ?? '')
      else expected.set(pointer, [params.type ?? ''])
    } else if (keyword === 'required') {
      for (const name of params.requiredProperties ?? []) {
        errors.push({ pointer, detail: `The member '${name}' is missing.` })
      }
    } else if (keyword === 'boolean') {
      errors.push({ pointer, detail: unknownMember(schema, schemaPath, pointer) })
    } else {
      errors.push({ pointer, detail: `This ${message}.` })
    }
  }
  for (const [pointer, types] of expected) {
    // A more specific error at or below this path makes "or null" redundant.
    const isReported =
      errors.some((error) => error.pointer === pointer) ||
      schemaErrors.some(({ instancePath }) => instancePath.startsWith(`${pointer}/`))
    const names = [...new Set(types)].map((type) => TYPES[type] ?? type)
    if (!isReported) errors.push({ pointer, detail: `This must be ${names.join(' or ')}.` })
  }
  return errors
}

function unknownMember(schema: TSchema, schemaPath: string, pointer: string): string {
  const owner = at(schema, schemaPath.replace(/^#/, '').replace(/\/additionalProperties$/, ''))
  const known = Object.keys((owner as { properties?: object }).properties ?? {})
  const name = truncate(unescaped(pointer.slice(pointer.lastIndexOf('/') + 1)), 100)
  return `The member '${name}' is unknown. Allowed: ${known.join(', ')}.`
}

function at(value: unknown, pointer: string): unknown {
  let current: unknown = value
  for (const part of pointer.split('/').slice(1)) {
    if (typeof current !== 'object' || current === null) return undefined
    current = (current as Record<string, unknown>)[unescaped(part)]
  }
  return current
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
