// Filters, order, search and windows, against the same computed in memory over the scenarios.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type GeneratedScenario,
  resultOf,
  scenariosOf,
  scoreOf,
  store as storeEvaluation,
} from '../evaluations-of.ts'
import { cases, compares, comparison, DECLARED, EVERYTHING, orders, sorted } from '../filtered.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { ask, checkDocumented, checkProblem } from '../wire.ts'

const RUNS = Number(process.env.RUNS ?? 12)

const store = await freshStore()
const { base } = await serveStore(store)
const { key } = await mint(store)
const { key: writer } = await mint(store, { scopes: ['write'] })

async function read(path: string): Promise<{ text: string; headers: Record<string, unknown> }> {
  const answer = await ask(base, path, { authorization: key })
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  checkDocumented(path, answer)
  return answer
}

function pathOf(id: string, what: 'evaluation_scenarios' | 'rows', query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString()
  return `/api/evaluations/${id}/${what}${search && '?'}${search}`
}

async function idsOf(id: string, query: Record<string, string>): Promise<string[]> {
  const { text } = await read(pathOf(id, 'evaluation_scenarios', query))
  return (JSON.parse(text) as { id: string }[]).map((scenario) => scenario.id)
}

test('filters leave the rows they describe, and orders sort them', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenariosOf(),
      fc.uniqueArray(cases, { selector: ({ parameter }) => parameter, maxLength: 3 }),
      orders,
      fc.nat(),
      async (generated, filters, order, chosen) => {
        const scenarios = [...generated, EVERYTHING]
        const id = await storeEvaluation(store, scenarios, DECLARED)
        const query = Object.fromEntries(filters.map(({ parameter, value }) => [parameter, value]))
        const left = scenarios.filter((one) => filters.every(({ holds }) => holds(one)))
        const ids = (list: GeneratedScenario[]) => list.map((one) => one.id)
        assert.deepEqual(await idsOf(id, query), ids(left))
        const inOrder = ids(sorted(left, order))
        assert.deepEqual(await idsOf(id, { ...query, order }), inOrder)
        const { text } = await read(pathOf(id, 'rows', { ...query, order, offset: '2', limit: '3' }))
        const { total, offset, rows } = JSON.parse(text)
        assert.deepEqual([total, offset], [left.length, 2])
        assert.deepEqual(ids(rows), inOrder.slice(2, 5))
        const every = ids(sorted(scenarios, order))
        const locate = every[chosen % every.length] as string
        const isLeft = inOrder.includes(locate)
        const before = inOrder.filter((one) => every.indexOf(one) < every.indexOf(locate)).length
        const found = JSON.parse(
          (await read(pathOf(id, 'rows', { ...query, order, locate, limit: '4' }))).text,
        )
        assert.deepEqual([found.before, found.located], [before, isLeft ? before : null])
        const shown = inOrder[before] ?? inOrder.at(-1)
        assert.ok(shown === undefined || ids(found.rows).includes(shown))
        assert.deepEqual(ids(found.rows), inOrder.slice(found.offset, found.offset + 4))
      },
    ),
    { numRuns: RUNS },
  )
})

test('following cursors gives every row once, in the order of the whole read, whatever is added meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenariosOf(),
      fc.option(orders),
      fc.integer({ min: 1, max: 7 }),
      async (generated, order, limit) => {
        const id = await storeEvaluation(store, [...generated, EVERYTHING], DECLARED)
        const query = { 'result.exact': 'ne.7', ...(order && { order }) }
        const whole = await idsOf(id, query)
        const paged: string[] = []
        for (
          let path: string | undefined = pathOf(id, 'evaluation_scenarios', {
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
          const { status } = await ask(
            base,
            pathOf(id, 'evaluation_scenarios', {}),
            { authorization: writer, 'content-type': 'application/json' },
            'POST',
            JSON.stringify(more),
          )
          assert.equal(status, 201)
        }
        assert.deepEqual(paged, whole)
      },
    ),
    { numRuns: Math.ceil(RUNS / 2) },
  )
})

test('deltas are those of the rows with the same id, wherever they stand', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenariosOf(),
      scenariosOf(),
      comparison,
      fc.constantFrom('exact', 'score'),
      async (first, second, operator, evaluator) => {
        const count = Math.min(first.length, second.length)
        const scenarios = [...first.slice(0, count), EVERYTHING]
        const theirs = [EVERYTHING, ...second.slice(0, count).reverse()]
        const [id, baseId] = [await storeEvaluation(store, scenarios), await storeEvaluation(store, theirs)]
        const deltaOf = (one: GeneratedScenario) => {
          const other = theirs.find((their) => their.id === one.id) as GeneratedScenario
          const [own, base] = [resultOf(one, evaluator), resultOf(other, evaluator)]
          const [score, baseScore] = [scoreOf(one, evaluator), scoreOf(other, evaluator)]
          const isSameKind = typeof own?.value === typeof base?.value
          if (score === undefined || baseScore === undefined || !isSameKind) return undefined
          return score - baseScore
        }
        const left = scenarios.filter((one) => compares(deltaOf(one), operator, 0))
        const filter = { base: baseId, [`delta.${evaluator}`]: `${operator}.0` }
        assert.deepEqual(
          await idsOf(id, filter),
          left.map((one) => one.id),
        )
        const order = `delta.${evaluator}.desc`
        const { rows, base } = JSON.parse((await read(pathOf(id, 'rows', { base: baseId, order }))).text)
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
    { ...EVERYTHING, id: 'a', note: long, inputs: [{ name: 'q', type: 'json', value: { deep: [1, 2, 3] } }] },
    { ...EVERYTHING, id: 'b', is_pinned: true },
    {
      ...EVERYTHING,
      id: 'c',
      outputs: [{ result: { type: 'error', value: null, error: { message: 'no', stacktrace: long } } }],
    },
  ]
  const id = await storeEvaluation(store, rows)

  test('cuts what is long and says where', async () => {
    const { text } = await read(pathOf(id, 'rows', { preview: '31' }))
    const [a, b, c] = (JSON.parse(text) as { rows: Record<string, unknown>[] }).rows
    assert.equal(a?.note, `${'é'.repeat(30)}💡`)
    assert.deepEqual(a?.cut, ['/note'])
    assert.deepEqual([b?.cut, b?.position, b?.is_pinned], [[], 1, true])
    assert.deepEqual(c?.cut, ['/outputs/0/result/error/stacktrace'])
    const short = JSON.parse((await read(pathOf(id, 'rows', { preview: '9' }))).text)
    assert.equal(short.rows[0].inputs[0].value, '{"deep":[')
  })

  test('has no window behind its end, and finds the place of what is filtered out', async () => {
    assert.equal((await read(pathOf(id, 'rows', { offset: '9' }))).text, '{"total":3,"offset":9,"rows":[]}')
    const { text } = await read(pathOf(id, 'rows', { locate: 'a', is_pinned: 'is.true' }))
    const { total, offset, before, located, rows } = JSON.parse(text)
    assert.deepEqual([total, offset, before, located, rows.length], [1, 0, 0, null, 1])
    const behind = JSON.parse(
      (await read(pathOf(id, 'rows', { locate: 'c', error: 'is.false', limit: '1' }))).text,
    )
    assert.deepEqual([behind.total, behind.before, behind.located, behind.offset], [2, 2, null, 1])
    const none = JSON.parse((await read(pathOf(id, 'rows', { locate: 'c', q: 'nowhere' }))).text)
    assert.deepEqual([none.total, none.before, none.offset, none.rows], [0, 0, 0, []])
  })

  test('gives one scenario whole, with its extra when it is asked for', async () => {
    const path = `${pathOf(id, 'evaluation_scenarios', {})}/a`
    const [whole] = JSON.parse((await read(pathOf(id, 'evaluation_scenarios', {}))).text)
    const one = await read(path)
    assert.deepEqual(JSON.parse(one.text), whole)
    assert.equal(JSON.parse((await read(`${path}?include=extra`)).text).extra, null)
    const again = await ask(base, path, { authorization: key, 'if-none-match': String(one.headers.etag) })
    assert.equal(again.status, 304)
    const missing = await ask(base, `${path}bc`, { authorization: key })
    checkProblem(missing, 404, 'scenario-not-found')
  })

  test('is exported as lines and as a table, filtered alike', async () => {
    const { text } = await read(pathOf(id, 'evaluation_scenarios', { error: 'is.true', format: 'csv' }))
    assert.match(text, /^id,.*\r\nc,.*\r\n$/)
    const lines = await read(pathOf(id, 'evaluation_scenarios', { order: 'position.desc', format: 'ndjson' }))
    assert.deepEqual(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
      ['c', 'b', 'a'],
    )
  })

  const refused: [name: string, query: Record<string, string>, detail: RegExp][] = [
    ['an unknown evaluator', { 'result.nope': 'is.true' }, /no evaluator 'nope'.*'exact', 'score'/],
    ['an unknown input', { 'input.nope': 'eq.1' }, /no input 'nope'.*'q', 'n'/],
    ['an unknown evaluator to sort by', { order: 'result.nope.asc' }, /no evaluator 'nope'/],
    [
      'a word that is none',
      { 'result.exact': 'is.maybe' },
      /is\.true, is\.false, is\.null, is\.error, eq\.x/,
    ],
    ['an unknown evaluator that failed', { 'error.nope': 'eq.x' }, /no evaluator 'nope'/],
    ['a word for the group of an error', { 'error.exact': 'is.true' }, /error\.<evaluator> takes eq\.x/],
    ['no operator', { latency: '2' }, /eq\.x, ne\.x, lt\.x/],
    ['what is no number', { latency: 'gt.fast' }, /numbers are as in JSON/],
    ['a number beyond every double', { cost: 'gt.1e400' }, /numbers are as in JSON/],
    ['an order that is none', { order: 'latency' }, /latency\.asc/],
    ['an order of nothing', { order: 'result.asc' }, /result\.<evaluator>\.asc/],
    ['a delta without a base', { 'delta.exact': 'lt.0' }, /needs 'base'/],
    ['an unknown parameter', { results: 'x' }, /result\.<evaluator>/],
    ['a field with a name that has none', { 'latency.x': 'gt.1' }, /There is no query parameter/],
  ]
  for (const [name, query, detail] of refused) {
    test(`${name} is refused with what there is`, async () => {
      for (const what of ['rows', 'evaluation_scenarios'] as const) {
        const answer = await ask(base, pathOf(id, what, query), { authorization: key })
        checkProblem(answer, 400, 'invalid-request')
        assert.match(JSON.parse(answer.text).detail, detail)
      }
    })
  }

  test('a cursor is of use only for the filters and the order it came from', async () => {
    const { headers } = await read(pathOf(id, 'evaluation_scenarios', { order: 'position.desc', limit: '1' }))
    const [, next = ''] = /^<([^>]*)>/.exec(String(headers.link)) ?? []
    const other = next.replace('position.desc', 'latency.desc')
    checkProblem(await ask(base, other, { authorization: key }), 400, 'invalid-request')
  })

  test('is compared with a base that must be there', async () => {
    const answer = await ask(base, pathOf(id, 'rows', { base: 'nowhere' }), { authorization: key })
    checkProblem(answer, 404, 'evaluation-not-found')
  })
})

test('numbers of inputs are told apart to the last digit', async () => {
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
    const { status } = await ask(
      base,
      pathOf(id, 'evaluation_scenarios', {}),
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
    const found = await read(pathOf('exact-a', 'evaluation_scenarios', { 'input.n': `eq.${id}` }))
    // What is beyond a double is no number to a filter, and is found as it was written.
    assert.equal(JSON.parse(found.text).length, 1, id)
  }
})
