// Reads request bodies: checks the media type, decompresses, and enforces the size and time limits.
import type { Hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MIMEType } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { type Compression, DecompressionError, decompress, MAX_EXPANSION } from '../../import/decompress.ts'
import type { Settings } from '../../settings/settings.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if a digest of the body is needed: `readBody` adds every chunk. */
    bodyHash: Hash | undefined
  }
}

type Limits = Pick<Settings, 'max_body_bytes' | 'max_record_bytes' | 'stall_timeout' | 'request_timeout'>

const COMPRESSIONS: Record<string, Compression> = { gzip: 'gzip', 'x-gzip': 'gzip', zstd: 'zstd' }

const BODY_FAILED = 'assay-body-failed'
const bodyErrors = new WeakMap<Socket, Problem>()

/** Fails the current read and all later reads of this socket's request body with `problem`. */
export function failBody(socket: Socket, problem: Problem): void {
  bodyErrors.set(socket, problem)
  socket.emit(BODY_FAILED, problem)
}

const responsesToContinue = new WeakMap<IncomingMessage, ServerResponse>()

/** Sends "100 Continue" only when the body is read, so that a client does not send a body that is rejected anyway. */
export function deferContinue(request: IncomingMessage, response: ServerResponse): void {
  responsesToContinue.set(request, response)
  // Not in Node's types. Without this, Node closes the connection after a response without 100 Continue. A client that
  // sends its body without waiting would lose the response; Connections discards the body instead.
  Object.assign(response, { _expect_continue: false })
}

/** The media type without its parameters. Throws unsupported-media-type if it is not one of `types`. */
export function requireContentType<Type extends string>(
  request: FastifyRequest,
  types: readonly Type[],
): Type {
  const contentType = request.headers['content-type'] ?? ''
  const { essence, params } = parseMediaType(contentType)
  const matchingType = types.find((acceptedType) => acceptedType === essence)
  // The bytes of a body are never converted, so another charset would change the stored texts.
  const charset = params?.get('charset') ?? 'utf-8'
  if (matchingType && !/^utf-?8$/i.test(charset)) {
    const detail = `The charset '${charset}' is not supported. Send the body as UTF-8.`
    throw new Problem('unsupported-media-type', detail)
  }
  if (matchingType) return matchingType
  throw new Problem(
    'unsupported-media-type',
    `${contentType === '' ? 'The Content-Type header is missing' : `The Content-Type '${contentType}' is not supported`}. Send ${types.join(' or ')}.`,
    { accept: types.join(', ') },
  )
}

function parseMediaType(text: string): Partial<MIMEType> {
  try {
    return new MIMEType(text)
  } catch {
    return {}
  }
}

/**
 * The decompressed bytes of the body. Throws a Problem if it is invalid, before anything is read if its headers are, and an
 * error if the client disconnects.
 */
export function readBody(request: FastifyRequest, limits: Limits): AsyncGenerator<Buffer> {
  const { 'content-length': length, 'content-encoding': contentEncoding = 'identity' } = request.headers
  if (Number(length) > limits.max_body_bytes) throw bodyTooLargeProblem(limits.max_body_bytes)
  const encoding = contentEncoding.trim().toLowerCase()
  if (encoding === 'identity' || encoding === '')
    return hashAndLimit(request, limits, receiveChunks(request, limits))
  const compression = Object.hasOwn(COMPRESSIONS, encoding) ? COMPRESSIONS[encoding] : undefined
  if (!compression) {
    throw new Problem(
      'unsupported-media-type',
      `The content encoding '${encoding}' is not supported. Use gzip or zstd.`,
      {
        'accept-encoding': 'gzip, zstd',
      },
    )
  }
  return hashAndLimit(request, limits, decompressBody(compression, request, limits))
}

/** The complete body of a request with one record. */
export async function readWholeBody(request: FastifyRequest, limits: Limits): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of readBody(request, { ...limits, max_body_bytes: limits.max_record_bytes })) {
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The chunks as they arrive, until a timeout, a failure of the body or the abort signal. */
async function* receiveChunks(
  { raw }: FastifyRequest,
  limits: Limits,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let failure: unknown = bodyErrors.get(raw.socket)
  let rejectNext: (reason: unknown) => void = () => undefined
  function fail(reason: unknown): void {
    failure ??= reason
    rejectNext(failure)
  }
  raw.socket.once(BODY_FAILED, fail)
  signal?.addEventListener('abort', () => fail(signal.reason))
  const requestTimer = setTimeout(() => fail(bodyTimeoutProblem()), limits.request_timeout)
  // An upload that waits for its turn is not read. Its client is not stalled.
  let isReading = true
  const stallTimer = setTimeout(() => isReading && fail(bodyTimeoutProblem()), limits.stall_timeout)
  // An early end does not destroy the stream: the connection is needed for the response.
  const chunks: AsyncIterator<Buffer> = raw.iterator({ destroyOnReturn: false })
  responsesToContinue.get(raw)?.writeContinue()
  try {
    while (failure === undefined) {
      // A Promise.race against one promise for all chunks would keep every chunk in memory.
      const result = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        rejectNext = reject
        chunks.next().then(resolve, reject)
      })
      if (result.done) return
      isReading = false
      yield result.value
      isReading = true
      stallTimer.refresh()
    }
    throw failure
  } finally {
    raw.socket.off(BODY_FAILED, fail)
    // Releases the stream, so that Connections can drain the rest of a rejected body.
    void chunks.return?.()
    clearTimeout(requestTimer)
    clearTimeout(stallTimer)
  }
}

function bodyTimeoutProblem(): Problem {
  return new Problem('request-timeout', 'The body did not arrive in time. Send it again.')
}

function bodyTooLargeProblem(limit: number): Problem {
  return new Problem('content-too-large', `The body is larger than ${limit} bytes. Send a smaller one.`)
}

async function* hashAndLimit(
  { bodyHash }: FastifyRequest,
  { max_body_bytes }: Limits,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > max_body_bytes) throw bodyTooLargeProblem(max_body_bytes)
    bodyHash?.update(chunk)
    yield chunk
  }
}

/** Throws a Problem if the body is not valid or expands too much. */
async function* decompressBody(
  compression: Compression,
  request: FastifyRequest,
  limits: Limits,
): AsyncGenerator<Buffer> {
  const abort = new AbortController()
  try {
    yield* decompress(compression, receiveChunks(request, limits, abort.signal))
  } catch (error) {
    if (!(error instanceof DecompressionError)) throw error
    if (error.reason === 'expanded') {
      const detail = `The body expands to more than ${MAX_EXPANSION} times its compressed size.`
      throw new Problem('content-too-large', detail)
    }
    const detail = `The body is not valid ${compression}. Compress it again, or omit Content-Encoding.`
    throw new Problem('invalid-request', detail, {}, { cause: error.cause })
  } finally {
    abort.abort()
  }
}
