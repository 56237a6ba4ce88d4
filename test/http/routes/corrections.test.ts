// Tests that stored scenarios can be replaced and deleted: what is kept, what every read returns after it, and that all
// derived data follows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkProblem } from '../../support/http.ts'
import { EVALUATIONS, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { dump, send, sendOk, readJson, createEvaluation, checkClean } = await startWriteService()

const scenarioPath = (evaluation: string, id: string) =>
  `${scenariosPath(evaluation)}/${encodeURIComponent(id)}`
const readText = async (path: string) => (await sendOk('GET', path)).text
const ids = (scenarios: { id: string }[]) => scenarios.map(({ id }) => id)

function result(evaluator_config: string, value: unknown) {
  return { evaluator_config, result: { type: 'number', value } }
}

const HUMAN = [{ name: 'model' }, { name: 'review', kind: 'human' }, { name: 'tone', kind: 'human' }]

describe('PUT of a scenario', () => {
  test('replaces the content in its place, and every read returns the new content', async () => {
    const id = await createEvaluation([
      { id: 'a', inputs: [{ name: 'q', type: 'text', value: 'first' }], extra: { source: 1 } },
      { id: 'b', inputs: [{ name: 'q', type: 'text', value: 'second' }], results: [result('exact', 1)] },
      { id: 'c', results: [result('exact', 3)] },
    ])
    const path = scenarioPath(id, 'b')
    // Reads that are cached before the write.
    const reads = [
      scenariosPath(id),
      `${scenariosPath(id)}?include=extra`,
      `${scenariosPath(id)}?result.exact=gt.2`,
      `${scenariosPath(id)}?q=corrected`,
      `${EVALUATIONS}/${id}/summary`,
      `${EVALUATIONS}/${id}/rows?order=result.exact.desc`,
      path,
    ]
    const etags = new Map<string, string>()
    for (const read of reads) etags.set(read, String((await sendOk('GET', read)).headers.etag))
    const body =
      '{"inputs": [{"name":"q2","type":"text","value":"corrected"}], "results":[{"evaluator_config":"exact","result":{"type":"number","value":9.0}}],"extra":{"big":1e400}}'
    const replaced = await sendOk('PUT', path, body)
    const text = `{"id":"b","evaluation_id":"${id}","inputs":[{"name":"q2","type":"text","value":"corrected"}],"outputs":[],"correct_answers":null,"is_pinned":null,"note":null,"results":[{"evaluator_config":"exact","result":{"type":"number","value":9.0}}]}`
    assert.deepEqual([replaced.status, replaced.text], [200, text])
    for (const [read, etag] of etags) {
      const response = await send('GET', read, undefined, { 'if-none-match': etag })
      assert.equal(response.status, 200, read)
    }
    assert.equal((await sendOk('GET', path)).headers.etag, replaced.headers.etag)
    assert.equal(await readText(path), text)
    assert.equal(await readText(`${path}?include=extra`), `${text.slice(0, -1)},"extra":{"big":1e400}}`)
    assert.deepEqual(ids(await readJson(scenariosPath(id))), ['a', 'b', 'c'])
    assert.deepEqual(ids(await readJson(`${scenariosPath(id)}?result.exact=gt.2`)), ['b', 'c'])
    assert.deepEqual(ids(await readJson(`${scenariosPath(id)}?q=corrected`)), ['b'])
    assert.deepEqual(ids(await readJson(`${scenariosPath(id)}?input.q2=eq.corrected`)), ['b'])
    assert.deepEqual(ids(await readJson(`${scenariosPath(id)}?q=second`)), [])
    const { rows } = await readJson(`${EVALUATIONS}/${id}/rows?order=result.exact.desc`)
    assert.deepEqual(ids(rows), ['b', 'c', 'a'])
    const { columns } = await readJson(`${EVALUATIONS}/${id}/summary`)
    assert.deepEqual(columns, { inputs: ['q', 'q2'], expected: [], evaluators: ['exact'] })
    await checkClean()
  })

  test('keeps pin and note, unless the record has its own', async () => {
    const id = await createEvaluation([{ id: 'a' }])
    const path = scenarioPath(id, 'a')
    await sendOk('PATCH', path, { is_pinned: true, note: 'Odd.' })
    const marks = async () => {
      const { is_pinned, note } = await readJson(path)
      return [is_pinned, note]
    }
    await sendOk('PUT', path, { outputs: [{ result: { type: 'text', value: 'x' } }] })
    assert.deepEqual(await marks(), [true, 'Odd.'])
    await sendOk('PUT', path, { is_pinned: null, note: 'Even.' })
    assert.deepEqual(await marks(), [true, 'Even.'])
    await sendOk('PUT', path, { is_pinned: false })
    assert.deepEqual(await marks(), [false, 'Even.'])
    assert.deepEqual(ids(await readJson(`${scenariosPath(id)}?note=is.present`)), ['a'])
    assert.deepEqual(ids(await readJson(`${scenariosPath(id)}?q=even`)), ['a'])
    await checkClean()
  })

  test('keeps the results of human evaluators with their details, after those of the record', async () => {
    const id = await createEvaluation(
      [
        {
          id: 'a',
          results: [result('model', 1), result('review', 2), result('tone', 3)],
          extra: {
            first: 1,
            results: [{ reason: 'm' }, { reason: 'r', by: 'Ana' }, { reason: 't' }],
            last: 2,
          },
        },
      ],
      { evaluators: HUMAN },
    )
    const path = scenarioPath(id, 'a')
    const read = async () => {
      const { results, extra } = await readJson(`${path}?include=extra`)
      return [
        results.map((scored: { evaluator_config: string; result: { value: unknown } }) => [
          scored.evaluator_config,
          scored.result.value,
        ]),
        extra,
      ]
    }
    await sendOk('PUT', path, { results: [result('other', 5), result('model', 4)] })
    assert.deepEqual(await read(), [
      [
        ['other', 5],
        ['model', 4],
        ['review', 2],
        ['tone', 3],
      ],
      { results: [{}, {}, { reason: 'r', by: 'Ana' }, { reason: 't' }] },
    ])
    await sendOk('PUT', path, {
      results: [result('tone', 0)],
      extra: { results: [{ reason: 'new' }], more: true },
    })
    assert.deepEqual(await read(), [
      [
        ['tone', 0],
        ['review', 2],
      ],
      { results: [{ reason: 'new' }, { reason: 'r', by: 'Ana' }], more: true },
    ])
    const before = await dump()
    await sendOk('PUT', path, {
      results: [result('tone', 0)],
      extra: { results: [{ reason: 'new' }], more: true },
    })
    assert.equal(await dump(), before)
    await checkClean()
  })

  test('returns 422 if the details of kept results cannot be added to extra.results', async () => {
    const id = await createEvaluation([{ id: 'a', results: [result('review', 2)] }], { evaluators: HUMAN })
    const path = scenarioPath(id, 'a')
    const before = await dump()
    for (const results of ['text', {}, 1, [{}, {}]]) {
      const response = await send('PUT', path, { results: [result('model', 1)], extra: { results } })
      const { errors } = checkProblem(response, 422, 'invalid-content') as unknown as {
        errors: { pointer: string }[]
      }
      assert.equal(errors[0]?.pointer, '/extra/results')
    }
    assert.equal(await dump(), before)
    // A record with its own result of the evaluator can have any extra data.
    await sendOk('PUT', path, { results: [result('review', 1)], extra: { results: 'text' } })
    assert.deepEqual((await readJson(`${path}?include=extra`)).extra, { results: 'text' })
    // These details are not a list, so the result is kept without details.
    await sendOk('PUT', path, { results: [result('model', 1)], extra: { results: [] } })
    const { results, extra } = await readJson(`${path}?include=extra`)
    assert.deepEqual([results.length, extra], [2, { results: [] }])
  })

  test('changes nothing if the content is the same, and can restore the first content', async () => {
    const first = { results: [result('x', 1)], extra: { a: 1 } }
    const id = await createEvaluation([{ id: 'a', ...first }])
    const path = scenarioPath(id, 'a')
    const text = await readText(`${path}?include=extra`)
    const before = await dump()
    const { headers } = await sendOk('PUT', path, { id: 'a', evaluation_id: id, ...first })
    assert.equal(await dump(), before)
    assert.equal(headers.etag, (await sendOk('GET', path)).headers.etag)
    const { etag } = (await sendOk('GET', scenariosPath(id))).headers
    await sendOk('PUT', path, {})
    assert.notEqual((await sendOk('GET', scenariosPath(id))).headers.etag, etag)
    await sendOk('PUT', path, first)
    assert.equal(await readText(`${path}?include=extra`), text)
    await checkClean()
  })

  test('rejects other ids, unknown scenarios and invalid records', async () => {
    const id = await createEvaluation([{ id: 'a' }])
    const path = scenarioPath(id, 'a')
    const before = await dump()
    const cases: [object, string][] = [
      [{ id: 'b' }, '/id'],
      [{ evaluation_id: 'other' }, '/evaluation_id'],
      [{ note: 1 }, '/note'],
      [{ unknown: 1 }, '/unknown'],
    ]
    for (const [body, pointer] of cases) {
      const problem = checkProblem(await send('PUT', path, body), 422, 'invalid-content')
      const { errors } = problem as unknown as { errors: { pointer: string }[] }
      assert.deepEqual(
        errors.map((error) => error.pointer),
        [pointer],
      )
    }
    checkProblem(await send('PUT', path, '[{}]'), 422, 'invalid-content')
    checkProblem(await send('PUT', path, '{'), 400, 'invalid-json')
    checkProblem(await send('PUT', scenarioPath(id, 'b'), {}), 404, 'scenario-not-found')
    checkProblem(await send('PUT', scenarioPath('nowhere', 'a'), {}), 404, 'evaluation-not-found')
    assert.equal(await dump(), before)
  })

  test('repeats the response of a request with the same Idempotency-Key', async () => {
    const id = await createEvaluation([{ id: 'a' }])
    const path = scenarioPath(id, 'a')
    const headers = { 'idempotency-key': 'put-once' }
    const first = await sendOk('PUT', path, { note: 'One.' }, headers)
    await sendOk('PUT', path, { note: 'Two.' })
    const repeated = await sendOk('PUT', path, { note: 'One.' }, headers)
    assert.deepEqual([repeated.text, repeated.headers.etag], [first.text, first.headers.etag])
    assert.equal((await readJson(path)).note, 'Two.')
    checkProblem(await send('PUT', path, { note: 'Three.' }, headers), 422, 'invalid-content')
  })
})

describe('DELETE of a scenario', () => {
  test('removes the row from every read, and its columns if no other row has them', async () => {
    const id = await createEvaluation([
      { id: 'a', inputs: [{ name: 'q', type: 'text', value: 'first' }], results: [result('x', 1)] },
      {
        inputs: [{ name: 'only', type: 'text', value: 'second' }],
        correct_answers: [{ key: 'only', value: 'y' }],
        results: [result('x', 2), result('only', 2)],
      },
      { id: 'c', results: [result('x', 3)] },
    ])
    const generatedId = (await readJson(scenariosPath(id)))[1].id as string
    const response = await sendOk('DELETE', scenarioPath(id, generatedId))
    assert.deepEqual([response.status, response.text], [204, ''])
    checkProblem(await send('GET', scenarioPath(id, generatedId)), 404, 'scenario-not-found')
    checkProblem(await send('DELETE', scenarioPath(id, generatedId)), 404, 'scenario-not-found')
    assert.deepEqual(ids(await readJson(scenariosPath(id))), ['a', 'c'])
    assert.deepEqual(ids(await readJson(`${scenariosPath(id)}?order=result.x.desc`)), ['c', 'a'])
    assert.equal((await readJson(`${EVALUATIONS}/${id}`)).scenario_count, 2)
    const summary = await readJson(`${EVALUATIONS}/${id}/summary`)
    assert.deepEqual(summary.columns, { inputs: ['q'], expected: [], evaluators: ['x'] })
    assert.match(await readText(`${scenariosPath(id)}?format=csv`), /^id,input\.q,output,score\.x,/)
    checkProblem(await send('GET', `${scenariosPath(id)}?order=result.only.asc`), 400, 'invalid-request')
    await checkClean()
  })

  test('frees the id but not the position, and new rows come last', async () => {
    const id = await createEvaluation([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    const { etag } = (await sendOk('GET', scenariosPath(id))).headers
    const position = async () => (await readJson(`${EVALUATIONS}/${id}/rows`)).rows.at(-1).position as number
    const last = await position()
    await sendOk('DELETE', scenarioPath(id, 'c'))
    await sendOk('DELETE', scenarioPath(id, 'a'), undefined, {
      'if-match': String((await sendOk('GET', scenarioPath(id, 'a'))).headers.etag),
    })
    const stale = { 'if-match': String(etag) }
    checkProblem(await send('DELETE', scenarioPath(id, 'b'), undefined, stale), 412, 'precondition-failed')
    await sendOk('POST', scenariosPath(id), [{ id: 'a', note: 'again' }])
    assert.deepEqual(ids(await readJson(scenariosPath(id))), ['b', 'a'])
    assert.ok((await position()) > last)
    for (const scenario of ['a', 'b']) await sendOk('DELETE', scenarioPath(id, scenario))
    assert.equal(await readText(scenariosPath(id)), '[]')
    await sendOk('POST', scenariosPath(id), [{ id: 'b' }])
    assert.ok((await position()) > last + 1)
    await checkClean()
  })

  test('score differences stay right after an evaluator disappears', async () => {
    const rows = [
      { id: 'a', results: [result('old', 9)] },
      { id: 'b', results: [result('x', 2), result('y', 3)] },
    ]
    const [base, candidate] = [await createEvaluation(rows), await createEvaluation(rows)]
    await sendOk('PUT', scenarioPath(candidate, 'b'), { results: [result('x', 4), result('y', 9)] })
    for (const evaluation of [base, candidate]) await sendOk('DELETE', scenarioPath(evaluation, 'a'))
    const path = `${EVALUATIONS}/${candidate}`
    const { rows: paired } = await readJson(`${path}/rows?base=${base}&delta.x=gt.0&order=delta.y.desc`)
    assert.deepEqual(
      paired[0].base.deltas.map(({ evaluator, delta }: { evaluator: string; delta: number }) => [
        evaluator,
        delta,
      ]),
      [
        ['x', 2],
        ['y', 6],
      ],
    )
    const { evaluators } = await readJson(`${path}/summary?base=${base}`)
    assert.deepEqual(
      evaluators.map(({ name, mean }: { name: string; mean: number }) => [name, mean]),
      [
        ['x', 4],
        ['y', 9],
      ],
    )
    const [{ scores }] = await readJson(`${EVALUATIONS}?include=scores&q=${candidate}`)
    assert.deepEqual(
      scores.evaluators.map(({ name }: { name: string }) => name),
      ['x', 'y'],
    )
  })

  test('removes the row from comparisons', async () => {
    const rows = ['a', 'b', 'c'].map((id, index) => ({ id, results: [result('x', index)] }))
    const [base, candidate] = [await createEvaluation(rows), await createEvaluation(rows)]
    const comparison = `/api/comparisons?evaluation=${base}&evaluation=${candidate}`
    const pairCount = async () => (await readJson(comparison)).candidates[0].evaluators[0].n
    assert.equal(await pairCount(), 3)
    await sendOk('DELETE', scenarioPath(candidate, 'b'))
    assert.equal(await pairCount(), 2)
    const { rows: pairs } = await readJson(
      `/api/comparisons/rows?evaluation=${base}&evaluation=${candidate}&by=id`,
    )
    const paired = pairs.map(
      (pair: { base: { id: string } | null; candidates: { row: object | null }[] }) => [
        pair.base?.id,
        pair.candidates[0]?.row !== null,
      ],
    )
    assert.deepEqual(paired, [
      ['a', true],
      ['b', false],
      ['c', true],
    ])
    const { rows: deltaRows } = await readJson(
      `${EVALUATIONS}/${candidate}/rows?base=${base}&order=delta.x.asc`,
    )
    assert.deepEqual(ids(deltaRows), ['a', 'c'])
  })
})
