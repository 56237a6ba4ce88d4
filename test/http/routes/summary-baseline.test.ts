// Tests GET /evaluations/{id}/summary?base=: statistics relative to a baseline, checked against GET /comparisons.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { ComparedEvaluator, Comparison, PairedStatistics } from '../../../src/schema/comparisons.ts'
import type { EvaluationSummary } from '../../../src/schema/summaries.ts'
import { sizes } from '../../sizes.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { scenario } from '../../support/generated-evaluations.ts'
import { checkProblem } from '../../support/http.ts'
import { scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const RUNS = sizes.generated_evaluations

const { sendOk, get, readJson, createEvaluation } = await startWriteService(fillCorpus)

/** Creates an evaluation from scenarios as JSON texts. Scenarios at the same index get the same id, and those of a row the same sample. */
function createRows(scenarios: string[], repeats = 1): Promise<string> {
  return createEvaluation(
    scenarios.map((scenario, index) => {
      const sample = `"extra":{"sample":"r${Math.floor(index / repeats)}"}`
      return `{"id":"s${index}",${scenario.slice(1).replace(/"extra":\{[^}]*\}/, sample)}`
    }),
  )
}

/** Converts statistics of the comparison to the form in the summary. */
function toSummaryStatistics({ n, base_mean, delta, interval, outcome, detectable }: PairedStatistics) {
  return { n, mean: base_mean, delta, interval, outcome, detectable }
}

test(`returns the statistics of the comparison for ${RUNS} generated pairs of evaluations`, async () => {
  const scenarios = fc.array(scenario, { maxLength: 30 })
  const repeats = fc.constantFrom(1, 3)
  await fc.assert(
    fc.asyncProperty(scenarios, scenarios, repeats, async (baselineRows, candidateRows, repeats) => {
      const ids = [await createRows(baselineRows, repeats), await createRows(candidateRows, repeats)]
      const search = ids.map((id) => `evaluation=${id}`).join('&')
      const { join, candidates } = (await readJson(`/api/comparisons?${search}`, 'Comparison')) as Comparison
      const summary = (await readJson(
        `/api/evaluations/${ids[1]}/summary?base=${ids[0]}`,
        'EvaluationSummary',
      )) as EvaluationSummary
      const [candidate] = candidates
      assert.ok(candidate)
      const { matched, match_rate, has_different_rows } = candidate
      const source = {
        name: ids[0],
        variant_id: null,
        revision: null,
        changed_parameters: null,
        chosen: null,
      }
      const joined = { by: join.by, matched, match_rate, has_different_rows }
      assert.deepEqual(summary.base, { id: ids[0], ...source, ...joined })
      for (const { name, base } of summary.evaluators) {
        const comparedEvaluator = candidate.evaluators.find(
          (evaluator) => evaluator.name === name,
        ) as ComparedEvaluator
        const { regressed, improved, unclear } = comparedEvaluator.classes
        assert.deepEqual(base, { ...toSummaryStatistics(comparedEvaluator), regressed, improved, unclear })
      }
      for (const column of ['cost', 'latency'] as const) {
        const { regressed, improved, unclear, ...rest } = summary[column].base ?? assert.fail()
        assert.deepEqual(rest, toSummaryStatistics(candidate[column]))
        assert.ok(regressed + improved + unclear <= rest.n)
      }
      const { base: _, ...ownSummary } = summary
      const summaryWithoutBaseline = (await readJson(
        `/api/evaluations/${ids[1]}/summary`,
        'EvaluationSummary',
      )) as object
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
    await createRows([
      scenarioWithScore(1, true),
      ...Array.from({ length: 6 }, () => scenarioWithScore(1, false)),
    ]),
    await createRows([
      scenarioWithScore(3, true),
      scenarioWithScore(0, true),
      scenarioWithScore(0, false),
      scenarioWithScore(4, true),
      ...[1, 0, 1].map((value) => scenarioWithScore(value, true)),
    ]),
  ]
  const { evaluators, cost, base } = (await readJson(
    `/api/evaluations/${ids[1]}/summary?base=${ids[0]}&is_pinned=is.true`,
    'EvaluationSummary',
  )) as EvaluationSummary
  const source = { name: ids[0], variant_id: null, revision: null, changed_parameters: null, chosen: null }
  const joined = { by: 'id', matched: 7, match_rate: 1, has_different_rows: false }
  assert.deepEqual(base, { id: ids[0], ...source, ...joined })
  const { interval, detectable, ...rest } = evaluators[0]?.base ?? assert.fail()
  const counts = { n: 6, regressed: 2, improved: 2, unclear: 0 }
  assert.deepEqual(rest, { mean: 1, delta: 0.5, outcome: 'tied', ...counts })
  // The differences 2, -1, 3, 0, -1 and 0 have a standard error of sqrt(13.5 / 5 / 6). The quantile of Student's t is 2.5706.
  assert.deepEqual(
    interval?.map((bound) => bound.toFixed(3)),
    [-1, 1].map((sign) => (0.5 + sign * 2.5706 * Math.sqrt(13.5 / 5 / 6)).toFixed(3)),
  )
  assert.ok(detectable !== null && detectable > 2.5706 * Math.sqrt(13.5 / 5 / 6))
  assert.deepEqual([cost.base?.regressed, cost.base?.improved], [2, 2], 'lower cost is better')
  const regressedSummary = (await readJson(
    `/api/evaluations/${ids[1]}/summary?base=${ids[0]}&delta.e=lt.0`,
    'EvaluationSummary',
  )) as EvaluationSummary
  assert.deepEqual([regressedSummary.matched, regressedSummary.evaluators[0]?.base?.regressed], [3, 3])
})

test('updates the ETag and the pairs when either evaluation changes', async () => {
  const ids = [await createRows([scenarioWithScore(1, true)]), await createRows([scenarioWithScore(1, true)])]
  const path = `/api/evaluations/${ids[1]}/summary?base=${ids[0]}`
  for (const id of ids) {
    const { etag = '' } = (await get(path)).headers
    assert.equal((await get(path, { 'if-none-match': etag })).status, 304)
    await sendOk('POST', scenariosPath(id), '[{"id":"later"}]')
    const { status, text } = await get(path, { 'if-none-match': etag })
    assert.equal(status, 200)
    assert.equal(JSON.parse(text).base.matched, id === ids[0] ? 1 : 2)
  }
})

describe('changed_parameters', () => {
  const addRevision = (parameters: object) =>
    sendOk('POST', '/api/variants/tuned/revisions', {
      modified_by: 'Ana',
      config: { config_name: 'c', parameters },
    })
  const createRun = async (revision: number | null, variant_id = 'tuned') => {
    const id = await createRows([scenarioWithScore(1, true)])
    await sendOk('PATCH', `/api/evaluations/${id}`, { variant_id, revision })
    return id
  }
  const path = (ids: string[]) => `/api/evaluations/${ids[1]}/summary?base=${ids[0]}`
  const readCount = async (ids: string[], headers = {}) => {
    const { text } = await get(path(ids), headers)
    return JSON.parse(text).base.changed_parameters
  }

  test('is the number of changes between the revisions of one variant, else null', async () => {
    await addRevision({ prompt: 'a', model: 'm', tools: [1, 2] })
    await addRevision({ prompt: 'b', model: 'm', tools: [1, 3] })
    const runs = [await createRun(1), await createRun(2)]
    const diff = JSON.parse((await get('/api/variants/tuned/revisions/1/diff/2')).text)
    assert.equal(diff.change_count, 2)
    assert.equal(await readCount(runs), 2)
    assert.equal(await readCount([runs[0] ?? '', await createRun(1)]), 0)
    assert.equal(await readCount([runs[0] ?? '', await createRun(null)]), null)
    assert.equal(await readCount([runs[0] ?? '', await createRun(1, 'full')]), null)
  })

  test('is null for a share link, which cannot read the variant', async () => {
    const comparison = [await createRun(1), await createRun(2)]
    const share = await sendOk('POST', '/api/shares', { confined_to: { comparison } })
    assert.equal(await readCount(comparison), 2)
    assert.equal(await readCount(comparison, { authorization: JSON.parse(share.text).key }), null)
  })

  test('changes the ETag when the variant is deleted and created again', async () => {
    const ids = [await createRun(1), await createRun(2)]
    const exported = JSON.parse((await get('/api/variants/tuned/revisions')).text) as object[]
    const counts: unknown[] = []
    let etag = ''
    for (const change of [
      async () => undefined,
      () => sendOk('DELETE', '/api/variants/tuned'),
      () => addRevision({ prompt: 'a' }),
      // Evaluations belong to the revisions that existed, so only these have a change.
      ...exported.map((body) => () => sendOk('POST', '/api/variants/tuned/revisions', body)),
    ]) {
      await change()
      const { status, headers, text } = await get(path(ids), { 'if-none-match': etag })
      counts.push(status === 304 ? 304 : JSON.parse(text).base.changed_parameters)
      etag = headers.etag ?? ''
    }
    assert.deepEqual(counts, [2, null, 304, 304, 2])
  })
})

describe('rejected baselines', () => {
  const cases: [query: string, status: number, code: string][] = [
    ['base=none', 404, 'evaluation-not-found'],
    ['base=foreign', 403, 'access-denied'],
    ['base=full&base=empty', 400, 'invalid-request'],
  ]
  for (const [query, status, code] of cases) {
    test(`returns ${status} for ?${query}`, async () => {
      checkProblem(await get(`/api/evaluations/full/summary?${query}`), status, code)
    })
  }
})

test('returns no regressions when an evaluation is its own baseline', async () => {
  const summary = (await readJson(
    '/api/evaluations/full/summary?base=full',
    'EvaluationSummary',
  )) as EvaluationSummary
  for (const { base } of summary.evaluators) {
    assert.ok(base && base.regressed + base.improved + base.unclear === 0)
    assert.equal(base.outcome, 'tied')
  }
})
