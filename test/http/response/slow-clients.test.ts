// Slow clients get the complete response as of the time of their request, and do not keep a
// database snapshot open.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceProcess } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { query } from '../../postgres/cluster.ts'
import { addIncompressibleEvaluation } from '../../support/corpus.ts'
import { createStoreLocation, createTestKey, ENGINE, spawnServer } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { fullOnly } from '../../support/options.ts'
import { JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

/** The response has about 16 MB, more than socket buffers can store: base64 encodes 12,000 bytes as 16,000 characters. */
const SCENARIO_COUNT = 1000
const NOTE_BYTES = 12_000
const PAUSE_MS = 2000
/** The longest time that a client that reads nothing can keep a snapshot open. */
const MAX_SNAPSHOT_MS = 3000

describe('slow clients', async () => {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  await addIncompressibleEvaluation(store, 'large', SCENARIO_COUNT, NOTE_BYTES)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()
  const path = scenariosPath('large')

  interface ResponseVariant {
    encoding: string
    format: string
  }

  const readFast = ({ baseUrl }: ServiceProcess, { encoding, format }: ResponseVariant) =>
    sendRequest(baseUrl, `${path}?format=${format}`, { authorization: key, 'accept-encoding': encoding })

  /** Appends a scenario and changes the last one, which slow clients have not received yet. */
  async function changeEvaluation({ baseUrl }: ServiceProcess, id: string): Promise<void> {
    const headers = { authorization: key, 'content-type': JSON_TYPE }
    const appendResponse = await sendRequest(baseUrl, path, headers, 'POST', JSON.stringify([{ id }]))
    assert.equal(appendResponse.status, 201, appendResponse.text)
    const patchResponse = await sendRequest(
      baseUrl,
      `${path}/s-${SCENARIO_COUNT - 1}`,
      headers,
      'PATCH',
      JSON.stringify({ note: id }),
    )
    assert.equal(patchResponse.status, 200, patchResponse.text)
  }

  /** Whether no snapshot is open. An open one blocks the SQLite checkpoint, or shows as a transaction in PostgreSQL. */
  async function hasNoSnapshot(): Promise<boolean> {
    if (ENGINE === 'postgres') {
      const openSnapshots = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'assay' AND xact_start IS NOT NULL`
      return (await query(url, openSnapshots)).length === 0
    }
    const database = new DatabaseSync(url.replace('sqlite:', ''))
    const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
    database.close()
    return row.busy === 0
  }

  /** Reads a part of the response slowly. */
  type SlowRead = (response: IncomingMessage) => Promise<Buffer[]>

  /** Reads the first bytes, then pauses. */
  const readThenPause: SlowRead = async (response) => {
    await once(response, 'readable')
    const firstChunk = response.read(1000)
    await delay(PAUSE_MS)
    return firstChunk ? [firstChunk] : []
  }

  /** Reads 10 kB at a time, which is about half a megabyte per second. */
  const readInSmallChunks: SlowRead = async (response) => {
    const chunks: Buffer[] = []
    for (const deadline = performance.now() + PAUSE_MS; performance.now() < deadline; await delay(20)) {
      const chunk = response.read(10_000)
      if (chunk) chunks.push(chunk)
    }
    return chunks
  }

  async function readSlowly(
    { baseUrl }: ServiceProcess,
    { encoding, format }: ResponseVariant,
    slowRead: SlowRead,
    onStart?: () => void,
  ) {
    const headers = { authorization: key, 'accept-encoding': encoding }
    const clientRequest = request(`${baseUrl}${path}?format=${format}`, { headers, agent: false })
    clientRequest.end()
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
    onStart?.()
    const chunks = await slowRead(response)
    for await (const chunk of response) chunks.push(chunk)
    return { bytes: Buffer.concat(chunks), headers: response.headers }
  }

  const READERS: (ResponseVariant & { slowRead: SlowRead })[] = [
    { encoding: 'identity', format: 'json', slowRead: readThenPause },
    { encoding: 'identity', format: 'ndjson', slowRead: readInSmallChunks },
    { encoding: 'gzip', format: 'json', slowRead: readThenPause },
    { encoding: 'zstd', format: 'csv', slowRead: readInSmallChunks },
  ]

  test('a client that reads nothing does not keep a snapshot open', async (t) => {
    const service = await spawnServer(flags)
    const start = performance.now()
    let openMs = 0
    await readSlowly(service, { encoding: 'identity', format: 'json' }, async (response) => {
      await once(response, 'readable')
      // Without a new write, the SQLite checkpoint always succeeds.
      await changeEvaluation(service, 'one more')
      assert.ok(!(await hasNoSnapshot()), 'the snapshot is already closed')
      while (!(await hasNoSnapshot())) {
        assert.ok(
          performance.now() - start < MAX_SNAPSHOT_MS,
          `a snapshot is open for more than ${MAX_SNAPSHOT_MS} ms`,
        )
        await delay(20)
      }
      openMs = performance.now() - start
      return []
    })
    t.diagnostic(`${Math.round(openMs)} ms`)
  })

  const PARTIAL = 'a part of the response'
  for (const [buffered, bytes] of [
    ['the whole response', 1_000_000_000],
    // The source waits for the client after the buffer is full.
    [PARTIAL, 5_000_000],
    ['nothing', 0],
  ] as const) {
    test(`slow clients get the response from before a change, with disk space for ${buffered}`, {
      skip: buffered !== PARTIAL && fullOnly('one limit is enough'),
    }, async () => {
      const service = await spawnServer([...flags, '--max-buffer-bytes', String(bytes)])
      const initialResponses = await Promise.all(READERS.map((reader) => readFast(service, reader)))
      let startedCount = 0
      const reading = Promise.all(
        READERS.map(({ slowRead, ...variant }) =>
          readSlowly(service, variant, slowRead, () => {
            startedCount += 1
          }),
        ),
      )
      // Prevents an unhandled rejection if the test fails earlier.
      reading.catch(() => undefined)
      while (startedCount < READERS.length) await delay(10)
      await changeEvaluation(service, buffered)
      for (const [index, slowResponse] of (await reading).entries()) {
        const fastResponse = initialResponses[index]
        assert.ok(
          fastResponse && slowResponse.bytes.equals(fastResponse.bytes),
          `${slowResponse.bytes.length} bytes differ`,
        )
        assert.equal(slowResponse.headers.etag, fastResponse.headers.etag)
      }
      const changedResponse = await readFast(service, { encoding: 'identity', format: 'json' })
      assert.notEqual(changedResponse.headers.etag, initialResponses[0]?.headers.etag)
      assert.doesNotMatch(service.stderr(), /Warning/)
    })
  }
})
