// Schema builders with the types of TypeBox but without its code, which would dominate the startup time of commands.

import type * as TypeBox from 'typebox'
import type { Static, TOptional, TProperties, TSchema } from 'typebox'

type BuilderName =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Unknown'
  | 'Unsafe'
type Builders = Pick<typeof TypeBox, BuilderName>

/** Optional members. JSON Schema lists required members in the object. */
const optionalSchemas = new WeakSet<object>()

const builders: Record<BuilderName, (...parts: never[]) => object> = {
  Array: (items: object, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: object) => ({ type: 'string', enum: values, ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Object: (properties: Record<string, object>, options?: object) => {
    const required = Object.keys(properties).filter(
      (name) => !optionalSchemas.has(properties[name] as object),
    )
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional: (schema: object) => {
    const copy = { ...schema }
    optionalSchemas.add(copy)
    return copy
  },
  String: (options?: object) => ({ type: 'string', ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Unsafe: (schema: object) => schema,
}

export const Type = builders as unknown as Builders

/** An object that allows no other members. */
export function strictObject<Members extends TProperties>(members: Members, options: object = {}) {
  return Type.Object(members, { ...options, additionalProperties: false })
}

/** A strict object with a name. The OpenAPI document has a component for it. */
export function namedObject<Members extends TProperties>(
  name: string,
  members: Members,
  options: object = {},
) {
  return strictObject(members, { title: name, ...options })
}

/** An object with arbitrary members. */
export function freeForm(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })
}

/** Allows null in addition to the schema. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  const copy = { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) }
  return Type.Unsafe<Static<Schema> | null>(copy)
}

/** A comma-separated list of these items. parseList rejects duplicates. */
export function commaSeparated(items: readonly string[], description: string) {
  const item = `(${items.join('|')})`
  return Type.String({ pattern: `^${item}(,${item}){0,${items.length - 1}}$`, description })
}

/** The same members, all of them optional. */
export function optionalMembers<Members extends TProperties>(members: Members) {
  const entries = Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)])
  return Object.fromEntries(entries) as { [Name in keyof Members]: TOptional<Members[Name]> }
}

export const countSchema = (description: string) => Type.Integer({ minimum: 0, description })
export const statisticSchema = (description: string) => nullable(Type.Number({ description }))
/** A timestamp in a response. */
export const timeSchema = (description: string) => Type.String({ format: 'date-time', description })
/** The lower and the upper bound of an interval. */
export const rangeSchema = (description: string) =>
  Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description })
