// Tests bodies that are made to exhaust memory. Each must be rejected with a response, use little memory and leave
// stored data unchanged. With the full test sizes it uses the default limits, endless bodies and a string of 512 MB.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { constants, createGzip, createZstdCompress } from 'node:zlib'
import { stopService } from '../../../bench/service.ts'
import { sizes } from '../../sizes.ts'
import {
  createTestKey,
  createTestStore,
  runAssay,
  spawnServer,
  startTestService,
} from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import {
  type Chunks,
  canReadMemory,
  createStoreWithKey,
  inChunks,
  memoryMiB,
  scenarioArray,
  seededRandom,
  upload,
} from '../../support/upload.ts'

const isFull = sizes.large_bombs > 0
const MIB = 1024 * 1024
const MAX_BODY_BYTES = isFull ? 2048 * MIB : 24 * MIB
const MAX_INCREASE_MIB = 128
/** Large valid objects need more memory while they are parsed, but it must not accumulate. */
const MAX_INCREASE_LARGE_MIB = 400

type BodyEncoding = 'gzip' | 'zstd' | 'zstd with a large window'
interface Bomb {
  name: string
  /** A JSON array by default. */
  type?: 'application/x-ndjson'
  encoding?: BodyEncoding
  /** Whether the body creates an evaluation instead of appending scenarios. */
  isDocument?: boolean
  body: () => Chunks | Promise<Chunks>
  status: 201 | 400 | 413 | 422
  /** For status 422. */
  error_count?: number
}

/** Yields a prefix, then repeats a text until the given number of bytes is reached. */
function* repeatText(prefix: string, text: string, bytes = Number.POSITIVE_INFINITY): Generator<string> {
  const chunk = text.repeat(Math.ceil(65536 / text.length))
  yield prefix
  for (let generatedBytes = 0; generatedBytes < bytes; generatedBytes += chunk.length) yield chunk
}

const COMPRESSORS = {
  gzip: () => createGzip(),
  zstd: () => createZstdCompress(),
  'zstd with a large window': () =>
    createZstdCompress({
      params: { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_enableLongDistanceMatching]: 1 },
    }),
} satisfies Record<BodyEncoding, () => NodeJS.ReadWriteStream>

function compressChunks(encoding: BodyEncoding, chunks: Iterable<string>): NodeJS.ReadableStream & Chunks {
  return Readable.from(chunks).pipe(COMPRESSORS[encoding]())
}

const CONTENTS: [name: string, type: Bomb['type'], prefix: string, text: string][] = [
  ['spaces in an array', undefined, '[', ' '],
  ['one string of a scenario', undefined, '[{"note":"', 'a'],
  ['one valid line repeated', 'application/x-ndjson', '', `{"note":"${'again '.repeat(200)}"}\n`],
]

/** Small bodies are compressed before they are sent, so that they arrive as fast as possible. */
function* compressedBombs(): Generator<Bomb> {
  for (const encoding of ['gzip', 'zstd'] as const) {
    for (const [content, type, prefix, text] of CONTENTS) {
      for (const mib of isFull ? [64, 4096] : [32]) {
        const body = async () => [await buffer(compressChunks(encoding, repeatText(prefix, text, mib * MIB)))]
        yield {
          name: `${encoding}, ${mib} MiB: ${content}`,
          ...(type && { type }),
          encoding,
          body,
          status: 413,
        }
      }
      const body = () => compressChunks(encoding, repeatText(prefix, text, 4096 * MIB))
      yield {
        name: `${encoding}, 4 GiB compressed while sending: ${content}`,
        ...(type && { type }),
        encoding,
        body,
        status: 413,
      }
    }
    const document = () => compressChunks(encoding, repeatText('{"metadata":{"a":"', 'a', 64 * MIB))
    yield {
      name: `${encoding}, 64 MiB in one document`,
      encoding,
      isDocument: true,
      body: document,
      status: 413,
    }
    // The expansion is within max_expansion, so the service reads up to max_body_bytes.
    const lines = () => compressChunks(encoding, inChunks(compressibleLines()))
    const name = `${encoding}, endless lines that compress moderately`
    yield { name, type: 'application/x-ndjson', encoding, body: lines, status: 413 }
  }
  const encoding = 'zstd with a large window'
  // The service rejects the body before decompression, because the window alone would need 128 MiB.
  yield {
    name: encoding,
    encoding,
    body: () => compressChunks(encoding, repeatText('[', ' ', 512 * MIB)),
    status: 400,
  }
}

/** Endless lines that compress by a factor of about 50. */
function* compressibleLines(): Generator<string> {
  for (let index = 0; ; index += 1) {
    yield `{"id":"${seededRandom(`${index}`)}","note":"${'Nothing to see here. '.repeat(100)}"}\n`
  }
}

const DEPTH = 1_000_000
const deepArray = '['.repeat(DEPTH) + ']'.repeat(DEPTH)
const deepObject = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`
const inScenario = (value: string) => `[{"inputs":[{"name":"n","type":"json","value":${value}}]}]`

function generateKeys(count: number): string {
  return Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`).join(',')
}

function* generateRecords(text: string, count: number): Generator<string> {
  yield `[${text}`
  for (let index = 1; index < count; index += 1) yield `,${text}`
  yield ']'
}

const STRING_BYTES = isFull ? 512_000_000 : 32_000_000

const UNCOMPRESSED: Bomb[] = [
  { name: 'unclosed brackets', body: () => ['['.repeat(DEPTH)], status: 400 },
  { name: 'nested arrays', body: () => [deepArray], status: 422, error_count: 1 },
  { name: 'nested arrays in a value', body: () => [inScenario(deepArray)], status: 422, error_count: 1 },
  { name: 'nested objects in a value', body: () => [inScenario(deepObject)], status: 422, error_count: 1 },
  { name: 'nested objects', body: () => [deepObject], status: 422, error_count: 1 },
  {
    name: 'nested objects in NDJSON',
    type: 'application/x-ndjson',
    body: () => [deepObject],
    status: 422,
    error_count: 1,
  },
  {
    name: 'nested arrays in a document',
    isDocument: true,
    body: () => [deepArray],
    status: 422,
    error_count: 1,
  },
  { name: 'endless spaces', body: () => repeatText('[', ' '), status: 413 },
  {
    name: 'endless valid records',
    body: () => repeatText('[{}', `,{"note":"${'again '.repeat(200)}"}`),
    status: 413,
  },
  {
    name: 'endless valid NDJSON lines',
    type: 'application/x-ndjson',
    body: () => inChunks(compressibleLines()),
    status: 413,
  },
  { name: 'an endless document', isDocument: true, body: () => repeatText('{"id":"', 'a'), status: 413 },
  {
    name: `one string of ${STRING_BYTES} bytes`,
    body: () => repeatText('[{"note":"', 'a', STRING_BYTES),
    status: 413,
  },
  { name: 'a million keys', body: () => [`[{"extra":{${generateKeys(1_000_000)}}}]`], status: 413 },
  {
    name: 'half a million keys',
    body: () => [`[{"extra":{${generateKeys(500_000)}}}]`],
    status: 422,
    error_count: 1,
  },
]

const INVALID_RECORD_COUNT = isFull ? 1_000_000 : 10_000

const MANY_ERRORS: Bomb[] = [
  {
    name: `${INVALID_RECORD_COUNT} invalid records`,
    body: () => inChunks(generateRecords('{"x":1}', INVALID_RECORD_COUNT)),
    status: 422,
    error_count: INVALID_RECORD_COUNT,
  },
  {
    name: `${INVALID_RECORD_COUNT} numbers instead of scenarios`,
    body: () => inChunks(generateRecords('1', INVALID_RECORD_COUNT)),
    status: 422,
    error_count: INVALID_RECORD_COUNT,
  },
]

const OBJECT_COUNT = isFull ? 80 : 25
const manyMembers = () => `[${Array(OBJECT_COUNT).fill(`{${generateKeys(10_000)}}`)}]`

const LARGE_VALID: Bomb[] = [
  { name: `${OBJECT_COUNT} objects of 10,000 members`, body: () => [inScenario(manyMembers())], status: 201 },
  {
    name: 'valid records of 7 MB',
    body: () => generateRecords(`{"note":"${'a'.repeat(7_000_000)}"}`, isFull ? 20 : 3),
    status: 201,
  },
]

const LONG_NAMES: Bomb[] = [
  {
    name: 'unknown members with names of 7 MB',
    body: () => generateRecords(`{"${'a'.repeat(7_000_000)}":1}`, isFull ? 100 : 3),
    status: 422,
    error_count: isFull ? 100 : 3,
  },
]

const options = { timeout: isFull ? 800_000 : 150_000 }
const fullOptions = {
  ...options,
  skip: fullOnly('sends many large bodies; invalid-bodies.test.ts checks the limits'),
}

test('bodies that are made to exhaust memory are rejected with little memory', fullOptions, (t) =>
  sendBombs(t, [...UNCOMPRESSED, ...compressedBombs()]),
)

test('many invalid records are counted without storing all errors', fullOptions, (t) =>
  sendBombs(t, MANY_ERRORS),
)

test('memory for large valid records does not accumulate', fullOptions, (t) =>
  sendBombs(t, LARGE_VALID, MAX_INCREASE_LARGE_MIB),
)

test('errors of records with very long names are short', fullOptions, (t) =>
  sendBombs(t, LONG_NAMES, isFull ? MAX_INCREASE_LARGE_MIB : MAX_INCREASE_MIB),
)

test('the error response arrives when the client sends Connection: close', options, async () => {
  const store = await createTestStore()
  const { key } = await createTestKey(store, { scopes: ['write'] })
  const { baseUrl } = await startTestService(store)
  const headers = { authorization: key, 'content-type': 'application/json', connection: 'close' }
  for (let round = 0; round < (isFull ? 20 : 5); round += 1) {
    const response = await upload(`${baseUrl}/api/evaluations`, headers, repeatText('{"id":"', 'a'))
    assert.equal(response.status, 413)
  }
})

/** Sends the bombs to one service, then checks earlier data, later uploads, the store and peak memory. */
async function sendBombs(t: TestContext, bombs: Bomb[], maxIncreaseMiB = MAX_INCREASE_MIB): Promise<void> {
  const { flags, key } = await createStoreWithKey()
  const service = await spawnServer([...flags, '--max-body-bytes', String(MAX_BODY_BYTES)])
  const { baseUrl, child } = service
  const authorization = { authorization: key }
  const scenariosPath = (id: string) => `/api/evaluations/${id}/evaluation_scenarios`
  // Until the memory that the start needed is released.
  if (testOptions.measures) await delay(2000)
  const idleMiB = canReadMemory ? memoryMiB(child.pid, 'VmRSS') : 0

  const json = { ...authorization, 'content-type': 'application/json' }
  const firstUpload = await upload(baseUrl + scenariosPath('before'), json, scenarioArray('before', 200))
  assert.deepEqual([firstUpload.status, firstUpload.body], [201, { accepted: 200, unchanged: 0 }])
  const initialResponse = await sendRequest(baseUrl, scenariosPath('before'), authorization)

  let acceptedCount = 0
  for (const bomb of bombs) {
    await t.test(`returns ${bomb.status} for ${bomb.name}`, async (t) => {
      const { type = 'application/json', encoding } = bomb
      const headers = {
        ...authorization,
        'content-type': type,
        ...(encoding && { 'content-encoding': encoding.slice(0, 4) }),
      }
      const target = bomb.isDocument
        ? '/api/evaluations'
        : scenariosPath(bomb.status === 201 ? 'valid' : 'bomb')
      const body = await bomb.body()
      const start = performance.now()
      const response = await upload(baseUrl + target, headers, body)
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      const peak = canReadMemory
        ? `, ${memoryMiB(child.pid, 'VmHWM') - idleMiB} MiB over idle at the peak so far`
        : ''
      t.diagnostic(`response after ${seconds} s and ${response.sent} bytes${peak}`)
      assert.equal(response.status, bomb.status, JSON.stringify(response.body).slice(0, 300))
      if (bomb.status === 201) {
        acceptedCount += Number(response.body.accepted)
        return
      }
      assert.match(response.type, /^application\/problem\+json/)
      assert.equal(response.body.error_count, bomb.error_count)
    })
  }

  const finalResponse = await sendRequest(baseUrl, scenariosPath('before'), authorization)
  assert.equal(finalResponse.headers.etag, initialResponse.headers.etag)
  assert.ok(finalResponse.bytes.equals(initialResponse.bytes))
  assert.equal(
    (await sendRequest(baseUrl, scenariosPath('bomb'), authorization)).status,
    404,
    'a rejected body was stored',
  )
  const lastUpload = await upload(baseUrl + scenariosPath('after'), json, scenarioArray('after', 200))
  assert.deepEqual([lastUpload.status, lastUpload.body], [201, { accepted: 200, unchanged: 0 }])
  const increase = canReadMemory ? memoryMiB(child.pid, 'VmHWM') - idleMiB : 0
  await stopService(service)
  const checkResult = await runAssay(['check', '--json', ...flags])
  assert.equal(checkResult.code, 0, checkResult.stderr)
  const { scenarios, faults } = JSON.parse(checkResult.stdout)
  reportMeasurements(t, { cases: bombs.length, wrong: 0, peak_memory_mb: increase })
  assert.deepEqual({ scenarios, faults }, { scenarios: 400 + acceptedCount, faults: [] })
  if (testOptions.measures)
    assert.ok(increase <= maxIncreaseMiB, `${increase} MiB over the idle ${idleMiB} MiB`)
}
