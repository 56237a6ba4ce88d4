// The body of a write: of a type that is taken, decompressed, and never more of it than the limits allow.
import type { Socket } from 'node:net'
import type { Transform } from 'node:stream'
import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { Settings } from '../settings.ts'

type Limits = Pick<
  Settings,
  'max_body_bytes' | 'max_expansion' | 'max_record_bytes' | 'stall_timeout' | 'request_timeout'
>

/** Below this a body may expand as it likes: small texts of one repeated line are no attack. */
const FREE_EXPANSION_BYTES = 8 * 1024 * 1024

type Decoder = Transform & { readonly bytesWritten: number }

const DECODERS: Record<string, () => Decoder> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  // A larger window than RFC 9659 allows for this coding would cost its size in memory.
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
}

const BODY_BROKEN = 'assay-body-broken'
const broken = new WeakMap<Socket, Problem>()

/** What comes behind the head of a request cannot be read: whoever reads it, or begins to, is told so. */
export function breakBody(socket: Socket, problem: Problem): void {
  broken.set(socket, problem)
  socket.emit(BODY_BROKEN, problem)
}

/** The type without its parameters; throws unsupported-media-type when it is none of `types`. */
export function bodyType<Type extends string>(request: FastifyRequest, types: readonly Type[]): Type {
  const given = request.headers['content-type'] ?? ''
  const type = given.split(';')[0]?.trim().toLowerCase()
  const known = types.find((one) => one === type)
  if (known) return known
  throw new Problem(
    'unsupported-media-type',
    `Send ${types.join(' or ')} and say so in Content-Type${given === '' ? '' : `, not '${given}'`}.`,
    { accept: types.join(', ') },
  )
}

/** The bytes of the body. Throws what is wrong with it as a problem; a client that is gone ends it with an error. */
export async function* readBody(request: FastifyRequest, limits: Limits): AsyncGenerator<Buffer> {
  // What says that it will be too large need not be waited for.
  if (Number(request.headers['content-length']) > limits.max_body_bytes) throw tooLarge(limits.max_body_bytes)
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '') {
    return yield* atMost(limits.max_body_bytes, arriving(request, limits))
  }
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding]?.() : undefined
  if (!decoder) {
    throw new Problem('unsupported-media-type', `The coding '${coding}' is not taken, but gzip and zstd.`, {
      'accept-encoding': 'gzip, zstd',
    })
  }
  const givenUp = new AbortController()
  try {
    const arrived = arriving(request, limits, givenUp.signal)
    yield* atMost(limits.max_body_bytes, decoded(decoder, coding, arrived, limits.max_expansion))
  } finally {
    givenUp.abort()
  }
}

/** The whole of a small body, which is one record. */
export async function readWholeBody(request: FastifyRequest, limits: Limits): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of readBody(request, { ...limits, max_body_bytes: limits.max_record_bytes })) {
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** As they come, as long as they come in time and nobody gives them up. */
async function* arriving(
  { raw }: FastifyRequest,
  limits: Limits,
  givenUp?: AbortSignal,
): AsyncGenerator<Buffer> {
  let failure: unknown = broken.get(raw.socket)
  let refuse: (reason: unknown) => void = () => undefined
  function fail(reason: unknown): void {
    failure ??= reason
    refuse(failure)
  }
  raw.socket.once(BODY_BROKEN, fail)
  givenUp?.addEventListener('abort', () => fail(givenUp.reason))
  const timers = [limits.request_timeout, limits.stall_timeout].map((ms) =>
    setTimeout(() => fail(tooSlow()), ms),
  )
  // Not destroyed when it ends early: the connection is needed for the answer.
  const chunks: AsyncIterator<Buffer> = raw.iterator({ destroyOnReturn: false })
  try {
    while (failure === undefined) {
      // Not a race against one promise for all chunks, which would remember each of them to the end.
      const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        refuse = reject
        chunks.next().then(resolve, reject)
      })
      if (next.done) return
      timers[1]?.refresh()
      yield next.value
    }
    throw failure
  } finally {
    raw.socket.off(BODY_BROKEN, fail)
    // Lets go of the stream, so that the rest of a refused body can be taken by somebody else.
    void chunks.return?.()
    for (const timer of timers) clearTimeout(timer)
  }
}

function tooSlow(): Problem {
  return new Problem('request-timeout', 'The body did not arrive in time. Send it again.')
}

function tooLarge(limit: number): Problem {
  return new Problem('content-too-large', `The body is larger than ${limit} bytes.`)
}

async function* atMost(limit: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > limit) throw tooLarge(limit)
    yield chunk
  }
}

async function* decoded(
  decoder: Decoder,
  coding: string,
  chunks: AsyncIterable<Buffer>,
  maxExpansion: number,
): AsyncGenerator<Buffer> {
  let received = 0
  let failure: unknown
  async function feed(): Promise<void> {
    for await (const chunk of chunks) {
      received += chunk.length
      // A decoder that fails calls nobody back.
      await new Promise<void>((resolve) => {
        decoder.once('close', resolve)
        decoder.write(chunk, () => {
          decoder.off('close', resolve)
          resolve()
        })
      })
      if (decoder.destroyed) return
    }
    decoder.end()
  }
  feed().catch((error) => {
    failure = error
    decoder.destroy(error)
  })
  let expanded = 0
  try {
    for await (const chunk of decoder) {
      expanded += chunk.length
      if (expanded > FREE_EXPANSION_BYTES && expanded > received * maxExpansion) {
        throw new Problem('content-too-large', `The body expands more than ${maxExpansion}-fold.`)
      }
      yield chunk as Buffer
    }
    // A decoder stops at what it does not know, and says nothing.
    if (decoder.bytesWritten !== received) throw new Error('Something follows the compressed content')
  } catch (error) {
    if (failure instanceof Problem) throw failure
    if (error instanceof Problem) throw error
    throw new Problem(
      'invalid-request',
      `The body is not what its coding says: ${coding}.`,
      {},
      { cause: error },
    )
  }
}
