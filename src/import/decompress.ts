// Decompresses gzip, zstd and the entries of ZIP archives as a stream, with limits. For imported files and request bodies.
import { pipeline, type Transform } from 'node:stream'
import { constants, createGunzip, createInflateRaw, createZstdDecompress } from 'node:zlib'

export type Compression = 'gzip' | 'zstd' | 'deflate-raw'

/** The expansion limit does not apply below this size: a small text that repeats itself is not an attack. */
export const EXPANSION_CHECK_BYTES = 8 * 1024 * 1024
/** The maximum ratio of decompressed to compressed size. Results of evaluations compress by less than 50. */
export const MAX_EXPANSION = 200

/** RFC 9659 limits the window to 8 MiB. The decoder would allocate a larger window in memory. */
export const ZSTD_OPTIONS = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

const DECODERS: Record<Compression, () => Transform & { readonly bytesWritten: number }> = {
  gzip: createGunzip,
  zstd: () => createZstdDecompress(ZSTD_OPTIONS),
  'deflate-raw': () => createInflateRaw(),
}

/** `expanded`: the data exceeds the expansion limit. `window`: it needs too much memory. */
export class DecompressionError extends Error {
  override name = 'DecompressionError'
  readonly reason: 'expanded' | 'window' | 'damaged'

  constructor(reason: DecompressionError['reason'], options?: ErrorOptions) {
    super(`The compressed data cannot be read: ${reason}`, options)
    this.reason = reason
  }
}

/**
 * Several gzip members or zstd frames can follow each other. `chunks` must stay valid. Errors of `chunks` are thrown as they
 * are. Throws DecompressionError.
 */
export async function* decompress(
  compression: Compression,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const decoder = DECODERS[compression]()
  let [receivedBytes, expandedBytes] = [0, 0]
  let inputError: unknown
  async function* countBytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunks) {
        receivedBytes += chunk.length
        yield chunk
      }
    } catch (error) {
      inputError = error
      throw error
    }
  }
  // An error destroys the decoder and is thrown by the loop below.
  pipeline(countBytes(), decoder, () => undefined)
  try {
    for await (const chunk of decoder) {
      expandedBytes += chunk.length
      if (expandedBytes > EXPANSION_CHECK_BYTES && expandedBytes > receivedBytes * MAX_EXPANSION)
        throw new DecompressionError('expanded')
      yield chunk as Buffer
    }
    // A decoder silently ignores bytes after the end of the compressed data.
    if (decoder.bytesWritten !== receivedBytes) throw new Error('Extra bytes follow the compressed data')
  } catch (error) {
    if (inputError !== undefined) throw inputError
    if (error instanceof DecompressionError) throw error
    const isWindow = (error as NodeJS.ErrnoException).code === 'ZSTD_error_frameParameter_windowTooLarge'
    throw new DecompressionError(isWindow ? 'window' : 'damaged', { cause: error })
  }
}
