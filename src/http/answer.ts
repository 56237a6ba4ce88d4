// The answer to a read of a list: representation, coding, validator, page, then the bytes.
import { setImmediate as nextTurn } from 'node:timers/promises'
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
import type { RenditionFiles } from './rendition-files.ts'
import type { Renditions } from './renditions.ts'
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
  /** Where whole answers are kept. Without it this one is not. */
  kept?: Kept | undefined
  /** Finds out what to answer. May be asked several times, over different snapshots. */
  look(snapshot: Connection): Promise<Answer>
}

export interface Kept {
  /** Those of ordinary size. */
  renditions: Renditions
  /** Larger ones. */
  files: RenditionFiles
  /** Which of the answers of a version it is. */
  as: string
}

type Bytes = AsyncIterable<Uint8Array>
type Fields = Record<string, string>

interface Negotiated {
  format: Format
  coding: Coding
  fields: Fields
  /** Whether the client has it already. */
  isUnchanged: boolean
}

interface Response {
  status: 200 | 304
  fields: Fields
  /** Of the bytes, where there are any. */
  coding: Coding
  bytes?: Bytes
  /** How many bytes they are about, where that is known. */
  expected?: number | undefined
}

/** So much is read before anything is sent, and a client that takes its time holds nothing of the store. */
const SHORT_BYTES = 512 * 1024
/** The same where it is kept for the next. */
const ORDINARY_BYTES = 4 * 1024 * 1024

export async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  source: Source,
): Promise<FastifyReply> {
  const { reader, look, isQuery = false, kept } = source
  if (isQuery) {
    await query(request, reply, source)
    return reply
  }
  if (await answerKept(request, reply, source)) return reply
  const short = await reader.snapshot('short', async (snapshot) =>
    gathered(await decide(request, reply, await look(snapshot)), kept),
  )
  if (!short) await stream(request, reply, source)
  else if (kept && short.bytes) await respondWhole(reply, short.fields, short.bytes, kept)
  else await respond(request, reply, short)
  return reply
}

/** With what was sent before, or with 304: nothing is looked up but the version. False where there is more to do. */
async function answerKept(
  request: FastifyRequest,
  reply: FastifyReply,
  { look, kept }: Source,
): Promise<boolean> {
  if (!kept || request.method === 'HEAD') return false
  const { coding, fields, isUnchanged } = negotiate(request, reply, await look(request.moment))
  if (isUnchanged) {
    await respond(request, reply, { status: 304, fields, coding })
    return true
  }
  const name = renditionName(kept, fields)
  const bytes = kept.renditions.lend(name, reply.raw)
  if (bytes) {
    reply.headers(fields).send(bytes)
    return true
  }
  const file = await kept.files.find(name)
  if (file) {
    setLength(fields, file.length)
    await respond(request, reply, { status: 200, fields, coding, bytes: file.bytes })
  }
  return file !== undefined
}

/** A validator is of one version, representation and coding. */
function renditionName({ as }: Kept, { etag }: Fields): string {
  return `${etag} ${as}`
}

async function respondWhole(reply: FastifyReply, fields: Fields, bytes: Bytes, kept: Kept): Promise<void> {
  const whole = Buffer.concat(await Array.fromAsync(bytes))
  const said = fields['content-length'] ?? whole.length
  if (Number(said) !== whole.length) throw new Error(`An answer of ${whole.length} bytes was to have ${said}`)
  kept.renditions.keep(renditionName(kept, fields), whole)
  reply.headers(fields).send(whole)
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
  { reader, relays, look, isQuery, kept }: Source,
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
    if (!bytes) return
    const { coding, fields } = response
    const encoded = encode(coding, bytes)
    await relay.fill(kept ? keeping(kept, coding, fields, encoded) : encoded)
  })
  await responding
}

function keeping(kept: Kept, coding: Coding, fields: Fields, bytes: Bytes): Bytes {
  const name = renditionName(kept, fields)
  const length = Number(fields['content-length'] ?? 0)
  const isWorthIt = coding !== 'identity' || kept.files.isWorthKeeping(name, length)
  return isWorthIt ? kept.files.keep(name, bytes) : bytes
}

/** `format` of the query wins over the Accept field. */
function negotiate(
  request: FastifyRequest,
  reply: FastifyReply,
  { formats, version }: Pick<Answer, 'formats' | 'version'>,
): Negotiated {
  const { format: asked } = request.query as { format?: Format }
  const format = asked ?? pickFormat(request.headers.accept, formats)
  const coding = pickCoding(request.headers['accept-encoding'])
  const fields: Fields = { 'cache-control': 'private, no-cache', vary: varyField(reply) }
  if (version !== undefined) {
    fields.etag = etag(version, format, coding)
    if (matches(request.headers['if-none-match'], fields.etag))
      return { format, coding, fields, isUnchanged: true }
  }
  fields['content-type'] = MEDIA_TYPES[format]
  if (coding !== 'identity') fields['content-encoding'] = coding
  return { format, coding, fields, isUnchanged: false }
}

async function decide(request: FastifyRequest, reply: FastifyReply, found: Answer): Promise<Response> {
  const { format, coding, fields, isUnchanged } = negotiate(request, reply, found)
  if (isUnchanged) return { status: 304, fields, coding }
  const { pieces, isDocument, link, size, table } = await found.content(format)
  if (coding === 'identity' && size !== undefined) setLength(fields, lengthOf(format, size))
  if (link !== undefined) fields.link = link
  if (request.method === 'HEAD') return { status: 200, fields, coding }
  const bytes = isDocument ? pieces(',') : represent(format, pieces, table)
  return { status: 200, fields, coding, bytes, expected: size?.bytes }
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
async function gathered(response: Response, kept: Kept | undefined): Promise<Response | undefined> {
  if (!response.bytes) return response
  const most = kept?.renditions.hasRoomFor(response.expected ?? 0) ? ORDINARY_BYTES : SHORT_BYTES
  if ((response.expected ?? 0) > most) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) return undefined
    // Lets other requests in between two pieces.
    if (length > SHORT_BYTES) await nextTurn()
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
    if (!(error instanceof ClientGone))
      request.log.error({ request_id: request.id, err: error }, 'an answer failed half way')
  }
}
