// Tests GET /evaluations/{id}/summary?base=: statistics relative to a baseline, checked against GET /comparisons.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { ComparedEvaluator, Comparison } from '../../../src/schema/comparisons.ts'
import type { EvaluationSummary } from '../../../src/schema/summaries.ts'
import { sizes } from '../../sizes.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { scenario } from '../../support/generated-evaluations.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import {
  checkDocumented,
  checkProblem,
  type HttpResponse,
  schemaErrors,
  sendRequest,
} from '../../support/http.ts'

const RUNS = sizes.generated_evaluations

const store = await createTestStore()
await fillCorpus(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const { baseUrl } = await startTestService(store)

async function sendGet(path: string, headers: Record<string, string> = {}): Promise<HttpResponse> {
  const response = await sendRequest(baseUrl, path, { authorization: key, ...headers })
  checkDocumented(path, response)
  return response
}

async function read<Document>(path: string, schema: string): Promise<Document> {
  const { status, text } = await sendGet(path)
  assert.equal(status, 200, text)
  const document = JSON.parse(text)
  assert.deepEqual(schemaErrors(schema, document), [])
  return document
}

async function appendScenarios(id: string, scenarios: string): Promise<void> {
  const headers = { authorization: key, 'content-type': 'application/json' }
  const response = await sendRequest(
    baseUrl,
    `/api/evaluations/${id}/evaluation_scenarios`,
    headers,
    'POST',
    scenarios,
  )
  assert.equal(response.status, 201, response.text)
}

let evaluationCount = 0
/** Creates an evaluation from scenarios as JSON texts. Scenarios at the same index get the same id. */
async function createEvaluation(scenarios: string[]): Promise<string> {
  evaluationCount += 1
  const id = `generated-${evaluationCount}`
  const withIds = scenarios.map((scenario, index) => `{"id":"s${index}",${scenario.slice(1)}`)
  await appendScenarios(id, `[${withIds.join(',')}]`)
  return id
}

/** Converts statistics of the comparison to the form in the summary. */
function toSummaryStatistics(
  statistics: Omit<ComparedEvaluator, 'name' | 'higher_is_better' | 'p_value' | 'classes'>,
) {
  const { n, base_mean, delta, interval, outcome } = statistics
  return { n, mean: base_mean, delta, interval, outcome }
}

test(`returns the statistics of the comparison for ${RUNS} generated pairs of evaluations`, async () => {
  const scenarios = fc.array(scenario, { maxLength: 15 })
  await fc.assert(
    fc.asyncProperty(scenarios, scenarios, async (baselineRows, candidateRows) => {
      const ids = [await createEvaluation(baselineRows), await createEvaluation(candidateRows)]
      const search = ids.map((id) => `evaluation=${id}`).join('&')
      const { join, candidates } = await read<Comparison>(`/api/comparisons?${search}`, 'Comparison')
      const summary = await read<EvaluationSummary>(
        `/api/evaluations/${ids[1]}/summary?base=${ids[0]}`,
        'EvaluationSummary',
      )
      const [candidate] = candidates
      assert.ok(candidate)
      const { matched, match_rate } = candidate
      const source = { name: ids[0], variant_id: null, revision: null }
      assert.deepEqual(summary.base, { id: ids[0], ...source, by: join.by, matched, match_rate })
      for (const { name, base } of summary.evaluators) {
        const comparedEvaluator = candidate.evaluators.find(
          (evaluator) => evaluator.name === name,
        ) as ComparedEvaluator
        const { regressed, improved } = comparedEvaluator.classes
        assert.deepEqual(base, { ...toSummaryStatistics(comparedEvaluator), regressed, improved })
      }
      for (const column of ['cost', 'latency'] as const) {
        const { regressed, improved, ...rest } = summary[column].base ?? assert.fail()
        assert.deepEqual(rest, toSummaryStatistics(candidate[column]))
        assert.ok(regressed + improved <= rest.n)
      }
      const { base: _, ...ownSummary } = summary
      const summaryWithoutBaseline = await read<object>(
        `/api/evaluations/${ids[1]}/summary`,
        'EvaluationSummary',
      )
      assert.deepEqual(
        JSON.parse(JSON.stringify(ownSummary, (name, value) => (name === 'base' ? undefined : value))),
        summaryWithoutBaseline,
      )
    }),
    { numRuns: RUNS },
  )
})

const scenarioWithScore = (value: number, is_pinned: boolean) =>
  `{"inputs":[],"outputs":[{"result":{"type":"text"},"cost":${value}}],"is_pinned":${is_pinned},"results":[{"evaluator_config":"e","result":{"type":"number","value":${value}}}]}`

test('compares only the filtered rows and their pairs', async () => {
  const ids = [
    await createEvaluation([
      scenarioWithScore(1, true),
      scenarioWithScore(1, false),
      scenarioWithScore(1, false),
      scenarioWithScore(1, false),
    ]),
    await createEvaluation([
      scenarioWithScore(3, true),
      scenarioWithScore(0, true),
      scenarioWithScore(0, false),
      scenarioWithScore(4, true),
    ]),
  ]
  const { evaluators, cost, base } = await read<EvaluationSummary>(
    `/api/evaluations/${ids[1]}/summary?base=${ids[0]}&is_pinned=is.true`,
    'EvaluationSummary',
  )
  const source = { name: ids[0], variant_id: null, revision: null }
  assert.deepEqual(base, { id: ids[0], ...source, by: 'id', matched: 4, match_rate: 1 })
  const { interval: _, ...rest } = evaluators[0]?.base ?? assert.fail()
  assert.deepEqual(rest, { n: 3, mean: 1, delta: 1.33333333333, outcome: 'tied', regressed: 1, improved: 2 })
  assert.deepEqual([cost.base?.regressed, cost.base?.improved], [2, 1], 'lower cost is better')
  const regressedSummary = await read<EvaluationSummary>(
    `/api/evaluations/${ids[1]}/summary?base=${ids[0]}&delta.e=lt.0`,
    'EvaluationSummary',
  )
  assert.deepEqual([regressedSummary.matched, regressedSummary.evaluators[0]?.base?.regressed], [2, 2])
})

test('updates the ETag and the pairs when either evaluation changes', async () => {
  const ids = [
    await createEvaluation([scenarioWithScore(1, true)]),
    await createEvaluation([scenarioWithScore(1, true)]),
  ]
  const path = `/api/evaluations/${ids[1]}/summary?base=${ids[0]}`
  for (const id of ids) {
    const { etag = '' } = (await sendGet(path)).headers
    assert.equal((await sendGet(path, { 'if-none-match': etag })).status, 304)
    await appendScenarios(id, '[{"id":"later"}]')
    const { status, text } = await sendGet(path, { 'if-none-match': etag })
    assert.equal(status, 200)
    assert.equal(JSON.parse(text).base.matched, id === ids[0] ? 1 : 2)
  }
})

describe('rejected baselines', () => {
  const cases: [query: string, status: number, code: string][] = [
    ['base=none', 404, 'evaluation-not-found'],
    ['base=', 404, 'evaluation-not-found'],
    ['base=foreign', 403, 'access-denied'],
    ['base=full&base=empty', 400, 'invalid-request'],
  ]
  for (const [query, status, code] of cases) {
    test(`returns ${status} for ?${query}`, async () => {
      checkProblem(await sendGet(`/api/evaluations/full/summary?${query}`), status, code)
    })
  }
})

test('returns no regressions when an evaluation is its own baseline', async () => {
  const summary = await read<EvaluationSummary>(
    '/api/evaluations/full/summary?base=full',
    'EvaluationSummary',
  )
  for (const { base } of summary.evaluators) {
    assert.ok(base && base.regressed + base.improved === 0)
    assert.notEqual(base.outcome, 'worse')
  }
})
