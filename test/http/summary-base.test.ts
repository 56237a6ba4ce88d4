// GET /evaluations/{id}/summary?base=: beside another evaluation, with the figures of a comparison of the two.
// RUNS=1000 for a campaign.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { ComparedEvaluator, Comparison } from '../../src/schema/comparisons.ts'
import type { EvaluationSummary } from '../../src/schema/summaries.ts'
import { fillCorpus } from '../corpus.ts'
import { scenario } from '../generated-evaluations.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { type Answer, ask, checkDocumented, checkProblem, schemaErrors } from '../wire.ts'

const RUNS = Number(process.env.RUNS ?? 15)

const store = await freshStore()
await fillCorpus(store)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const { base } = await serveStore(store)

async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await ask(base, path, { authorization: key, ...headers })
  checkDocumented(path, answer)
  return answer
}

async function read<Document>(path: string, schema: string): Promise<Document> {
  const { status, text } = await get(path)
  assert.equal(status, 200, text)
  const document = JSON.parse(text)
  assert.deepEqual(schemaErrors(schema, document), [])
  return document
}

async function send(id: string, scenarios: string): Promise<void> {
  const fields = { authorization: key, 'content-type': 'application/json' }
  const answer = await ask(base, `/api/evaluations/${id}/evaluation_scenarios`, fields, 'POST', scenarios)
  assert.equal(answer.status, 201, answer.text)
}

let made = 0
/** Scenarios as JSON; those at the same place have the same id. */
async function make(scenarios: string[]): Promise<string> {
  made += 1
  const id = `generated-${made}`
  const withIds = scenarios.map((scenario, place) => `{"id":"s${place}",${scenario.slice(1)}`)
  await send(id, `[${withIds.join(',')}]`)
  return id
}

/** What the comparison says of one thing, as the summary has it. */
function expected(compared: Omit<ComparedEvaluator, 'name' | 'higher_is_better' | 'p_value' | 'classes'>) {
  const { n, base_mean, delta, interval, outcome } = compared
  return { n, mean: base_mean, delta, interval, outcome }
}

test(`of ${RUNS} generated pairs the figures are those of the comparison`, async () => {
  const scenarios = fc.array(scenario, { maxLength: 15 })
  await fc.assert(
    fc.asyncProperty(scenarios, scenarios, async (before, behind) => {
      const ids = [await make(before), await make(behind)]
      const question = ids.map((id) => `evaluation=${id}`).join('&')
      const { join, candidates } = await read<Comparison>(`/api/comparisons?${question}`, 'Comparison')
      const summary = await read<EvaluationSummary>(
        `/api/evaluations/${ids[1]}/summary?base=${ids[0]}`,
        'EvaluationSummary',
      )
      const [candidate] = candidates
      assert.ok(candidate)
      const { matched, match_rate } = candidate
      const ran = { name: ids[0], variant_id: null, revision: null }
      assert.deepEqual(summary.base, { id: ids[0], ...ran, by: join.by, matched, match_rate })
      for (const { name, base } of summary.evaluators) {
        const compared = candidate.evaluators.find((one) => one.name === name) as ComparedEvaluator
        const { regressed, improved } = compared.classes
        assert.deepEqual(base, { ...expected(compared), regressed, improved })
      }
      for (const measured of ['cost', 'latency'] as const) {
        const { regressed, improved, ...rest } = summary[measured].base ?? assert.fail()
        assert.deepEqual(rest, expected(candidate[measured]))
        assert.ok(regressed + improved <= rest.n)
      }
      const { base: _, ...own } = summary
      const plain = await read<object>(`/api/evaluations/${ids[1]}/summary`, 'EvaluationSummary')
      assert.deepEqual(
        JSON.parse(JSON.stringify(own, (name, value) => (name === 'base' ? undefined : value))),
        plain,
      )
    }),
    { numRuns: RUNS },
  )
})

const scored = (value: number, is_pinned: boolean) =>
  `{"inputs":[],"outputs":[{"result":{"type":"text"},"cost":${value}}],"is_pinned":${is_pinned},"results":[{"evaluator_config":"e","result":{"type":"number","value":${value}}}]}`

test('of a part of the rows only their partners count', async () => {
  const ids = [
    await make([scored(1, true), scored(1, false), scored(1, false), scored(1, false)]),
    await make([scored(3, true), scored(0, true), scored(0, false), scored(4, true)]),
  ]
  const { evaluators, cost, base } = await read<EvaluationSummary>(
    `/api/evaluations/${ids[1]}/summary?base=${ids[0]}&is_pinned=is.true`,
    'EvaluationSummary',
  )
  const ran = { name: ids[0], variant_id: null, revision: null }
  assert.deepEqual(base, { id: ids[0], ...ran, by: 'id', matched: 4, match_rate: 1 })
  const { interval: _, ...rest } = evaluators[0]?.base ?? assert.fail()
  assert.deepEqual(rest, { n: 3, mean: 1, delta: 4 / 3, outcome: 'tied', regressed: 1, improved: 2 })
  assert.deepEqual([cost.base?.regressed, cost.base?.improved], [2, 1], 'of cost less is better')
  const worse = await read<EvaluationSummary>(
    `/api/evaluations/${ids[1]}/summary?base=${ids[0]}&delta.e=lt.0`,
    'EvaluationSummary',
  )
  assert.deepEqual([worse.matched, worse.evaluators[0]?.base?.regressed], [2, 2])
})

test('the validator, and how rows are paired, change with either of the two', async () => {
  const ids = [await make([scored(1, true)]), await make([scored(1, true)])]
  const path = `/api/evaluations/${ids[1]}/summary?base=${ids[0]}`
  for (const id of ids) {
    const { etag = '' } = (await get(path)).headers
    assert.equal((await get(path, { 'if-none-match': etag })).status, 304)
    await send(id, '[{"id":"later"}]')
    const { status, text } = await get(path, { 'if-none-match': etag })
    assert.equal(status, 200)
    assert.equal(JSON.parse(text).base.matched, id === ids[0] ? 1 : 2)
  }
})

describe('what is refused', () => {
  const refusals: [query: string, status: number, code: string][] = [
    ['base=none', 404, 'evaluation-not-found'],
    ['base=', 404, 'evaluation-not-found'],
    ['base=foreign', 403, 'access-denied'],
    ['base=full&base=empty', 400, 'invalid-request'],
  ]
  for (const [query, status, code] of refusals) {
    test(`${query} ${status}`, async () => {
      checkProblem(await get(`/api/evaluations/full/summary?${query}`), status, code)
    })
  }
})

test('an evaluation beside itself is tied throughout', async () => {
  const summary = await read<EvaluationSummary>(
    '/api/evaluations/full/summary?base=full',
    'EvaluationSummary',
  )
  for (const { base } of summary.evaluators) {
    assert.ok(base && base.regressed + base.improved === 0)
    assert.notEqual(base.outcome, 'worse')
  }
})
