// The answer to a read of a list: representation, coding, validator, page, then the bytes.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, encode } from '../rendition/coding.ts'
import {
  type Format,
  lengthOf,
  MEDIA_TYPES,
  type Pieces,
  represent,
  type Table,
} from '../rendition/representation.ts'
import type { Connection, Reader } from '../store/store.ts'
import { unlessGone } from './abandoned.ts'
import { etag, matches } from './etag.ts'
import { pickCoding, pickFormat } from './negotiate.ts'
import { Relay, type Relays } from './relay.ts'
import { ClientGone, send } from './send.ts'

export interface Answer {
  /** What it can be represented as, best first. */
  formats: readonly Format[]
  /** Changes whenever the answer does; without it the answer carries no validator. */
  version?: string
  /** Called once the client is known to need the content. */
  content(format: Format): Promise<Content>
}

export interface Content {
  /** Not called for HEAD. */
  pieces: Pieces
  /** Whether the pieces are one JSON document as they are, instead of the elements of a list. */
  isDocument?: boolean
  /** The Link field, while there is more. */
  link?: string | undefined
  /** How much it is, where that is known without reading it. */
  size?: { count: number; bytes: number } | undefined
  /** There whenever the format is csv. */
  table?: Table | undefined
}

export interface Source {
  reader: Reader
  relays: Relays
  /** Whether it takes long to find out what to answer: then it is looked for once, beside everything else. */
  isQuery?: boolean
  /** Finds out what to answer. May be asked twice, over two snapshots. */
  look(snapshot: Connection): Promise<Answer>
}

type Bytes = AsyncIterable<Uint8Array>
type Fields = Record<string, string>

interface Response {
  status: 200 | 304
  fields: Fields
  /** Of the bytes, where there are any. */
  coding: Coding
  bytes?: Bytes
  /** Whether it is known to be too much to be read before it is sent. */
  isLong?: boolean
}

/** So much is read before anything is sent, and a client that takes its time holds nothing of the store. */
const SHORT_BYTES = 512 * 1024

export async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  source: Source,
): Promise<FastifyReply> {
  const { reader, look, isQuery = false } = source
  if (isQuery) {
    await query(request, reply, source)
    return reply
  }
  const short = await reader.snapshot('short', async (snapshot) =>
    gathered(await decide(request, reply, await look(snapshot))),
  )
  if (short) await respond(request, reply, short)
  else await stream(request, reply, source)
  return reply
}

/** Queries wait for each other, and take their time: what nobody waits for any more is given up. */
async function query(request: FastifyRequest, reply: FastifyReply, source: Source): Promise<void> {
  const look = (snapshot: Connection) => source.look(unlessGone(snapshot, reply.raw))
  try {
    await stream(request, reply, { ...source, look })
  } catch (error) {
    if (!(error instanceof ClientGone) || reply.sent) throw error
    reply.hijack()
    reply.raw.req.socket.destroy()
  }
}

/** A longer answer is sent while it is read. */
async function stream(
  request: FastifyRequest,
  reply: FastifyReply,
  { reader, relays, look, isQuery }: Source,
): Promise<void> {
  let responding: Promise<void> | undefined
  await reader.snapshot(isQuery ? 'query' : 'long', async (snapshot) => {
    const { bytes, ...response } = await decide(request, reply, await look(snapshot))
    const relay = new Relay(relays)
    // Where an answer may break off, only its own end may end the connection.
    reply.removeHeader('connection')
    responding = respond(request, reply, bytes ? { ...response, bytes: relay } : response)
    // Its failure is for who waits for it below.
    responding.catch(() => undefined)
    if (bytes) await relay.fill(encode(response.coding, bytes))
  })
  await responding
}

/** `format` of the query wins over the Accept field. */
async function decide(
  request: FastifyRequest,
  reply: FastifyReply,
  { formats, version, content }: Answer,
): Promise<Response> {
  const { format: asked } = request.query as { format?: Format }
  const format = asked ?? pickFormat(request.headers.accept, formats)
  const coding = pickCoding(request.headers['accept-encoding'])
  const fields: Fields = { 'cache-control': 'private, no-cache', vary: varyField(reply) }
  if (version !== undefined) {
    fields.etag = etag(version, format, coding)
    if (matches(request.headers['if-none-match'], fields.etag)) return { status: 304, fields, coding }
  }
  const { pieces, isDocument, link, size, table } = await content(format)
  fields['content-type'] = MEDIA_TYPES[format]
  if (coding !== 'identity') fields['content-encoding'] = coding
  else if (size !== undefined) setLength(fields, lengthOf(format, size))
  if (link !== undefined) fields.link = link
  if (request.method === 'HEAD') return { status: 200, fields, coding }
  const bytes = isDocument ? pieces(',') : represent(format, pieces, table)
  return { status: 200, fields, coding, bytes, isLong: (size?.bytes ?? 0) > SHORT_BYTES }
}

/** With it even a client behind a proxy that speaks HTTP/1.0 notices an answer that breaks off. */
function setLength(fields: Fields, length: number | undefined): void {
  if (length !== undefined) fields['content-length'] = String(length)
}

function varyField(reply: FastifyReply): string {
  const more = reply.getHeader('vary')
  return `Accept, Accept-Encoding, Authorization${more === undefined ? '' : `, ${more}`}`
}

/** The same with everything read that it sends; undefined where that is too much. */
async function gathered(response: Response): Promise<Response | undefined> {
  if (!response.bytes) return response
  if (response.isLong) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length > SHORT_BYTES) return undefined
  }
  return { ...response, bytes: encode(response.coding, each(chunks)) }
}

async function* each(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, fields, bytes }: Response,
): Promise<void> {
  if (!bytes) {
    reply.code(status).headers(fields).send()
    return
  }
  // Past Fastify's own sending: a stream that fails there ends as if it were complete.
  function begin(): void {
    reply.hijack()
    // An answer that is not as long as it says fails, instead of spoiling the next one on the connection.
    reply.raw.strictContentLength = true
    reply.raw.writeHead(status, { ...(reply.getHeaders() as Fields), ...fields })
  }
  try {
    await send(reply.raw, begin, bytes)
  } catch (error) {
    if (!reply.sent) throw error
    if (!(error instanceof ClientGone)) request.log.error({ err: error }, 'an answer failed half way')
  }
}
