// One evaluation, one variant, one revision: the text that the lists have of it, and what is refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fillCorpus, ODD_ID } from '../corpus.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { ask, checkDocumented, checkProblem, schemaErrors } from '../wire.ts'
import { JSON_TYPE, revision } from '../writes.ts'

const store = await freshStore()
await fillCorpus(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const writeOnly = await mint(store, { scopes: ['write'] })
const { base } = await serveStore(store)

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await ask(base, path, { authorization: key, ...headers }, method)
  checkDocumented(path, answer, method)
  return answer
}

async function write(method: string, path: string, body?: string) {
  const type = body === undefined ? {} : { 'content-type': JSON_TYPE }
  const answer = await ask(base, path, { authorization: key, ...type }, method, body)
  assert.ok(answer.status < 300, answer.text)
}

const ODD = encodeURIComponent(ODD_ID)
const REVISION = '/api/variants/full/revisions/1'

const REFUSED: [path: string, status: number, code: string][] = [
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

describe('one of them is refused:', () => {
  for (const [path, status, code] of REFUSED) {
    test(`${path.slice(0, 60)} with ${status} ${code}`, async () => {
      checkProblem(await get(path), status, code)
    })
  }

  for (const path of ['/api/evaluations/full', '/api/variants/full', REVISION]) {
    test(`${path} without a key, without the scope, as something else than JSON`, async () => {
      checkProblem(await ask(base, path), 401, 'unauthorized')
      checkProblem(await get(path, { authorization: writeOnly.key }), 403, 'access-denied')
      checkProblem(await get(path, { accept: 'text/csv' }), 406, 'not-acceptable')
    })
  }
})

/** The path of a list, the path of one of its elements, and which one it is. */
const ONES: [list: string, path: string, index: number, schema: string][] = [
  ['/api/evaluations', '/api/evaluations/full', 4, 'Evaluation'],
  ['/api/evaluations', `/api/evaluations/${ODD}`, 2, 'Evaluation'],
  ['/api/variants', '/api/variants/empty', 2, 'Variant'],
  ['/api/variants', `/api/variants/${ODD}`, 1, 'Variant'],
  ['/api/variants/full/revisions', '/api/variants/full/revisions/0', 0, 'VariantRevision'],
  ['/api/variants/full/revisions', REVISION, 1, 'VariantRevision'],
]

describe('one of them is answered:', () => {
  for (const [list, path, index, schema] of ONES) {
    test(`${path} is the text that the list has`, async () => {
      const [listed, one] = await Promise.all([get(list), get(path)])
      assert.equal(one.status, 200, one.text)
      assert.equal(one.headers['content-type'], JSON_TYPE)
      assert.ok(listed.text.includes(one.text))
      const value = JSON.parse(one.text)
      assert.deepEqual(value, JSON.parse(listed.text)[index])
      assert.deepEqual(schemaErrors(schema, value), [])
    })

    test(`${path} with a trailing slash, as HEAD, compressed, and 304 by its validator`, async () => {
      const one = await get(path)
      assert.equal((await get(`${path}/`)).text, one.text)
      const head = await get(path, {}, 'HEAD')
      assert.equal(head.headers.etag, one.headers.etag)
      assert.equal(head.bytes.length, 0)
      const gzipped = await get(path, { 'accept-encoding': 'gzip' })
      assert.equal(gzipped.headers['content-encoding'], 'gzip')
      assert.equal(gzipped.text, one.text)
      const again = await get(path, { 'if-none-match': String(one.headers.etag) })
      assert.equal(again.status, 304)
      assert.equal(again.bytes.length, 0)
    })
  }

  test('its own project first where an id is in two', async () => {
    const other = await mint(store, { project: 'other' })
    for (const path of ['/api/evaluations/shared', '/api/variants/shared/revisions/0']) {
      const theirs = await get(path, { authorization: other.key })
      assert.equal(theirs.status, 200)
      assert.notEqual(theirs.headers.etag, (await get(path)).headers.etag)
    }
  })

  test('exact tokens of a revision stay as they were written', async () => {
    const config = String.raw`{"config_name":"\u0041","parameters":{"10":1.0,"9":1e400,"__proto__":"\ud800","\u0000":-0}}`
    await write('POST', '/api/variants/exact/revisions', revision(config))
    const { text } = await get('/api/variants/exact/revisions/1')
    assert.ok(text.startsWith(`{"revision":1,"modified_by":"Ana","config":${config},"created_at":"`), text)
  })

  test('a change changes the validator, and what is deleted is not found', async () => {
    await write('POST', '/api/evaluations', '{"id":"brief"}')
    const before = await get('/api/evaluations/brief')
    await write('PATCH', '/api/evaluations/brief', '{"name":"renamed"}')
    const changed = await get('/api/evaluations/brief', { 'if-none-match': String(before.headers.etag) })
    assert.equal(JSON.parse(changed.text).name, 'renamed')
    await write('DELETE', '/api/evaluations/brief')
    checkProblem(await get('/api/evaluations/brief'), 404, 'evaluation-not-found')

    await write('POST', '/api/variants/brief/revisions', revision())
    const { headers } = await get('/api/variants/brief')
    await write('POST', '/api/variants/brief/revisions', revision('{"config_name":"d"}'))
    const grown = await get('/api/variants/brief', { 'if-none-match': String(headers.etag) })
    assert.equal(JSON.parse(grown.text).latest_revision, 2)
    await write('DELETE', '/api/variants/brief')
    checkProblem(await get('/api/variants/brief/revisions/1'), 404, 'variant-not-found')
  })
})
