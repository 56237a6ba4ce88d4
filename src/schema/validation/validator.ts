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
  /** Never set. It only associates a validator with the type of its values. */
  readonly checked?: Value
}

/** `rules` are checks that a schema cannot express. They run only on values that match the schema. */
export function createValidator<Schema extends TSchema>(
  schema: Schema,
  rules: (content: ParsedValue<Static<Schema>>) => ValidationError[] = () => [],
): Validator<Static<Schema>> {
  // Compiled on first use, because most processes use few schemas.
  let compiledSchema: ReturnType<typeof Compile<Schema>> | undefined
  return (content) => {
    compiledSchema ??= Compile(schema)
    const { value } = content
    if (!compiledSchema.Check(value)) {
      const schemaErrors = ignoreInfinity(compiledSchema.Errors(value)[1] as SchemaError[], value)
      if (schemaErrors.length > 0) return describeErrors(schema, schemaErrors)
    }
    return rules(content as ParsedValue<Static<Schema>>)
  }
}

/** A number beyond the range of a double parses as Infinity. It is still a valid number. */
function ignoreInfinity(schemaErrors: SchemaError[], value: unknown): SchemaError[] {
  const numbers = schemaErrors.filter(
    ({ params, instancePath }) =>
      params.type === 'number' && [Infinity, -Infinity].includes(getAtPointer(value, instancePath) as number),
  )
  const pointers = new Set(numbers.map(({ instancePath }) => instancePath))
  return schemaErrors.filter(({ instancePath }) => !pointers.has(instancePath))
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/** Reports one error per path: the alternatives of a union are combined. */
function describeErrors(schema: TSchema, schemaErrors: SchemaError[]): ValidationError[] {
  const errors: ValidationError[] = []
  const expectedTypes = new Map<string, string[]>()
  for (const { keyword, schemaPath, instancePath: pointer, params, message } of schemaErrors) {
    if (keyword === 'anyOf' || keyword === 'additionalProperties') continue
    if (keyword === 'type') {
      const types = expectedTypes.get(pointer)
      if (types) types.push(params.type ?? '')
      else expectedTypes.set(pointer, [params.type ?? ''])
    } else if (keyword === 'required') {
      for (const name of params.requiredProperties ?? []) {
        errors.push({ pointer, detail: `The member '${name}' is missing.` })
      }
    } else if (keyword === 'boolean') {
      errors.push({ pointer, detail: describeUnknownMember(schema, schemaPath, pointer) })
    } else {
      errors.push({ pointer, detail: `This ${message}.` })
    }
  }
  for (const [pointer, types] of expectedTypes) {
    // A more specific error at or below this path makes "or null" redundant.
    const isReported =
      errors.some((error) => error.pointer === pointer) ||
      schemaErrors.some(({ instancePath }) => instancePath.startsWith(`${pointer}/`))
    const names = [...new Set(types)].map((type) => TYPE_NAMES[type] ?? type)
    if (!isReported) errors.push({ pointer, detail: `This must be ${names.join(' or ')}.` })
  }
  return errors
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
