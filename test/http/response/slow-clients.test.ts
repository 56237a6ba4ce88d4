// Slow clients get the complete response as of the time of their request, and do not keep a
// database snapshot open.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, test } from 'node:test'
import type { ServiceProcess } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { addIncompressibleEvaluation } from '../../support/corpus.ts'
import { createStoreLocation, createTestKey, NO_CACHE_FLAGS, spawnServer } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { hasOpenSnapshots } from '../../support/open-snapshots.ts'
import { fullOnly } from '../../support/options.ts'
import { waitUntil } from '../../support/worker-service.ts'
import { JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

/** The response has about 16 MB, more than socket buffers can store: base64 encodes 12,000 bytes as 16,000 characters. */
const SCENARIO_COUNT = 1000
const NOTE_BYTES = 12_000

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

  async function usedBufferBytes({ baseUrl }: ServiceProcess): Promise<number> {
    const { text } = await sendRequest(baseUrl, '/metrics')
    return Number(/^assay_buffer_bytes (\d+)$/m.exec(text)?.[1])
  }

  /** Reads the beginning of a response, and the rest after `pause` has ended. */
  async function readSlowly(
    { baseUrl }: ServiceProcess,
    { encoding, format }: ResponseVariant,
    pause: () => Promise<unknown>,
  ) {
    const headers = { authorization: key, 'accept-encoding': encoding }
    const clientRequest = request(`${baseUrl}${path}?format=${format}`, { headers, agent: false })
    clientRequest.end()
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
    await once(response, 'readable')
    const chunks: Buffer[] = [response.read(1000)]
    await pause()
    for await (const chunk of response) chunks.push(chunk)
    return { bytes: Buffer.concat(chunks), headers: response.headers }
  }

  const VARIANTS: ResponseVariant[] = [
    { encoding: 'identity', format: 'json' },
    { encoding: 'zstd', format: 'csv' },
  ]

  test('a client that reads nothing does not keep a snapshot open', async () => {
    const service = await spawnServer(flags)
    await readSlowly(service, { encoding: 'identity', format: 'json' }, async () => {
      // Without a new write, the SQLite checkpoint always succeeds.
      await changeEvaluation(service, 'one more')
      await waitUntil(async () => !(await hasOpenSnapshots(url)))
    })
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
      const service = await spawnServer([...flags, ...NO_CACHE_FLAGS, '--max-buffer-bytes', String(bytes)])
      const initialResponses = await Promise.all(VARIANTS.map((variant) => readFast(service, variant)))
      const started = VARIANTS.map(() => Promise.withResolvers<void>())
      const change = Promise.all(started.map(({ promise }) => promise)).then(async () => {
        await changeEvaluation(service, buffered)
        // Each response reserves a quarter of a megabyte at its start, and more when its client is slow.
        if (bytes > 0) await waitUntil(async () => (await usedBufferBytes(service)) > 1_000_000)
      })
      const reading = VARIANTS.map((variant, index) =>
        readSlowly(service, variant, () => {
          started[index]?.resolve()
          return change
        }),
      )
      for (const [index, slowResponse] of (await Promise.all(reading)).entries()) {
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
