// Idempotency-Key over HTTP: a repeat gets the first answer again and stores nothing, a refused request is
// not remembered, and two at once are one.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { freshStore, mint, type Service, serveStore } from '../harness.ts'
import { storeDump } from '../store-dump.ts'
import { type Answer, ask, checkDocumented, checkProblem } from '../wire.ts'

const DAY = 86_400_000
const store = await freshStore()
const { key } = await mint(store, { scopes: ['read', 'write'] })
const second = await mint(store, { scopes: ['read', 'write'] })
let now = Date.now()
const service = await serveStore(store, {}, () => now)
const dump = storeDump(store)

const EVALUATIONS = '/api/evaluations'
const scenariosOf = (id: string) => `/api/evaluations/${id}/evaluation_scenarios`
const revisionsOf = (id: string) => `/api/variants/${id}/revisions`
const REVISION = '{"modified_by":"Ana","config":{"config_name":"c"}}'

interface Sent {
  method?: string
  body?: string | Uint8Array
  headers?: Record<string, string>
  on?: Service
}

async function send(
  path: string,
  token: string,
  { method = 'POST', body, headers = {}, on = service }: Sent,
) {
  const sent = {
    authorization: key,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    'idempotency-key': token,
    ...headers,
  }
  const answer = await ask(on.base, path, sent, method, body)
  checkDocumented(path, answer, method)
  return answer
}

async function countOf(id: string): Promise<number> {
  return JSON.parse((await ask(service.base, scenariosOf(id), { authorization: key })).text).length
}

const same = (first: Answer, again: Answer) => {
  assert.equal(again.status, first.status)
  assert.equal(again.text, first.text)
  assert.equal(again.headers.location, first.headers.location)
  assert.equal(again.headers['content-type'], first.headers['content-type'])
}

describe('a request with a key that was refused', () => {
  const refused: [name: string, sent: Sent & { path: string }, status: number, code: string][] = [
    ['for its JSON', { path: scenariosOf('r0'), body: '[{]' }, 400, 'invalid-json'],
    ['for its content', { path: scenariosOf('r1'), body: '[{"note":1}]' }, 422, 'invalid-content'],
    [
      'for its type',
      { path: scenariosOf('r2'), body: '[]', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported-media-type',
    ],
    [
      'for a conflict',
      { path: scenariosOf('r3'), body: '[{"id":"a"},{"id":"a","extra":{}}]' },
      409,
      'conflict',
    ],
    ['for its query', { path: `${scenariosOf('r4')}?limit=1`, body: '[]' }, 400, 'invalid-request'],
  ]
  for (const [name, { path, ...sent }, status, code] of refused) {
    test(`${name} is not remembered: nothing is stored, and the key serves for another body`, async () => {
      const before = await dump()
      checkProblem(await send(path, 'refused', sent), status, code)
      assert.equal(await dump(), before)
      const answer = await send(path.replace(/\?.*/, ''), 'refused', { body: '[{"id":"good"}]' })
      assert.equal(answer.text, '{"accepted":1,"unchanged":0}')
    })
  }

  test('as not found is not remembered', async () => {
    checkProblem(await send(`${EVALUATIONS}/late`, 'late', { method: 'DELETE' }), 404, 'evaluation-not-found')
    await send(EVALUATIONS, 'late', { body: '{"id":"late"}' })
    assert.equal((await send(`${EVALUATIONS}/late`, 'late', { method: 'DELETE' })).status, 204)
  })

  for (const token of ['', 'x'.repeat(256), 'a b', 'a\tb', '\u00e9']) {
    test(`is refused for the key itself: ${JSON.stringify(token.slice(0, 5))}`, async () => {
      const before = await dump()
      checkProblem(await send(scenariosOf('wrong'), token, { body: '[{}]' }), 400, 'invalid-request')
      assert.equal(await dump(), before)
    })
  }
})

describe('a request with the same key', () => {
  test('and another body is refused with 422, and changes nothing', async () => {
    await send(scenariosOf('other'), 'k', { body: '[{"id":"a"}]' })
    const before = await dump()
    for (const body of ['[{"id":"b"}]', '[{"id":"a"} ]', '[]']) {
      const answer = await send(scenariosOf('other'), 'k', { body })
      const { errors } = checkProblem(answer, 422, 'invalid-content')
      assert.equal(errors?.[0]?.pointer, '')
      assert.equal(await dump(), before)
    }
  })

  const repeats: [name: string, path: string, sent: Sent, status: number][] = [
    ['POST of scenarios without ids', scenariosOf('again'), { body: '[{},{},{}]' }, 201],
    ['POST of an evaluation without an id', EVALUATIONS, { body: '{"name":"n"}' }, 201],
    ['POST of a variant without an id', '/api/variants', { body: '{"name":"n"}' }, 201],
    ['POST of a revision without a number', revisionsOf('again'), { body: REVISION }, 201],
    ['PATCH of an evaluation', `${EVALUATIONS}/there`, { method: 'PATCH', body: '{"name":"n"}' }, 200],
    ['PATCH of a scenario', `${scenariosOf('there')}/a`, { method: 'PATCH', body: '{"note":"n"}' }, 200],
    ['DELETE of an evaluation', `${EVALUATIONS}/gone`, { method: 'DELETE' }, 204],
    ['DELETE of a variant', '/api/variants/gone', { method: 'DELETE' }, 204],
  ]
  for (const [name, path, sent, status] of repeats) {
    test(`gets the same answer again, and stores nothing: ${name}`, async () => {
      for (const id of ['there', 'gone']) {
        await send(scenariosOf(id), 'prepare', { body: '[{"id":"a"}]' })
        await send(revisionsOf(id), 'prepare', { body: REVISION })
      }
      const first = await send(path, 'again', sent)
      assert.equal(first.status, status, first.text)
      const before = await dump()
      for (let count = 0; count < 2; count += 1) {
        same(first, await send(path, 'again', sent))
        assert.equal(await dump(), before)
      }
    })
  }

  test('gets the first answer again after what it made was changed', async () => {
    const first = await send(EVALUATIONS, 'first', { body: '{"id":"first"}' })
    await send(`${EVALUATIONS}/first`, 'change', { method: 'PATCH', body: '{"name":"changed"}' })
    same(first, await send(EVALUATIONS, 'first', { body: '{"id":"first"}' }))
  })

  test('is the same request whether its body is compressed or not', async () => {
    const body = '[{},{}]'
    const first = await send(scenariosOf('coded'), 'k', { body })
    const headers = { 'content-encoding': 'gzip' }
    same(first, await send(scenariosOf('coded'), 'k', { body: gzipSync(body), headers }))
    assert.equal(await countOf('coded'), 2)
  })

  test('is another request on another path or with another method', async () => {
    for (const id of ['path-a', 'path-b']) {
      assert.equal(
        (await send(scenariosOf(id), 'path', { body: '[{}]' })).text,
        '{"accepted":1,"unchanged":0}',
      )
    }
    assert.equal((await send(`${EVALUATIONS}/path-a`, 'path', { method: 'PATCH', body: '{}' })).status, 200)
    assert.equal((await send(`${EVALUATIONS}/path-a`, 'path', { method: 'DELETE' })).status, 204)
  })

  test('is another request with another API key', async () => {
    const headers = { authorization: second.key }
    await send(scenariosOf('shared'), 'k', { body: '[{}]' })
    await send(scenariosOf('shared'), 'k', { body: '[{}]', headers })
    assert.equal(await countOf('shared'), 2)
    const answer = await send(scenariosOf('shared'), 'k', { body: '[{}]', headers })
    assert.equal(answer.status, 201)
    assert.equal(await countOf('shared'), 2)
  })

  test('may have 255 characters of every kind that is seen', async () => {
    const seen = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join('')
    const token = seen.repeat(3).slice(0, 255)
    for (let count = 0; count < 2; count += 1)
      assert.equal((await send(scenariosOf('long'), token, { body: '[{}]' })).status, 201)
    assert.equal(await countOf('long'), 1)
  })

  test('is known for a day, by another process too, and then forgotten', async () => {
    const body = '[{}]'
    await send(scenariosOf('day'), 'day', { body })
    const begun = now
    const other = await serveStore(store, {}, () => now)
    now = begun + DAY - 1
    await send(scenariosOf('day'), 'day', { body, on: other })
    assert.equal(await countOf('day'), 1)
    now = begun + DAY
    await send(scenariosOf('day'), 'day', { body: '[{},{}]' })
    assert.equal(await countOf('day'), 3)
    const kept = await store.reader.all<{ created_at: string }>('SELECT created_at FROM idempotency')
    assert.deepEqual(
      kept.map(({ created_at }) => created_at),
      [new Date(now).toISOString()],
    )
    await other.stop()
  })
})

describe('two requests with one key at once', () => {
  test('are one: the second is refused with 409 and when to ask again, the first is answered', async () => {
    const path = scenariosOf('at-once')
    const headers = {
      authorization: key,
      'content-type': 'application/x-ndjson',
      'idempotency-key': 'at-once',
    }
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const { hostname, port } = new URL(service.base)
    const first = httpRequest({ hostname, port, path, method: 'POST', headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    first.on('error', reject)
    // The answer to Expect tells that the request has reached the service.
    first.setHeader('expect', '100-continue')
    const isSeen = new Promise((seen) => first.on('continue', seen))
    first.flushHeaders()
    await isSeen
    first.write('{"id":"a"}\n')
    // Begun behind the first, and answered: the first is under way.
    const unrelated = await send(path, 'at-once-2', { body: '[{"id":"c"}]' })
    assert.equal(unrelated.status, 201)
    const before = await dump()
    const meanwhile = await send(path, 'at-once', { body: '[{"id":"b"}]' })
    checkProblem(meanwhile, 409, 'conflict')
    assert.equal(meanwhile.headers['retry-after'], '1')
    assert.equal(await dump(), before)
    first.end('{"id":"d"}')
    assert.equal(await promise, 201)
    const again = await send(path, 'at-once', {
      body: '{"id":"a"}\n{"id":"d"}',
      headers: { 'content-type': 'application/x-ndjson' },
    })
    assert.equal(again.text, '{"accepted":2,"unchanged":0}')
    assert.equal(await countOf('at-once'), 3)
  })

  test('are two once the first is gone without an answer', async () => {
    const path = scenariosOf('gone-away')
    const { hostname, port } = new URL(service.base)
    const headers = { authorization: key, 'content-type': 'application/json', 'idempotency-key': 'k' }
    const first = httpRequest({ hostname, port, path, method: 'POST', headers, agent: false })
    first.on('error', () => undefined)
    first.setHeader('expect', '100-continue')
    const isSeen = new Promise((seen) => first.on('continue', seen))
    first.flushHeaders()
    await isSeen
    first.write('[{"id":"a"},')
    first.destroy()
    let answer = await send(path, 'k', { body: '[{"id":"b"}]' })
    while (answer.status === 409) answer = await send(path, 'k', { body: '[{"id":"b"}]' })
    assert.equal(answer.text, '{"accepted":1,"unchanged":0}')
  })
})
