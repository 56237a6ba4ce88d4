// Schema builders with the types of TypeBox but without its code, which would dominate the startup time of commands.

import type * as TypeBox from 'typebox'
import type { TProperties, TSchema } from 'typebox'

type BuilderName =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
type Builders = Pick<typeof TypeBox, BuilderName>

/** Optional members. JSON Schema lists required members in the object. */
const optionalSchemas = new WeakSet<object>()

const builders: Record<BuilderName, (...parts: never[]) => object> = {
  Array: (items: object, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: values, ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
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
  Union: (anyOf: object[], options?: object) => ({ anyOf, ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Unsafe: (schema: object) => schema,
}

export const Type = builders as unknown as Builders

/** An object that allows no other members. */
export function strictObject<Members extends TProperties>(members: Members) {
  return Type.Object(members, { additionalProperties: false })
}

/** An object with arbitrary members. */
export function freeForm(description: string) {
  return Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, description }))
}

/** Allows null in addition to the schema. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}
