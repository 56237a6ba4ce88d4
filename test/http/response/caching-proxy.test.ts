// Reads through nginx with a cache: every response must be fresh, in the requested encoding, and of the key's project.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStoreAt } from '../../../bench/store.ts'
import { sizes } from '../../sizes.ts'
import { createStoreLocation, createTestKey, spawnServer } from '../../support/harness.ts'
import { type HttpResponse, sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { startDefaultNginx, WITHOUT_NGINX } from '../../support/nginx.ts'
import { JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

const ROUNDS = sizes.stale_rounds
const ENCODINGS = ['identity', 'gzip', 'br', 'zstd']
const FORMATS = ['json', 'ndjson', 'csv']
/** Caches whatever the service allows, does not distinguish clients, and forwards the ETags of clients. */
const CACHE = `proxy_cache cache; proxy_cache_valid 10m; proxy_cache_revalidate on; proxy_cache_key $uri$is_args$args;
  proxy_set_header Accept-Encoding $http_accept_encoding; proxy_set_header If-None-Match $http_if_none_match; proxy_http_version 1.1;`

test(`each of ${ROUNDS} writes is visible in the next response through a caching nginx`, {
  skip: WITHOUT_NGINX,
}, async (t) => {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  const scopes = ['read', 'write'] as const
  const keys = [
    (await createTestKey(store, { scopes: [...scopes] })).key,
    (await createTestKey(store, { scopes: [...scopes], project: 'other' })).key,
  ]
  await store.close()
  const service = await spawnServer([...flags, '--log-level', 'silent'])
  const proxyUrl = await startDefaultNginx(new URL(service.baseUrl).host, CACHE)
  const path = scenariosPath('e')

  /** The number of the last write of each project, and the content of each ETag. */
  const lastWrites = keys.map(() => -1)
  const contents = new Map<string, string>()
  const etags = new Map<string, string>()
  const counts = { responses: 0, unchanged: 0 }

  async function write(project: number, number: number): Promise<void> {
    const headers = { authorization: keys[project] ?? '', 'content-type': JSON_TYPE }
    const body = JSON.stringify([{ id: `${project}:${number}`, note: 'x'.repeat(200) }])
    const { status, text } = await sendRequest(proxyUrl, path, headers, 'POST', body)
    assert.equal(status, 201, text)
    lastWrites[project] = number
  }

  /** Reads through the proxy, with the ETag that this client has, and checks content and encoding. */
  async function read(
    project: number,
    format: string,
    encoding: string,
    isConditional: boolean,
  ): Promise<void> {
    const client = `${project} ${format} ${encoding}`
    const etag = isConditional ? etags.get(client) : undefined
    const response: HttpResponse = await sendRequest(proxyUrl, `${path}?format=${format}`, {
      authorization: keys[project] ?? '',
      'accept-encoding': encoding,
      ...(etag !== undefined && { 'if-none-match': etag }),
    })
    counts.responses += 1
    const text = response.status === 304 ? (contents.get(etag ?? '') ?? '') : response.text
    if (response.status === 304) counts.unchanged += 1
    else {
      assert.equal(response.status, 200, response.text)
      assert.equal(response.headers['content-encoding'] ?? 'identity', encoding, client)
      const receivedEtag = response.headers.etag ?? ''
      assert.equal(contents.get(receivedEtag) ?? text, text, 'two different contents have the same ETag')
      contents.set(receivedEtag, text)
      etags.set(client, receivedEtag)
    }
    const last = `${project}:${lastWrites[project]}`
    assert.ok(text.includes(last), `${client}, ${response.status}: the response is older than write ${last}`)
    assert.ok(!text.includes(`${1 - project}:`), `${client}: the response is of the other project`)
  }

  for (let round = 0; round < ROUNDS; round += 1) {
    const project = round % keys.length
    // A new evaluation after every 50 writes keeps the responses short.
    if (round % 50 === 0) {
      for (const authorization of keys)
        await sendRequest(proxyUrl, '/api/evaluations/e', { authorization }, 'DELETE')
      for (const index of keys.keys()) await write(index, round)
    } else await write(project, round)
    const format = FORMATS[round % FORMATS.length] ?? ''
    for (const index of keys.keys())
      await Promise.all(ENCODINGS.map((encoding) => read(index, format, encoding, round % 4 > 0)))
    // Nothing has changed, so clients with an ETag get a 304.
    await Promise.all(ENCODINGS.map((encoding) => read(project, format, encoding, true)))
  }
  reportMeasurements(t, {
    rounds: ROUNDS,
    cases: counts.responses,
    wrong: 0,
    unchanged_responses: counts.unchanged,
  })
  assert.ok(counts.unchanged >= ROUNDS * ENCODINGS.length)
})
