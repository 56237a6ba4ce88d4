// What every request must fulfil before a route is asked: hooks for its syntax and for doubled fields.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { urlTooLong } from './client-errors.ts'
import type { Connections } from './connections.ts'

/** A request that comes behind others on its connection waits until they are answered. */
export function awaitTurn(connections: Connections) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (await connections.turnOf(request.raw)) return undefined
    // Nobody is there to be answered any more.
    return reply.hijack()
  }
}

/** A client that keeps its connection hears that it is over, instead of sending into one that is being closed. */
export function sayGoodbye(connections: Connections) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (connections.isLeaving(request.raw.socket)) reply.header('connection', 'close')
  }
}

/** Holds for unknown paths too: syntax is judged first. */
export function checkSyntax(limits: { max_url_bytes: number; max_header_bytes: number }) {
  return async (request: FastifyRequest): Promise<void> => {
    const { url = '', rawHeaders, httpVersion, headers } = request.raw
    if (httpVersion !== '1.1' && httpVersion !== '1.0') {
      throw new Problem('invalid-request', `HTTP/${httpVersion} is not spoken here. Use HTTP/1.1.`)
    }
    if (url.length > limits.max_url_bytes) throw urlTooLong(limits.max_url_bytes)
    // Each field takes its name, its value, a colon and a line end on the wire.
    const bytes = rawHeaders.reduce((total, part) => total + part.length + 2, 0)
    if (bytes > limits.max_header_bytes) {
      throw new Problem(
        'header-fields-too-large',
        `The header block is larger than ${limits.max_header_bytes} bytes.`,
      )
    }
    if (httpVersion === '1.1' && !/^(100-continue)?$/i.test(headers.expect ?? '')) {
      throw new Problem(
        'expectation-failed',
        `Nothing here meets 'Expect: ${headers.expect}'. Leave the field out.`,
      )
    }
    if (httpVersion === '1.1' && headers.host === undefined) {
      throw new Problem('invalid-request', 'A request of HTTP/1.1 needs a Host field.')
    }
    if (/[^\x21-\x7e]/.test(url)) {
      throw new Problem('invalid-request', 'The request target has a byte that must be percent-encoded.')
    }
  }
}

/** Node keeps the first of two such fields in silence; which one was meant cannot be known. */
export async function refuseDoubledFields(request: FastifyRequest): Promise<void> {
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  for (const name of ['host', 'authorization']) {
    if (names.indexOf(name) !== names.lastIndexOf(name)) {
      throw new Problem('invalid-request', `The request has two ${name} fields. Send one.`)
    }
  }
}
