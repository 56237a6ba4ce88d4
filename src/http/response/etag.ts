// Strong ETags: the version of the content with its format and encoding.
import type { Encoding } from '../../serialize/encoding.ts'

export function etag(version: string, format: string, encoding: Encoding): string {
  return encoding === 'identity' ? `"${version}-${format}"` : `"${version}-${format}-${encoding}"`
}

/** Whether an ETag, without quotes, belongs to this version, in any format and encoding. */
export function isEtagOf(version: string, tag: string): boolean {
  return tag.startsWith(`${version}-`)
}

/** Whether If-None-Match contains this ETag. Uses the weak comparison that RFC 9110 requires for GET. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) ?? false
}
