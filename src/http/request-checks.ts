// What every request must fulfil before a route is asked: hooks for its syntax and for doubled fields.
import type { HookHandlerDoneFunction as Done, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { urlTooLong } from './client-errors.ts'
import type { Connections } from './connections.ts'

/** A hook that waits for nothing, so that it costs no promise; what the check throws is the answer. */
function checking(check: (request: FastifyRequest) => void) {
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    try {
      check(request)
    } catch (error) {
      // Not before the parser has seen the end of a request without a body: one that is not over is answered differently.
      queueMicrotask(() => done(error as Error))
      return
    }
    done()
  }
}

/** A request that comes behind others on its connection waits until they are answered. */
export function awaitTurn(connections: Connections) {
  return (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const turn = connections.turnOf(request.raw)
    if (!turn) done()
    void turn?.then(() => {
      if (!request.raw.socket.destroyed) done()
      // Nobody is there to be answered any more.
      else reply.hijack()
    })
  }
}

/** A client that keeps its connection hears that it is over, instead of sending into one that is being closed. */
export function sayGoodbye(connections: Connections) {
  return (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    if (connections.isLeaving(request.raw.socket)) reply.header('connection', 'close')
    done()
  }
}

/** Holds for unknown paths too: syntax is judged first. */
export function checkSyntax(limits: { max_url_bytes: number; max_header_bytes: number }) {
  return checking((request) => {
    const { url = '', rawHeaders, httpVersion, headers } = request.raw
    if (httpVersion !== '1.1' && httpVersion !== '1.0') {
      throw new Problem('invalid-request', `HTTP/${httpVersion} is not spoken here. Use HTTP/1.1.`)
    }
    if (url.length > limits.max_url_bytes) throw urlTooLong(limits.max_url_bytes)
    // Each field takes its name, its value, a colon and a line end on the wire.
    let bytes = 0
    for (const part of rawHeaders) bytes += part.length + 2
    if (bytes > limits.max_header_bytes) {
      throw new Problem(
        'header-fields-too-large',
        `The header block is larger than ${limits.max_header_bytes} bytes.`,
      )
    }
    const { expect } = headers
    if (httpVersion === '1.1' && expect !== undefined && !/^(100-continue)?$/i.test(expect)) {
      throw new Problem('expectation-failed', `Nothing here meets 'Expect: ${expect}'. Leave the field out.`)
    }
    if (httpVersion === '1.1' && headers.host === undefined) {
      throw new Problem('invalid-request', 'A request of HTTP/1.1 needs a Host field.')
    }
    if (/[^\x21-\x7e]/.test(url)) {
      throw new Problem('invalid-request', 'The request target has a byte that must be percent-encoded.')
    }
  })
}

/** Node keeps the first of two such fields in silence; which one was meant cannot be known. */
export const refuseDoubledFields = checking(({ raw: { rawHeaders } }) => {
  for (const name of ['host', 'authorization']) {
    let count = 0
    // Names and values take turns.
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const field = rawHeaders[index]
      if (field?.length === name.length && field.toLowerCase() === name) count += 1
    }
    if (count > 1) throw new Problem('invalid-request', `The request has two ${name} fields. Send one.`)
  }
})
