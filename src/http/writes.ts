// What every write has in common: one transaction, and the same answer again for a repeat that carries the
// Idempotency-Key of the first.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { findAnswer, keepAnswer, lockToken, type RequestToken } from '../store/idempotency.ts'
import type { Reader, Transaction, Writer } from '../store/store.ts'

export interface WriteAnswer {
  status: 200 | 201 | 204
  /** An absolute path. */
  location?: string
  /** JSON text. */
  body?: string
}

export interface Write<Content> {
  /** Throws where the body is not worth reading. */
  check?(): Promise<unknown>
  /** Reads the body and judges it; gives each chunk to `seen` on its way. Nothing is stored yet. */
  read(seen: (chunk: Uint8Array) => void): Promise<Content>
  /** Stores what was read. Whatever it throws leaves the store as it was. */
  store(transaction: Transaction, content: Content): Promise<WriteAnswer>
  /** Whatever came of it. */
  done?(content: Content): Promise<void>
}

export class Writes {
  readonly #reader: Reader
  readonly #writer: Writer
  readonly #clock: () => number
  /** The tokens of the requests under way. */
  readonly #running = new Set<string>()

  constructor({ reader, writer }: { reader: Reader; writer: Writer }, clock: () => number) {
    this.#reader = reader
    this.#writer = writer
    this.#clock = clock
  }

  async answer<Content>(
    request: FastifyRequest,
    reply: FastifyReply,
    write: Write<Content>,
  ): Promise<FastifyReply> {
    const token = requestToken(request)
    const name = JSON.stringify(token)
    if (token && this.#running.has(name)) throw stillRunning()
    if (token) this.#running.add(name)
    try {
      // A repeat gets its answer even where the request could not be made any more.
      const isRepeat = token && (await findAnswer(this.#reader, token, this.#clock()))
      if (!isRepeat) await write.check?.()
      const hash = createHash('sha256')
      const content = await write.read((chunk) => token && hash.update(chunk))
      try {
        return send(reply, await this.#transact(token, hash.digest(), write, content))
      } finally {
        await write.done?.(content)
      }
    } finally {
      this.#running.delete(name)
    }
  }

  #transact<Content>(
    token: RequestToken | undefined,
    digest: Uint8Array,
    write: Write<Content>,
    content: Content,
  ): Promise<WriteAnswer> {
    return this.#writer.transaction(async (transaction) => {
      if (!token) return write.store(transaction, content)
      await lockToken(transaction, token)
      const kept = await findAnswer(transaction, token, this.#clock())
      if (kept) {
        if (Buffer.compare(kept.digest, digest) !== 0) throw otherBody()
        const { status, location, body } = kept
        return {
          status,
          ...(location !== null && { location }),
          ...(body !== null && { body }),
        } as WriteAnswer
      }
      const answer = await write.store(transaction, content)
      const { status, location = null, body = null } = answer
      await keepAnswer(transaction, token, { digest, status, location, body }, this.#clock())
      return answer
    })
  }
}

function send(reply: FastifyReply, { status, location, body }: WriteAnswer): FastifyReply {
  if (location !== undefined) reply.header('location', location)
  reply.code(status).header('cache-control', 'no-store')
  return body === undefined ? reply.send() : reply.type('application/json').serializer(String).send(body)
}

/** What tells this request from every other; undefined where the client gave no key. */
function requestToken(request: FastifyRequest): RequestToken | undefined {
  const token = request.headers['idempotency-key']
  if (token === undefined) return undefined
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(token)) {
    throw new Problem('invalid-request', 'Idempotency-Key is 1 to 255 characters of ASCII without spaces.')
  }
  // Of the route and its parameters, so that however a path is written it is the same one.
  const operation = JSON.stringify([request.method, request.routeOptions.url, request.params])
  return { api_key: request.keyId ?? '', operation, token }
}

function stillRunning(): Problem {
  const detail = 'A request with this Idempotency-Key is under way. Ask again when it is answered.'
  return new Problem('conflict', detail, { 'retry-after': '1' })
}

function otherBody(): Problem {
  const detail = 'This Idempotency-Key came with another body before. Use a new one for another request.'
  const members = { errors: [{ pointer: '', line: 1, detail }], error_count: 1 }
  return new Problem('invalid-content', detail, {}, { members })
}
