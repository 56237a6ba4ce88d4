// Requests that Node's own parser refuses before any route sees them: answered as problems all the same.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { Problem } from '../errors.ts'
import { breakBody } from './body.ts'
import type { Connections } from './connections.ts'
import { ALL_METHODS } from './methods.ts'
import { rawProblem } from './problem.ts'

/** How long a refused client may go on sending before the connection is closed under it. */
const LINGER_MS = 1000

interface ParserError extends Error {
  code?: string
  rawPacket?: Buffer
}

export function answerClientErrors(
  server: Server,
  connections: Connections,
  log: FastifyBaseLogger,
  limits: { max_url_bytes: number },
): void {
  const refused = new WeakSet<Socket>()

  function refuse(socket: Socket, problem: Problem): void {
    if (refused.has(socket) || !socket.writable) return
    // Written now, it would land inside the answer that is under way.
    if (connections.isAnswering(socket)) {
      connections.closeWhenAnswered(socket)
      breakBody(socket, problem)
      return
    }
    refused.add(socket)
    const requestId = randomUUID()
    log.info({ request_id: requestId, status: problem.status, code: problem.code }, 'refused')
    socket.end(rawProblem(problem, requestId))
    // Closing at once would reset the connection, and with it the answer, while the client still sends.
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }

  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else refuse(socket, parserProblem(error, limits.max_url_bytes))
  })
  server.on('connect', ({ socket }: IncomingMessage) => {
    // Node has let go of this socket: nobody else hears of its errors.
    socket.on('error', () => socket.destroy())
    refuse(socket, new Problem('method-not-allowed', 'CONNECT is not served here.', { allow: ALL_METHODS }))
  })
  // Refused by a hook, in its turn: written here it would overtake the answers before it.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

function parserProblem(error: ParserError, maxUrlBytes: number): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return firstLineLength(error.rawPacket) > maxUrlBytes
        ? urlTooLong(maxUrlBytes)
        : new Problem('header-fields-too-large', 'The header block is larger than this service reads.')
    case 'HPE_INVALID_EOF_STATE':
      return new Problem('invalid-request', 'The request breaks off before its end. Send it again.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request-timeout', 'The request did not arrive in time. Send it again.')
    default:
      return new Problem('invalid-request', 'This is not a request of HTTP/1.1. Check what was sent.')
  }
}

/** Which of the two was too large is not in the error: a line that does not end is a target. */
function firstLineLength(packet: Buffer | undefined): number {
  if (!packet) return 0
  const end = packet.indexOf('\n')
  return end === -1 ? packet.length : end
}

export function urlTooLong(maxUrlBytes: number): Problem {
  return new Problem('uri-too-long', `The request target is longer than ${maxUrlBytes} bytes.`)
}
