// Tests reading one evaluation, variant or revision: the same text as in the lists, validators and errors.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fillCorpus, SPECIAL_ID } from '../../support/corpus.ts'
import { createTestKey } from '../../support/harness.ts'
import { checkProblem, schemaErrors } from '../../support/http.ts'
import {
  EVALUATIONS,
  JSON_TYPE,
  resultsPath,
  revisionBody,
  scenariosPath,
} from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { store, sendOk, get } = await startWriteService(fillCorpus)

const ENCODED_ID = encodeURIComponent(SPECIAL_ID)
const REVISION_PATH = '/api/variants/full/revisions/1'

const ERROR_CASES: [path: string, status: number, code: string][] = [
  ['/api/evaluations/none', 404, 'evaluation-not-found'],
  ['/api/evaluations/a%00b', 404, 'evaluation-not-found'],
  ['/api/evaluations/foreign', 403, 'access-denied'],
  ['/api/evaluations/%zz', 400, 'invalid-request'],
  ['/api/evaluations/full?limit=1', 400, 'invalid-request'],
  ['/api/evaluations/none?limit=1', 400, 'invalid-request'],
  ['/api/variants/none', 404, 'variant-not-found'],
  ['/api/variants/foreign', 403, 'access-denied'],
  ['/api/variants/full?include=evaluations', 400, 'invalid-request'],
  ['/api/variants/none/revisions/1', 404, 'variant-not-found'],
  ['/api/variants/foreign/revisions/1', 403, 'access-denied'],
  ['/api/variants/empty/revisions/1', 404, 'revision-not-found'],
  ...['4', '01', '-0', '+1', '1.0', '1e0', 'x', '%20', '%00', '9'.repeat(300), '2147483648', '%D9%A1'].map(
    (number): [string, number, string] => [
      `/api/variants/full/revisions/${number}`,
      404,
      'revision-not-found',
    ],
  ),
]

describe('errors when reading one item', () => {
  for (const [path, status, code] of ERROR_CASES) {
    test(`returns ${status} ${code} for ${path.slice(0, 60)}`, async () => {
      checkProblem(await get(path), status, code)
    })
  }
})

/** The path of a list, the path of one of its items, the index of the item and its schema. */
const ITEMS: [listPath: string, path: string, index: number, schema: string][] = [
  ['/api/evaluations', '/api/evaluations/full', 4, 'Evaluation'],
  ['/api/evaluations', `/api/evaluations/${ENCODED_ID}`, 2, 'Evaluation'],
  ['/api/variants', '/api/variants/empty', 2, 'Variant'],
  ['/api/variants', `/api/variants/${ENCODED_ID}`, 1, 'Variant'],
  ['/api/variants/full/revisions', '/api/variants/full/revisions/0', 0, 'VariantRevision'],
  ['/api/variants/full/revisions', REVISION_PATH, 1, 'VariantRevision'],
]

describe('reading one item', () => {
  for (const [listPath, path, index, schema] of ITEMS) {
    test(`${path} returns the same text as the list`, async () => {
      const [list, item] = await Promise.all([get(listPath), get(path)])
      assert.equal(item.status, 200, item.text)
      assert.equal(item.headers['content-type'], JSON_TYPE)
      assert.ok(list.text.includes(item.text))
      const value = JSON.parse(item.text)
      assert.deepEqual(value, JSON.parse(list.text)[index])
      assert.deepEqual(schemaErrors(schema, value), [])
    })
  }

  test("returns the data of the key's project when an id exists in two projects", async () => {
    const otherProjectKey = await createTestKey(store, { project: 'other' })
    for (const path of ['/api/evaluations/shared', '/api/variants/shared/revisions/0']) {
      const response = await get(path, { authorization: otherProjectKey.key })
      assert.equal(response.status, 200)
      assert.notEqual(response.headers.etag, (await get(path)).headers.etag)
    }
  })

  test('returns the exact JSON text of a revision', async () => {
    const config = String.raw`{"config_name":"\u0041","parameters":{"10":1.0,"9":1e400,"__proto__":"\ud800","\u0000":-0}}`
    await sendOk('POST', '/api/variants/exact/revisions', revisionBody(config))
    const { text } = await get('/api/variants/exact/revisions/1')
    assert.ok(text.startsWith(`{"revision":1,"modified_by":"Ana","config":${config},"created_at":"`), text)
  })

  test('returns a new ETag for an evaluation after every change that a reader can see', async () => {
    await sendOk('POST', EVALUATIONS, '{"id":"followed"}')
    const path = `${EVALUATIONS}/followed`
    const rows = scenariosPath('followed')
    const row = (value: string) => JSON.stringify({ id: 's', outputs: [{ result: { type: 'text', value } }] })
    const result = { scenario_id: 's', evaluator_config: 'exact', result: { type: 'bool', value: true } }
    const writes: [method: string, path: string, body?: string][] = [
      ['POST', rows, `[${row('a')}]`],
      ['PUT', `${rows}/s`, row('b')],
      ['POST', resultsPath('followed'), JSON.stringify([result])],
      ['PATCH', `${rows}/s`, '{"is_pinned":true}'],
      ['PATCH', `${rows}/s`, '{"note":"read this"}'],
      ['DELETE', `${resultsPath('followed')}?evaluator=exact`],
      ['PATCH', path, '{"status":"running","expected_count":2}'],
      ['DELETE', `${rows}/s`],
    ]
    let etag = (await get(path)).headers.etag
    for (const [method, writePath, body] of writes) {
      await sendOk(method, writePath, body)
      const response = await get(path, { 'if-none-match': String(etag) })
      assert.equal(response.status, 200, `${method} ${writePath}`)
      assert.notEqual(response.headers.etag, etag)
      etag = response.headers.etag
      assert.equal((await get(path, { 'if-none-match': String(etag) })).status, 304)
    }
  })

  test('returns a new ETag after a change, and 404 after a deletion', async () => {
    await sendOk('POST', '/api/evaluations', '{"id":"brief"}')
    const firstResponse = await get('/api/evaluations/brief')
    await sendOk('PATCH', '/api/evaluations/brief', '{"name":"renamed"}')
    const changedEvaluation = await get('/api/evaluations/brief', {
      'if-none-match': String(firstResponse.headers.etag),
    })
    assert.equal(JSON.parse(changedEvaluation.text).name, 'renamed')
    await sendOk('DELETE', '/api/evaluations/brief')
    checkProblem(await get('/api/evaluations/brief'), 404, 'evaluation-not-found')

    await sendOk('POST', '/api/variants/brief/revisions', revisionBody())
    const { headers } = await get('/api/variants/brief')
    await sendOk('POST', '/api/variants/brief/revisions', revisionBody('{"config_name":"d"}'))
    const changedVariant = await get('/api/variants/brief', { 'if-none-match': String(headers.etag) })
    assert.equal(JSON.parse(changedVariant.text).latest_revision, 2)
    await sendOk('DELETE', '/api/variants/brief')
    checkProblem(await get('/api/variants/brief/revisions/1'), 404, 'variant-not-found')
  })
})
