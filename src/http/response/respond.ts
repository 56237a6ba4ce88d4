// Responds to reads over HTTP: negotiates format and encoding, sets ETag, Link and Content-Length, uses the caches, sends the bytes.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { Problem } from '../../errors.ts'
import { type Encoding, encode } from '../../serialize/encoding.ts'
import { contentLength, type Format, MEDIA_TYPES } from '../../serialize/format.ts'
import type { LruCache } from '../../store/cache/lru-cache.ts'
import type { Connection } from '../../store/store.ts'
import { endDisconnected, runQuery } from './abort-on-disconnect.ts'
import { etag, matchesEtag } from './etag.ts'
import { negotiateEncoding, negotiateFormat } from './negotiate.ts'
import type { QueryQueue } from './query-queue.ts'
import { type ReadResponse, type ReadSource, type Respond, serializeContent } from './read-source.ts'
import { ClientDisconnected, sendBytes } from './send.ts'
import type { AttachedResponse, SharedResponses } from './shared-responses.ts'

export interface ResponseServices {
  sharedResponses: SharedResponses
  queryQueue: QueryQueue
  /** For responses of up to 4 MiB. */
  memoryCache: LruCache<Uint8Array>
}

interface ResponseCaches {
  memory: LruCache<Uint8Array>
  contentKey: string
}

/** A read with what its response uses. Without caches, the response is not cached. */
type HttpRead = ReadSource & Omit<ResponseServices, 'memoryCache'> & { caches?: ResponseCaches | undefined }

type Bytes = AsyncIterable<Uint8Array>
type ResponseHeaders = Record<string, string>

interface NegotiatedResponse {
  /** 304 if the client has this version already. */
  status: 200 | 304
  format: Format
  /** Whether CSV cells must not look like formulas (`csv=excel`). */
  isExcelSafe: boolean
  /** Encoding of the bytes, if there are any. */
  encoding: Encoding
  headers: ResponseHeaders
}

interface PreparedResponse extends NegotiatedResponse {
  bytes?: Bytes
  /** Approximate number of bytes, if known. */
  expectedBytes?: number | undefined
}

/** Responses up to this size are read completely before they are sent, so that slow clients hold no snapshot. */
const MAX_SHORT_BYTES = 512 * 1024
/** The same limit for responses that are cached in memory. */
const MAX_CACHED_BYTES = 4 * 1024 * 1024

export function respondOverHttp({ memoryCache, sharedResponses, queryQueue }: ResponseServices): Respond {
  return (reply, source) => {
    const { contentKey } = source
    const caches = contentKey === undefined ? undefined : { memory: memoryCache, contentKey }
    return respondToRead(reply, { ...source, sharedResponses, queryQueue, caches })
  }
}

async function respondToRead(reply: FastifyReply, source: HttpRead): Promise<FastifyReply> {
  const { isQuery = false, isPolled = false, caches } = source
  if (isPolled && (await respondNotModified(reply, source))) return reply
  if (isQuery) {
    await streamQuery(reply, source)
    return reply
  }
  const send = await (caches && reply.request.method !== 'HEAD'
    ? findOrRead(reply, source, caches)
    : readFromStore(reply, source))
  await send()
  return reply
}

type Send = () => Promise<unknown>

/** Sends 304 if the client has this version already. Returns false otherwise. */
async function respondNotModified(reply: FastifyReply, { prepare }: HttpRead): Promise<boolean> {
  if (reply.request.headers['if-none-match'] === undefined) return false
  const response = negotiate(reply, await prepare(reply.request.latestReader))
  if (response.status === 304) await sendResponse(reply, response)
  return response.status === 304
}

/** Finds a 304 or a cached response; for these, only the version is read from the database. Otherwise reads the response. */
async function findOrRead(reply: FastifyReply, source: HttpRead, caches: ResponseCaches): Promise<Send> {
  const { prepare, sharedResponses } = source
  const response = negotiate(reply, await prepare(reply.request.latestReader))
  const { status, headers } = response
  if (status === 304) return () => sendResponse(reply, response)
  const name = cacheKey(caches, headers.etag)
  async function find(): Promise<Send | undefined> {
    const bytes = caches.memory.get(name, reply.raw)
    if (bytes) return async () => reply.headers(headers).send(bytes)
    const attached = await sharedResponses.find(name)
    return attached && (() => sendAttached(reply, headers, attached))
  }
  return (await find()) ?? sharedResponses.findOrRun(name, find, () => readFromStore(reply, source))
}

/** Reads a short response completely, or starts to read a long one. */
async function readFromStore(reply: FastifyReply, source: HttpRead): Promise<Send> {
  const { prepare, caches } = source
  const { response, isComplete } = await reply.request.latestReader.snapshot('short', async (snapshot) =>
    readCompletely(await prepareResponse(reply, await prepare(snapshot)), caches),
  )
  if (!isComplete) {
    const attached = await startResponse(reply, source, response)
    return () => sendAttached(reply, response.headers, attached)
  }
  if (!caches || !response.bytes) return () => sendResponse(reply, response)
  const body = await readAndCache(response.headers, response.bytes, caches)
  return async () => reply.headers(response.headers).send(body)
}

/** The ETag contains the version, the format and the encoding. */
export function cacheKey(
  { contentKey }: Pick<ResponseCaches, 'contentKey'>,
  etag: string | undefined,
): string {
  return `${etag} ${contentKey}`
}

async function readAndCache(
  headers: ResponseHeaders,
  bytes: Bytes,
  caches: ResponseCaches,
): Promise<Uint8Array> {
  const body = Buffer.concat(await Array.fromAsync(bytes))
  const declaredLength = headers['content-length'] ?? body.length
  if (Number(declaredLength) !== body.length)
    throw new Error(`The response has ${body.length} bytes, but its Content-Length is ${declaredLength}`)
  caches.memory.set(cacheKey(caches, headers.etag), body)
  return body
}

async function streamQuery(reply: FastifyReply, source: HttpRead): Promise<void> {
  const runInSnapshot: RunInSnapshot = (work) => runQuery(reply, source.queryQueue, work)
  try {
    const attached = await startResponse(reply, source, undefined, runInSnapshot)
    await sendAttached(reply, undefined, attached)
  } catch (error) {
    endDisconnected(reply, error)
  }
}

type RunInSnapshot = (work: (snapshot: Connection) => Promise<void>) => Promise<void>

/** Starts to read a response. It is sent while it is read. `expected` is the response of an earlier snapshot. */
function startResponse(
  reply: FastifyReply,
  { sharedResponses, prepare, caches }: HttpRead,
  expected?: NegotiatedResponse,
  runInSnapshot: RunInSnapshot = (work) => reply.request.latestReader.snapshot('long', work),
): Promise<AttachedResponse> {
  return sharedResponses.start({
    ...(caches && expected && { name: cacheKey(caches, expected.headers.etag) }),
    isCompressed: expected !== undefined && expected.encoding !== 'identity',
    length: expected && Number(expected.headers['content-length'] ?? 0),
    produce: (buffer) =>
      runInSnapshot(async (snapshot) => {
        // A 304 would be wrong for the other clients.
        const response = await prepareResponse(reply, await prepare(snapshot), !caches)
        const { status, headers, encoding, bytes } = response
        buffer.start({ status, headers })
        // After a change, the later snapshot contains another version than the one that names the file.
        const isCacheable = headers.etag === expected?.headers.etag
        if (bytes) await buffer.write(encode(encoding, bytes), isCacheable)
      }),
  })
}

/** Headers of the response itself have precedence over `ownHeaders`; only Vary is specific to the request. */
async function sendAttached(
  reply: FastifyReply,
  ownHeaders: ResponseHeaders | undefined,
  { buffer, reader }: AttachedResponse,
): Promise<void> {
  try {
    const { status, headers } = await buffer.head
    // With "Connection: close", clients could mistake an aborted response for a complete one.
    reply.removeHeader('connection')
    const allHeaders = { ...ownHeaders, ...headers, ...(ownHeaders?.vary && { vary: ownHeaders.vary }) }
    await sendResponse(reply, { status, headers: allHeaders, ...(status === 200 && { bytes: reader }) })
  } finally {
    await reader.close()
  }
}

/** The query parameter `format` has precedence over the Accept header. */
function negotiate(
  reply: FastifyReply,
  { formats, version }: Pick<ReadResponse, 'formats' | 'version'>,
  isConditional = true,
): NegotiatedResponse {
  const { query, headers: requestHeaders } = reply.request
  const { format: requestedFormat, csv } = query as { format?: Format; csv?: 'excel' }
  const format = requestedFormat ?? negotiateFormat(requestHeaders.accept, formats)
  const isExcelSafe = csv !== undefined
  if (isExcelSafe && format !== 'csv')
    throw new Problem('invalid-request', `'csv=${csv}' needs the format CSV. Add 'format=csv'.`)
  const encoding = negotiateEncoding(requestHeaders['accept-encoding'])
  const headers: ResponseHeaders = { 'cache-control': 'private, no-cache', vary: varyHeader(reply) }
  if (version !== undefined) {
    headers.etag = etag(version, isExcelSafe ? `${format}-${csv}` : format, encoding)
    if (isConditional && matchesEtag(requestHeaders['if-none-match'], headers.etag))
      return { status: 304, format, isExcelSafe, encoding, headers }
  }
  headers['content-type'] = MEDIA_TYPES[format]
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  return { status: 200, format, isExcelSafe, encoding, headers }
}

async function prepareResponse(
  reply: FastifyReply,
  response: ReadResponse,
  isConditional = true,
): Promise<PreparedResponse> {
  const negotiated = negotiate(reply, response, isConditional)
  const { status, format, isExcelSafe, encoding, headers } = negotiated
  if (status === 304) return negotiated
  const content = await response.content(format)
  const { link, size, expectedBytes = size?.bytes } = content
  // With Content-Length, clients detect an aborted response even through an HTTP/1.0 proxy.
  const length = encoding === 'identity' && size ? contentLength(format, size) : undefined
  if (length !== undefined) headers['content-length'] = String(length)
  if (link !== undefined) headers.link = link
  if (reply.request.method === 'HEAD') return negotiated
  return { ...negotiated, bytes: serializeContent(content, format, isExcelSafe), expectedBytes }
}

function varyHeader(reply: FastifyReply): string {
  const otherHeaders = reply.getHeader('vary')
  return `Accept, Accept-Encoding, Authorization${otherHeaders === undefined ? '' : `, ${otherHeaders}`}`
}

/** Reads all bytes of the response into memory, unless they are too many. */
async function readCompletely(
  response: PreparedResponse,
  caches: ResponseCaches | undefined,
): Promise<{ response: PreparedResponse; isComplete: boolean }> {
  if (!response.bytes) return { response, isComplete: true }
  const maxBytes = caches?.memory.makeSpace(response.expectedBytes ?? 0) ? MAX_CACHED_BYTES : MAX_SHORT_BYTES
  if ((response.expectedBytes ?? 0) > maxBytes) return { response, isComplete: false }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) return { response, isComplete: false }
    // Lets other requests run between two chunks.
    if (length > MAX_SHORT_BYTES) await yieldToEventLoop()
  }
  return { response: { ...response, bytes: encode(response.encoding, chunks) }, isComplete: true }
}

async function sendResponse(
  reply: FastifyReply,
  { status, headers, bytes }: Pick<PreparedResponse, 'status' | 'headers' | 'bytes'>,
): Promise<void> {
  if (!bytes) {
    reply.code(status).headers(headers).send()
    return
  }
  // Does not use Fastify's stream support, which ends a failed stream as if it were complete.
  function sendHead(): void {
    reply.hijack()
    // A wrong Content-Length fails here, instead of corrupting the next response on the connection.
    reply.raw.strictContentLength = true
    reply.raw.writeHead(status, { ...(reply.getHeaders() as ResponseHeaders), ...headers })
  }
  try {
    await sendBytes(reply.raw, sendHead, bytes)
  } catch (error) {
    if (!reply.sent) throw error
    if (!(error instanceof ClientDisconnected))
      reply.log.error({ request_id: reply.request.id, err: error }, 'response failed after it had started')
  }
}
