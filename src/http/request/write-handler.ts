// Runs write requests in one transaction each. A retry with the same Idempotency-Key gets the stored response.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import {
  findStoredResponse,
  lockToken,
  type RequestToken,
  storeResponse,
} from '../../store/ingest/idempotency.ts'
import type { Reader, Transaction, Writer } from '../../store/store.ts'

export interface WriteResponse {
  status: number
  /** Absolute path for the Location header. */
  location?: string | null
  /** JSON text. */
  body?: string | null
}

export interface WriteOperation<Content> {
  /** Throws if the request must be rejected before its body is read. */
  check?(): Promise<unknown>
  /** Reads and validates the body. Stores nothing yet. */
  read(): Promise<Content>
  /** Stores the content. An error rolls back the transaction. */
  store(transaction: Transaction, content: Content): Promise<WriteResponse>
  /** Called after success and after errors. */
  cleanUp?(content: Content): Promise<void>
}

export class WriteHandler {
  readonly #reader: Reader
  readonly #writer: Writer
  readonly #clock: () => number
  /** The tokens of the requests in flight. */
  readonly #tokensInFlight = new Set<string>()

  constructor({ reader, writer }: { reader: Reader; writer: Writer }, clock: () => number) {
    this.#reader = reader
    this.#writer = writer
    this.#clock = clock
  }

  async handle<Content>(reply: FastifyReply, write: WriteOperation<Content>): Promise<FastifyReply> {
    const { request } = reply
    const token = readToken(request)
    const tokenText = JSON.stringify(token)
    if (token && this.#tokensInFlight.has(tokenText)) throw inProgressProblem()
    if (token) this.#tokensInFlight.add(tokenText)
    try {
      // A retry gets the stored response even if the request would be rejected now.
      const isRetry = token && (await findStoredResponse(this.#reader, token, this.#clock()))
      if (!isRetry) await write.check?.()
      const hash = createHash('sha256')
      if (token) request.bodyHash = hash
      const content = await write.read()
      try {
        return sendWriteResponse(reply, await this.#transact(token, hash.digest(), write, content))
      } finally {
        await write.cleanUp?.(content)
      }
    } finally {
      this.#tokensInFlight.delete(tokenText)
    }
  }

  #transact<Content>(
    token: RequestToken | undefined,
    digest: Uint8Array,
    write: WriteOperation<Content>,
    content: Content,
  ): Promise<WriteResponse> {
    return this.#writer.transaction(async (transaction) => {
      if (!token) return write.store(transaction, content)
      await lockToken(transaction, token)
      const storedResponse = await findStoredResponse(transaction, token, this.#clock())
      if (storedResponse) {
        if (Buffer.compare(storedResponse.digest, digest) !== 0) throw differentBodyProblem()
        return storedResponse
      }
      const response = await write.store(transaction, content)
      const { status, location = null, body = null } = response
      await storeResponse(transaction, token, { digest, status, location, body }, this.#clock())
      return response
    })
  }
}

function sendWriteResponse(reply: FastifyReply, { status, location, body }: WriteResponse): FastifyReply {
  if (location != null) reply.header('location', location)
  reply.code(status).header('cache-control', 'no-store')
  return body == null ? reply.send() : reply.type('application/json').serializer(String).send(body)
}

/** Identifies this request; undefined if it has no Idempotency-Key. */
function readToken(request: FastifyRequest): RequestToken | undefined {
  const token = request.headers['idempotency-key']
  if (token === undefined) return undefined
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(token)) {
    throw new Problem('invalid-request', 'Idempotency-Key must be 1 to 255 ASCII characters without spaces.')
  }
  // The route and its parameters, so that different spellings of a path are the same operation.
  const operation = JSON.stringify([request.method, request.routeOptions.url, request.params])
  return { api_key: request.keyId ?? '', operation, token }
}

function inProgressProblem(): Problem {
  const detail = 'A request with this Idempotency-Key is still in progress. Retry after its response.'
  return new Problem('conflict', detail, { 'retry-after': '1' })
}

function differentBodyProblem(): Problem {
  const detail = 'This Idempotency-Key was used with a different body. Use a new key for a new request.'
  const members = { errors: [{ pointer: '', line: 1, detail }], error_count: 1 }
  return new Problem('invalid-content', detail, {}, { members })
}
