// Tests the Idempotency-Key header: a repeated request returns the first response and stores nothing, a rejected one
// is not recorded, and only the first of two concurrent requests is processed.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createTestKey, createTestStore, type Service, startTestService } from '../../support/harness.ts'
import { checkDocumented, checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { storeDump } from '../../support/store-dump.ts'

const DAY_MS = 86_400_000
const store = await createTestStore()
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const secondKey = await createTestKey(store, { scopes: ['read', 'write'] })
let now = Date.now()
const service = await startTestService(store, {}, () => now)
const dump = storeDump(store)

const EVALUATIONS = '/api/evaluations'
const scenariosPath = (id: string) => `/api/evaluations/${id}/evaluation_scenarios`
const revisionsPath = (id: string) => `/api/variants/${id}/revisions`
const REVISION = '{"modified_by":"Ana","config":{"config_name":"c"}}'

const RESULTS = '[{"scenario_id":"a","evaluator_config":"b","result":{"type":"x"}}]'

interface RequestOptions {
  method?: string
  body?: string | Uint8Array
  headers?: Record<string, string>
  target?: Service
}

async function send(
  path: string,
  idempotencyKey: string,
  { method = 'POST', body, headers = {}, target = service }: RequestOptions,
) {
  const allHeaders = {
    authorization: key,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    'idempotency-key': idempotencyKey,
    ...headers,
  }
  const response = await sendRequest(target.baseUrl, path, allHeaders, method, body)
  checkDocumented(path, response, method)
  return response
}

async function countScenarios(id: string): Promise<number> {
  return JSON.parse((await sendRequest(service.baseUrl, scenariosPath(id), { authorization: key })).text)
    .length
}

const assertSameResponse = (first: HttpResponse, second: HttpResponse) => {
  assert.equal(second.status, first.status)
  assert.equal(second.text, first.text)
  assert.equal(second.headers.location, first.headers.location)
  assert.equal(second.headers.etag, first.headers.etag)
  assert.equal(second.headers['content-type'], first.headers['content-type'])
  assert.deepEqual(
    [first.headers['idempotent-replayed'], second.headers['idempotent-replayed']],
    [undefined, 'true'],
  )
}

describe('a rejected request with an idempotency key', () => {
  const cases: [name: string, options: RequestOptions & { path: string }, status: number, code: string][] = [
    ['invalid JSON', { path: scenariosPath('r0'), body: '[{]' }, 400, 'invalid-json'],
    ['invalid content', { path: scenariosPath('r1'), body: '[{"note":1}]' }, 422, 'invalid-content'],
    [
      'a wrong media type',
      { path: scenariosPath('r2'), body: '[]', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported-media-type',
    ],
    [
      'a conflict',
      { path: scenariosPath('r3'), body: '[{"id":"a"},{"id":"a","extra":{}}]' },
      409,
      'conflict',
    ],
    ['an invalid query', { path: `${scenariosPath('r4')}?limit=1`, body: '[]' }, 400, 'invalid-request'],
  ]
  for (const [name, { path, ...options }, status, code] of cases) {
    test(`is not recorded after ${name}: stores nothing, and the key can be used with another body`, async () => {
      const dumpBefore = await dump()
      checkProblem(await send(path, 'rejected', options), status, code)
      assert.equal(await dump(), dumpBefore)
      const response = await send(path.replace(/\?.*/, ''), 'rejected', { body: '[{"id":"good"}]' })
      assert.equal(response.text, '{"accepted":1,"unchanged":0}')
    })
  }

  test('is not recorded after 404', async () => {
    checkProblem(await send(`${EVALUATIONS}/late`, 'late', { method: 'DELETE' }), 404, 'evaluation-not-found')
    await send(EVALUATIONS, 'late', { body: '{"id":"late"}' })
    assert.equal((await send(`${EVALUATIONS}/late`, 'late', { method: 'DELETE' })).status, 204)
  })

  for (const idempotencyKey of ['', 'x'.repeat(256), 'a b', 'a\tb', '\u00e9']) {
    test(`returns 400 for the invalid key ${JSON.stringify(idempotencyKey.slice(0, 5))}`, async () => {
      const dumpBefore = await dump()
      checkProblem(
        await send(scenariosPath('wrong'), idempotencyKey, { body: '[{}]' }),
        400,
        'invalid-request',
      )
      assert.equal(await dump(), dumpBefore)
    })
  }
})

describe('a request with a known idempotency key', () => {
  test('returns 422 for another body, and stores nothing', async () => {
    await send(scenariosPath('other'), 'k', { body: '[{"id":"a"}]' })
    const dumpBefore = await dump()
    for (const body of ['[{"id":"b"}]', '[{"id":"a"} ]', '[]']) {
      const response = await send(scenariosPath('other'), 'k', { body })
      const { errors } = checkProblem(response, 422, 'invalid-content')
      assert.equal(errors?.[0]?.pointer, '')
      assert.equal(await dump(), dumpBefore)
    }
  })

  test('returns 422 for another query, and stores nothing', async () => {
    const body = 'input.q,output\na,b\n'
    const path = (evaluation: string) => `/api/imports?format=table&evaluation=${evaluation}`
    assert.equal((await send(path('imported'), 'import', { body })).status, 200)
    const dumpBefore = await dump()
    checkProblem(await send(path('other-import'), 'import', { body }), 422, 'invalid-content')
    assert.equal(await dump(), dumpBefore)
    assert.equal((await send(path('imported'), 'import', { body })).status, 200)
  })

  const repeats: [name: string, path: string, options: RequestOptions, status: number][] = [
    ['POST of scenarios without ids', scenariosPath('again'), { body: '[{},{},{}]' }, 201],
    ['POST of an evaluation without an id', EVALUATIONS, { body: '{"name":"n"}' }, 201],
    ['POST of a variant without an id', '/api/variants', { body: '{"name":"n"}' }, 201],
    ['POST of a revision without a number', revisionsPath('again'), { body: REVISION }, 201],
    ['PATCH of an evaluation', `${EVALUATIONS}/there`, { method: 'PATCH', body: '{"name":"n"}' }, 200],
    ['PATCH of a scenario', `${scenariosPath('there')}/a`, { method: 'PATCH', body: '{"note":"n"}' }, 200],
    ['POST of results', `${EVALUATIONS}/there/results`, { body: RESULTS }, 200],
    ['DELETE of results', `${EVALUATIONS}/gone/results?evaluator=e`, { method: 'DELETE' }, 204],
    ['DELETE of a result', `${scenariosPath('gone')}/a/results/f`, { method: 'DELETE' }, 204],
    ['DELETE of scenarios', `${scenariosPath('there')}?note=is.present`, { method: 'DELETE' }, 200],
    ['DELETE of an evaluation', `${EVALUATIONS}/gone`, { method: 'DELETE' }, 204],
    ['DELETE of a revision', `${revisionsPath('gone')}/1`, { method: 'DELETE' }, 204],
    ['DELETE of a variant', '/api/variants/gone', { method: 'DELETE' }, 204],
  ]
  for (const [name, path, options, status] of repeats) {
    test(`returns the same response again and stores nothing for ${name}`, async () => {
      for (const id of ['there', 'gone']) {
        await send(scenariosPath(id), 'prepare', { body: '[{"id":"a"}]' })
        const results = ['e', 'f'].map((name) => RESULTS.slice(1, -1).replace('"b"', `"${name}"`))
        await send(`${EVALUATIONS}/${id}/results`, 'prepare', { body: `[${results}]` })
        await send(revisionsPath(id), 'prepare', { body: REVISION })
      }
      const first = await send(path, 'again', options)
      assert.equal(first.status, status, first.text)
      const dumpBefore = await dump()
      for (let count = 0; count < 2; count += 1) {
        assertSameResponse(first, await send(path, 'again', options))
        assert.equal(await dump(), dumpBefore)
      }
    })
  }

  test('returns the first response again even if the resource has changed', async () => {
    const first = await send(EVALUATIONS, 'first', { body: '{"id":"first"}' })
    await send(`${EVALUATIONS}/first`, 'change', { method: 'PATCH', body: '{"name":"changed"}' })
    assertSameResponse(first, await send(EVALUATIONS, 'first', { body: '{"id":"first"}' }))
  })

  test('counts as the same request whether the body is compressed or not', async () => {
    const body = '[{},{}]'
    const first = await send(scenariosPath('coded'), 'k', { body })
    const headers = { 'content-encoding': 'gzip' }
    assertSameResponse(first, await send(scenariosPath('coded'), 'k', { body: gzipSync(body), headers }))
    assert.equal(await countScenarios('coded'), 2)
  })

  test('counts as another request with another path or method', async () => {
    for (const id of ['path-a', 'path-b']) {
      assert.equal(
        (await send(scenariosPath(id), 'path', { body: '[{}]' })).text,
        '{"accepted":1,"unchanged":0}',
      )
    }
    assert.equal((await send(`${EVALUATIONS}/path-a`, 'path', { method: 'PATCH', body: '{}' })).status, 200)
    assert.equal((await send(`${EVALUATIONS}/path-a`, 'path', { method: 'DELETE' })).status, 204)
  })

  test('counts as another request with another API key', async () => {
    const headers = { authorization: secondKey.key }
    await send(scenariosPath('shared'), 'k', { body: '[{}]' })
    await send(scenariosPath('shared'), 'k', { body: '[{}]', headers })
    assert.equal(await countScenarios('shared'), 2)
    const response = await send(scenariosPath('shared'), 'k', { body: '[{}]', headers })
    assert.equal(response.status, 201)
    assert.equal(await countScenarios('shared'), 2)
  })

  test('can have an idempotency key of 255 visible ASCII characters', async () => {
    const visibleAscii = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join('')
    const idempotencyKey = visibleAscii.repeat(3).slice(0, 255)
    for (let count = 0; count < 2; count += 1)
      assert.equal((await send(scenariosPath('long'), idempotencyKey, { body: '[{}]' })).status, 201)
    assert.equal(await countScenarios('long'), 1)
  })

  test('is recognized for a day, also by another service instance', async () => {
    const body = '[{}]'
    await send(scenariosPath('day'), 'day', { body })
    const start = now
    const otherService = await startTestService(store, {}, () => now)
    now = start + DAY_MS - 1
    await send(scenariosPath('day'), 'day', { body, target: otherService })
    assert.equal(await countScenarios('day'), 1)
    now = start + DAY_MS
    await send(scenariosPath('day'), 'day', { body: '[{},{}]' })
    assert.equal(await countScenarios('day'), 3)
    const records = await store.reader.all<{ created_at: string }>('SELECT created_at FROM idempotency')
    assert.deepEqual(
      records.map(({ created_at }) => created_at),
      [new Date(now).toISOString()],
    )
    await otherService.stop()
  })
})

describe('the deletion of what a request has written', () => {
  const file = '{"id":"a"}\n'
  const importPath = '/api/imports?format=scenarios&evaluation=forgotten&variant=forgotten'
  const writes: [name: string, path: string, options: RequestOptions][] = [
    ['POST of scenarios', scenariosPath('forgotten'), { body: '[{"id":"a"}]' }],
    ['POST of an evaluation', EVALUATIONS, { body: '{"id":"forgotten"}' }],
    ['POST of a variant', '/api/variants', { body: '{"id":"forgotten"}' }],
    ['POST of a revision', revisionsPath('forgotten'), { body: REVISION }],
    ['an import', importPath, { body: file, headers: { 'content-type': 'application/x-ndjson' } }],
  ]
  for (const [name, path, options] of writes)
    test(`forgets the key of ${name}, so that it is stored again`, async () => {
      const isVariant = path.startsWith('/api/variants')
      const resource = `${isVariant ? '/api/variants' : EVALUATIONS}/forgotten`
      const first = await send(path, 'forgotten', options)
      assert.ok(first.status < 300, first.text)
      await sendRequest(service.baseUrl, resource, { authorization: key }, 'DELETE')
      const second = await send(path, 'forgotten', options)
      assert.equal(second.status, first.status, second.text)
      assert.equal(second.headers['idempotent-replayed'], undefined)
      const read = await sendRequest(service.baseUrl, resource, { authorization: key })
      assert.equal(read.status, 200)
      assertSameResponse(second, await send(path, 'forgotten', options))
      await sendRequest(service.baseUrl, resource, { authorization: key }, 'DELETE')
    })

  test('keeps the keys of other evaluations, and of variants with the same id', async () => {
    const others: [string, string][] = [
      [scenariosPath('kept'), '[{"id":"a"}]'],
      [revisionsPath('forgotten'), REVISION],
    ]
    for (const [path, body] of others) await send(path, 'kept', { body })
    await send(scenariosPath('forgotten'), 'kept', { body: '[{"id":"a"}]' })
    await sendRequest(service.baseUrl, `${EVALUATIONS}/forgotten`, { authorization: key }, 'DELETE')
    for (const [path, body] of others)
      assert.equal((await send(path, 'kept', { body })).headers['idempotent-replayed'], 'true')
    const again = await send(scenariosPath('forgotten'), 'kept', { body: '[{"id":"a"}]' })
    assert.equal(again.headers['idempotent-replayed'], undefined)
  })
})

describe('two concurrent requests with one idempotency key', () => {
  test('returns 409 with Retry-After for the second one, and processes the first one', async () => {
    const path = scenariosPath('at-once')
    const headers = {
      authorization: key,
      'content-type': 'application/x-ndjson',
      'idempotency-key': 'at-once',
    }
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const { hostname, port } = new URL(service.baseUrl)
    const first = httpRequest({ hostname, port, path, method: 'POST', headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    first.on('error', reject)
    // The 100 Continue response shows that the request has reached the service.
    first.setHeader('expect', '100-continue')
    const continueEvent = new Promise((resolve) => first.on('continue', resolve))
    first.flushHeaders()
    await continueEvent
    first.write('{"id":"a"}\n')
    // This request started after the first one and has completed, so the first one is being processed.
    const otherResponse = await send(path, 'at-once-2', { body: '[{"id":"c"}]' })
    assert.equal(otherResponse.status, 201)
    const dumpBefore = await dump()
    const secondResponse = await send(path, 'at-once', { body: '[{"id":"b"}]' })
    checkProblem(secondResponse, 409, 'conflict')
    assert.equal(secondResponse.headers['retry-after'], '1')
    assert.equal(await dump(), dumpBefore)
    first.end('{"id":"d"}')
    assert.equal(await promise, 201)
    const retryResponse = await send(path, 'at-once', {
      body: '{"id":"a"}\n{"id":"d"}',
      headers: { 'content-type': 'application/x-ndjson' },
    })
    assert.equal(retryResponse.text, '{"accepted":2,"unchanged":0}')
    assert.equal(await countScenarios('at-once'), 3)
  })

  test('processes the second one once the first client has disconnected', async () => {
    const path = scenariosPath('gone-away')
    const { hostname, port } = new URL(service.baseUrl)
    const headers = { authorization: key, 'content-type': 'application/json', 'idempotency-key': 'k' }
    const first = httpRequest({ hostname, port, path, method: 'POST', headers, agent: false })
    first.on('error', () => undefined)
    first.setHeader('expect', '100-continue')
    const continueEvent = new Promise((resolve) => first.on('continue', resolve))
    first.flushHeaders()
    await continueEvent
    first.write('[{"id":"a"},')
    first.destroy()
    let response = await send(path, 'k', { body: '[{"id":"b"}]' })
    while (response.status === 409) response = await send(path, 'k', { body: '[{"id":"b"}]' })
    assert.equal(response.text, '{"accepted":1,"unchanged":0}')
  })
})
