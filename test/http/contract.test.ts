// The contract of the two reads as a table of cases, refusals first. Every answer is held against
// openapi.json: its status and fields must be documented there and its body must fit the schema.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EXACT_VALUES, exactBody, fillCorpus, ODD_ID, REVISION_COUNT, SCENARIO_COUNT } from '../corpus.ts'
import { freshStore, mint, rawRequest, serveStore } from '../harness.ts'
import { type Answer, ask, checkDocumented, checkProblem, schemaErrors } from '../wire.ts'

const store = await freshStore()
await fillCorpus(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const writeOnly = await mint(store, { scopes: ['write'] })
const expired = await mint(store, { expires_at: '2026-01-01T00:00:00.000Z' })
const revoked = await mint(store)
await store.writer.transaction((transaction) =>
  transaction.run('UPDATE api_key SET revoked_at = created_at WHERE public_id = ?', revoked.public_id),
)
const wrongSecret = (await mint(store)).key
await store.writer.transaction((transaction) =>
  transaction.run(
    'UPDATE api_key SET hash = ? WHERE public_id = ?',
    new Uint8Array(32),
    wrongSecret.slice(6, 18),
  ),
)

const FULL = '/api/evaluations/full/evaluation_scenarios'
const REVISIONS = '/api/variants/full/revisions'
const BOTH = [
  { noun: 'evaluation', id: 'full', path: FULL, element: 'EvaluationScenario', count: SCENARIO_COUNT },
  { noun: 'variant', id: 'full', path: REVISIONS, element: 'VariantRevision', count: REVISION_COUNT },
]
const at = (path: string, id: string) => path.replace('/full/', `/${id}/`)

const service = await serveStore(store)

const get = (path: string, headers: Record<string, string | string[]> = {}, method = 'GET') =>
  ask(service.base, path, { authorization: key, ...headers }, method)

interface Refusal {
  name: string
  path: string
  headers?: Record<string, string | string[]>
  method?: string
  status: number
  code: string
  fields?: Record<string, string>
}

/** A key that was never made, with a right checksum. */
const UNKNOWN_KEY = 'assay_000000000000_000000000000000000000000000000'
const challenge = 'Bearer realm="assay", error="invalid_token"'

for (const { noun, path } of BOTH) {
  const refusals: Refusal[] = [
    { name: 'a path beside it', path: `${path}x`, status: 404, code: 'route-not-found' },
    { name: 'a path below it', path: `${path}/x/y`, status: 404, code: 'route-not-found' },
    { name: 'a broken percent-encoding', path: at(path, '%zz'), status: 400, code: 'invalid-request' },
    {
      name: 'a percent-encoding of half a character',
      path: at(path, '%C3'),
      status: 400,
      code: 'invalid-request',
    },
    {
      name: 'POST',
      path,
      method: 'PUT',
      status: 405,
      code: 'method-not-allowed',
      fields: { allow: 'GET, HEAD, OPTIONS, POST' },
    },
    { name: 'TRACE', path, method: 'TRACE', status: 405, code: 'method-not-allowed' },
    {
      name: 'a method without a key',
      path,
      method: 'DELETE',
      headers: { authorization: '' },
      status: 405,
      code: 'method-not-allowed',
    },
    {
      name: 'no key',
      path,
      headers: { authorization: '' },
      status: 401,
      code: 'unauthorized',
      fields: { 'www-authenticate': 'Bearer realm="assay"' },
    },
    {
      name: 'a scheme without a key',
      path,
      headers: { authorization: 'Bearer' },
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'a malformed key',
      path,
      headers: { authorization: 'nonsense' },
      status: 401,
      code: 'unauthorized',
      fields: { 'www-authenticate': challenge },
    },
    {
      name: 'a mistyped key',
      path,
      headers: { authorization: mistype(key) },
      status: 401,
      code: 'unauthorized',
      fields: { 'www-authenticate': challenge },
    },
    {
      name: 'an unknown key',
      path,
      headers: { authorization: withChecksum(UNKNOWN_KEY) },
      status: 401,
      code: 'unauthorized',
      fields: { 'www-authenticate': challenge },
    },
    {
      name: 'a wrong secret',
      path,
      headers: { authorization: wrongSecret },
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'an expired key',
      path,
      headers: { authorization: expired.key },
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'a revoked key',
      path,
      headers: { authorization: revoked.key },
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'an unknown scheme',
      path,
      headers: { authorization: `Basic ${key}` },
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'a key in the query',
      path: `${path}?key=${key}`,
      headers: { authorization: '' },
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'a key without the scope read',
      path,
      headers: { authorization: writeOnly.key },
      status: 403,
      code: 'access-denied',
    },
    {
      name: 'the scope before the query',
      path: `${path}?limit=x`,
      headers: { authorization: writeOnly.key },
      status: 403,
      code: 'access-denied',
    },
    ...['0', '1001', '-1', '1.0', '1e2', '+5', '%205', '', 'x', '99999999999999999999'].map((limit) => ({
      name: `limit=${limit}`,
      path: `${path}?limit=${limit}`,
      status: 400,
      code: 'invalid-request',
    })),
    { name: 'a repeated parameter', path: `${path}?limit=1&limit=1`, status: 400, code: 'invalid-request' },
    { name: 'an unknown parameter', path: `${path}?page=2`, status: 400, code: 'invalid-request' },
    {
      name: 'an unknown parameter called like a member of every object',
      path: `${path}?constructor=1`,
      status: 400,
      code: 'invalid-request',
    },
    { name: 'an unknown format', path: `${path}?format=xml`, status: 400, code: 'invalid-request' },
    { name: 'a broken cursor', path: `${path}?cursor=abc`, status: 400, code: 'invalid-request' },
    {
      name: 'a cursor that is JSON of another kind',
      path: `${path}?cursor=${Buffer.from('{}').toString('base64url')}`,
      status: 400,
      code: 'invalid-request',
    },
    {
      name: 'the query before existence',
      path: `${at(path, 'unknown')}?limit=0`,
      status: 400,
      code: 'invalid-request',
    },
    { name: 'an unknown id', path: at(path, 'unknown'), status: 404, code: `${noun}-not-found` },
    { name: 'an id in other letters', path: at(path, 'FULL'), status: 404, code: `${noun}-not-found` },
    {
      name: 'an id that is encoded twice',
      path: at(path, encodeURIComponent(encodeURIComponent(ODD_ID))),
      status: 404,
      code: `${noun}-not-found`,
    },
    {
      name: 'an id that is too long',
      path: at(path, 'x'.repeat(201)),
      status: 404,
      code: `${noun}-not-found`,
    },
    {
      name: 'an id that is far too long',
      path: at(path, 'x'.repeat(5000)),
      status: 404,
      code: `${noun}-not-found`,
    },
    {
      name: 'an id with a control character',
      path: at(path, 'a%00b'),
      status: 404,
      code: `${noun}-not-found`,
    },
    { name: 'a dot segment as id', path: at(path, '..'), status: 404, code: `${noun}-not-found` },
    {
      name: 'an encoded dot segment as id',
      path: at(path, '%2E%2E'),
      status: 404,
      code: `${noun}-not-found`,
    },
    {
      name: 'existence before the representation',
      path: at(path, 'unknown'),
      headers: { accept: 'image/png' },
      status: 404,
      code: `${noun}-not-found`,
    },
    { name: 'an id of another project', path: at(path, 'foreign'), status: 403, code: 'access-denied' },
    {
      name: 'the project before the representation',
      path: at(path, 'foreign'),
      headers: { accept: 'image/png' },
      status: 403,
      code: 'access-denied',
    },
    {
      name: 'an unknown media type',
      path,
      headers: { accept: 'text/html' },
      status: 406,
      code: 'not-acceptable',
    },
    {
      name: 'a media type with q=0',
      path,
      headers: { accept: 'application/json;q=0' },
      status: 406,
      code: 'not-acceptable',
    },
    {
      name: 'no coding at all',
      path,
      headers: { 'accept-encoding': 'identity;q=0' },
      status: 406,
      code: 'not-acceptable',
    },
    {
      name: 'the representation before If-None-Match',
      path,
      headers: { accept: 'text/html', 'if-none-match': '*' },
      status: 406,
      code: 'not-acceptable',
    },
    {
      name: 'a target that is too long',
      path: `${path}?_=${'x'.repeat(8192)}`,
      status: 414,
      code: 'uri-too-long',
    },
    {
      name: 'a header block that is too large',
      path,
      headers: { 'x-large': 'x'.repeat(16384) },
      status: 431,
      code: 'header-fields-too-large',
    },
    {
      name: 'syntax before the path',
      path: `/nowhere?${'x'.repeat(8192)}`,
      status: 414,
      code: 'uri-too-long',
    },
  ]
  describe(`the read of a ${noun} refuses`, () => {
    for (const { name, path, headers = {}, method, status, code, fields = {} } of refusals) {
      test(`${name} with ${status} ${code}`, async () => {
        const sent = headers.authorization === '' ? withoutKey(headers) : { authorization: key, ...headers }
        const answer = await ask(service.base, path, sent, method)
        checkProblem(answer, status, code)
        checkDocumented(path, answer, method)
        for (const [field, value] of Object.entries(fields)) assert.equal(answer.headers[field], value)
      })
    }

    test('the same with HEAD, without a body', async () => {
      const answer = await get(at(path, 'unknown'), {}, 'HEAD')
      assert.equal(answer.status, 404)
      assert.equal(answer.bytes.length, 0)
    })

    test('a foreign id exactly like an unknown one where conceal is set', async () => {
      const concealing = await serveStore(store, { conceal: true })
      const [foreign, unknown] = await Promise.all(
        ['foreign', 'unknown'].map((id) => ask(concealing.base, at(path, id), { authorization: key })),
      )
      assert.ok(foreign && unknown)
      checkProblem(foreign, 404, `${noun}-not-found`)
      const strip = (text: string, id: string) => text.replaceAll(id, 'ID').replace(/"instance":"[^"]*"/, '')
      assert.equal(strip(foreign.text, 'foreign'), strip(unknown.text, 'unknown'))
      await concealing.stop()
    })

    for (const field of ['Host', 'Authorization']) {
      test(`two ${field} fields with 400, after path and method`, async () => {
        const doubled = `Host: x\r\nAuthorization: ${key}\r\n${field}: ${field === 'Host' ? 'x' : key}\r\nConnection: close\r\n\r\n`
        const status = async (line: string) =>
          (await rawRequest(service.port, `${line} HTTP/1.1\r\n${doubled}`)).slice(9, 12)
        assert.equal(await status(`GET ${path}`), '400')
        assert.equal(await status('GET /nowhere'), '404')
        assert.equal(await status(`PUT ${path}`), '405')
      })
    }
  })
}

for (const { noun, path, element, count } of BOTH) {
  describe(`the read of a ${noun} answers`, () => {
    test('a bare array of every element, each with its fields and no others', async () => {
      const answer = await get(path)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-type'], 'application/json')
      checkDocumented(path, answer)
      const elements = JSON.parse(answer.text)
      assert.ok(Array.isArray(elements))
      assert.equal(elements.length, count)
      for (const one of elements) {
        assert.deepEqual(schemaErrors(element, one), [])
        assert.ok(!('extra' in one))
      }
    })

    test('its length beforehand, where it is whole', async () => {
      for (const query of ['', '?format=ndjson', '?format=csv']) {
        for (const id of ['full', 'empty', encodeURIComponent(ODD_ID)]) {
          const { headers, bytes } = await get(at(path, id) + query)
          assert.equal(headers['content-length'], String(bytes.length), `${id}${query}`)
        }
      }
      assert.equal((await get(`${path}?limit=2`)).headers['content-length'], undefined)
      assert.match((await get(path, { 'accept-encoding': 'gzip' })).headers['content-length'] ?? '', /^\d+$/)
    })

    test('the elements in their order', async () => {
      const elements = JSON.parse((await get(path)).text) as { id: string; revision: number }[]
      const order = elements.map((one) => (noun === 'evaluation' ? Number(one.id.slice(2)) : one.revision))
      assert.deepEqual(
        order,
        Array.from({ length: count }, (_, index) => index),
      )
    })

    test('[] where there is nothing', async () => {
      const empty = at(path, 'empty')
      assert.equal((await get(empty)).text, '[]')
      assert.equal((await get(`${empty}?format=ndjson`)).text, '')
      assert.match((await get(`${empty}?format=csv`)).text, /^[^\n]+\r\n$/)
      assert.equal((await get(`${empty}?limit=1`)).text, '[]')
    })

    test('its own project first where an id is in two', async () => {
      const answer = await get(at(path, 'shared'))
      assert.equal(answer.status, 200)
      const other = await mint(store, { project: 'other' })
      const theirs = await ask(service.base, at(path, 'shared'), { authorization: other.key })
      assert.equal(theirs.status, 200)
      assert.notEqual(theirs.headers.etag, answer.headers.etag)
    })

    test('an id that needs encoding, decoded once', async () => {
      assert.equal((await get(at(path, encodeURIComponent(ODD_ID)))).status, 200)
    })

    test('the same with a trailing slash', async () => {
      const [bare, slashed] = await Promise.all([get(path), get(`${path}/`)])
      assert.equal(slashed.text, bare.text)
      assert.equal(slashed.headers.etag, bare.headers.etag)
    })

    for (const authorization of ['<key>', 'ApiKey <key>', 'Bearer <key>', 'bEARER  <key>', 'APIKEY <key>']) {
      test(`a key sent as "${authorization}"`, async () => {
        const answer = await get(path, { authorization: authorization.replace('<key>', key) })
        assert.equal(answer.status, 200)
      })
    }

    test('parameters that begin with an underscore are ignored, even twice', async () => {
      assert.equal((await get(`${path}?_a=1&_a=2&_=%zz`)).status, 200)
    })

    test('a Range field is ignored', async () => {
      const answer = await get(path, { range: 'bytes=0-1' })
      assert.equal(answer.status, 200)
      assert.equal(answer.text, (await get(path)).text)
    })

    test('OPTIONS with Allow, without a key', async () => {
      const answer = await ask(service.base, path, {}, 'OPTIONS')
      assert.equal(answer.status, 204)
      assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS, POST')
    })

    test('an absolute target, as RFC 9112 asks', async () => {
      const head = `GET http://example.test${path} HTTP/1.1\r\nHost: example.test\r\nConnection: close\r\n`
      assert.match(await rawRequest(service.port, `${head}Authorization: ${key}\r\n\r\n`), /^HTTP\/1.1 200 /)
    })

    test('HTTP/1.0, without chunks', async () => {
      const answer = await rawRequest(service.port, `GET ${path} HTTP/1.0\r\nAuthorization: ${key}\r\n\r\n`)
      assert.doesNotMatch(answer, /transfer-encoding/i)
      assert.equal(answer.slice(answer.indexOf('\r\n\r\n') + 4), (await get(path)).text)
    })
  })

  describe(`representations of the read of a ${noun}`, () => {
    const cases: [accept: string | undefined, query: string, type: string][] = [
      [undefined, '', 'application/json'],
      ['*/*', '', 'application/json'],
      ['', '', 'application/json'],
      ['application/*', '', 'application/json'],
      ['text/*', '', 'text/csv; charset=utf-8'],
      ['application/x-ndjson', '', 'application/x-ndjson'],
      ['text/csv', '', 'text/csv; charset=utf-8'],
      ['TEXT/CSV; charset=utf-8', '', 'text/csv; charset=utf-8'],
      ['text/csv, application/x-ndjson', '', 'application/x-ndjson'],
      ['text/csv;q=0.9, application/json;q=0.1', '', 'text/csv; charset=utf-8'],
      ['application/json;q=0.2, */*;q=0.1', '', 'application/json'],
      ['application/json;q=0, */*', '', 'application/x-ndjson'],
      ['text/html, application/xhtml+xml, */*;q=0.8', '', 'application/json'],
      ['image/png', '?format=csv', 'text/csv; charset=utf-8'],
      ['text/csv', '?format=json', 'application/json'],
      [undefined, '?format=ndjson', 'application/x-ndjson'],
    ]
    for (const [accept, query, type] of cases) {
      test(`Accept: ${accept ?? 'none'} ${query} gives ${type}`, async () => {
        const answer = await get(path + query, accept === undefined ? {} : { accept })
        assert.equal(answer.status, 200)
        assert.equal(answer.headers['content-type'], type)
        checkDocumented(path, answer)
      })
    }

    test('NDJSON has one element a line, each line ended', async () => {
      const [array, lines] = await Promise.all([get(path), get(`${path}?format=ndjson`)])
      assert.ok(lines.text.endsWith('\n'))
      assert.equal(`[${lines.text.slice(0, -1).split('\n').join(',')}]`, array.text)
    })
  })

  describe(`codings of the read of a ${noun}`, () => {
    const cases: [accept: string | undefined, coding: string | undefined][] = [
      [undefined, undefined],
      ['', undefined],
      ['identity', undefined],
      ['gzip', 'gzip'],
      ['x-gzip', 'gzip'],
      ['br', 'br'],
      ['zstd', 'zstd'],
      ['gzip, br, zstd', 'zstd'],
      ['gzip, br', 'br'],
      ['gzip;q=1, zstd;q=0.5', 'gzip'],
      ['GZIP;Q=0.5', 'gzip'],
      ['*', 'zstd'],
      ['*;q=0.5, zstd;q=0', 'br'],
      ['identity;q=1, gzip;q=0.5', undefined],
      ['gzip;q=0', undefined],
      ['deflate', undefined],
      ['compress, gzip;q=0.001', 'gzip'],
    ]
    for (const [accept, coding] of cases) {
      test(`Accept-Encoding: ${accept ?? 'none'} gives ${coding ?? 'identity'}`, async () => {
        const answer = await get(path, accept === undefined ? {} : { 'accept-encoding': accept })
        assert.equal(answer.headers['content-encoding'], coding)
        assert.equal(answer.text, (await get(path)).text)
      })
    }
  })

  describe(`validators of the read of a ${noun}`, () => {
    test('a strong tag of its own for each representation and coding', async () => {
      const tags = new Set<string>()
      for (const format of ['json', 'ndjson', 'csv']) {
        for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
          const { headers } = await get(`${path}?format=${format}`, { 'accept-encoding': coding })
          assert.match(headers.etag ?? '', /^"[\x21\x23-\x7e]+"$/)
          assert.equal(headers['cache-control'], 'private, no-cache')
          assert.equal(headers.vary, 'Accept, Accept-Encoding, Authorization')
          tags.add(headers.etag ?? '')
        }
      }
      assert.equal(tags.size, 12)
    })

    test('If-None-Match with the tag gives 304 and no body, by GET and HEAD', async () => {
      const { etag = '' } = (await get(path)).headers
      for (const method of ['GET', 'HEAD']) {
        for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const answer = await get(path, { 'if-none-match': sent }, method)
          assert.equal(answer.status, 304, sent)
          assert.equal(answer.bytes.length, 0)
          assert.equal(answer.headers.etag, etag)
          assert.equal(answer.headers['cache-control'], 'private, no-cache')
          assert.equal(answer.headers.vary, 'Accept, Accept-Encoding, Authorization')
          checkDocumented(path, answer, method)
        }
      }
    })

    test('the tag of another coding or version gives the whole answer', async () => {
      const { etag = '' } = (await get(path, { 'accept-encoding': 'gzip' })).headers
      for (const sent of [etag, etag.slice(1, -1), '"x"', '']) {
        assert.equal((await get(path, { 'if-none-match': sent })).status, 200, sent)
      }
    })

    test('HEAD has the fields of GET and reads no row', async () => {
      for (const query of ['', '?format=csv', '?limit=2', '?limit=1000']) {
        const [head, whole] = [await get(path + query, {}, 'HEAD'), await get(path + query)]
        assert.equal(head.status, 200)
        assert.equal(head.bytes.length, 0)
        for (const name of ['etag', 'content-type', 'cache-control', 'vary', 'link'] as const) {
          assert.equal(head.headers[name], whole.headers[name], name)
        }
        // That of a table is known only to who makes it.
        const isKnown = query === ''
        assert.equal(head.headers['content-length'], isKnown ? whole.headers['content-length'] : undefined)
      }
    })
  })

  describe(`pages of the read of a ${noun}`, () => {
    for (const limit of [1, 2, 3, count, count + 1, 1000]) {
      test(`limit=${limit}: the pages together are the whole, and each but the last links to the next`, async () => {
        const whole = (await get(`${path}?format=ndjson`)).text
        let next: string | undefined = `${path}?limit=${limit}&format=ndjson`
        const pages: string[] = []
        while (next) {
          const answer: Answer = await get(next)
          assert.equal(answer.status, 200)
          pages.push(answer.text)
          next = linked(answer)
          assert.equal(answer.text.split('\n').length - 1, next ? limit : count - limit * (pages.length - 1))
        }
        assert.equal(pages.join(''), whole)
        assert.equal(pages.length, Math.ceil(count / limit))
      })
    }

    test('a cursor without a limit answers all the rest', async () => {
      const next = linked(await get(`${path}?limit=1`)) ?? ''
      const rest = await get(next.replace('limit=1&', ''))
      assert.equal(JSON.parse(rest.text).length, count - 1)
      assert.equal(rest.headers.link, undefined)
    })

    test('a cursor of another list is refused', async () => {
      const cursor = new URL(linked(await get(`${path}?limit=1`)) ?? '', service.base).searchParams.get(
        'cursor',
      )
      for (const other of [at(path, 'shared'), path === FULL ? REVISIONS : FULL]) {
        checkProblem(await get(`${other}?cursor=${cursor}`), 400, 'invalid-request')
      }
    })

    test('the link is an absolute path whatever Host says, and an absolute URL with public-url', async () => {
      const { headers } = await get(`${path}?limit=1&format=csv`, { host: 'evil.example' })
      assert.match(String(headers.link), /^<\/api\/[^>]+>; rel="next"$/)
      assert.match(String(headers.link), /format=csv/)
      const outside = await serveStore(store, { public_url: 'https://evals.example/base' })
      const answer = await ask(outside.base, `${path}?limit=1`, { authorization: key })
      assert.match(String(answer.headers.link), /^<https:\/\/evals\.example\/base\/api\//)
      await outside.stop()
    })
  })
}

describe('fidelity', () => {
  test('every token comes out as it went in, in JSON and NDJSON', async () => {
    const bodies = EXACT_VALUES.map((value, position) => exactBody(position, value))
    const path = '/api/evaluations/exact/evaluation_scenarios'
    assert.equal((await get(path)).text, `[${bodies.join(',')}]`)
    assert.equal((await get(`${path}?format=ndjson`)).text, `${bodies.join('\n')}\n`)
  })

  test('extra comes only when it is asked for, as the last member', async () => {
    const answer = await get(`${FULL}?include=extra`)
    const scenarios = JSON.parse(answer.text)
    assert.equal(scenarios.length, SCENARIO_COUNT)
    for (const [position, one] of scenarios.entries()) {
      assert.deepEqual(schemaErrors('EvaluationScenario', one), [])
      assert.equal(Object.keys(one).at(-1), 'extra')
      assert.equal(one.extra === null, position % 3 !== 0)
    }
    checkProblem(await get(`${FULL}?include=everything`), 400, 'invalid-request')
    checkProblem(await get(`${REVISIONS}?include=extra`), 400, 'invalid-request')
  })
})

describe('lists', () => {
  for (const { path, element, ids } of [
    { path: '/api/evaluations', element: 'Evaluation', ids: ['exact', 'shared', ODD_ID, 'empty', 'full'] },
    { path: '/api/variants', element: 'Variant', ids: ['shared', ODD_ID, 'empty', 'full'] },
  ]) {
    test(`${path} lists the project's own, newest first, every field present`, async () => {
      const answer = await get(path)
      checkDocumented(path, answer)
      const listed = JSON.parse(answer.text)
      for (const one of listed) assert.deepEqual(schemaErrors(element, one), [])
      assert.deepEqual(
        listed.map(({ id }: { id: string }) => id),
        ids,
      )
    })

    test(`${path} in pages is the whole`, async () => {
      const seen: string[] = []
      let next: string | undefined = `${path}?limit=2`
      while (next) {
        const answer: Answer = await get(next)
        for (const { id } of JSON.parse(answer.text)) seen.push(id)
        next = linked(answer)
      }
      assert.deepEqual(seen, ids)
    })

    test(`${path} is JSON alone, needs a key, takes no other parameter`, async () => {
      checkProblem(await get(path, { accept: 'text/csv' }), 406, 'not-acceptable')
      checkProblem(await ask(service.base, path), 401, 'unauthorized')
      checkProblem(await get(`${path}?format=json`), 400, 'invalid-request')
    })
  }

  test('counts are what the reads give', async () => {
    const [evaluations, variants] = await Promise.all([get('/api/evaluations'), get('/api/variants')])
    const byId = (answer: Answer, id: string) =>
      JSON.parse(answer.text).find((one: { id: string }) => one.id === id)
    assert.equal(byId(evaluations, 'full').scenario_count, SCENARIO_COUNT)
    assert.equal(byId(evaluations, 'empty').scenario_count, 0)
    assert.deepEqual(
      [byId(variants, 'full').revision_count, byId(variants, 'full').latest_revision],
      [REVISION_COUNT, REVISION_COUNT - 1],
    )
    assert.deepEqual(
      [byId(variants, 'empty').revision_count, byId(variants, 'empty').latest_revision],
      [0, null],
    )
  })
})

describe('CSV', () => {
  test('has the columns that import reads, in order of first appearance, and CRLF', async () => {
    const lines = (await get(`${FULL}?format=csv`)).text.split('\r\n')
    assert.equal(
      lines[0],
      'id,input.question,input.context,output,expected.answer,score.exact,score.similarity,cost,latency,error,is_pinned,note',
    )
    assert.equal(
      lines[1],
      's-0,"What is 0, ""exactly""?","{""position"":0,""tags"":[""a"",""b""]}","It is\n0",0,true,0,0.001,1.5,,true,look again',
    )
    assert.match(lines[10] ?? '', /,9,false,0.09,,,HTTP 429,,$/)
    assert.equal(lines.length, SCENARIO_COUNT + 2)
  })

  test('gives values that are no strings as their exact text', async () => {
    const { text } = await get('/api/evaluations/exact/evaluation_scenarios?format=csv')
    for (const value of ['1.0', '1E2', '-0', '1e400', '9007199254740993'])
      assert.ok(text.includes(`,${value},`), value)
    assert.ok(text.includes('"{""10"":1,""9"":2,""b"":3,""a"":4}"'))
  })

  test('of revisions has the parameters as JSON', async () => {
    const lines = (await get(`${REVISIONS}?format=csv`)).text.split('\r\n')
    assert.equal(lines[0], 'revision,modified_by,config_name,parameters,created_at')
    assert.match(
      lines[1] ?? '',
      /^0,Ana,r0,"\{""temperature"":0,""project"":\d+\}",2026-09-10T08:00:00.000Z$/,
    )
  })
})

function linked({ headers }: Answer): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
}

function withoutKey({ authorization: _, ...headers }: Record<string, string | string[]>) {
  return headers
}

function mistype(key: string): string {
  return key.slice(0, 30) + (key[30] === 'x' ? 'y' : 'x') + key.slice(31)
}

function withChecksum(unchecked: string): string {
  const table = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let crc = ~0
  for (const byte of Buffer.from(unchecked)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  let digits = ''
  for (let rest = ~crc >>> 0; rest > 0; rest = Math.floor(rest / 62)) digits = table[rest % 62] + digits
  return unchecked + digits.padStart(6, '0')
}
