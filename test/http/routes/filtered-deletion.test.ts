// Tests deleting the scenarios that match filters: which rows are deleted, what remains, and requests that delete nothing.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sizes } from '../../sizes.ts'
import {
  areValid,
  DECLARED,
  filterCases,
  SCENARIO_WITH_ALL_NAMES,
  toQuery,
} from '../../support/brute-force-filters.ts'
import { createTestKey } from '../../support/harness.ts'
import { checkProblem } from '../../support/http.ts'
import { scenariosOf, storeEvaluation } from '../../support/stored-evaluations.ts'
import { EVALUATIONS, resultsPath, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { store, dump, send, sendOk, readJson, createEvaluation, checkClean } = await startWriteService()
const keyOf = async (...scopes: ('read' | 'write')[]) => (await createTestKey(store, { scopes })).key

const idsOf = (scenarios: { id: string }[]) => scenarios.map(({ id }) => id)
const readIds = async (id: string): Promise<string[]> => idsOf(await readJson(scenariosPath(id)))

async function deleteRows(id: string, query: string, headers = {}): Promise<number> {
  const { status, text } = await sendOk('DELETE', `${scenariosPath(id)}?${query}`, undefined, headers)
  assert.equal(status, 200)
  return JSON.parse(text).deleted
}

const result = (evaluator_config: string, value: number | boolean) => ({
  evaluator_config,
  result: { type: 'x', value },
})

test('deletes the rows that the same filters select in a read, and no others', async () => {
  const runs = Math.ceil(sizes.generated_evaluations / 2)
  const filters = fc.array(filterCases, { minLength: 1, maxLength: 3 }).filter(areValid)
  const property = fc.asyncProperty(scenariosOf(), filters, async (generated, filters) => {
    const scenarios = [...generated, SCENARIO_WITH_ALL_NAMES]
    const id = await storeEvaluation(store, scenarios, DECLARED)
    const texts = new Map<string, string>()
    for (const line of (await sendOk('GET', `${scenariosPath(id)}?include=extra&format=ndjson`)).text
      .trim()
      .split('\n'))
      texts.set(JSON.parse(line).id, line)
    const query = new URLSearchParams(
      Object.entries(toQuery(filters)).flatMap(([name, value]) =>
        [value].flat().map((text): [string, string] => [name, String(text)]),
      ),
    )
    const selected = new Set(idsOf(await readJson(`${scenariosPath(id)}?${query}`)))
    const expected = scenarios.filter((one) => filters.every(({ matches }) => matches(one)))
    assert.deepEqual([...selected], idsOf(expected))
    assert.equal(await deleteRows(id, String(query)), selected.size)
    const remaining = [...texts].filter(([scenario]) => !selected.has(scenario)).map(([, text]) => text)
    const { text } = await sendOk('GET', `${scenariosPath(id)}?include=extra`)
    assert.equal(text, `[${remaining.join()}]`)
    assert.equal((await readJson(`${EVALUATIONS}/${id}`)).scenario_count, remaining.length)
  })
  await fc.assert(property, { numRuns: runs })
  await checkClean()
})

describe('the rows that remain', () => {
  test('are counted in summaries and scores, and columns without a row are deleted', async () => {
    const id = await createEvaluation([
      { id: 'a', inputs: [{ name: 'q', type: 'text', value: 'x' }], results: [result('score', 1)] },
      {
        id: 'b',
        is_pinned: true,
        results: [result('score', 3), result('only', 1)],
        extra: { repetition: 2 },
      },
      { id: 'c', inputs: [{ name: 'other', type: 'text', value: 'x' }], results: [result('score', 5)] },
    ])
    const { etag = '' } = (await sendOk('GET', scenariosPath(id))).headers
    const response = await sendOk('DELETE', `${scenariosPath(id)}?result.score=gte.3`)
    assert.equal(response.text, '{"deleted":2}')
    const list = await send('GET', scenariosPath(id), undefined, { 'if-none-match': etag })
    assert.deepEqual([list.status, idsOf(JSON.parse(list.text))], [200, ['a']])
    const evaluation = await sendOk('GET', `${EVALUATIONS}/${id}`)
    assert.equal(response.headers.etag, evaluation.headers.etag)
    const { columns, evaluators } = await readJson(`${EVALUATIONS}/${id}/summary`)
    assert.deepEqual(columns, { inputs: ['q'], expected: [], evaluators: ['score'] })
    assert.deepEqual([evaluators[0].n, evaluators[0].mean], [1, 1])
    const [{ scores }] = await readJson(`${EVALUATIONS}?include=scores&q=${id}`)
    assert.deepEqual([scores.evaluators.length, scores.evaluators[0].mean], [1, 1])
    const { action, evaluation_id, scenario_id, counts, version } = (await readJson('/api/changes')).at(-1)
    assert.deepEqual(
      [action, evaluation_id, scenario_id, counts],
      ['scenario.deleted', id, null, { scenarios: 2 }],
    )
    assert.ok(String(evaluation.headers.etag).includes(version))
  })

  test('are found by search, and their cursors stay valid after all rows are deleted and others are added', async () => {
    const rows = ['a', 'b', 'c'].map((id) => ({
      id,
      outputs: [{ result: { type: 'text', value: `Say ${id}` } }],
    }))
    const id = await createEvaluation(rows)
    const { link } = (await sendOk('GET', `${scenariosPath(id)}?limit=2`)).headers
    const next = /<(.*?)>/.exec(String(link))?.[1] ?? ''
    assert.equal(await deleteRows(id, 'q=say+b'), 1)
    assert.deepEqual(idsOf(await readJson(`${scenariosPath(id)}?q=say`)), ['a', 'c'])
    assert.equal(await deleteRows(id, 'q=say'), 2)
    assert.deepEqual(await readIds(id), [])
    const { columns, rows: count } = await readJson(`${EVALUATIONS}/${id}/summary`)
    assert.deepEqual([columns.inputs, count], [[], 0])
    await sendOk('POST', scenariosPath(id), rows)
    assert.deepEqual(idsOf(JSON.parse((await sendOk('GET', next)).text)), ['a', 'b'])
    await checkClean()
  })

  test('keep the members of the evaluation after all rows are deleted', async () => {
    const id = await createEvaluation([{ id: 'a', is_pinned: true }])
    await sendOk('PATCH', `${EVALUATIONS}/${id}`, { name: 'n', tags: ['t'], metadata: { a: 1.5 } })
    const { updated_at: _, scenario_count: __, ...before } = await readJson(`${EVALUATIONS}/${id}`)
    assert.equal(await deleteRows(id, 'is_pinned=is.true'), 1)
    const { updated_at, scenario_count, ...afterwards } = await readJson(`${EVALUATIONS}/${id}`)
    assert.deepEqual([afterwards, scenario_count], [before, 0])
  })

  test('are correct when many rows are deleted, with large texts among them', async () => {
    const large = 'x'.repeat(600_000)
    const rows = Array.from({ length: 3000 }, (_, index) => ({
      id: `s-${index}`,
      inputs: [{ name: 'q', type: 'text', value: String(index) }],
      outputs: [
        {
          result: { type: 'text', value: index % 1000 < 3 ? large : 'short' },
          latency: index / 7,
          cost: 0.1,
        },
      ],
      correct_answers: [{ key: index < 10 ? 'few' : 'most', value: 'y' }],
      results: [result('score', index), ...(index % 3 === 0 ? [result('third', index % 2 === 0)] : [])],
    }))
    const id = await createEvaluation(rows)
    assert.equal(await deleteRows(id, 'result.score=gte.10&result.score=ne.2999'), 2989)
    assert.deepEqual(
      await readIds(id),
      [...rows.slice(0, 10), rows[2999]].map((row) => row?.id),
    )
    const { columns, evaluators } = await readJson(`${EVALUATIONS}/${id}/summary`)
    assert.deepEqual(columns.expected, ['few', 'most'])
    assert.deepEqual(
      evaluators.map(({ name, n }: { name: string; n: number }) => [name, n]),
      [
        ['score', 11],
        ['third', 4],
      ],
    )
    await checkClean()
  })

  test('are compared with a baseline if the request names one', async () => {
    const base = await createEvaluation(['a', 'b', 'c'].map((id) => ({ id, results: [result('score', 2)] })))
    const id = await createEvaluation(
      ['a', 'b', 'c'].map((id, index) => ({ id, results: [result('score', index + 1)] })),
    )
    assert.equal(await deleteRows(id, `delta.score=lt.0&base=${base}`), 1)
    assert.deepEqual(await readIds(id), ['b', 'c'])
    assert.equal((await readIds(base)).length, 3)
    checkProblem(
      await send('DELETE', `${scenariosPath(id)}?delta.score=lt.0&base=none`),
      404,
      'evaluation-not-found',
    )
  })
})

describe('a request that deletes nothing', () => {
  test('returns 0 if no row matches, and changes no version', async () => {
    const id = await createEvaluation([{ id: 'a' }])
    const { etag } = (await sendOk('GET', `${EVALUATIONS}/${id}`)).headers
    const before = await dump()
    const response = await sendOk('DELETE', `${scenariosPath(id)}?is_pinned=is.true`)
    assert.deepEqual([response.text, response.headers.etag], ['{"deleted":0}', etag])
    assert.equal(await dump(), before)
  })

  test('returns 400 without a filter, and for parameters that are no filters or invalid', async () => {
    const id = await createEvaluation([{ id: 'a', results: [result('score', 1)] }])
    const base = await createEvaluation([{ id: 'a' }])
    const before = await dump()
    for (const [query, detail] of [
      ['', /at least one filter/],
      ['?', /at least one filter/],
      ['?q=', /at least one filter/],
      ['?_ignored=1', /at least one filter/],
      [`?base=${base}`, /at least one filter/],
      ['?order=latency.asc', /Unknown query parameter 'order'/],
      ['?is_pinned=is.false&limit=1', /Unknown query parameter 'limit'/],
      ['?is_pinned=is.false&include=extra', /'include'/],
      ['?is_pinned=is.false&cursor=x', /'cursor'/],
      ['?is_pinned=is.false&format=csv', /'format'/],
      ['?pinned=is.true', /'pinned'/],
      ['?id=eq.a', /'id'/],
      ['?is_pinned=true', /is_pinned/],
      ['?is_pinned=', /is_pinned/],
      ['?result.other=gt.0', /no evaluator 'other'/],
      ['?delta.score=gt.0', /needs 'base'/],
    ] as const) {
      const response = await send('DELETE', `${scenariosPath(id)}${query}`)
      const problem = checkProblem(response, 400, 'invalid-request')
      assert.match(String(problem.detail), detail, query)
    }
    for (const path of [`${scenariosPath(id)}/`, `${scenariosPath(id)}/?`])
      checkProblem(await send('DELETE', path), 400, 'invalid-request')
    assert.equal(await dump(), before)
  })

  test('returns 403 for a key that lacks read or write, whether rows match or not', async () => {
    const id = await createEvaluation([{ id: 'a', note: 'secret' }])
    const keys = [await keyOf('write'), await keyOf('read')]
    const before = await dump()
    for (const authorization of keys) {
      const details = new Set<unknown>()
      for (const query of ['q=secret', 'q=other', 'result.none=gt.0']) {
        const response = await send('DELETE', `${scenariosPath(id)}?${query}`, undefined, { authorization })
        details.add(checkProblem(response, 403, 'access-denied').detail)
      }
      assert.equal(details.size, 1)
    }
    assert.equal(await dump(), before)
  })

  test('returns 404 for an evaluation that does not exist', async () => {
    const response = await send('DELETE', `${scenariosPath('nowhere')}?q=x`)
    checkProblem(response, 404, 'evaluation-not-found')
  })
})

describe('a conditional, repeated or concurrent request', () => {
  test('returns 412 if the evaluation has changed since', async () => {
    const id = await createEvaluation([{ id: 'a' }, { id: 'b' }])
    const etag = String((await sendOk('GET', scenariosPath(id))).headers.etag)
    await sendOk('PATCH', `${scenariosPath(id)}/a`, { is_pinned: true })
    const path = `${scenariosPath(id)}?is_pinned=is.true`
    const response = await send('DELETE', path, undefined, { 'if-match': etag })
    checkProblem(response, 412, 'precondition-failed')
    assert.deepEqual(await readIds(id), ['a', 'b'])
    assert.equal(await deleteRows(id, 'is_pinned=is.true', { 'if-match': '*' }), 1)
  })

  test('returns the first response again, also if the evaluator of the filter has no results any more', async () => {
    const id = await createEvaluation([{ id: 'a', results: [result('score', 1)] }, { id: 'b' }])
    const headers = { 'idempotency-key': 'k' }
    assert.equal(await deleteRows(id, 'result.score=eq.1', headers), 1)
    await sendOk('POST', resultsPath(id), [{ scenario_id: 'b', ...result('new', 1) }])
    assert.equal(await deleteRows(id, 'result.score=eq.1', headers), 1)
    const other = await send('DELETE', `${scenariosPath(id)}?result.new=eq.1`, undefined, headers)
    checkProblem(other, 422, 'invalid-content')
    assert.deepEqual(await readIds(id), ['b'])
  })

  test('deletes each row once while rows are added', async () => {
    const id = await createEvaluation([{ id: 'kept' }])
    const rounds = Array.from({ length: 24 }, (_, index) => index)
    const counts = await Promise.all(
      rounds.flatMap((round) => [
        sendOk('POST', scenariosPath(id), [{ id: `a-${round}`, is_pinned: true }, { id: `b-${round}` }]).then(
          () => 0,
        ),
        ...(round % 4 === 0 ? [deleteRows(id, 'is_pinned=is.true')] : []),
      ]),
    )
    counts.push(await deleteRows(id, 'is_pinned=is.true'))
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      rounds.length,
    )
    assert.deepEqual((await readIds(id)).sort(), ['kept', ...rounds.map((round) => `b-${round}`)].sort())
    await checkClean()
  })
})
