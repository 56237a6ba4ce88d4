// Responds to reads over HTTP: negotiates format and encoding, sets ETag, Link and Content-Length, sends the bytes.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { Problem } from '../../errors.ts'
import { type Encoding, encode } from '../../serialize/encoding.ts'
import { contentLength, type Format, MEDIA_TYPES } from '../../serialize/format.ts'
import type { Connection } from '../../store/store.ts'
import { endDisconnected, runQuery } from './abort-on-disconnect.ts'
import { etag, matchesEtag } from './etag.ts'
import { negotiateEncoding, negotiateFormat } from './negotiate.ts'
import type { QueryQueue } from './query-queue.ts'
import { type ReadResponse, type ReadSource, type Respond, serializeContent } from './read-source.ts'
import {
  type AttachedResponse,
  type ResponseStore,
  responseName,
  type ShortResponse,
  type StartedResponse,
} from './response-store.ts'
import { ClientDisconnected, sendBytes } from './send.ts'

/** A read, with what its response uses. */
interface HttpRead extends ReadSource {
  responses: ResponseStore
  queryQueue: QueryQueue
}

type Bytes = AsyncIterable<Uint8Array>
type ResponseHeaders = Record<string, string>

interface NegotiatedResponse {
  /** 304 if the client has this version already. */
  status: 200 | 304
  format: Format
  /** Whether CSV cells must not look like formulas (`csv=excel`). */
  isExcelSafe: boolean
  encoding: Encoding
  headers: ResponseHeaders
  /** Only for 200. */
  contentHeaders: ResponseHeaders
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

export function respondOverHttp(responses: ResponseStore, queryQueue: QueryQueue): Respond {
  return (reply, source) => respondToRead(reply, { ...source, responses, queryQueue })
}

async function respondToRead(reply: FastifyReply, source: HttpRead): Promise<FastifyReply> {
  const { isQuery = false, isPolled = false, contentKey, prepare } = source
  const { method, headers, latestReader } = reply.request
  if (isQuery) await sendQuery(reply, source)
  else if (contentKey !== undefined && method !== 'HEAD') await sendShared(reply, source, contentKey)
  else {
    const isConditional = isPolled && headers['if-none-match'] !== undefined
    const response = isConditional ? negotiate(reply, await prepare(latestReader)) : undefined
    if (response?.status === 304) await sendResponse(reply, response)
    else await sendOwn(reply, source)
  }
  return reply
}

/** Sends a response that is produced once for all equal requests. For a 304, only the version is read. */
async function sendShared(reply: FastifyReply, source: HttpRead, contentKey: string): Promise<void> {
  const { responses, prepare } = source
  const { latestReader } = reply.request
  const version = await prepare(latestReader)
  const response = negotiate(reply, version)
  const { status, headers, contentHeaders } = response
  const { etag = '', vary } = headers
  const name = responseName(etag, contentKey)
  reply.server.direct?.remember(reply.request, { name, etag, headers, contentHeaders })
  if (status === 304) return sendResponse(reply, response)
  const available = await responses.get(name, reply.raw, async () => {
    const maxBytes = responses.hasMemory(version.expectedBytes ?? 0) ? MAX_CACHED_BYTES : MAX_SHORT_BYTES
    if ((version.expectedBytes ?? 0) <= maxBytes) {
      const short = await latestReader.snapshot('short', async (snapshot) =>
        readCompletely(await prepareResponse(reply, await prepare(snapshot), false), maxBytes),
      )
      if (short?.bytes) return toShortResponse(short.headers, short.bytes, contentKey)
    }
    return startResponse(reply, source, name)
  })
  if ('reader' in available) await sendAttached(reply, available, vary)
  else reply.headers({ ...available.headers, vary }).send(available.bytes)
}

/** Sends a response that is produced for this request only. */
async function sendOwn(reply: FastifyReply, source: HttpRead): Promise<void> {
  const response = await reply.request.latestReader.snapshot('short', async (snapshot) =>
    readCompletely(await prepareResponse(reply, await source.prepare(snapshot)), MAX_SHORT_BYTES),
  )
  if (response) await sendResponse(reply, response)
  else await sendAttached(reply, startResponse(reply, source))
}

async function sendQuery(reply: FastifyReply, source: HttpRead): Promise<void> {
  try {
    const started = startResponse(reply, source, undefined, (work) =>
      runQuery(reply, source.queryQueue, work),
    )
    await sendAttached(reply, started)
  } catch (error) {
    endDisconnected(reply, error)
  }
}

/** Reads all bytes of a response into memory. Undefined if they are too many. */
async function readCompletely(
  response: PreparedResponse,
  maxBytes: number,
): Promise<PreparedResponse | undefined> {
  const { bytes, encoding, expectedBytes = 0 } = response
  if (!bytes) return response
  if (expectedBytes > maxBytes) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) return undefined
    // Lets other requests run between two chunks.
    if (length > MAX_SHORT_BYTES) await yieldToEventLoop()
  }
  return { ...response, bytes: encode(encoding, chunks) }
}

async function toShortResponse(
  headers: ResponseHeaders,
  chunks: Bytes,
  contentKey: string,
): Promise<ShortResponse> {
  const bytes = Buffer.concat(await Array.fromAsync(chunks))
  const declaredLength = headers['content-length'] ?? bytes.length
  if (Number(declaredLength) !== bytes.length)
    throw new Error(`The response has ${bytes.length} bytes, but its Content-Length is ${declaredLength}`)
  return { name: responseName(headers.etag, contentKey), headers, bytes }
}

type RunInSnapshot = (
  work: (snapshot: Connection) => Promise<string | undefined>,
) => Promise<string | undefined>

/** Starts to read a response. It is sent while it is read. */
function startResponse(
  reply: FastifyReply,
  { responses, contentKey, prepare }: HttpRead,
  name?: string,
  runInSnapshot: RunInSnapshot = (work) => reply.request.latestReader.snapshot('long', work),
): StartedResponse {
  return responses.start(name, (response) =>
    runInSnapshot(async (snapshot) => {
      // A 304 would be wrong for the other clients.
      const prepared = await prepareResponse(reply, await prepare(snapshot), name === undefined)
      const { status, headers, encoding, bytes } = prepared
      response.start({ status, headers })
      if (bytes) await response.write(encode(encoding, bytes))
      if (name === undefined || contentKey === undefined) return undefined
      const { length } = response
      const { 'content-length': declaredLength = length } = headers
      // For clients that attach from now on.
      headers['content-length'] = String(length)
      // After a change, the snapshot contains another version than the one that names the response.
      return Number(declaredLength) === length ? responseName(headers.etag, contentKey) : undefined
    }),
  )
}

/** `vary` is specific to the request. */
async function sendAttached(
  reply: FastifyReply,
  { response, reader }: AttachedResponse,
  vary?: string,
): Promise<void> {
  try {
    const { status, headers } = await response.head
    // With "Connection: close", clients could mistake an aborted response for a complete one.
    reply.removeHeader('connection')
    const bytes = status === 200 ? { bytes: reader } : {}
    await sendResponse(reply, { status, headers: { ...headers, ...(vary && { vary }) }, ...bytes })
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
  const contentHeaders: ResponseHeaders = { 'content-type': MEDIA_TYPES[format] }
  if (encoding !== 'identity') contentHeaders['content-encoding'] = encoding
  const negotiated = { format, isExcelSafe, encoding, headers, contentHeaders }
  if (version === undefined) return { status: 200, ...negotiated }
  headers.etag = etag(version, isExcelSafe ? `${format}-${csv}` : format, encoding)
  const isCurrent = isConditional && matchesEtag(requestHeaders['if-none-match'], headers.etag)
  return { status: isCurrent ? 304 : 200, ...negotiated }
}

async function prepareResponse(
  reply: FastifyReply,
  response: ReadResponse,
  isConditional = true,
): Promise<PreparedResponse> {
  const negotiated = negotiate(reply, response, isConditional)
  const { status, format, isExcelSafe, encoding } = negotiated
  if (status === 304) return negotiated
  const headers = { ...negotiated.headers, ...negotiated.contentHeaders }
  const content = await response.content(format)
  const { link, size, expectedBytes = response.expectedBytes } = content
  // With Content-Length, clients detect an aborted response even through an HTTP/1.0 proxy.
  const length = encoding === 'identity' && size ? contentLength(format, size) : undefined
  if (length !== undefined) headers['content-length'] = String(length)
  if (link !== undefined) headers.link = link
  if (reply.request.method === 'HEAD') return { ...negotiated, headers }
  return { ...negotiated, headers, bytes: serializeContent(content, format, isExcelSafe), expectedBytes }
}

function varyHeader(reply: FastifyReply): string {
  const otherHeaders = reply.getHeader('vary')
  return `Accept, Accept-Encoding, Authorization${otherHeaders === undefined ? '' : `, ${otherHeaders}`}`
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
