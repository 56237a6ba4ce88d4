// Reads of large evaluations from a real database file: disk faults, slow and disconnected clients, concurrent writes.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, openSync, writeSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { addLargeEvaluation, addReadKey } from '../../../bench/data.ts'
import { isInstalled } from '../../../bench/load-generator.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { addIncompressibleEvaluation, addScenarios, scenario } from '../../support/corpus.ts'
import {
  createTempFolder,
  createTestStore,
  type Service,
  SQLITE_ONLY,
  startTestService,
} from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { hasOpenSnapshots } from '../../support/open-snapshots.ts'
import { fullOnly } from '../../support/options.ts'
import { waitUntil } from '../../support/worker-service.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const PAGE_BYTES = 16384
/** More than the memory cache accepts as one response: 4 MiB. */
const SCENARIO_COUNT = 2500

/** This store is created once, and copied for each damaged store. */
const UNDAMAGED_FILE = join(createTempFolder(), 'assay.db')
let undamagedStore: Promise<{ id: string; key: string }> | undefined

async function createUndamagedStore() {
  const store = await openStoreAt(`sqlite:${UNDAMAGED_FILE}`)
  const id = await addLargeEvaluation(store, SCENARIO_COUNT)
  const key = await addReadKey(store)
  await store.close()
  return { id, key }
}

/** Copies the undamaged store and overwrites the database pages that `damage` selects from those with scenarios. */
async function createDamagedStore(selectPages: (pages: number[]) => number[]) {
  undamagedStore ??= createUndamagedStore()
  const { id, key } = await undamagedStore
  const file = join(createTempFolder(), 'assay.db')
  copyFileSync(UNDAMAGED_FILE, file)
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare(`SELECT pageno FROM dbstat WHERE name = 'scenario' AND pagetype = 'leaf' ORDER BY path`)
    .all() as { pageno: number }[]
  database.close()
  const handle = openSync(file, 'r+')
  for (const page of selectPages(rows.map(({ pageno }) => pageno))) {
    writeSync(handle, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
  }
  const store = await openStoreAt(`sqlite:${file}`)
  return { store, key, path: `/api/evaluations/${id}/evaluation_scenarios` }
}

const run = promisify(execFile)

/** Downloads with curl and returns its exit code. */
async function downloadWithCurl(url: string, key: string, ...options: string[]): Promise<number> {
  const args = ['-s', '-o', '/dev/null', '-H', `Authorization: ${key}`, ...options, url]
  return run('curl', args).then(
    () => 0,
    (error: { code: number }) => error.code,
  )
}

describe('damaged stores', () => {
  const damagedPages: [name: string, selectPages: (pages: number[]) => number[]][] = [
    ['in the middle', (pages) => [pages[Math.floor(pages.length / 2)] ?? 0]],
    ['with the last row', (pages) => [pages.at(-1) ?? 0]],
  ]
  for (const [name, selectPages] of damagedPages) {
    test(`every client detects a failed response when a page ${name} is damaged`, {
      skip: SQLITE_ONLY || (name !== 'in the middle' && fullOnly('one location is enough')),
    }, async (t) => {
      const { store, key, path } = await createDamagedStore(selectPages)
      const { baseUrl, stop } = await startTestService(store)
      for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
        const headers = { authorization: key, 'accept-encoding': encoding }
        await assert.rejects(sendRequest(baseUrl, path, headers), /aborted|reset|hang up/i, encoding)
      }
      const response = await fetch(baseUrl + path, { headers: { authorization: key } })
      assert.equal(response.status, 200)
      await assert.rejects(response.arrayBuffer(), /terminated/)
      await t.test(
        'curl reports an error over HTTP/1.1 and HTTP/1.0',
        { skip: !isInstalled('curl') && 'curl is not installed' },
        async () => {
          for (const version of ['--http1.1', '--http1.0']) {
            for (const format of ['json', 'ndjson', 'csv']) {
              assert.notEqual(
                await downloadWithCurl(`${baseUrl}${path}?format=${format}`, key, version),
                0,
                `${version} ${format}`,
              )
            }
            assert.equal(
              await downloadWithCurl(`${baseUrl}/livez`, key, version),
              0,
              'the service still responds',
            )
          }
        },
      )
      await stop()
      await store.close()
    })
  }

  test('a read returns 500 or resets the connection when the stored length is wrong', async () => {
    const store = await createTestStore()
    await addIncompressibleEvaluation(store, 'short', 10, 100)
    await addIncompressibleEvaluation(store, 'long', 40, 100_000)
    const key = await addReadKey(store)
    const { baseUrl } = await startTestService(store)
    const read = (id: string) => sendRequest(baseUrl, scenariosPath(id), { authorization: key })
    for (const difference of [-2, 2]) {
      await store.writer.transaction((transaction) =>
        transaction.run('UPDATE evaluation SET body_bytes = body_bytes + ?', difference),
      )
      assert.equal((await read('short')).status, 500)
      await assert.rejects(read('long'), /aborted|reset|hang up/i)
      await store.writer.transaction((transaction) =>
        transaction.run('UPDATE evaluation SET body_bytes = body_bytes - ?', difference),
      )
    }
  })

  test('a read returns 500 without any part of the array when the first page is damaged', {
    skip: SQLITE_ONLY,
  }, async () => {
    const { store, key, path } = await createDamagedStore((pages) => pages.slice(0, 1))
    const { baseUrl, stop } = await startTestService(store)
    for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
      const response = await sendRequest(baseUrl, path, { authorization: key, 'accept-encoding': encoding })
      assert.equal(response.status, 500)
      assert.equal(JSON.parse(response.text).code, 'store-damaged')
      for (const header of ['etag', 'content-encoding', 'link'])
        assert.equal(response.headers[header], undefined)
    }
    await stop()
    await store.close()
  })

  test('HEAD and 304 responses need no undamaged rows', { skip: SQLITE_ONLY }, async () => {
    const { store, key, path } = await createDamagedStore((pages) => pages)
    const { baseUrl, stop } = await startTestService(store)
    const head = await sendRequest(baseUrl, path, { authorization: key }, 'HEAD')
    assert.equal(head.status, 200)
    const conditionalResponse = await sendRequest(baseUrl, path, {
      authorization: key,
      'if-none-match': head.headers.etag ?? '',
    })
    assert.equal(conditionalResponse.status, 304)
    assert.equal((await sendRequest(baseUrl, `${path}?limit=5`, { authorization: key }, 'HEAD')).status, 200)
    assert.equal((await sendRequest(baseUrl, path, { authorization: key })).status, 500)
    await stop()
    await store.close()
  })
})

describe('slow and disconnected clients', async () => {
  const store = await createTestStore()
  const id = 'large'
  // The response has 16 MB, more than socket buffers can store.
  await addIncompressibleEvaluation(store, id, 400, 30_000)
  const key = await addReadKey(store)
  const path = scenariosPath(id)

  test('a client that pauses gets the state at the time of its request, with the matching ETag', async () => {
    const { baseUrl } = await startTestService(store, { max_cache_bytes: 0 })
    const initialResponse = await sendRequest(baseUrl, path, { authorization: key })
    const slowRequest = request(`${baseUrl}${path}`, { headers: { authorization: key }, agent: false })
    slowRequest.end()
    const [response] = await once(slowRequest, 'response')
    // A reset is also an error of the response.
    slowRequest.on('error', () => undefined)
    const firstChunk = await once(response, 'readable').then(() => response.read())
    const evaluation = await store.reader.get<{ key: number }>('SELECT key FROM evaluation WHERE id = ?', id)
    assert.ok(evaluation)
    await store.writer.transaction((transaction) =>
      addScenarios(transaction, evaluation.key, [{ ...scenario(id, 1), id: 'one more' }]),
    )
    const changedResponse = await sendRequest(baseUrl, path, { authorization: key })
    const otherChunks = await Array.fromAsync<Buffer>(response).catch((error) =>
      assert.fail(`the response of the slow client failed: ${error.message}`),
    )
    const bytes = Buffer.concat([firstChunk, ...otherChunks])
    assert.ok(bytes.equals(initialResponse.bytes), 'the slow client got another state')
    assert.equal(response.headers.etag, initialResponse.headers.etag)
    assert.notEqual(changedResponse.headers.etag, initialResponse.headers.etag)
    assert.equal(JSON.parse(changedResponse.text).length, JSON.parse(initialResponse.text).length + 1)
  })

  test('disconnects a client that reads nothing after the stall timeout, and no other client', async () => {
    const service = await startTestService(store, { stall_timeout: 400 })
    const stalledSocket = await openStalledClient(service, path, key)
    const otherResponse = await sendRequest(service.baseUrl, path, { authorization: key })
    assert.equal(otherResponse.status, 200)
    await waitUntil(async () => (await service.countConnections()) === 0)
    // The client can still read what it has received; then it sees a reset, not a normal end.
    const [error] = await once(stalledSocket.resume(), 'error')
    assert.equal(error.code, 'ECONNRESET')
  })

  test('does not disconnect a slow client that still reads', {
    skip: process.platform !== 'linux' && 'only Linux reports how much a client has read',
  }, async () => {
    const service = await startTestService(store, { stall_timeout: 2000 })
    const slowSocket = await openStalledClient(service, path, key)
    let bytesRead = 0
    // 300 kB per second: within the timeout, this is too little for the socket to accept more bytes.
    for (let round = 0; round < 60; round += 1) {
      await delay(100)
      bytesRead += slowSocket.read(30_000)?.length ?? 0
    }
    assert.ok(bytesRead > 300_000, `${bytesRead} bytes`)
    assert.equal(
      await service.countConnections(),
      1,
      'the client was disconnected within three times the timeout',
    )
    slowSocket.destroy()
  })

  test('ends the database read when the client disconnects', async () => {
    const service = await startTestService(store)
    const variants = ['identity', 'gzip', 'br', 'zstd'].flatMap((encoding) =>
      ['json', 'csv'].map((format) => ({ encoding, format })),
    )
    for (const { encoding, format } of variants) {
      const socket = await openStalledClient(service, `${path}?format=${format}`, key, encoding)
      socket.destroy()
    }
    await waitUntil(async () => !(await hasOpenSnapshots(store.url)))
  })
})

/** Sends the request, waits for the first bytes, then reads nothing more. */
async function openStalledClient({ port }: Service, path: string, key: string, encoding = 'identity') {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
  )
  await once(socket, 'readable')
  socket.pause()
  return socket
}
