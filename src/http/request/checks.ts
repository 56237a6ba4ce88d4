// onRequest hooks that check every request before its route runs: pipelining, syntax and duplicate headers.
import type { HookHandlerDoneFunction as Done, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { Connections } from '../server/connections.ts'
import { urlTooLong } from './client-errors.ts'

/** A synchronous hook, which costs no promise. If the check throws a problem, that is the response. */
function createCheckHook(check: (request: FastifyRequest) => void) {
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    try {
      check(request)
    } catch (error) {
      // Wait until the parser has seen the end of a request without a body: an incomplete request is handled differently.
      queueMicrotask(() => done(error as Error))
      return
    }
    done()
  }
}

/** A pipelined request waits for the responses to the earlier requests of its connection. */
export function waitForEarlierResponses(connections: Connections) {
  return (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const turn = connections.getTurn(request.raw)
    if (!turn) done()
    void turn?.then(() => {
      if (!request.raw.socket.destroyed) done()
      // The client has disconnected.
      else reply.hijack()
    })
  }
}

/** Sends "Connection: close" while the server drains, so that keep-alive clients do not reuse the connection. */
export function closeAfterResponse(connections: Connections) {
  return (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    if (connections.isLastResponse(request.raw.socket)) reply.header('connection', 'close')
    done()
  }
}

/** Also applies to unknown paths: syntax errors are reported first. */
export function checkSyntax(limits: { max_url_bytes: number; max_header_bytes: number }) {
  return createCheckHook((request) => {
    const { url = '', rawHeaders, httpVersion, headers } = request.raw
    if (httpVersion !== '1.1' && httpVersion !== '1.0') {
      throw new Problem('invalid-request', `HTTP/${httpVersion} is not supported. Use HTTP/1.1.`)
    }
    if (url.length > limits.max_url_bytes) throw urlTooLong(limits.max_url_bytes)
    // On the wire, each header has its name, its value, a colon with a space, and a line end.
    let bytes = 0
    for (const part of rawHeaders) bytes += part.length + 2
    if (bytes > limits.max_header_bytes) {
      throw new Problem(
        'header-fields-too-large',
        `The headers are larger than ${limits.max_header_bytes} bytes. Send fewer or shorter headers.`,
      )
    }
    checkTransferEncoding(headers['transfer-encoding'])
    const { expect } = headers
    if (httpVersion === '1.1' && expect !== undefined && !/^(100-continue)?$/i.test(expect)) {
      throw new Problem('expectation-failed', `'Expect: ${expect}' is not supported. Omit the Expect header.`)
    }
    if (httpVersion === '1.1' && headers.host === undefined) {
      throw new Problem('invalid-request', 'The Host header is missing. HTTP/1.1 requires it.')
    }
    if (/[^\x21-\x7e]/.test(url)) {
      throw new Problem('invalid-request', 'The request target has invalid characters. Percent-encode them.')
    }
  })
}

/** Node reads the chunks of a body with further encodings, but does not decode them. */
function checkTransferEncoding(encoding: string | undefined): void {
  if (encoding === undefined || /^chunked$/i.test(encoding)) return
  if (/,\s*chunked$/i.test(encoding)) {
    const detail = `'Transfer-Encoding: ${encoding}' is not supported. Use chunked, and compress the body with Content-Encoding.`
    throw new Problem('not-implemented', detail)
  }
  const detail = `'Transfer-Encoding: ${encoding}' does not end with chunked. Use chunked or Content-Length.`
  throw new Problem('invalid-request', detail)
}

/** Node silently uses the first of two such headers, which may not be the intended one. */
export const rejectDuplicateHeaders = createCheckHook(({ raw: { rawHeaders } }) => {
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
})
