// Tests rows with repeats: how scenarios form rows, one element per row, the filter by flaky rows, and summaries over rows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Comparison, RowScore } from '../../../src/schema/comparisons.ts'
import { MAX_LISTED_REPEATS, type RowRepeats } from '../../../src/schema/rows.ts'
import type { EvaluationSummary } from '../../../src/schema/summaries.ts'
import { ENGINE } from '../../support/harness.ts'
import { checkProblem } from '../../support/http.ts'
import { EVALUATIONS, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { send, sendOk } = await startWriteService()

type Value = boolean | number | string | Error
interface Scenario {
  id?: string
  /** Inputs by name. */
  inputs?: Record<string, unknown>
  expected?: string
  sample?: string
  scores?: Record<string, Value>
  cost?: number
}

const resultOf = (value: Value) =>
  value instanceof Error ? { type: 'error', error: { message: value.message } } : { type: 'any', value }

function toBody({ id, inputs = {}, expected, sample, scores = {}, cost }: Scenario) {
  return {
    ...(id !== undefined && { id }),
    inputs: Object.entries(inputs).map(([name, value]) => ({ name, type: 'any', value })),
    outputs: [{ result: { type: 'text', value: 'x' }, ...(cost !== undefined && { cost }) }],
    ...(expected !== undefined && { correct_answers: [{ key: 'answer', value: expected }] }),
    results: Object.entries(scores).map(([evaluator_config, value]) => ({
      evaluator_config,
      result: resultOf(value),
    })),
    ...(sample !== undefined && { extra: { sample } }),
  }
}

let evaluationCount = 0

/** Stores an evaluation and returns its id. */
async function store(scenarios: Scenario[], members: object = {}): Promise<string> {
  evaluationCount += 1
  const id = `e-${evaluationCount}`
  await sendOk('POST', EVALUATIONS, { id, ...members })
  for (let start = 0; start < scenarios.length; start += 10_000)
    await sendOk('POST', scenariosPath(id), scenarios.slice(start, start + 10_000).map(toBody))
  return id
}

interface Window {
  total: number
  offset: number
  before?: number
  located?: number | null
  rows: { id: string; position: number; repeats?: RowRepeats | null; base?: object | null }[]
}

async function readRows(id: string, query: string): Promise<Window> {
  return JSON.parse((await sendOk('GET', `/api/evaluations/${id}/rows?${query}`)).text)
}

const idsOf = ({ rows }: Window) => rows.map(({ id }) => id)

async function readSummary(id: string, query = ''): Promise<EvaluationSummary> {
  return JSON.parse((await sendOk('GET', `/api/evaluations/${id}/summary?${query}`)).text)
}

async function compare(ids: string[], query = '') {
  const search = `${ids.map((id) => `evaluation=${id}`).join('&')}${query}`
  const comparison: Comparison = JSON.parse((await sendOk('GET', `/api/comparisons?${search}`)).text)
  const [first] = comparison.candidates
  assert.ok(first)
  return { comparison, first, search }
}

interface ComparedRow {
  base: { id: string } | null
  base_repeats: string[] | null
  base_score: RowScore | null
  candidates: {
    row: { id: string } | null
    repeats: string[] | null
    score: RowScore | null
    class: string
  }[]
}

async function readComparedRows(search: string): Promise<{ total: number; rows: ComparedRow[] }> {
  return JSON.parse((await sendOk('GET', `/api/comparisons/rows?${search}`)).text)
}

const pairsOf = ({ rows }: { rows: ComparedRow[] }) =>
  rows.map(({ base, candidates: [first] }) => [base?.id ?? null, first?.row?.id ?? null])

const failure = new Error('Timeout')

/** The id of a scenario is the name of its row and the number of its repeat. The repeats of rows are mixed. */
const SCORES: [id: string, exact: Value | undefined, score: number | undefined, cost: number | undefined][] =
  [
    ['a1', true, 0.2, 1],
    ['b1', true, 0.5, 4],
    ['c1', false, 0.1, undefined],
    ['d1', failure, 1, 6],
    ['e1', true, 0.6, 1],
    ['a2', false, 0.4, 2],
    ['c2', failure, 0.3, undefined],
    ['e2', true, 0.7, 1],
    ['d2', undefined, undefined, undefined],
    ['a3', true, 0.9, 3],
    ['e3', true, 0.8, 1],
    ['e4', true, 0.9, 1],
  ]

const DECLARED = [
  { name: 'score', threshold: 0.5 },
  { name: 'reversed', threshold: 0.5, higher_is_better: false },
]

/** `rowMembers` are those that tell rows apart. */
function createScenarios(rowMembers: (row: string, id: string) => Scenario): Scenario[] {
  return SCORES.map(([id, exact, score, cost]) => ({
    id,
    ...rowMembers(id.charAt(0), id),
    scores: {
      ...(exact !== undefined && { exact }),
      ...(score !== undefined && { score, reversed: score, plain: score }),
    },
    ...(cost !== undefined && { cost }),
  }))
}

const named = createScenarios((row, id) => ({ sample: row, inputs: { text: id } }))
const namedEvaluation = await store(named, { evaluators: DECLARED })
/** Rows with the same inputs differ in their expected answers. */
const equalEvaluation = await store(
  createScenarios((row) => ({
    inputs: { text: row < 'c' ? 'ab' : row, n: 1 },
    expected: row === 'a' ? 'x' : 'y',
  })),
  { evaluators: DECLARED },
)

describe('rows', () => {
  const firstIds = async (scenarios: Scenario[]) => idsOf(await readRows(await store(scenarios), 'group=row'))

  test('are formed by samples, or else by equal inputs and expected answers', async () => {
    for (const id of [namedEvaluation, equalEvaluation])
      assert.deepEqual(idsOf(await readRows(id, 'group=row')), ['a1', 'b1', 'c1', 'd1', 'e1'])
  })

  test('are single scenarios without samples and inputs', async () => {
    const scenarios = ['p', 'q'].map((id) => ({ id, expected: 'same', scores: { exact: true } }))
    assert.deepEqual(await firstIds(scenarios), ['p', 'q'])
  })

  test('are different for equal inputs of different types or samples, and for scenarios with and without a sample', async () => {
    const scenarios: Scenario[] = [
      { id: 'number', inputs: { n: 1 } },
      { id: 'text', inputs: { n: '1' } },
      { id: 'sample', inputs: { n: 1 }, sample: 'x' },
      { id: 'other sample', inputs: { n: 1 }, sample: 'y' },
      { id: 'same number', inputs: { n: 1.0 } },
      { id: 'same sample', inputs: { n: 2 }, expected: 'other', sample: 'x' },
    ]
    assert.deepEqual(await firstIds(scenarios), ['number', 'text', 'sample', 'other sample'])
  })
})

for (const [kind, id] of Object.entries({ samples: namedEvaluation, 'equal inputs': equalEvaluation })) {
  describe(`one element per row, with repeats by ${kind}`, () => {
    test('has the ids and scores of all repeats, and null for a row with one scenario', async () => {
      const { total, rows } = await readRows(id, 'group=row')
      assert.equal(total, 5)
      assert.deepEqual(rows[1]?.repeats, null)
      assert.deepEqual(rows[0]?.repeats, {
        count: 3,
        scenarios: ['a1', 'a2', 'a3'],
        scores: [
          { evaluator: 'exact', is_verdict: true, mean: 0.666666666667, scores: [1, 0, 1] },
          ...['score', 'reversed', 'plain'].map((evaluator) => ({
            evaluator,
            ...{ is_verdict: false, mean: 0.5, scores: [0.2, 0.4, 0.9] },
          })),
        ],
      })
      const [failed, half] = [rows[3]?.repeats?.scores, rows[2]?.repeats?.scores]
      assert.deepEqual(failed?.[0], {
        evaluator: 'exact',
        is_verdict: false,
        mean: null,
        scores: [null, null],
      })
      assert.deepEqual(failed?.[1]?.scores, [1, null])
      assert.deepEqual(half?.[0], { evaluator: 'exact', is_verdict: true, mean: 0, scores: [0, null] })
      const scenarios = await readRows(id, '')
      assert.equal(scenarios.total, SCORES.length)
      assert.ok(!scenarios.rows.some((row) => 'repeats' in row))
    })

    const ORDERS: [order: string, rows: string][] = [
      ['position', 'abcde'],
      ['position.desc', 'edcba'],
      ['result.score.desc', 'deabc'],
      ['result.score.asc', 'cabed'],
      // Without a score, a row is the last one.
      ['result.exact.desc', 'beacd'],
      ['result.exact.asc', 'cabed'],
      ['cost.asc', 'eabdc'],
      ['cost.desc', 'dbaec'],
    ]
    for (const [order, expected] of ORDERS)
      test(`is sorted by ${order}, over the means of the repeats`, async () => {
        const query = `group=row&order=${order}`
        const ids = idsOf(await readRows(id, query))
        assert.equal(ids.map((first) => first.charAt(0)).join(''), expected)
        const windows = [
          await readRows(id, `${query}&limit=2`),
          await readRows(id, `${query}&offset=2&limit=3`),
        ]
        assert.deepEqual(windows.flatMap(idsOf), ids)
        for (const [scenario] of SCORES) {
          const index = expected.indexOf(scenario.charAt(0))
          const { before, located, offset, rows } = await readRows(id, `${query}&locate=${scenario}&limit=2`)
          assert.deepEqual([before, located, offset], [index, index, index - (index % 2)], scenario)
          assert.equal(rows[index % 2]?.id.charAt(0), scenario.charAt(0))
        }
      })

    test('contains the rows of which a repeat matches the filters, in the same order', async () => {
      // Only b1, e2, a3, e3 and e4 match.
      const filter = 'group=row&result.score=in.(0.5,0.7,0.8,0.9)'
      assert.deepEqual(idsOf(await readRows(id, filter)), ['a1', 'b1', 'e1'])
      assert.deepEqual(idsOf(await readRows(id, `${filter}&order=position.desc`)), ['e1', 'b1', 'a1'])
      assert.deepEqual(idsOf(await readRows(id, `${filter}&order=result.score.desc`)), ['e1', 'a1', 'b1'])
      const { total, rows } = await readRows(id, `${filter}&limit=1`)
      assert.deepEqual([total, rows[0]?.repeats?.count], [3, 3])
    })

    test('locates a repeat that the filters exclude in its row, and a row that they exclude before the next one', async () => {
      const filter = 'group=row&result.score=in.(0.5,0.7,0.8,0.9)'
      const located = async (query: string) => {
        const { before, located } = await readRows(id, query)
        return [before, located]
      }
      assert.deepEqual(await located(`${filter}&locate=e1`), [2, 2])
      assert.deepEqual(await located(`${filter}&locate=c2`), [2, null])
      // By the means of their repeats: d, e, a, b, c.
      assert.deepEqual(await located(`${filter}&order=result.score.desc&locate=d1`), [0, null])
      assert.deepEqual(await located(`${filter}&order=result.score.desc&locate=c1`), [3, null])
      assert.deepEqual(
        await located(`group=row&result.score=in.(0.5,0.1)&order=result.score.desc&locate=a1`),
        [0, null],
      )
      checkProblem(
        await send('GET', `/api/evaluations/${id}/rows?group=row&locate=nothing`),
        404,
        'scenario-not-found',
      )
    })

    test('selects flaky rows, also as scenarios, in pages and in the summary', async () => {
      const idsWith = async (query: string) => idsOf(await readRows(id, query))
      assert.deepEqual(await idsWith('flaky.exact=is.true'), ['a1', 'a2', 'a3'])
      assert.deepEqual(await idsWith('flaky.exact=is.true&group=row'), ['a1'])
      assert.deepEqual(await idsWith('flaky.exact=is.false&group=row'), ['b1', 'c1', 'd1', 'e1'])
      // With a threshold, numbers are verdicts.
      for (const evaluator of ['score', 'reversed'])
        assert.deepEqual(await idsWith(`flaky.${evaluator}=is.true&group=row`), ['a1'])
      assert.deepEqual(await idsWith('flaky.plain=is.true'), [])
      assert.equal((await idsWith('flaky.plain=is.false')).length, SCORES.length)
      assert.deepEqual(await idsWith('flaky.exact=is.true&result.score=gt.0.3'), ['a2', 'a3'])
      assert.deepEqual(await idsWith('flaky.exact=is.true&flaky.exact=is.false'), [])

      const read = async (query: string) => send('GET', `${scenariosPath(id)}?${query}`)
      const all = JSON.parse((await read('flaky.exact=is.false')).text)
      assert.equal(all.length, SCORES.length - 3)
      const page = await read('flaky.exact=is.true&limit=2')
      const [, cursor = ''] = /[?&]cursor=([^&>]+)/.exec(String(page.headers.link)) ?? []
      const nextPage = await read(`flaky.exact=is.true&limit=2&cursor=${cursor}`)
      assert.deepEqual(
        [page, nextPage].map(({ text }) => JSON.parse(text).map((one: { id: string }) => one.id)),
        [['a1', 'a2'], ['a3']],
      )
      const summary = await readSummary(id, 'flaky.exact=is.true')
      assert.deepEqual([summary.matched, summary.rows, summary.evaluators[0]?.flaky], [3, 1, 1])
    })

    test('rejects a flaky filter of an unknown evaluator or with another value', async () => {
      for (const query of [
        'flaky.unknown=is.true',
        'flaky.exact=is.null',
        'flaky.exact=eq.true',
        'flaky=is.true',
      ])
        checkProblem(await send('GET', `/api/evaluations/${id}/rows?${query}`), 400, 'invalid-request')
      checkProblem(await send('GET', `/api/evaluations/${id}/rows?group=scenario`), 400, 'invalid-request')
    })

    test('returns summary statistics over rows', async () => {
      const { scenario_count, matched, rows, evaluators, cost, latency } = await readSummary(id)
      assert.deepEqual([scenario_count, matched, rows], [12, 12, 5])
      const [exact, score, reversed, plain] = evaluators
      assert.ok(exact && score && reversed && plain)

      // The rates of a, b, c and e are 2/3, 1, 0 and 1; d has no verdict.
      const { minimum: _, maximum: __, quantiles: ___, bins: ____, ...statistics } = exact
      assert.deepEqual(statistics, {
        ...{ name: 'exact', higher_is_better: true, threshold: null },
        ...{ n: 9, texts: 0, errors: 2, output_errors: 0, unscored: 1, passed: 7, failed: 2 },
        ...{ rows: 4, repeats: 4, flaky: 1, pass_all: 0.5, pass_any: 0.75 },
        ...{ mean: 0.666666666667, pass_rate: 0.666666666667 },
        // Clopper and Pearson for 4.6583 effective verdicts, computed with scipy.
        mean_interval: [0.17359502195, 0.972930201697],
        pass_rate_interval: [0.17359502195, 0.972930201697],
      })

      // The means are 0.5, 0.5, 0.2, 1 and 0.75, the rates 1/3, 1, 0, 1 and 1.
      assert.deepEqual(
        [score.n, score.rows, score.repeats, score.mean, score.mean_interval],
        [11, 5, 4, 0.59, [0.216467513673, 0.963532486327]],
      )
      assert.deepEqual(
        [score.passed, score.failed, score.pass_rate, score.flaky, score.pass_all, score.pass_any],
        [7, 4, 0.666666666667, 1, 0.6, 0.8],
      )
      // The same for 5.7049 effective verdicts.
      assert.deepEqual(score.pass_rate_interval, [0.212965047991, 0.960225934692])
      assert.deepEqual([score.minimum, score.maximum], [0.1, 1], 'of scenarios')
      assert.deepEqual(
        score.bins.reduce((sum, { count }) => sum + count, 0),
        11,
      )

      // Lower numbers pass: the rates are 2/3, 1, 1, 0 and 0.
      assert.deepEqual(
        [reversed.pass_rate, reversed.flaky, reversed.pass_all, reversed.pass_any],
        [0.533333333333, 1, 0.4, 0.6],
      )
      assert.deepEqual(
        [plain.mean, plain.pass_rate, plain.pass_rate_interval, plain.flaky, plain.pass_all, plain.pass_any],
        [0.59, null, null, null, null, null],
      )
      // The means are 2, 4, 6 and 1.
      assert.deepEqual([cost.n, cost.missing, cost.total, cost.mean], [9, 3, 20, 3.25])
      const margin = 3.18244630528 * Math.sqrt(14.75 / 3 / 4)
      assert.deepEqual(
        cost.mean_interval?.map((bound) => bound.toFixed(9)),
        [3.25 - margin, 3.25 + margin].map((bound) => bound.toFixed(9)),
      )
      assert.deepEqual([latency.n, latency.mean, latency.mean_interval], [0, null, null])
    })

    test('returns summary statistics over the repeats that match the filters', async () => {
      // a3, b1, e1 to e4 and d1 match.
      const summary = await readSummary(id, 'result.score=gte.0.5')
      const [exact, score] = summary.evaluators
      assert.deepEqual([summary.matched, summary.rows], [7, 4])
      assert.deepEqual([exact?.pass_rate, exact?.rows, exact?.flaky, exact?.pass_all], [1, 3, 0, 1])
      assert.deepEqual([score?.mean, score?.rows, score?.repeats], [0.7875, 4, 4])
    })
  })
}

test('a summary without repeats has intervals, and no statistics of repeats', async () => {
  const id = await store(
    [true, true, false, true].map((exact, index) => ({ sample: `s-${index}`, scores: { exact, n: index } })),
  )
  const { rows, evaluators } = await readSummary(id)
  const [exact, n] = evaluators
  assert.equal(rows, 4)
  for (const name of ['rows', 'repeats', 'flaky', 'pass_all', 'pass_any'])
    assert.ok(exact && !(name in exact))
  // Clopper and Pearson with 3 of 4: both bounds are roots of polynomials.
  const [low = 0, high = 0] = exact?.pass_rate_interval ?? []
  const atLeast3 = (p: number) => 4 * p ** 3 * (1 - p) + p ** 4
  assert.equal(atLeast3(low).toFixed(9), '0.025000000')
  assert.equal((1 - high ** 4).toFixed(9), '0.025000000')
  assert.deepEqual(exact?.mean_interval, exact?.pass_rate_interval)
  // Student's t with 3 degrees of freedom, of 0, 1, 2 and 3.
  const margin = 3.18244630528 * Math.sqrt(5 / 3 / 4)
  assert.deepEqual(
    n?.mean_interval?.map((bound) => bound.toFixed(9)),
    [1.5 - margin, 1.5 + margin].map((bound) => bound.toFixed(9)),
  )
  assert.deepEqual((await readRows(id, 'flaky.exact=is.true')).total, 0)
  assert.deepEqual((await readRows(id, 'flaky.exact=is.false')).total, 4)
})

describe('a comparison of evaluations with repeats', () => {
  test('selects rows that are flaky in the candidate, or in the baseline if there is no candidate', async () => {
    const verdicts = (row: string, ...scores: boolean[]): Scenario[] =>
      scores.map((exact, index) => ({ id: `${row}${index + 1}`, sample: row, scores: { exact } }))
    const base = await store([
      ...verdicts('a', true, false),
      ...verdicts('b', true, true),
      ...verdicts('c', true, false),
      ...verdicts('d', true, true),
    ])
    const candidate = await store([
      ...verdicts('a', true, true),
      ...verdicts('b', true, false),
      ...verdicts('e', false, true),
      ...verdicts('f', false),
    ])
    const { search } = await compare([base, candidate], '&by=id')
    const selected = async (word: string) =>
      pairsOf(await readComparedRows(`${search}&flaky.exact=is.${word}`))
    assert.deepEqual(await selected('true'), [
      ['b1', 'b1'],
      ['c1', null],
      [null, 'e1'],
    ])
    assert.deepEqual(await selected('false'), [
      ['a1', 'a1'],
      ['d1', null],
      [null, 'f1'],
    ])
    checkProblem(
      await send('GET', `/api/comparisons/rows?${search}&flaky.unknown=is.true`),
      400,
      'invalid-request',
    )
  })

  test('locates and filters the row of a repeat', async () => {
    const ids = [namedEvaluation, equalEvaluation]
    const { search, first } = await compare(ids, '&by=position')
    assert.equal(first.matched, 5)
    for (const [side, scenario, index] of [
      ['base', 'e4', 4],
      ['candidate', 'c2', 2],
    ]) {
      const path = `/api/comparisons/rows?${search}&locate=${scenario}&side=${side}`
      const { before, located } = JSON.parse((await sendOk('GET', path)).text)
      assert.deepEqual([before, located], [index, index])
    }
    const filtered = await readComparedRows(`${search}&result.score=eq.0.9`)
    assert.deepEqual(pairsOf(filtered), [
      ['a1', 'a1'],
      ['e1', 'e1'],
    ])
    assert.deepEqual(filtered.rows[0]?.candidates[0]?.repeats, ['a1', 'a2', 'a3'])
  })

  test('joins rows by the ids of their samples', async () => {
    const base = await store([
      { id: 'x', sample: 'a', scores: { exact: true } },
      { id: 'y', sample: 'b', scores: { exact: true } },
      { id: 'z', sample: 'a', scores: { exact: false } },
      { id: 'c', scores: { exact: true } },
    ])
    const candidate = await store([
      { id: 'c', scores: { exact: true } },
      { id: 'p', sample: 'b', scores: { exact: false } },
      { id: 'x', sample: 'other', scores: { exact: true } },
      // The id of a scenario without a sample can be the sample of a row.
      { id: 'a', scores: { exact: true } },
    ])
    const { comparison, search, first } = await compare([base, candidate], '&by=id')
    assert.deepEqual([first.matched, first.only_in_base, first.only_in_candidate], [3, 0, 1])
    assert.deepEqual(pairsOf(await readComparedRows(search)), [
      ['x', 'a'],
      ['y', 'p'],
      ['c', 'c'],
      [null, 'x'],
    ])
    assert.deepEqual(
      comparison.evaluations.map(({ scenario_count, row_count }) => [scenario_count, row_count]),
      [
        [4, 3],
        [4, 4],
      ],
    )
  })

  test('joins no rows by id whose scenarios have generated ids, even if they have samples', async () => {
    const scenarios: Scenario[] = [
      { sample: 'a', scores: { exact: true } },
      { sample: 'a', scores: { exact: false } },
      { scores: { exact: true } },
      { id: 'c', scores: { exact: true } },
    ]
    const ids = [await store(scenarios), await store(scenarios)]
    const { first, search } = await compare(ids, '&by=id')
    assert.deepEqual([first.matched, first.only_in_base, first.only_in_candidate], [1, 2, 2])
    const { rows } = await readComparedRows(search)
    assert.deepEqual(
      rows.map(({ base_score, candidates: [first] }) => [base_score?.count, first?.score?.count]),
      [
        [2, undefined],
        [1, undefined],
        [1, 1],
        [undefined, 2],
        [undefined, 1],
      ],
    )
  })

  test('lists at most 100 repeats, and counts all of them', async () => {
    const count = MAX_LISTED_REPEATS + 30
    const scenarios = Array.from({ length: count }, (_, index) => ({
      id: `r-${index}`,
      sample: 'many',
      scores: { exact: index >= MAX_LISTED_REPEATS },
    }))
    const ids = [await store(scenarios), await store(scenarios.slice(0, MAX_LISTED_REPEATS))]
    const { rows } = await readRows(ids[0] ?? '', 'group=row')
    const { repeats } = rows[0] ?? {}
    assert.equal(repeats?.count, count)
    const listed = scenarios.slice(0, MAX_LISTED_REPEATS).map(({ id }) => id)
    assert.deepEqual(repeats.scenarios, listed)
    assert.deepEqual(repeats.scores[0]?.scores, Array(MAX_LISTED_REPEATS).fill(0))
    assert.equal(repeats.scores[0]?.mean, Number((30 / count).toPrecision(12)))
    const { search } = await compare(ids)
    const [row] = (await readComparedRows(search)).rows
    assert.deepEqual([row?.base_repeats, row?.candidates[0]?.repeats], [listed, listed])
    assert.deepEqual([row?.base_score?.count, row?.base_score?.passes], [count, 30])
  })

  test('returns a full window of rows with many repeats', async () => {
    // Statements of SQLite and PostgreSQL have at most 32,766 and 65,535 values.
    const [rowCount, repeatCount] = [1000, ENGINE === 'sqlite' ? 33 : 66]
    const scenarios = Array.from({ length: rowCount * repeatCount }, (_, index) => ({
      sample: `s-${index % rowCount}`,
    }))
    const id = await store(scenarios)
    const { total, rows } = await readRows(id, `group=row&limit=${rowCount}`)
    assert.deepEqual(
      [total, rows.length, rows.at(-1)?.repeats?.scenarios.length],
      [rowCount, rowCount, repeatCount],
    )
    const { search } = await compare([id, namedEvaluation], '&by=position')
    const window = await readComparedRows(`${search}&limit=${rowCount}`)
    assert.deepEqual([window.total, window.rows.at(-1)?.base_repeats?.length], [rowCount, repeatCount])
  })
})

test('rows keep their repeats when scenarios are deleted', async () => {
  const scenarios = named.map((scenario) => ({ ...scenario, id: `${scenario.id}` }))
  const id = await store(scenarios, { evaluators: DECLARED })
  for (const deleted of ['a1', 'b1', 'e3', 'e4']) await sendOk('DELETE', `${scenariosPath(id)}/${deleted}`)
  const { total, rows } = await readRows(id, 'group=row')
  assert.equal(total, 4)
  assert.deepEqual(
    rows.map(({ id, repeats }) => [id, repeats?.scenarios]),
    [
      ['c1', ['c1', 'c2']],
      ['d1', ['d1', 'd2']],
      ['e1', ['e1', 'e2']],
      ['a2', ['a2', 'a3']],
    ],
  )
  assert.deepEqual(idsOf(await readRows(id, 'flaky.exact=is.true')), ['a2', 'a3'])
  assert.deepEqual(idsOf(await readRows(id, 'flaky.exact=is.false&group=row')), ['c1', 'd1', 'e1'])
  const located = await readRows(id, 'group=row&locate=a3')
  assert.equal(located.located, 3)
  const { rows: rowCount, evaluators } = await readSummary(id)
  // The rates of a, c and e are 1/2, 0 and 1.
  assert.deepEqual(
    [rowCount, evaluators[0]?.rows, evaluators[0]?.pass_rate, evaluators[0]?.flaky],
    [4, 3, 0.5, 1],
  )

  const byId = await compare([namedEvaluation, id])
  assert.deepEqual([byId.comparison.join.by, byId.first.matched, byId.first.only_in_base], ['id', 4, 1])
  assert.deepEqual(
    byId.comparison.evaluations.map(({ scenario_count, row_count }) => [scenario_count, row_count]),
    [
      [12, 5],
      [8, 4],
    ],
  )
  const compared = await readComparedRows(byId.search)
  assert.deepEqual(pairsOf(compared), [
    ['a1', 'a2'],
    ['b1', null],
    ['c1', 'c1'],
    ['d1', 'd1'],
    ['e1', 'e1'],
  ])
  assert.deepEqual(compared.rows[0]?.candidates[0]?.repeats, ['a2', 'a3'])
  const byPosition = await readComparedRows((await compare([namedEvaluation, id], '&by=position')).search)
  assert.deepEqual(pairsOf(byPosition), [
    ['a1', 'c1'],
    ['b1', 'd1'],
    ['c1', 'e1'],
    ['d1', 'a2'],
    ['e1', null],
  ])

  await sendOk('POST', scenariosPath(id), [toBody({ id: 'b2', sample: 'b', scores: { exact: false } })])
  assert.deepEqual(idsOf(await readRows(id, 'group=row')), ['c1', 'd1', 'e1', 'a2', 'b2'])
})
