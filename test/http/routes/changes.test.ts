// Tests the change log: every write operation adds its entries, clients can follow it, and lists have an ETag.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openStoreAt } from '../../../bench/store.ts'
import type { Change } from '../../../src/schema/changes.ts'
import { defaultSettings } from '../../../src/settings/settings.ts'
import { deleteOldChanges } from '../../../src/store/changes/retention.ts'
import { restoreStore } from '../../../src/store/restore.ts'
import {
  createTempFolder,
  createTestKey,
  createTestStore,
  SQLITE_ONLY,
  startTestService,
} from '../../support/harness.ts'
import {
  checkDocumented,
  checkProblem,
  type HttpResponse,
  schemaErrors,
  sendRequest,
} from '../../support/http.ts'

const store = await createTestStore()
const { key, public_id } = await createTestKey(store, { scopes: ['read', 'write'] })
const service = await startTestService(store)

interface RequestOptions {
  body?: string
  headers?: Record<string, string>
  baseUrl?: string
}

async function send(
  method: string,
  path: string,
  { body, headers = {}, baseUrl = service.baseUrl }: RequestOptions = {},
): Promise<HttpResponse> {
  const type = body !== undefined && { 'content-type': 'application/json' }
  const response = await sendRequest(
    baseUrl,
    `/api${path}`,
    { authorization: key, ...type, ...headers },
    method,
    body,
  )
  checkDocumented(`/api${path}`, response, method)
  return response
}

async function readChanges(query = '', baseUrl = service.baseUrl): Promise<Change[]> {
  const { status, text } = await send('GET', `/changes${query}`, { baseUrl })
  assert.equal(status, 200, text)
  const changes = JSON.parse(text) as Change[]
  for (const change of changes) assert.deepEqual(schemaErrors('Change', change), [])
  return changes
}

async function readCursor(): Promise<string> {
  return (await readChanges()).at(-1)?.cursor ?? ''
}

/** Runs `work`, and returns the changes since then without their times and random members. */
async function changesOf(work: () => Promise<unknown>): Promise<object[]> {
  const cursor = await readCursor()
  await work()
  const changes = await readChanges(`?after=${cursor}`)
  return changes.map(({ action, evaluation_id, scenario_id, review_id, variant_id, revision, counts }) => {
    const subject = { evaluation_id, scenario_id, review_id, variant_id, revision }
    const members = Object.entries(subject).filter(([, value]) => value !== null)
    return { action, ...Object.fromEntries(members), ...(Object.keys(counts).length > 0 && { counts }) }
  })
}

/** All actions since then in the log of the project, with those about keys. */
async function auditedActionsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { last } = (await store.reader.get<{ last: number }>('SELECT max(sequence) AS last FROM change')) ?? {
    last: 0,
  }
  await work()
  const rows = await store.reader.all<{ action: string; key_id: string; address: string | null }>(
    'SELECT action, key_id, address FROM change WHERE sequence > ? ORDER BY sequence',
    last,
  )
  for (const { key_id, address } of rows) assert.deepEqual([key_id, address], [public_id, '127.0.0.1'])
  return rows.map(({ action }) => action)
}

const REVISION = '{"modified_by":"Ana","config":{"config_name":"c"}}'
await send('POST', '/evaluations/first/evaluation_scenarios', { body: '[{"id":"a"},{"id":"b"}]' })
await send('POST', '/variants/first/revisions', { body: REVISION })

describe('GET /changes rejects', () => {
  const cases: [query: string, status: number, code: string][] = [
    ['?after=x', 400, 'invalid-request'],
    ['?after=', 400, 'invalid-request'],
    ['?limit=0', 400, 'invalid-request'],
    ['?limit=1001', 400, 'invalid-request'],
    ['?format=csv', 400, 'invalid-request'],
    ['?cursor=x', 400, 'invalid-request'],
  ]
  for (const [query, status, code] of cases) {
    test(`${query} with ${status}`, async () => {
      checkProblem(await send('GET', `/changes${query}`), status, code)
    })
  }

  test('cursors of other lists and of other projects with 400', async () => {
    await send('POST', '/variants', { body: '{"id":"second"}' })
    const { link } = (await send('GET', '/variants?limit=1')).headers
    const [, cursor] = /cursor=([^>&]+)/.exec(String(link)) ?? []
    checkProblem(await send('GET', `/changes?after=${cursor}`), 400, 'invalid-request')
    const otherKey = await createTestKey(store, { project: 'other', scopes: ['read', 'write'] })
    const headers = { authorization: otherKey.key }
    await send('POST', '/variants', { body: '{"id":"v"}', headers })
    const [change] = JSON.parse((await send('GET', '/changes', { headers })).text) as Change[]
    checkProblem(await send('GET', `/changes?after=${change?.cursor}`), 400, 'invalid-request')
  })
})

/** A request of each write operation, and the entries that it adds. A new write operation must be added here. */
const WRITES: Record<string, { path: string; body?: string; expected: object[] | { audited: string[] } }> = {
  addEvaluation: {
    path: '/evaluations',
    body: '{"id":"e"}',
    expected: [{ action: 'evaluation.created', evaluation_id: 'e' }],
  },
  changeEvaluation: {
    path: '/evaluations/e',
    body: '{"name":"new"}',
    expected: [{ action: 'evaluation.updated', evaluation_id: 'e' }],
  },
  appendEvaluationScenarios: {
    path: '/evaluations/e/evaluation_scenarios',
    body: '[{"id":"a"},{"id":"b"},{"id":"c","note":"n"}]',
    expected: [{ action: 'scenarios.appended', evaluation_id: 'e', counts: { scenarios: 3 } }],
  },
  markEvaluationScenario: {
    path: '/evaluations/e/evaluation_scenarios/a',
    body: '{"note":"n"}',
    expected: [
      { action: 'scenario.updated', evaluation_id: 'e', scenario_id: 'a', counts: { scenarios: 1 } },
    ],
  },
  addResults: {
    path: '/evaluations/e/results',
    body: '[{"scenario_id":"a","evaluator_config":"x","result":{"type":"bool","value":true}},{"scenario_id":"b","evaluator_config":"x","result":{"type":"bool","value":false}}]',
    expected: [{ action: 'results.added', evaluation_id: 'e', counts: { results: 2, scenarios: 2 } }],
  },
  deleteScenarioResult: {
    path: '/evaluations/e/evaluation_scenarios/a/results/x',
    expected: [
      {
        action: 'results.deleted',
        evaluation_id: 'e',
        scenario_id: 'a',
        counts: { results: 1, scenarios: 1 },
      },
    ],
  },
  deleteResults: {
    path: '/evaluations/e/results?evaluator=x',
    expected: [{ action: 'results.deleted', evaluation_id: 'e', counts: { results: 1, scenarios: 1 } }],
  },
  replaceEvaluationScenario: {
    path: '/evaluations/e/evaluation_scenarios/a',
    body: '{"extra":{}}',
    expected: [
      { action: 'scenario.updated', evaluation_id: 'e', scenario_id: 'a', counts: { scenarios: 1 } },
    ],
  },
  deleteEvaluationScenario: {
    path: '/evaluations/e/evaluation_scenarios/a',
    expected: [
      { action: 'scenario.deleted', evaluation_id: 'e', scenario_id: 'a', counts: { scenarios: 1 } },
    ],
  },
  deleteEvaluationScenarios: {
    path: '/evaluations/e/evaluation_scenarios?note=is.present',
    expected: [{ action: 'scenario.deleted', evaluation_id: 'e', counts: { scenarios: 1 } }],
  },
  createReview: {
    path: '/evaluations/e/reviews',
    body: '{"id":"r","questions":[{"evaluator":"people","type":"verdict"}]}',
    expected: [
      { action: 'evaluation.updated', evaluation_id: 'e' },
      { action: 'review.created', evaluation_id: 'e', review_id: 'r' },
    ],
  },
  createComparisonReview: {
    path: '/comparisons/reviews',
    body: '{"id":"pairs","evaluations":["first","e"],"questions":[{"evaluator":"better","type":"preference"}]}',
    expected: [
      { action: 'evaluation.updated', evaluation_id: 'e' },
      { action: 'review.created', evaluation_id: 'e', review_id: 'pairs' },
    ],
  },
  changeReview: {
    path: '/reviews/r',
    body: '{"name":"new"}',
    expected: [{ action: 'review.updated', evaluation_id: 'e', review_id: 'r' }],
  },
  putReviewAnswers: {
    path: '/reviews/r/answers/b',
    body: '{"answers":[{"evaluator":"people","value":true,"labels":["late"]}]}',
    expected: [
      { action: 'answers.added', evaluation_id: 'e', scenario_id: 'b', counts: { answers: 1 } },
      { action: 'results.added', evaluation_id: 'e', counts: { results: 1, scenarios: 1 } },
    ],
  },
  mergeReviewLabels: {
    path: '/reviews/r/labels',
    body: '{"evaluator":"people","labels":["late"],"to":"slow"}',
    expected: [{ action: 'answers.updated', evaluation_id: 'e', scenario_id: 'b', counts: { answers: 1 } }],
  },
  deleteReviewAnswers: {
    path: '/reviews/r/answers/b',
    expected: [
      { action: 'answers.deleted', evaluation_id: 'e', scenario_id: 'b', counts: { answers: 1 } },
      {
        action: 'results.deleted',
        evaluation_id: 'e',
        scenario_id: 'b',
        counts: { results: 1, scenarios: 1 },
      },
    ],
  },
  deleteReview: {
    path: '/reviews/r',
    expected: [{ action: 'review.deleted', evaluation_id: 'e', review_id: 'r' }],
  },
  deleteEvaluation: {
    path: '/evaluations/e',
    expected: [{ action: 'evaluation.deleted', evaluation_id: 'e', counts: { scenarios: 1 } }],
  },
  addVariant: {
    path: '/variants',
    body: '{"id":"e"}',
    expected: [{ action: 'variant.created', variant_id: 'e' }],
  },
  changeVariant: {
    path: '/variants/e',
    body: '{"name":"new"}',
    expected: [{ action: 'variant.updated', variant_id: 'e' }],
  },
  addVariantRevision: {
    path: '/variants/e/revisions',
    body: REVISION,
    expected: [{ action: 'revision.created', variant_id: 'e', revision: 1, counts: { revisions: 1 } }],
  },
  deleteVariantRevision: {
    path: '/variants/e/revisions/1',
    expected: [{ action: 'revision.deleted', variant_id: 'e', revision: 1, counts: { revisions: 1 } }],
  },
  deleteVariant: {
    path: '/variants/e',
    expected: [{ action: 'variant.deleted', variant_id: 'e' }],
  },
  importFile: {
    path: '/imports?format=scenarios&evaluation=imported',
    body: '{"id":"a"}\n{"id":"b"}\n',
    expected: [
      { action: 'evaluation.created', evaluation_id: 'imported' },
      { action: 'scenarios.appended', evaluation_id: 'imported', counts: { scenarios: 2 } },
    ],
  },
  createShare: {
    path: '/shares',
    body: '{"confined_to":{"evaluation_id":"first"}}',
    expected: { audited: ['share.created'] },
  },
  revokeShare: { path: '/shares/PUBLIC_ID', expected: { audited: ['share.revoked'] } },
}

test('every write operation adds its entries', async () => {
  const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((item) =>
    Object.entries(item).map(([method, { operationId }]) => [operationId, method.toUpperCase()] as const),
  )
  const methods = new Map(operations.filter(([, method]) => method !== 'GET'))
  assert.deepEqual([...methods.keys()].sort(), Object.keys(WRITES).sort())
  let shareId = ''
  for (const [id, { path, body, expected }] of Object.entries(WRITES)) {
    const work = async () => {
      const headers = id === 'importFile' ? { 'content-type': 'application/octet-stream' } : {}
      const options = { headers, ...(body !== undefined && { body }) }
      const response = await send(methods.get(id) ?? '', path.replace('PUBLIC_ID', shareId), options)
      assert.ok(response.status < 300, `${id}: ${response.text}`)
      if (id === 'createShare') shareId = JSON.parse(response.text).public_id
    }
    if (Array.isArray(expected)) assert.deepEqual(await changesOf(work), expected, id)
    else assert.deepEqual(await auditedActionsOf(work), expected.audited, id)
  }
})

test('a write whose log entry cannot be stored returns 500, stores nothing and can be repeated', async () => {
  const created = await createTestStore()
  const { key: authorization } = await createTestKey(created, { scopes: ['read', 'write'] })
  const { baseUrl } = await startTestService(created)
  const headers = { authorization, 'idempotency-key': 'k' }
  const write = () => send('POST', '/variants', { baseUrl, headers, body: '{"id":"a"}' })
  const rename = (from: string, to: string) =>
    created.writer.transaction((transaction) => transaction.run(`ALTER TABLE ${from} RENAME TO ${to}`))
  // The entry is added with the last statement before the commit, so this fails the commit.
  await rename('change', 'hidden')
  assert.equal((await write()).status, 500)
  assert.equal((await send('GET', '/variants/a', { baseUrl, headers: { authorization } })).status, 404)
  await rename('hidden', 'change')
  const { status, headers: writeHeaders } = await write()
  assert.equal(status, 201)
  const variant = await send('GET', '/variants/a', { baseUrl, headers: { authorization } })
  assert.deepEqual([variant.status, variant.headers.etag], [200, writeHeaders.etag])
  const changes = await created.reader.all<{ action: string }>('SELECT action FROM change ORDER BY sequence')
  assert.deepEqual(
    changes.map(({ action }) => action),
    ['key.created', 'variant.created'],
  )
})

test('a client reads only the entries of its own project', async () => {
  const otherKey = await createTestKey(store, { project: 'separate', scopes: ['read', 'write'] })
  const headers = { authorization: otherKey.key }
  await send('POST', '/variants', { body: '{"id":"separate"}', headers })
  const changes = JSON.parse((await send('GET', '/changes', { headers })).text) as Change[]
  assert.deepEqual(
    changes.map(({ variant_id }) => variant_id),
    ['separate'],
  )
  assert.ok((await readChanges()).every(({ variant_id }) => variant_id !== 'separate'))
})

test('entries about keys are not returned', async () => {
  const changes = await changesOf(async () => {
    await createTestKey(store)
    await send('POST', '/shares', { body: '{"confined_to":{"evaluation_id":"first"}}' })
  })
  assert.deepEqual(changes, [])
})

test('one transaction adds one entry per action and subject', async () => {
  const lines = [1, 2].map((revision) =>
    JSON.stringify({ revision, modified_by: 'Ana', config: { config_name: 'c' } }),
  )
  const changes = await changesOf(() =>
    send('POST', '/imports?format=revisions&variant=several', {
      body: `${lines.join('\n')}\n`,
      headers: { 'content-type': 'application/octet-stream' },
    }),
  )
  assert.deepEqual(changes, [
    { action: 'variant.created', variant_id: 'several' },
    { action: 'revision.created', variant_id: 'several', counts: { revisions: 2 } },
  ])
  const [created, appended] = (await readChanges()).slice(-2)
  assert.equal(created?.version, appended?.version)
  const { etag = '' } = (await send('GET', '/variants/several')).headers
  assert.ok(etag.startsWith(`"${created?.version}-`), etag)
})

test('a write without effect adds no entry and keeps the ETag of lists', async () => {
  const scenarios = '/evaluations/first/evaluation_scenarios'
  const headers = { 'idempotency-key': 'once' }
  await send('POST', '/evaluations', { body: '{"id":"repeated","name":"n"}', headers })
  await send('PATCH', `${scenarios}/a`, { body: '{"is_pinned":true}' })
  const { etag } = (await send('GET', '/evaluations')).headers
  const changes = await changesOf(async () => {
    const requests: [number, string, string, RequestOptions?][] = [
      [201, 'POST', scenarios, { body: '[{"id":"a"},{"id":"b"}]' }],
      [201, 'POST', '/evaluations', { body: '{"id":"repeated","name":"n"}' }],
      [201, 'POST', '/evaluations', { body: '{"id":"repeated","name":"n"}', headers }],
      [
        200,
        'PATCH',
        '/evaluations/repeated',
        { body: '{"name":"n","metadata":null,"status":"finished","expected_count":null,"tags":[]}' },
      ],
      [200, 'PATCH', '/variants/first', { body: '{"name":"first"}' }],
      [200, 'PATCH', '/variants/first', { body: '{}' }],
      [200, 'PATCH', '/evaluations/repeated', { body: '{}' }],
      [200, 'PATCH', `${scenarios}/a`, { body: '{"is_pinned":true}' }],
      [201, 'POST', '/variants/first/revisions', { body: REVISION.replace('{', '{"revision":1,') }],
      [409, 'POST', '/evaluations', { body: '{"id":"repeated","name":"other"}' }],
      [
        409,
        'POST',
        scenarios,
        { body: '[{"id":"new"},{"id":"a","note":"x","inputs":[{"name":"i","type":"t","value":1}]}]' },
      ],
      [422, 'PATCH', '/evaluations/repeated', { body: '{"variant_id":"unknown"}' }],
      [404, 'DELETE', '/evaluations/unknown'],
      [
        200,
        'POST',
        '/imports?format=scenarios&evaluation=dry&dry_run=true',
        { body: '{"id":"a"}\n', headers: { 'content-type': 'application/octet-stream' } },
      ],
    ]
    for (const [status, method, path, options] of requests) {
      const response = await send(method, path, options)
      assert.equal(response.status, status, `${method} ${path}: ${response.text}`)
    }
  })
  assert.deepEqual(changes, [])
  assert.equal((await send('GET', '/evaluations')).headers.etag, etag)
})

test('pages, NDJSON and cursors return the same entries in ascending order', async () => {
  const changes = await readChanges()
  const sequences = changes.map(({ sequence }) => sequence)
  assert.deepEqual(
    sequences,
    [...new Set(sequences)].sort((a, b) => a - b),
  )
  const pages: Change[] = []
  for (let path: string | undefined = '/changes?limit=2'; path; ) {
    const { text, headers } = await send('GET', path)
    pages.push(...(JSON.parse(text) as Change[]))
    path = /<\/api(.*)>; rel="next"/.exec(String(headers.link))?.[1]
  }
  assert.deepEqual(pages, changes)
  const { text } = await send('GET', '/changes?format=ndjson')
  assert.equal(text, changes.map((change) => `${JSON.stringify(change)}\n`).join(''))
  const middle = changes[3]
  assert.deepEqual(await readChanges(`?after=${middle?.cursor}`), changes.slice(4))
})

test('polling returns 304 until something changes', async () => {
  const path = `/changes?after=${await readCursor()}`
  const { etag = '' } = (await send('GET', path)).headers
  const poll = () => send('GET', path, { headers: { 'if-none-match': etag } })
  assert.equal((await poll()).status, 304)
  await send('PATCH', '/evaluations/first', { body: '{"name":"polled"}' })
  const response = await poll()
  assert.equal(response.status, 200)
  assert.equal((JSON.parse(response.text) as Change[])[0]?.action, 'evaluation.updated')
})

describe('the ETag of a list', () => {
  const LISTS = [
    '/evaluations',
    '/evaluations?include=scores',
    '/evaluations?name=contains.n&limit=1',
    '/variants',
  ]
  const readEtags = () => Promise.all(LISTS.map(async (path) => (await send('GET', path)).headers.etag ?? ''))

  test('differs for each query, and If-None-Match returns 304', async () => {
    const etags = await readEtags()
    assert.equal(new Set(etags).size, LISTS.length)
    for (const [index, path] of LISTS.entries()) {
      for (const method of ['GET', 'HEAD']) {
        const response = await send(method, path, { headers: { 'if-none-match': etags[index] ?? '' } })
        assert.deepEqual([response.status, response.text], [304, ''], path)
      }
    }
  })

  test('changes with every write, and not with writes of another project', async () => {
    const otherKey = await createTestKey(store, { project: 'other', scopes: ['read', 'write'] })
    const writes: [method: string, path: string, body?: string][] = [
      ['POST', '/evaluations/listed/evaluation_scenarios', '[{"id":"a"}]'],
      ['PATCH', '/evaluations/listed', '{"name":"n"}'],
      ['POST', '/variants/listed/revisions', REVISION],
      ['DELETE', '/variants/listed'],
      ['DELETE', '/evaluations/listed'],
    ]
    for (const [method, path, body] of writes) {
      const etags = await readEtags()
      const options = { ...(body !== undefined && { body }) }
      const otherPath = path.replace('listed', 'in-other-project')
      await send(method, otherPath, { ...options, headers: { authorization: otherKey.key } })
      assert.deepEqual(await readEtags(), etags)
      await send(method, path, options)
      for (const [index, etag] of (await readEtags()).entries()) assert.notEqual(etag, etags[index], path)
    }
  })
})

describe('a cursor', () => {
  test('returns 410 if an entry after it is older than the retention', async () => {
    const created = await createTestStore()
    const { key: authorization } = await createTestKey(created, { scopes: ['read', 'write'] })
    const { baseUrl, settings } = await startTestService(created)
    const options = { baseUrl, headers: { authorization } }
    const read = (query = '') => send('GET', `/changes${query}`, options)
    const readIds = async (query = '') => {
      const { status, text } = await read(query)
      assert.equal(status, 200, text)
      return (JSON.parse(text) as Change[]).map(({ variant_id }) => variant_id)
    }
    const write = async (id: string) => {
      await send('POST', '/variants', { ...options, body: `{"id":"${id}"}` })
      return (JSON.parse((await read()).text) as Change[]).at(-1) as Change
    }
    /** Makes all entries older than the retention. */
    const age = () =>
      created.writer.transaction((transaction) =>
        transaction.run(`UPDATE change SET time = '2020-01-01T00:00:00.000Z'`),
      )
    const deleteOld = async () => {
      await deleteOldChanges(created, Date.now() - settings.changes_retention)
      const rows = await created.reader.all<{ subject: string }>(
        `SELECT subject FROM change WHERE action = 'variant.created' ORDER BY sequence`,
      )
      return rows.map(({ subject }) => subject)
    }

    const [a, b] = [await write('a'), await write('b')]
    const { etag = '' } = (await read()).headers
    await age()
    checkProblem(await read(`?after=${a.cursor}`), 410, 'cursor-expired')
    const response = await send('GET', '/changes', {
      ...options,
      headers: { authorization, 'if-none-match': etag },
    })
    assert.deepEqual([response.status, response.text], [200, '[]'])

    // Nothing is missing after the last entry, whatever its age and how many entries about keys follow.
    assert.deepEqual(await readIds(`?after=${b.cursor}`), [])
    await created.writer.transaction(async (transaction) => {
      for (let index = 0; index < 2500; index += 1)
        transaction.recordChange({ project: 1, action: 'key.created', subject: `key-${index}` })
    })
    assert.deepEqual(await readIds(`?after=${b.cursor}`), [])
    await age()
    const c = await write('c')
    assert.equal(c.sequence, b.sequence + 2501)
    assert.deepEqual(await readIds(`?after=${b.cursor}&limit=1`), ['c'])
    assert.deepEqual(await readIds(), ['c'])

    // What was after the cursors that are still valid remains.
    assert.deepEqual(await deleteOld(), ['b', 'c'])
    assert.deepEqual(await readIds(`?after=${b.cursor}`), ['c'])
    checkProblem(await read(`?after=${a.cursor}`), 410, 'cursor-expired')
    assert.equal((await created.reader.all('SELECT sequence FROM change')).length, 2)

    // The last entry is never deleted, because it determines the next number.
    await age()
    assert.deepEqual(await deleteOld(), ['b', 'c'])
    assert.equal((await write('d')).sequence, c.sequence + 1)
    assert.deepEqual(await deleteOld(), ['c', 'd'])
    checkProblem(await read(`?after=${b.cursor}`), 410, 'cursor-expired')
    assert.deepEqual(await readIds(`?after=${c.cursor}`), ['d'])
  })

  test('of another store with the same sequence number returns 410', async () => {
    const [first] = await readChanges()
    const restored = await createTestStore()
    const { key: authorization } = await createTestKey(restored, { scopes: ['read', 'write'] })
    const { baseUrl } = await startTestService(restored)
    const options = { baseUrl, headers: { authorization } }
    const read = () => send('GET', `/changes?after=${first?.cursor}`, options)
    checkProblem(await read(), 410, 'cursor-expired')
    await send('POST', '/evaluations/first/evaluation_scenarios', {
      ...options,
      body: '[{"id":"a"},{"id":"b"}]',
    })
    checkProblem(await read(), 410, 'cursor-expired')
  })

  test('from before a restore returns 410', { skip: SQLITE_ONLY }, async () => {
    const backup = join(createTempFolder(), 'backup.db')
    const known = await readCursor()
    await store.backup(backup)
    await send('POST', '/variants', { body: '{"id":"lost"}' })
    const lost = await readCursor()
    const lostEtag = (await send('GET', '/evaluations')).headers.etag ?? ''
    const settings = { ...defaultSettings(), data: createTempFolder() }
    const { file } = await restoreStore(settings, backup, false)
    const restored = await openStoreAt(`sqlite:${file}`)
    const restoredService = await startTestService(restored)
    const { baseUrl } = restoredService
    try {
      // A client can have read content that is newer than the entry of its cursor.
      for (const id of ['different', 'next']) {
        for (const cursor of [known, lost])
          checkProblem(await send('GET', `/changes?after=${cursor}`, { baseUrl }), 410, 'cursor-expired')
        await send('POST', '/variants', { body: `{"id":"${id}"}`, baseUrl })
      }
      const cursor = (await readChanges('', baseUrl)).at(-1)?.cursor
      assert.deepEqual(await readChanges(`?after=${cursor}`, baseUrl), [])
      const headers = { 'if-none-match': lostEtag }
      assert.equal((await send('GET', '/evaluations', { baseUrl, headers })).status, 200)
    } finally {
      await restoredService.stop()
      await restored.close()
    }
  })

  test('returns 410 after the log was deleted', async () => {
    const created = await createTestStore()
    const { key: authorization } = await createTestKey(created, { scopes: ['read', 'write'] })
    const { baseUrl } = await startTestService(created)
    const options = { baseUrl, headers: { authorization } }
    await send('POST', '/variants', { ...options, body: '{"id":"a"}' })
    const [change] = JSON.parse((await send('GET', '/changes', options)).text) as Change[]
    await created.writer.transaction((transaction) => transaction.run('DELETE FROM change'))
    for (const id of ['b', 'c', 'd']) {
      checkProblem(await send('GET', `/changes?after=${change?.cursor}`, options), 410, 'cursor-expired')
      await send('POST', '/variants', { ...options, body: `{"id":"${id}"}` })
    }
  })
})
