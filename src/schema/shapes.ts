// The turns of phrase that wire objects use.
import type { TProperties, TSchema } from 'typebox'
import { Type } from './type.ts'

/** An object with these members and no others. */
export function closed<Members extends TProperties>(members: Members) {
  return Type.Object(members, { additionalProperties: false })
}

/** An object with whatever members its writer likes. */
export function freeForm(description: string) {
  return Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, description }))
}

/** The value or null. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}
