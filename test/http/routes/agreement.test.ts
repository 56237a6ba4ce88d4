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
import { startWriteService } from '../../support/write-service.ts'

const RUNS = sizes.generated_evaluations

const { sendOk, get, readJson, createEvaluation } = await startWriteService(fillCorpus)

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
