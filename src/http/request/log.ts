// Logs one line per request when its response ends. The request id is in the log, the response and the problem.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import pino, { type Logger } from 'pino'
import { maskKeys } from '../../schema/keys.ts'

/** Longer lines are not written atomically to a pipe and could mix with lines of other processes. */
const MAX_URL_CHARACTERS = 3000

/** The members that are the same for equal requests with the same key, as JSON. */
export interface LogMembers {
  request: string
  key: string
}

export interface FinishedResponse {
  /** The request id. */
  id: string
  status: number
  /** Milliseconds until the response ended. */
  duration: number
  /** Undefined if the client disconnected early. */
  address: string | undefined
  /** Whether the whole response was sent. */
  isComplete: boolean
}

export function logMembers(
  method: string,
  url: string,
  keyId: string | undefined,
  keyName: string | null | undefined,
): LogMembers {
  const shownUrl = JSON.stringify(maskKeys(url).slice(0, MAX_URL_CHARACTERS))
  const name = typeof keyName === 'string' ? `,"key_name":${JSON.stringify(keyName)}` : ''
  return {
    request: `"method":"${method}","url":${shownUrl}`,
    key: keyId === undefined ? '' : `,"key":"${keyId}"${name}`,
  }
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

  write({ request, key }: LogMembers, response: FinishedResponse): void {
    if (!this.#log.isLevelEnabled('info')) return
    const { id, status, duration, address, isComplete } = response
    const client = address === undefined ? '' : `,"address":${JSON.stringify(address)}`
    const cut = isComplete ? '' : ',"cut":true'
    this.#destination.write(
      `{"level":30,"time":"${this.#time()}","request_id":"${id}",${request},"status":${status},"ms":${Math.round(duration)}${client}${key}${cut},"msg":"request"}\n`,
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

/** Logs a request whose response has closed, after `duration` milliseconds. */
export function logRequest(
  log: RequestLog,
  { id, method, originalUrl, ip, keyId, keyName }: FastifyRequest,
  { raw }: FastifyReply,
  duration: number,
): void {
  const members = logMembers(method, originalUrl, keyId, keyName)
  log.write(members, { id, status: raw.statusCode, duration, address: ip, isComplete: raw.writableFinished })
}
