// Runs write requests in one transaction each, if their If-Match is satisfied. A retry with the same Idempotency-Key gets
// the stored response.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import {
  findStoredResponse,
  lockToken,
  type RequestToken,
  type StoredResponse,
  storeResponse,
  type Written,
} from '../../store/changes/idempotency.ts'
import type { Actor, Reader, Transaction, Writer } from '../../store/store.ts'
import { etag } from '../response/etag.ts'
import { checkIfMatch, type IfMatch, parseIfMatch, type WriteTarget } from './preconditions.ts'

export interface WriteResponse {
  status: number
  /** Absolute path. The Location header begins with --public-url. */
  location?: string | null
  /** JSON text. */
  body?: string | null
  /** Of a body with stored content: the members that a key without the scope `read` gets instead. */
  receipt?: { id: string } | { revision: number }
  /** The version of the written object, for the ETag header. */
  version?: string
  /** The evaluations and variants that were written. Default: those in the path. */
  written?: Written[]
}

export interface WriteOperation<Content, Target extends WriteTarget | undefined> {
  /** Throws if the request must be rejected before its body is read. */
  check?(): Promise<unknown>
  /** Reads and validates the body. Stores nothing yet. */
  read(): Promise<Content>
  /**
   * Locks and returns what the request changes; undefined if the request creates it. If-Match is compared with its
   * version. Operations without `lock` reject If-Match.
   */
  lock?(transaction: Transaction): Promise<Target>
  /** Stores the content. An error rolls back the transaction. */
  store(transaction: Transaction, content: Content, target: Target): Promise<WriteResponse>
  /** Called after success and after errors. */
  cleanUp?(content: Content): Promise<void>
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

  async handle<Content, Target extends WriteTarget | undefined = undefined>(
    reply: FastifyReply,
    write: WriteOperation<Content, Target>,
  ): Promise<FastifyReply> {
    const { request } = reply
    const ifMatch = parseIfMatch(request.headers['if-match'])
    if (ifMatch && !write.lock) throw unsupportedIfMatchProblem()
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
      const content = await write.read()
      try {
        const { response, isReplayed } = await this.#transact(
          request,
          token,
          hash.digest(),
          write,
          content,
          ifMatch,
        )
        if (isReplayed) reply.header('idempotent-replayed', 'true')
        return sendWriteResponse(reply, response, this.#publicUrl)
      } finally {
        await write.cleanUp?.(content)
      }
    } finally {
      this.#tokensInFlight.delete(tokenText)
    }
  }

  #transact<Content, Target extends WriteTarget | undefined>(
    request: FastifyRequest,
    token: RequestToken | undefined,
    digest: Uint8Array,
    write: WriteOperation<Content, Target>,
    content: Content,
    ifMatch: IfMatch | undefined,
  ): Promise<{ response: SentResponse; isReplayed: boolean }> {
    return this.#writer.transaction(async (transaction) => {
      if (token) {
        await lockToken(transaction, token)
        const storedResponse = await findStoredResponse(transaction, token, this.#clock())
        if (storedResponse && Buffer.compare(storedResponse.digest, digest) !== 0)
          throw differentBodyProblem()
        if (storedResponse) return { response: storedResponse, isReplayed: true }
      }
      const target = (await write.lock?.(transaction)) as Target
      checkIfMatch(ifMatch, target)
      const { written = resourcesInPath(request), ...stored } = await write.store(
        transaction,
        content,
        target,
      )
      const response = toSentResponse(stored, request.canRead)
      if (token) {
        const { project } = request.viewer
        const context = { project, written, now: this.#clock() }
        await storeResponse(transaction, token, { digest, ...response }, context)
      }
      return { response, isReplayed: false }
    }, actorOf(request))
  }
}

type SentResponse = Omit<StoredResponse, 'digest'>

function toSentResponse(
  { status, location = null, body = null, receipt, version }: WriteResponse,
  canRead: boolean,
): SentResponse {
  const text = canRead || !receipt ? body : JSON.stringify(receipt)
  return {
    status,
    location,
    body: text,
    etag: version === undefined ? null : etag(version, 'json', 'identity'),
  }
}

/** For the change log. */
function actorOf({ keyId = '', keyName = null, ip }: FastifyRequest): Actor {
  return { key_id: keyId, key_name: keyName, address: ip }
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

function differentBodyProblem(): Problem {
  const detail =
    'This Idempotency-Key was used with a different body or query. Use a new key for a new request.'
  const members = { errors: [{ pointer: '', line: 1, detail }], error_count: 1 }
  return new Problem('invalid-content', detail, {}, { members })
}
