// Tests the file cache with a large evaluation: which responses it stores, that cached responses are never stale, and
// that damaged files are never sent.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { DiskBudget } from '../../../src/disk-budget.ts'
import { FileCache } from '../../../src/http/response/file-cache.ts'
import { sendBytes } from '../../../src/http/response/send.ts'
import { SharedResponses } from '../../../src/http/response/shared-responses.ts'
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
/** Without a cache in memory, responses of this size are cached in files. */
const NO_MEMORY_CACHE = { max_cache_bytes: 0 }
const NO_CACHE = { max_cache_bytes: 0, max_cache_file_bytes: 0 }

const store = await createTestStore()
await addIncompressibleEvaluation(store, 'large', SCENARIO_COUNT, NOTE_BYTES)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const path = scenariosPath('large')

/** Returns the names of the complete cache files. */
function listCacheFiles(data: string): string[] {
  return readdirSync(join(data, 'response-cache')).filter((name) => !name.endsWith('.part'))
}

test('cached responses equal uncached responses, also after a change and after the files are deleted', {
  skip: fullOnly('repeats every read in every encoding'),
}, async (t) => {
  // Other tests compare responses of the shared evaluation, which must not change.
  await addIncompressibleEvaluation(store, 'changed', SCENARIO_COUNT, NOTE_BYTES)
  const path = scenariosPath('changed')
  const data = createTempFolder()
  const { baseUrl } = await startTestService(store, { data, ...NO_MEMORY_CACHE })
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
  assert.equal(listCacheFiles(data).length, variants.length)
  const patch = JSON.stringify({ note: 'changed' })
  const headers = { authorization: key, 'content-type': JSON_TYPE }
  assert.equal(
    (await sendRequest(baseUrl, `${path}/s-${SCENARIO_COUNT - 1}`, headers, 'PATCH', patch)).status,
    200,
  )
  await assertResponsesEqual(2)
  rmSync(join(data, 'response-cache'), { recursive: true })
  await assertResponsesEqual(2)
  reportMeasurements(t, { cases: readCount, wrong: 0 })
})

test('stores an uncompressed response from the second request on, and only if it is not too large', async () => {
  const headers = { authorization: key, 'accept-encoding': 'identity' }
  for (const [maxBytes, expectedCounts] of [
    [100_000_000, [0, 1, 1]],
    [3_600_000, [0, 0, 0]],
  ] as const) {
    const data = createTempFolder()
    const { baseUrl } = await startTestService(store, {
      data,
      ...NO_MEMORY_CACHE,
      max_cache_file_bytes: maxBytes,
    })
    // The first compressed response creates the cache folder.
    await sendRequest(baseUrl, path, { ...headers, 'accept-encoding': 'br' })
    const initialCount = listCacheFiles(data).length
    const counts: number[] = []
    for (const _ of expectedCounts) {
      await sendRequest(baseUrl, path, headers)
      counts.push(listCacheFiles(data).length - initialCount)
    }
    assert.deepEqual(counts, expectedCounts)
  }
})

/** Overwrites one byte in the middle of the file. */
function flipBit(file: string): void {
  const bytes = readFileSync(file)
  const middle = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  writeFileSync(file, bytes)
}

/** Moves the file away and puts something else in its place. */
function replaceFile(file: string, create: (movedFile: string) => void): void {
  const movedFile = join(createTempFolder(), 'moved')
  renameSync(file, movedFile)
  create(movedFile)
}

describe('a damaged cache file is removed and logged once, and the response comes from the store', async () => {
  const DAMAGES: [name: string, damage: (file: string, otherFile: string) => void][] = [
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
    ['that is truncated to a part of its header', (file) => truncateSync(file, 5)],
    ['that is empty', (file) => truncateSync(file, 0)],
    ['with an added byte', (file) => writeFileSync(file, 'x', { flag: 'a' })],
    ['that is a copy of another cache file', (file, otherFile) => copyFileSync(otherFile, file)],
    [
      'that is a folder',
      (file) => {
        rmSync(file)
        mkdirSync(file)
        writeFileSync(join(file, 'content'), 'x')
      },
    ],
    ['that is a symbolic link', (file) => replaceFile(file, (movedFile) => symlinkSync(movedFile, file))],
  ]
  const data = createTempFolder()
  const folder = join(data, 'response-cache')
  const headers = { authorization: key, 'accept-encoding': 'zstd' }
  const collectedLog = collectLog()
  const settings = { data, ...NO_MEMORY_CACHE }
  const service = await startTestService(store, settings, undefined, undefined, collectedLog.log)
  const expected = await sendRequest(service.baseUrl, path, headers)
  const [name = ''] = listCacheFiles(data)
  await sendRequest(service.baseUrl, `${path}?format=csv`, headers)
  const otherName = listCacheFiles(data).find((other) => other !== name) ?? ''
  const file = join(folder, name)

  for (const [description, damage] of DAMAGES) {
    for (const isRestarted of [false, true]) {
      test(`${description}, ${isRestarted ? 'after a restart' : 'in a running service'}`, {
        skip: isRestarted && damage !== flipBit && fullOnly('one kind of damage is enough'),
      }, async (t) => {
        damage(file, join(folder, otherName))
        const { log, lines } = isRestarted ? collectLog() : collectedLog
        const { baseUrl } = isRestarted
          ? await startTestService(store, settings, undefined, undefined, log)
          : service
        lines.length = 0
        for (const isCached of [false, true, true]) {
          const { status, headers: responseHeaders, bytes } = await sendRequest(baseUrl, path, headers)
          assert.equal(status, 200)
          assert.equal(responseHeaders.etag, expected.headers.etag)
          assert.ok(bytes.equals(expected.bytes))
          assert.equal(responseHeaders['content-length'], isCached ? String(bytes.length) : undefined)
        }
        assert.deepEqual(
          lines.map(({ msg, file }) => ({ msg, file })),
          [{ msg: 'a cached response is damaged and is not used', file }],
        )
        assert.ok(statSync(file).isFile())
        reportMeasurements(t, { cases: 3, wrong: 0 })
      })
    }
  }
})

describe('the file cache', () => {
  const PART = Buffer.alloc(1024 * 1024, 'cached')

  async function createCache(partCount = 1) {
    const folder = createTempFolder()
    const { log, lines } = collectLog()
    const storage = { folder, budget: new DiskBudget(0) }
    const cache = new FileCache(folder, 1024 * PART.length, storage, log)
    const file = cache.create('name')
    for (let index = 0; index < partCount; index += 1) await file.append(PART)
    await file.finish()
    await file.close()
    const [name = ''] = readdirSync(folder)
    return { cache, responses: new SharedResponses(storage, cache), folder, lines, file: join(folder, name) }
  }

  test('removes a file that it cannot read', async () => {
    const { cache, folder, file, lines } = await createCache()
    const isRoot = process.geteuid?.() === 0
    chmodSync(file, 0)
    // Permissions do not apply to root.
    if (isRoot) {
      chownSync(folder, 65534, 65534)
      process.seteuid?.(65534)
    }
    try {
      assert.equal(await cache.find('name'), undefined)
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
    assert.ok(!existsSync(file))
    assert.equal(lines.length, 1)
    assert.match(String(lines[0]?.reason), /EACCES/)
  })

  test('logs a damaged file once if it cannot be removed', async () => {
    const { cache, folder, file, lines } = await createCache()
    flipBit(file)
    const isRoot = process.geteuid?.() === 0
    chmodSync(folder, 0o555)
    chmodSync(file, 0o644)
    if (isRoot) process.seteuid?.(65534)
    try {
      for (let round = 0; round < 3; round += 1) assert.equal(await cache.find('name'), undefined)
    } finally {
      if (isRoot) process.seteuid?.(0)
      chmodSync(folder, 0o755)
    }
    assert.equal(lines.length, 1)
    assert.match(String(lines[0]?.not_removed), /EACCES/)
  })

  test('logs nothing if the file was deleted', async () => {
    const { cache, file, lines } = await createCache()
    rmSync(file)
    assert.equal(await cache.find('name'), undefined)
    assert.deepEqual(lines, [])
  })

  for (const [change, changeFile] of [
    ['written', (file: string) => writeFileSync(file, 'x', { flag: 'r+' })],
    ['extended', (file: string) => writeFileSync(file, 'x', { flag: 'a' })],
    ['truncated', (file: string) => truncateSync(file, 1000)],
  ] as const) {
    test(`aborts the response if the file is ${change} while it is sent, and removes the file`, async () => {
      const partCount = 16
      const { responses, file } = await createCache(partCount)
      const response = await responses.find('name')
      assert.ok(response)
      const { headers } = await response.buffer.head
      const failure = Promise.withResolvers<unknown>()
      const server = createServer((_request, outgoing) => {
        const sendHead = () => outgoing.writeHead(200, headers)
        sendBytes(outgoing, sendHead, response.reader).then(failure.resolve, failure.reject)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const request = get({ port: (server.address() as AddressInfo).port, agent: false })
      request.on('error', () => undefined)
      // The client reads nothing yet. The rest of the file does not fit into the socket buffers.
      const [incoming] = (await once(request, 'response')) as [IncomingMessage]
      assert.equal(incoming.headers['content-length'], String(partCount * PART.length))
      changeFile(file)
      const received = Array.fromAsync(incoming)
      await Promise.all([
        assert.rejects(received, /aborted|reset/i),
        assert.rejects(failure.promise, /changed while it was sent/),
      ])
      assert.ok(!existsSync(file))
      server.close()
    })
  }
})
