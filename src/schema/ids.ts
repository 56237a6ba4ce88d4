// What may be an id, and how ids and versions are minted.
import { randomBytes, randomFillSync } from 'node:crypto'

/** 1 to 200 code points, no control character, no lone surrogate, not a dot segment of a path. */
export function isId(text: string): boolean {
  return /^\P{Cc}{1,200}$/u.test(text) && text.isWellFormed() && text !== '.' && text !== '..'
}

/** What a person is told whose id breaks the rules. */
export const ID_RULES =
  "An id has 1 to 200 characters, none of them a control character or half a surrogate pair, and is not '.' or '..'."

/** A UUID of version 7: ids made later sort behind those made before. */
export function mintId(): string {
  const bytes = randomFillSync(Buffer.alloc(16))
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f)
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A token that never comes again: an answer's version. */
export function mintVersion(): string {
  return randomBytes(12).toString('base64url')
}
