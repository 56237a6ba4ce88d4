// Tests breakdowns over HTTP: groups, values, orders, filters, baselines and errors.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Breakdown } from '../../../src/schema/analysis/breakdowns.ts'
import { checkProblem } from '../../support/http.ts'
import { scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { sendOk, get, readJson } = await startWriteService()

const read = (evaluation: string, query: string): Promise<Breakdown> =>
  readJson(`/api/evaluations/${evaluation}/breakdown?${query}`)

async function add(id: string, rows: string[], evaluators = '[]'): Promise<void> {
  await sendOk('POST', '/api/evaluations', `{"id":"${id}","evaluators":${evaluators}}`)
  await sendOk('POST', scenariosPath(id), `[${rows}]`)
}

/** Each row has its own expected answer, so that none of them is a repeat. */
const row = (id: string, inputs: string, results = '', output = '"value":"x"', amounts = '') =>
  `{"id":"${id}","inputs":[${inputs}],"outputs":[{"result":{"type":"text",${output}}${amounts}}],"correct_answers":[{"key":"answer","value":"${id}"}],"results":[${results}]}`
const input = (value: string, name = 'topic') => `{"name":"${name}","type":"text","value":${value}}`
const result = (value: string, evaluator = 'exact') =>
  `{"evaluator_config":"${evaluator}","result":{"type":"any",${value.startsWith('{') ? `"value":null,"error":${value}` : `"value":${value}`}}}`

await add('values', [
  row('a', input('"x"'), result('true')),
  row('b', input('1.0'), result('1')),
  row('c', input('"1"'), result('"1"')),
  row('d', input('1'), result('false')),
  row('e', input('[1,{"b":2}]'), result('{"message":"HTTP 429 after 3 ms"}')),
  row('f', '', ''),
  row('g', input('null'), result('null'), '"value":null,"error":{"message":"Timeout after 12 ms"}'),
  row('h', input('"x"'), result('1.00'), '"value":null,"error":{"message":"Timeout after 99 ms"}'),
])

describe('groups', () => {
  test('returns a group per typed value, with the text of its first row, and one for rows without the input', async () => {
    const { status, text } = await get('/api/evaluations/values/breakdown?by=input.topic')
    assert.equal(status, 200)
    const groups = [...text.matchAll(/"kind":"(\w+)",(?:"value":(.*?),)?"first":"(\w)","rows":(\d)/g)]
    assert.deepEqual(
      groups.map(([, ...group]) => group),
      [
        ['value', '"x"', 'a', '2'],
        ['value', '1.0', 'b', '2'],
        ['value', '"1"', 'c', '1'],
        ['value', '[1,{"b":2}]', 'e', '1'],
        ['missing', undefined, 'f', '1'],
        ['value', 'null', 'g', '1'],
      ],
    )
    assert.equal(JSON.parse(text).group_count, 6)
    assert.equal(JSON.parse(text).rest, null)
  })

  test('returns verdicts, numbers, texts, failures and missing results of an evaluator as different groups', async () => {
    const { groups } = await read('values', 'by=result.exact')
    assert.deepEqual(
      groups.map(({ kind, value, first, rows }) => [kind, value, first, rows]),
      [
        ['value', 1, 'b', 2],
        ['missing', undefined, 'f', 2],
        ['value', true, 'a', 1],
        ['value', '1', 'c', 1],
        ['value', false, 'd', 1],
        ['error', undefined, 'e', 1],
      ],
    )
  })

  test('returns the error groups of outputs, which a filter selects', async () => {
    const { groups, total } = await read('values', 'by=error')
    assert.deepEqual(
      groups.map(({ kind, value, rows, output_errors }) => [kind, value, rows, output_errors]),
      [
        ['missing', undefined, 6, 0],
        ['value', 'Timeout after <n> ms', 2, 2],
      ],
    )
    assert.equal(total.output_errors, 2)
    const filter = encodeURIComponent(`eq.${groups[1]?.value}`)
    const { groups: filtered, total: filteredTotal } = await read('values', `by=error&error=${filter}`)
    assert.deepEqual(filtered, [groups[1]])
    assert.equal(filteredTotal.rows, 2)
  })

  test('starts a group at its first row that matches the filters', async () => {
    const { groups, group_count } = await read('values', 'by=input.topic&error=is.true')
    assert.deepEqual(
      groups.map(({ value, first }) => [value, first]),
      [
        [null, 'g'],
        ['x', 'h'],
      ],
    )
    assert.equal(group_count, 2)
    const { groups: none, total } = await read('values', 'by=input.topic&latency=gt.1')
    assert.deepEqual([none, total.rows], [[], 0])
  })
})

test('cuts a long value to a text without half a character', async () => {
  const emoji = '😀'
  const [long, longest] = [`${'x'.repeat(998)}`, `${'x'.repeat(998)}${emoji}`]
  await add('long', [row('a', input(JSON.stringify(long))), row('b', input(JSON.stringify(longest)))])
  const { groups } = await read('long', 'by=input.topic')
  assert.deepEqual(
    groups.map(({ value, is_cut }) => [value, is_cut]),
    [
      [long, undefined],
      [`"${'x'.repeat(998)}`, true],
    ],
  )
})

test('groups long texts of an evaluator by their whole text', async () => {
  const texts = ['x'.repeat(200), `${'x'.repeat(200)}y`, 'x'.repeat(200), 'x'.repeat(100)]
  await add(
    'texts',
    texts.map((text, index) => row(`s-${index}`, '', result(`"${text}"`))),
  )
  const { groups } = await read('texts', 'by=result.exact')
  assert.deepEqual(
    groups.map(({ value, rows }) => [value, rows]),
    [
      [texts[0], 2],
      [texts[1], 1],
      [texts[3], 1],
    ],
  )
})

describe('orders', async () => {
  const amounts = (cost: number, latency: number) => `,"cost":${cost},"latency":${latency}`
  const failed = '"value":null,"error":{"message":"Timeout"}'
  const rows = (change: number) => [
    row('a1', input('"a"'), result(String(0.5 + change)), undefined, amounts(1, 4)),
    row('a2', input('"a"'), result('0.5'), undefined, amounts(3, 4)),
    row('b1', input('"b"'), result(String(0.9 - change)), failed, amounts(9, 1)),
    row('c1', input('"c"'), '', undefined),
  ]
  await add('first', rows(0))
  await add('second', rows(0.25))
  const ORDERS: [order: string, values: string][] = [
    ['', 'abc'],
    ['rows.asc', 'bca'],
    ['errors.desc', 'bac'],
    ['errors.asc', 'acb'],
    ['cost.asc', 'abc'],
    ['latency.asc', 'bac'],
    ['latency.desc', 'abc'],
    ['result.exact.asc', 'abc'],
    ['result.exact.desc', 'bac'],
    ['delta.exact.asc', 'bac'],
    ['delta.exact.desc', 'abc'],
    ['contribution.exact.desc', 'abc'],
  ]
  for (const [order, values] of ORDERS)
    test(`sorts groups by ${order || 'size'}, those without a value last`, async () => {
      const query = `by=input.topic&base=first${order && `&order=${order}`}`
      const { groups } = await read('second', query)
      assert.equal(groups.map(({ value }) => value).join(''), values)
    })

  test('the contributions of all groups add up to the mean difference of all rows', async () => {
    const { groups, total, base } = await read('second', 'by=input.topic&base=first')
    assert.deepEqual([base?.id, base?.by, base?.matched], ['first', 'id', 4])
    const changes = groups.map(({ evaluators }) => evaluators[0]?.base)
    assert.deepEqual(
      changes.map((change) => change?.contribution),
      [0.0833333333333, -0.0833333333333, null],
    )
    assert.deepEqual(
      changes.map((change) => [change?.n, change?.outcome, change?.interval === null]),
      [
        [2, 'too-few', true],
        [1, 'too-few', true],
        [0, null, true],
      ],
    )
    assert.equal(total.evaluators[0]?.base?.delta, 0)
  })
})

describe('baseline', () => {
  test('the change of all rows is the one of the summary', async () => {
    for (const filter of ['', '&cost=gt.1']) {
      const { total } = await read('second', `by=input.topic&base=first${filter}`)
      const { text } = await get(`/api/evaluations/second/summary?base=first${filter}`)
      const summary = JSON.parse(text)
      const { confidence, contribution, ...change } = total.evaluators[0]?.base ?? {}
      const { interval, delta } = summary.evaluators[0].base
      assert.deepEqual(change, summary.evaluators[0].base)
      assert.deepEqual([confidence, contribution], [interval ? 0.95 : null, delta])
      assert.equal(total.evaluators[0]?.mean, summary.evaluators[0].mean)
      assert.equal(total.cost.total, summary.cost.total)
    }
  })

  test('a group of two verdicts that both regress is too small for an outcome, and a large one is worse', async () => {
    const topicOf = (index: number) => (index < 2 ? '"small"' : index < 10 ? '"medium"' : '"large"')
    const verdicts = (value: string) =>
      Array.from({ length: 30 }, (_, index) => row(`s-${index}`, input(topicOf(index)), result(value)))
    await add('passing', verdicts('true'))
    await add('failing', verdicts('false'))
    const { groups } = await read('failing', 'by=input.topic&base=passing')
    const changes = groups.map(({ evaluators }) => evaluators[0]?.base)
    assert.deepEqual(
      changes.map((change) => [change?.n, change?.delta, change?.outcome, change?.confidence]),
      [
        [20, -1, 'worse', 0.975],
        [8, -1, 'worse', 0.975],
        [2, -1, 'too-few', null],
      ],
    )
    assert.equal(changes[2]?.interval, null)
    // With a higher confidence, the interval is longer than that of a single group.
    const filtered = await read('failing', 'by=input.topic&base=passing&input.topic=eq.large')
    const single = filtered.groups[0]?.evaluators[0]?.base
    assert.equal(single?.confidence, 0.95)
    const [high = 0, singleHigh = 0] = [changes[0]?.interval?.[1], single?.interval?.[1]]
    assert.deepEqual([changes[0]?.interval?.[0], single?.interval?.[0]], [-1, -1])
    assert.ok(singleHigh < high && high < 0, `${singleHigh} < ${high} < 0`)
  })

  test('numbers that all change by the same amount have no interval and no outcome', async () => {
    const numbers = (change: number) =>
      Array.from({ length: 6 }, (_, index) =>
        row(`s-${index}`, input('"x"'), result(String(index / 10 + change))),
      )
    await add('lower', numbers(0))
    await add('higher', numbers(0.2))
    const [group] = (await read('higher', 'by=input.topic&base=lower')).groups
    const { n, delta, interval, confidence, outcome } = group?.evaluators[0]?.base ?? {}
    assert.deepEqual([n, delta, interval, confidence, outcome], [6, 0.2, null, null, null])
  })
})

describe('invalid requests', () => {
  const INVALID: [query: string, detail: RegExp][] = [
    ['', /^The query parameter 'by' is required\.$/],
    ['by=topic', /^'by' must be input\.<name> or result\.<evaluator> or error, not 'topic'\.$/],
    ['by=error.exact', /^'by' must be /],
    ['by=input', /^'by' must be /],
    ['by=input.nothing', /^The evaluation has no input 'nothing'\. It has 'topic'\.$/],
    ['by=result.nothing', /^The evaluation has no evaluator 'nothing'\. It has 'exact'\.$/],
    [
      'by=error&order=rows',
      /^'order' must be one of rows\.desc, errors\.desc, .*contribution\.<evaluator>\.desc \(or asc\), not 'rows'\.$/,
    ],
    ['by=error&order=size.desc', /^'order' must be one of /],
    ['by=error&order=rows.exact.desc', /^'order' must be one of /],
    ['by=error&order=result.desc', /^'order' must be one of /],
    ['by=error&order=result.nothing.desc', /^The evaluation has no evaluator 'nothing'\./],
    ['by=error&order=delta.exact.desc', /^The order 'delta' needs a baseline\. Name it with 'base'\.$/],
    ['by=error&order=contribution.exact.desc', /^The order 'contribution' needs a baseline\./],
    ['by=error&delta.exact=lt.0', /^A delta needs 'base'\./],
    ['by=error&input.nothing=eq.1', /^The evaluation has no input 'nothing'\./],
  ]
  for (const [query, detail] of INVALID)
    test(`returns 400 for '${query}', and for HEAD`, async () => {
      const path = `/api/evaluations/values/breakdown?${query}`
      const response = await get(path)
      checkProblem(response, 400, 'invalid-request')
      assert.match(JSON.parse(response.text).detail, detail)
      assert.equal((await get(path, {}, 'HEAD')).status, 400)
    })

  test('returns 404 if the evaluation or the baseline does not exist', async () => {
    for (const path of ['nowhere/breakdown?by=error', 'values/breakdown?by=error&base=nowhere'])
      checkProblem(await get(`/api/evaluations/${path}`), 404, 'evaluation-not-found')
  })
})
