// Causes every error of the catalog in a real service: each response is a problem document with the right status and without internals.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, type TestContext, test } from 'node:test'
import pg from 'pg'
import { openStoreAt } from '../../../bench/store.ts'
import { ERRORS, type ErrorCode } from '../../../src/errors.ts'
import { generateKey } from '../../../src/schema/keys.ts'
import type { Settings } from '../../../src/settings/settings.ts'
import { query } from '../../postgres/cluster.ts'
import { fillCorpus } from '../../support/corpus.ts'
import {
  createStoreLocation,
  createTestKey,
  ENGINE,
  rawRequest,
  type Service,
  startTestService,
} from '../../support/harness.ts'
import { checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly } from '../../support/options.ts'

const SCENARIOS = '/api/evaluations/full/evaluation_scenarios'
const PAGE_BYTES = 16384
const JSON_HEADERS = { 'content-type': 'application/json' }

interface Subject {
  url: string
  service: Pick<Service, 'baseUrl' | 'port'>
  authorization: string
}

/** Starts a service with its own store. */
async function createSubject(changes: Partial<Settings> = {}, location?: { url: string }): Promise<Subject> {
  const { url } = location ?? (await createStoreLocation())
  const filledStore = await openStoreAt(url)
  await fillCorpus(filledStore)
  const { key } = await createTestKey(filledStore, { scopes: ['read', 'write'] })
  await filledStore.close()
  // A new connection has no pages in its cache.
  const store = await openStoreAt(url, changes)
  const service = await startTestService(store, { max_cache_bytes: 0, ...changes })
  after(() => store.close())
  return { url, service, authorization: key }
}

/** One service for the errors that leave its store as it is. */
const shared = await createSubject({ max_body_bytes: 10_000 })

const send = (
  { service, authorization }: Subject,
  path: string,
  {
    method = 'GET',
    body,
    headers = {},
  }: { method?: string; body?: string; headers?: Record<string, string> } = {},
) =>
  sendRequest(
    service.baseUrl,
    path,
    { authorization, ...(body !== undefined && JSON_HEADERS), ...headers },
    method,
    body,
  )

/** Sends bytes that Node's client would not send, and parses the response. */
async function sendRaw(bytes: string, { service } = shared): Promise<HttpResponse> {
  const response = await rawRequest(service.port, bytes)
  const [head = '', text = ''] = response.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines
    .map((line) => line.split(': '))
    .map(([name = '', value = '']) => [name.toLowerCase(), value])
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    bytes: Buffer.from(text),
    text,
  }
}

/** Changes the database from outside of the service. */
async function change(url: string, sql: string): Promise<void> {
  if (ENGINE === 'postgres') {
    await query(url, sql)
    return
  }
  const database = new DatabaseSync(url.replace('sqlite:', ''))
  database.exec(sql)
  database.close()
}

/** Makes reads of scenarios fail with the error of a damaged store. */
async function damage(url: string): Promise<void> {
  if (ENGINE === 'sqlite') {
    const file = url.replace('sqlite:', '')
    const database = new DatabaseSync(file, { readOnly: true })
    const pages = database.prepare(`SELECT pageno FROM dbstat WHERE name = 'scenario'`).all()
    database.close()
    const handle = openSync(file, 'r+')
    for (const { pageno } of pages)
      writeSync(handle, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (Number(pageno) - 1) * PAGE_BYTES)
    return closeSync(handle)
  }
  await change(
    url,
    `CREATE FUNCTION damaged() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'invalid page' USING ERRCODE = 'XX001'; END $$;
     ALTER TABLE scenario RENAME TO other; CREATE VIEW scenario AS SELECT evaluation, position, id, damaged() AS body FROM other`,
  )
}

type Trigger = (t: TestContext) => Promise<HttpResponse | string>

/** A trigger returns the response, or the reason why this engine or machine cannot have this error. */
const TRIGGERS: Record<ErrorCode, Trigger> = {
  'invalid-json': () => send(shared, SCENARIOS, { method: 'POST', body: '[{' }),
  'invalid-request': () => sendRaw('GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'),
  unauthorized: () => sendRequest(shared.service.baseUrl, SCENARIOS),
  'access-denied': () => send(shared, '/api/evaluations/foreign'),
  'evaluation-not-found': () => send(shared, '/api/evaluations/none'),
  'variant-not-found': () => send(shared, '/api/variants/none'),
  'review-not-found': () => send(shared, '/api/reviews/none'),
  'scenario-not-found': () => send(shared, `${SCENARIOS}/none`),
  'evaluator-not-found': () =>
    send(shared, '/api/evaluations/full/results?evaluator=none', { method: 'DELETE' }),
  'result-not-found': () => send(shared, `${SCENARIOS}/s-0/results/none`, { method: 'DELETE' }),
  'revision-not-found': () => send(shared, '/api/variants/full/revisions/999'),
  'share-not-found': () => send(shared, '/api/shares/aaaaaaaaaaaa', { method: 'DELETE' }),
  'route-not-found': () => send(shared, '/api/nowhere'),
  'method-not-allowed': () => send(shared, '/api/evaluations', { method: 'DELETE' }),
  'not-acceptable': () => send(shared, SCENARIOS, { headers: { accept: 'image/png' } }),
  'request-timeout': async () =>
    sendRaw('GET /livez HTTP/1.1\r\nHost: x\r\n', await createSubject({ stall_timeout: 500 })),
  conflict: async () => {
    await send(shared, '/api/evaluations/c/evaluation_scenarios', { method: 'POST', body: '[{"id":"1"}]' })
    return send(shared, '/api/evaluations/c/evaluation_scenarios', {
      method: 'POST',
      body: '[{"id":"1","extra":{"a":1}}]',
    })
  },
  'cursor-expired': async () => {
    const changes = JSON.parse((await send(shared, '/api/changes?limit=1')).text) as { cursor: string }[]
    return send(await createSubject(), `/api/changes?after=${changes[0]?.cursor}`)
  },
  'precondition-failed': () =>
    send(shared, '/api/evaluations/full', {
      method: 'PATCH',
      body: '{"name":"x"}',
      headers: { 'if-match': '"x"' },
    }),
  'content-too-large': () =>
    send(shared, SCENARIOS, { method: 'POST', body: JSON.stringify([{ note: 'x'.repeat(20_000) }]) }),
  'uri-too-long': () => sendRaw(`GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
  'unsupported-media-type': () =>
    send(shared, SCENARIOS, { method: 'POST', body: '[]', headers: { 'content-type': 'text/plain' } }),
  'expectation-failed': () =>
    sendRaw('GET /livez HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n'),
  'invalid-content': () => send(shared, SCENARIOS, { method: 'POST', body: '[{"unknown":1}]' }),
  async 'nothing-to-rank'() {
    await send(shared, '/api/evaluations/unscored/evaluation_scenarios', {
      method: 'POST',
      body: '[{"id":"1"}]',
    })
    return send(shared, '/api/leaderboards?evaluation=full&evaluation=unscored')
  },
  'too-many-requests': async () => {
    const sendInvalidKey = () => send(shared, SCENARIOS, { headers: { authorization: generateKey().key } })
    // Several at a time: the limit is per minute, and a busy machine can take longer for one after the other.
    for (;;) {
      const responses = await Promise.all(Array.from({ length: 50 }, sendInvalidKey))
      const rejected = responses.find(({ status }) => status !== 401)
      if (rejected) return rejected
    }
  },
  'too-many-queries': async (t) => {
    if (ENGINE === 'sqlite') return 'PostgreSQL only: queries of this small SQLite store are too fast'
    const subject = await createSubject({ query_timeout: 5000 })
    await lockTables(t, subject)
    const sendQuery = () => send(subject, '/api/evaluations/full/summary')
    // Queries that take a while count as slow. Then one key can have only a few of them.
    await sendQuery()
    const responses = await Promise.all(Array.from({ length: 20 }, sendQuery))
    return responses.find(({ status }) => status === 429) ?? assert.fail('no query was rejected')
  },
  'header-fields-too-large': () => sendRaw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
  'internal-error': async () => {
    // The number of stored bytes is wrong, so the response would not have its Content-Length.
    const changeLength = (difference: number) =>
      change(shared.url, `UPDATE evaluation SET body_bytes = body_bytes + ${difference}`)
    await changeLength(2)
    const response = await send(shared, SCENARIOS)
    await changeLength(-2)
    return response
  },
  'store-damaged': async () => {
    const subject = await createSubject()
    await damage(subject.url)
    return send(subject, SCENARIOS)
  },
  'not-implemented': () =>
    sendRaw(
      'POST /api/evaluations HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    ),
  unavailable: async (t) => {
    const skip = ENGINE === 'sqlite' && fullOnly('a write waits for a minute')
    if (skip) return skip
    const subject = await createSubject({ statement_timeout: 500 })
    await lockTables(t, subject)
    return send(subject, SCENARIOS, { method: 'POST', body: '[{"id":"new"}]' })
  },
  'query-timeout': async (t) => {
    // SQLite starts a thread for the first query, which takes longer.
    const subject = await createSubject({ query_timeout: ENGINE === 'sqlite' ? 1 : 300 })
    if (ENGINE === 'postgres') await lockTables(t, subject)
    return send(subject, '/api/evaluations/full/summary')
  },
  'insufficient-storage': async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-small-'))
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder])
    t.after(() => {
      spawnSync('umount', ['-l', folder])
      rmdirSync(folder)
    })
    if (status !== 0) return 'mounting a small disk needs root'
    const location = ENGINE === 'sqlite' ? { url: `sqlite:${join(folder, 'assay.db')}` } : undefined
    const subject = await createSubject({ data: folder }, location)
    const record = `{"note":"${'x'.repeat(1000)}"}`
    assert.throws(() => writeFileSync(join(folder, 'filler'), Buffer.alloc(8_000_000)), { code: 'ENOSPC' })
    return send(subject, SCENARIOS, { method: 'POST', body: `[${Array(6000).fill(record)}]` })
  },
}

/** Locks the tables that writes and queries need, until the end of the test. */
async function lockTables(t: TestContext, { url }: Subject): Promise<void> {
  if (ENGINE === 'sqlite') {
    const database = new DatabaseSync(url.replace('sqlite:', ''))
    t.after(() => database.close())
    database.exec('BEGIN IMMEDIATE')
    return
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  await client.query('BEGIN; LOCK TABLE scenario, measure IN ACCESS EXCLUSIVE MODE')
}

for (const [code, trigger] of Object.entries(TRIGGERS) as [ErrorCode, Trigger][]) {
  test(`${code} is a problem document with status ${ERRORS[code].status}`, async (t) => {
    const response = await trigger(t)
    if (typeof response === 'string') return t.skip(response)
    checkProblem(response, ERRORS[code].status, code)
    const { headers } = response
    assert.equal(headers['www-authenticate'] !== undefined, code === 'unauthorized')
    if (['too-many-requests', 'too-many-queries', 'unavailable', 'insufficient-storage'].includes(code))
      assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/)
    assert.ok(!response.text.includes(tmpdir()), response.text)
    reportMeasurements(t, { cases: 1, leaked: 0 })
  })
}
