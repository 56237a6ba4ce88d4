// Errors on the wire: application/problem+json (RFC 9457), through Fastify or straight onto a socket.
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, Problem } from '../errors.ts'
import { maskKeys } from '../schema/keys.ts'

export const PROBLEM_TYPE = 'application/problem+json'

function problemText(problem: Problem, requestId: string): string {
  const { status, title } = ERRORS[problem.code]
  return JSON.stringify({
    type: `/docs/errors#${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: maskKeys(problem.message),
    instance: requestId,
    ...problem.members,
  })
}

/** What a failure becomes: a problem stays one; anything else is ours, and its reason goes to the log alone. */
export function asProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) {
    if (error.status >= 500) request.log.error({ request_id: request.id, err: error }, error.message)
    return error
  }
  if ((error as { code?: string }).code === 'FST_ERR_BAD_URL') {
    return new Problem('invalid-request', 'The path has a percent sign that encodes no character of UTF-8.')
  }
  if ((error as { code?: string }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Problem('unsupported-media-type', 'The Content-Type field is malformed.')
  }
  request.log.error({ request_id: request.id, err: error }, 'a request failed')
  return new Problem('internal-error', 'The service failed on this request. Its log has the reason.')
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('cache-control', 'no-store')
    .header('content-type', PROBLEM_TYPE)
    .serializer(String)
    .send(problemText(problem, request.id))
}

/** The same as a whole HTTP response, for requests that never reach a route. Closes the connection. */
export function rawProblem(problem: Problem, requestId: string): string {
  const { status } = ERRORS[problem.code]
  const body = problemText(problem, requestId)
  const fields = {
    ...problem.headers,
    'content-type': PROBLEM_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
