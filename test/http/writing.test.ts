// Writes that are accepted, and what becomes of them: every answer is held against openapi.json, and what is read
// back is what was written.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { checkStore } from '../../src/store/check.ts'
import { EXACT_VALUES, exactBody } from '../corpus.ts'
import { freshStore, mint, rawRequest, serveStore } from '../harness.ts'
import { type Answer, ask, checkDocumented, checkProblem, schemaErrors } from '../wire.ts'
import {
  type Body,
  crowd,
  EVALUATIONS,
  gzip,
  JSON_TYPE,
  nameOfBytes,
  ndjson,
  nested,
  revision,
  revisionsOf,
  rowOfBytes,
  scenariosOf,
  thousand,
  VARIANTS,
  zstd,
} from '../writes.ts'

const store = await freshStore()
const { key } = await mint(store, { scopes: ['read', 'write'] })
const service = await serveStore(store)

type Headers = Record<string, string>

function send(
  method: string,
  path: string,
  body?: Body,
  headers: Headers = {},
  on = service,
): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': JSON_TYPE }
  return ask(on.base, path, { authorization: key, ...type, ...headers }, method, body)
}

async function ok(
  method: string,
  path: string,
  body?: Body,
  { headers = {}, as }: { headers?: Headers; as?: string } = {},
): Promise<Answer> {
  const answer = await send(method, path, body, headers)
  assert.ok(answer.status < 300, `${method} ${path} ${answer.status} ${answer.text}`)
  checkDocumented(path, answer, method)
  if (as !== undefined) assert.deepEqual(schemaErrors(as, JSON.parse(answer.text)), [])
  if (method === 'GET' && answer.headers['content-length'] !== undefined)
    assert.equal(answer.headers['content-length'], String(answer.bytes.length))
  return answer
}

const append = (id: string, body: Body, headers: Headers = {}) =>
  ok('POST', scenariosOf(id), body, { headers, as: 'Appended' })
const idsOf = async (id: string) =>
  (JSON.parse((await ok('GET', scenariosOf(id))).text) as { id: string }[]).map(({ id }) => id)
const appended = (accepted: number, unchanged = 0) => JSON.stringify({ accepted, unchanged })

async function listed(path: string, id: string): Promise<Record<string, unknown>> {
  const all = JSON.parse((await ok('GET', path)).text) as Record<string, unknown>[]
  const one = all.find((element) => element.id === id)
  assert.ok(one, `${path} lists no ${id}`)
  return one
}

describe('scenarios are taken', () => {
  const three = '[{"id":"a"},{"id":"b"},{"id":"c"}]'
  const lines = '{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n'
  const forms: [name: string, body: Body, headers: Headers][] = [
    ['an array', three, {}],
    ['an array with white space', '\r\n [ {"id" : "a"},\n\n{"id":"b"}\t,{"id":"c"} ] \n', {}],
    ['an array with a parameter of its type', three, { 'content-type': 'Application/JSON; charset=utf-8' }],
    ['lines', lines, ndjson],
    ['lines without a last line end', lines.trimEnd(), ndjson],
    ['lines that end with CRLF', lines.replaceAll('\n', '\r\n'), ndjson],
    ['lines with blank ones between', `\n\n${lines.replaceAll('\n', '\n \r\n\n')}`, ndjson],
    ['an array in gzip', gzipSync(three), gzip],
    ['an array in what is called x-gzip', gzipSync(three), { 'content-encoding': 'X-GZIP' }],
    [
      'an array in gzip of two members',
      Buffer.concat([gzipSync(three.slice(0, 9)), gzipSync(three.slice(9))]),
      gzip,
    ],
    ['an array in zstd', zstdCompressSync(three), zstd],
    ['lines in gzip', gzipSync(lines), { ...ndjson, ...gzip }],
    ['lines in zstd', zstdCompressSync(lines), { ...ndjson, ...zstd }],
    ['an array in no coding', three, { 'content-encoding': 'identity' }],
    ['chunks', three, { 'transfer-encoding': 'chunked' }],
    ['the evaluation named in each', three.replaceAll('}', ',"evaluation_id":"EVALUATION"}'), {}],
  ]
  for (const [index, [name, body, headers]] of forms.entries()) {
    test(`as ${name}`, async () => {
      const id = `form-${index}`
      const sent = typeof body === 'string' ? body.replaceAll('EVALUATION', id) : body
      assert.equal((await append(id, sent, headers)).text, appended(3))
      assert.deepEqual(await idsOf(id), ['a', 'b', 'c'])
    })
  }

  test('byte by byte, with characters cut in two', async () => {
    const chunks = [...Buffer.from('[{"id":"ü💡"}]')].map((byte) =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
    )
    const head = `POST ${scenariosOf('bytes')} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
    assert.match(await rawRequest(service.port, head, ...chunks, '0\r\n\r\n'), /^HTTP\/1.1 201 /)
    assert.deepEqual(await idsOf('bytes'), ['ü💡'])
  })

  test('by an evaluation that is not there, which is made and named after its id', async () => {
    await append('a/ü b', '[]')
    const evaluation = await listed(EVALUATIONS, 'a/ü b')
    assert.equal(evaluation.name, 'a/ü b')
    assert.equal(evaluation.scenario_count, 0)
    assert.deepEqual(schemaErrors('Evaluation', evaluation), [])
  })

  test('behind those that are there, in the order of writing', async () => {
    for (const body of ['[{"id":"z"},{"id":"b"}]', '[{"id":"y"},{"id":"b"},{"id":"a"}]', '[{"id":"c"}]'])
      await append('order', body)
    assert.deepEqual(await idsOf('order'), ['z', 'b', 'y', 'a', 'c'])
  })

  test('without ids, and get different ones of version 7', async () => {
    await append('minted', '[{},{"id":null},{}]')
    const ids = await idsOf('minted')
    for (const id of ids) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    assert.equal(new Set(ids).size, 3)
  })

  test('with an id of 200 characters beyond the basic plane', async () => {
    const id = '💡'.repeat(200)
    await append(id, JSON.stringify([{ id }]))
    assert.deepEqual(await idsOf(id), [id])
  })

  test('as they are where they say nothing: all eight fields, with defaults', async () => {
    await append('defaults', '[{"id":"a"}]')
    assert.equal(
      (await ok('GET', scenariosOf('defaults'))).text,
      '[{"id":"a","evaluation_id":"defaults","inputs":[],"outputs":[],"correct_answers":null,"is_pinned":null,"note":null,"results":[]}]',
    )
  })

  test('to the byte, whatever JSON has to say', async () => {
    const bodies = EXACT_VALUES.map((value, position) => exactBody(position, value))
    await append('exact', `[${bodies.join(' ,\n')}]`)
    assert.equal((await ok('GET', scenariosOf('exact'))).text, `[${bodies.join(',')}]`)
  })

  test('with extra, which is answered only where it is asked for', async () => {
    await append('extra', '[{"id":"a","extra":{"b":1.0, "a":[ ]}},{"id":"b","extra":null}]')
    assert.doesNotMatch((await ok('GET', scenariosOf('extra'))).text, /extra":/)
    const { text } = await ok('GET', `${scenariosOf('extra')}?include=extra`)
    assert.match(text, /"results":\[\],"extra":\{"b":1\.0,"a":\[\]\}\},/)
    assert.match(text, /"results":\[\],"extra":null\}\]$/)
  })

  test('up to every limit', async () => {
    await append('limits', `[{"extra":{"x":${nested(126)}}},{"extra":${crowd(10_000)}}]`)
    await ok('POST', EVALUATIONS, `{"metadata":{"x":${nested(126)}}}`, { as: 'Evaluation' })
    const tight = await serveStore(store, { max_record_bytes: 2048, max_body_bytes: 2100, max_expansion: 1 })
    for (const body of [`[${rowOfBytes(2048)}${' '.repeat(50)}]`, gzipSync(`[${rowOfBytes(2048)}]`)]) {
      const coding = typeof body === 'string' ? {} : gzip
      assert.equal((await send('POST', scenariosOf('limits'), body, coding, tight)).text, appended(1))
    }
    assert.equal((await send('POST', EVALUATIONS, nameOfBytes(2048), {}, tight)).status, 201)
    await tight.stop()
  })

  test('more than memory holds of them, all or none', async () => {
    const note = 'x'.repeat(3000)
    const body = thousand('lines', (index) => JSON.stringify({ id: `r-${index}`, note }))
    assert.equal((await append('many', body, ndjson)).text, appended(1000))
    const rest = await send('POST', scenariosOf('many'), `${body}{"id":"r-5","extra":{}}`, ndjson)
    assert.ok(checkProblem(rest, 409, 'conflict').detail.includes(`'r-5' (record 1001, line 1001)`))
    assert.equal((await append('many', body, ndjson)).text, appended(0, 1000))
    assert.equal((await listed(EVALUATIONS, 'many')).scenario_count, 1000)
  })

  test('in their own project where the id is concealed in another', async () => {
    const other = await mint(store, { project: 'other', scopes: ['read', 'write'] })
    const theirs = { authorization: other.key }
    const concealing = await serveStore(store, { conceal: true })
    const path = scenariosOf('concealed')
    await ok('POST', path, '[{"id":"a"},{"id":"b"}]', { headers: theirs })
    const before = await ok('GET', path, undefined, { headers: theirs })
    assert.equal((await send('POST', path, '[{"id":"mine"}]', {}, concealing)).text, appended(1))
    assert.deepEqual(await idsOf('concealed'), ['mine'])
    const after = await ok('GET', path, undefined, { headers: theirs })
    assert.equal(after.text, before.text)
    assert.equal(after.headers.etag, before.headers.etag)
    assert.equal(JSON.parse(after.text).length, 2)
    await concealing.stop()
  })
})

describe('a scenario that comes again', () => {
  const body =
    '[{"id":"a","note":"first","inputs":[{"name":"q","type":"text","value":1.0}],"extra":{"k":1}},{"id":"b"}]'

  test('is unchanged, and so is the validator of the read', async () => {
    assert.equal((await append('again', body)).text, appended(2))
    const before = await ok('GET', scenariosOf('again'))
    assert.equal((await append('again', body.replaceAll(',', ' ,\n'))).text, appended(0, 2))
    const after = await ok('GET', scenariosOf('again'))
    assert.equal(after.headers.etag, before.headers.etag)
    assert.equal(after.text, before.text)
    assert.equal((await append('again', '[{"id":"b"},{"id":"c"}]')).text, appended(1, 1))
    assert.notEqual((await ok('GET', scenariosOf('again'))).headers.etag, before.headers.etag)
  })

  test('is unchanged after it was pinned and noted, and stays so', async () => {
    await append('marked', body)
    await ok('PATCH', `${scenariosOf('marked')}/a`, '{"is_pinned":true,"note":"second"}')
    const before = await ok('GET', scenariosOf('marked'))
    assert.equal((await append('marked', body)).text, appended(0, 2))
    const after = await ok('GET', scenariosOf('marked'))
    assert.equal(after.headers.etag, before.headers.etag)
    assert.match(after.text, /"is_pinned":true,"note":"second"/)
  })

  test('is unchanged within one body', async () => {
    assert.equal((await append('twice', '[{"id":"a"},{"id":"b"},{"id":"a"}]')).text, appended(2, 1))
    assert.deepEqual(await idsOf('twice'), ['a', 'b'])
  })
})

describe('a scenario is marked', () => {
  const patches: [body: string, marks: string][] = [
    ['{"is_pinned":true}', '"is_pinned":true,"note":null'],
    ['{"note":"l\\u00f6ok"}', '"is_pinned":true,"note":"l\\u00f6ok"'],
    ['{}', '"is_pinned":true,"note":"l\\u00f6ok"'],
    ['{"is_pinned":false,"note":""}', '"is_pinned":false,"note":""'],
    ['{"note":null}', '"is_pinned":false,"note":null'],
    ['{"is_pinned":null}', '"is_pinned":null,"note":null'],
  ]
  test('and everything else stays to the byte', async () => {
    const [scenario = '', other] = ['{"b":1.0,"a":1E2}', '1.0'].map((value, position) =>
      exactBody(position, value).replace('"exact"', '"exact-marks"'),
    )
    await append('exact-marks', `[${scenario},${other}]`)
    let before = await ok('GET', scenariosOf('exact-marks'))
    for (const [body, marks] of patches) {
      const marked = scenario.replace('"is_pinned":null,"note":null', marks)
      const answer = await ok('PATCH', `${scenariosOf('exact-marks')}/s-0`, body, {
        as: 'EvaluationScenario',
      })
      assert.equal(answer.status, 200)
      assert.equal(answer.text, marked)
      const read = await ok('GET', scenariosOf('exact-marks'))
      assert.equal(read.text, `[${marked},${other}]`)
      assert.equal(read.headers['content-length'], String(read.bytes.length))
      assert.equal(read.headers.etag === before.headers.etag, read.text === before.text)
      before = read
    }
  })

  test('by an id that needs percent-encoding', async () => {
    await append('odd', '[{"id":"a/b c%2F?ü"}]')
    const path = `${scenariosOf('odd')}/${encodeURIComponent('a/b c%2F?ü')}`
    assert.match((await ok('PATCH', path, '{"note":"n"}')).text, /"note":"n"/)
  })
})

describe('an evaluation', () => {
  const whole =
    '{"id":"whole/1","name":"Whole","variant_id":"v","revision":1,"baseline_id":"later","source":"test","created_at":"2026-01-01T00:00:00Z","evaluators":[{"name":"e","threshold":1.0,"higher_is_better":false}],"metadata":{"b":1.0,"10":1,"9":1E2}}'

  test('is made with all that is given, to the byte, and a Location', async () => {
    await ok('POST', revisionsOf('v'), revision())
    const answer = await ok('POST', EVALUATIONS, whole, { as: 'Evaluation' })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.location, '/api/evaluations/whole%2F1')
    assert.equal(answer.text, whole.replace('00Z"', '00.000Z","scenario_count":0'))
    assert.equal((await ok('GET', scenariosOf('whole/1'))).text, '[]')
  })

  test('is the same one when the same request comes again, whatever the order of its members', async () => {
    const id = '"id":"made-again"'
    const first = await ok('POST', EVALUATIONS, `{${id},"name":"n","metadata":{"a":1}}`)
    const { etag } = (await ok('GET', scenariosOf('made-again'))).headers
    const second = await ok('POST', EVALUATIONS, `{"metadata": {"a":1}, "name":"n","source":null,${id}}`)
    assert.equal(second.status, 201)
    assert.equal(second.text, first.text)
    assert.equal(second.headers.location, first.headers.location)
    assert.equal((await ok('GET', scenariosOf('made-again'))).headers.etag, etag)
  })

  test('gets an id where none is given, and another one each time', async () => {
    const [first, second] = [await ok('POST', EVALUATIONS, '{}'), await ok('POST', EVALUATIONS, '{}')]
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
    ['evaluators', '{"evaluators":[{"name":"e"}]}', { evaluators: [{ name: 'e' }] }],
    ['metadata', '{"metadata":{"a":[]}}', { metadata: { a: [] } }],
    ['nothing', '{}', {}],
    [
      'everything, by null',
      '{"name":null,"baseline_id":null,"evaluators":null,"metadata":null}',
      { name: null, baseline_id: null, evaluators: null, metadata: null },
    ],
  ]
  test('is changed in what is given and in nothing else', async () => {
    await ok('POST', revisionsOf('v'), revision(undefined, ',"revision":1'))
    let expected = JSON.parse((await ok('POST', EVALUATIONS, '{"id":"changed"}')).text)
    for (const [name, body, change] of changes) {
      expected = { ...expected, ...change }
      const answer = await ok('PATCH', `${EVALUATIONS}/changed`, body, { as: 'Evaluation' })
      assert.deepEqual(JSON.parse(answer.text), expected, name)
      assert.deepEqual(await listed(EVALUATIONS, 'changed'), expected, name)
    }
  })

  test('keeps the exact text of what it is changed to', async () => {
    await ok('POST', EVALUATIONS, '{"id":"texts"}')
    const { text } = await ok('PATCH', `${EVALUATIONS}/texts`, '{"metadata":{"b":1.0, "10":1,"9":-0}}')
    assert.match(text, /"metadata":\{"b":1\.0,"10":1,"9":-0\}\}$/)
  })

  test('is gone when it is deleted, and another one with another validator when it comes again', async () => {
    await append('gone', '[{"id":"a"}]')
    const { etag } = (await ok('GET', scenariosOf('gone'))).headers
    const answer = await ok('DELETE', `${EVALUATIONS}/gone`)
    assert.equal(answer.status, 204)
    assert.equal(answer.bytes.length, 0)
    const read = await send('GET', scenariosOf('gone'))
    assert.equal(read.status, 404)
    assert.equal((await append('gone', '[{"id":"a"}]')).text, appended(1))
    assert.notEqual((await ok('GET', scenariosOf('gone'))).headers.etag, etag)
  })

  for (const [given, kept] of [
    ['2026-01-02 03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02t03:04:05z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['2026-01-01T00:30:00-23:30', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05.1Z', '2026-01-02T03:04:05.100Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ] as const) {
    test(`was made at ${kept} where ${given} is given, and so is a revision`, async () => {
      const made = await ok('POST', EVALUATIONS, JSON.stringify({ created_at: given }), { as: 'Evaluation' })
      assert.equal(JSON.parse(made.text).created_at, kept)
      const body = revision(undefined, `,"created_at":"${given}"`)
      const added = await ok('POST', revisionsOf('times'), body, { as: 'VariantRevision' })
      assert.equal(JSON.parse(added.text).created_at, kept)
    })
  }
})

describe('a variant', () => {
  const config = '{"config_name":"c","parameters":{"t":1.0,"10":1,"9":{"b":-0}}}'
  const numbersOf = async (id: string) =>
    (JSON.parse((await ok('GET', revisionsOf(id))).text) as { revision: number }[]).map((one) => one.revision)

  test('is made once, with a Location', async () => {
    const first = await ok('POST', VARIANTS, '{"id":"a/b","name":"AB"}', { as: 'Variant' })
    assert.equal(first.status, 201)
    assert.equal(first.headers.location, '/api/variants/a%2Fb')
    const { created_at, ...variant } = JSON.parse(first.text)
    assert.deepEqual(variant, { id: 'a/b', name: 'AB', revision_count: 0, latest_revision: null })
    assert.equal((await ok('POST', VARIANTS, '{"name":"AB","id":"a/b"}')).text, first.text)
    assert.equal((await listed(VARIANTS, 'a/b')).created_at, created_at)
  })

  test('is made by its first revision, and named after its id', async () => {
    await ok('POST', revisionsOf('made'), revision(config))
    const { name, revision_count, latest_revision } = await listed(VARIANTS, 'made')
    assert.deepEqual([name, revision_count, latest_revision], ['made', 1, 1])
  })

  test('numbers its revisions from 1 on, keeps given numbers, and goes on behind the highest', async () => {
    const numbers: (number | undefined)[] = [undefined, undefined, 0, 7, undefined, 5]
    const answered: number[] = []
    for (const number of numbers) {
      const body = revision(config, number === undefined ? '' : `,"revision":${number}`)
      const answer = await ok('POST', revisionsOf('numbers'), body, { as: 'VariantRevision' })
      assert.equal(answer.status, 201)
      answered.push(JSON.parse(answer.text).revision)
    }
    assert.deepEqual(answered, [1, 2, 0, 7, 8, 5])
    assert.deepEqual(await numbersOf('numbers'), [0, 1, 2, 5, 7, 8])
  })

  test('has no number behind the highest there can be', async () => {
    await ok('POST', revisionsOf('last'), revision(config, ',"revision":2147483647'))
    checkProblem(await send('POST', revisionsOf('last'), revision(config)), 409, 'conflict')
    assert.deepEqual(await numbersOf('last'), [2147483647])
  })

  test('answers a revision to the byte, and adds it once', async () => {
    const body = revision(config, ',"revision":3,"message":"why","created_at":"2026-01-01T00:00:00Z"')
    const first = await ok('POST', revisionsOf('bytes'), body)
    const text = `{"revision":3,"modified_by":"Ana","config":${config},"created_at":"2026-01-01T00:00:00.000Z"}`
    assert.equal(first.text, text)
    const { etag } = (await ok('GET', revisionsOf('bytes'))).headers
    assert.equal((await ok('POST', revisionsOf('bytes'), body.replaceAll(',', ', '))).text, text)
    const read = await ok('GET', revisionsOf('bytes'))
    assert.equal(read.text, `[${text}]`)
    assert.equal(read.headers.etag, etag)
    await ok('POST', revisionsOf('bytes'), revision(config))
    assert.notEqual((await ok('GET', revisionsOf('bytes'))).headers.etag, etag)
  })

  test('is gone when it is deleted, and evaluations of it keep its name and revision', async () => {
    await ok('POST', revisionsOf('gone'), revision(config))
    const { etag } = (await ok('GET', revisionsOf('gone'))).headers
    const body = '{"id":"of-gone","variant_id":"gone","revision":1}'
    await ok('POST', EVALUATIONS, body)
    assert.equal((await ok('DELETE', `${VARIANTS}/gone`)).status, 204)
    const read = await send('GET', revisionsOf('gone'))
    assert.equal(read.status, 404)
    const { variant_id, revision: number } = await listed(EVALUATIONS, 'of-gone')
    assert.deepEqual([variant_id, number], ['gone', 1])
    assert.equal((await ok('POST', EVALUATIONS, body)).status, 201)
    await ok('POST', revisionsOf('gone'), revision(config))
    assert.deepEqual(await numbersOf('gone'), [1])
    assert.notEqual((await ok('GET', revisionsOf('gone'))).headers.etag, etag)
  })
})

describe('what is derived from scenarios', () => {
  const rows = (table: string, columns: string, id: string) =>
    store.reader.all<Record<string, unknown>>(
      `SELECT ${columns} FROM ${table} WHERE evaluation = (SELECT key FROM evaluation WHERE id = ?) ORDER BY 1, 2`,
      id,
    )
  const values = (all: Record<string, unknown>[]) => all.map((row) => Object.values(row))
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

  test('is stored with them, changes with a mark, and goes with the evaluation', async () => {
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
      inputs.map(({ hash, ...place }) => Object.values(place)),
      [
        [0, 0],
        [2, 0],
        [2, 1],
      ],
    )
    assert.deepEqual(inputs[0]?.hash, inputs[1]?.hash)
    assert.notDeepEqual(inputs[1]?.hash, inputs[2]?.hash)
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
    await ok('PATCH', `${scenariosOf('derived')}/a`, '{"is_pinned":true,"note":"Again"}')
    assert.deepEqual(values(await rows('measure', measure, 'derived'))[0], [0, 0.75, 1, 1, 'Late', 1, 1])
    assert.deepEqual(values(await rows('search', 'position, text', 'derived'))[0], [
      0,
      'what?\nthat\nlate\nthis\nagain',
    ])
    const { key: evaluation } = (await store.reader.get<{ key: number }>(
      'SELECT key FROM evaluation WHERE id = ?',
      'derived',
    )) ?? { key: 0 }
    await ok('DELETE', `${EVALUATIONS}/derived`)
    for (const table of ['scenario', 'measure', 'result', 'input', 'search', 'evaluation_column']) {
      const left = await store.reader.all(`SELECT 1 FROM ${table} WHERE evaluation = ?`, evaluation)
      assert.equal(left.length, 0, table)
    }
  })

  test('is sound after everything that was written here', async () => {
    const { faults, checked } = await checkStore(store, () => undefined)
    assert.deepEqual(faults, [])
    assert.ok(checked.scenarios > 1000 && checked.revisions > 10)
  })
})
