// The rules for ids, and generation of ids and versions.
import { randomBytes, randomFillSync } from 'node:crypto'
import { Type } from './schema-builders.ts'
import { defineFormat } from './validation/formats.ts'

/** 1 to 200 code points, no control character, no lone surrogate, not a dot segment of a path. */
export function isId(text: string): boolean {
  return /^\P{Cc}{1,200}$/u.test(text) && text.isWellFormed() && text !== '.' && text !== '..'
}

/** The error message for an invalid id. */
export const ID_RULES =
  "An id must have 1 to 200 characters, without control characters and lone surrogates, and must not be '.' or '..'."

defineFormat('id', isId, ID_RULES)

/** An id in a request. */
export const idSchema = (description: string) => Type.String({ format: 'id', description })

/** A version 7 UUID: later ids sort after earlier ones. */
export function generateId(): string {
  const bytes = randomFillSync(Buffer.alloc(16))
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f)
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A random token for the version of a resource. */
export function generateVersion(): string {
  return randomBytes(12).toString('base64url')
}
