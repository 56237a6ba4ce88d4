// The main-thread side of the thread that decodes Parquet row groups: sends requests, and ends a thread that takes too long.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { UnreadableFile } from '../importer.ts'
import type { DecodeReply, DecodeRequest, DecoderMessage } from './worker.ts'

type DecodedRows = Extract<DecodeReply, { isLast: boolean }>

/** A .ts file in the checkout, and a .js file in the package. */
const WORKER_SCRIPT = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url)
/** A thread decodes more than 20 MB per second. */
const BASE_MILLISECONDS = 10_000
const BYTES_PER_MILLISECOND = 1000
const MAX_HEAP_MB = 1024

export class Decoder {
  #worker: Worker | undefined

  /** The rows of a row group, in lists. Throws UnreadableFile. */
  async *decode(request: DecodeRequest): AsyncGenerator<string[]> {
    const parts = request.parts.map(({ bytes }) => bytes)
    let reply = await this.#send(request, request.uncompressedBytes, parts)
    while (!reply.isLast) {
      yield reply.rows
      reply = await this.#send('next', request.uncompressedBytes)
    }
  }

  async #send(message: DecoderMessage, bytes: number, transferred: ArrayBuffer[] = []): Promise<DecodedRows> {
    this.#worker ??= new Worker(WORKER_SCRIPT, {
      name: 'parquet',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const worker = this.#worker
    const reply = Promise.withResolvers<DecodeReply>()
    const fail = (error: string) => reply.resolve({ error })
    const onError = (error: unknown) => fail((error as Error).message)
    const onExit = () => fail('its thread ended')
    worker.once('message', reply.resolve).once('error', onError).once('exit', onExit)
    const timer = setTimeout(
      () => fail('decoding it takes too long'),
      BASE_MILLISECONDS + bytes / BYTES_PER_MILLISECOND,
    )
    worker.postMessage(message, transferred)
    const result = await reply.promise
    clearTimeout(timer)
    worker.off('message', reply.resolve).off('error', onError).off('exit', onExit)
    if ('rows' in result) return result
    await this.close()
    throw new UnreadableFile(`The Parquet file cannot be read: ${result.error}.`)
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    // A thread that is terminated can still report an error.
    worker?.on('error', () => undefined)
    await worker?.terminate()
  }
}
