// Strong ETags: the version of the content with its format, the number of the response format, and its encoding.
import { createHash } from 'node:crypto'
import type { Encoding } from '../../serialize/encoding.ts'

/**
 * Increase this number when a response with an ETag gets other bytes for the same stored data. Otherwise clients
 * and proxies would keep the old bytes after an upgrade. test/http/response/response-format.test.ts fails then.
 */
export const RESPONSE_FORMAT = 9

/** A version of a list: it changes with the change log of the project and differs for each query. */
export function listVersion(logVersion: string, path: string, query: object): string {
  const hash = createHash('sha256').update(JSON.stringify([logVersion, path, query]))
  return hash.digest('base64url').slice(0, 16)
}

/** The version comes first, so that it can be compared without the rest. Keys of cached responses contain the ETag. */
export function etag(version: string, format: string, encoding: Encoding): string {
  const suffix = `${format}${RESPONSE_FORMAT}`
  return encoding === 'identity' ? `"${version}-${suffix}"` : `"${version}-${suffix}-${encoding}"`
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
