// Holds a written value against a schema, and says what does not fit in words for whoever wrote it.
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { Settings } from 'typebox/system'
import { clipped } from './clipped.ts'
import type { Written } from './written.ts'

/** Of one value; it would stop at eight. */
Settings.Set({ maxErrors: 1000 })

/** `pointer` leads from the value that was checked to what is wrong with it (RFC 6901). */
export interface ContentError {
  pointer: string
  detail: string
}

/** What TypeBox says of a value that does not fit. */
interface Misfit {
  keyword: string
  schemaPath: string
  instancePath: string
  params: { type?: string; requiredProperties?: string[] }
  message: string
}

/** What is wrong with a written value; an empty list says that it is one of the kind that is wanted. */
export interface Checker<Value> {
  (written: Written<unknown>): ContentError[]
  /** Never there: ties a checker to the type of what it checks. */
  readonly checked?: Value
}

/** `rules` are what a schema cannot say; they are asked of values that fit it. */
export function checker<Schema extends TSchema>(
  schema: Schema,
  rules: (written: Written<Static<Schema>>) => ContentError[] = () => [],
): Checker<Static<Schema>> {
  // Compiled when first used: most processes check few of the schemas.
  let compiled: ReturnType<typeof Compile<Schema>> | undefined
  return (written) => {
    compiled ??= Compile(schema)
    const { value } = written
    if (!compiled.Check(value)) {
      const misfits = withoutEndless(compiled.Errors(value)[1] as Misfit[], value)
      if (misfits.length > 0) return describe(schema, misfits)
    }
    return rules(written as Written<Static<Schema>>)
  }
}

/** A number beyond the range of a double is a number all the same, but nothing else. */
function withoutEndless(misfits: Misfit[], value: unknown): Misfit[] {
  const numbers = misfits.filter(
    ({ params, instancePath }) =>
      params.type === 'number' && [Infinity, -Infinity].includes(at(value, instancePath) as number),
  )
  const pointers = new Set(numbers.map(({ instancePath }) => instancePath))
  return misfits.filter(({ instancePath }) => !pointers.has(instancePath))
}

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/** One error a place: the alternatives of a union are one thing to whoever reads of them. */
function describe(schema: TSchema, misfits: Misfit[]): ContentError[] {
  const errors: ContentError[] = []
  const expected = new Map<string, string[]>()
  for (const { keyword, schemaPath, instancePath: pointer, params, message } of misfits) {
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
    // What is wrong here or below says more than "or null".
    const isTold =
      errors.some((error) => error.pointer === pointer) ||
      misfits.some(({ instancePath }) => instancePath.startsWith(`${pointer}/`))
    const words = [...new Set(types)].map((type) => TYPES[type] ?? type)
    if (!isTold) errors.push({ pointer, detail: `This must be ${words.join(' or ')}.` })
  }
  return errors
}

function unknownMember(schema: TSchema, schemaPath: string, pointer: string): string {
  const owner = at(schema, schemaPath.replace(/^#/, '').replace(/\/additionalProperties$/, ''))
  const known = Object.keys((owner as { properties?: object }).properties ?? {})
  const name = clipped(unescaped(pointer.slice(pointer.lastIndexOf('/') + 1)), 100)
  return `There is no member '${name}' here, but ${known.join(', ')}.`
}

function at(value: unknown, pointer: string): unknown {
  let found: unknown = value
  for (const part of pointer.split('/').slice(1)) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<string, unknown>)[unescaped(part)]
  }
  return found
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
