// Sends errors as application/problem+json (RFC 9457), through Fastify or directly to a socket.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, Problem } from '../errors.ts'
import { maskKeys } from '../schema/keys.ts'

// An import of node:http reads all its exports, and some of them load undici: 4 MB and 20 ms.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

export const PROBLEM_TYPE = 'application/problem+json'

/** `prefix` is the path of --public-url. */
export function problemJson(problem: Problem, requestId: string, prefix: string): string {
  const { status, title } = ERRORS[problem.code]
  return JSON.stringify({
    type: `${prefix}/docs/errors#${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: maskKeys(problem.message),
    instance: requestId,
    ...problem.members,
  })
}

/** Converts any error to a problem. The cause of an unexpected error is logged and not sent. */
export function toProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) {
    if (error.status >= 500) request.log.error({ request_id: request.id, err: error }, error.message)
    return error
  }
  if ((error as { code?: string }).code === 'FST_ERR_BAD_URL') {
    return new Problem('invalid-request', 'The path has invalid percent-encoding. Encode it as UTF-8.')
  }
  if ((error as { code?: string }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Problem('unsupported-media-type', 'The Content-Type header is malformed. Send a media type.')
  }
  request.log.error({ request_id: request.id, err: error }, 'request failed')
  return new Problem(
    'internal-error',
    'The service failed to handle this request. See its log for the cause.',
  )
}

/** `prefix` is the path of --public-url. */
export function sendProblem(reply: FastifyReply, problem: Problem, prefix: string): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('cache-control', 'no-store')
    .header('content-type', PROBLEM_TYPE)
    .serializer(String)
    .send(problemJson(problem, reply.request.id, prefix))
}

/** Headers and body of a response to a request that never reaches a route. It closes the connection. */
export function problemResponse(
  problem: Problem,
  requestId: string,
  prefix: string,
): { headers: Record<string, string>; body: string } {
  const body = problemJson(problem, requestId, prefix)
  const headers = {
    ...problem.headers,
    'content-type': PROBLEM_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    date: new Date().toUTCString(),
    connection: 'close',
  }
  return { headers, body }
}

/** The same response as the text of a complete HTTP message. */
export function rawProblemResponse(problem: Problem, requestId: string, prefix: string): string {
  const { status } = problem
  const { headers, body } = problemResponse(problem, requestId, prefix)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
