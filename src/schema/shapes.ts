// The two turns of phrase that every wire object uses.
import Type, { type TProperties, type TSchema } from 'typebox'

/** An object with these members and no others. */
export function closed<Members extends TProperties>(members: Members) {
  return Type.Object(members, { additionalProperties: false })
}

/** The value or null. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}
