// Tests adding, replacing and deleting results: the stored texts, the derived tables, and errors that store nothing.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { runAssayCommand as runAssay } from '../../support/command-runner/run.ts'
import { createStoreLocation, createTempFolder, startTestService } from '../../support/harness.ts'
import { checkProblem, sendRequest } from '../../support/http.ts'
import { testOptions } from '../../support/options.ts'
import {
  EVALUATIONS,
  gzipHeaders,
  ndjsonHeaders,
  nestedArrays,
  resultsPath,
  scenariosPath,
  zstdHeaders,
} from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const service = await startWriteService()
const { store, baseUrl, key, dump, send, sendOk, checkClean } = service
const createEvaluation = (...scenarios: string[]) => service.createEvaluation(scenarios)

const read = async (id: string) =>
  JSON.parse((await sendOk('GET', `${scenariosPath(id)}?include=extra`)).text) as {
    results: unknown[]
    extra: unknown
  }[]
const counts = (added: number, replaced = 0, unchanged = 0) => JSON.stringify({ added, replaced, unchanged })

function resultText(scenario: string, evaluator: string, value: string, more = ''): string {
  return `{"scenario_id":"${scenario}","evaluator_config":"${evaluator}","result":{"type":"number","value":${value}}${more}}`
}

/** Sends a write that must fail, and checks that the store does not change. */
async function checkRejected(
  request: Parameters<typeof send>,
  status: number,
  code: string,
  detail: RegExp,
): Promise<Record<string, unknown>> {
  const before = await dump()
  const response = await send(...request)
  checkProblem(response, status, code)
  const problem = JSON.parse(response.text) as Record<string, unknown>
  assert.match(String(problem.detail), detail)
  assert.equal(await dump(), before)
  return problem
}

describe('adding results', () => {
  test('appends a result with the digits, escapes and spelling that were sent', async () => {
    const id = await createEvaluation(
      '{"id":"a","note":"n","is_pinned":true,"results":[{"result":{"type":"x"},"evaluator_config":"one"}]}',
    )
    const body = resultText('a', '\\u0074wo', '0.10e+1', ',"reason":"b\\u0065cause","by":null')
    assert.equal((await sendOk('POST', resultsPath(id), `[ ${body} ]`)).text, counts(1))
    const { text } = await sendOk('GET', `${scenariosPath(id)}?include=extra`)
    assert.ok(
      text.includes(
        '"results":[{"result":{"type":"x"},"evaluator_config":"one"},{"evaluator_config":"\\u0074wo","result":{"type":"number","value":0.10e+1}}],"extra":{"results":[{},{"reason":"b\\u0065cause"}]}',
      ),
      text,
    )
  })

  test('replaces a result in place, with its details, and removes further results of the evaluator', async () => {
    const results = ['one', 'two', 'one', 'three', 'one']
      .map((name) => `{"evaluator_config":"${name}","result":{"type":"text","value":"old"}}`)
      .join()
    const details = ['"a"', '{"reason":"b","by":"B"}', '{"reason":"c"}', 'null'].join()
    const id = await createEvaluation(
      `{"id":"a","results":[${results}],"extra":{"z":1,"results":[${details}],"y":[]}}`,
    )
    assert.equal(
      (await sendOk('POST', resultsPath(id), `[${resultText('a', 'one', '1')}]`)).text,
      counts(0, 1),
    )
    const [row] = await read(id)
    assert.deepEqual(
      row?.results.map((result) => (result as { evaluator_config: string }).evaluator_config),
      ['one', 'two', 'three'],
    )
    assert.equal(JSON.stringify(row?.extra), '{"z":1,"results":[{},{"reason":"b","by":"B"},null],"y":[]}')
    const again = resultText('a', 'two', '2', ',"by":"C"')
    assert.equal((await sendOk('POST', resultsPath(id), `[${again}]`)).text, counts(0, 1))
    assert.equal(JSON.stringify((await read(id))[0]?.extra), '{"z":1,"results":[{},{"by":"C"},null],"y":[]}')
  })

  test('stores no details after the last result with details', async () => {
    const id = await createEvaluation('{"id":"a","extra":{"x":1}}')
    const results = [resultText('a', 'one', '1'), resultText('a', 'two', '1', ',"by":"A"')]
    await sendOk('POST', resultsPath(id), `[${results.join()}]`)
    assert.equal(JSON.stringify((await read(id))[0]?.extra), '{"x":1,"results":[{},{"by":"A"}]}')
    await sendOk('DELETE', `${resultsPath(id)}?evaluator=two`)
    assert.equal(JSON.stringify((await read(id))[0]?.extra), '{"x":1}')
  })

  test('counts an equal result as unchanged, in any spelling of its record, and changes no version', async () => {
    const id = await createEvaluation(
      '{"id":"a","results":[{"result":{"type":"number","value":1.0},"evaluator_config":"one"}]}',
    )
    const path = `${scenariosPath(id)}/a`
    const before = await sendOk('GET', path)
    const { headers } = await sendOk('GET', `${EVALUATIONS}/${id}`)
    const response = await sendOk('POST', resultsPath(id), `[${resultText('a', '\\u006fne', '1.0')}]`)
    assert.equal(response.text, counts(0, 0, 1))
    const tag = headers.etag as string
    assert.equal(response.headers.etag?.slice(0, 17), tag.slice(0, 17))
    assert.deepEqual([(await sendOk('GET', path)).headers.etag], [before.headers.etag])
    assert.equal(
      (await sendOk('POST', resultsPath(id), `[${resultText('a', 'one', '1')}]`)).text,
      counts(0, 1),
    )
    assert.notEqual((await sendOk('GET', path)).headers.etag, before.headers.etag)
  })

  test('stores the last of several results of the same evaluator, and leaves other scenarios unchanged', async () => {
    const id = await createEvaluation('{"id":"a"}', '{"id":"b"}')
    const other = await sendOk('GET', `${scenariosPath(id)}/b`)
    const body = [1, 2, 2, 3].map((value) => resultText('a', 'one', String(value))).join('\n')
    assert.equal((await sendOk('POST', resultsPath(id), body, ndjsonHeaders)).text, counts(1, 2, 1))
    const [row] = await read(id)
    assert.deepEqual(row?.results, [{ evaluator_config: 'one', result: { type: 'number', value: 3 } }])
    assert.equal((await sendOk('GET', `${scenariosPath(id)}/b`)).headers.etag, other.headers.etag)
  })

  for (const [name, encode, headers] of [
    ['gzip', gzipSync, gzipHeaders],
    ['zstd', zstdCompressSync, zstdHeaders],
  ] as const) {
    test(`accepts a body with ${name}`, async () => {
      const id = await createEvaluation('{"id":"a"}')
      const body = encode(`[${resultText('a', 'one', '1')}]`)
      assert.equal((await sendOk('POST', resultsPath(id), body, headers)).text, counts(1))
    })
  }

  test('accepts an empty array, and changes nothing', async () => {
    const id = await createEvaluation('{"id":"a"}')
    const before = await dump()
    assert.equal((await sendOk('POST', resultsPath(id), '[]')).text, counts(0))
    assert.equal(await dump(), before)
  })

  test('keeps the digest of the first upload, so that an append of the first content changes nothing', async () => {
    const first = '{"id":"a","inputs":[],"results":[]}'
    const id = await createEvaluation(first)
    await sendOk('POST', resultsPath(id), `[${resultText('a', 'one', '1')}]`)
    await sendOk('POST', resultsPath(id), `[${resultText('a', 'one', '2')}]`)
    const { text } = await sendOk('POST', scenariosPath(id), `[${first}]`)
    assert.equal(text, '{"accepted":0,"unchanged":1}')
    assert.equal((await read(id))[0]?.results.length, 1)
  })

  test('filters, statistics and CSV columns include the new results', async () => {
    const id = await createEvaluation('{"id":"a"}', '{"id":"b"}')
    const body = `[${resultText('b', 'one', '0.5')},${resultText('a', 'one', '1')},${resultText('a', 'two', 'null')}]`
    await sendOk('POST', resultsPath(id), body)
    const filtered = await sendOk('GET', `${scenariosPath(id)}?result.one=lt.1`)
    assert.deepEqual(
      (JSON.parse(filtered.text) as { id: string }[]).map((row) => row.id),
      ['b'],
    )
    const summary = JSON.parse((await sendOk('GET', `${EVALUATIONS}/${id}/summary`)).text)
    assert.deepEqual(summary.columns.evaluators, ['one', 'two'])
    assert.equal(summary.evaluators[0].mean, 0.75)
    const csv = (await sendOk('GET', `${scenariosPath(id)}?format=csv`)).text
    assert.match(csv, /^id,output,score\.one,score\.two,/)
  })

  test('works for more scenarios than are read at once', async () => {
    const ids = Array.from({ length: 1234 }, (_, index) => `s-${index}`)
    const id = await createEvaluation(...ids.map((scenario) => `{"id":"${scenario}"}`))
    const lines = ids
      .toReversed()
      .flatMap((scenario, index) => ['one', 'two'].map((name) => resultText(scenario, name, String(index))))
    const { text } = await sendOk('POST', resultsPath(id), `${lines.join('\n')}\n`, ndjsonHeaders)
    assert.equal(text, counts(2468))
    assert.ok((await read(id)).every(({ results }) => results.length === 2))
    const changes = JSON.parse((await sendOk('GET', '/api/changes')).text) as Record<string, unknown>[]
    const { action, evaluation_id, counts: changed } = changes.at(-1) ?? {}
    assert.deepEqual(
      [action, evaluation_id, changed],
      ['results.added', id, { results: 2468, scenarios: 1234 }],
    )
  })

  test('rejects unknown scenarios with 422 and lists at most 100 of them', async () => {
    const id = await createEvaluation('{"id":"a"}')
    const lines = Array.from({ length: 150 }, (_, index) => resultText(`x-${index}`, 'one', '1'))
    const body = [resultText('a', 'one', '1'), ...lines].join('\n')
    const request = ['POST', resultsPath(id), body, ndjsonHeaders] as const
    const problem = await checkRejected([...request], 422, 'invalid-content', /no scenario with the id 'x-0'/)
    assert.equal(problem.error_count, 150)
    const errors = problem.errors as Record<string, unknown>[]
    assert.equal(errors.length, 100)
    assert.deepEqual(errors[0], {
      pointer: '/1/scenario_id',
      line: 2,
      detail: "The evaluation has no scenario with the id 'x-0'.",
    })
  })

  test('rejects a scenario whose extra.results has no details of results', async () => {
    for (const extra of ['{"results":{"a":1}}', '{"results":"x"}', '{"results":[{}]}']) {
      const id = await createEvaluation(`{"id":"a","extra":${extra}}`, '{"id":"b"}')
      const body = `[${resultText('b', 'one', '1')},${resultText('a', 'one', '1')}]`
      await checkRejected(['POST', resultsPath(id), body], 422, 'invalid-content', /'a'.*extra\.results/)
    }
  })

  test('rejects invalid records, an unknown evaluation and a wrong media type', async () => {
    const id = await createEvaluation('{"id":"a"}')
    const path = resultsPath(id)
    for (const [body, pointer] of [
      ['[{"scenario_id":"a","evaluator_config":"e"}]', '/0'],
      [`[${resultText('a', 'e', '1', ',"more":1')}]`, '/0'],
      [`[${resultText('a', 'e', '1', ',"reason":1')}]`, '/0/reason'],
      ['[{"scenario_id":"a","evaluator_config":"e","result":{"value":1}}]', '/0/result'],
      [`[${resultText('', 'e', '1')}]`, '/0/scenario_id'],
    ] as const) {
      const problem = await checkRejected(['POST', path, body], 422, 'invalid-content', /Nothing was stored/)
      const [error] = problem.errors as { pointer: string }[]
      assert.equal(error?.pointer.startsWith(pointer), true, pointer)
    }
    await checkRejected(['POST', path, '{}'], 422, 'invalid-content', /array of results/)
    await checkRejected(['POST', path, '[{]'], 400, 'invalid-json', /Line 1/)
    await checkRejected(['POST', resultsPath('nowhere'), '[]'], 404, 'evaluation-not-found', /nowhere/)
    const text = { 'content-type': 'text/plain' }
    await checkRejected(['POST', path, '[]', text], 415, 'unsupported-media-type', /x-ndjson/)
  })

  test('rejects results that would make a scenario too large or too deep to import again', async () => {
    const id = await createEvaluation('{"id":"a"}')
    const smallService = await startTestService(store, { max_record_bytes: 700 })
    const long = (name: string) => `[${resultText('a', name, `"${'x'.repeat(300)}"`)}]`
    await sendOk('POST', resultsPath(id), long('one'), {}, smallService.baseUrl)
    await checkRejected(
      ['POST', resultsPath(id), long('two'), {}, smallService.baseUrl],
      413,
      'content-too-large',
      /the scenario 'a' would be larger than 700 bytes/,
    )
    const deep = (depth: number) => `[${resultText('a', 'one', nestedArrays(depth))}]`
    await checkRejected(
      ['POST', resultsPath(id), deep(125), {}, smallService.baseUrl],
      422,
      'invalid-content',
      /nested/,
    )
    await sendOk('POST', resultsPath(id), deep(124), {}, smallService.baseUrl)
    const { text } = await sendOk('GET', `${scenariosPath(id)}?include=extra`)
    await sendOk(
      'POST',
      scenariosPath('deep-copy'),
      text.replaceAll(id, 'deep-copy'),
      {},
      smallService.baseUrl,
    )
  })
})

describe('deleting results', () => {
  test('deletes the results of one evaluator with their details, and the evaluator from the columns', async () => {
    const id = await createEvaluation(
      '{"id":"a","results":[{"evaluator_config":"one","result":{"type":"x"}},{"evaluator_config":"two","result":{"type":"x"}},{"evaluator_config":"\\u006fne","result":{"type":"x"}}],"extra":{"results":[{"reason":"1"},{"reason":"2"},{"reason":"3"}]}}',
      '{"id":"b","results":[{"evaluator_config":"two","result":{"type":"x"}}]}',
      '{"id":"c","results":[{"evaluator_config":"one","result":{"type":"x"}}],"extra":{"results":[{"reason":"1"}]}}',
      '{"id":"d","results":[{"evaluator_config":"one","result":{"type":"x"}}],"extra":{"results":"free"}}',
    )
    const other = await sendOk('GET', `${scenariosPath(id)}/b`)
    const response = await sendOk('DELETE', `${resultsPath(id)}?evaluator=one`)
    assert.equal(response.status, 204)
    const two = [{ evaluator_config: 'two', result: { type: 'x' } }]
    assert.deepEqual(
      (await read(id)).map(({ results, extra }) => ({ results, extra })),
      [
        { results: two, extra: { results: [{ reason: '2' }] } },
        { results: two, extra: null },
        { results: [], extra: null },
        { results: [], extra: { results: 'free' } },
      ],
    )
    assert.equal((await sendOk('GET', `${scenariosPath(id)}/b`)).headers.etag, other.headers.etag)
    const summary = JSON.parse((await sendOk('GET', `${EVALUATIONS}/${id}/summary`)).text)
    assert.deepEqual(summary.columns.evaluators, ['two'])
    const changes = JSON.parse((await sendOk('GET', '/api/changes')).text) as Record<string, unknown>[]
    const { action, counts: changed } = changes.at(-1) ?? {}
    assert.deepEqual([action, changed], ['results.deleted', { results: 4, scenarios: 3 }])
  })

  test('returns 404 if there are no results of the evaluator', async () => {
    const id = await createEvaluation('{"id":"a"}')
    const path = `${resultsPath(id)}?evaluator=one`
    await checkRejected(['DELETE', path], 404, 'evaluator-not-found', /no results of the evaluator 'one'\./)
    await sendOk('POST', resultsPath(id), `[${resultText('a', 'two', '1')}]`)
    await checkRejected(['DELETE', path], 404, 'evaluator-not-found', /GET .* lists its evaluators\.$/)
    await checkRejected(['DELETE', resultsPath(id)], 400, 'invalid-request', /evaluator/)
    const unknown = `${resultsPath('nowhere')}?evaluator=one`
    await checkRejected(['DELETE', unknown], 404, 'evaluation-not-found', /nowhere/)
  })

  test('works for more scenarios than are read at once', async () => {
    const id = await createEvaluation(
      ...Array.from(
        { length: 321 },
        (_, index) =>
          `{"id":"s-${index}","results":[{"evaluator_config":"${index % 3 === 0 ? 'one' : 'two'}","result":{"type":"x"}}]}`,
      ),
    )
    await sendOk('DELETE', `${resultsPath(id)}?evaluator=two`)
    const rows = await read(id)
    assert.deepEqual(
      rows.map(({ results }) => results.length),
      rows.map((_, index) => Number(index % 3 === 0)),
    )
  })
})

describe('deleting a result of one scenario', () => {
  const pathOf = (id: string, scenario: string, evaluator: string) =>
    `${scenariosPath(id)}/${scenario}/results/${encodeURIComponent(evaluator)}`

  test('deletes all results of the evaluator in the scenario, and leaves the other bytes as they were', async () => {
    const resultOf = (name: string, value: string) =>
      `{"evaluator_config":"${name}","result":{"type":"number","value":${value}}}`
    const scenario = (results: string[], details: string[]) =>
      `{"id":"a","inputs":[{"name":"q","type":"json","value":{"b":1.0,"a":[1e400,"\\u0041"]}}],"outputs":[],"correct_answers":null,"is_pinned":true,"note":"\\u00fc","results":[${results.join()}]%,"extra":{"z":-0,"results":[${details.join()}]}}`
    const two = resultOf('t\\u0077o', '1.50')
    const [before, after] = [
      scenario([resultOf('one', '1'), two, resultOf('\\u006fne', '2')], ['{"reason":"1"}', '{"reason":"2"}']),
      scenario([two], ['{"reason":"2"}']),
    ]
    const other = '{"id":"b","results":[{"evaluator_config":"one","result":{"type":"number","value":3}}]}'
    const id = await createEvaluation(before.replace('%', ''), other)
    const textOf = async (path: string) => (await sendOk('GET', `${scenariosPath(id)}/${path}`)).text
    const stored = await textOf('b')
    assert.equal((await sendOk('DELETE', pathOf(id, 'a', 'one'))).status, 204)
    const withIdOf = (text: string) => text.replace('"id":"a",', `"id":"a","evaluation_id":"${id}",`)
    assert.equal(await textOf('a?include=extra'), withIdOf(after.replace('%', '')))
    assert.equal(await textOf('b'), stored)
    const changes = JSON.parse((await sendOk('GET', '/api/changes')).text) as Record<string, unknown>[]
    const { action, scenario_id, counts: changed } = changes.at(-1) ?? {}
    assert.deepEqual([action, scenario_id, changed], ['results.deleted', 'a', { results: 2, scenarios: 1 }])
    const { columns, evaluators } = JSON.parse((await sendOk('GET', `${EVALUATIONS}/${id}/summary`)).text)
    assert.deepEqual(columns.evaluators, ['one', 'two'])
    assert.deepEqual(
      evaluators.map(({ name, n, mean }: { name: string; n: number; mean: number }) => [name, n, mean]),
      [
        ['one', 1, 3],
        ['two', 1, 1.5],
      ],
    )
    await sendOk('DELETE', pathOf(id, 'b', 'one'))
    const summary = JSON.parse((await sendOk('GET', `${EVALUATIONS}/${id}/summary`)).text)
    assert.deepEqual(summary.columns.evaluators, ['two'])
  })

  test('keeps extra data that is not aligned with the results', async () => {
    const id = await createEvaluation(
      '{"id":"a","results":[{"evaluator_config":"one","result":{"type":"x"}}],"extra":{"results":"free"}}',
    )
    await sendOk('DELETE', pathOf(id, 'a', 'one'))
    const [scenario] = await read(id)
    assert.deepEqual([scenario?.results, scenario?.extra], [[], { results: 'free' }])
  })

  for (const name of ['a/b', 'a?b=c#d', '100 %', 'ü "日本" 😀', '..a', ' ', 'results', 'x'.repeat(3000)])
    test(`accepts the percent-encoded name ${name.slice(0, 20)}`, async () => {
      const id = await createEvaluation('{"id":"a"}')
      await sendOk('POST', resultsPath(id), `[${resultText('a', JSON.stringify(name).slice(1, -1), '1')}]`)
      assert.equal((await sendOk('DELETE', pathOf(id, 'a', name))).status, 204)
      assert.deepEqual((await read(id))[0]?.results, [])
    })

  test('deletes results whose name has a character that is stored in another form', async () => {
    const id = await createEvaluation('{"id":"a"}')
    await sendOk('POST', resultsPath(id), `[${resultText('a', 'a\\u0000\\ud800', '1')}]`)
    await sendOk('DELETE', pathOf(id, 'a', 'a\ufffd\ufffd'))
    assert.deepEqual((await read(id))[0]?.results, [])
  })

  test('returns 404 if the evaluation, the scenario or the result does not exist, and names no other evaluator', async () => {
    const id = await createEvaluation('{"id":"a"}', '{"id":"b"}')
    await sendOk('POST', resultsPath(id), `[${resultText('a', 'one', '1')}]`)
    const missingResult = /^The scenario 'b' has no result of the evaluator 'one'\.$/
    await checkRejected(['DELETE', pathOf(id, 'b', 'one')], 404, 'result-not-found', missingResult)
    await checkRejected(['DELETE', pathOf(id, 'a', 'One')], 404, 'result-not-found', /'One'/)
    await checkRejected(['DELETE', pathOf(id, 'c', 'one')], 404, 'scenario-not-found', /'c'/)
    await checkRejected(['DELETE', pathOf('nowhere', 'a', 'one')], 404, 'evaluation-not-found', /nowhere/)
    await checkRejected(['DELETE', `${pathOf(id, 'a', 'one')}?x=1`], 400, 'invalid-request', /'x'/)
  })

  test('supports only DELETE', async () => {
    const id = await createEvaluation('{"id":"a"}')
    for (const method of ['GET', 'PUT']) {
      const response = await sendRequest(baseUrl, pathOf(id, 'a', 'e'), { authorization: key }, method)
      checkProblem(response, 405, 'method-not-allowed')
      assert.equal(response.headers.allow, 'DELETE, OPTIONS')
    }
  })
})

interface ModelResult {
  name: string
  value: string
  details: { reason?: string; by?: string }
}

const EVALUATORS = ['one', 'two', 'ü "3"']
const newResult = fc.record({
  scenario: fc.nat(3),
  name: fc.constantFrom(...EVALUATORS),
  value: fc.constantFrom('1', '1.0', 'true', '"a"', 'null', '[1e400]'),
  details: fc.record(
    { reason: fc.constantFrom('r', 'ü\n'), by: fc.constantFrom('Ana', '') },
    { requiredKeys: [] },
  ),
})
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.array(newResult, { maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(...EVALUATORS) },
)

/** What the scenario must be, with its extra data. */
function modelText(evaluation: string, index: number, results: ModelResult[]): string {
  const detailCount = results.findLastIndex(({ details }) => Object.keys(details).length > 0) + 1
  const details = results.slice(0, detailCount).map((result) => result.details)
  const texts = results.map(
    ({ name, value }) =>
      `{"evaluator_config":${JSON.stringify(name)},"result":{"type":"t","value":${value}}}`,
  )
  return `{"id":"s-${index}","evaluation_id":"${evaluation}","inputs":[],"outputs":[],"correct_answers":null,"is_pinned":null,"note":null,"results":[${texts.join()}],"extra":${detailCount === 0 ? 'null' : JSON.stringify({ results: details })}}`
}

test('any sequence of added and deleted results has the same effect as on lists in memory', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 6 }), async (operations) => {
      const rows: ModelResult[][] = [[], [], [], []]
      const id = await createEvaluation(...rows.map((_, index) => `{"id":"s-${index}"}`))
      for (const item of operations) {
        if (typeof item === 'string') {
          const hasResults = rows.some((results) => results.some(({ name }) => name === item))
          const { status } = await send('DELETE', `${resultsPath(id)}?evaluator=${encodeURIComponent(item)}`)
          assert.equal(status, hasResults ? 204 : 404)
          for (const [index, results] of rows.entries())
            rows[index] = results.filter(({ name }) => name !== item)
          continue
        }
        const expected = { added: 0, replaced: 0, unchanged: 0 }
        for (const { scenario, name, value, details } of item) {
          const results = rows[scenario] as ModelResult[]
          const index = results.findIndex((result) => result.name === name)
          const sent = { name, value, details }
          if (index === -1) expected.added += 1
          else if (JSON.stringify(results[index]) === JSON.stringify(sent)) expected.unchanged += 1
          else expected.replaced += 1
          results[index === -1 ? results.length : index] = sent
        }
        const lines = item.map(
          ({ scenario, name, value, details }) =>
            `{"scenario_id":"s-${scenario}","result":{"type":"t","value":${value}},"evaluator_config":${JSON.stringify(name)},${JSON.stringify({ reason: null, ...details }).slice(1)}`,
        )
        const { text } = await sendOk('POST', resultsPath(id), lines.join('\n'), ndjsonHeaders)
        assert.deepEqual(JSON.parse(text), expected)
      }
      const { text } = await sendOk('GET', `${scenariosPath(id)}?include=extra`)
      assert.equal(text, `[${rows.map((results, index) => modelText(id, index, results)).join()}]`)
    }),
    { numRuns: testOptions.profile === 'full' ? 30 : 8, seed: testOptions.seed },
  )
})

test('a full export with reasons is imported and exported again with identical bytes', async () => {
  const id = await createEvaluation(
    '{"id":"a","is_pinned":true,"note":"n","results":[{"result":{"type":"x"},"evaluator_config":"one"}],"extra":{"k":1.0}}',
    '{"results":[{"evaluator_config":"one","result":{"type":"x","value":1}}]}',
    '{"id":"c"}',
  )
  const body = JSON.stringify({ evaluators: [{ name: 'Ana', kind: 'human' }] })
  await sendOk('PATCH', `${EVALUATIONS}/${id}`, body)
  const results = [
    resultText('a', 'Ana', '1.50', ',"reason":"\\u0062 and ü","by":"Ana"'),
    resultText('a', 'one', '2'),
    resultText('c', 'two', 'true', ',"reason":""'),
  ]
  await sendOk('POST', resultsPath(id), `[${results.join()}]`)
  const copy = await createStoreLocation()
  const exportFrom = async ({ flags }: { flags: string[] }) => {
    const { code, stdout, stderr } = await runAssay(['export', id, '--full', '--format', 'ndjson', ...flags])
    assert.equal(code, 0, stderr)
    return stdout
  }
  const first = await exportFrom(store)
  assert.match(first, /"reason":"\\u0062 and ü","by":"Ana"/)
  const file = join(createTempFolder(), 'full.ndjson')
  writeFileSync(file, first)
  const imported = await runAssay(['import', file, ...copy.flags])
  assert.equal(imported.code, 0, imported.stderr)
  assert.equal(await exportFrom(copy), first)
  const before = await dump()
  const again = await runAssay(['import', file, '--json', ...store.flags])
  assert.match(again.stdout, /"accepted": 0,\s*"unchanged": 3/)
  assert.equal(await dump(), before)
})

test('everything derived is correct after these writes', checkClean)
