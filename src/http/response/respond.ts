// Responds to reads: negotiates format and encoding, sets ETag, Link and Content-Length, uses the caches, sends the bytes.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { Problem } from '../../errors.ts'
import { type Encoding, encode } from '../../serialize/encoding.ts'
import {
  type CsvTable,
  contentLength,
  type ElementChunks,
  excelSafeTable,
  type Format,
  MEDIA_TYPES,
  serialize,
} from '../../serialize/format.ts'
import type { LruCache } from '../../store/cache/lru-cache.ts'
import type { Connection } from '../../store/store.ts'
import { AbortingConnection, QueryAbort } from './abort-on-disconnect.ts'
import { DiskBuffer, type DiskBuffers } from './disk-buffer.ts'
import { etag, matchesEtag } from './etag.ts'
import type { FileCache } from './file-cache.ts'
import { negotiateEncoding, negotiateFormat } from './negotiate.ts'
import type { QueryQueue } from './query-queue.ts'
import { ClientDisconnected, sendBytes } from './send.ts'

export interface ReadResponse {
  /** The available formats, the preferred one first. */
  formats: readonly Format[]
  /** Changes whenever the content changes. Without a version, the response has no ETag. */
  version?: string
  /** Called only if the client needs the content (not for 304). */
  content(format: Format): Promise<Content>
}

export interface Content {
  /** Not called for HEAD. */
  chunks: ElementChunks
  /** Whether the chunks form one JSON document, instead of the elements of a list. */
  isDocument?: boolean
  /** The Link header, if there is a next page. */
  link?: string | undefined
  /** Number and total size of the elements, if known without reading them. */
  size?: { count: number; bytes: number } | undefined
  /** Set if the format is csv. */
  table?: CsvTable | undefined
}

export interface ReadSource {
  diskBuffers: DiskBuffers
  queryQueue: QueryQueue
  /** Whether preparing the response can be slow. It then runs once, when it is its turn among the queries. */
  isQuery?: boolean
  /** Whether `prepare` reads only the version, so that a 304 needs no snapshot. */
  isPolled?: boolean
  /** Without caches, the response is not cached. */
  caches?: ResponseCaches | undefined
  /** Prepares the response. Can be called several times, with different snapshots. */
  prepare(snapshot: Connection): Promise<ReadResponse>
}

export interface ResponseCaches {
  /** For responses of up to 4 MiB. */
  memory: LruCache<Uint8Array>
  /** For larger responses. */
  files: FileCache
  /** Distinguishes different contents of the same version. */
  contentKey: string
}

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

export async function respondToRead(reply: FastifyReply, source: ReadSource): Promise<FastifyReply> {
  const { prepare, isQuery = false, isPolled = false, caches } = source
  if (isPolled && (await respondNotModified(reply, source))) return reply
  if (isQuery) {
    await streamQuery(reply, source)
    return reply
  }
  if (await respondFromCache(reply, source)) return reply
  const shortResponse = await reply.request.latestReader.snapshot('short', async (snapshot) =>
    readCompletely(await prepareResponse(reply, await prepare(snapshot)), caches),
  )
  if (!shortResponse) await streamResponse(reply, source)
  else if (caches && shortResponse.bytes)
    await sendAndCache(reply, shortResponse.headers, shortResponse.bytes, caches)
  else await sendResponse(reply, shortResponse)
  return reply
}

/** Sends 304 if the client has this version already. Returns false otherwise. */
async function respondNotModified(reply: FastifyReply, { prepare }: ReadSource): Promise<boolean> {
  if (reply.request.headers['if-none-match'] === undefined) return false
  const response = negotiate(reply, await prepare(reply.request.latestReader))
  if (response.status === 304) await sendResponse(reply, response)
  return response.status === 304
}

/** Sends 304 or a cached response; reads only the version from the database. Returns false if neither is possible. */
async function respondFromCache(reply: FastifyReply, { prepare, caches }: ReadSource): Promise<boolean> {
  if (!caches || reply.request.method === 'HEAD') return false
  const response = negotiate(reply, await prepare(reply.request.latestReader))
  const { status, headers } = response
  if (status === 304) {
    await sendResponse(reply, response)
    return true
  }
  const name = cacheKey(caches, headers)
  const bytes = caches.memory.get(name, reply.raw)
  if (bytes) {
    reply.headers(headers).send(bytes)
    return true
  }
  const file = await caches.files.find(name)
  if (file) {
    headers['content-length'] = String(file.length)
    await sendResponse(reply, { ...response, bytes: file.bytes })
  }
  return file !== undefined
}

/** The ETag contains the version, the format and the encoding. */
function cacheKey({ contentKey }: ResponseCaches, { etag }: ResponseHeaders): string {
  return `${etag} ${contentKey}`
}

async function sendAndCache(
  reply: FastifyReply,
  headers: ResponseHeaders,
  bytes: Bytes,
  caches: ResponseCaches,
): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(bytes))
  const declaredLength = headers['content-length'] ?? body.length
  if (Number(declaredLength) !== body.length)
    throw new Error(`The response has ${body.length} bytes, but its Content-Length is ${declaredLength}`)
  caches.memory.set(cacheKey(caches, headers), body)
  reply.headers(headers).send(body)
}

/** Queries can be slow and wait for each other, so they have a time limit and are aborted when their client disconnects. */
async function streamQuery(reply: FastifyReply, source: ReadSource): Promise<void> {
  const { queryQueue } = source
  const { keyId: key = '', latestReader, viewer } = reply.request
  const query = new QueryAbort(reply.raw)
  const { signal } = query
  const prepare = (snapshot: Connection) => source.prepare(new AbortingConnection(snapshot, signal))
  const runInSnapshot: RunInSnapshot = (work) =>
    queryQueue.run({ project: viewer.project, key }, signal, () => {
      query.startTimeLimit(queryQueue.timeLimitMs)
      return latestReader.snapshot('query', work, signal)
    })
  try {
    await streamResponse(reply, { ...source, prepare }, runInSnapshot)
  } catch (error) {
    if (!(error instanceof ClientDisconnected) || reply.sent) throw error
    reply.hijack()
    reply.raw.req.socket.destroy()
  } finally {
    query.close()
  }
}

type RunInSnapshot = (work: (snapshot: Connection) => Promise<void>) => Promise<void>

/** Sends the response while it is read from the database. */
async function streamResponse(
  reply: FastifyReply,
  { diskBuffers, prepare, caches }: ReadSource,
  runInSnapshot: RunInSnapshot = (work) => reply.request.latestReader.snapshot('long', work),
): Promise<void> {
  let sending: Promise<void> | undefined
  await runInSnapshot(async (snapshot) => {
    const { bytes, ...response } = await prepareResponse(reply, await prepare(snapshot))
    const diskBuffer = new DiskBuffer(diskBuffers)
    // With "Connection: close", clients could mistake an aborted response for a complete one.
    reply.removeHeader('connection')
    sending = sendResponse(reply, bytes ? { ...response, bytes: diskBuffer } : response)
    // A failure is thrown by the await below.
    sending.catch(() => undefined)
    if (!bytes) return
    const encodedBytes = encode(response.encoding, bytes)
    await diskBuffer.fill(caches ? storeInFileCache(caches, response, encodedBytes) : encodedBytes)
  })
  await sending
}

function storeInFileCache(
  caches: ResponseCaches,
  { encoding, headers }: NegotiatedResponse,
  bytes: Bytes,
): Bytes {
  const name = cacheKey(caches, headers)
  const length = Number(headers['content-length'] ?? 0)
  const shouldStore = encoding !== 'identity' || caches.files.shouldStore(name, length)
  return shouldStore ? caches.files.storeWhileReading(name, bytes) : bytes
}

/** The query parameter `format` has precedence over the Accept header. */
function negotiate(
  reply: FastifyReply,
  { formats, version }: Pick<ReadResponse, 'formats' | 'version'>,
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
    if (matchesEtag(requestHeaders['if-none-match'], headers.etag))
      return { status: 304, format, isExcelSafe, encoding, headers }
  }
  headers['content-type'] = MEDIA_TYPES[format]
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  return { status: 200, format, isExcelSafe, encoding, headers }
}

async function prepareResponse(reply: FastifyReply, response: ReadResponse): Promise<PreparedResponse> {
  const negotiated = negotiate(reply, response)
  const { status, format, isExcelSafe, encoding, headers } = negotiated
  if (status === 304) return negotiated
  const { chunks, isDocument, link, size, table } = await response.content(format)
  // With Content-Length, clients detect an aborted response even through an HTTP/1.0 proxy.
  const length = encoding === 'identity' && size ? contentLength(format, size) : undefined
  if (length !== undefined) headers['content-length'] = String(length)
  if (link !== undefined) headers.link = link
  if (reply.request.method === 'HEAD') return negotiated
  const csvTable = table && isExcelSafe ? excelSafeTable(table) : table
  const bytes = isDocument ? chunks(',') : serialize(format, chunks, csvTable)
  return { ...negotiated, bytes, expectedBytes: size?.bytes }
}

function varyHeader(reply: FastifyReply): string {
  const otherHeaders = reply.getHeader('vary')
  return `Accept, Accept-Encoding, Authorization${otherHeaders === undefined ? '' : `, ${otherHeaders}`}`
}

/** Reads all bytes of the response into memory. Returns undefined if they are too many. */
async function readCompletely(
  response: PreparedResponse,
  caches: ResponseCaches | undefined,
): Promise<PreparedResponse | undefined> {
  if (!response.bytes) return response
  const maxBytes = caches?.memory.makeSpace(response.expectedBytes ?? 0) ? MAX_CACHED_BYTES : MAX_SHORT_BYTES
  if ((response.expectedBytes ?? 0) > maxBytes) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) return undefined
    // Lets other requests run between two chunks.
    if (length > MAX_SHORT_BYTES) await yieldToEventLoop()
  }
  return { ...response, bytes: encode(response.encoding, chunks) }
}

async function sendResponse(
  reply: FastifyReply,
  { status, headers, bytes }: PreparedResponse,
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
