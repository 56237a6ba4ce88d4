// Tests POST /api/imports: it accepts the same files as assay import, returns the same report, and stores all or nothing.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { createTempFolder, createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { importInto } from '../../support/import-file.ts'
import { storeDump } from '../../support/store-dump.ts'

const FILE_URL = new URL('../../fixtures/import/promptfoo/echo-run.json', import.meta.url)
const FILE_BYTES = readFileSync(FILE_URL)

const store = await createTestStore()
const service = await startTestService(store)
const keys = {
  write: (await createTestKey(store, { scopes: ['read', 'write'] })).key,
  read: (await createTestKey(store)).key,
}
const dump = storeDump(store)

type Body = string | Buffer

function send(query: string, body: Body, headers: Record<string, string> = {}): Promise<HttpResponse> {
  return sendRequest(
    service.baseUrl,
    `/api/imports${query}`,
    { authorization: keys.write, ...headers },
    'POST',
    body,
  )
}

test('an uploaded file is stored, and the report is the same as from assay import', async () => {
  const response = await send('?name=out.json', FILE_BYTES, { 'content-type': 'application/octet-stream' })
  assert.equal(response.status, 200, response.text)
  checkDocumented('/api/imports', response, 'POST')
  const otherStore = await createTestStore()
  const report = await importInto(otherStore, FILE_URL.pathname)
  assert.deepEqual(JSON.parse(response.text), { ...report, file: 'out.json' })
  assert.deepEqual(report.evaluations[0]?.accepted, 3)
  const [id] = report.evaluations.map(({ id }) => id)
  const path = `/api/evaluations/${encodeURIComponent(id ?? '')}/evaluation_scenarios`
  const { status, text } = await sendRequest(service.baseUrl, path, { authorization: keys.read })
  assert.deepEqual([status, JSON.parse(text).length], [200, 3])
})

test('importing the same file again changes nothing, also when it is compressed', async () => {
  const dumpBefore = await dump()
  for (const [body, headers] of [
    [FILE_BYTES, {}],
    [gzipSync(FILE_BYTES), { 'content-encoding': 'gzip' }],
  ] as const) {
    const { evaluations, variants } = JSON.parse((await send('', body, headers)).text)
    assert.deepEqual([evaluations[0].unchanged, variants[0].unchanged], [3, 1])
  }
  assert.deepEqual(await dump(), dumpBefore)
})

describe('an encoded file', () => {
  const utf16 = Buffer.from(`\ufeff${FILE_BYTES}`, 'utf16le')

  test('is decoded without Content-Encoding, also in a tar archive', async () => {
    const dumpBefore = await dump()
    const folder = createTempFolder()
    writeFileSync(join(folder, 'run.json.gz'), gzipSync(utf16))
    const archive = spawnSync('tar', ['-C', folder, '-c', 'run.json.gz']).stdout
    for (const [body, repairs] of [
      [gzipSync(FILE_BYTES), 0],
      [zstdCompressSync(FILE_BYTES), 0],
      [utf16, 1],
      [archive, 1],
      [gzipSync(archive), 1],
    ] as const) {
      const response = await send('', body)
      assert.equal(response.status, 200, response.text)
      const { evaluations, repaired } = JSON.parse(response.text)
      assert.deepEqual([evaluations[0].unchanged, repaired], [3, repairs])
    }
    assert.deepEqual(await dump(), dumpBefore)
  })

  test('is rejected with 422 if it is damaged or too large, and releases its disk space', async () => {
    const dumpBefore = await dump()
    const limitedService = await startTestService(store, { max_body_bytes: 8192, max_buffer_bytes: 1e8 })
    assert.ok(FILE_BYTES.length > 8192 && gzipSync(FILE_BYTES).length < 8192)
    for (const [body, detail] of [
      [gzipSync(FILE_BYTES), /larger than 8192 bytes after decompression/],
      [gzipSync(FILE_BYTES.subarray(0, 8000)).subarray(0, -4), /compressed with gzip, but damaged/],
      [utf16.subarray(0, 8001), /not valid UTF-16: an incomplete character at byte 8000/],
    ] as const) {
      const { baseUrl } = limitedService
      const response = await sendRequest(
        baseUrl,
        '/api/imports?format=promptfoo',
        { authorization: keys.write },
        'POST',
        body,
      )
      checkProblem(response, 422, 'invalid-content')
      assert.match(JSON.parse(response.text).detail, detail)
      const { text } = await sendRequest(baseUrl, '/metrics')
      assert.match(text, /^assay_buffer_bytes 0$/m)
    }
    assert.deepEqual(await dump(), dumpBefore)
  })
})

test('a file without an id is recognized under another name, and after it has grown or changed', async () => {
  const rows = 'input.q,output,score.exact\na,1,1\nb,2,0\n'
  const countsOf = async (query: string, body: string) => {
    const response = await send(query, body)
    assert.equal(response.status, 200, response.text)
    const [evaluation] = JSON.parse(response.text).evaluations
    const { id, accepted, unchanged, replaced = 0 } = evaluation
    return { id, counts: [accepted, unchanged, replaced] }
  }
  const { id, counts } = await countsOf('?name=growing.csv', rows)
  assert.deepEqual(counts, [2, 0, 0])
  const expected = (...counts: number[]) => ({ id, counts })
  assert.deepEqual(await countsOf('?name=renamed.csv', rows), expected(0, 2, 0))
  assert.deepEqual(await countsOf('', rows), expected(0, 2, 0))
  const grown = `${rows}c,3,1\n`
  assert.deepEqual(await countsOf('?name=growing.csv', grown), expected(1, 2, 0))
  assert.deepEqual(await countsOf('', grown), expected(0, 3, 0))
  const changed = grown.replace('b,2,0', 'b,2,1')
  const replace = '?name=growing.csv&on_conflict=replace'
  assert.deepEqual(await countsOf(replace, changed), expected(0, 2, 1))
  assert.notEqual((await countsOf('?name=growing.csv', changed.replace('a,1,1', 'a,1,0'))).id, id)
})

test('on_conflict=replace keeps evaluators of people and settings that the file lacks', async () => {
  const log = (status: string, threshold: string) =>
    `{"evaluation":{"id":"judged","name":"Judged","status":"${status}","metadata":{"status":"${status}"},"evaluators":[{"name":"exact"${threshold}},{"name":"tone","threshold":0.1}]},"variant":null,"revision":null}\n{"id":"a"}`
  assert.equal((await send('', log('running', ''))).status, 200)
  const evaluators = [
    { name: 'exact', threshold: 0.5 },
    { name: 'tone', threshold: 0.9, kind: 'human' },
    { name: 'length', higher_is_better: false },
  ]
  const patch = JSON.stringify({ evaluators, status: 'finished' })
  const headers = { authorization: keys.write, 'content-type': 'application/json' }
  const patched = await sendRequest(service.baseUrl, '/api/evaluations/judged', headers, 'PATCH', patch)
  assert.equal(patched.status, 200, patched.text)
  checkProblem(await send('', log('failed', '')), 409, 'conflict')
  const report = JSON.parse((await send('?on_conflict=replace', log('failed', ''))).text)
  assert.deepEqual(report.evaluations[0].updated, ['status', 'metadata'])
  const again = JSON.parse((await send('?on_conflict=replace', log('failed', ',"threshold":0.70'))).text)
  assert.deepEqual(again.evaluations[0].updated, ['evaluators'])
  const { text } = await sendRequest(service.baseUrl, '/api/evaluations/judged', { authorization: keys.read })
  const stored = JSON.parse(text)
  assert.deepEqual(stored.evaluators, [{ name: 'exact', threshold: 0.7 }, ...evaluators.slice(1)])
  assert.deepEqual([stored.status, stored.metadata], ['failed', { status: 'failed' }])
})

test('a dry run returns the report and the first scenarios and stores nothing', async () => {
  const dumpBefore = await dump()
  const response = await send('?dry_run=true&evaluation=other', FILE_BYTES)
  assert.equal(response.status, 200, response.text)
  checkDocumented('/api/imports', response, 'POST')
  const { stored, evaluations, first } = JSON.parse(response.text)
  assert.deepEqual(
    [stored, evaluations[0], first.length],
    [false, { id: 'other', name: evaluations[0].name, updated: [], accepted: 3, unchanged: 0 }, 3],
  )
  assert.deepEqual(await dump(), dumpBefore)
})

test('the request can set the ids of evaluation and variant', async () => {
  const { evaluations, variants } = JSON.parse((await send('?evaluation=mine&variant=v', FILE_BYTES)).text)
  assert.deepEqual([evaluations[0].id, variants[0].id], ['mine', 'v'])
})

test('a repeated request with an Idempotency-Key returns the first response', async () => {
  const headers = { 'idempotency-key': 'import-1' }
  const first = await send('?evaluation=once', FILE_BYTES, headers)
  const retryResponse = await send('?evaluation=once', FILE_BYTES, headers)
  assert.deepEqual([retryResponse.status, retryResponse.text], [200, first.text])
})

describe('invalid imports', () => {
  const invalidRecords = '{"inputs":[]}\n{"inputs":1}\n'
  for (const [name, query, body, status, code, detail] of [
    ['an invalid record', '?evaluation=e', invalidRecords, 422, 'invalid-content', /record 2, line 2/],
    [
      'a file of an unknown format',
      '',
      'hello',
      422,
      'invalid-content',
      /unknown format\. No format matches its content\. Similar formats: scenarios .*; table .*format=NAME/s,
    ],
    ['an empty file', '', '', 422, 'invalid-content', /unknown format/],
    ['a table without rows', '', 'input.q,output\n', 422, 'invalid-content', /The file has no results/],
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
    [
      'a table without an output',
      '?name=a.csv',
      'domanda,risposta\nWas?,Das hier.\n',
      422,
      'invalid-content',
      /No column has the role output\. If 'risposta' contains the output: --map 'risposta=output'/,
    ],
    [
      'an invalid column map',
      '?map=answer%3Dverdict',
      'question,answer\nq,a\n',
      422,
      'invalid-content',
      /'answer' cannot have the role 'verdict'\. Use one of id, input, output/,
    ],
    ['a truncated document', '', FILE_BYTES.subarray(0, 6000), 422, 'invalid-content', /truncated/],
  ] as const) {
    test(`returns ${status} for ${name} and stores nothing`, async () => {
      const dumpBefore = await dump()
      const response = await send(query, body as Body)
      checkProblem(response, status, code)
      assert.match(JSON.parse(response.text).detail, detail)
      assert.deepEqual(await dump(), dumpBefore)
    })
  }

  test('return an error with the import report', async () => {
    const { report, errors, error_count } = JSON.parse((await send('?evaluation=e', invalidRecords)).text)
    assert.deepEqual([report.refused, report.stored, report.refusals[0].record], [1, false, 2])
    assert.deepEqual([errors.length, error_count, errors[0].line], [1, 1, 2])
  })

  test('return the columns of a rejected table and of a dry run', async () => {
    const table = 'domanda,risposta,gut\nWas?,Das hier.,ja\n'
    const columnsOf = async (query: string) => {
      const { report, columns } = JSON.parse((await send(query, table)).text)
      return (columns ?? report.columns).map(
        ({ role, origin }: Record<string, string>) => `${role} ${origin}`,
      )
    }
    assert.deepEqual(await columnsOf('?name=a.csv'), ['input default', 'input default', 'input default'])
    const map = encodeURIComponent('risposta=output,gut=score.good:text')
    assert.deepEqual(await columnsOf(`?dry_run=true&map=${map}`), [
      'input default',
      'output option',
      'score option',
    ])
  })

  test('store the valid records with skip_invalid', async () => {
    const response = await send('?evaluation=e&skip_invalid=true', invalidRecords)
    const { stored, refused, evaluations } = JSON.parse(response.text)
    assert.deepEqual([response.status, stored, refused, evaluations[0].accepted], [200, true, 1, 1])
  })

  test('suggest skip_invalid only if it is not set and can help', async () => {
    const fullExport = (id: string, name: string) =>
      `{"evaluation":{"id":"${id}","name":"${name}"},"variant":null,"revision":null}\n{"id":"a"}`
    assert.equal((await send('', fullExport('conflict', 'one'))).status, 200)
    const detailOf = async (query: string, body: Body) => JSON.parse((await send(query, body)).text).detail
    assert.match(await detailOf('?evaluation=e', invalidRecords), /Set skip_invalid=true/)
    const conflict = await detailOf('?skip_invalid=true', fullExport('conflict', 'two'))
    assert.match(
      conflict,
      /already exists with a different name\. .* another evaluation\. Nothing was stored\.$/,
    )
  })

  test('keep the source and the time of creation when an export replaces an evaluation', async () => {
    const fullExport = (members: object) =>
      `${JSON.stringify({ evaluation: { id: 'again', ...members }, variant: null, revision: null })}\n{"id":"a"}`
    const created = { source: 'pytest', created_at: '2026-01-01T00:00:00.000Z' }
    assert.equal((await send('', fullExport(created))).status, 200)
    const later = { source: 'script', created_at: '2026-01-02T00:00:00.000Z', status: 'failed' }
    assert.equal((await send('', fullExport(later))).status, 409)
    for (const mode of ['replace', 'replace_all']) {
      assert.equal((await send(`?on_conflict=${mode}`, fullExport(later))).status, 200)
      const { text } = await sendRequest(service.baseUrl, '/api/evaluations/again', {
        authorization: keys.read,
      })
      const { source, created_at, status } = JSON.parse(text)
      assert.deepEqual({ source, created_at, status }, { ...created, status: 'failed' })
    }
  })

  test('return 403 for a read-only key', async () => {
    const response = await send('', FILE_BYTES, { authorization: keys.read })
    checkProblem(response, 403, 'access-denied')
  })

  test('return 413 for a file larger than max_body_bytes', async () => {
    const limitedService = await startTestService(store, { max_body_bytes: 1024 })
    const response = await sendRequest(
      limitedService.baseUrl,
      '/api/imports',
      { authorization: keys.write },
      'POST',
      FILE_BYTES,
    )
    checkProblem(response, 413, 'content-too-large')
  })
})
