// The contract of the writes as tables of cases, refusals first. Every refusal leaves the store as it was, and
// every answer is held against openapi.json: its status, its fields and its body.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { checkStore } from '../../src/store/check.ts'
import { EXACT_VALUES, exactBody, fillCorpus, SCENARIO_COUNT } from '../corpus.ts'
import { freshStore, mint, rawRequest, type Service, serveStore } from '../harness.ts'
import { type Answer, ask, documented, schemaErrors } from '../wire.ts'

const store = await freshStore()
await fillCorpus(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const readOnly = await mint(store, { scopes: ['read'] })
const theirs = await mint(store, { project: 'other', scopes: ['read', 'write'] })
const service = await serveStore(store)
const small = await serveStore(store, {
  max_record_bytes: 2048,
  max_body_bytes: 10 * 1024 * 1024,
  max_expansion: 20,
})
/** Bodies that are not what their coding says leave timers behind, which would hold the process for an hour. */
const brief = await serveStore(store, { stall_timeout: 5000, request_timeout: 5000 })
const smaller = await serveStore(store, { max_body_bytes: 4096 })
const concealing = await serveStore(store, { conceal: true })

/** What is done with what is sent is looked at in a store of its own. */
const mine = await freshStore()
const writer = await mint(mine, { scopes: ['read', 'write'] })
const own = await serveStore(mine)

const EVALUATIONS = '/api/evaluations'
const VARIANTS = '/api/variants'
/** Nothing has these ids, so that a refusal that made one would show. */
const FRESH = '/api/evaluations/fresh/evaluation_scenarios'
const FRESH_REVISIONS = '/api/variants/fresh/revisions'
const FULL = '/api/evaluations/full/evaluation_scenarios'
const REVISIONS = '/api/variants/full/revisions'
const JSON_TYPE = 'application/json'
const NDJSON = 'application/x-ndjson'

type Headers = Record<string, string>
type Body = string | Uint8Array

function send(to: Service, method: string, path: string, body?: Body, headers: Headers = {}) {
  const type = body === undefined ? {} : { 'content-type': JSON_TYPE }
  return ask(to.base, path, { authorization: key, ...type, ...headers }, method, body)
}

const file = new DatabaseSync(store.url.replace('sqlite:', ''), { readOnly: true })

/** Everything that is stored, as text. */
function dump(): string {
  const tables = file
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== 'migration')
  return tables.map((name) => [`-- ${name}`, ...rowsOf(name).map(lineOf)].join('\n')).join('\n')
}

function rowsOf(table: string): Record<string, unknown>[] {
  const columns = file.prepare(`PRAGMA table_info(${table})`).all().length
  const order = Array.from({ length: columns }, (_, index) => index + 1).join(', ')
  return file.prepare(`SELECT * FROM ${table} ORDER BY ${order}`).all()
}

function lineOf(row: Record<string, unknown>): string {
  const values = Object.values(row)
  return JSON.stringify(
    values.map((one) => (one instanceof Uint8Array ? Buffer.from(one).toString('hex') : one)),
  )
}

/** Whatever is answered must be what openapi.json says can be answered. */
function checkDocumented(path: string, method: string, answer: Answer): void {
  const response = documented(path, answer.status, method)
  assert.ok(response && response !== 'unknown path', `${method} ${path} ${answer.status} is not documented`)
  const type = answer.headers['content-type']?.split(';')[0]
  if (answer.bytes.length > 0)
    assert.ok(type && type in (response.content ?? {}), `${type} is not documented`)
  const common = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-type']
  const known = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase())
  for (const name of Object.keys(answer.headers)) {
    if (common.includes(name)) continue
    assert.ok(known.includes(name), `the field ${name} of ${answer.status} is not documented`)
  }
}

interface Expected {
  status: number
  code: string
  /** Of invalid-json. */
  line?: number
  offset?: number
  /** Of invalid-content: the first error, and how many there are. */
  at?: { pointer: string; line?: number; count?: number }
  /** What the detail says. */
  says?: string
  fields?: Record<string, string | undefined>
}

function checkRefused(answer: Answer, expected: Expected): void {
  const { status, code, line, offset, at, says = '', fields = {} } = expected
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers['content-type'], 'application/problem+json')
  assert.equal(answer.headers['cache-control'], 'no-store')
  const problem = JSON.parse(answer.text)
  assert.deepEqual(schemaErrors('Problem', problem), [])
  assert.equal(problem.code, code)
  assert.equal(problem.instance, answer.headers['x-request-id'])
  assert.doesNotMatch(answer.text, /SELECT|FST_|node_modules|\.ts|assay_[0-9A-Za-z]{12}_[0-9A-Za-z]/)
  if (line !== undefined) assert.equal(problem.line, line, answer.text)
  if (offset !== undefined) assert.equal(problem.offset, offset, answer.text)
  if (at) {
    assert.equal(problem.errors[0].pointer, at.pointer, answer.text)
    assert.equal(problem.errors[0].line, at.line ?? 1, answer.text)
    assert.equal(problem.error_count, at.count ?? 1, answer.text)
    assert.equal(problem.errors.length, Math.min(problem.error_count, 100))
  }
  assert.ok(problem.detail.includes(says), problem.detail)
  for (const [field, value] of Object.entries(fields)) assert.equal(answer.headers[field], value)
}

interface Refusal extends Expected {
  name: string
  method?: string
  to?: string
  /** application/json unless `headers` say otherwise. */
  body?: Body
  headers?: Headers
  on?: Service
}

function refuses(what: string, refusals: Refusal[]): void {
  describe(`${what} and stores nothing:`, () => {
    for (const {
      name,
      method = 'POST',
      to = FRESH,
      body,
      headers = {},
      on = service,
      ...expected
    } of refusals) {
      test(`${name} is refused with ${expected.status} ${expected.code}`, async () => {
        const before = dump()
        const answer = await send(on, method, to, body, headers)
        checkRefused(answer, expected)
        checkDocumented(to, method, answer)
        assert.equal(dump(), before)
      })
    }
  })
}

/** Every operation that writes, with a body that it would take. */
const OPERATIONS: { method: string; to: string; body?: string }[] = [
  { method: 'POST', to: EVALUATIONS, body: '{"id":"fresh"}' },
  { method: 'PATCH', to: `${EVALUATIONS}/full`, body: '{"name":"x"}' },
  { method: 'DELETE', to: `${EVALUATIONS}/full` },
  { method: 'POST', to: FRESH, body: '[{"id":"a"}]' },
  { method: 'PATCH', to: `${FULL}/s-0`, body: '{"note":"x"}' },
  { method: 'POST', to: VARIANTS, body: '{"id":"fresh"}' },
  { method: 'DELETE', to: `${VARIANTS}/full` },
  { method: 'POST', to: FRESH_REVISIONS, body: '{"modified_by":"Ana","config":{"config_name":"c"}}' },
]
const WITH_BODY = OPERATIONS.filter(({ body }) => body !== undefined) as {
  method: string
  to: string
  body: string
}[]
const nameOf = ({ method, to }: { method: string; to: string }) => `${method} ${to}`

const refusedType = { status: 415, code: 'unsupported-media-type' }
const badRequest = { status: 400, code: 'invalid-request' }
const badJson = { status: 400, code: 'invalid-json' }
const badContent = { status: 422, code: 'invalid-content' }
const tooLarge = { status: 413, code: 'content-too-large' }
const conflict = { status: 409, code: 'conflict' }
const denied = { status: 403, code: 'access-denied' }
const ndjson = { 'content-type': NDJSON }

refuses(
  'every operation judges the request',
  OPERATIONS.flatMap((operation) => {
    const { to } = operation
    const id = nameOf(operation)
    return [
      {
        ...operation,
        name: `${id} with an unknown key`,
        headers: { authorization: 'nonsense' },
        status: 401,
        code: 'unauthorized',
        fields: { 'www-authenticate': 'Bearer realm="assay", error="invalid_token"' },
      },
      {
        ...operation,
        name: `${id} with a key that may only read`,
        headers: { authorization: readOnly.key },
        ...denied,
        says: `'write'`,
      },
      {
        ...operation,
        name: `${id} with a query parameter`,
        to: `${to}?limit=1`,
        ...badRequest,
        says: `'limit'`,
      },
      ...['x'.repeat(256), 'a b', 'ü', ''].map((token) => ({
        ...operation,
        name: `${id} with the Idempotency-Key '${token.slice(0, 5)}'`,
        headers: { 'idempotency-key': Buffer.from(token).toString('latin1') },
        ...badRequest,
        says: 'Idempotency-Key',
      })),
    ]
  }),
)

describe('every operation asks for a key and stores nothing:', () => {
  for (const { method, to, body } of OPERATIONS) {
    test(`${method} ${to} without one is refused with 401 unauthorized`, async () => {
      const before = dump()
      const answer = await ask(service.base, to, { 'content-type': JSON_TYPE }, method, body)
      checkRefused(answer, {
        status: 401,
        code: 'unauthorized',
        fields: { 'www-authenticate': 'Bearer realm="assay"' },
      })
      checkDocumented(to, method, answer)
      assert.equal(dump(), before)
    })
  }
})

refuses(
  'a body of another kind is not looked at',
  WITH_BODY.flatMap((operation) => {
    const accept = operation.to === FRESH ? `${JSON_TYPE}, ${NDJSON}` : JSON_TYPE
    const id = nameOf(operation)
    const typed = (type: string, fields: Expected['fields'] = { accept }) => ({
      ...operation,
      name: `${id} as '${type}'`,
      headers: { 'content-type': type },
      ...refusedType,
      fields,
    })
    const coded = (coding: string) => ({
      ...operation,
      name: `${id} in the coding '${coding}'`,
      headers: { 'content-encoding': coding },
      ...refusedType,
      fields: { 'accept-encoding': 'gzip, zstd', accept: undefined },
    })
    return [
      typed('text/plain'),
      typed('application/jsonx'),
      typed('text/json; charset=utf-8'),
      ...(operation.to === FRESH ? [] : [typed(NDJSON)]),
      typed('json', {}),
      typed('application/json json', {}),
      typed('', {}),
      ...['br', 'deflate', 'gzip, gzip', 'constructor'].map(coded),
      {
        ...operation,
        name: `${id} that is not the gzip it says`,
        on: brief,
        headers: { 'content-encoding': 'gzip' },
        ...badRequest,
        says: 'gzip',
      },
      {
        ...operation,
        name: `${id} that is not the zstd it says`,
        on: brief,
        headers: { 'content-encoding': 'zstd' },
        ...badRequest,
        says: 'zstd',
      },
      {
        ...operation,
        name: `${id} with gzip that is cut off`,
        on: brief,
        body: gzipSync(operation.body).subarray(0, -6),
        headers: { 'content-encoding': 'gzip' },
        ...badRequest,
      },
      {
        ...operation,
        name: `${id} with zstd that is cut off`,
        on: brief,
        body: zstdCompressSync(operation.body).subarray(0, -3),
        headers: { 'content-encoding': 'zstd' },
        ...badRequest,
      },
      {
        ...operation,
        name: `${id} with gzip whose checksum is wrong`,
        on: brief,
        body: withOtherChecksum(gzipSync(operation.body)),
        headers: { 'content-encoding': 'gzip' },
        ...badRequest,
      },
      { ...operation, name: `${id} without a byte`, body: '', ...badJson, line: 1, offset: 0 },
      { ...operation, name: `${id} of white space`, body: ' \n ', ...badJson },
      {
        ...operation,
        name: `${id} that ends early`,
        body: operation.body.slice(0, -1),
        ...badJson,
        line: 1,
      },
      {
        ...operation,
        name: `${id} with something behind it`,
        body: `${operation.body}\n x`,
        ...badJson,
        line: 2,
        offset: operation.body.length + 2,
      },
      {
        ...operation,
        name: `${id} behind a byte order mark`,
        body: `\ufeff${operation.body}`,
        ...badJson,
        line: 1,
        offset: 0,
        says: 'byte order mark',
      },
      {
        ...operation,
        name: `${id} with a value of another kind`,
        body: '"text"',
        ...badContent,
        at: { pointer: '' },
      },
    ]
  }),
)

describe('a body that is not what its coding says', () => {
  // Fails: the decoder that gave up never calls back, so body.ts waits with its timers until request_timeout.
  for (const coding of ['gzip', 'zstd']) {
    test(`leaves nothing behind that waits for more of it (${coding})`, async () => {
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
      const headers = { 'content-encoding': coding, connection: 'close' }
      const alone = await serveStore(store, { stall_timeout: 5000, request_timeout: 5000 })
      const before = timers()
      for (let count = 0; count < 5; count += 1)
        assert.equal((await send(alone, 'POST', EVALUATIONS, '{}', headers)).status, 400)
      while ((await alone.open()) > 0) await setImmediate()
      const left = timers() - before
      await alone.stop()
      assert.ok(left < 5, `${left} timers are left`)
    })
  }
})

describe('a body without a Content-Type', () => {
  for (const { method, to, body } of WITH_BODY) {
    test(`of ${method} ${to} is refused with 415, which says what is taken`, async () => {
      const before = dump()
      const answer = await ask(service.base, to, { authorization: key }, method, body)
      const accept = to === FRESH ? `${JSON_TYPE}, ${NDJSON}` : JSON_TYPE
      checkRefused(answer, { ...refusedType, fields: { accept } })
      checkDocumented(to, method, answer)
      assert.equal(dump(), before)
    })
  }
})

/** What is no JSON as the value of a member, and how far behind the value's start that shows. */
const NO_JSON: [text: string, behind: number][] = [
  ['NaN', 0],
  ['Infinity', 0],
  ['-Infinity', 1],
  [`'single'`, 0],
  ['undefined', 0],
  ['[1,]', 3],
  ['{"a":1,}', 7],
  ['/* why */ 1', 0],
  ['1 // why', 2],
  ['01', 0],
  ['+1', 0],
  ['.5', 0],
  ['1.', 2],
  ['0x10', 1],
  ['"\\x41"', 1],
  ['"\\u12"', 1],
  ['"a\tb"', 2],
  ['True', 0],
  ['{a:1}', 1],
  ['[1 2]', 3],
]
const invalidUtf8 = (before: string, behind: string) =>
  Buffer.concat([Buffer.from(before), Buffer.from([0x22, 0xc3, 0x28, 0x22]), Buffer.from(behind)])

refuses('what is no JSON is told with its place', [
  ...NO_JSON.flatMap(([text, behind]) => [
    {
      name: `${text} in an array`,
      body: `[{"id":"a"},\n{"id":"b","extra":{"x":${text}}}]`,
      ...badJson,
      line: 2,
      offset: 13 + 23 + behind,
    },
    {
      name: `${text} in a line`,
      body: `{"id":"a"}\n{"id":"b","extra":{"x":${text}}}\n{"id":"c"}\n`,
      headers: ndjson,
      ...badJson,
      line: 2,
      offset: 11 + 23 + behind,
    },
    {
      name: `${text} in a document`,
      to: EVALUATIONS,
      body: `{"id":"fresh",\n"metadata":{"x":${text}}}`,
      ...badJson,
      line: 2,
      offset: 15 + 16 + behind,
    },
  ]),
  {
    name: 'what is not UTF-8 in an array',
    body: invalidUtf8('[{"id":"a"},\n{"note":', '}]'),
    ...badJson,
    line: 2,
    offset: 13 + 9,
    says: 'UTF-8',
  },
  {
    name: 'what is not UTF-8 in a line',
    body: invalidUtf8('{"id":"a"}\n{"note":', '}'),
    headers: ndjson,
    ...badJson,
    line: 2,
    offset: 11 + 9,
  },
  {
    name: 'what is not UTF-8 in a document',
    to: EVALUATIONS,
    body: invalidUtf8('{"name":', '}'),
    ...badJson,
    line: 1,
    offset: 9,
  },
  { name: 'a comma behind the last element', body: '[{"id":"a"},]', ...badJson, line: 1, offset: 12 },
  { name: 'a comma before the first element', body: '[,{"id":"a"}]', ...badJson, line: 1, offset: 1 },
  {
    name: 'no comma between two elements',
    body: '[{"id":"a"}\n{"id":"b"}]',
    ...badJson,
    line: 2,
    offset: 12,
  },
  { name: 'a second array behind the first', body: '[{"id":"a"}]\n[]', ...badJson, line: 2, offset: 13 },
  { name: 'an array that is not closed', body: '[{"id":"a"}', ...badJson, line: 1, offset: 11 },
  { name: 'an element that is not closed', body: '[{"id":"a"', ...badJson, line: 1 },
  { name: 'a closing bracket of the other kind', body: '[{"id":"a"]]', ...badJson, line: 1, offset: 10 },
  { name: 'a word that is no JSON', body: 'scenarios', ...badJson, line: 1, offset: 0 },
  {
    name: 'two records in a line',
    body: '{"id":"a"}\n{"id":"b"} {"id":"c"}\n',
    headers: ndjson,
    ...badJson,
    line: 2,
    offset: 22,
  },
  {
    name: 'a record over two lines',
    body: '{"id":"a"}\n\n{"id":\n"b"}\n',
    headers: ndjson,
    ...badJson,
    line: 3,
    offset: 18,
  },
  {
    name: 'a last line that is cut off',
    body: '{"id":"a"}\n{"id":"b"',
    headers: ndjson,
    ...badJson,
    line: 2,
  },
  { name: 'a byte order mark in NDJSON', body: '\ufeff{"id":"a"}', headers: ndjson, ...badJson, offset: 0 },
  {
    name: 'what is no JSON behind what does not fit',
    body: '{"x":1}\nnonsense\n',
    headers: ndjson,
    ...badJson,
    line: 2,
    offset: 8,
  },
])

/** One scenario in an array of two, the other of which is good; pointers and lines are those of the second. */
const second = (scenario: string) => `[{"id":"good"},\n${scenario}]`
const RESULT = '{"type":"text","value":1}'
const revision = (config: string, more = '') => `{"modified_by":"Ana","config":${config}${more}}`

interface Misfit {
  name: string
  body: string
  pointer: string
  says?: string
  count?: number
}

// Fails for an error without message: check.ts adds "This must be null." as a second error.
const MISFITS: Misfit[] = [
  ...['name', 'type', 'value'].map((name) => ({
    name: `an input without ${name}`,
    body: `{"inputs":[${without({ name: 'n', type: 't', value: 1 }, name)}]}`,
    pointer: '/inputs/0',
    says: `'${name}'`,
  })),
  {
    name: 'an output without result',
    body: '{"outputs":[{"cost":1}]}',
    pointer: '/outputs/0',
    says: `'result'`,
  },
  {
    name: 'a result without type',
    body: '{"outputs":[{"result":{"value":1}}]}',
    pointer: '/outputs/0/result',
    says: `'type'`,
  },
  {
    name: 'an error without message',
    body: '{"outputs":[{"result":{"type":"error","error":{}}}]}',
    pointer: '/outputs/0/result/error',
    says: `'message'`,
  },
  ...['key', 'value'].map((name) => ({
    name: `an answer without ${name}`,
    body: `{"correct_answers":[${without({ key: 'k', value: 'v' }, name)}]}`,
    pointer: '/correct_answers/0',
    says: `'${name}'`,
  })),
  {
    name: 'a score without evaluator_config',
    body: `{"results":[{"result":${RESULT}}]}`,
    pointer: '/results/0',
    says: `'evaluator_config'`,
  },
  {
    name: 'a score without result',
    body: '{"results":[{"evaluator_config":"e"}]}',
    pointer: '/results/0',
    says: `'result'`,
  },
  ...unknownMembers('{"surplus":1}', '/surplus'),
  ...unknownMembers('{"inputs":[{"name":"n","type":"t","value":1,"surplus":1}]}', '/inputs/0/surplus'),
  ...unknownMembers(`{"outputs":[{"result":${RESULT},"surplus":1}]}`, '/outputs/0/surplus'),
  ...unknownMembers('{"outputs":[{"result":{"type":"text","surplus":1}}]}', '/outputs/0/result/surplus'),
  ...unknownMembers(
    '{"outputs":[{"result":{"type":"error","error":{"message":"m","surplus":1}}}]}',
    '/outputs/0/result/error/surplus',
  ),
  ...unknownMembers(
    '{"correct_answers":[{"key":"k","value":"v","surplus":1}]}',
    '/correct_answers/0/surplus',
  ),
  ...unknownMembers(
    `{"results":[{"evaluator_config":"e","result":${RESULT},"surplus":1}]}`,
    '/results/0/surplus',
  ),
  ...unknownMembers(
    '{"results":[{"evaluator_config":"e","result":{"type":"text","surplus":1}}]}',
    '/results/0/result/surplus',
  ),
  { name: 'a member called __proto__', body: '{"__proto__":{}}', pointer: '/__proto__' },
  { name: 'a member called constructor', body: '{"constructor":{}}', pointer: '/constructor' },
  { name: 'a member with a slash in its name', body: '{"a/b~c":1}', pointer: '/a~1b~0c', says: `'a/b~c'` },
  { name: 'a scenario that is null', body: 'null', pointer: '' },
  { name: 'a scenario that is an array', body: '[]', pointer: '' },
  { name: 'a scenario that is a number', body: '1', pointer: '' },
  { name: 'inputs that are null', body: '{"inputs":null}', pointer: '/inputs', says: 'an array' },
  { name: 'outputs that are null', body: '{"outputs":null}', pointer: '/outputs', says: 'an array' },
  { name: 'results that are null', body: '{"results":null}', pointer: '/results', says: 'an array' },
  { name: 'inputs that are an object', body: '{"inputs":{}}', pointer: '/inputs' },
  { name: 'an input that is null', body: '{"inputs":[null]}', pointer: '/inputs/0' },
  { name: 'an output that is a text', body: '{"outputs":["x"]}', pointer: '/outputs/0' },
  { name: 'an evaluation_id that is null', body: '{"evaluation_id":null}', pointer: '/evaluation_id' },
  {
    name: 'an evaluation_id that is another',
    body: '{"evaluation_id":"full"}',
    pointer: '/evaluation_id',
    says: `'full'`,
  },
  {
    name: 'an is_pinned that is 1',
    body: '{"is_pinned":1}',
    pointer: '/is_pinned',
    says: 'true or false or null',
  },
  { name: 'a note that is a number', body: '{"note":1}', pointer: '/note' },
  { name: 'an extra that is an array', body: '{"extra":[]}', pointer: '/extra' },
  { name: 'an id that is a number', body: '{"id":1}', pointer: '/id' },
  {
    name: 'a cost that is a text',
    body: `{"outputs":[{"result":${RESULT},"cost":"1"}]}`,
    pointer: '/outputs/0/cost',
    says: 'a number or null',
  },
  {
    name: 'an expected value that is a number',
    body: '{"correct_answers":[{"key":"k","value":1}]}',
    pointer: '/correct_answers/0/value',
  },
  {
    name: 'a type that is null',
    body: '{"outputs":[{"result":{"type":null}}]}',
    pointer: '/outputs/0/result/type',
  },
  ...['a', '\\u0061'].flatMap((name) => [
    { name: `the name ${name} twice in extra`, body: `{"extra":{"a":1,"${name}":2}}`, pointer: '/extra/a' },
    {
      name: `the name ${name} twice deep in a value`,
      body: `{"inputs":[{"name":"n","type":"json","value":[0,{"b":{"a":1,"x":2,"${name}":3}}]}]}`,
      pointer: '/inputs/0/value/1/b/a',
    },
  ]),
  { name: 'the name id twice', body: '{"id":"a","id":"a"}', pointer: '/id', says: 'two members' },
  { name: 'the name id twice, once escaped', body: '{"id":"a","\\u0069d":"b"}', pointer: '/id' },
  {
    name: 'a name that stands twice among many',
    body: `{"extra":{${Array.from({ length: 40 }, (_, index) => `"m${index % 39}":1`).join(',')}}}`,
    pointer: '/extra/m0',
  },
  ...wrongIds().map(([name, id]) => ({
    name: `the id ${name}`,
    body: `{"id":${id}}`,
    pointer: '/id',
    says: 'An id has',
  })),
  {
    name: 'several errors at once',
    body: '{"note":1,"is_pinned":1,"inputs":[{}]}',
    pointer: '/inputs/0',
    count: 5,
  },
]

refuses('a scenario that does not fit is told with its pointer and line', [
  ...MISFITS.flatMap(({ name, body, pointer, says = '', count = 1 }) => [
    {
      name: `${name}, in an array,`,
      body: second(body),
      ...badContent,
      at: { pointer: `/1${pointer}`, line: 2, count },
      says,
    },
    {
      name: `${name}, in a line,`,
      body: `\n{"id":"good"}\r\n\n${body}\n`,
      headers: ndjson,
      ...badContent,
      at: { pointer: `/1${pointer}`, line: 4, count },
      says,
    },
  ]),
  {
    name: 'an object in place of an array',
    body: '{"id":"a"}',
    ...badContent,
    at: { pointer: '' },
    says: NDJSON,
  },
  { name: 'null in place of an array', body: 'null', ...badContent, at: { pointer: '' }, says: 'array' },
  {
    name: 'an array in a line of NDJSON',
    body: '[{"id":"a"}]',
    headers: ndjson,
    ...badContent,
    at: { pointer: '/0' },
  },
  ...(['array', 'lines'] as const).map((shape) => ({
    name: `one bad row in a thousand, in ${shape},`,
    body: thousand(shape, (index) =>
      index === 777 ? `{"id":"r-${index}","note":7}` : `{"id":"r-${index}"}`,
    ),
    headers: shape === 'lines' ? ndjson : {},
    ...badContent,
    at: { pointer: '/777/note', line: 778 },
    says: 'Nothing was stored',
  })),
  {
    name: 'a hundred and fifty bad rows',
    body: thousand('lines', (index) => (index < 150 ? '{"note":7}' : '{"note":"7"}')),
    headers: ndjson,
    ...badContent,
    at: { pointer: '/0/note', count: 150 },
    says: '150 such errors',
  },
  {
    name: 'a hundred and fifty errors in one row',
    body: `[{"inputs":[${Array(50).fill('{}').join(',')}]}]`,
    ...badContent,
    at: { pointer: '/0/inputs/0', count: 150 },
  },
])

/** What fits a place of the other operations in no way. */
// Fails for -1 and 2147483648 of an evaluation: check.ts adds "This must be null." as a second error.
const DOCUMENT_MISFITS: (Misfit & { method?: string; to: string })[] = [
  { name: 'an array', to: EVALUATIONS, body: '[]', pointer: '' },
  {
    name: 'an unknown member',
    to: EVALUATIONS,
    body: '{"surplus":1}',
    pointer: '/surplus',
    says: `'surplus'`,
  },
  { name: 'a scenario_count', to: EVALUATIONS, body: '{"scenario_count":1}', pointer: '/scenario_count' },
  { name: 'a name that is a number', to: EVALUATIONS, body: '{"name":1}', pointer: '/name' },
  { name: 'metadata that is an array', to: EVALUATIONS, body: '{"metadata":[]}', pointer: '/metadata' },
  {
    name: 'evaluators that are an object',
    to: EVALUATIONS,
    body: '{"evaluators":{}}',
    pointer: '/evaluators',
  },
  {
    name: 'an evaluator without name',
    to: EVALUATIONS,
    body: '{"evaluators":[{"threshold":1}]}',
    pointer: '/evaluators/0',
    says: `'name'`,
  },
  {
    name: 'an unknown member of an evaluator',
    to: EVALUATIONS,
    body: '{"evaluators":[{"name":"e","surplus":1}]}',
    pointer: '/evaluators/0/surplus',
    says: `'surplus'`,
  },
  {
    name: 'a threshold that is a text',
    to: EVALUATIONS,
    body: '{"evaluators":[{"name":"e","threshold":"1"}]}',
    pointer: '/evaluators/0/threshold',
  },
  {
    name: 'a name twice',
    to: EVALUATIONS,
    body: '{"metadata":{"a":{"b":1,"\\u0062":1}}}',
    pointer: '/metadata/a/b',
  },
  ...wrongIds().flatMap(([name, id]) =>
    ['id', 'baseline_id', 'variant_id'].map((member) => ({
      name: `the ${member} ${name}`,
      to: EVALUATIONS,
      body: `{"${member}":${id}}`,
      pointer: `/${member}`,
      says: 'An id has',
    })),
  ),
  {
    name: 'a variant_id that is nowhere',
    to: EVALUATIONS,
    body: '{"variant_id":"none"}',
    pointer: '/variant_id',
  },
  {
    name: 'a variant_id of another project',
    to: EVALUATIONS,
    body: '{"variant_id":"foreign"}',
    pointer: '/variant_id',
  },
  {
    name: 'a revision that is nowhere',
    to: EVALUATIONS,
    body: '{"variant_id":"full","revision":99}',
    pointer: '/revision',
  },
  { name: 'a revision without variant_id', to: EVALUATIONS, body: '{"revision":1}', pointer: '/revision' },
  ...['-1', '1.0', '1e0', '"1"', '2147483648', '-0', '1.5'].flatMap((number) => [
    {
      name: `the revision ${number}`,
      to: EVALUATIONS,
      body: `{"variant_id":"full","revision":${number}}`,
      pointer: '/revision',
    },
    {
      name: `the revision ${number}`,
      method: 'PATCH',
      to: `${EVALUATIONS}/full`,
      body: `{"revision":${number}}`,
      pointer: '/revision',
    },
    {
      name: `the revision ${number}`,
      to: FRESH_REVISIONS,
      body: revision('{"config_name":"c"}', `,"revision":${number}`),
      pointer: '/revision',
    },
  ]),
  ...[
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    '2026-01-01T25:00:00Z',
    'yesterday',
    '',
    '2026-01-01T00:00:00',
  ].flatMap((time) => [
    {
      name: `the time '${time}'`,
      to: EVALUATIONS,
      body: JSON.stringify({ created_at: time }),
      pointer: '/created_at',
      says: 'RFC 3339',
    },
    {
      name: `the time '${time}'`,
      to: FRESH_REVISIONS,
      body: revision('{"config_name":"c"}', `,"created_at":"${time}"`),
      pointer: '/created_at',
      says: 'RFC 3339',
    },
  ]),
  {
    name: 'a created_at that is a number',
    to: EVALUATIONS,
    body: '{"created_at":1}',
    pointer: '/created_at',
  },
  ...['id', 'source', 'created_at', 'surplus'].map((member) => ({
    name: `the member ${member}`,
    method: 'PATCH',
    to: `${EVALUATIONS}/full`,
    body: `{"${member}":"x"}`,
    pointer: `/${member}`,
    says: `'${member}'`,
  })),
  {
    name: 'a variant_id that is nowhere',
    method: 'PATCH',
    to: `${EVALUATIONS}/full`,
    body: '{"variant_id":"none"}',
    pointer: '/variant_id',
  },
  {
    name: 'a revision that is nowhere',
    method: 'PATCH',
    to: `${EVALUATIONS}/full`,
    body: '{"name":"x","revision":99}',
    pointer: '/revision',
  },
  {
    name: 'a revision of an evaluation without a variant',
    method: 'PATCH',
    to: `${EVALUATIONS}/empty`,
    body: '{"revision":1}',
    pointer: '/revision',
  },
  {
    name: 'evaluators with a name twice',
    method: 'PATCH',
    to: `${EVALUATIONS}/full`,
    body: '{"evaluators":[{"name":"e","name":"e"}]}',
    pointer: '/evaluators/0/name',
  },
  ...['id', 'inputs', 'results', 'surplus'].map((member) => ({
    name: `the member ${member}`,
    method: 'PATCH',
    to: `${FULL}/s-0`,
    body: `{"${member}":[]}`,
    pointer: `/${member}`,
    says: `'${member}'`,
  })),
  {
    name: 'a note that is a number',
    method: 'PATCH',
    to: `${FULL}/s-0`,
    body: '{"note":1}',
    pointer: '/note',
  },
  {
    name: 'an is_pinned that is a text',
    method: 'PATCH',
    to: `${FULL}/s-0`,
    body: '{"is_pinned":"true"}',
    pointer: '/is_pinned',
  },
  {
    name: 'a note twice',
    method: 'PATCH',
    to: `${FULL}/s-0`,
    body: '{"note":"a","is_pinned":true,"note":"b"}',
    pointer: '/note',
  },
  { name: 'an unknown member', to: VARIANTS, body: '{"surplus":1}', pointer: '/surplus', says: `'surplus'` },
  { name: 'a name that is an object', to: VARIANTS, body: '{"name":{}}', pointer: '/name' },
  ...wrongIds().map(([name, id]) => ({
    name: `the id ${name}`,
    to: VARIANTS,
    body: `{"id":${id}}`,
    pointer: '/id',
  })),
  {
    name: 'no modified_by',
    to: FRESH_REVISIONS,
    body: '{"config":{"config_name":"c"}}',
    pointer: '',
    says: `'modified_by'`,
  },
  { name: 'no config', to: FRESH_REVISIONS, body: '{"modified_by":"Ana"}', pointer: '', says: `'config'` },
  {
    name: 'no config_name',
    to: FRESH_REVISIONS,
    body: revision('{}'),
    pointer: '/config',
    says: `'config_name'`,
  },
  { name: 'neither of them', to: FRESH_REVISIONS, body: '{}', pointer: '', count: 2 },
  { name: 'a config that is null', to: FRESH_REVISIONS, body: revision('null'), pointer: '/config' },
  {
    name: 'parameters that are null',
    to: FRESH_REVISIONS,
    body: revision('{"config_name":"c","parameters":null}'),
    pointer: '/config/parameters',
    says: 'an object',
  },
  {
    name: 'parameters with a name twice',
    to: FRESH_REVISIONS,
    body: revision('{"config_name":"c","parameters":{"t":1,"\\u0074":1}}'),
    pointer: '/config/parameters/t',
  },
  {
    name: 'an unknown member of config',
    to: FRESH_REVISIONS,
    body: revision('{"config_name":"c","surplus":1}'),
    pointer: '/config/surplus',
    says: `'surplus'`,
  },
  {
    name: 'an unknown member',
    to: FRESH_REVISIONS,
    body: revision('{"config_name":"c"}', ',"surplus":1'),
    pointer: '/surplus',
    says: `'surplus'`,
  },
  ...['revision', 'created_at'].map((member) => ({
    name: `a ${member} that is null`,
    to: FRESH_REVISIONS,
    body: revision('{"config_name":"c"}', `,"${member}":null`),
    pointer: `/${member}`,
  })),
]

refuses(
  'a document that does not fit is told with its pointer',
  DOCUMENT_MISFITS.map(({ name, method = 'POST', to, body, pointer, says = '', count = 1 }) => ({
    name: `${name} (${method} ${to})`,
    method,
    to,
    body,
    ...badContent,
    at: { pointer, count },
    says,
  })),
)

// Fails: check.ts overlooks whatever is wrong with a value that is Infinity, not only that it is no number.
// JSON.parse makes Infinity of 1e400, which is a number like any other and fits where a number does.
refuses('a number beyond the range of a double is a number', [
  ...[
    ['as a member nobody knows', '{"surplus":1e400}', '/surplus'],
    ['as a note', '{"note":1e400}', '/note'],
    ['as an is_pinned', '{"is_pinned":-1e400}', '/is_pinned'],
    ['as an id', '{"id":1e400}', '/id'],
    ['as inputs', '{"inputs":1e400}', '/inputs'],
    ['as an input', '{"inputs":[1e400]}', '/inputs/0'],
    ['as the name of an input', '{"inputs":[{"name":1e400,"type":"t","value":1}]}', '/inputs/0/name'],
    ['as a scenario', '1e400', ''],
  ].map(([name, body, pointer]) => ({
    name: `1e400 ${name}`,
    body: `[${body}]`,
    ...badContent,
    at: { pointer: `/0${pointer}` },
  })),
  ...[
    ['as an evaluation', EVALUATIONS, '1e400', ''],
    ['as a name', EVALUATIONS, '{"name":1e400}', '/name'],
    ['as a member nobody knows', EVALUATIONS, '{"surplus":1e400}', '/surplus'],
    ['as metadata', EVALUATIONS, '{"metadata":1e400}', '/metadata'],
    ['as a variant', VARIANTS, '1e400', ''],
    ['as an author', FRESH_REVISIONS, '{"modified_by":1e400,"config":{"config_name":"c"}}', '/modified_by'],
    ['as a config', FRESH_REVISIONS, revision('1e400'), '/config'],
    [
      'in digits as a revision',
      FRESH_REVISIONS,
      revision('{"config_name":"c"}', `,"revision":${'9'.repeat(400)}`),
      '/revision',
    ],
  ].map(([name, to = '', body = '', pointer = '']) => ({
    name: `1e400 ${name} (${to})`,
    to,
    body,
    ...badContent,
    at: { pointer },
  })),
])

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const crowd = (count: number) => `{${Array.from({ length: count }, (_, index) => `"m${index}":0`).join(',')}}`
const rowOf = (bytes: number) => `{"note":"${'x'.repeat(bytes - 11)}"}`

refuses('what is too much is told', [
  {
    name: 'a record over max_record_bytes in an array',
    body: `[{"id":"a"},${rowOf(2049)}]`,
    on: small,
    ...tooLarge,
    says: '2048',
  },
  {
    name: 'a record over max_record_bytes in a line',
    body: `{"id":"a"}\n${rowOf(2049)}\n`,
    headers: ndjson,
    on: small,
    ...tooLarge,
  },
  {
    name: 'a document over max_record_bytes',
    to: EVALUATIONS,
    body: nameOfBytes(2049),
    on: small,
    ...tooLarge,
  },
  {
    name: 'a document that expands over max_record_bytes',
    to: EVALUATIONS,
    body: gzipSync(nameOfBytes(2049)),
    headers: { 'content-encoding': 'gzip' },
    on: small,
    ...tooLarge,
  },
  {
    name: 'a body over max_body_bytes',
    body: `[${' '.repeat(4095)}]`,
    on: smaller,
    ...tooLarge,
    says: '4096',
  },
  {
    name: 'a body that expands over max_body_bytes',
    body: gzipSync(`[${' '.repeat(4095)}]`),
    headers: { 'content-encoding': 'gzip' },
    on: smaller,
    ...tooLarge,
  },
  ...(['gzip', 'zstd'] as const).map((coding) => ({
    name: `a body of ${coding} that expands beyond max_expansion`,
    body: (coding === 'gzip' ? gzipSync : zstdCompressSync)(`[${' '.repeat(9 * 1024 * 1024)}]`),
    headers: { 'content-encoding': coding },
    on: small,
    ...tooLarge,
    says: '20-fold',
  })),
  {
    name: 'a scenario of 129 levels',
    body: second(`{"extra":{"x":${nested(127)}}}`),
    ...badContent,
    at: { pointer: `/1/extra/x${'/0'.repeat(126)}`, line: 2 },
    says: '128',
  },
  {
    name: 'a document of 129 levels',
    to: EVALUATIONS,
    body: `{"metadata":{"x":${nested(127)}}}`,
    ...badContent,
    at: { pointer: `/metadata/x${'/0'.repeat(126)}` },
  },
  {
    name: 'a scenario of a hundred thousand levels',
    body: `[{"extra":{"x":${nested(100_000)}}}]`,
    ...badContent,
    says: '128',
  },
  {
    name: 'an object of 10,001 members in a scenario',
    body: second(`{"extra":${crowd(10_001)}}`),
    ...badContent,
    at: { pointer: '/1/extra', line: 2 },
    says: '10000',
  },
  {
    name: 'an object of 10,001 members in a document',
    to: EVALUATIONS,
    body: `{"metadata":${crowd(10_001)}}`,
    ...badContent,
    at: { pointer: '/metadata' },
  },
])

refuses('what belongs to others, or to nobody, stays', [
  { name: 'sending scenarios to a foreign evaluation', to: foreign(FULL), body: '[{"id":"a"}]', ...denied },
  {
    name: 'sending a revision to a foreign variant',
    to: foreign(REVISIONS),
    body: revision('{"config_name":"c"}'),
    ...denied,
  },
  ...[
    { method: 'PATCH', to: `${EVALUATIONS}/ID`, body: '{"name":"x"}', code: 'evaluation-not-found' },
    { method: 'DELETE', to: `${EVALUATIONS}/ID`, code: 'evaluation-not-found' },
    {
      method: 'PATCH',
      to: `${EVALUATIONS}/ID/evaluation_scenarios/s-0`,
      body: '{"note":"x"}',
      code: 'evaluation-not-found',
    },
    { method: 'DELETE', to: `${VARIANTS}/ID`, code: 'variant-not-found' },
  ].flatMap(({ method, to, body, code }) => {
    const request = (id: string) => ({
      method,
      to: to.replace('ID', id),
      ...(body !== undefined && { body }),
    })
    return [
      { name: `${method} ${to} with a foreign id`, ...request('foreign'), ...denied },
      {
        name: `${method} ${to} with a foreign id, concealed,`,
        ...request('foreign'),
        on: concealing,
        status: 404,
        code,
      },
      { name: `${method} ${to} with an unknown id`, ...request('unknown'), status: 404, code },
      { name: `${method} ${to} with an id in other letters`, ...request('FULL'), status: 404, code },
      { name: `${method} ${to} with a dot segment as id`, ...request('%2E%2E'), status: 404, code },
      { name: `${method} ${to} with an id that is too long`, ...request('x'.repeat(201)), status: 404, code },
    ]
  }),
  ...['%2E', '%2E%2E', 'a%00b', 'x'.repeat(201)].flatMap((id) => [
    {
      name: `sending scenarios to the id ${id.slice(0, 9)}`,
      to: FRESH.replace('fresh', id),
      body: '[]',
      status: 404,
      code: 'evaluation-not-found',
    },
    {
      name: `sending a revision to the id ${id.slice(0, 9)}`,
      to: FRESH_REVISIONS.replace('fresh', id),
      body: revision('{"config_name":"c"}'),
      status: 404,
      code: 'variant-not-found',
    },
  ]),
  {
    name: 'marking a scenario that is not there',
    method: 'PATCH',
    to: `${FULL}/s-99`,
    body: '{"note":"x"}',
    status: 404,
    code: 'scenario-not-found',
    says: `'s-99'`,
  },
  {
    name: 'marking a scenario of another evaluation',
    method: 'PATCH',
    to: `${EVALUATIONS}/empty/evaluation_scenarios/s-0`,
    body: '{"note":"x"}',
    status: 404,
    code: 'scenario-not-found',
  },
  {
    name: 'a foreign evaluation before what is wrong with the body',
    to: foreign(FULL),
    body: 'nonsense',
    headers: { 'content-type': 'text/plain' },
    ...denied,
  },
])

refuses('what is there is not overwritten', [
  {
    name: 'a scenario id that is taken',
    to: FULL,
    body: '{"id":"new"}\n\n{"id":"s-3","note":"x"}',
    headers: ndjson,
    ...conflict,
    says: `'s-3' (record 2, line 3)`,
    fields: { 'retry-after': undefined },
  },
  {
    name: 'a scenario id that comes twice in one body',
    body: '[{"id":"a"},{"id":"b"},\n{"id":"a","extra":{}}]',
    ...conflict,
    says: `'a' (record 3, line 2)`,
  },
  {
    name: 'a scenario id that comes twice among a thousand',
    body: thousand(
      'lines',
      (index) => `{"id":"r-${index % 999}","inputs":[{"name":"n","type":"t","value":${index}}]}`,
    ),
    headers: ndjson,
    ...conflict,
    says: `'r-0' (record 1000, line 1000)`,
  },
  {
    name: 'an evaluation id that is taken',
    to: EVALUATIONS,
    body: '{"id":"full"}',
    ...conflict,
    says: `'full'`,
  },
  {
    name: 'a variant id that is taken',
    to: VARIANTS,
    body: '{"id":"full","name":"x"}',
    ...conflict,
    says: `'full'`,
  },
  ...[
    ['config', '{"modified_by":"Ana","config":{"config_name":"x"},"revision":1}'],
    [
      'author',
      '{"modified_by":"Ben","config":{"config_name":"r1","parameters":{"temperature":0.1,"project":1}},"revision":1}',
    ],
    [
      'time',
      '{"modified_by":"Ana","config":{"config_name":"r1","parameters":{"temperature":0.1,"project":1}},"revision":1,"created_at":"2026-09-11T08:00:01Z"}',
    ],
    [
      'message',
      '{"modified_by":"Ana","config":{"config_name":"r1","parameters":{"temperature":0.1,"project":1}},"revision":1,"message":"m"}',
    ],
  ].map(([what, body = '']) => ({
    name: `a revision number that is taken with another ${what}`,
    to: REVISIONS,
    body,
    ...conflict,
    says: 'Revision 1 ',
  })),
])

describe('a body that is cut off', () => {
  const head = (framing: string) =>
    `POST ${FRESH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Type: ${NDJSON}\r\n${framing}\r\n\r\n`
  const row = '{"id":"a"}\n'
  const cases: [name: string, text: string][] = [
    ['before its Content-Length', `${head('Content-Length: 1000')}${row}`],
    ['before its last chunk', `${head('Transfer-Encoding: chunked')}b\r\n${row}\r\n`],
    ['inside a chunk', `${head('Transfer-Encoding: chunked')}ff\r\n${row}`],
    ['before its first byte', head('Content-Length: 1000')],
  ]
  for (const [name, text] of cases) {
    test(`${name} by a connection that goes stores nothing, and the service lives`, async () => {
      const impatient = await serveStore(store)
      const before = dump()
      const socket = connect(impatient.port, '127.0.0.1')
      await once(socket, 'connect')
      await new Promise((resolve) => socket.write(text, resolve))
      assert.equal((await send(impatient, 'GET', `${FULL}?limit=1`)).status, 200)
      socket.resetAndDestroy()
      while ((await impatient.open()) > 0) await setImmediate()
      assert.equal((await send(impatient, 'GET', `${FULL}?limit=1`)).status, 200)
      assert.equal(dump(), before)
      await impatient.stop()
    })

    test(`${name} by a client that closes its half stores nothing, and the service lives`, async () => {
      const impatient = await serveStore(store, { stall_timeout: 100 })
      const before = dump()
      const socket = connect({ port: impatient.port, host: '127.0.0.1', allowHalfOpen: true })
      socket.end(text)
      let answer = ''
      for await (const chunk of socket) answer += chunk
      assert.match(answer, /^HTTP\/1.1 4\d\d /)
      assert.equal(dump(), before)
      assert.equal((await send(impatient, 'GET', `${FULL}?limit=1`)).status, 200)
      await impatient.stop()
    })
  }
})

async function ok(
  method: string,
  path: string,
  body?: Body,
  { headers = {}, as }: { headers?: Headers; as?: string } = {},
): Promise<Answer> {
  const answer = await send(own, method, path, body, { authorization: writer.key, ...headers })
  assert.ok(answer.status < 300, `${method} ${path} ${answer.status} ${answer.text}`)
  checkDocumented(path, method, answer)
  if (as !== undefined) assert.deepEqual(schemaErrors(as, JSON.parse(answer.text)), [])
  if (method === 'GET' && answer.headers['content-length'] !== undefined)
    assert.equal(answer.headers['content-length'], String(answer.bytes.length))
  return answer
}

const scenariosOf = (id: string) => `${EVALUATIONS}/${encodeURIComponent(id)}/evaluation_scenarios`
const revisionsOf = (id: string) => `${VARIANTS}/${encodeURIComponent(id)}/revisions`
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
  const zstd = { 'content-encoding': 'zstd' }
  const gzip = { 'content-encoding': 'gzip' }
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
    const head = `POST ${scenariosOf('bytes')} HTTP/1.1\r\nHost: x\r\nAuthorization: ${writer.key}\r\nContent-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
    assert.match(await rawRequest(own.port, head, ...chunks, '0\r\n\r\n'), /^HTTP\/1.1 201 /)
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
    const tight = await serveStore(mine, { max_record_bytes: 2048, max_body_bytes: 2100, max_expansion: 1 })
    for (const body of [`[${rowOf(2048)}${' '.repeat(50)}]`, gzipSync(`[${rowOf(2048)}]`)]) {
      const coding: Headers = typeof body === 'string' ? {} : { 'content-encoding': 'gzip' }
      const answer = await send(tight, 'POST', scenariosOf('limits'), body, {
        authorization: writer.key,
        ...coding,
      })
      assert.equal(answer.text, appended(1))
    }
    const { status } = await send(tight, 'POST', EVALUATIONS, nameOfBytes(2048), {
      authorization: writer.key,
    })
    assert.equal(status, 201)
    await tight.stop()
  })

  test('more than memory holds of them, all or none', async () => {
    const note = 'x'.repeat(3000)
    const body = thousand('lines', (index) => JSON.stringify({ id: `r-${index}`, note }))
    assert.equal((await append('many', body, ndjson)).text, appended(1000))
    const rest = await send(own, 'POST', scenariosOf('many'), `${body}{"id":"r-5","extra":{}}`, {
      authorization: writer.key,
      ...ndjson,
    })
    checkRefused(rest, { ...conflict, says: `'r-5' (record 1001, line 1001)` })
    assert.equal((await append('many', body, ndjson)).text, appended(0, 1000))
    assert.equal((await listed(EVALUATIONS, 'many')).scenario_count, 1000)
  })

  test('in their own project where the id is concealed in another', async () => {
    const before = await ask(service.base, foreign(FULL), { authorization: theirs.key })
    const answer = await send(concealing, 'POST', foreign(FULL), '[{"id":"mine"}]')
    assert.equal(answer.text, appended(1))
    const read = await send(concealing, 'GET', foreign(FULL))
    assert.equal(JSON.parse(read.text).length, 1)
    const after = await ask(service.base, foreign(FULL), { authorization: theirs.key })
    assert.equal(after.text, before.text)
    assert.equal(after.headers.etag, before.headers.etag)
    assert.equal(JSON.parse(after.text).length, SCENARIO_COUNT)
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
    await ok('POST', revisionsOf('v'), revision('{"config_name":"c"}'))
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
    await ok('POST', revisionsOf('v'), revision('{"config_name":"c"}', ',"revision":1'))
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
    const read = await send(own, 'GET', scenariosOf('gone'), undefined, { authorization: writer.key })
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
      const body = revision('{"config_name":"c"}', `,"created_at":"${given}"`)
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
    const answer = await send(own, 'POST', revisionsOf('last'), revision(config), {
      authorization: writer.key,
    })
    checkRefused(answer, conflict)
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
    const read = await send(own, 'GET', revisionsOf('gone'), undefined, { authorization: writer.key })
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
    mine.reader.all<Record<string, unknown>>(
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
    const measure = 'position, cost, latency, has_error, is_pinned, has_note'
    assert.deepEqual(values(await rows('measure', measure, 'derived')), [
      [0, 0.75, 1, 1, 0, 0],
      [2, null, null, 0, 1, 1],
    ])
    assert.deepEqual(
      values(await rows('result', 'position, ordinal, evaluator, type, number, text, is_error', 'derived')),
      [
        [0, 0, 'e', 'bool', 1, null, 0],
        [0, 1, 'f', 'text', null, 'Good', 0],
        [2, 0, 'e', 'number', 0.5, null, 0],
        [2, 1, 'g', 'error', null, null, 1],
      ],
    )
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
    assert.deepEqual(values(await rows('measure', measure, 'derived'))[0], [0, 0.75, 1, 1, 1, 1])
    assert.deepEqual(values(await rows('search', 'position, text', 'derived'))[0], [
      0,
      'what?\nthat\nlate\nthis\nagain',
    ])
    const { key: evaluation } = (await mine.reader.get<{ key: number }>(
      'SELECT key FROM evaluation WHERE id = ?',
      'derived',
    )) ?? { key: 0 }
    await ok('DELETE', `${EVALUATIONS}/derived`)
    for (const table of ['scenario', 'measure', 'result', 'search', 'evaluation_column']) {
      const left = await mine.reader.all(`SELECT 1 FROM ${table} WHERE evaluation = ?`, evaluation)
      assert.equal(left.length, 0, table)
    }
  })

  test('is sound after everything that was written here', async () => {
    const { faults, checked } = await checkStore(mine, () => undefined)
    assert.deepEqual(faults, [])
    assert.ok(checked.scenarios > 1000 && checked.revisions > 10)
  })
})

function without(value: Record<string, unknown>, name: string): string {
  const { [name]: _, ...rest } = value
  return JSON.stringify(rest)
}

function unknownMembers(body: string, pointer: string): Misfit[] {
  return [{ name: `an unknown member at ${pointer}`, body, pointer, says: `'surplus'` }]
}

/** What cannot be an id, as JSON. */
function wrongIds(): [name: string, json: string][] {
  return [
    ['that is empty', '""'],
    ['.', '"."'],
    ['..', '".."'],
    ['with NUL', '"a\\u0000"'],
    ['with a line feed', '"a\\nb"'],
    ['with DEL', '"\\u007f"'],
    ['with half a surrogate pair', '"\\ud83d"'],
    ['of 201 characters', `"${'💡'.repeat(201)}"`],
  ]
}

function thousand(shape: 'array' | 'lines', row: (index: number) => string): string {
  const rows = Array.from({ length: 1000 }, (_, index) => row(index))
  return shape === 'lines' ? `${rows.join('\n')}\n` : `[${rows.join(',\n')}]`
}

function withOtherChecksum(gzip: Buffer): Buffer {
  gzip.writeUInt32LE(~gzip.readUInt32LE(gzip.length - 8) >>> 0, gzip.length - 8)
  return gzip
}

function nameOfBytes(bytes: number): string {
  return `{"name":"${'x'.repeat(bytes - 11)}"}`
}

function foreign(path: string): string {
  return path.replace('full', 'foreign')
}
