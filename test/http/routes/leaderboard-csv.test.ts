// Tests leaderboards and their rows as CSV.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Leaderboard } from '../../../client/types.ts'
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

async function readCsv(
  path: string,
  headers: Record<string, string> = {},
): Promise<Record<string, string>[]> {
  const { status, text, headers: received } = await send(path, headers)
  assert.equal(status, 200, text)
  assert.equal(received['content-type'], 'text/csv; charset=utf-8')
  return parse(text, { columns: true })
}

async function post(path: string, body: unknown): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' }
  const { status, text } = await sendRequest(baseUrl, path, headers, 'POST', JSON.stringify(body))
  assert.equal(status, 201, text)
}

/** The first `passes` of 60 rows pass. */
async function add(id: string, passes: number, name: string | null = null): Promise<void> {
  await post('/api/evaluations', { id, name })
  const scenario = (row: number) => ({
    id: `r${row}`,
    inputs: [{ name: 'question', type: 'text', value: `Question "${row}",\nplease` }],
    outputs: [{ result: { type: 'text', value: 'x' }, latency: passes }],
    results: [{ evaluator_config: 'exact', result: { type: 'bool', value: row < passes } }],
  })
  await post(
    scenariosPath(id),
    Array.from({ length: 60 }, (_, row) => scenario(row)),
  )
}

await add('fair', 42, '=1+1')
await add('good', 55)
await add('best', 57)
const BOARD = '/api/leaderboards?evaluation=fair&evaluation=good&evaluation=best'
const ROWS = '/api/leaderboards/rows?evaluation=fair&evaluation=best'

/** The same cells from JSON. A period separates the name of a member and that of its part. */
function toCells(value: unknown, name = ''): Record<string, string> {
  if (value === null || typeof value !== 'object') return { [name]: String(value ?? '') }
  const cells = Object.entries(value).map(([part, child]) =>
    toCells(child, [name, part].filter(Boolean).join('.')),
  )
  return Object.assign({}, ...cells)
}

test('a leaderboard has a line for each evaluation, with the statistics of JSON', async () => {
  const { evaluations } = JSON.parse((await send(BOARD)).text) as Leaderboard
  const lines = await readCsv(`${BOARD}&format=csv`)
  assert.deepEqual(await readCsv(BOARD, { accept: 'text/csv' }), lines)
  assert.equal(lines.length, 3)
  for (const [index, { rank, interval, change, ...members }] of evaluations.entries()) {
    const { interval: ofChange, ...changes } = { delta: null, outcome: null, detectable: null, ...change }
    const expected = toCells({
      ...members,
      rank: { best: rank[0], worst: rank[1] },
      interval: { low: interval?.[0], high: interval?.[1] },
      change: { ...changes, low: ofChange?.[0], high: ofChange?.[1] },
    })
    assert.deepEqual(lines[index], expected)
  }
})

test('rows have their state and score in each evaluation', async () => {
  assert.deepEqual(
    await readCsv(`${ROWS}&limit=2&offset=14&format=csv`),
    [
      ['r56', '0.5', 'fail', '0', 'pass', '1'],
      ['r0', '0', 'pass', '1', 'pass', '1'],
    ].map(([id, spread, fair, fairScore, best, bestScore]) => ({
      id,
      'input.question': `Question "${id?.slice(1)}",\nplease`,
      spread,
      'state.fair': fair,
      'score.fair': fairScore,
      'state.best': best,
      'score.best': bestScore,
    })),
  )
})

test('with csv=excel, no cell begins like a formula', async () => {
  const cellsOf = async (query: string) => {
    const line = (await readCsv(`${BOARD}&format=csv${query}`))[2]
    return [line?.name, line?.['change.delta']]
  }
  assert.deepEqual(await cellsOf(''), ['=1+1', '-0.25'])
  assert.deepEqual(await cellsOf('&csv=excel'), ["'=1+1", "'-0.25"])
  checkProblem(await send(`${BOARD}&csv=excel`), 400, 'invalid-request')
})

test('NDJSON is not a format of leaderboards', async () => {
  checkProblem(await send(`${BOARD}&format=ndjson`), 400, 'invalid-request')
  checkProblem(await send(BOARD, { accept: 'application/x-ndjson' }), 406, 'not-acceptable')
})

test('the ETag of CSV differs from that of JSON', async () => {
  const etagOf = async (path: string) => (await send(path)).headers.etag ?? ''
  const etag = await etagOf(`${BOARD}&format=csv`)
  assert.notEqual(etag, await etagOf(BOARD))
})
