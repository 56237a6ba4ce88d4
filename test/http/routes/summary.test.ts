// Tests GET /evaluations/{id}/summary, checked against a summary computed from the scenarios.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { EvaluationSummary } from '../../../src/schema/summaries.ts'
import { sizes } from '../../sizes.ts'
import { checkSummary } from '../../support/brute-force-summary.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { declared, type Row, scenario } from '../../support/generated-evaluations.ts'
import { checkProblem } from '../../support/http.ts'
import { startWriteService } from '../../support/write-service.ts'

const RUNS = sizes.generated_evaluations

const { sendOk, get, readJson, createEvaluation } = await startWriteService(fillCorpus)

function readSummary(id: string, query = ''): Promise<EvaluationSummary> {
  return readJson(`/api/evaluations/${id}/summary${query}`, 'EvaluationSummary')
}

test(`returns the computed statistics of ${RUNS} generated evaluations`, async () => {
  const evaluation = fc.tuple(fc.array(scenario, { maxLength: 30 }), declared)
  await fc.assert(
    fc.asyncProperty(evaluation, async ([scenarios, declared]) => {
      const id = await createEvaluation(scenarios, { evaluators: declared })
      const rows: Row[] = await readJson(`/api/evaluations/${id}/evaluation_scenarios`)
      checkSummary(await readSummary(id), id, rows, declared ?? [])
      const pinnedRows = rows.filter(({ is_pinned }) => is_pinned)
      checkSummary(await readSummary(id, '?is_pinned=is.true'), id, rows, declared ?? [], pinnedRows)
    }),
    { numRuns: RUNS, examples: [[[[], null]]] },
  )
})

describe('numbers at the limits of a double', () => {
  const cases: [title: string, numbers: string[], mean: number | null][] = [
    ['averages numbers whose sum would overflow', ['1.5e308', '1.5e308'], 1.5e308],
    ['averages numbers whose difference would overflow', ['-1.7e308', '1.7e308'], 0],
    [
      'averages the largest and the smallest numbers together',
      ['1.7e308', '5e-324', '-5e-324', '0'],
      1.7e308 / 4,
    ],
    ['averages subnormal numbers', ['5e-324', '1e-323'], 1e-323],
    ['returns null when no number fits a double', ['1e400', '-1e400'], null],
    ['returns zero when only a rounding error remains', ['0.1', '0.2', '0.3', '-0.1', '-0.2', '-0.3'], 0],
  ]
  for (const [title, numbers, mean] of cases) {
    test(title, async () => {
      const id = await createEvaluation(
        numbers.map(
          (value) =>
            `{"outputs":[{"result":{"type":"text"},"latency":${mean === null ? null : value}}],"results":[{"evaluator_config":"e","result":{"type":"number","value":${value}}}]}`,
        ),
      )
      const { evaluators, latency } = await readSummary(id)
      assert.equal(evaluators[0]?.mean, mean)
      assert.equal(latency.mean, mean)
      assert.equal(evaluators[0]?.unscored, mean === null ? 2 : 0)
    })
  }
})

test('lists 50 error groups in alphabetical order and counts the rest', async () => {
  const name = (index: number) => String.fromCharCode(0x61 + Math.floor(index / 26), 0x61 + (index % 26))
  const id = await createEvaluation(
    Array.from(
      { length: 60 },
      (_, index) =>
        `{"id":"s${index}","results":[{"evaluator_config":"e","result":{"type":"error","error":{"message":"no ${name(index)}"}}}]}`,
    ).toReversed(),
  )
  const { error_groups, error_group_count } = await readSummary(id)
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

test('a filter by error group returns as many rows as the group counts, in the same order', async () => {
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
  /** An error with one of the messages, or a verdict. */
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
    results: evaluators.map((name, ordinal) => ({
      evaluator_config: name,
      result: result(index, ordinal + 1),
    })),
  }))
  const id = await createEvaluation(scenarios)
  const { error_groups } = await readSummary(id)
  assert.equal(error_groups.length, messages.length * 5)
  for (const { group, evaluator, count, first } of error_groups) {
    const parameter = evaluator === null ? 'error' : `error.${evaluator}`
    const query = `?${new URLSearchParams({ [parameter]: `eq.${group}` })}`
    const matchingScenarios = JSON.parse(
      (await get(`/api/evaluations/${id}/evaluation_scenarios${query}`)).text,
    )
    assert.deepEqual([matchingScenarios.length, matchingScenarios[0]?.id], [count, first], query)
    assert.equal((await readSummary(id, query)).matched, count)
  }
  assert.equal(
    (await readSummary(id, '?error=eq.HTTP%20429')).matched,
    0,
    'a filter by the full message matches no group',
  )
})

test('returns separate statistics for each of 120 evaluators', async () => {
  const results = Array.from({ length: 120 }, (_, index) => ({
    evaluator_config: `e${index}`,
    result: { type: 'number', value: index },
  }))
  const id = await createEvaluation([{ results }], {
    evaluators: [
      { name: 'e7', threshold: 7 },
      { name: 'e8', threshold: 9 },
    ],
  })
  const { evaluators } = await readSummary(id)
  assert.deepEqual(
    evaluators.map(({ mean }) => mean),
    results.map(({ result }) => result.value),
  )
  assert.deepEqual([evaluators[7]?.passed, evaluators[8]?.passed, evaluators[9]?.passed], [1, 0, null])
})

test('returns an ETag that changes with the evaluation', async () => {
  const id = await createEvaluation(['{}'])
  const path = `/api/evaluations/${id}/summary`
  const { etag = '' } = (await get(path)).headers
  await sendOk('POST', `/api/evaluations/${id}/evaluation_scenarios`, '[{}]')
  const response = await get(path, { 'if-none-match': etag })
  assert.equal(response.status, 200)
  assert.equal(JSON.parse(response.text).matched, 2)
})

describe('rejected summary requests', () => {
  const cases: [path: string, status: number, code: string][] = [
    ['/api/evaluations/none/summary', 404, 'evaluation-not-found'],
    ['/api/evaluations/foreign/summary', 403, 'access-denied'],
    ['/api/evaluations/full/summary?limit=1', 400, 'invalid-request'],
    ['/api/evaluations/full/summary?order=cost.desc', 400, 'invalid-request'],
    ['/api/evaluations/full/summary?latency=slow', 400, 'invalid-request'],
    ['/api/evaluations/full/summary?result.unknown=is.true', 400, 'invalid-request'],
    ['/api/evaluations/%zz/summary', 400, 'invalid-request'],
  ]
  for (const [path, status, code] of cases) {
    test(`returns ${status} for ${path}`, async () => {
      checkProblem(await get(path), status, code)
    })
  }
})
