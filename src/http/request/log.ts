// Logs one line per request when its response ends. The request id is in the log, the response and the problem.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import pino, { type Logger } from 'pino'
import { maskKeys } from '../../schema/keys.ts'

/** Longer lines are not written atomically to a pipe and could mix with lines of other processes. */
const MAX_URL_CHARACTERS = 3000

export interface LoggedRequest {
  id: string
  method: string
  url: string
  status: number
  /** Milliseconds until the response ended. */
  duration: number
  /** Undefined if the client disconnected early. */
  address: string | undefined
  keyId: string | undefined
  keyName: string | null | undefined
  /** Whether the whole response was sent. */
  isComplete: boolean
}

/** Writes the same lines as pino would, but without an object and a serializer per line. */
export class RequestLog {
  readonly #log: Logger
  readonly #destination: { write(line: string): void }
  #second = 0
  #secondText = ''

  constructor(log: FastifyBaseLogger) {
    this.#log = log as Logger
    this.#destination = (log as never)[pino.symbols.streamSym]
  }

  write(request: LoggedRequest): void {
    if (!this.#log.isLevelEnabled('info')) return
    const { id, method, status, duration, address, keyId, keyName } = request
    const url = JSON.stringify(maskKeys(request.url).slice(0, MAX_URL_CHARACTERS))
    const client = address === undefined ? '' : `,"address":${JSON.stringify(address)}`
    const key = keyId === undefined ? '' : `,"key":"${keyId}"`
    const name = typeof keyName === 'string' ? `,"key_name":${JSON.stringify(keyName)}` : ''
    const cut = request.isComplete ? '' : ',"cut":true'
    this.#destination.write(
      `{"level":30,"time":"${this.#time()}","request_id":"${id}","method":"${method}","url":${url},"status":${status},"ms":${Math.round(duration)}${client}${key}${name}${cut},"msg":"request"}\n`,
    )
  }

  /** The current time in ISO format. The text of a second is used again, because creating it takes longest. */
  #time(): string {
    const now = Date.now()
    const second = Math.floor(now / 1000)
    if (second !== this.#second) this.#secondText = new Date(now).toISOString().slice(0, 20)
    this.#second = second
    return `${this.#secondText}${String(now - second * 1000).padStart(3, '0')}Z`
  }
}

/** Every response has these headers. */
export function setCommonHeaders(reply: FastifyReply): void {
  reply.header('x-request-id', reply.request.id)
  reply.header('x-content-type-options', 'nosniff')
}

/** Describes a request whose response has closed. `startTime` is a time of `performance.now`. */
export function finishedRequest(
  request: FastifyRequest,
  { raw }: FastifyReply,
  startTime: number,
): LoggedRequest {
  return {
    id: request.id,
    method: request.method,
    url: request.originalUrl,
    status: raw.statusCode,
    duration: performance.now() - startTime,
    address: request.ip,
    keyId: request.keyId,
    keyName: request.keyName,
    isComplete: raw.writableFinished,
  }
}
