// Tests GET /evaluations/{id}/agreement, checked against an agreement that is computed from the scenarios.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Agreement } from '../../../src/schema/analysis/agreements.ts'
import { sizes } from '../../sizes.ts'
import { checkAgreement } from '../../support/brute-force-agreement.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { type Declared, type Row, result, score, verdict } from '../../support/generated-evaluations.ts'
import { checkProblem } from '../../support/http.ts'
import { startReviewService } from '../../support/review-service.ts'

const RUNS = sizes.generated_evaluations

const service = await startReviewService(fillCorpus)
const { sendOk, get, readJson, createEvaluation, createReview, invite } = service

const NAMES = ['judge', 'human & co']

/** Creates an evaluation with the results of both evaluators in each row, as JSON texts. */
function createResults(results: (readonly string[])[], evaluators: Declared[] = []): Promise<string> {
  const scenarios = results.map((texts, row) => {
    const list = texts.map(
      (text, index) => `{"evaluator_config":${JSON.stringify(NAMES[index])},"result":${text}}`,
    )
    return `{"is_pinned":${row % 3 === 0},"results":[${list}]}`
  })
  return createEvaluation(scenarios, { evaluators })
}

function agreementPath(id: string, [evaluator, other]: string[] = NAMES, filter = ''): string {
  const query = new URLSearchParams({ evaluator: evaluator ?? '', with: other ?? '' })
  return `/api/evaluations/${id}/agreement?${query}${filter}`
}

function readAgreement(id: string, names = NAMES, filter = ''): Promise<Agreement> {
  return readJson(agreementPath(id, names, filter), 'Agreement')
}

const DISAGREE = NAMES.map((name) => `&disagree=${encodeURIComponent(name)}`).join('')

const toResult = (value: unknown) => `{"type":"json","value":${JSON.stringify(value)}}`

test(`returns the computed agreement of ${RUNS} generated evaluations`, async () => {
  const kind = fc.constantFrom(result, score, verdict)
  const declaration = fc.record(
    { higher_is_better: fc.boolean(), threshold: fc.constantFrom(0, 0.5, -3, 1, 1e308) },
    { requiredKeys: [] },
  )
  const rows = fc
    .tuple(kind, kind)
    .chain(([first, second]) => fc.array(fc.tuple(first, second), { maxLength: 40 }))
  await fc.assert(
    fc.asyncProperty(rows, declaration, declaration, async (results, ...declarations) => {
      const declared = declarations.map((one, index) => ({ name: NAMES[index] ?? '', ...one }))
      // The first row ensures that the evaluation has both evaluators.
      const id = await createResults([['{"type":"text"}', '{"type":"text"}'], ...results], declared)
      const rows: Row[] = await readJson(`/api/evaluations/${id}/evaluation_scenarios`)
      const agreement = await readAgreement(id)
      checkAgreement(agreement, rows, declared)
      checkAgreement(await readAgreement(id, NAMES.toReversed()), rows, declared)
      const { only_evaluator, only_with } = agreement.verdicts ?? { only_evaluator: 0, only_with: 0 }
      const disagreeing = await readAgreement(id, NAMES, DISAGREE)
      assert.deepEqual(disagreeing.rows, only_evaluator + only_with)
      assert.deepEqual(disagreeing.verdicts?.agreement ?? 0, 0)
      const pinnedRows = rows.filter(({ is_pinned }) => is_pinned)
      checkAgreement(await readAgreement(id, NAMES, '&is_pinned=is.true'), pinnedRows, declared)
    }),
    { numRuns: RUNS },
  )
})

test('returns the best threshold and no warning for enough rows', async () => {
  const results = Array.from({ length: 60 }, (_, row) => [toResult(row / 100), toResult(row >= 40)])
  const id = await createResults(results, [{ name: 'judge', threshold: 0.5 }])
  const { verdicts, best_threshold, numbers, warnings } = await readAgreement(id)
  assert.deepEqual(warnings, [])
  assert.equal(numbers, null)
  assert.deepEqual([verdicts?.both_pass, verdicts?.only_with, verdicts?.both_fail], [10, 10, 40])
  assert.deepEqual([best_threshold?.threshold, best_threshold?.kappa], [0.4, 1])
})

test('says how to declare a threshold, and counts the rows', async () => {
  const id = await createResults([
    [toResult(0.9), toResult(true)],
    [toResult(0.1), toResult(false)],
    [toResult(0.2), toResult('unclear')],
  ])
  const { verdicts, best_threshold, rows, n, warnings } = await readAgreement(id)
  assert.deepEqual([rows, n, verdicts, best_threshold?.threshold], [3, 2, null, 0.9])
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['no-threshold', 'few-rows'],
  )
  assert.match(warnings[0]?.detail ?? '', new RegExp(`^2 rows .*'judge'.* PATCH /evaluations/${id}\\.$`))
  assert.match(warnings[1]?.detail ?? '', /in 2 rows: with 'human & co', 1 pass and 1 fail/)
})

test('warns when one verdict is rare, even with many rows', async () => {
  const results = Array.from({ length: 200 }, (_, row) => [toResult(row % 2 === 0), toResult(row > 8)])
  const { warnings } = await readAgreement(await createResults(results))
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['few-rows'],
  )
  assert.match(warnings[0]?.detail ?? '', /200 rows: with 'human & co', 191 pass and 9 fail/)
})

test('has no best threshold if all rows have the same verdict', async () => {
  const id = await createResults([
    [toResult(1), toResult(true)],
    [toResult(2), toResult(true)],
  ])
  assert.equal((await readAgreement(id)).best_threshold, null)
})

test('compares the remaining rows after a row was deleted', async () => {
  const results = [true, 0.2, true, 0.7].map((value, row) => [toResult(value), toResult(row > 1)])
  const id = await createResults(results)
  assert.deepEqual((await readAgreement(id)).verdicts?.n, 2)
  const path = `/api/evaluations/${id}/evaluation_scenarios`
  const [first, ...rest] = JSON.parse((await get(path)).text) as (Row & { id: string })[]
  await sendOk('DELETE', `${path}/${first?.id}`)
  checkAgreement(await readAgreement(id), rest, [])
  checkAgreement(await readAgreement(id, NAMES, '&is_pinned=is.true'), rest.slice(-1), [])
})

/** 105 of 120 rows pass with the judge. Returns the id of the evaluation. */
const createJudged = () =>
  createEvaluation(
    Array.from({ length: 120 }, (_, row) => ({
      id: `row-${row}`,
      results: [{ evaluator_config: 'judge', result: { type: 'bool', value: row % 8 !== 0 } }],
    })),
  )

test('corrects the pass rate by the verdicts of people, and says when their rows are not a random sample', async () => {
  const id = await createJudged()
  const review = await createReview(id, { sample: { rows: 64, seed: 5 } })
  const maya = await invite(review, 'Maya')
  const names = ['judge', 'human_verdict']
  const read = async (filter = '') => {
    const { corrected_pass_rate, verdicts, warnings } = await readAgreement(id, names, filter)
    const found = warnings.find(({ code }) => code === 'not-a-random-sample')
    assert.equal(found === undefined, corrected_pass_rate === null || corrected_pass_rate.assumption_met)
    return { rate: corrected_pass_rate, verdicts, reason: found?.detail ?? '' }
  }
  const rows = (await maya.rows()).map(({ scenario_id }) => scenario_id)
  const answer = (row: string) => maya.put(row, Number(row.slice(4)) % 5 !== 1)
  for (const row of rows.slice(0, 29)) await answer(row)
  assert.equal((await read()).rate, null)
  for (const row of rows.slice(29, 63)) await answer(row)
  assert.match(
    (await read()).reason,
    /^The corrected .* 1 of the 64 rows of the review 'review-\d+' have no verdict/,
  )
  await answer(rows[63] ?? '')
  const { rate, verdicts } = await read()
  assert.ok(rate && verdicts)
  const { both_pass, only_evaluator, only_with, both_fail } = verdicts
  const share = (count: number, total: number) => count / (count + total)
  const expected = 0.875 * share(both_pass, only_evaluator) + 0.125 * share(only_with, both_fail)
  assert.ok(Math.abs(rate.corrected - expected) < 1e-11)
  const [low = 1, high = 0] = rate.interval
  assert.ok(low < expected && expected < high)
  assert.deepEqual([rate.rows, rate.passed, rate.pass_rate, rate.judged], [120, 105, 0.875, 64])
  assert.match((await read('&result.judge=is.true')).reason, /filters of this request/)

  const path = agreementPath(id, names)
  const { etag = '' } = (await get(path)).headers
  await sendOk('PATCH', `/api/reviews/${review}`, { sample: { rows: 40, seed: 5 } })
  assert.equal((await get(path, { 'if-none-match': etag })).status, 200)
  assert.match((await read()).reason, /24 rows with a verdict are not in the sample/)
  await sendOk('PATCH', `/api/reviews/${review}`, {
    sample: { rows: 64, seed: 5 },
    filters: { is_pinned: ['is.false'] },
  })
  assert.match((await read()).reason, /has only rows that match its filters/)
})

test('warns when the judge was changed after people had given verdicts', async () => {
  const id = await createEvaluation(
    Array.from({ length: 12 }, (_, row) => ({
      id: `row-${row}`,
      results: [
        { evaluator_config: 'judge', result: { type: 'number', value: row / 10 } },
        ...(row < 6 ? [{ evaluator_config: 'people', result: { type: 'bool', value: row > 3 } }] : []),
      ],
    })),
    {
      evaluators: [
        { name: 'judge', threshold: 0.5, model: 'gpt-4o' },
        { name: 'people', kind: 'human' },
      ],
    },
  )
  const declare = (judge: object) =>
    sendOk('PATCH', `/api/evaluations/${id}`, { evaluators: [{ name: 'judge', ...judge }] })
  const readStale = async (other: string) => {
    const { warnings } = await readAgreement(id, ['judge', other])
    return warnings.find(({ code }) => code === 'judge-changed')?.detail.replace(/\d{4}-\d\d-\d\d/, 'DATE')
  }
  const review = await createReview(id, {})
  const maya = await invite(review, 'Maya')
  assert.equal(await readStale('people'), undefined)
  // The review has no verdict yet, so this change cannot make its agreement stale.
  await declare({ threshold: 0.4, model: 'gpt-4o', kind: 'model' })
  assert.equal(
    await readStale('people'),
    "The threshold of 'judge' changed on DATE, after rows had verdicts of 'people'. The agreement can be different in other rows: judge new rows to confirm it.",
  )
  await maya.put('row-1', true)
  await maya.put('row-2', false)
  assert.equal(await readStale('human_verdict'), undefined)
  await declare({ threshold: 0.4, model: 'gpt-4.1', prompt: 'judge-v5' })
  await maya.put('row-3', true)
  assert.match(
    (await readStale('human_verdict')) ?? '',
    /^The model and prompt of 'judge' changed on DATE, after 2 of 3 rows had verdicts of 'human_verdict'\./,
  )
  assert.match((await readStale('people')) ?? '', /^The model, prompt, and threshold of/)
  // New verdicts of the same rows are about the present judge.
  await maya.put('row-1', false)
  await maya.put('row-2', true)
  assert.equal(await readStale('human_verdict'), undefined)
})

test('does not correct a pass rate if no row of one verdict is judged, and does not trust rows of unknown origin', async () => {
  const id = await createJudged()
  const addVerdicts = (rows: number[]) =>
    sendOk(
      'POST',
      `/api/evaluations/${id}/results`,
      rows.map((row) => ({
        scenario_id: `row-${row}`,
        evaluator_config: 'people',
        result: { type: 'bool', value: true },
      })),
    )
  const numbers = Array.from({ length: 120 }, (_, row) => row)
  await addVerdicts(numbers.filter((row) => row % 8 !== 0).slice(0, 40))
  const { corrected_pass_rate, warnings } = await readAgreement(id, ['judge', 'people'])
  assert.equal(corrected_pass_rate, null)
  const detail = warnings.find(({ code }) => code === 'unjudged-verdict')?.detail
  assert.match(detail ?? '', /^None of the 15 rows that fail with 'judge' has a verdict of 'people'/)
  await addVerdicts([0])
  const next = await readAgreement(id, ['judge', 'people'])
  assert.equal(next.corrected_pass_rate?.assumption_met, false)
  assert.match(next.warnings.at(-1)?.detail ?? '', /No review asks for 'people'/)
  await addVerdicts(numbers)
  assert.equal((await readAgreement(id, ['judge', 'people'])).corrected_pass_rate?.assumption_met, true)
})

test('returns an ETag that changes with the thresholds', async () => {
  const id = await createResults([[toResult(1), toResult(true)]])
  const path = agreementPath(id)
  const { etag = '' } = (await get(path)).headers
  await sendOk('PATCH', `/api/evaluations/${id}`, { evaluators: [{ name: 'judge', threshold: 1 }] })
  const response = await get(path, { 'if-none-match': etag })
  assert.equal(response.status, 200)
  assert.equal(JSON.parse(response.text).verdicts.both_pass, 1)
})

test('compares only the rows that differ from a baseline as the filter says, and its ETag changes with the baseline', async () => {
  const base = await createResults([0.1, 0.5, 0.9].map((number) => [toResult(number), toResult(true)]))
  const id = await createResults([0.2, 0.4, 1].map((number) => [toResult(number), toResult(true)]))
  const path = agreementPath(id, NAMES, `&delta.judge=gt.0&base=${base}`)
  const response = await get(path)
  assert.equal(JSON.parse(response.text).rows, 2)
  await sendOk('POST', `/api/evaluations/${base}/evaluation_scenarios`, '[{}]')
  assert.equal((await get(path, { 'if-none-match': response.headers.etag ?? '' })).status, 200)
})

describe('rejected agreement requests', () => {
  const cases: [path: string, status: number, code: string][] = [
    [agreementPath('none'), 404, 'evaluation-not-found'],
    [agreementPath('foreign'), 403, 'access-denied'],
    ['/api/evaluations/full/agreement', 400, 'invalid-request'],
    ['/api/evaluations/full/agreement?evaluator=exact', 400, 'invalid-request'],
    [agreementPath('full', ['exact', 'unknown']), 400, 'invalid-request'],
    [agreementPath('full', ['exact', 'exact']), 400, 'invalid-request'],
    [agreementPath('full', ['exact', 'similarity'], '&latency=slow'), 400, 'invalid-request'],
    [agreementPath('full', ['exact', 'similarity'], '&delta.similarity=lt.0'), 400, 'invalid-request'],
    [agreementPath('full', ['exact', 'similarity'], '&base=foreign'), 403, 'access-denied'],
  ]
  for (const [path, status, code] of cases) {
    test(`returns ${status} for ${path}`, async () => {
      checkProblem(await get(path), status, code)
      assert.equal((await get(path, {}, 'HEAD')).status, status)
    })
  }

  test('says that the evaluators must be different', async () => {
    const problem = checkProblem(await get(agreementPath('full', ['exact', 'exact'])), 400, 'invalid-request')
    assert.match(problem.detail ?? '', /^'evaluator' and 'with' are both 'exact'\./)
  })

  test('lists the evaluators that exist', async () => {
    const id = await createResults([[toResult(1), toResult(true)]])
    const { detail } = checkProblem(await get(agreementPath(id, ['judge', 'people'])), 400, 'invalid-request')
    assert.equal(detail, "The evaluation has no evaluator 'people'. It has 'judge', 'human & co'.")
  })
})
