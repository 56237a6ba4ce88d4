// A parse thread: turns pieces of uploads into encoded rows. threads.ts sends the pieces. They are parsed in order, with
// one reply each.
import { parentPort } from 'node:worker_threads'
import { Problem, type ProblemData } from '../errors.ts'
import type { RecordStart } from '../json/records.ts'
import { FRAME_BYTES } from '../store/buffer/row-buffer.ts'
import { RowEncoder } from '../store/buffer/row-codec.ts'
import { createParser, type ParseErrors, type RecordFormat, type RecordParser } from './record-parser.ts'

export interface ParseRequest {
  upload: number
  bytes: Uint8Array<ArrayBuffer>
  /** Set if a block of records begins: one parser reads it to its end. */
  block?: { format: RecordFormat; start: RecordStart }
  isEnd: boolean
}

/** The rest of the upload will not be sent. There is no reply. */
export interface CancelRequest {
  upload: number
  isCanceled: true
}

export interface ParsedPiece extends ParseErrors {
  frames: EncodedRows[]
}

export interface EncodedRows {
  /** Has a buffer of its own. */
  bytes: Uint8Array<ArrayBuffer>
  /** Where each row ends. */
  rowEnds: Uint32Array
}

export type ParseReply = ParsedPiece | { problem: ProblemData } | { failure: string }

/** By upload: the parser of its open block. */
const parsers = new Map<number, RecordParser<unknown>>()
const encoder = new RowEncoder(FRAME_BYTES)

function parse({ upload, bytes, block, isEnd }: ParseRequest): ParsedPiece {
  const parser = block ? createParser(block.format, block.start) : parsers.get(upload)
  if (!parser) throw new Error('The piece belongs to no block')
  parsers.set(upload, parser)
  const frames: EncodedRows[] = []
  let rowEnds: number[] = []
  const flush = () => {
    if (rowEnds.length > 0)
      frames.push({ bytes: new Uint8Array(encoder.bytes), rowEnds: Uint32Array.from(rowEnds) })
    encoder.clear()
    rowEnds = []
  }
  for (const rows of isEnd ? [parser.push(bytes), parser.end()] : [parser.push(bytes)])
    for (const row of rows) {
      if (row === undefined) continue
      parser.codec.encode(encoder, row)
      rowEnds.push(encoder.length)
      if (encoder.length >= FRAME_BYTES) flush()
    }
  flush()
  // Frees the memory now: the garbage collector of this thread does not count it.
  bytes.buffer.transfer(0)
  if (isEnd) parsers.delete(upload)
  return { frames, ...parser.takeErrors() }
}

function reply(request: ParseRequest): void {
  try {
    const parsed = parse(request)
    parentPort?.postMessage(
      parsed satisfies ParseReply,
      parsed.frames.map(({ bytes }) => bytes.buffer),
    )
  } catch (error) {
    encoder.clear()
    parsers.delete(request.upload)
    const message: ParseReply =
      error instanceof Problem ? { problem: error.toData() } : { failure: (error as Error).stack ?? '' }
    parentPort?.postMessage(message)
  }
}

parentPort?.on('message', (request: ParseRequest | CancelRequest) => {
  if ('isCanceled' in request) parsers.delete(request.upload)
  else reply(request)
})
