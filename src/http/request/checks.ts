// Checks every request before its route runs: syntax and duplicate headers. Each check throws a problem.
import type { IncomingMessage } from 'node:http'
import { Problem } from '../../errors.ts'

/** Many servers have the same limit, so longer URLs would not pass a proxy. */
export const MAX_URL_BYTES = 8192
export const MAX_HEADER_BYTES = 16_384

/** Also applies to unknown paths: syntax errors are reported first. */
export function checkSyntax(request: IncomingMessage): void {
  const { rawHeaders, httpVersion, headers } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new Problem('invalid-request', `HTTP/${httpVersion} is not supported. Use HTTP/1.1.`)
  }
  checkTarget(request)
  // On the wire, each header has its name, its value, a colon with a space, and a line end.
  let bytes = 0
  for (const part of rawHeaders) bytes += part.length + 2
  if (bytes > MAX_HEADER_BYTES) {
    throw new Problem(
      'header-fields-too-large',
      `The headers are larger than ${MAX_HEADER_BYTES} bytes. Send fewer or shorter headers.`,
    )
  }
  const { expect, 'transfer-encoding': transferEncoding } = headers
  if (transferEncoding !== undefined) checkTransferEncoding(transferEncoding)
  if (httpVersion === '1.1' && expect !== undefined && !/^(100-continue)?$/i.test(expect)) {
    throw new Problem('expectation-failed', `'Expect: ${expect}' is not supported. Omit the Expect header.`)
  }
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new Problem('invalid-request', 'The Host header is missing. HTTP/1.1 requires it.')
  }
  if (headers.host !== undefined && !HOST.test(headers.host)) {
    throw new Problem('invalid-request', 'The Host header is not a host name with an optional port.')
  }
}

/** A host name or IPv4 address, or an IPv6 address in brackets, with an optional port (RFC 9110, section 7.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i

function checkTarget({ url = '', method }: IncomingMessage): void {
  if (url.length > MAX_URL_BYTES) throw urlTooLong()
  if (/[^\x21-\x7e]/.test(url)) {
    throw new Problem('invalid-request', 'The request target has invalid characters. Percent-encode them.')
  }
  if (url.includes('#')) {
    const detail = 'The request target has a fragment. Omit it, or write # as %23.'
    throw new Problem('invalid-request', detail)
  }
  if (url === '*' && method !== 'OPTIONS') {
    throw new Problem('invalid-request', `Only OPTIONS can have the request target *, not ${method}.`)
  }
}

export function urlTooLong(): Problem {
  return new Problem(
    'uri-too-long',
    `The request target is longer than ${MAX_URL_BYTES} bytes. Use a shorter URL.`,
  )
}

/** Node reads the chunks of a body with further encodings, but does not decode them. */
function checkTransferEncoding(encoding: string): void {
  if (/^chunked$/i.test(encoding)) return
  if (/,\s*chunked$/i.test(encoding)) {
    const detail = `'Transfer-Encoding: ${encoding}' is not supported. Use chunked, and compress the body with Content-Encoding.`
    throw new Problem('not-implemented', detail)
  }
  const detail = `'Transfer-Encoding: ${encoding}' does not end with chunked. Use chunked or Content-Length.`
  throw new Problem('invalid-request', detail)
}

/** Node silently uses the first of two such headers, which may not be the intended one. */
export function checkDuplicateHeaders({ rawHeaders }: IncomingMessage): void {
  for (const name of ['host', 'authorization']) {
    let count = 0
    // rawHeaders alternates names and values.
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const header = rawHeaders[index]
      if (header?.length === name.length && header.toLowerCase() === name) count += 1
    }
    if (count > 1)
      throw new Problem('invalid-request', `The request has more than one ${name} header. Send one.`)
  }
}
