// Filters, order, search and row windows of one evaluation, checked against an in-memory model.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sizes } from '../../sizes.ts'
import {
  areValid,
  comparisonOperator,
  DECLARED,
  filterCases,
  orders,
  SCENARIO_WITH_ALL_NAMES,
  satisfies,
  sorted,
  toQuery,
} from '../../support/brute-force-filters.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, checkProblem, sendRequest } from '../../support/http.ts'
import {
  type GeneratedScenario,
  resultOf,
  scenariosOf,
  scoreOf,
  storeEvaluation,
} from '../../support/stored-evaluations.ts'

const RUNS = sizes.generated_evaluations

const store = await createTestStore()
const { baseUrl } = await startTestService(store)
const { key } = await createTestKey(store)
const { key: writer } = await createTestKey(store, { scopes: ['write'] })

async function read(path: string): Promise<{ text: string; headers: Record<string, unknown> }> {
  const response = await sendRequest(baseUrl, path, { authorization: key })
  assert.equal(response.status, 200, `${path}: ${response.text}`)
  checkDocumented(path, response)
  return response
}

type Query = Record<string, string | string[]>

function createPath(id: string, what: 'evaluation_scenarios' | 'rows', query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((text) => [name, text]))
  const search = new URLSearchParams(pairs).toString()
  return `/api/evaluations/${id}/${what}${search && '?'}${search}`
}

async function readIds(id: string, query: Query): Promise<string[]> {
  const { text } = await read(createPath(id, 'evaluation_scenarios', query))
  return (JSON.parse(text) as { id: string }[]).map((scenario) => scenario.id)
}

test('filters, orders and locates rows like the in-memory model', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenariosOf(),
      fc.array(filterCases, { maxLength: 4 }).filter(areValid),
      orders,
      fc.nat(),
      async (generated, filters, order, pick) => {
        const scenarios = [...generated, SCENARIO_WITH_ALL_NAMES]
        const id = await storeEvaluation(store, scenarios, DECLARED)
        const query = toQuery(filters)
        const matching = scenarios.filter((one) => filters.every(({ matches }) => matches(one)))
        const ids = (list: GeneratedScenario[]) => list.map((one) => one.id)
        assert.deepEqual(await readIds(id, query), ids(matching))
        const inOrder = ids(sorted(matching, order))
        assert.deepEqual(await readIds(id, { ...query, order }), inOrder)
        const { text } = await read(createPath(id, 'rows', { ...query, order, offset: '2', limit: '3' }))
        const { total, offset, rows } = JSON.parse(text)
        assert.deepEqual([total, offset], [matching.length, 2])
        assert.deepEqual(ids(rows), inOrder.slice(2, 5))
        const all = ids(sorted(scenarios, order))
        const locate = all[pick % all.length] as string
        const isIncluded = inOrder.includes(locate)
        const before = inOrder.filter((one) => all.indexOf(one) < all.indexOf(locate)).length
        const found = JSON.parse(
          (await read(createPath(id, 'rows', { ...query, order, locate, limit: '4' }))).text,
        )
        assert.deepEqual([found.before, found.located], [before, isIncluded ? before : null])
        const nearest = inOrder[before] ?? inOrder.at(-1)
        assert.ok(nearest === undefined || ids(found.rows).includes(nearest))
        assert.deepEqual(ids(found.rows), inOrder.slice(found.offset, found.offset + 4))
      },
    ),
    { numRuns: RUNS },
  )
})

test('returns every row once and in order over all pages while rows are added', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenariosOf(),
      fc.option(orders),
      fc.integer({ min: 1, max: 7 }),
      async (generated, order, limit) => {
        const id = await storeEvaluation(store, [...generated, SCENARIO_WITH_ALL_NAMES], DECLARED)
        const query = { 'result.exact': 'ne.7', ...(order && { order }) }
        const allIds = await readIds(id, query)
        const paged: string[] = []
        for (
          let path: string | undefined = createPath(id, 'evaluation_scenarios', {
            ...query,
            limit: String(limit),
          });
          path;
        ) {
          const { text, headers } = await read(path)
          paged.push(...(JSON.parse(text) as { id: string }[]).map((one) => one.id))
          path = /^<([^>]*)>/.exec(String(headers.link ?? ''))?.[1]
          const more = [
            {
              inputs: [],
              results: [{ evaluator_config: 'exact', result: { type: 'number', value: paged.length } }],
            },
          ]
          const { status } = await sendRequest(
            baseUrl,
            createPath(id, 'evaluation_scenarios', {}),
            { authorization: writer, 'content-type': 'application/json' },
            'POST',
            JSON.stringify(more),
          )
          assert.equal(status, 201)
        }
        assert.deepEqual(paged, allIds)
      },
    ),
    { numRuns: Math.ceil(RUNS / 2) },
  )
})

test('computes deltas between rows with the same id regardless of their positions', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenariosOf(),
      scenariosOf(),
      comparisonOperator,
      fc.constantFrom('exact', 'score'),
      async (first, second, operator, evaluator) => {
        const count = Math.min(first.length, second.length)
        const scenarios = [...first.slice(0, count), SCENARIO_WITH_ALL_NAMES]
        const baseline = [SCENARIO_WITH_ALL_NAMES, ...second.slice(0, count).reverse()]
        const [id, baseId] = [await storeEvaluation(store, scenarios), await storeEvaluation(store, baseline)]
        const deltaOf = (one: GeneratedScenario) => {
          const other = baseline.find((row) => row.id === one.id) as GeneratedScenario
          const [result, otherResult] = [resultOf(one, evaluator), resultOf(other, evaluator)]
          const [score, baseScore] = [scoreOf(one, evaluator), scoreOf(other, evaluator)]
          const isSameKind = typeof result?.value === typeof otherResult?.value
          if (score === undefined || baseScore === undefined || !isSameKind) return undefined
          return score - baseScore
        }
        const matching = scenarios.filter((one) => satisfies(deltaOf(one), operator, 0))
        const filter = { base: baseId, [`delta.${evaluator}`]: `${operator}.0` }
        assert.deepEqual(
          await readIds(id, filter),
          matching.map((one) => one.id),
        )
        const order = `delta.${evaluator}.desc`
        const { rows, base } = JSON.parse((await read(createPath(id, 'rows', { base: baseId, order }))).text)
        assert.deepEqual([base.by, base.matched, base.match_rate], ['id', scenarios.length, 1])
        const byId = new Map(scenarios.map((one) => [one.id, deltaOf(one) ?? null]))
        const deltas = rows.map(
          ({ base }: { base: { deltas: { evaluator: string; delta: number | null }[] } }) =>
            base.deltas.find((one) => one.evaluator === evaluator)?.delta,
        )
        assert.deepEqual(
          deltas,
          rows.map((row: { id: string }) => byId.get(row.id)),
        )
        const scored = deltas.filter((delta: number | null) => delta !== null)
        assert.deepEqual(
          deltas.slice(0, scored.length),
          scored.toSorted((a: number, b: number) => b - a),
        )
      },
    ),
    { numRuns: RUNS },
  )
})

describe('an evaluation with three rows', async () => {
  const long = `${'é'.repeat(30)}💡${'x'.repeat(5000)}`
  const rows: GeneratedScenario[] = [
    {
      ...SCENARIO_WITH_ALL_NAMES,
      id: 'a',
      note: long,
      inputs: [{ name: 'q', type: 'json', value: { deep: [1, 2, 3] } }],
    },
    { ...SCENARIO_WITH_ALL_NAMES, id: 'b', is_pinned: true },
    {
      ...SCENARIO_WITH_ALL_NAMES,
      id: 'c',
      outputs: [{ result: { type: 'error', value: null, error: { message: 'no', stacktrace: long } } }],
    },
  ]
  const id = await storeEvaluation(store, rows)

  test('truncates long values and lists their paths', async () => {
    const { text } = await read(createPath(id, 'rows', { preview: '31' }))
    const [a, b, c] = (JSON.parse(text) as { rows: Record<string, unknown>[] }).rows
    assert.equal(a?.note, `${'é'.repeat(30)}💡`)
    assert.deepEqual(a?.cut, ['/note'])
    assert.deepEqual([b?.cut, b?.position, b?.is_pinned], [[], 1, true])
    assert.deepEqual(c?.cut, ['/outputs/0/result/error/stacktrace'])
    const short = JSON.parse((await read(createPath(id, 'rows', { preview: '9' }))).text)
    assert.equal(short.rows[0].inputs[0].value, '{"deep":[')
  })

  test('returns no rows past the end and locates rows that are filtered out', async () => {
    assert.equal(
      (await read(createPath(id, 'rows', { offset: '9' }))).text,
      '{"total":3,"offset":9,"rows":[]}',
    )
    const { text } = await read(createPath(id, 'rows', { locate: 'a', is_pinned: 'is.true' }))
    const { total, offset, before, located, rows } = JSON.parse(text)
    assert.deepEqual([total, offset, before, located, rows.length], [1, 0, 0, null, 1])
    const window = JSON.parse(
      (await read(createPath(id, 'rows', { locate: 'c', error: 'is.false', limit: '1' }))).text,
    )
    assert.deepEqual([window.total, window.before, window.located, window.offset], [2, 2, null, 1])
    const emptyWindow = JSON.parse((await read(createPath(id, 'rows', { locate: 'c', q: 'nowhere' }))).text)
    assert.deepEqual(
      [emptyWindow.total, emptyWindow.before, emptyWindow.offset, emptyWindow.rows],
      [0, 0, 0, []],
    )
  })

  test('returns one complete scenario, with its extra on request', async () => {
    const path = `${createPath(id, 'evaluation_scenarios', {})}/a`
    const [scenario] = JSON.parse((await read(createPath(id, 'evaluation_scenarios', {}))).text)
    const response = await read(path)
    assert.deepEqual(JSON.parse(response.text), scenario)
    assert.deepEqual(JSON.parse((await read(`${path}?include=extra`)).text).extra, { sample: 'a' })
    const conditionalResponse = await sendRequest(baseUrl, path, {
      authorization: key,
      'if-none-match': String(response.headers.etag),
    })
    assert.equal(conditionalResponse.status, 304)
    const missing = await sendRequest(baseUrl, `${path}bc`, { authorization: key })
    checkProblem(missing, 404, 'scenario-not-found')
  })

  test('applies filters and order to NDJSON and CSV exports', async () => {
    const { text } = await read(createPath(id, 'evaluation_scenarios', { error: 'is.true', format: 'csv' }))
    assert.match(text, /^id,.*\r\nc,.*\r\n$/)
    const lines = await read(
      createPath(id, 'evaluation_scenarios', { order: 'position.desc', format: 'ndjson' }),
    )
    assert.deepEqual(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
      ['c', 'b', 'a'],
    )
  })

  const cases: [name: string, query: Query, detail: RegExp][] = [
    ['an unknown evaluator', { 'result.nope': 'is.true' }, /no evaluator 'nope'.*'exact', 'score'/],
    ['an unknown input', { 'input.nope': 'eq.1' }, /no input 'nope'.*'q', 'n'/],
    ['an unknown evaluator to sort by', { order: 'result.nope.asc' }, /no evaluator 'nope'/],
    [
      'an unknown word after is',
      { 'result.exact': 'is.maybe' },
      /is\.false, is\.true, is\.null, is\.error, eq\.x/,
    ],
    ['an unknown evaluator in an error filter', { 'error.nope': 'eq.x' }, /no evaluator 'nope'/],
    [
      'is.true for an error group',
      { 'error.exact': 'is.true' },
      /Use 'error\.exact=eq\.true'\. Allowed: eq\.x, in\.\(x,y\)/,
    ],
    ['a value without an operator', { latency: '2' }, /Use 'latency=eq\.2'\. Allowed: eq\.x, ne\.x, lt\.x/],
    [
      'an unknown operator',
      { 'input.q': 'like.a b*' },
      /Use 'input\.q=eq\.a%20b\*' or 'input\.q=eq\.like\.a%20b\*'\./,
    ],
    ['a keyword without is', { is_pinned: 'true' }, /Use 'is_pinned=is\.true'\./],
    ['a list without parentheses', { latency: 'in.1, 2' }, /Use 'latency=in\.\(1,2\)'\./],
    ['a list with an invalid member', { latency: 'in.(1,fast)' }, /Use 'latency=in\.\(1\.5\)'\./],
    ['a list of 101 members', { cost: `in.(${Array(101).fill(1)})` }, /at most 100 members/],
    ['33 filters', { cost: Array(33).fill('gt.1') }, /At most 32 filters/],
    [
      'one evaluator that disagrees',
      { disagree: 'a b' },
      /exactly twice, .*: 'disagree=a%20b&disagree=b'\.$/,
    ],
    ['the same evaluator twice', { disagree: ['exact', 'exact'] }, /: 'disagree=exact&disagree=b'\.$/],
    ['an evaluator that disagrees with itself', { disagree: ['b', 'b'] }, /: 'disagree=b&disagree=a'\.$/],
    ['three evaluators that disagree', { disagree: ['x', 'y', 'z'] }, /: 'disagree=x&disagree=y'\.$/],
    [
      'an unknown evaluator that disagrees',
      { disagree: ['exact', 'nope'] },
      /no evaluator 'nope'.*'exact', 'score'/,
    ],
    ['a repeated search', { q: ['a', 'b'] }, /'q' can be sent only once/],
    ['a repeated order', { order: ['cost.asc', 'cost.desc'] }, /'order' can be sent only once/],
    ['an operand that is not a number', { latency: 'gt.fast' }, /where x is a number\./],
    ['a number outside the range of a double', { cost: 'gt.1e400' }, /where x is a number\./],
    ['an order without a direction', { order: 'latency' }, /latency\.asc/],
    ['an order without an evaluator', { order: 'result.asc' }, /result\.<evaluator>\.asc/],
    ['a delta without a baseline', { 'delta.exact': 'lt.0' }, /needs 'base'/],
    ['an unknown parameter', { results: 'x' }, /result\.<evaluator>/],
    ['a name on a field that takes none', { 'latency.x': 'gt.1' }, /Unknown query parameter/],
  ]
  for (const [name, query, detail] of cases) {
    test(`rejects ${name} and lists the valid choices`, async () => {
      for (const what of ['rows', 'evaluation_scenarios'] as const) {
        const response = await sendRequest(baseUrl, createPath(id, what, query), { authorization: key })
        checkProblem(response, 400, 'invalid-request')
        assert.match(JSON.parse(response.text).detail, detail)
      }
    })
  }

  test('rejects a cursor from other filters or another order', async () => {
    const { headers } = await read(
      createPath(id, 'evaluation_scenarios', { order: 'position.desc', limit: '1' }),
    )
    const [, next = ''] = /^<([^>]*)>/.exec(String(headers.link)) ?? []
    const otherPath = next.replace('position.desc', 'latency.desc')
    checkProblem(await sendRequest(baseUrl, otherPath, { authorization: key }), 400, 'invalid-request')
  })

  test('returns 404 when the baseline does not exist', async () => {
    const response = await sendRequest(baseUrl, createPath(id, 'rows', { base: 'nowhere' }), {
      authorization: key,
    })
    checkProblem(response, 404, 'evaluation-not-found')
  })
})

test('distinguishes input numbers beyond the precision of a double', async () => {
  const ids = [
    '1234567890123456788',
    '1234567890123456789',
    '1e400',
    '2e400',
    '0.1',
    '0.10000000000000000001',
  ]
  const texts = (order: string[]) =>
    `[${order.map((id) => `{"inputs":[{"name":"n","type":"number","value":${id}}],"results":[{"evaluator_config":"e","result":{"type":"number","value":${ids.indexOf(id)}}}]}`)}]`
  for (const [id, order] of [
    ['exact-a', ids],
    ['exact-b', ids.toReversed()],
  ] as const) {
    const headers = { authorization: writer, 'content-type': 'application/json' }
    const { status } = await sendRequest(
      baseUrl,
      createPath(id, 'evaluation_scenarios', {}),
      headers,
      'POST',
      texts([...order]),
    )
    assert.equal(status, 201)
  }
  for (const by of ['input', 'input.n']) {
    const { text } = await read(`/api/comparisons?evaluation=exact-a&evaluation=exact-b&by=${by}`)
    const [candidate] = JSON.parse(text).candidates
    assert.equal(candidate.evaluators[0].classes.same, ids.length, by)
  }
  for (const id of ids) {
    const response = await read(createPath('exact-a', 'evaluation_scenarios', { 'input.n': `eq.${id}` }))
    // A number outside the range of a double is compared as text.
    assert.equal(JSON.parse(response.text).length, 1, id)
  }
})
