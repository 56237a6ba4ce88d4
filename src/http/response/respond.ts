// Responds to reads over HTTP: negotiates format and encoding, sets ETag, Link and Content-Length, sends the bytes.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { Problem } from '../../errors.ts'
import { ENCODINGS, type Encoding, encode } from '../../serialize/encoding.ts'
import {
  type CsvTable,
  contentLength,
  type ElementChunks,
  excelSafeTable,
  type Format,
  MEDIA_TYPES,
  serialize,
} from '../../serialize/format.ts'
import type { Connection } from '../../store/store.ts'
import { endDisconnected, runQuery } from './abort-on-disconnect.ts'
import { etag, matchesEtag } from './etag.ts'
import { negotiateEncoding, negotiateFormat } from './negotiate.ts'
import type { QueryQueue } from './query-queue.ts'
import {
  type AttachedResponse,
  type ResponseStore,
  responseName,
  type StartedResponse,
} from './response-store.ts'
import { ClientDisconnected, sendBytes } from './send.ts'
import type { ResponseHead } from './stored-response.ts'

/** What a route passes on. */
export interface ReadSource {
  /** Whether preparing the response can be slow. It then runs once, when it is its turn among the queries. */
  isQuery?: boolean
  /** Whether `prepare` reads only the version, so that a 304 needs no snapshot. */
  isPolled?: boolean
  /** Distinguishes different contents of the same version. Without it, the response is neither shared nor cached. */
  contentKey?: string | undefined
  /** Whether the content is one text. It is read completely before the response starts. */
  isText?: boolean
  /** Prepares the response. Can be called several times, with different snapshots. */
  prepare(snapshot: Connection): Promise<ReadResponse>
}

interface ReadResponse {
  /** The available formats, the preferred one first. */
  formats: readonly Format[]
  /** Changes whenever the content changes. Without a version, the response has no ETag. */
  version?: string | undefined
  /** Approximate number of bytes to read, if known without the content. */
  expectedBytes?: number | undefined
  /** Called only if the client needs the content (not for 304). */
  content(format: Format): Promise<Content>
}

interface Content {
  /** Not called for HEAD. */
  chunks: ElementChunks
  /** Whether the chunks form one JSON document, instead of the elements of a list. */
  isDocument?: boolean
  /** The Link header, if there is a next page. */
  link?: string | undefined
  /** Number and total size of the elements, if known without reading them. */
  size?: { count: number; bytes: number } | undefined
  /** Approximate number of bytes to read, if it can be large. */
  expectedBytes?: number | undefined
  /** Set if the format is csv. */
  table?: CsvTable | undefined
}

/** What every response to a read uses. */
export interface ResponseContext {
  /** `respondToRead`, or for a command in the same process a function that needs no connection. */
  respond: typeof respondToRead
  /** Complete responses, produced once for all equal requests. */
  responses: ResponseStore
  /** Limits how many queries run at the same time. */
  queryQueue: QueryQueue
}

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
  bytes?: AsyncIterable<Uint8Array>
  /** Approximate number of bytes, if known. */
  expectedBytes?: number | undefined
}

/** A response whose bytes were read. They are not compressed yet. */
interface ReadCompletely extends NegotiatedResponse {
  chunks?: Uint8Array[]
}

/** Responses up to this size are read completely before they are sent, so that slow clients hold no snapshot. */
const MAX_SHORT_BYTES = 512 * 1024
/** The same limit for responses that are cached in memory. */
const MAX_CACHED_BYTES = 4 * 1024 * 1024

export async function respondToRead(
  reply: FastifyReply,
  context: ResponseContext,
  source: ReadSource,
): Promise<FastifyReply> {
  const { isQuery = false, isPolled = false, isText = false, contentKey, prepare } = source
  const { method, headers, latestReader } = reply.request
  try {
    if (isQuery && !isText) await sendQuery(reply, context, source)
    else if (contentKey !== undefined && method !== 'HEAD')
      await sendShared(reply, context, source, contentKey)
    else {
      const isConditional = isPolled && !isQuery && headers['if-none-match'] !== undefined
      const response = isConditional ? negotiate(reply, await prepare(latestReader)) : undefined
      if (response?.status === 304) sendHead(reply, response)
      else await sendOwn(reply, context, source)
    }
  } catch (error) {
    endDisconnected(reply, error)
  }
  return reply
}

/** Sends a response that is produced once for all equal requests. For a 304, only the version is read. */
async function sendShared(
  reply: FastifyReply,
  context: ResponseContext,
  source: ReadSource,
  contentKey: string,
): Promise<void> {
  const { responses } = context
  const { latestReader } = reply.request
  const version = await source.prepare(latestReader)
  const response = negotiate(reply, version)
  const { status, headers, contentHeaders } = response
  const { etag = '', vary } = headers
  const name = responseName(etag, contentKey)
  reply.server.direct?.remember(reply.request, { name, etag, headers, contentHeaders })
  if (status === 304) return sendHead(reply, response)
  const available = await responses.get(name, reply.raw, async () => {
    const maxBytes = responses.hasMemory(version.expectedBytes ?? 0) ? MAX_CACHED_BYTES : MAX_SHORT_BYTES
    if ((version.expectedBytes ?? 0) <= maxBytes) {
      const short = await latestReader.snapshot('short', async (snapshot) =>
        readCompletely(await prepareResponse(reply, await source.prepare(snapshot), false), maxBytes),
      )
      if (short?.chunks) {
        const bytes = await encodeCompletely(short, short.chunks)
        return { name: responseName(short.headers.etag, contentKey), headers: short.headers, bytes }
      }
    }
    return startResponse(reply, context, source, name)
  })
  if ('reader' in available) await sendAttached(reply, available, vary)
  else reply.headers({ ...available.headers, vary }).send(available.bytes)
}

/** Sends a response that is produced for this request only. */
async function sendOwn(reply: FastifyReply, context: ResponseContext, source: ReadSource): Promise<void> {
  const { isQuery, isText } = source
  // A text is in memory anyway.
  const maxBytes = isText ? Number.POSITIVE_INFINITY : MAX_SHORT_BYTES
  const read = async (snapshot: Connection) =>
    readCompletely(await prepareResponse(reply, await source.prepare(snapshot)), maxBytes)
  const response = await (isQuery
    ? runQuery(reply, context.queryQueue, read)
    : reply.request.latestReader.snapshot('short', read))
  if (!response) return sendAttached(reply, startResponse(reply, context, source))
  const { headers, chunks } = response
  if (!chunks) return sendHead(reply, response)
  const bytes = await encodeCompletely(response, chunks)
  if (bytes.length <= MAX_SHORT_BYTES) {
    reply.headers(headers).send(bytes)
    return
  }
  const started = context.responses.start(undefined, async (stored) => {
    stored.start({ status: 200, headers })
    await stored.write([bytes])
    return undefined
  })
  await sendAttached(reply, started)
}

async function sendQuery(reply: FastifyReply, context: ResponseContext, source: ReadSource): Promise<void> {
  const started = startResponse(reply, context, source, undefined, (work) =>
    runQuery(reply, context.queryQueue, work),
  )
  await sendAttached(reply, started)
}

/** Reads all bytes of a response into memory. Undefined if they are too many. */
async function readCompletely(
  { bytes, expectedBytes = 0, ...response }: PreparedResponse,
  maxBytes: number,
): Promise<ReadCompletely | undefined> {
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
  return { ...response, chunks }
}

/** Throws if the number of bytes differs from the Content-Length that was computed without reading them. */
async function encodeCompletely(
  { encoding, headers }: NegotiatedResponse,
  chunks: Uint8Array[],
): Promise<Uint8Array> {
  const bytes = Buffer.concat(await Array.fromAsync(encode(encoding, chunks)))
  const declaredLength = headers['content-length'] ?? bytes.length
  if (Number(declaredLength) !== bytes.length)
    throw new Error(`The response has ${bytes.length} bytes, but its Content-Length is ${declaredLength}`)
  return bytes
}

type RunInSnapshot = (
  work: (snapshot: Connection) => Promise<string | undefined>,
) => Promise<string | undefined>

/** Starts to read a response. It is sent while it is read. */
function startResponse(
  reply: FastifyReply,
  { responses }: ResponseContext,
  { contentKey, prepare }: ReadSource,
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
    const allHeaders = { ...headers, ...(vary && { vary }) }
    // With "Connection: close", clients could mistake an aborted response for a complete one.
    reply.removeHeader('connection')
    if (status === 304 || reply.request.method === 'HEAD') sendHead(reply, { status, headers: allHeaders })
    else await sendStream(reply, allHeaders, reader)
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
  const encoding = negotiateEncoding(requestHeaders['accept-encoding'], ENCODINGS)
  const otherHeaders = reply.getHeader('vary')
  const vary = `Accept, Accept-Encoding, Authorization${otherHeaders === undefined ? '' : `, ${otherHeaders}`}`
  const headers: ResponseHeaders = { 'cache-control': 'private, no-cache', vary }
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
  const { chunks, isDocument, table, link, size, expectedBytes = response.expectedBytes } = content
  // With Content-Length, clients detect an aborted response even through an HTTP/1.0 proxy.
  const length = encoding === 'identity' && size ? contentLength(format, size) : undefined
  if (length !== undefined) headers['content-length'] = String(length)
  if (link !== undefined) headers.link = link
  if (reply.request.method === 'HEAD') return { ...negotiated, headers }
  const csvTable = table && isExcelSafe ? excelSafeTable(table) : table
  const bytes = isDocument ? chunks(',') : serialize(format, chunks, csvTable)
  return { ...negotiated, headers, bytes, expectedBytes }
}

function sendHead(reply: FastifyReply, { status, headers }: ResponseHead): void {
  reply.code(status).headers(headers).send()
}

async function sendStream(
  reply: FastifyReply,
  headers: ResponseHeaders,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  // Does not use Fastify's stream support, which ends a failed stream as if it were complete.
  function start(): void {
    reply.hijack()
    // A wrong Content-Length fails here, instead of corrupting the next response on the connection.
    reply.raw.strictContentLength = true
    reply.raw.writeHead(200, { ...(reply.getHeaders() as ResponseHeaders), ...headers })
  }
  try {
    await sendBytes(reply.raw, start, bytes)
  } catch (error) {
    if (!reply.sent) throw error
    if (!(error instanceof ClientDisconnected))
      reply.log.error({ request_id: reply.request.id, err: error }, 'response failed after it had started')
  }
}
