// Tests POST /api/imports: accepts the same files as assay import, returns the same report, stores all or nothing.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { importInto } from '../../support/import-file.ts'
import { storeDump } from '../../support/store-dump.ts'

const FIXTURE = new URL('../../fixtures/import/promptfoo/echo-run.json', import.meta.url)
const FILE = readFileSync(FIXTURE)

const store = await createTestStore()
const service = await startTestService(store)
const keys = {
  write: (await createTestKey(store, { scopes: ['write'] })).key,
  read: (await createTestKey(store)).key,
}
const dump = storeDump(store)

type Body = string | Buffer

function send(query: string, body: Body, headers: Record<string, string> = {}): Promise<HttpResponse> {
  return sendRequest(
    service.base,
    `/api/imports${query}`,
    { authorization: keys.write, ...headers },
    'POST',
    body,
  )
}

test('an uploaded file is stored with the same report as by the command', async () => {
  const response = await send('?name=out.json', FILE, { 'content-type': 'application/octet-stream' })
  assert.equal(response.status, 200, response.text)
  checkDocumented('/api/imports', response, 'POST')
  const other = await createTestStore()
  const report = await importInto(other, FIXTURE.pathname)
  assert.deepEqual(JSON.parse(response.text), { ...report, file: 'out.json' })
  assert.deepEqual(report.evaluations[0]?.accepted, 3)
  const [id] = report.evaluations.map(({ id }) => id)
  const path = `/api/evaluations/${encodeURIComponent(id ?? '')}/evaluation_scenarios`
  const { status, text } = await sendRequest(service.base, path, { authorization: keys.read })
  assert.deepEqual([status, JSON.parse(text).length], [200, 3])
})

test('importing the same file again changes nothing, also when it is compressed', async () => {
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

test('a dry run returns the report and the first scenarios and stores nothing', async () => {
  const before = await dump()
  const response = await send('?dry_run=true&evaluation=other', FILE)
  assert.equal(response.status, 200, response.text)
  checkDocumented('/api/imports', response, 'POST')
  const { stored, evaluations, first } = JSON.parse(response.text)
  assert.deepEqual(
    [stored, evaluations[0], first.length],
    [false, { id: 'other', accepted: 3, unchanged: 0 }, 3],
  )
  assert.deepEqual(await dump(), before)
})

test('the request can set the ids of evaluation and variant', async () => {
  const { evaluations, variants } = JSON.parse((await send('?evaluation=mine&variant=v', FILE)).text)
  assert.deepEqual([evaluations[0].id, variants[0].id], ['mine', 'v'])
})

test('a repeated request with an Idempotency-Key returns the first response', async () => {
  const headers = { 'idempotency-key': 'import-1' }
  const first = await send('?evaluation=once', FILE, headers)
  const again = await send('?evaluation=once', FILE, headers)
  assert.deepEqual([again.status, again.text], [200, first.text])
})

describe('invalid imports return an error and store nothing', () => {
  const invalidRecords = '{"inputs":[]}\n{"inputs":1}\n'
  for (const [name, query, body, status, code, detail] of [
    ['an invalid record', '?evaluation=e', invalidRecords, 422, 'invalid-content', /record 2, line 2/],
    [
      'a file of an unknown format',
      '',
      'hello',
      422,
      'invalid-content',
      /unknown format.*promptfoo.*inspect/s,
    ],
    ['an empty file', '', '', 422, 'invalid-content', /unknown format/],
    ['an unknown format parameter', '?format=dance', 'x', 400, 'invalid-request', /'format' must be one of/],
    [
      'an invalid evaluation id',
      '?evaluation=..',
      invalidRecords,
      400,
      'invalid-request',
      /'evaluation' is not a valid id/,
    ],
    [
      'an unknown parameter',
      '?dance=1',
      invalidRecords,
      400,
      'invalid-request',
      /Unknown query parameter 'dance'/,
    ],
    [
      'revisions without a variant',
      '',
      '[{"modified_by":"a","config":{"config_name":"c"}}]',
      422,
      'invalid-content',
      /variant=ID/,
    ],
    ['a truncated document', '', FILE.subarray(0, 6000), 422, 'invalid-content', /truncated/],
  ] as const) {
    test(name, async () => {
      const before = await dump()
      const response = await send(query, body as Body)
      checkProblem(response, status, code)
      assert.match(JSON.parse(response.text).detail, detail)
      assert.deepEqual(await dump(), before)
    })
  }

  test('the error contains the import report', async () => {
    const { report, errors, error_count } = JSON.parse((await send('?evaluation=e', invalidRecords)).text)
    assert.deepEqual([report.refused, report.stored, report.refusals[0].record], [1, false, 2])
    assert.deepEqual([errors.length, error_count, errors[0].line], [1, 1, 2])
  })

  test('with skip_invalid the valid records are stored', async () => {
    const response = await send('?evaluation=e&skip_invalid=true', invalidRecords)
    const { stored, refused, evaluations } = JSON.parse(response.text)
    assert.deepEqual([response.status, stored, refused, evaluations[0].accepted], [200, true, 1, 1])
  })

  test('a read-only key', async () => {
    const response = await send('', FILE, { authorization: keys.read })
    checkProblem(response, 403, 'access-denied')
  })

  test('a file larger than max_body_bytes', async () => {
    const small = await startTestService(store, { max_body_bytes: 1024 })
    const response = await sendRequest(
      small.base,
      '/api/imports',
      { authorization: keys.write },
      'POST',
      FILE,
    )
    checkProblem(response, 413, 'content-too-large')
  })
})
