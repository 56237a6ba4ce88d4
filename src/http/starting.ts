// Responds to requests that arrive while the service starts: the port is open, but the store is not ready yet.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../errors.ts'
import { problemResponse } from './problem.ts'
import { removePrefix } from './server/path-prefix.ts'

/** Responds with 503 (`/livez`: 200) until the returned function is called. The server then calls its own listeners. */
export function respondWhileStarting(server: Server, prefix: string): () => void {
  const respond = ({ url = '' }: IncomingMessage, response: ServerResponse) =>
    sendResponse(removePrefix(url, prefix), response, prefix)
  const listeners = server.listeners('request') as Parameters<typeof server.addListener>[1][]
  server.removeAllListeners('request').on('request', respond).on('clientError', disconnect)
  return () => {
    server.off('request', respond).off('clientError', disconnect)
    for (const listener of listeners) server.on('request', listener)
  }
}

function sendResponse(url: string, response: ServerResponse, prefix: string): void {
  if (/^\/livez\/?(?:\?|$)/.test(url)) {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end('ok\n')
    return
  }
  const problem = new Problem('unavailable', 'The service is starting. Retry later.', { 'retry-after': '5' })
  const { headers, body } = problemResponse(problem, randomUUID(), prefix)
  response.writeHead(problem.status, headers).end(body)
}

function disconnect(_error: Error, socket: Socket): void {
  socket.destroy()
}
