// Runs write requests in one transaction each, if their If-Match is satisfied. A retry with the same Idempotency-Key gets
// the stored response.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { findStoredResponse, type RequestToken, type Written } from '../../store/changes/idempotency.ts'
import type { Reader, Transaction, Writer } from '../../store/store.ts'
import { parseIfMatch, type WriteTarget } from './preconditions.ts'
import {
  type SentResponse,
  type WriteContext,
  type WriteOutcome,
  type WriteResponse,
  writeInTransaction,
} from './write-transaction.ts'

interface Write<Content> {
  /** Throws if the request must be rejected before its body is read. */
  check?(): Promise<unknown>
  /** Reads and validates the body. Stores nothing yet. */
  read(): Promise<Content>
}

export interface WriteOperation<Content, Target extends WriteTarget | undefined> extends Write<Content> {
  /** See `WriteSteps`. */
  lock?(transaction: Transaction): Promise<Target>
  /** Stores the content. An error rolls back the transaction. */
  store(transaction: Transaction, content: Content, target: Target): Promise<WriteResponse>
}

/** A write whose body has been read. */
export interface ReceivedWrite {
  store(context: WriteContext): Promise<WriteOutcome>
  /** Called after success and after errors. */
  close?(): Promise<void>
}

/** A write whose transaction runs elsewhere. */
export interface DelegatedWrite extends Write<ReceivedWrite> {
  /** Whether the operation has an object to compare with If-Match. */
  acceptsIfMatch: boolean
}

interface WriteHandlerOptions {
  reader: Reader
  writer: Writer
  clock: () => number
  publicUrl: string | undefined
}

export class WriteHandler {
  readonly #reader: Reader
  readonly #writer: Writer
  readonly #clock: () => number
  readonly #publicUrl: string | undefined
  /** The tokens of the requests in flight. */
  readonly #tokensInFlight = new Set<string>()

  constructor({ reader, writer, clock, publicUrl }: WriteHandlerOptions) {
    this.#reader = reader
    this.#writer = writer
    this.#clock = clock
    this.#publicUrl = publicUrl
  }

  handle<Content, Target extends WriteTarget | undefined = undefined>(
    reply: FastifyReply,
    operation: WriteOperation<Content, Target>,
  ): Promise<FastifyReply> {
    return this.delegate(reply, {
      ...operation,
      acceptsIfMatch: operation.lock !== undefined,
      read: async () => {
        const content = await operation.read()
        const steps = {
          ...(operation.lock && { lock: operation.lock }),
          store: (transaction: Transaction, target: Target) => operation.store(transaction, content, target),
        }
        return { store: (context) => writeInTransaction<Target>(this.#writer, context, steps) }
      },
    })
  }

  /** Like `handle`, for a write whose transaction runs elsewhere. */
  async delegate(reply: FastifyReply, write: DelegatedWrite): Promise<FastifyReply> {
    const { request } = reply
    const header = request.headers['if-match']
    const ifMatch = header === undefined ? undefined : parseIfMatch(header)
    if (ifMatch && !write.acceptsIfMatch) throw unsupportedIfMatchProblem()
    const token = readToken(request)
    const tokenText = JSON.stringify(token)
    if (token && this.#tokensInFlight.has(tokenText)) throw inProgressProblem()
    if (token) this.#tokensInFlight.add(tokenText)
    try {
      // A retry gets the stored response even if the request would be rejected now.
      const isRetry = token && (await findStoredResponse(this.#reader, token, this.#clock()))
      if (!isRetry) await write.check?.()
      // Query parameters decide what a write does, as the body does.
      const hash = createHash('sha256').update(request.url.split('?')[1] ?? '')
      if (token) request.bodyHash = hash
      const received = await write.read()
      try {
        const { keyId, keyName = null, ip, viewer, canRead } = request
        const { response, isReplayed } = await received.store({
          actor: keyId === undefined ? undefined : { key_id: keyId, key_name: keyName, address: ip },
          canRead,
          ifMatch,
          idempotency: token && {
            token,
            digest: hash.digest(),
            project: viewer.project,
            resourcesInPath: resourcesInPath(request),
            now: this.#clock(),
          },
        })
        if (isReplayed) reply.header('idempotent-replayed', 'true')
        return sendWriteResponse(reply, response, this.#publicUrl)
      } finally {
        await received.close?.()
      }
    } finally {
      this.#tokensInFlight.delete(tokenText)
    }
  }
}

function sendWriteResponse(
  reply: FastifyReply,
  { status, location, body, etag }: SentResponse,
  publicUrl = '',
): FastifyReply {
  if (location !== null) reply.header('location', `${publicUrl}${location}`)
  if (etag !== null) reply.header('etag', etag)
  reply.code(status).header('cache-control', 'no-store')
  return body === null ? reply.send() : reply.type('application/json').serializer(String).send(body)
}

function resourcesInPath({ params }: FastifyRequest): Written[] {
  const { evaluation_id, variant_id } = params as Record<string, string | undefined>
  return [
    ...(evaluation_id === undefined ? [] : [{ noun: 'evaluation', id: evaluation_id } as const]),
    ...(variant_id === undefined ? [] : [{ noun: 'variant', id: variant_id } as const]),
  ]
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

function unsupportedIfMatchProblem(): Problem {
  const detail = 'This operation does not support If-Match, because its path has no ETag. Omit the header.'
  return new Problem('invalid-request', detail)
}

function inProgressProblem(): Problem {
  const detail = 'A request with this Idempotency-Key is still in progress. Retry after its response.'
  return new Problem('conflict', detail, { 'retry-after': '1' })
}
