// GET /evaluations/{id}/summary: its figures are those of a plain computation over the scenarios, whatever they hold.
// RUNS=1000 for a campaign.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { EvaluationSummary } from '../../src/schema/summaries.ts'
import { fillCorpus } from '../corpus.ts'
import { type Declared, declared, type Row, scenario } from '../generated-evaluations.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { checkSummary } from '../summary-check.ts'
import { type Answer, ask, checkDocumented, checkProblem, schemaErrors } from '../wire.ts'

const RUNS = Number(process.env.RUNS ?? 25)

const store = await freshStore()
await fillCorpus(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const { base } = await serveStore(store)

async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const answer = await ask(base, path, { authorization: key, ...headers }, method)
  checkDocumented(path, answer, method)
  return answer
}

async function post(path: string, body: string): Promise<void> {
  const fields = { authorization: key, 'content-type': 'application/json' }
  const answer = await ask(base, path, fields, 'POST', body)
  assert.equal(answer.status, 201, answer.text)
}

async function summaryOf(id: string, query = ''): Promise<EvaluationSummary> {
  const answer = await get(`/api/evaluations/${id}/summary${query}`)
  assert.equal(answer.status, 200, answer.text)
  const summary = JSON.parse(answer.text)
  assert.deepEqual(schemaErrors('EvaluationSummary', summary), [])
  return summary
}

let made = 0
/** Scenarios are given as JSON, so that numbers may be out of a double's range. */
async function make(scenarios: string[], evaluators: Declared[] | null): Promise<string> {
  made += 1
  const id = `generated-${made}`
  await post('/api/evaluations', JSON.stringify({ id, evaluators }))
  await post(`/api/evaluations/${id}/evaluation_scenarios`, `[${scenarios.join(',')}]`)
  return id
}

test(`the figures of ${RUNS} generated evaluations are those of a plain computation`, async () => {
  const evaluation = fc.tuple(fc.array(scenario, { maxLength: 30 }), declared)
  await fc.assert(
    fc.asyncProperty(evaluation, async ([scenarios, declared]) => {
      const id = await make(scenarios, declared)
      const read = await get(`/api/evaluations/${id}/evaluation_scenarios`)
      const rows = JSON.parse(read.text) as Row[]
      checkSummary(await summaryOf(id), id, rows, declared ?? [])
      const pinned = rows.filter(({ is_pinned }) => is_pinned)
      checkSummary(await summaryOf(id, '?is_pinned=is.true'), id, rows, declared ?? [], pinned)
    }),
    { numRuns: RUNS, examples: [[[[], null]]] },
  )
})

describe('numbers at the ends of the range', () => {
  const cases: [name: string, numbers: string[], mean: number | null][] = [
    ['sums that would be too large', ['1.5e308', '1.5e308'], 1.5e308],
    ['differences that would be too large', ['-1.7e308', '1.7e308'], 0],
    ['large ones beside the smallest', ['1.7e308', '5e-324', '-5e-324', '0'], 1.7e308 / 4],
    ['the smallest alone', ['5e-324', '1e-323'], 1e-323],
    ['none in the range', ['1e400', '-1e400'], null],
    ['what rounding leaves is zero', ['0.1', '0.2', '0.3', '-0.1', '-0.2', '-0.3'], 0],
  ]
  for (const [name, numbers, mean] of cases) {
    test(name, async () => {
      const id = await make(
        numbers.map(
          (value) =>
            `{"outputs":[{"result":{"type":"text"},"cost":${value}}],"results":[{"evaluator_config":"e","result":{"type":"number","value":${value}}}]}`,
        ),
        null,
      )
      const { evaluators, cost } = await summaryOf(id)
      assert.equal(evaluators[0]?.mean, mean)
      assert.equal(cost.mean, mean)
      assert.equal(evaluators[0]?.unscored, mean === null ? 2 : 0)
    })
  }
})

test('error groups beyond the first 50 are counted, and come in order of their text', async () => {
  const name = (index: number) => String.fromCharCode(0x61 + Math.floor(index / 26), 0x61 + (index % 26))
  const id = await make(
    Array.from(
      { length: 60 },
      (_, index) =>
        `{"id":"s${index}","results":[{"evaluator_config":"e","result":{"type":"error","error":{"message":"no ${name(index)}"}}}]}`,
    ).toReversed(),
    null,
  )
  const { error_groups, error_group_count } = await summaryOf(id)
  assert.equal(error_group_count, 60)
  assert.deepEqual(
    error_groups,
    Array.from({ length: 50 }, (_, index) => ({
      group: `no ${name(index)}`,
      evaluator: 'e',
      count: 1,
      first: `s${index}`,
    })),
  )
})

test('each group of errors is found by a filter: as many rows as are counted, the first one first', async () => {
  const messages = [
    '',
    'a.b is at 100% of c&d=e',
    '💥 + 💥',
    'no\u0000\ud800',
    'eq.is.true',
    'HTTP 429',
    "can't",
  ]
  const evaluators = ['exact', 'a.b=c&d', 'é%', '']
  /** Failed in one of these ways, or not at all. */
  const result = (index: number, step: number) => {
    const message = messages[(index * step) % 11]
    return message === undefined ? { type: 'bool', value: true } : { type: 'error', error: { message } }
  }
  const scenarios = Array.from({ length: 40 }, (_, index) => ({
    outputs: [
      { result: { type: 'text', value: 'x' } },
      { result: result(index, 3) },
      { result: result(index, 5) },
    ],
    results: evaluators.map((name, place) => ({ evaluator_config: name, result: result(index, place + 1) })),
  }))
  const id = await make(
    scenarios.map((scenario) => JSON.stringify(scenario)),
    null,
  )
  const { error_groups } = await summaryOf(id)
  assert.equal(error_groups.length, messages.length * 5)
  for (const { group, evaluator, count, first } of error_groups) {
    const parameter = evaluator === null ? 'error' : `error.${evaluator}`
    const query = `?${new URLSearchParams({ [parameter]: `eq.${group}` })}`
    const found = JSON.parse((await get(`/api/evaluations/${id}/evaluation_scenarios${query}`)).text)
    assert.deepEqual([found.length, found[0]?.id], [count, first], query)
    assert.equal((await summaryOf(id, query)).matched, count)
  }
  assert.equal((await summaryOf(id, '?error=eq.HTTP%20429')).matched, 0, 'a message is no group')
})

test('an evaluator among a hundred has its own figures', async () => {
  const results = Array.from({ length: 120 }, (_, index) => ({
    evaluator_config: `e${index}`,
    result: { type: 'number', value: index },
  }))
  const id = await make(
    [JSON.stringify({ results })],
    [
      { name: 'e7', threshold: 7 },
      { name: 'e8', threshold: 9 },
    ],
  )
  const { evaluators } = await summaryOf(id)
  assert.deepEqual(
    evaluators.map(({ mean }) => mean),
    results.map(({ result }) => result.value),
  )
  assert.deepEqual([evaluators[7]?.passed, evaluators[8]?.passed, evaluators[9]?.passed], [1, 0, null])
})

test('the answer has a validator that changes with the evaluation, and HEAD has no body', async () => {
  const id = await make(['{}'], null)
  const path = `/api/evaluations/${id}/summary`
  const { etag = '' } = (await get(path)).headers
  assert.equal((await get(path, { 'if-none-match': etag })).status, 304)
  const head = await get(path, {}, 'HEAD')
  assert.deepEqual([head.status, head.headers.etag, head.bytes.length], [200, etag, 0])
  await post(`/api/evaluations/${id}/evaluation_scenarios`, '[{}]')
  const changed = await get(path, { 'if-none-match': etag })
  assert.equal(changed.status, 200)
  assert.equal(JSON.parse(changed.text).matched, 2)
})

describe('what is refused', () => {
  const refusals: [path: string, status: number, code: string][] = [
    ['/api/evaluations/none/summary', 404, 'evaluation-not-found'],
    ['/api/evaluations/foreign/summary', 403, 'access-denied'],
    ['/api/evaluations/full/summary?limit=1', 400, 'invalid-request'],
    ['/api/evaluations/full/summary?order=cost.desc', 400, 'invalid-request'],
    ['/api/evaluations/full/summary?latency=slow', 400, 'invalid-request'],
    ['/api/evaluations/full/summary?result.nobody=is.true', 400, 'invalid-request'],
    ['/api/evaluations/%zz/summary', 400, 'invalid-request'],
  ]
  for (const [path, status, code] of refusals) {
    test(`${path} ${status}`, async () => {
      checkProblem(await get(path), status, code)
    })
  }
  test('a key that may only write', async () => {
    const { key } = await mint(store, { scopes: ['write'] })
    checkProblem(await get('/api/evaluations/full/summary', { authorization: key }), 403, 'access-denied')
  })
})
