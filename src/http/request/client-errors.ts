// Responds with a problem to requests that Node's HTTP parser rejects before they reach a route.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { Problem } from '../../errors.ts'
import { rawProblemResponse } from '../problem.ts'
import type { Connections } from '../server/connections.ts'
import { pathPrefixOf } from '../server/path-prefix.ts'
import { deferContinue, failBody } from './body.ts'
import { MAX_URL_BYTES, urlTooLong } from './checks.ts'
import { ALL_METHODS } from './unmatched-requests.ts'

/** How long a rejected client can continue to send before its connection is destroyed. */
const LINGER_MS = 1000

interface ParserError extends Error {
  code?: string
  rawPacket?: Buffer
}

export function respondToClientErrors(
  server: Server,
  connections: Connections,
  log: FastifyBaseLogger,
  settings: { public_url?: string | undefined },
): void {
  const prefix = pathPrefixOf(settings)
  const rejectedSockets = new WeakSet<Socket>()

  function reject(socket: Socket, problem: Problem): void {
    if (rejectedSockets.has(socket) || !socket.writable) return
    // A write now would end up inside the pending response.
    if (connections.hasPendingResponse(socket)) {
      connections.closeAfterResponses(socket)
      failBody(socket, problem)
      return
    }
    rejectedSockets.add(socket)
    // The error is in the rest of a body whose request has a response.
    if (connections.isDrainingBody(socket)) socket.end()
    else {
      const requestId = randomUUID()
      log.info({ request_id: requestId, status: problem.status, code: problem.code }, 'request rejected')
      socket.end(rawProblemResponse(problem, requestId, prefix))
    }
    // Closing immediately while the client still sends would reset the connection and lose the response.
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }

  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else reject(socket, parserProblem(error))
  })
  server.on('connect', ({ socket }: IncomingMessage) => {
    // Node detaches this socket, so its errors need a listener here.
    socket.on('error', () => socket.destroy())
    reject(socket, new Problem('method-not-allowed', 'CONNECT is not supported.', { allow: ALL_METHODS }))
  })
  // A hook rejects unknown expectations in order; a response written here could be sent before earlier responses.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('checkContinue', (request, response) => {
    deferContinue(request, response)
    server.emit('request', request, response)
  })
}

function parserProblem(error: ParserError): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return firstLineLength(error.rawPacket) > MAX_URL_BYTES
        ? urlTooLong()
        : new Problem('header-fields-too-large', 'The headers are too large. Send fewer or shorter headers.')
    case 'HPE_INVALID_EOF_STATE':
      return new Problem('invalid-request', 'The request is incomplete. Send it again.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request-timeout', 'The request did not arrive in time. Send it again.')
    default:
      return new Problem('invalid-request', 'This is not a valid HTTP/1.1 request. Check its syntax.')
  }
}

/** The error does not show whether the URL or the headers are too large. A first line without an end is a long URL. */
function firstLineLength(packet: Buffer | undefined): number {
  if (!packet) return 0
  const end = packet.indexOf('\n')
  return end === -1 ? packet.length : end
}
