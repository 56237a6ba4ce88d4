// The answer to a read of a list: representation, coding, validator, page, then the bytes.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encode } from '../rendition/coding.ts'
import {
  type Format,
  lengthOf,
  MEDIA_TYPES,
  type Pieces,
  represent,
  type Table,
} from '../rendition/representation.ts'
import { etag, matches } from './etag.ts'
import { pickCoding, pickFormat } from './negotiate.ts'
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
  /** The Link field, while there is more. */
  link?: string | undefined
  /** How much it is, where that is known without reading it. */
  size?: { count: number; bytes: number } | undefined
  /** There whenever the format is csv. */
  table?: Table | undefined
}

type Fields = Record<string, string>

/** `format` of the query wins over the Accept field. */
export async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { formats, version, content }: Answer,
): Promise<FastifyReply> {
  const { format: asked } = request.query as { format?: Format }
  const format = asked ?? pickFormat(request.headers.accept, formats)
  const coding = pickCoding(request.headers['accept-encoding'])
  const fields: Fields = { 'cache-control': 'private, no-cache', vary: varyField(reply) }
  if (version !== undefined) {
    fields.etag = etag(version, format, coding)
    if (matches(request.headers['if-none-match'], fields.etag)) return reply.code(304).headers(fields).send()
  }
  const { pieces, link, size, table } = await content(format)
  fields['content-type'] = MEDIA_TYPES[format]
  if (coding !== 'identity') fields['content-encoding'] = coding
  else if (size !== undefined) setLength(fields, lengthOf(format, size))
  if (link !== undefined) fields.link = link
  if (request.method === 'HEAD') return reply.headers(fields).send()
  await sendBody(request, reply, fields, encode(coding, represent(format, pieces, table)))
  return reply
}

/** With it even a client behind a proxy that speaks HTTP/1.0 notices an answer that breaks off. */
function setLength(fields: Fields, length: number | undefined): void {
  if (length !== undefined) fields['content-length'] = String(length)
}

function varyField(reply: FastifyReply): string {
  const more = reply.getHeader('vary')
  return `Accept, Accept-Encoding, Authorization${more === undefined ? '' : `, ${more}`}`
}

async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  fields: Fields,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  // Past Fastify's own sending: a stream that fails there ends as if it were complete.
  function begin(): void {
    reply.hijack()
    // An answer that is not as long as it says fails, instead of spoiling the next one on the connection.
    reply.raw.strictContentLength = true
    reply.raw.writeHead(200, { ...(reply.getHeaders() as Fields), ...fields })
  }
  try {
    await send(reply.raw, begin, bytes)
  } catch (error) {
    if (!reply.sent) throw error
    if (!(error instanceof ClientGone)) request.log.error({ err: error }, 'an answer failed half way')
  }
}
