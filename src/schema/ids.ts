// What may be an id, and how ids and versions are minted.
import { randomBytes } from 'node:crypto'

/** 1 to 200 code points, no control character, no lone surrogate, not a dot segment of a path. */
export function isId(text: string): boolean {
  return /^\P{Cc}{1,200}$/u.test(text) && text.isWellFormed() && text !== '.' && text !== '..'
}

/** A token that never comes again: an answer's version. */
export function mintVersion(): string {
  return randomBytes(12).toString('base64url')
}
