// POST /imports: the files that assay import takes, with the same report, whole or not at all.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { freshStore, mint, serveStore } from '../harness.ts'
import { importInto } from '../import/importing.ts'
import { storeDump } from '../store-dump.ts'
import { type Answer, ask, checkDocumented, checkProblem } from '../wire.ts'

const FIXTURE = new URL('../fixtures/import/promptfoo/echo-run.json', import.meta.url)
const FILE = readFileSync(FIXTURE)

const store = await freshStore()
const service = await serveStore(store)
const keys = {
  write: (await mint(store, { scopes: ['write'] })).key,
  read: (await mint(store)).key,
}
const dump = storeDump(store)

type Body = string | Buffer

function send(query: string, body: Body, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(service.base, `/api/imports${query}`, { authorization: keys.write, ...headers }, 'POST', body)
}

test('a file is taken in as the command takes it, with the same report', async () => {
  const answer = await send('?name=out.json', FILE, { 'content-type': 'application/octet-stream' })
  assert.equal(answer.status, 200, answer.text)
  checkDocumented('/api/imports', answer, 'POST')
  const other = await freshStore()
  const report = await importInto(other, FIXTURE.pathname)
  assert.deepEqual(JSON.parse(answer.text), { ...report, file: 'out.json' })
  assert.deepEqual(report.evaluations[0]?.accepted, 3)
  const [id] = report.evaluations.map(({ id }) => id)
  const path = `/api/evaluations/${encodeURIComponent(id ?? '')}/evaluation_scenarios`
  const { status, text } = await ask(service.base, path, { authorization: keys.read })
  assert.deepEqual([status, JSON.parse(text).length], [200, 3])
})

test('the same file again changes nothing, compressed too', async () => {
  const before = await dump()
  for (const [body, headers] of [
    [FILE, {}],
    [gzipSync(FILE), { 'content-encoding': 'gzip' }],
  ] as const) {
    const { evaluations, variants } = JSON.parse((await send('', body, headers)).text)
    assert.deepEqual([evaluations[0].unchanged, variants[0].unchanged], [3, 1])
  }
  assert.deepEqual(await dump(), before)
})

test('a dry run says what would be, shows the first scenarios, and stores nothing', async () => {
  const before = await dump()
  const answer = await send('?dry_run=true&evaluation=other', FILE)
  assert.equal(answer.status, 200, answer.text)
  checkDocumented('/api/imports', answer, 'POST')
  const { stored, evaluations, first } = JSON.parse(answer.text)
  assert.deepEqual(
    [stored, evaluations[0], first.length],
    [false, { id: 'other', accepted: 3, unchanged: 0 }, 3],
  )
  assert.deepEqual(await dump(), before)
})

test('evaluation and variant are those that the request names', async () => {
  const { evaluations, variants } = JSON.parse((await send('?evaluation=mine&variant=v', FILE)).text)
  assert.deepEqual([evaluations[0].id, variants[0].id], ['mine', 'v'])
})

test('a repeat with its Idempotency-Key gets the first answer', async () => {
  const headers = { 'idempotency-key': 'import-1' }
  const first = await send('?evaluation=once', FILE, headers)
  const again = await send('?evaluation=once', FILE, headers)
  assert.deepEqual([again.status, again.text], [200, first.text])
})

describe('what is no good is refused, and nothing of it is stored', () => {
  const bad = '{"inputs":[]}\n{"inputs":1}\n'
  for (const [what, query, body, status, code, says] of [
    ['a record that does not fit', '?evaluation=e', bad, 422, 'invalid-content', /record 2, line 2/],
    ['a file of no format', '', 'hello', 422, 'invalid-content', /of no format.*promptfoo.*inspect/s],
    ['no file', '', '', 422, 'invalid-content', /of no format/],
    ['a format that is none', '?format=dance', 'x', 400, 'invalid-request', /'format' is one of/],
    ['an evaluation that is no id', '?evaluation=..', bad, 400, 'invalid-request', /'evaluation' is no id/],
    ['a parameter that is unknown', '?dance=1', bad, 400, 'invalid-request', /no query parameter 'dance'/],
    [
      'revisions of no variant',
      '',
      '[{"modified_by":"a","config":{"config_name":"c"}}]',
      422,
      'invalid-content',
      /variant=ID/,
    ],
    ['a document that is cut off', '', FILE.subarray(0, 6000), 422, 'invalid-content', /cut off/],
  ] as const) {
    test(what, async () => {
      const before = await dump()
      const answer = await send(query, body as Body)
      checkProblem(answer, status, code)
      assert.match(JSON.parse(answer.text).detail, says)
      assert.deepEqual(await dump(), before)
    })
  }

  test('with the report that the command would print', async () => {
    const { report, errors, error_count } = JSON.parse((await send('?evaluation=e', bad)).text)
    assert.deepEqual([report.refused, report.stored, report.refusals[0].record], [1, false, 2])
    assert.deepEqual([errors.length, error_count, errors[0].line], [1, 1, 2])
  })

  test('unless the others are asked for', async () => {
    const answer = await send('?evaluation=e&skip_invalid=true', bad)
    const { stored, refused, evaluations } = JSON.parse(answer.text)
    assert.deepEqual([answer.status, stored, refused, evaluations[0].accepted], [200, true, 1, 1])
  })

  test('a key that may only read', async () => {
    const answer = await send('', FILE, { authorization: keys.read })
    checkProblem(answer, 403, 'access-denied')
  })

  test('a file that is larger than a body may be', async () => {
    const small = await serveStore(store, { max_body_bytes: 1024 })
    const answer = await ask(small.base, '/api/imports', { authorization: keys.write }, 'POST', FILE)
    checkProblem(answer, 413, 'content-too-large')
  })
})
