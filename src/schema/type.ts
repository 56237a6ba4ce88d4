// The builders of TypeBox that our schemas are made of: with its types, and without its code, which takes longer
// to load than everything else that a command does.
import type * as TypeBox from 'typebox'

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

/** Members that may be absent: JSON Schema says it of the object that has them. */
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
