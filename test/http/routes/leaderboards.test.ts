// Tests leaderboards over HTTP: which rows and evaluations count, ranks, changes, frontier, rows and errors.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Leaderboard, LeaderboardRows } from '../../../client/types.ts'
import { addKey } from '../../../src/store/access/keys.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, checkProblem, sendRequest } from '../../support/http.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const store = await createTestStore()
const { baseUrl } = await startTestService(store)
const { key: authorization } = await createTestKey(store, { scopes: ['read', 'write'] })

async function send(path: string, headers: Record<string, string> = {}) {
  const response = await sendRequest(baseUrl, path, { authorization, ...headers })
  checkDocumented(path, response)
  return response
}

async function read<Body>(path: string): Promise<Body> {
  const { status, text } = await send(path)
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

const select = (ids: string[]) => ids.map((id) => `evaluation=${id}`).join('&')
const rank = (ids: string[], query = '') => read<Leaderboard>(`/api/leaderboards?${select(ids)}${query}`)
const readRows = (ids: string[], query = '') =>
  read<LeaderboardRows>(`/api/leaderboards/rows?${select(ids)}${query}`)

interface Row {
  id?: string
  question?: string
  /** The result of `exact`: a verdict, a number, an error, or none. */
  exact?: boolean | number | 'error' | undefined
  cost?: number
  latency?: number
  failed?: boolean
}

function scenario({ id, question = id, exact, cost, latency, failed }: Row) {
  const result =
    exact === 'error'
      ? { type: 'error', error: { message: 'Timeout' } }
      : { type: typeof exact === 'boolean' ? 'bool' : 'number', value: exact }
  return {
    id,
    inputs: [{ name: 'question', type: 'text', value: question }],
    outputs: [
      {
        result: failed ? { type: 'error', error: { message: 'HTTP 500' } } : { type: 'text', value: 'x' },
        cost,
        latency,
      },
    ],
    results: exact === undefined ? [] : [{ evaluator_config: 'exact', result }],
  }
}

async function post(path: string, body: unknown): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' }
  const { status, text } = await sendRequest(baseUrl, path, headers, 'POST', JSON.stringify(body))
  assert.equal(status, 201, text)
}

async function add(id: string, rows: Row[], members: object = {}): Promise<void> {
  await post('/api/evaluations', { id, ...members })
  await post(scenariosPath(id), rows.map(scenario))
}

const ids = (count: number, prefix = 'r') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

/** The first `passes` of 60 rows pass. */
const passing = (passes: number, measures: Omit<Row, 'id' | 'exact'> = {}): Row[] =>
  ids(60).map((id, index) => ({ id, exact: index < passes, ...measures }))

await post('/api/variants', { id: 'bot' })
await add('fair', passing(42, { cost: 0.002, latency: 1 }), { variant_id: 'bot', name: 'Fair' })
await add('good', passing(55, { cost: 0.004, latency: 3 }), { variant_id: 'bot' })
await add('poor', passing(20, { cost: 0.003, latency: 0.5 }), { variant_id: 'bot' })
await add('best', passing(57, { latency: 4 }))

describe('a leaderboard', () => {
  test('sorts by the mean score, and its ranks are ranges', async () => {
    const { on, is_verdict, shared_rows, confidence, evaluations, warnings } = await rank([
      'fair',
      'good',
      'poor',
      'best',
    ])
    assert.deepEqual([on, is_verdict, shared_rows, warnings], ['exact', true, 60, []])
    assert.ok(Math.abs(confidence - (1 - 0.05 / 6)) < 1e-11)
    assert.deepEqual(
      evaluations.map(({ id, rank, mean }) => [id, rank, mean]),
      [
        ['best', [1, 2], 0.95],
        ['good', [1, 2], Number((55 / 60).toPrecision(12))],
        ['fair', [3, 3], 0.7],
        ['poor', [4, 4], Number((20 / 60).toPrecision(12))],
      ],
    )
  })

  test('has the paired change of each evaluation relative to the best one', async () => {
    const { evaluations } = await rank(['fair', 'good', 'poor', 'best'])
    const [best, good, fair] = evaluations
    assert.equal(best?.change, null)
    assert.deepEqual([good?.change?.outcome, fair?.change?.outcome], ['tied', 'worse'])
    assert.equal(fair?.change?.delta, -0.25)
    const [low = 0, high = 0] = fair?.change?.interval ?? []
    assert.ok(low < -0.25 && high > -0.25 && high < 0)
  })

  test('shows which evaluations are on the frontier of score against cost and latency', async () => {
    const { evaluations } = await rank(['fair', 'good', 'poor', 'best'])
    assert.deepEqual(
      evaluations.map(({ id, cost, latency }) => [
        id,
        cost.mean,
        cost.on_frontier,
        latency.p50,
        latency.on_frontier,
      ]),
      [
        ['best', null, null, 4, true],
        ['good', 0.004, true, 3, true],
        ['fair', 0.002, true, 1, true],
        ['poor', 0.003, false, 0.5, true],
      ],
    )
  })

  test('selects evaluations by the filters of their list', async () => {
    const { evaluations } = await read<Leaderboard>('/api/leaderboards?variant_id=eq.bot')
    assert.deepEqual(
      evaluations.map(({ id, variant_id }) => [id, variant_id]),
      [
        ['good', 'bot'],
        ['fair', 'bot'],
        ['poor', 'bot'],
      ],
    )
    assert.equal(evaluations[1]?.name, 'Fair')
  })

  test('with an evaluator for which lower is better has the lowest score first', async () => {
    const evaluators = [{ name: 'exact', higher_is_better: false }]
    await add(
      'low',
      ids(20).map((id, index) => ({ id, exact: index / 10 })),
      { evaluators },
    )
    await add(
      'high',
      ids(20).map((id, index) => ({ id, exact: 1 + index / 9 })),
      { evaluators },
    )
    const { evaluations, higher_is_better, is_verdict } = await rank(['high', 'low'])
    assert.deepEqual([higher_is_better, is_verdict], [false, false])
    assert.deepEqual(
      evaluations.map(({ id, rank, change }) => [id, rank, change?.outcome]),
      [
        ['low', [1, 1], undefined],
        ['high', [2, 2], 'worse'],
      ],
    )
  })
})

describe('the rows of a leaderboard', () => {
  test('count only if they have a score in all evaluations', async () => {
    await add('partial', [...passing(40).slice(0, 50), { id: 'other', exact: true }])
    await add('scored', [{ id: 'r0', exact: 'error' }, { id: 'r1', failed: true }, ...passing(40).slice(2)])
    const { shared_rows, evaluations, warnings } = await rank(['fair', 'partial', 'scored'])
    assert.equal(shared_rows, 48)
    const rate = (passes: number) => Number((passes / 48).toPrecision(12))
    assert.deepEqual(
      evaluations.map(({ id, mean, row_count }) => [id, mean, row_count]),
      [
        ['fair', rate(40), 60],
        ['partial', rate(38), 51],
        ['scored', rate(38), 60],
      ],
    )
    assert.deepEqual(
      warnings.map(({ code, evaluation, rows }) => [code, evaluation, rows]),
      [['rows-missing', 'partial', 12]],
    )
  })

  test('are matched by inputs if their ids do not match, and never by position', async () => {
    await add(
      'renamed',
      ids(60, 'x').map((id, index) => ({ id, question: `r${59 - index}`, exact: index < 5 })),
    )
    const { join, shared_rows } = await rank(['good', 'renamed'])
    assert.deepEqual([join.by, join.asked, shared_rows], ['input', 'auto', 60])
    await add(
      'unrelated',
      ids(60, 'y').map((id) => ({ id, exact: true })),
    )
    checkProblem(await send(`/api/leaderboards?${select(['good', 'unrelated'])}`), 422, 'nothing-to-rank')
    assert.equal((await rank(['good', 'unrelated'], '&by=position')).shared_rows, 60)
  })

  test('are matched by id in any order, and if other rows were uploaded in between', async () => {
    const rows = ids(12).map((id, index): Row => ({ id, exact: index / 16 }))
    await add('in-order', rows)
    await add('reversed', rows.toReversed())
    // Each row is far from the next one in the table.
    await add('scattered', [])
    await add('between', [])
    for (const [index, row] of rows.toReversed().entries()) {
      await post(scenariosPath('scattered'), [scenario(row)])
      await post(
        scenariosPath('between'),
        ids(20, `between-${index}-`).map((id) => scenario({ id })),
      )
    }
    const names = ['in-order', 'reversed', 'scattered']
    const { shared_rows, join } = await rank(names, '&on=exact')
    assert.deepEqual([shared_rows, join.by], [12, 'id'])
    for (const { row, spread, cells } of (await readRows(names, '&on=exact')).rows) {
      const score = rows.find(({ id }) => id === row.id)?.exact
      assert.equal(spread, 0)
      assert.deepEqual(
        cells.map((cell) => [cell.scenario, cell.score]),
        names.map(() => [row.id, score]),
      )
    }
  })

  test('with repeats have the mean of their repeats', async () => {
    const repeated = (passes: number) =>
      ids(12).flatMap((question, row) =>
        [0, 1, 2].map((repeat) => ({
          id: `${question}-${repeat}`,
          question,
          exact: 3 * row + repeat < passes,
        })),
      )
    await add('repeated', repeated(34))
    await add(
      'single',
      ids(12).map((id, index) => ({ id, question: id, exact: index < 6 })),
    )
    const { shared_rows, evaluations } = await rank(['repeated', 'single'])
    assert.equal(shared_rows, 12)
    assert.deepEqual(
      evaluations.map(({ id, mean }) => [id, mean]),
      [
        ['repeated', Number((34 / 36).toPrecision(12))],
        ['single', 0.5],
      ],
    )
  })

  test('are listed with their state in each evaluation, those that differ the most first', async () => {
    await add('x', [
      { id: 'same', exact: true },
      { id: 'differs', exact: true },
      { id: 'failed', failed: true },
      { id: 'judge', exact: 'error' },
      { id: 'unscored' },
      { id: 'gone', exact: false },
    ])
    await add('y', [
      { id: 'same', exact: true },
      { id: 'differs', exact: false },
      { id: 'failed', exact: false },
      { id: 'judge', exact: true },
      { id: 'unscored', exact: true },
    ])
    const { rows, total, shared_rows, evaluations } = await readRows(['y', 'x'])
    assert.deepEqual([evaluations, total, shared_rows], [['y', 'x'], 6, 2])
    assert.deepEqual(
      rows.map(({ row, spread, cells }) => [
        row.id,
        spread,
        ...cells.map(({ state, score }) => `${state} ${score}`),
      ]),
      [
        ['differs', 0.5, 'fail 0', 'pass 1'],
        ['same', 0, 'pass 1', 'pass 1'],
        ['failed', null, 'fail 0', 'error null'],
        ['judge', null, 'pass 1', 'error null'],
        ['unscored', null, 'pass 1', 'not-evaluated null'],
        ['gone', null, 'missing null', 'fail 0'],
      ],
    )
    assert.deepEqual(
      rows.at(-1)?.cells.map(({ scenario }) => scenario),
      [null, 'gone'],
    )
    const window = await readRows(['y', 'x'], '&offset=1&limit=2')
    assert.deepEqual([window.offset, window.rows.map(({ row }) => row.id)], [1, ['same', 'failed']])
  })

  test('are scored if the evaluator has no threshold, and mixed if repeats differ', async () => {
    const evaluators = [{ name: 'exact', threshold: 0.5 }]
    await add(
      'judged',
      [
        { id: 'a', exact: 0.7 },
        { id: 'b', exact: 0.2 },
      ],
      { evaluators },
    )
    await add('graded', [
      { id: 'a', exact: 0.7 },
      { id: 'b', exact: 0.2 },
    ])
    const graded = await readRows(['judged', 'graded'])
    assert.deepEqual(
      graded.rows.map(({ cells }) => cells.map(({ state }) => state)),
      [
        ['pass', 'scored'],
        ['fail', 'scored'],
      ],
    )
    const mixed = await readRows(['repeated', 'single'])
    assert.deepEqual(mixed.rows.find(({ row }) => row.id === 'r11-0')?.cells[0]?.state, 'mixed')
  })
})

describe('the evaluations of a leaderboard', () => {
  test('that lack the evaluator are not ranked, and a warning names them', async () => {
    await add(
      'unjudged',
      ids(60).map((id) => ({ id })),
    )
    const { evaluations, warnings } = await rank(['good', 'unjudged', 'fair'])
    assert.deepEqual(
      evaluations.map(({ id }) => id),
      ['good', 'fair'],
    )
    assert.deepEqual(
      warnings.map(({ code, evaluation }) => [code, evaluation]),
      [['evaluator-missing', 'unjudged']],
    )
    checkProblem(await send(`/api/leaderboards?${select(['good', 'unjudged'])}`), 422, 'nothing-to-rank')
  })

  test('that have other rows under the same ids are not ranked', async () => {
    await add(
      'other-set',
      ids(60).map((id) => ({ id, question: `other ${id}`, exact: true })),
    )
    const { evaluations, warnings } = await rank(['good', 'other-set', 'fair'], '&by=id')
    assert.deepEqual(
      evaluations.map(({ id }) => id),
      ['good', 'fair'],
    )
    assert.deepEqual(
      warnings.map(({ code, evaluation }) => [code, evaluation]),
      [['inputs-differ', 'other-set']],
    )
  })

  test('that are not finished are ranked with a warning', async () => {
    await add('running', passing(30), { status: 'running' })
    const { warnings } = await rank(['good', 'running'])
    assert.deepEqual(
      warnings.map(({ code, evaluation }) => [code, evaluation]),
      [['unfinished', 'running']],
    )
  })

  test('must be two to fifty, by id or by filters, and known', async () => {
    for (const query of [
      '',
      'evaluation=good',
      'evaluation=good&evaluation=good',
      'variant_id=eq.unknown',
      `${select(['good', 'fair'])}&variant_id=eq.bot`,
      `${select(['good', 'fair'])}&on=unknown`,
      `${select(['good', 'fair'])}&by=input.unknown`,
      select(ids(51)),
    ])
      checkProblem(await send(`/api/leaderboards?${query}`), 400, 'invalid-request')
    checkProblem(await send(`/api/leaderboards?${select(['good', 'unknown'])}`), 404, 'evaluation-not-found')
  })

  test('change the ETag', async () => {
    const path = `/api/leaderboards?${select(['good', 'growing'])}`
    await add('growing', passing(10))
    const { headers } = await send(path)
    const etag = headers.etag ?? ''
    assert.equal((await send(path, { 'if-none-match': etag })).status, 304)
    await post(scenariosPath('growing'), [scenario({ id: 'new', exact: true })])
    assert.equal((await send(path, { 'if-none-match': etag })).status, 200)
  })

  test('are only those of a share link', async () => {
    const link = { project: 'default', name: null, scopes: ['read'], expires_at: null } as const
    const confined_to = { comparison: ['good', 'fair'] }
    const { key } = await store.writer.transaction((transaction) =>
      addKey(transaction, { ...link, confined_to }),
    )
    const status = async (path: string) => (await sendRequest(baseUrl, path, { authorization: key })).status
    assert.equal(await status(`/api/leaderboards?${select(['good', 'fair'])}`), 200)
    assert.equal(await status(`/api/leaderboards/rows?${select(['good', 'fair'])}`), 200)
    assert.equal(await status(`/api/leaderboards?${select(['good', 'fair', 'poor'])}`), 403)
    assert.equal(await status('/api/leaderboards?variant_id=eq.bot'), 403)
  })
})
