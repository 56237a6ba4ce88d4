// Filters, order, search and windows, against the same computed in memory over the scenarios.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  EVALUATORS,
  type GeneratedScenario,
  resultOf,
  scenariosOf,
  scoreOf,
  store as storeEvaluation,
} from '../evaluations-of.ts'
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

const THRESHOLD = 0.5

/** The verdict of an evaluator: booleans are one, and scores of `score`, which has a threshold. */
function verdictOf(one: GeneratedScenario, evaluator: string): boolean | undefined {
  const result = resultOf(one, evaluator)
  if (!result || result.error) return undefined
  if (typeof result.value === 'boolean') return result.value
  const isDeclared = evaluator === 'score' && typeof result.value === 'number'
  return isDeclared ? (result.value as number) >= THRESHOLD : undefined
}

function totalOf(one: GeneratedScenario, what: 'cost' | 'latency'): number | undefined {
  const numbers = one.outputs.map((output) => output[what]).filter((value) => value != null)
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0)
}

const SIGNS = {
  eq: (a: unknown, b: unknown) => a === b,
  ne: (a: unknown, b: unknown) => a !== b,
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
}

function compares(value: number | undefined, operator: keyof typeof SIGNS, operand: number): boolean {
  return value !== undefined && SIGNS[operator](value as never, operand as never)
}

type Test = (one: GeneratedScenario) => boolean
interface Case {
  parameter: string
  value: string
  holds: Test
}

const comparison = fc.constantFrom(...(Object.keys(SIGNS) as (keyof typeof SIGNS)[]))

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const cases: fc.Arbitrary<Case> = fc.oneof(
  fc.tuple(fc.constantFrom('latency', 'cost'), comparison, fc.constantFrom(0, 0.25, 1, 3.5)).map(
    ([what, operator, operand]): Case => ({
      parameter: what,
      value: `${operator}.${operand}`,
      holds: (one) => compares(totalOf(one, what as 'cost'), operator, operand),
    }),
  ),
  fc.constantFrom('true', 'false').map(
    (word): Case => ({
      parameter: 'is_pinned',
      value: `is.${word}`,
      holds: ({ is_pinned }) => (is_pinned === true) === (word === 'true'),
    }),
  ),
  fc.constantFrom('present', 'null').map(
    (word): Case => ({
      parameter: 'note',
      value: `is.${word}`,
      holds: ({ note }) => (note !== null) === (word === 'present'),
    }),
  ),
  fc.constantFrom('true', 'false').map(
    (word): Case => ({
      parameter: 'error',
      value: `is.${word}`,
      holds: ({ outputs }) => outputs.some(({ result }) => result.error) === (word === 'true'),
    }),
  ),
  fc.constantFrom('HTTP <n> for k', 'HTTP 429 for k').map(
    (group): Case => ({
      parameter: 'error',
      value: `eq.${group}`,
      holds: ({ outputs }) => group.includes('<n>') && outputs.some(({ result }) => result.error),
    }),
  ),
  fc.constantFrom(...EVALUATORS).map(
    (evaluator): Case => ({
      parameter: `error.${evaluator}`,
      value: 'eq.Timeout after <n> ms',
      holds: (one) => resultOf(one, evaluator)?.error != null,
    }),
  ),
  fc.constantFrom('yes', 'ÄÖ "X"', 'canberra', 'again', '429', 'straße', 'nowhere').map(
    (text): Case => ({
      parameter: 'q',
      value: text,
      holds: (one) => searched(one).includes(text.toLowerCase()),
    }),
  ),
  fc.tuple(fc.constantFrom(...EVALUATORS), fc.constantFrom('true', 'false', 'null', 'error')).map(
    ([evaluator, word]): Case => ({
      parameter: `result.${evaluator}`,
      value: `is.${word}`,
      holds: (one) => {
        const result = resultOf(one, evaluator)
        if (word === 'error') return result?.error != null
        if (word === 'null') return !result || (result.error == null && result.value == null)
        return verdictOf(one, evaluator) === (word === 'true')
      },
    }),
  ),
  fc.tuple(fc.constantFrom(...EVALUATORS), comparison, fc.constantFrom('0', '0.5', '1', '1.0', '-1')).map(
    ([evaluator, operator, operand]): Case => ({
      parameter: `result.${evaluator}`,
      value: `${operator}.${operand}`,
      holds: (one) => {
        const { value } = resultOf(one, evaluator) ?? {}
        const isText = typeof value === 'string' && !resultOf(one, evaluator)?.error
        if (isText && (operator === 'eq' || operator === 'ne')) return SIGNS[operator](value, operand)
        return compares(scoreOf(one, evaluator), operator, Number(operand))
      },
    }),
  ),
  fc
    .tuple(
      fc.constantFrom('q', 'n'),
      fc.constantFrom('eq', 'ne'),
      fc.constantFrom('1', 'Straße', '[1,{"a":2}]', 'null'),
    )
    .map(
      ([name, operator, operand]): Case => ({
        parameter: `input.${name}`,
        value: `${operator}.${operand}`,
        holds: ({ inputs }) => {
          const input = inputs.find((one) => one.name === name)
          return input !== undefined && SIGNS[operator as 'eq'](plainText(input.value), operand)
        },
      }),
    ),
)

function searched({ inputs, outputs, correct_answers, note }: GeneratedScenario): string {
  const values = [
    ...inputs.map(({ value }) => value),
    ...outputs.flatMap(({ result }) => [result.value, result.error?.message]),
    ...(correct_answers ?? []).map(({ value }) => value),
    note,
  ]
  return values
    .filter((value) => value != null)
    .map(plainText)
    .join('\n')
    .toLowerCase()
}

/** Every evaluator and input is there, so that none of them is refused as unknown. */
const EVERYTHING: GeneratedScenario = {
  id: 'everything',
  inputs: ['q', 'n'].map((name) => ({ name, type: 'text', value: 'y' })),
  outputs: [],
  correct_answers: null,
  is_pinned: null,
  note: null,
  results: EVALUATORS.map((evaluator_config) => ({
    evaluator_config,
    result: { type: 'bool', value: true },
  })),
}

const DECLARED = [{ name: 'score', threshold: THRESHOLD }]

/** Sorts as the service does: rows without a value last, position breaks ties. */
function sorted(scenarios: GeneratedScenario[], order: string): GeneratedScenario[] {
  const [, by = '', name = '', direction = ''] = /^(\w+?)(?:\.(.*))?\.(asc|desc)$/.exec(order) ?? []
  const sign = direction === 'desc' ? -1 : 1
  const keyOf = (one: GeneratedScenario): (number | string | undefined)[] => {
    if (by !== 'result') return [totalOf(one, by as 'cost')]
    const result = resultOf(one, name)
    const text = typeof result?.value === 'string' && !result.error ? result.value : undefined
    return [scoreOf(one, name), text]
  }
  const compare = (a: number | string | undefined, b: number | string | undefined) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return a < b ? -sign : a > b ? sign : 0
  }
  // A sort that is stable keeps the position among equals.
  return scenarios.toSorted((a, b) => {
    const [first, second] = [keyOf(a), keyOf(b)]
    return first.map((value, index) => compare(value, second[index])).find((sign) => sign !== 0) ?? 0
  })
}

const orders = fc.constantFrom(
  'latency.asc',
  'latency.desc',
  'cost.desc',
  ...EVALUATORS.flatMap((name) => [`result.${name}.asc`, `result.${name}.desc`]),
)

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
