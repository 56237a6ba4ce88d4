// Bodies made to exhaust the service: each is refused with an answer, all of them together cost little memory,
// and nothing that was there before suffers. Short here, with bodies up to 32 MiB; the campaign, with the limits
// as they are by default, bodies that end nowhere and a string of 512 MB: BOMBS=full node --test FILE.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { constants, createGzip, createZstdCompress } from 'node:zlib'
import { stopService } from '../../bench/service.ts'
import { assay, spawnServer } from '../harness.ts'
import {
  type Chunks,
  freshData,
  inPieces,
  memory,
  memoryIsVisible,
  randomOf,
  scenarioArray,
  upload,
} from '../upload.ts'
import { ask } from '../wire.ts'

const isFull = process.env.BOMBS === 'full'
const MIB = 1024 * 1024
const MAX_BODY_BYTES = isFull ? 2048 * MIB : 24 * MIB
const MAX_OVER = 128
/** Parsed, the members of large objects take most of it; they are taken, and do not add up. */
const MAX_OVER_LARGE = 400

type Coding = 'gzip' | 'zstd' | 'zstd of a large window'
interface Bomb {
  name: string
  /** An array where it is not told. */
  type?: 'application/x-ndjson'
  coding?: Coding
  /** To make an evaluation, not to send scenarios to one. */
  isDocument?: boolean
  body: () => Chunks | Promise<Chunks>
  status: 201 | 400 | 413 | 422
  /** Of a 422. */
  error_count?: number
}

/** So many bytes of one text again and again, behind another. */
function* repeated(before: string, text: string, bytes = Number.POSITIVE_INFINITY): Generator<string> {
  const piece = text.repeat(Math.ceil(65536 / text.length))
  yield before
  for (let made = 0; made < bytes; made += piece.length) yield piece
}

const COMPRESSORS = {
  gzip: () => createGzip(),
  zstd: () => createZstdCompress(),
  'zstd of a large window': () =>
    createZstdCompress({
      params: { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_enableLongDistanceMatching]: 1 },
    }),
} satisfies Record<Coding, () => NodeJS.ReadWriteStream>

function compressed(coding: Coding, chunks: Iterable<string>): NodeJS.ReadableStream & Chunks {
  return Readable.from(chunks).pipe(COMPRESSORS[coding]())
}

const CONTENTS: [name: string, type: Bomb['type'], before: string, text: string][] = [
  ['spaces in an array', undefined, '[', ' '],
  ['one string of a scenario', undefined, '[{"note":"', 'a'],
  ['one good line again and again', 'application/x-ndjson', '', `{"note":"${'again '.repeat(200)}"}\n`],
]

/** Made whole before they are sent, so that they arrive as fast as anything can. */
function* compressedBombs(): Generator<Bomb> {
  for (const coding of ['gzip', 'zstd'] as const) {
    for (const [content, type, before, text] of CONTENTS) {
      for (const mib of isFull ? [64, 4096] : [32]) {
        const body = async () => [await buffer(compressed(coding, repeated(before, text, mib * MIB)))]
        yield { name: `${coding}, ${mib} MiB: ${content}`, ...(type && { type }), coding, body, status: 413 }
      }
      const body = () => compressed(coding, repeated(before, text, 4096 * MIB))
      yield {
        name: `${coding}, 4 GiB made on the way: ${content}`,
        ...(type && { type }),
        coding,
        body,
        status: 413,
      }
    }
    const document = () => compressed(coding, repeated('{"metadata":{"a":"', 'a', 64 * MIB))
    yield { name: `${coding}, 64 MiB in one document`, coding, isDocument: true, body: document, status: 413 }
    // Within what a body may expand to, and so taken in up to its limit.
    const lines = () => compressed(coding, inPieces(fairLines()))
    const name = `${coding}, lines that compress fairly, without end`
    yield { name, type: 'application/x-ndjson', coding, body: lines, status: 413 }
  }
  const coding = 'zstd of a large window'
  // Not even begun: the window alone would be 128 MiB.
  yield { name: coding, coding, body: () => compressed(coding, repeated('[', ' ', 512 * MIB)), status: 400 }
}

/** About fifty times larger than compressed. */
function* fairLines(): Generator<string> {
  for (let index = 0; ; index += 1) {
    yield `{"id":"${randomOf(`${index}`)}","note":"${'Nothing to see here. '.repeat(100)}"}\n`
  }
}

const DEPTH = 1_000_000
const deepArray = '['.repeat(DEPTH) + ']'.repeat(DEPTH)
const deepObject = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`
const inScenario = (value: string) => `[{"inputs":[{"name":"n","type":"json","value":${value}}]}]`

function keys(count: number): string {
  return Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`).join(',')
}

function* records(text: string, count: number): Generator<string> {
  yield `[${text}`
  for (let index = 1; index < count; index += 1) yield `,${text}`
  yield ']'
}

const STRING_BYTES = isFull ? 512_000_000 : 32_000_000

const PLAIN: Bomb[] = [
  { name: 'brackets that are never closed', body: () => ['['.repeat(DEPTH)], status: 400 },
  { name: 'arrays in arrays', body: () => [deepArray], status: 422, error_count: 1 },
  { name: 'arrays in a value', body: () => [inScenario(deepArray)], status: 422, error_count: 1 },
  { name: 'objects in a value', body: () => [inScenario(deepObject)], status: 422, error_count: 1 },
  { name: 'objects in objects', body: () => [deepObject], status: 422, error_count: 1 },
  {
    name: 'objects in objects on a line',
    type: 'application/x-ndjson',
    body: () => [deepObject],
    status: 422,
    error_count: 1,
  },
  { name: 'arrays in a document', isDocument: true, body: () => [deepArray], status: 422, error_count: 1 },
  { name: 'spaces without end', body: () => repeated('[', ' '), status: 413 },
  {
    name: 'good records without end',
    body: () => repeated('[{}', `,{"note":"${'again '.repeat(200)}"}`),
    status: 413,
  },
  {
    name: 'good lines without end',
    type: 'application/x-ndjson',
    body: () => inPieces(fairLines()),
    status: 413,
  },
  { name: 'a document without end', isDocument: true, body: () => repeated('{"id":"', 'a'), status: 413 },
  {
    name: `one string of ${STRING_BYTES} bytes`,
    body: () => repeated('[{"note":"', 'a', STRING_BYTES),
    status: 413,
  },
  { name: 'a million keys', body: () => [`[{"extra":{${keys(1_000_000)}}}]`], status: 413 },
  {
    name: 'half a million keys',
    body: () => [`[{"extra":{${keys(500_000)}}}]`],
    status: 422,
    error_count: 1,
  },
]

const MANY = isFull ? 1_000_000 : 10_000

const COUNTED: Bomb[] = [
  {
    name: `${MANY} records that do not fit`,
    body: () => inPieces(records('{"x":1}', MANY)),
    status: 422,
    error_count: MANY,
  },
  {
    name: `${MANY} numbers where scenarios belong`,
    body: () => inPieces(records('1', MANY)),
    status: 422,
    error_count: MANY,
  },
]

const OBJECTS = isFull ? 80 : 25
const manyMembers = `[${Array(OBJECTS).fill(`{${keys(10_000)}}`)}]`

const LARGE: Bomb[] = [
  { name: `${OBJECTS} objects of 10,000 members`, body: () => [inScenario(manyMembers)], status: 201 },
  {
    name: 'good records of 7 MB',
    body: () => records(`{"note":"${'a'.repeat(7_000_000)}"}`, isFull ? 20 : 3),
    status: 201,
  },
]

const LONG_NAMES: Bomb[] = [
  {
    name: 'unknown members with names of 7 MB',
    body: () => records(`{"${'a'.repeat(7_000_000)}":1}`, isFull ? 100 : 3),
    status: 422,
    error_count: isFull ? 100 : 3,
  },
]

const options = { timeout: isFull ? 800_000 : 150_000 }

test('bodies made to exhaust the service do not', options, (t) =>
  withstand(t, [...PLAIN, ...compressedBombs()]),
)

test('many bad records are counted, not kept', options, (t) => withstand(t, COUNTED))

test('large good records do not add up', options, (t) => withstand(t, LARGE, MAX_OVER_LARGE))

test('what is said of a record is short', options, (t) =>
  withstand(t, LONG_NAMES, isFull ? MAX_OVER_LARGE : MAX_OVER),
)

test('the answer arrives where the client closes the connection behind it', options, async () => {
  const { flags, key } = await freshData()
  const service = await spawnServer(flags)
  const headers = { authorization: key, 'content-type': 'application/json', connection: 'close' }
  for (let round = 0; round < 20; round += 1) {
    const answer = await upload(`${service.base}/api/evaluations`, headers, repeated('{"id":"', 'a'))
    assert.equal(answer.status, 413)
  }
  await stopService(service)
})

/** Sends all of them to one service, and looks at what was there before, what comes behind, and the memory. */
async function withstand(t: TestContext, bombs: Bomb[], maxOver = MAX_OVER): Promise<void> {
  const { flags, key } = await freshData()
  const service = await spawnServer([...flags, '--max-body-bytes', String(MAX_BODY_BYTES)])
  const { base, child } = service
  const authorization = { authorization: key }
  const pathOf = (id: string) => `/api/evaluations/${id}/evaluation_scenarios`
  await delay(2000)
  const idle = memoryIsVisible ? memory(child.pid, 'VmRSS') : 0

  const json = { ...authorization, 'content-type': 'application/json' }
  const first = await upload(base + pathOf('before'), json, scenarioArray('before', 200))
  assert.deepEqual([first.status, first.body], [201, { accepted: 200, unchanged: 0 }])
  const before = await ask(base, pathOf('before'), authorization)

  let taken = 0
  for (const bomb of bombs) {
    await t.test(bomb.name, async (t) => {
      const { type = 'application/json', coding } = bomb
      const headers = {
        ...authorization,
        'content-type': type,
        ...(coding && { 'content-encoding': coding.slice(0, 4) }),
      }
      const target = bomb.isDocument ? '/api/evaluations' : pathOf(bomb.status === 201 ? 'taken' : 'bomb')
      const body = await bomb.body()
      const start = performance.now()
      const answer = await upload(base + target, headers, body)
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      const peak = memoryIsVisible
        ? `, ${memory(child.pid, 'VmHWM') - idle} MiB over idle at most so far`
        : ''
      t.diagnostic(`answered after ${seconds} s and ${answer.sent} bytes${peak}`)
      assert.equal(answer.status, bomb.status, JSON.stringify(answer.body).slice(0, 300))
      if (bomb.status === 201) {
        taken += Number(answer.body.accepted)
        return
      }
      assert.match(answer.type, /^application\/problem\+json/)
      assert.equal(answer.body.error_count, bomb.error_count)
    })
  }

  const after = await ask(base, pathOf('before'), authorization)
  assert.equal(after.headers.etag, before.headers.etag)
  assert.ok(after.bytes.equals(before.bytes))
  assert.equal((await ask(base, pathOf('bomb'), authorization)).status, 404, 'nothing of them was kept')
  const second = await upload(base + pathOf('after'), json, scenarioArray('after', 200))
  assert.deepEqual([second.status, second.body], [201, { accepted: 200, unchanged: 0 }])
  const over = memoryIsVisible ? memory(child.pid, 'VmHWM') - idle : 0
  await stopService(service)
  const checked = await assay(['check', '--json', ...flags])
  assert.equal(checked.code, 0, checked.stderr)
  const { scenarios, faults } = JSON.parse(checked.stdout)
  assert.deepEqual({ scenarios, faults }, { scenarios: 400 + taken, faults: [] })
  assert.ok(over <= maxOver, `${over} MiB over the ${idle} MiB of idle`)
}
