// Tests include=base in the lists of evaluations and revisions: scores with changes from the baseline, checked against
// GET /evaluations/{id}/summary?base= and GET /comparisons.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Comparison } from '../../../src/schema/comparisons.ts'
import type { Evaluation } from '../../../src/schema/evaluations.ts'
import type { VariantRevision } from '../../../src/schema/revisions.ts'
import { MAX_LIST_COMPARISON_ROWS } from '../../../src/schema/scores.ts'
import type { EvaluationSummary } from '../../../src/schema/summaries.ts'
import { sizes } from '../../sizes.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { declared, scenario } from '../../support/generated-evaluations.ts'
import { checkProblem, schemaErrors } from '../../support/http.ts'
import { revisionBody, revisionsPath, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const RUNS = sizes.generated_evaluations

const { store, sendOk, get, readJson } = await startWriteService(fillCorpus)

let evaluationCount = 0
/** Creates an evaluation that has its id as its name, with scenarios as JSON texts. */
async function createEvaluation(members: object, scenarios: string[]): Promise<string> {
  evaluationCount += 1
  const id = `generated-${evaluationCount}`
  await sendOk('POST', '/api/evaluations', { id, name: id, ...members })
  await sendOk('POST', scenariosPath(id), `[${scenarios}]`)
  return id
}

/** Scenarios at the same index have the same id and sample. */
const withId = (scenario: string, index: number) =>
  `{"id":"s${index}",${scenario.slice(1).replace(/"sample":"[^"]*"/, `"sample":"s${index}"`)}`
/** Scenarios are grouped by their inputs and expected answers. */
const withoutSample = (scenario: string) => scenario.replace(/"sample":"[^"]*"/, '')

const listPath = (id: string, include = 'scores,base') => `/api/evaluations?include=${include}&name=eq.${id}`

/** The scores in the list of evaluations. */
async function readScores(id: string, include?: string) {
  const [evaluation]: Evaluation[] = await readJson(listPath(id, include))
  assert.ok(evaluation?.scores)
  assert.deepEqual(schemaErrors('Evaluation', evaluation), [])
  return evaluation.scores
}

function omitBase(value: unknown): unknown {
  const text = JSON.stringify(value, (name, member) =>
    name === 'base' || name === 'largest_regression' ? undefined : member,
  )
  return JSON.parse(text)
}

interface RegressedRows {
  rows: { candidates: { row: { id: string } }[] }[]
}

test(`returns the statistics of summary and comparison for ${RUNS} generated pairs of evaluations`, async () => {
  await sendOk('POST', revisionsPath('generated'), revisionBody())
  const scenarios = fc.array(scenario, { minLength: 1, maxLength: 15 })
  await fc.assert(
    // Without ids, rows are paired by their inputs, and scenarios with the same inputs and answers are repeats.
    fc.asyncProperty(
      scenarios,
      scenarios,
      declared,
      declared,
      fc.boolean(),
      async (rows, others, ...rest) => {
        const [evaluators, otherEvaluators, hasIds] = rest
        const texts = (list: string[]) => list.map(hasIds ? withId : withoutSample)
        const baseline = await createEvaluation({ evaluators }, texts(rows))
        const id = await createEvaluation(
          { evaluators: otherEvaluators, baseline_id: baseline, variant_id: 'generated', revision: 1 },
          texts(others),
        )
        const scores = await readScores(id)
        assert.deepEqual(omitBase(scores), await readScores(id, 'scores'))

        const summary: EvaluationSummary = await readJson(`/api/evaluations/${id}/summary?base=`)
        const { changed_parameters: _, ...base } = summary.base ?? assert.fail()
        assert.deepEqual(scores.base, base)
        assert.deepEqual(
          scores.evaluators.map(({ name, base }) => [name, base]),
          summary.evaluators.map(({ name, base }) => [name, base]),
        )
        assert.deepEqual([scores.cost.base, scores.latency.base], [summary.cost.base, summary.latency.base])

        const pair = `evaluation=${baseline}&evaluation=${id}`
        const { join, candidates }: Comparison = await readJson(`/api/comparisons?${pair}`)
        assert.equal(scores.base?.by, join.by)
        for (const { name, base, largest_regression } of scores.evaluators) {
          const compared = candidates[0]?.evaluators.find((evaluator) => evaluator.name === name)
          assert.deepEqual(
            [
              base?.n,
              base?.mean,
              base?.delta,
              base?.interval,
              base?.outcome,
              base?.regressed,
              base?.improved,
              ...[base?.unclear, base?.detectable],
            ],
            [
              ...[compared?.n, compared?.base_mean, compared?.delta, compared?.interval, compared?.outcome],
              ...[compared?.classes.regressed, compared?.classes.improved],
              ...[compared?.classes.unclear, compared?.detectable],
            ],
          )
          const query = `${pair}&show=regressed&limit=1&on=${encodeURIComponent(name)}`
          const first = ((await readJson(`/api/comparisons/rows?${query}`)) as RegressedRows).rows[0]
          assert.equal(largest_regression, first?.candidates[0]?.row.id ?? null, name)
        }
      },
    ),
    { numRuns: RUNS },
  )
  const path = `${revisionsPath('generated')}?include=evaluations,base`
  const [revision]: VariantRevision[] = await readJson(path)
  assert.deepEqual(schemaErrors('VariantRevision', revision), [])
  assert.ok(revision?.evaluations && revision.evaluations.length >= RUNS)
  for (const { id, scores } of revision.evaluations)
    assert.equal(JSON.stringify(scores), JSON.stringify(await readScores(id)))
})

const scored = (value: number, id = 'a') =>
  `{"id":"${id}","outputs":[{"result":{"type":"text"},"cost":${value}}],"results":[{"evaluator_config":"e","result":{"type":"number","value":${value}}}]}`

/** An evaluation and its baseline, with one row each. */
async function createPair(members: object = {}): Promise<{ id: string; baseline: string }> {
  const baseline = await createEvaluation({}, [scored(1)])
  return { baseline, id: await createEvaluation({ baseline_id: baseline, ...members }, [scored(0.25)]) }
}

test('returns the scenario with the largest regression, the first one of equal regressions', async () => {
  const baseline = await createEvaluation(
    {},
    ['a', 'b', 'c', 'd'].map((id) => scored(1, id)),
  )
  const rows = [scored(0.5, 'a'), scored(3, 'b'), scored(0.25, 'd'), scored(0.25, 'c')]
  const readLargest = async (id: string) => (await readScores(id)).evaluators[0]?.largest_regression
  const id = await createEvaluation({ baseline_id: baseline }, rows)
  assert.equal(await readLargest(id), 'c', 'in the order of the baseline')
  await sendOk('PATCH', `/api/evaluations/${id}`, { evaluators: [{ name: 'e', higher_is_better: false }] })
  assert.equal(await readLargest(id), 'b', 'lower is better')
  assert.equal(await readLargest(await createEvaluation({ baseline_id: id }, rows)), null)
})

describe('include', () => {
  test('accepts base alone and in any order', async () => {
    const { id } = await createPair()
    const expected = (await get(listPath(id))).text
    assert.ok(expected.includes('"base":'))
    for (const include of ['base', 'base,scores'])
      assert.equal((await get(listPath(id, include))).text, expected)
    const path = `${revisionsPath('generated')}?include=`
    const revisions = (await get(`${path}evaluations,base`)).text
    for (const include of ['base', 'base,evaluations'])
      assert.equal((await get(`${path}${include}`)).text, revisions)
  })

  test('returns 400 for other values', async () => {
    for (const include of ['base,base', 'scores,base,scores', 'base,', 'evaluations,base'])
      checkProblem(await get(`/api/evaluations?include=${include}`), 400, 'invalid-request')
    checkProblem(await get('/api/variants?include=base'), 400, 'invalid-request')
    checkProblem(await get(`${revisionsPath('full')}?include=scores,base`), 400, 'invalid-request')
  })
})

describe('evaluations without changes from a baseline', () => {
  const hasNoBase = async (id: string) =>
    assert.equal((await get(listPath(id))).text, (await get(listPath(id, 'scores'))).text)

  test('an evaluation without a baseline, or that is its own baseline', async () => {
    const id = await createEvaluation({}, [scored(1)])
    await hasNoBase(id)
    await sendOk('PATCH', `/api/evaluations/${id}`, { baseline_id: id })
    await hasNoBase(id)
  })

  test('an evaluation whose baseline does not exist, is of another project or was deleted', async () => {
    for (const baseline_id of ['none', 'foreign'])
      await hasNoBase(await createEvaluation({ baseline_id }, [scored(1)]))
    const { id, baseline } = await createPair()
    assert.ok((await readScores(id)).base)
    await sendOk('DELETE', `/api/evaluations/${baseline}`)
    await hasNoBase(id)
  })

  test('evaluations without scenarios, and baselines without scenarios', async () => {
    const { id, baseline } = await createPair()
    for (const evaluation of [id, baseline]) {
      await sendOk('DELETE', `${scenariosPath(evaluation)}/a`)
      await hasNoBase(id)
      await sendOk('POST', scenariosPath(evaluation), `[${scored(0.5)}]`)
      assert.equal((await readScores(id)).base?.matched, 1)
    }
  })

  test(`evaluations with more than ${MAX_LIST_COMPARISON_ROWS} rows together with their baseline`, async () => {
    const { id, baseline } = await createPair()
    const rows = Array.from({ length: MAX_LIST_COMPARISON_ROWS / 2 - 1 }, (_, index) => `{"id":"r${index}"}`)
    for (const evaluation of [baseline, id]) await sendOk('POST', scenariosPath(evaluation), `[${rows}]`)
    assert.equal((await readScores(id)).base?.matched, MAX_LIST_COMPARISON_ROWS / 2)
    await sendOk('POST', scenariosPath(baseline), '[{"id":"one more"}]')
    await hasNoBase(id)
  })
})

test('a share link of a variant shows no changes from baselines', async () => {
  await sendOk('POST', revisionsPath('shared-history'), revisionBody())
  const { id, baseline } = await createPair({ variant_id: 'shared-history', revision: 1 })
  const share = await sendOk('POST', '/api/shares', { confined_to: { variant_id: 'shared-history' } })
  const path = `${revisionsPath('shared-history')}?include=`
  const { text } = await get(`${path}evaluations,base`, { authorization: JSON.parse(share.text).key })
  assert.ok(text.includes(id) && !text.includes(baseline) && !text.includes('"base"'))
  assert.equal(text, (await get(`${path}evaluations`)).text)
  assert.ok((await get(`${path}evaluations,base`)).text.includes(baseline))
})

test('updates the ETag and the changes when the evaluation or its baseline changes', async () => {
  const { id, baseline } = await createPair()
  const path = listPath(id)
  let { headers } = await get(path)
  const readChanged = async () => {
    const response = await get(path, { 'if-none-match': headers.etag ?? '' })
    assert.equal(response.status, 200, 'the ETag changed')
    headers = response.headers
    assert.equal((await get(path, { 'if-none-match': headers.etag ?? '' })).status, 304)
    return JSON.parse(response.text)[0].scores
  }
  await sendOk('POST', scenariosPath(baseline), `[${scored(1, 'b')}]`)
  assert.equal((await readChanged()).base.matched, 1)
  await sendOk('POST', scenariosPath(id), `[${scored(0.5, 'b')}]`)
  const { base, evaluators } = await readChanged()
  assert.deepEqual([base.matched, evaluators[0].base.delta], [2, -0.625])
  await sendOk('PATCH', `/api/evaluations/${baseline}`, { name: 'renamed' })
  assert.equal((await readChanged()).base.name, 'renamed')
  await sendOk('PATCH', `/api/evaluations/${baseline}`, {
    evaluators: [{ name: 'e', higher_is_better: false }],
  })
  assert.deepEqual((await readChanged()).evaluators[0].base.improved, 2)
  await sendOk('DELETE', `/api/evaluations/${baseline}`)
  assert.equal((await readChanged()).base, undefined)
})

test('compares each pair of versions once', async () => {
  const path = '/api/evaluations?include=scores,base'
  const { text } = await get(path)
  const history = await get(`${revisionsPath('generated')}?include=base`)
  await store.writer.transaction(async (transaction) => {
    for (const table of ['measure', 'result']) await transaction.run(`DELETE FROM ${table}`)
  })
  assert.equal((await get(path)).text, text)
  assert.equal((await get(`${revisionsPath('generated')}?include=base`)).text, history.text)
})
