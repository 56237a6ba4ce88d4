// Tests valid writes: every response must match openapi.json, and reads must return exactly what was written.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { runTask } from '../../../src/store/background/task.ts'
import { checkStore } from '../../../src/store/check.ts'
import { scenarioTables } from '../../../src/store/scenarios/derived-rows.ts'
import { REMOVE_DELETED } from '../../../src/store/scenarios/removal.ts'
import { EXACT_VALUES, exactBody } from '../../support/corpus.ts'
import { createTestKey, createTestStore, rawRequest, startTestService } from '../../support/harness.ts'
import {
  checkDocumented,
  checkProblem,
  type HttpResponse,
  schemaErrors,
  sendRequest,
} from '../../support/http.ts'
import {
  type Body,
  EVALUATIONS,
  evaluationOfSize,
  gzipHeaders,
  JSON_TYPE,
  ndjsonHeaders,
  nestedArrays,
  objectWithMembers,
  revisionBody,
  revisionsPath,
  scenarioOfSize,
  scenariosPath,
  thousandRows,
  VARIANTS,
  zstdHeaders,
} from '../../support/write-requests.ts'

const store = await createTestStore()
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const service = await startTestService(store)

type Headers = Record<string, string>

function send(
  method: string,
  path: string,
  body?: Body,
  headers: Headers = {},
  target = service,
): Promise<HttpResponse> {
  const type = body === undefined ? {} : { 'content-type': JSON_TYPE }
  return sendRequest(target.baseUrl, path, { authorization: key, ...type, ...headers }, method, body)
}

async function sendOk(
  method: string,
  path: string,
  body?: Body,
  { headers = {}, schema }: { headers?: Headers; schema?: string } = {},
): Promise<HttpResponse> {
  const response = await send(method, path, body, headers)
  assert.ok(response.status < 300, `${method} ${path} ${response.status} ${response.text}`)
  checkDocumented(path, response, method)
  if (schema !== undefined) assert.deepEqual(schemaErrors(schema, JSON.parse(response.text)), [])
  if (method === 'GET' && response.headers['content-length'] !== undefined)
    assert.equal(response.headers['content-length'], String(response.bytes.length))
  return response
}

const append = (id: string, body: Body, headers: Headers = {}) =>
  sendOk('POST', scenariosPath(id), body, { headers, schema: 'Appended' })
const scenarioIds = async (id: string) =>
  (JSON.parse((await sendOk('GET', scenariosPath(id))).text) as { id: string }[]).map(({ id }) => id)
const appendResult = (accepted: number, unchanged = 0) => JSON.stringify({ accepted, unchanged })

async function findInList(path: string, id: string): Promise<Record<string, unknown>> {
  const items = JSON.parse((await sendOk('GET', path)).text) as Record<string, unknown>[]
  const item = items.find((element) => element.id === id)
  assert.ok(item, `${path} does not contain ${id}`)
  return item
}

describe('appending scenarios', () => {
  const three = '[{"id":"a"},{"id":"b"},{"id":"c"}]'
  const lines = '{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n'
  const bodies: [name: string, body: Body, headers: Headers][] = [
    ['an array', three, {}],
    ['an array with whitespace', '\r\n [ {"id" : "a"},\n\n{"id":"b"}\t,{"id":"c"} ] \n', {}],
    ['an array with a media type parameter', three, { 'content-type': 'Application/JSON; charset=utf-8' }],
    ['NDJSON', lines, ndjsonHeaders],
    ['NDJSON without a final newline', lines.trimEnd(), ndjsonHeaders],
    ['NDJSON with CRLF line ends', lines.replaceAll('\n', '\r\n'), ndjsonHeaders],
    ['NDJSON with blank lines', `\n\n${lines.replaceAll('\n', '\n \r\n\n')}`, ndjsonHeaders],
    ['an array with gzip', gzipSync(three), gzipHeaders],
    ['an array with x-gzip', gzipSync(three), { 'content-encoding': 'X-GZIP' }],
    [
      'an array with gzip in two members',
      Buffer.concat([gzipSync(three.slice(0, 9)), gzipSync(three.slice(9))]),
      gzipHeaders,
    ],
    ['an array with zstd', zstdCompressSync(three), zstdHeaders],
    ['NDJSON with gzip', gzipSync(lines), { ...ndjsonHeaders, ...gzipHeaders }],
    ['NDJSON with zstd', zstdCompressSync(lines), { ...ndjsonHeaders, ...zstdHeaders }],
    ['an array with the encoding identity', three, { 'content-encoding': 'identity' }],
    ['an array with chunked transfer encoding', three, { 'transfer-encoding': 'chunked' }],
    [
      'an array in which each scenario has an evaluation_id',
      three.replaceAll('}', ',"evaluation_id":"EVALUATION"}'),
      {},
    ],
  ]
  for (const [index, [name, body, headers]] of bodies.entries()) {
    test(`accepts ${name}`, async () => {
      const id = `form-${index}`
      const requestBody = typeof body === 'string' ? body.replaceAll('EVALUATION', id) : body
      assert.equal((await append(id, requestBody, headers)).text, appendResult(3))
      assert.deepEqual(await scenarioIds(id), ['a', 'b', 'c'])
    })
  }

  test('accepts a body in chunks of one byte that split characters', async () => {
    const chunks = [...Buffer.from('[{"id":"ü💡"}]')].map((byte) =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
    )
    const head = `POST ${scenariosPath('bytes')} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
    assert.match(await rawRequest(service.port, head, ...chunks, '0\r\n\r\n'), /^HTTP\/1.1 201 /)
    assert.deepEqual(await scenarioIds('bytes'), ['ü💡'])
  })

  test('creates an evaluation that does not exist and names it after its id', async () => {
    await append('a/ü b', '[]')
    const evaluation = await findInList(EVALUATIONS, 'a/ü b')
    assert.equal(evaluation.name, 'a/ü b')
    assert.equal(evaluation.scenario_count, 0)
    assert.deepEqual(schemaErrors('Evaluation', evaluation), [])
  })

  test('adds scenarios after the existing ones, in the order of writing', async () => {
    for (const body of ['[{"id":"z"},{"id":"b"}]', '[{"id":"y"},{"id":"b"},{"id":"a"}]', '[{"id":"c"}]'])
      await append('order', body)
    assert.deepEqual(await scenarioIds('order'), ['z', 'b', 'y', 'a', 'c'])
  })

  test('generates different UUIDs of version 7 for scenarios without ids', async () => {
    await append('generated', '[{},{"id":null},{}]')
    const ids = await scenarioIds('generated')
    for (const id of ids) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    assert.equal(new Set(ids).size, 3)
  })

  test('accepts an id of 200 characters outside the Basic Multilingual Plane', async () => {
    const id = '💡'.repeat(200)
    await append(id, JSON.stringify([{ id }]))
    assert.deepEqual(await scenarioIds(id), [id])
  })

  test('stores all eight members with defaults when they are missing', async () => {
    await append('defaults', '[{"id":"a"}]')
    assert.equal(
      (await sendOk('GET', scenariosPath('defaults'))).text,
      '[{"id":"a","evaluation_id":"defaults","inputs":[],"outputs":[],"correct_answers":null,"is_pinned":null,"note":null,"results":[]}]',
    )
  })

  test('stores the exact text of every JSON value', async () => {
    const bodies = EXACT_VALUES.map((value, position) => exactBody(position, value))
    await append('exact', `[${bodies.join(' ,\n')}]`)
    assert.equal((await sendOk('GET', scenariosPath('exact'))).text, `[${bodies.join(',')}]`)
  })

  test('stores extra, which is returned only with include=extra', async () => {
    await append('extra', '[{"id":"a","extra":{"b":1.0, "a":[ ]}},{"id":"b","extra":null}]')
    assert.doesNotMatch((await sendOk('GET', scenariosPath('extra'))).text, /extra":/)
    const { text } = await sendOk('GET', `${scenariosPath('extra')}?include=extra`)
    assert.match(text, /"results":\[\],"extra":\{"b":1\.0,"a":\[\]\}\},/)
    assert.match(text, /"results":\[\],"extra":null\}\]$/)
  })

  test('accepts content up to every limit', async () => {
    await append('limits', `[{"extra":{"x":${nestedArrays(126)}}},{"extra":${objectWithMembers(10_000)}}]`)
    await sendOk('POST', EVALUATIONS, `{"metadata":{"x":${nestedArrays(126)}}}`, { schema: 'Evaluation' })
    const limited = await startTestService(store, {
      max_record_bytes: 2048,
      max_body_bytes: 2100,
    })
    for (const body of [
      `[${scenarioOfSize(2048)}${' '.repeat(50)}]`,
      gzipSync(`[${scenarioOfSize(2048)}]`),
    ]) {
      const headers = typeof body === 'string' ? {} : gzipHeaders
      assert.equal(
        (await send('POST', scenariosPath('limits'), body, headers, limited)).text,
        appendResult(1),
      )
    }
    assert.equal((await send('POST', EVALUATIONS, evaluationOfSize(2048), {}, limited)).status, 201)
    await limited.stop()
  })

  test('stores all scenarios of a large body or none', async () => {
    const note = 'x'.repeat(3000)
    const body = thousandRows('lines', (index) => JSON.stringify({ id: `r-${index}`, note }))
    assert.equal((await append('many', body, ndjsonHeaders)).text, appendResult(1000))
    const rest = await send('POST', scenariosPath('many'), `${body}{"id":"r-5","extra":{}}`, ndjsonHeaders)
    assert.ok(checkProblem(rest, 409, 'conflict').detail.includes(`'r-5' (at /1000/id, line 1001)`))
    assert.equal((await append('many', body, ndjsonHeaders)).text, appendResult(0, 1000))
    assert.equal((await findInList(EVALUATIONS, 'many')).scenario_count, 1000)
  })

  test('accepts application/jsonl like application/x-ndjson', async () => {
    for (const type of ['application/jsonl', 'Application/JSONL; charset=utf-8']) {
      const headers = { 'content-type': type }
      assert.equal(
        (await append(`jsonl ${type}`, '{"id":"a"}\n\n{"id":"b"}\n', headers)).text,
        appendResult(2),
      )
      assert.deepEqual(await scenarioIds(`jsonl ${type}`), ['a', 'b'])
    }
  })

  test('accepts the charset UTF-8 in any spelling', async () => {
    for (const charset of [
      'charset=utf-8',
      'charset=UTF8',
      'Charset="utf-8"',
      'x="; charset=latin1"; charset=Utf-8',
    ]) {
      const headers = { 'content-type': `${JSON_TYPE};${charset}` }
      const response = await sendOk('POST', EVALUATIONS, '{"name":"ü"}', { headers })
      assert.equal(JSON.parse(response.text).name, 'ü')
    }
  })
})

describe('appending a scenario again', () => {
  const body =
    '[{"id":"a","note":"first","inputs":[{"name":"q","type":"text","value":1.0}],"extra":{"k":1}},{"id":"b"}]'

  test('leaves the scenario and the ETag unchanged', async () => {
    assert.equal((await append('again', body)).text, appendResult(2))
    const responseBefore = await sendOk('GET', scenariosPath('again'))
    assert.equal((await append('again', body.replaceAll(',', ' ,\n'))).text, appendResult(0, 2))
    const responseAfter = await sendOk('GET', scenariosPath('again'))
    assert.equal(responseAfter.headers.etag, responseBefore.headers.etag)
    assert.equal(responseAfter.text, responseBefore.text)
    assert.equal((await append('again', '[{"id":"b"},{"id":"c"}]')).text, appendResult(1, 1))
    assert.notEqual((await sendOk('GET', scenariosPath('again'))).headers.etag, responseBefore.headers.etag)
  })

  test('leaves a scenario with a changed pin and note unchanged', async () => {
    await append('marked', body)
    await sendOk('PATCH', `${scenariosPath('marked')}/a`, '{"is_pinned":true,"note":"second"}')
    const responseBefore = await sendOk('GET', scenariosPath('marked'))
    assert.equal((await append('marked', body)).text, appendResult(0, 2))
    const responseAfter = await sendOk('GET', scenariosPath('marked'))
    assert.equal(responseAfter.headers.etag, responseBefore.headers.etag)
    assert.match(responseAfter.text, /"is_pinned":true,"note":"second"/)
  })

  test('counts a repeated scenario in the same body as unchanged', async () => {
    assert.equal((await append('twice', '[{"id":"a"},{"id":"b"},{"id":"a"}]')).text, appendResult(2, 1))
    assert.deepEqual(await scenarioIds('twice'), ['a', 'b'])
  })
})

describe('changing pin and note of a scenario', () => {
  const patches: [body: string, members: string][] = [
    ['{"is_pinned":true}', '"is_pinned":true,"note":null'],
    ['{"note":"l\\u00f6ok"}', '"is_pinned":true,"note":"l\\u00f6ok"'],
    ['{}', '"is_pinned":true,"note":"l\\u00f6ok"'],
    ['{"is_pinned":false,"note":""}', '"is_pinned":false,"note":""'],
    ['{"note":null}', '"is_pinned":false,"note":null'],
    ['{"is_pinned":null}', '"is_pinned":null,"note":null'],
  ]
  test('leaves all other bytes unchanged', async () => {
    const [scenario = '', other] = ['{"b":1.0,"a":1E2}', '1.0'].map((value, position) =>
      exactBody(position, value).replace('"exact"', '"exact-patches"'),
    )
    await append('exact-patches', `[${scenario},${other}]`)
    let responseBefore = await sendOk('GET', scenariosPath('exact-patches'))
    for (const [body, members] of patches) {
      const patched = scenario.replace('"is_pinned":null,"note":null', members)
      const response = await sendOk('PATCH', `${scenariosPath('exact-patches')}/s-0`, body, {
        schema: 'EvaluationScenario',
      })
      assert.equal(response.status, 200)
      assert.equal(response.text, patched)
      const read = await sendOk('GET', scenariosPath('exact-patches'))
      assert.equal(read.text, `[${patched},${other}]`)
      assert.equal(read.headers['content-length'], String(read.bytes.length))
      assert.equal(read.headers.etag === responseBefore.headers.etag, read.text === responseBefore.text)
      responseBefore = read
    }
  })

  test('accepts an id that needs percent-encoding', async () => {
    await append('special', '[{"id":"a/b c%2F?ü"}]')
    const path = `${scenariosPath('special')}/${encodeURIComponent('a/b c%2F?ü')}`
    assert.match((await sendOk('PATCH', path, '{"note":"n"}')).text, /"note":"n"/)
  })
})

describe('creating, changing and deleting an evaluation', () => {
  const fullBody =
    '{"id":"whole/1","name":"Whole","variant_id":"v","revision":1,"baseline_id":"later","family":"main","label":"short","provider":"echo","source":"test","created_at":"2026-01-01T00:00:00Z","status":"running","expected_count":100,"tags":["z","\\u0061"],"evaluators":[{"name":"e","threshold":1.0,"higher_is_better":false}],"metadata":{"b":1.0,"10":1,"9":1E2}}'

  test('stores the exact text of all members and returns a Location', async () => {
    await sendOk('POST', revisionsPath('v'), revisionBody())
    const response = await sendOk('POST', EVALUATIONS, fullBody, { schema: 'Evaluation' })
    assert.equal(response.status, 201)
    assert.equal(response.headers.location, '/api/evaluations/whole%2F1')
    const { updated_at } = JSON.parse(response.text)
    assert.equal(
      response.text,
      fullBody
        .replace('00Z"', `00.000Z","updated_at":"${updated_at}"`)
        .replace('"running"', '"running","scenario_count":0'),
    )
    assert.equal((await sendOk('GET', scenariosPath('whole/1'))).text, '[]')
  })

  test('returns the existing evaluation for the same content in a different member order', async () => {
    const id = '"id":"made-again"'
    const first = await sendOk('POST', EVALUATIONS, `{${id},"name":"n","metadata":{"a":1}}`)
    const { etag } = (await sendOk('GET', scenariosPath('made-again'))).headers
    const second = await sendOk('POST', EVALUATIONS, `{"metadata": {"a":1}, "name":"n","source":null,${id}}`)
    assert.equal(second.status, 201)
    assert.equal(second.text, first.text)
    assert.equal(second.headers.location, first.headers.location)
    assert.equal((await sendOk('GET', scenariosPath('made-again'))).headers.etag, etag)
  })

  test('generates a new id for each evaluation without one', async () => {
    const [first, second] = [await sendOk('POST', EVALUATIONS, '{}'), await sendOk('POST', EVALUATIONS, '{}')]
    const { id } = JSON.parse(first.text)
    assert.match(id, /^[\da-f-]{14}7/)
    assert.equal(first.headers.location, `/api/evaluations/${id}`)
    assert.notEqual(JSON.parse(second.text).id, id)
  })

  const changes: [name: string, body: string, change: Record<string, unknown>][] = [
    ['name', '{"name":"Other"}', { name: 'Other' }],
    ['variant and revision', '{"variant_id":"v","revision":1}', { variant_id: 'v', revision: 1 }],
    ['revision alone', '{"revision":null}', { revision: null }],
    ['variant alone', '{"variant_id":null}', { variant_id: null }],
    ['baseline', '{"baseline_id":"not there yet"}', { baseline_id: 'not there yet' }],
    [
      'family',
      '{"family":"main","label":"short","provider":"echo"}',
      { family: 'main', label: 'short', provider: 'echo' },
    ],
    ['label alone', '{"label":null}', { label: null }],
    ['evaluators', '{"evaluators":[{"name":"e"}]}', { evaluators: [{ name: 'e' }] }],
    [
      'members of evaluators',
      '{"evaluators":[{"name":"f","threshold":0.50},{"name":"e","kind":"model","threshold":1}]}',
      {
        evaluators: [
          { name: 'e', kind: 'model', threshold: 1 },
          { name: 'f', threshold: 0.5 },
        ],
      },
    ],
    [
      'one member of one evaluator',
      '{"evaluators":[{"name":"e","threshold":null}]}',
      {
        evaluators: [
          { name: 'e', kind: 'model' },
          { name: 'f', threshold: 0.5 },
        ],
      },
    ],
    ['no evaluators', '{"evaluators":[]}', {}],
    ['metadata', '{"metadata":{"a":[]}}', { metadata: { a: [] } }],
    ['status', '{"status":"failed"}', { status: 'failed' }],
    ['expected count', '{"expected_count":0}', { expected_count: 0 }],
    ['tags', '{"tags":["b","a"]}', { tags: ['b', 'a'] }],
    ['order of tags', '{"tags":["a","b"]}', { tags: ['a', 'b'] }],
    ['nothing', '{}', {}],
    [
      'everything, by null',
      '{"name":null,"baseline_id":null,"family":null,"label":null,"provider":null,"status":null,"expected_count":null,"tags":null,"evaluators":null,"metadata":null}',
      {
        name: null,
        baseline_id: null,
        family: null,
        label: null,
        provider: null,
        status: 'finished',
        expected_count: null,
        tags: [],
        evaluators: null,
        metadata: null,
      },
    ],
  ]
  test('changes only the members of the request', async () => {
    await sendOk('POST', revisionsPath('v'), revisionBody(undefined, ',"revision":1'))
    let expected = JSON.parse((await sendOk('POST', EVALUATIONS, '{"id":"changed"}')).text)
    for (const [name, body, change] of changes) {
      expected = { ...expected, ...change }
      const response = await sendOk('PATCH', `${EVALUATIONS}/changed`, body, { schema: 'Evaluation' })
      const evaluation = JSON.parse(response.text)
      assert.deepEqual(evaluation, { ...expected, updated_at: evaluation.updated_at }, name)
      assert.deepEqual(await findInList(EVALUATIONS, 'changed'), evaluation, name)
    }
  })

  test('has the status finished and no tags by default', async () => {
    for (const body of ['{}', '{"status":null,"expected_count":null,"tags":null}']) {
      const { status, expected_count, tags } = JSON.parse((await sendOk('POST', EVALUATIONS, body)).text)
      assert.deepEqual([status, expected_count, tags], ['finished', null, []])
    }
  })

  test('accepts 20 tags of 64 characters outside the Basic Multilingual Plane', async () => {
    const tags = Array.from({ length: 20 }, (_, index) => `${index}`.padStart(2, '0') + '💡'.repeat(62))
    const { text } = await sendOk('POST', EVALUATIONS, JSON.stringify({ tags }), { schema: 'Evaluation' })
    assert.deepEqual(JSON.parse(text).tags, tags)
  })

  test('stores the exact text of changed members', async () => {
    await sendOk('POST', EVALUATIONS, '{"id":"texts"}')
    const { text } = await sendOk('PATCH', `${EVALUATIONS}/texts`, '{"metadata":{"b":1.0, "10":1,"9":-0}}')
    assert.match(text, /"metadata":\{"b":1\.0,"10":1,"9":-0\}\}$/)
    await sendOk('PATCH', `${EVALUATIONS}/texts`, '{"evaluators":[{"name":"e","threshold":1.0}]}')
    const changed = await sendOk('PATCH', `${EVALUATIONS}/texts`, '{"evaluators":[{"name":"f"}]}')
    assert.match(changed.text, /"evaluators":\[\{"name":"e","threshold":1\.0\},\{"name":"f"\}\],/)
  })

  test('returns 404 after deletion, and a new ETag when the id is used again', async () => {
    await append('gone', '[{"id":"a"}]')
    const { etag } = (await sendOk('GET', scenariosPath('gone'))).headers
    const response = await sendOk('DELETE', `${EVALUATIONS}/gone`)
    assert.equal(response.status, 204)
    assert.equal(response.bytes.length, 0)
    const read = await send('GET', scenariosPath('gone'))
    assert.equal(read.status, 404)
    assert.equal((await append('gone', '[{"id":"a"}]')).text, appendResult(1))
    assert.notEqual((await sendOk('GET', scenariosPath('gone'))).headers.etag, etag)
  })

  for (const [time, normalized] of [
    ['2026-01-02 03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02t03:04:05z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['2026-01-01T00:30:00-23:30', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05.1Z', '2026-01-02T03:04:05.100Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ] as const) {
    test(`stores the time ${time} as ${normalized}, also for a revision`, async () => {
      const created = await sendOk('POST', EVALUATIONS, JSON.stringify({ created_at: time }), {
        schema: 'Evaluation',
      })
      assert.equal(JSON.parse(created.text).created_at, normalized)
      const body = revisionBody(undefined, `,"created_at":"${time}"`)
      const createdRevision = await sendOk('POST', revisionsPath('times'), body, {
        schema: 'VariantRevision',
      })
      assert.equal(JSON.parse(createdRevision.text).created_at, normalized)
    })
  }
})

describe('the update time', () => {
  /** Each resource has its own writes, in this order. `hasEffect`: whether the update time changes. */
  type UpdateCase = [hasEffect: boolean, method: string, path: string, body: string, headers?: Headers]
  const evaluation = `${EVALUATIONS}/updated`
  const variant = `${VARIANTS}/updated`
  const importHeaders = { 'content-type': 'application/octet-stream' }
  const importPath = '/api/imports?format=scenarios&evaluation=updated'
  const cases: Record<string, UpdateCase[]> = {
    [evaluation]: [
      [false, 'POST', scenariosPath('updated'), '[]'],
      [true, 'POST', scenariosPath('updated'), '[{"id":"a"}]'],
      [false, 'POST', scenariosPath('updated'), '[{"id":"a"}]'],
      [true, 'PATCH', `${scenariosPath('updated')}/a`, '{"note":"n"}'],
      [false, 'PATCH', `${scenariosPath('updated')}/a`, '{"note":"n"}'],
      [true, 'PATCH', evaluation, '{"tags":["a"]}'],
      [false, 'PATCH', evaluation, '{"tags":["a"],"status":"finished","name":"updated"}'],
      [true, 'POST', importPath, '{"id":"b"}', importHeaders],
      [false, 'POST', importPath, '{"id":"b"}', importHeaders],
      [false, 'POST', `${importPath}&dry_run=true`, '{"id":"c"}', importHeaders],
    ],
    [variant]: [
      [true, 'PATCH', variant, '{"name":"Renamed"}'],
      [false, 'PATCH', variant, '{"name":"Renamed"}'],
      [false, 'PATCH', variant, '{}'],
      [true, 'POST', revisionsPath('updated'), revisionBody()],
      [false, 'POST', revisionsPath('updated'), revisionBody(undefined, ',"revision":1')],
      [true, 'PATCH', variant, '{"name":null}'],
    ],
  }
  for (const [path, writes] of Object.entries(cases)) {
    test(`of ${path} changes with every write that has an effect, and with no other`, async () => {
      const created = await sendOk('POST', path.replace('/updated', ''), '{"id":"updated","name":"updated"}')
      const { updated_at, created_at } = JSON.parse(created.text)
      assert.equal(updated_at, created_at)
      let last: string = updated_at
      for (const [hasEffect, method, target, body, headers = {}] of writes) {
        // Two writes in the same millisecond have the same time.
        while (Date.now() <= Date.parse(last)) await setImmediate()
        await sendOk(method, target, body, { headers })
        const { text } = await sendOk('GET', path)
        const time: string = JSON.parse(text).updated_at
        assert.equal(time > last, hasEffect, `${method} ${target} ${body}`)
        assert.equal(time < last, false)
        last = time
      }
    })
  }

  test('does not go back when the clock does', async () => {
    const time = '9000-01-01T00:00:00.000Z'
    for (const [noun, path] of [
      ['evaluation', EVALUATIONS],
      ['variant', VARIANTS],
    ] as const) {
      await sendOk('POST', path, '{"id":"ahead"}')
      await store.writer.transaction((transaction) =>
        transaction.run(`UPDATE ${noun} SET created_at = ?, updated_at = ? WHERE id = 'ahead'`, time, time),
      )
      const { text } = await sendOk('PATCH', `${path}/ahead`, '{"name":"Renamed"}')
      assert.equal(JSON.parse(text).updated_at, time)
    }
  })

  test('is the time of the write when the creation time is in the past or in the future', async () => {
    for (const created_at of ['2020-01-01T00:00:00.000Z', '9000-01-01T00:00:00.000Z']) {
      const start = Date.now()
      const { text } = await sendOk('POST', EVALUATIONS, JSON.stringify({ created_at }))
      const item = JSON.parse(text)
      assert.equal(item.created_at, created_at)
      const time = Date.parse(item.updated_at)
      assert.ok(time >= start && time <= Date.now(), item.updated_at)
    }
  })
})

describe('creating, renaming and deleting variants and revisions', () => {
  test('renames a variant, and null removes its name', async () => {
    await sendOk('POST', revisionsPath('renamed'), revisionBody())
    const revisions = (await sendOk('GET', revisionsPath('renamed'))).text
    for (const name of ['Näme 💡', '', null]) {
      const body = JSON.stringify({ name })
      const response = await sendOk('PATCH', `${VARIANTS}/renamed`, body, { schema: 'Variant' })
      assert.equal(JSON.parse(response.text).name, name)
      assert.deepEqual(await findInList(VARIANTS, 'renamed'), JSON.parse(response.text))
    }
    assert.equal((await sendOk('GET', revisionsPath('renamed'))).text, revisions)
  })

  test('returns the path of the revision in Location, also for a repeated request', async () => {
    const body = revisionBody()
    const id = 'a/b ü'
    for (const number of [1, 2]) {
      const { headers, text } = await sendOk('POST', revisionsPath(id), body)
      assert.equal(headers.location, `${revisionsPath(id)}/${number}`)
      assert.equal((await sendOk('GET', headers.location)).text, text)
      const repeatedBody = revisionBody(undefined, `,"revision":${number}`)
      const repeated = await sendOk('POST', revisionsPath(id), repeatedBody)
      assert.deepEqual([repeated.headers.location, repeated.text], [headers.location, text])
    }
    const idempotent = { headers: { 'idempotency-key': 'location' } }
    const first = await sendOk('POST', revisionsPath(id), body, idempotent)
    const retry = await sendOk('POST', revisionsPath(id), body, idempotent)
    assert.deepEqual(
      [first.headers.location, retry.headers.location],
      Array(2).fill(`${revisionsPath(id)}/3`),
    )
  })

  const config = '{"config_name":"c","parameters":{"t":1.0,"10":1,"9":{"b":-0}}}'
  const revisionNumbers = async (id: string) =>
    (JSON.parse((await sendOk('GET', revisionsPath(id))).text) as { revision: number }[]).map(
      (item) => item.revision,
    )

  test('creates a variant once and returns a Location', async () => {
    const first = await sendOk('POST', VARIANTS, '{"id":"a/b","name":"AB"}', { schema: 'Variant' })
    assert.equal(first.status, 201)
    assert.equal(first.headers.location, '/api/variants/a%2Fb')
    const { created_at, ...variant } = JSON.parse(first.text)
    assert.deepEqual(variant, {
      id: 'a/b',
      name: 'AB',
      updated_at: created_at,
      revision_count: 0,
      latest_revision: null,
    })
    assert.equal((await sendOk('POST', VARIANTS, '{"name":"AB","id":"a/b"}')).text, first.text)
    assert.equal((await findInList(VARIANTS, 'a/b')).created_at, created_at)
  })

  test('creates a variant with its first revision and names it after its id', async () => {
    await sendOk('POST', revisionsPath('made'), revisionBody(config))
    const { name, revision_count, latest_revision } = await findInList(VARIANTS, 'made')
    assert.deepEqual([name, revision_count, latest_revision], ['made', 1, 1])
  })

  test('numbers revisions from 1, accepts explicit numbers, and continues after the highest', async () => {
    const numbers: (number | undefined)[] = [undefined, undefined, 0, 7, undefined, 5]
    const returned: number[] = []
    for (const number of numbers) {
      const body = revisionBody(config, number === undefined ? '' : `,"revision":${number}`)
      const response = await sendOk('POST', revisionsPath('numbers'), body, { schema: 'VariantRevision' })
      assert.equal(response.status, 201)
      returned.push(JSON.parse(response.text).revision)
    }
    assert.deepEqual(returned, [1, 2, 0, 7, 8, 5])
    assert.deepEqual(await revisionNumbers('numbers'), [0, 1, 2, 5, 7, 8])
  })

  test('returns 409 when the highest possible number is used', async () => {
    await sendOk('POST', revisionsPath('last'), revisionBody(config, ',"revision":2147483647'))
    checkProblem(await send('POST', revisionsPath('last'), revisionBody(config)), 409, 'conflict')
    assert.deepEqual(await revisionNumbers('last'), [2147483647])
  })

  test('returns the exact text of a revision and adds it once', async () => {
    const body = revisionBody(config, ',"revision":3,"message":"why","created_at":"2026-01-01T00:00:00Z"')
    const first = await sendOk('POST', revisionsPath('bytes'), body)
    const text = `{"revision":3,"modified_by":"Ana","config":${config},"created_at":"2026-01-01T00:00:00.000Z"}`
    assert.equal(first.text, text)
    const { etag } = (await sendOk('GET', revisionsPath('bytes'))).headers
    assert.equal((await sendOk('POST', revisionsPath('bytes'), body.replaceAll(',', ', '))).text, text)
    const read = await sendOk('GET', revisionsPath('bytes'))
    assert.equal(read.text, `[${text}]`)
    assert.equal(read.headers.etag, etag)
    await sendOk('POST', revisionsPath('bytes'), revisionBody(config))
    assert.notEqual((await sendOk('GET', revisionsPath('bytes'))).headers.etag, etag)
  })

  test('returns 404 for a deleted variant, and its evaluations still refer to it', async () => {
    await sendOk('POST', revisionsPath('gone'), revisionBody(config))
    const { etag } = (await sendOk('GET', revisionsPath('gone'))).headers
    const body = '{"id":"of-gone","variant_id":"gone","revision":1}'
    await sendOk('POST', EVALUATIONS, body)
    assert.equal((await sendOk('DELETE', `${VARIANTS}/gone`)).status, 204)
    const read = await send('GET', revisionsPath('gone'))
    assert.equal(read.status, 404)
    const { variant_id, revision: number } = await findInList(EVALUATIONS, 'of-gone')
    assert.deepEqual([variant_id, number], ['gone', 1])
    assert.equal((await sendOk('POST', EVALUATIONS, body)).status, 201)
    await sendOk('POST', revisionsPath('gone'), revisionBody(config))
    assert.deepEqual(await revisionNumbers('gone'), [2])
    assert.notEqual((await sendOk('GET', revisionsPath('gone'))).headers.etag, etag)
  })
})

describe('derived tables', () => {
  const rows = (table: string, columns: string, id: string) =>
    store.reader.all<Record<string, unknown>>(
      `SELECT ${columns} FROM ${table} WHERE evaluation = (SELECT key FROM evaluation WHERE id = ?) ORDER BY 1, 2`,
      id,
    )
  const values = (items: Record<string, unknown>[]) => items.map((row) => Object.values(row))
  const scenarios = [
    {
      id: 'a',
      inputs: [{ name: 'q', type: 'text', value: 'WHAT?' }],
      outputs: [
        { result: { type: 'text', value: 'That' }, cost: 0.25, latency: 1 },
        { result: { type: 'error', error: { message: 'Late' } }, cost: 0.5 },
      ],
      correct_answers: [{ key: 'k', value: 'This' }],
      results: [
        { evaluator_config: 'e', result: { type: 'bool', value: true } },
        { evaluator_config: 'f', result: { type: 'text', value: 'Good' } },
        { evaluator_config: 'e', result: { type: 'number', value: 7 } },
      ],
    },
    {
      id: 'b',
      inputs: [
        { name: 'q', type: 'text', value: 'WHAT?' },
        { name: 'r', type: 'json', value: [1] },
      ],
      is_pinned: true,
      note: 'Look',
      results: [
        { evaluator_config: 'e', result: { type: 'number', value: 0.5 } },
        { evaluator_config: 'g', result: { type: 'error', error: { message: 'm' } } },
      ],
    },
  ]

  test('are filled with scenarios, updated with pin and note, and deleted with the evaluation', async () => {
    await append('derived', JSON.stringify(scenarios.slice(0, 1)))
    await append('derived', JSON.stringify(scenarios))
    const measure = 'position, cost, latency, has_error, error_group, is_pinned, has_note'
    assert.deepEqual(values(await rows('measure', measure, 'derived')), [
      [0, 0.75, 1, 1, 'Late', 0, 0],
      [2, null, null, 0, null, 1, 1],
    ])
    assert.deepEqual(
      values(
        await rows(
          'result',
          'position, evaluator, type, number, text, is_verdict, is_error, error_group',
          'derived',
        ),
      ),
      [
        [0, 0, 'bool', 1, null, 1, 0, null],
        [0, 1, 'text', null, 'Good', 0, 0, null],
        [2, 0, 'number', 0.5, null, 0, 0, null],
        [2, 2, 'error', null, null, 0, 1, 'm'],
      ],
    )
    const inputs = (await rows('input', 'position, input, hash', 'derived')) as { hash: Uint8Array }[]
    assert.deepEqual(
      inputs.map(({ hash, ...columns }) => Object.values(columns)),
      [
        [0, 0],
        [2, 0],
        [2, 1],
      ],
    )
    assert.deepEqual(inputs[0]?.hash, inputs[1]?.hash)
    assert.notDeepEqual(inputs[1]?.hash, inputs[2]?.hash)
    const { storesSearchText } = store.reader.sql
    if (storesSearchText)
      assert.deepEqual(values(await rows('search', 'position, text', 'derived')), [
        [0, 'what?\nthat\nlate\nthis'],
        [2, 'what?\n[1]\nlook'],
      ])
    assert.deepEqual(values(await rows('evaluation_column', 'kind, ordinal, name', 'derived')), [
      ['expected', 0, 'k'],
      ['input', 0, 'q'],
      ['input', 1, 'r'],
      ['score', 0, 'e'],
      ['score', 1, 'f'],
      ['score', 2, 'g'],
    ])
    await sendOk('PATCH', `${scenariosPath('derived')}/a`, '{"is_pinned":true,"note":"Again"}')
    assert.deepEqual(values(await rows('measure', measure, 'derived'))[0], [0, 0.75, 1, 1, 'Late', 1, 1])
    if (storesSearchText)
      assert.deepEqual(values(await rows('search', 'position, text', 'derived')), [
        [0, 'what?\nthat\nlate\nthis\nagain'],
        [2, 'what?\n[1]\nlook'],
      ])
    const { key: evaluation } = (await store.reader.get<{ key: number }>(
      'SELECT key FROM evaluation WHERE id = ?',
      'derived',
    )) ?? { key: 0 }
    await sendOk('DELETE', `${EVALUATIONS}/derived`)
    await runTask(store, REMOVE_DELETED)
    for (const table of [...scenarioTables(store.reader), 'evaluation_column']) {
      const remaining = await store.reader.all(`SELECT 1 FROM ${table} WHERE evaluation = ?`, evaluation)
      assert.equal(remaining.length, 0, table)
    }
  })

  test('are consistent after all writes of this file', async () => {
    const { faults, checked } = await checkStore(store, () => undefined)
    assert.deepEqual(faults, [])
    assert.ok(checked.scenarios > 1000 && checked.revisions > 10)
  })
})
