// Strong validators: the version of what is answered, with its representation and coding.
import type { Coding } from '../rendition/coding.ts'

export function etag(version: string, representation: string, coding: Coding): string {
  return coding === 'identity' ? `"${version}-${representation}"` : `"${version}-${representation}-${coding}"`
}

/** Whether a client's If-None-Match names this tag. The comparison is weak, as RFC 9110 has it for GET. */
export function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === tag) return true
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(tag) ?? false
}
