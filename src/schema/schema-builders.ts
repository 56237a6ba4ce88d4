// Schema builders with the types of TypeBox but without its code, which would dominate the startup time of commands.

import type * as TypeBox from 'typebox'
import type { TProperties, TSchema } from 'typebox'

type Name =
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
type Builders = Pick<typeof TypeBox, Name>

/** Optional members. JSON Schema lists required members in the object. */
const optional = new WeakSet<object>()

const builders: Record<Name, (...parts: never[]) => object> = {
  Array: (items: object, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: values, ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Object: (properties: Record<string, object>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !optional.has(properties[name] as object))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional: (schema: object) => {
    const copy = { ...schema }
    optional.add(copy)
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
