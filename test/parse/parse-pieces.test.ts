// Tests that parse threads return the same rows and the same errors as one parser for the whole body.
import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { Problem } from '../../src/errors.ts'
import type { Shape } from '../../src/json/records.ts'
import { parsePieces } from '../../src/parse/parse-pieces.ts'
import { PIECE_BYTES } from '../../src/parse/pieces.ts'
import { type UploadFormat, UploadParser } from '../../src/parse/record-parser.ts'
import { ParseThreads } from '../../src/parse/threads.ts'
import { ContentErrors } from '../../src/schema/validation/content-errors.ts'
import { RowEncoder } from '../../src/store/buffer/row-codec.ts'
import { fullOnly } from '../support/options.ts'

const threads = new ParseThreads()
after(() => threads.terminate())

const LIMITS = { depth: 20, members: 100, record_bytes: 3_000_000 }

function formatOf(shape: Shape, records: 'scenarios' | 'results' = 'scenarios'): UploadFormat {
  return records === 'results'
    ? { records, shape, limits: LIMITS }
    : { records, shape, limits: LIMITS, evaluation_id: 'e' }
}

interface Outcome {
  /** All rows, encoded. */
  rows?: string
  problem?: unknown
}

/** Parses the whole body at once. */
function parseAtOnce(body: string, format: UploadFormat): Outcome {
  const encoder = new RowEncoder(body.length)
  const parser = new UploadParser(format)
  try {
    for (const rows of [parser.push(Buffer.from(body)), parser.end()])
      for (const row of rows) if (row !== undefined) parser.codec.encode(encoder, row)
    if (parser.errors.count > 0) throw parser.errors.toProblem()
    return { rows: encoder.bytes.toString('latin1') }
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return { problem: error.toData() }
  }
}

async function parseOnThreads(body: string, format: UploadFormat, chunkBytes = 65_536): Promise<Outcome> {
  const bytes = Buffer.from(body)
  const frames: Buffer[] = []
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let offset = 0; offset < bytes.length; offset += chunkBytes)
      yield Buffer.from(bytes.subarray(offset, offset + chunkBytes))
  }
  let openTurns = 0
  const options = {
    threads,
    beginTurn: async () => {
      openTurns += 1
    },
    endTurn: () => {
      openTurns -= 1
    },
  }
  const errors = new ContentErrors()
  try {
    for await (const piece of parsePieces(chunks(), format, options)) {
      errors.addListed(piece.errors)
      frames.push(...piece.frames.map((frame) => Buffer.from(frame.bytes)))
    }
    if (errors.count > 0) throw errors.toProblem()
    assert.equal(openTurns, 0)
    return { rows: Buffer.concat(frames).toString('latin1') }
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return { problem: error.toData() }
  }
}

function scenario(index: number, more = ''): string {
  return `{"id":"s${index}","inputs":[{"name":"q","type":"text","value":"${'ä'.repeat((index * 11) % 5000)}"}]${more}}`
}

/** About 1 MB of scenarios, some of which are replaced. */
function body(shape: Shape, replaced: Record<number, string> = {}): string {
  const records = Array.from({ length: 300 }, (_, index) => replaced[index] ?? scenario(index))
  return shape === 'lines' ? records.join('\n') : `[${records.join(',\n')}]`
}

const LARGE = scenario(150, `,"extra":{"trace":"${'x'.repeat(4 * PIECE_BYTES)}"}`)

const BODIES: Record<string, Record<number, string>> = {
  'valid records': {},
  'a record that is larger than a piece': { 150: LARGE },
  'an invalid record': { 250: '{"id":5}' },
  'many invalid records': Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [index * 2, scenario(index, ',"inputs":1')]),
  ),
  'a syntax error': { 220: '{"id":}' },
  'invalid records before a syntax error': { 3: '{"id":5}', 220: '{"id":"\u0001"}' },
  'a syntax error before an invalid record': { 3: '{', 220: '{"id":5}' },
  'a scenario of another evaluation': { 299: scenario(299, ',"evaluation_id":"other"') },
  'a record that is too large': { 180: `{"id":"${'x'.repeat(LIMITS.record_bytes)}"}` },
  'a record that is nested too deeply': {
    180: scenario(180, `,"extra":${'['.repeat(30)}${']'.repeat(30)}`),
  },
  'a literal in place of a record': { 299: 'nul' },
}

const QUICK_ARRAYS = ['valid records', 'a record that is larger than a piece', 'a syntax error']

for (const shape of ['lines', 'array'] as const)
  for (const [name, replaced] of Object.entries(BODIES))
    test(`parses ${shape} with ${name} as one parser does`, {
      skip: shape === 'array' && !QUICK_ARRAYS.includes(name) && fullOnly('lines have the same records'),
    }, async () => {
      const expected = parseAtOnce(body(shape, replaced), formatOf(shape))
      assert.deepEqual(await parseOnThreads(body(shape, replaced), formatOf(shape)), expected)
    })

test('counts empty lines and lines of white space', async () => {
  const lines = body('lines', { 290: '{"id":5}' }).replaceAll('"s7', ' "s7')
  for (const separator of ['\n\n', '\r\n', ' \t\r\n\n  ', `\n${' '.repeat(PIECE_BYTES)}\n`]) {
    const text = lines.split('\n').slice(295).join(separator)
    const long = `${lines.replaceAll('\n', '\n \n')}${separator}${text}`
    assert.deepEqual(await parseOnThreads(long, formatOf('lines')), parseAtOnce(long, formatOf('lines')))
  }
})

test('parses a body at the limits of a piece, in chunks of any size', async () => {
  // One byte per character.
  const lines = body('lines').replaceAll('ä', 'a')
  for (const length of [PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 2 * PIECE_BYTES]) {
    const end = lines.lastIndexOf('\n', length - 100) + 1
    const text = `${lines.slice(0, end)}${scenario(0).padEnd(length - end)}\n${scenario(1)}`
    const expected = parseAtOnce(text, formatOf('lines'))
    for (const chunkBytes of [1000, PIECE_BYTES, 5 * PIECE_BYTES])
      assert.deepEqual(await parseOnThreads(text, formatOf('lines'), chunkBytes), expected)
  }
})

test('parses a long body on two threads, in order', async (t) => {
  const format = formatOf('lines')
  const extra = `,"extra":{"trace":"${'x'.repeat(100_000)}"}`
  const text = Array.from({ length: 88 }, (_, index) => scenario(index, extra)).join('\n')
  const workers: Worker[] = []
  const addWorker = (worker: Worker) => workers.push(worker)
  process.on('worker', addWorker)
  t.after(() => process.off('worker', addWorker))
  await threads.terminate()
  assert.deepEqual(await parseOnThreads(text, format), parseAtOnce(text, format))
  assert.equal(workers.length, Math.min(2, availableParallelism()))
  for (const { threadId } of workers) assert.notEqual(threadId, 0)
})

test('parses results, and rejects a body that is not an array', async () => {
  const result = (index: number) =>
    `{"scenario_id":"s${index}","evaluator_config":"judge","result":{"type":"number","value":${index}}}`
  const lines = Array.from({ length: 7000 }, (_, index) => result(index)).join('\n')
  for (const shape of ['lines', 'array'] as const) {
    const format = formatOf(shape, 'results')
    assert.deepEqual(await parseOnThreads(lines, format), parseAtOnce(lines, format))
  }
})

test('reports an error before the end of a truncated body', async () => {
  const cut = async (text: string) => {
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from(text)
      throw new Problem('request-timeout', 'The body did not arrive in time.')
    }
    for await (const _ of parsePieces(chunks(), formatOf('lines'), { threads }));
  }
  await assert.rejects(cut(body('lines')), { code: 'request-timeout' })
  await assert.rejects(cut(body('lines', { 10: '{' })), { code: 'invalid-json' })
  await assert.rejects(cut(body('lines', { 10: '{}' })), { code: 'request-timeout' })
})
