// If-Match (RFC 9110, section 13.1.1): rejects a write if what it changes is no longer in a state that the client has seen.
import { Problem } from '../../errors.ts'
import { isEtagOf } from '../response/etag.ts'

/** What a write changes. */
export interface WriteTarget {
  /** Changes whenever the target changes. */
  version: string
  /** The version of what contains the target. It changes with the target too, so its ETag is also accepted. */
  parentVersion?: string
}

/** The strong and weak ETags of an If-Match header, without quotes. `*` accepts every target that exists. */
export type IfMatch = '*' | { strong: string[]; weak: string[] }

const ETAG = '(?:W/)?"[^"\\x00-\\x20\\x7f]*"'
/** `*`, or a list of ETags. List elements can be empty. */
export const IF_MATCH_PATTERN = `^(?:\\*|[\\t ,]*${ETAG}(?:[\\t ]*,[\\t ,]*${ETAG})*[\\t ,]*)$`
const VALID_IF_MATCH = new RegExp(IF_MATCH_PATTERN)

/** Throws invalid-request if the header is malformed. */
export function parseIfMatch(header: string): IfMatch {
  if (!VALID_IF_MATCH.test(header)) {
    throw new Problem(
      'invalid-request',
      'If-Match must be * or ETags in double quotes, separated by commas. Send an ETag exactly as it was received.',
    )
  }
  if (header === '*') return '*'
  const tags: { strong: string[]; weak: string[] } = { strong: [], weak: [] }
  for (const [, weakPrefix, tag = ''] of header.matchAll(/(W\/)?"([^"]*)"/g))
    tags[weakPrefix ? 'weak' : 'strong'].push(tag)
  return tags
}

/** Throws precondition-failed unless If-Match accepts the target. Call it in the transaction of the write. */
export function checkIfMatch(ifMatch: IfMatch, target: WriteTarget | undefined): void {
  if (!target)
    throw new Problem('precondition-failed', 'If-Match requires an object that exists. Nothing was changed.')
  if (ifMatch === '*') return
  const versions = [target.version, target.parentVersion ?? target.version]
  const isCurrent = (tag: string) => versions.some((version) => isEtagOf(version, tag))
  if (ifMatch.strong.some(isCurrent)) return
  const reason = ifMatch.weak.some(isCurrent)
    ? 'If-Match has only a weak ETag (W/) of the current version, and weak ETags never match. Send it without W/.'
    : 'The object has changed since the ETag in If-Match was received. Read it again and repeat the write with its new ETag.'
  throw new Problem('precondition-failed', `${reason} Nothing was changed.`)
}
