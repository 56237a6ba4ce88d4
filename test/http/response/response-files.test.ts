// Tests responses that are cached in temporary files: they equal uncached ones, are never stale, and damage is noticed.
// The files are not in the folder; the tests open them through /proc.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  closeSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { DiskBudget } from '../../../src/disk-budget.ts'
import { ResponseStore } from '../../../src/http/response/response-store.ts'
import { sendBytes } from '../../../src/http/response/send.ts'
import { addIncompressibleEvaluation } from '../../support/corpus.ts'
import {
  collectLog,
  createTempFolder,
  createTestKey,
  createTestStore,
  startTestService,
} from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly } from '../../support/options.ts'
import { JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

/** The response has about 1 MB: base64 encodes 12,000 bytes as 16,000 characters. */
const SCENARIO_COUNT = 60
const NOTE_BYTES = 12_000
/** So little memory that responses of this size are cached in files. */
const FILES_ONLY = { max_cache_bytes: 1 }
const NO_CACHE = { max_cache_bytes: 0 }
const LINUX_ONLY = process.platform !== 'linux' && 'other systems have no /proc'

const store = await createTestStore()
await addIncompressibleEvaluation(store, 'large', SCENARIO_COUNT, NOTE_BYTES)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const path = scenariosPath('large')

/** The temporary files of this process in a folder, as paths that open the file itself. */
function listOpenFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .map((descriptor) => `/proc/self/fd/${descriptor}`)
    .filter((path) => {
      try {
        const target = readlinkSync(path)
        return target.startsWith(`${folder}/`) && target.endsWith(' (deleted)')
      } catch {
        // The descriptor of the list itself is closed.
        return false
      }
    })
}

test('cached responses equal uncached responses, also after a change', {
  skip: fullOnly('repeats every read in every encoding'),
}, async (t) => {
  // Other tests compare responses of the shared evaluation, which must not change.
  await addIncompressibleEvaluation(store, 'changed', SCENARIO_COUNT, NOTE_BYTES)
  const path = scenariosPath('changed')
  const { baseUrl } = await startTestService(store, FILES_ONLY)
  const uncachedService = await startTestService(store, NO_CACHE)
  // response-caches.test.ts checks all formats in all encodings for small responses.
  const variants = [
    ...['identity', 'gzip', 'br', 'zstd'].map((encoding) => ({ format: 'json', encoding })),
    ...['ndjson', 'csv'].map((format) => ({ format, encoding: 'gzip' })),
  ]
  const read = (baseUrl: string, { format, encoding }: (typeof variants)[number]) =>
    sendRequest(baseUrl, `${path}?format=${format}`, { authorization: key, 'accept-encoding': encoding })
  let readCount = 0
  async function assertResponsesEqual(rounds: number): Promise<void> {
    for (const variant of variants) {
      const expected = await read(uncachedService.baseUrl, variant)
      for (let round = 0; round < rounds; round += 1) {
        const response = await read(baseUrl, variant)
        readCount += 1
        assert.equal(response.status, 200)
        assert.ok(response.text === expected.text, `${variant.format} ${variant.encoding}, round ${round}`)
        assert.equal(response.headers.etag, expected.headers.etag)
      }
    }
  }
  await assertResponsesEqual(3)
  const patch = JSON.stringify({ note: 'changed' })
  const headers = { authorization: key, 'content-type': JSON_TYPE }
  assert.equal(
    (await sendRequest(baseUrl, `${path}/s-${SCENARIO_COUNT - 1}`, headers, 'PATCH', patch)).status,
    200,
  )
  await assertResponsesEqual(2)
  reportMeasurements(t, { cases: readCount, wrong: 0 })
})

/** Changes one byte in the middle of the file. */
function flipBit(file: string): void {
  const descriptor = openSync(file, 'r+')
  const middle = Math.floor(statSync(file).size / 2)
  const byte = Buffer.alloc(1)
  readSync(descriptor, byte, 0, 1, middle)
  byte.writeUInt8(byte.readUInt8(0) ^ 1)
  writeSync(descriptor, byte, 0, 1, middle)
  closeSync(descriptor)
}

describe('a damaged cache file is removed and logged once, and the response comes from the store', {
  skip: LINUX_ONLY,
}, () => {
  const DAMAGES: [name: string, damage: (file: string) => void][] = [
    ['with a flipped bit', flipBit],
    [
      'with a flipped bit and its former modification time',
      (file) => {
        const { atime, mtime } = statSync(file)
        flipBit(file)
        utimesSync(file, atime, mtime)
      },
    ],
    ['that is truncated by one byte', (file) => truncateSync(file, statSync(file).size - 1)],
    ['that is empty', (file) => truncateSync(file, 0)],
    ['with an added byte', (file) => writeFileSync(file, 'x', { flag: 'a' })],
  ]
  for (const [description, damage] of DAMAGES) {
    test(description, async (t) => {
      const data = createTempFolder()
      const { log, lines } = collectLog()
      const { baseUrl } = await startTestService(store, { data, ...FILES_ONLY }, undefined, undefined, log)
      const read = () => sendRequest(baseUrl, path, { authorization: key, 'accept-encoding': 'zstd' })
      const expected = await read()
      const [file = ''] = listOpenFiles(data)
      damage(file)
      lines.length = 0
      for (const isCached of [false, true, true]) {
        const { status, headers, bytes } = await read()
        assert.equal(status, 200)
        assert.equal(headers.etag, expected.headers.etag)
        assert.ok(bytes.equals(expected.bytes))
        assert.equal(headers['content-length'], isCached ? String(bytes.length) : undefined)
      }
      const messages = lines.map(({ msg }) => msg).filter((msg) => msg !== 'request')
      assert.deepEqual(messages, ['a cached response is damaged and is not used'])
      const sizes = listOpenFiles(data).map((file) => statSync(file).size)
      assert.deepEqual(sizes, [expected.bytes.length])
      reportMeasurements(t, { cases: 3, wrong: 0 })
    })
  }
})

describe('a response that is sent from a file', { skip: LINUX_ONLY }, () => {
  const PART = Buffer.alloc(1024 * 1024, 'cached')
  const PART_COUNT = 16

  for (const [change, changeFile] of [
    ['written', (file: string) => writeFileSync(file, 'x', { flag: 'r+' })],
    ['extended', (file: string) => writeFileSync(file, 'x', { flag: 'a' })],
    ['truncated', (file: string) => truncateSync(file, 1000)],
  ] as const) {
    test(`is aborted if the file is ${change} while it is sent`, async () => {
      const folder = createTempFolder()
      const storage = { folder, budget: new DiskBudget(1024 * PART.length) }
      const responses = new ResponseStore(storage, 1, collectLog().log)
      async function* parts() {
        for (let index = 0; index < PART_COUNT; index += 1) yield Buffer.from(PART)
      }
      const { reader: first, ended } = responses.start('name', async (response) => {
        response.start({ status: 200, headers: { 'content-length': String(PART_COUNT * PART.length) } })
        await response.write(parts())
        return 'name'
      })
      await Array.fromAsync(first)
      await ended
      const failure = Promise.withResolvers<unknown>()
      const server = createServer((_request, outgoing) => {
        const user = { closed: false, once: () => undefined }
        const produce = () => Promise.reject(new Error('The response is not cached'))
        responses.get('name', user, produce).then(async (found) => {
          assert.ok('reader' in found)
          const { headers } = await found.response.head
          const sendHead = () => outgoing.writeHead(200, headers)
          sendBytes(outgoing, sendHead, found.reader).then(failure.resolve, failure.reject)
        }, failure.reject)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const request = get({ port: (server.address() as AddressInfo).port, agent: false })
      request.on('error', () => undefined)
      // The client reads nothing yet. The rest of the file does not fit into the socket buffers.
      const [incoming] = (await once(request, 'response')) as [IncomingMessage]
      assert.equal(incoming.headers['content-length'], String(PART_COUNT * PART.length))
      const [file = ''] = listOpenFiles(folder)
      changeFile(file)
      const received = Array.fromAsync(incoming)
      await Promise.all([
        assert.rejects(received, /aborted|reset/i),
        assert.rejects(failure.promise, /changed while it was sent|ended before all bytes/),
      ])
      server.close()
      responses.close()
    })
  }
})
