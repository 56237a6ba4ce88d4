// The logic of the evaluations page, without a browser: statistics, columns, sorting, search params, export, sample data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evaluation } from '../../client/client.ts'
import { EVALUATION_FILTERS } from '../../src/schema/filters/fields.ts'
import { csvOf } from '../../web/src/export/csv.ts'
import { toExportRows } from '../../web/src/pages/evaluations/actions/export-rows.ts'
import {
  SAMPLE_EVALUATIONS,
  SAMPLE_VARIANTS,
} from '../../web/src/pages/evaluations/sample/sample-contents.ts'
import {
  costStatistic,
  errorCount,
  evaluatorStatistic,
  latencyStatistic,
  type Scores,
} from '../../web/src/pages/evaluations/table/statistics.ts'
import { parseSearch } from '../../web/src/state/search-params.ts'
import { sampleEvaluations, sampleVariants } from '../support/sample.ts'
import { loadPageModules } from './page-modules.ts'

const [
  { columnsOf, LIST_FILTERS },
  { sortEvaluations, visibleColumnsOf },
  { evaluationsSearch, filtersOf, readListParams },
] = await loadPageModules<
  [
    typeof import('../../web/src/pages/evaluations/table/columns.tsx'),
    typeof import('../../web/src/pages/evaluations/table/column-layout.ts'),
    typeof import('../../web/src/pages/evaluations/search-params.ts'),
  ]
>(
  'pages/evaluations/table/columns.tsx',
  'pages/evaluations/table/column-layout.ts',
  'pages/evaluations/search-params.ts',
)

test('the list offers every filter of the API except search, source and times', () => {
  const omitted = ['q', 'source', 'created_at', 'updated_at']
  const filters = Object.keys(EVALUATION_FILTERS).filter((name) => !omitted.includes(name))
  assert.deepEqual(LIST_FILTERS.map(({ param }) => param).sort(), filters.sort())
})

interface Score {
  mean?: number
  pass?: number
  errors?: number
  lower?: true
}

function scoresWith(
  evaluators: Record<string, Score>,
  { cost = [0, 0], p50 = null as number | null } = {},
): Scores {
  const [n = 0, total = 0] = cost
  return {
    output_errors: 1,
    cost: { n, total: n === 0 ? null : total, mean: n === 0 ? null : total / n },
    latency: { n: 1, mean: p50, p50 },
    evaluators: Object.entries(evaluators).map(([name, { mean, pass, errors = 0, lower }]) => ({
      name,
      higher_is_better: !lower,
      n: 10,
      errors,
      mean: mean ?? pass ?? null,
      pass_rate: pass ?? null,
    })),
  }
}

function evaluation(id: string, scores: Scores, more: Partial<Evaluation> = {}): Evaluation {
  return {
    id,
    name: null,
    variant_id: null,
    revision: null,
    baseline_id: null,
    source: null,
    created_at: '2026-11-15T12:00:00.000Z',
    updated_at: '2026-11-15T12:00:00.000Z',
    status: 'finished',
    scenario_count: 10,
    expected_count: null,
    tags: [],
    evaluators: null,
    metadata: null,
    ...more,
    scores,
  }
}

const BASELINE_SCORES = scoresWith({
  exact: { pass: 0.5 },
  close: { mean: 0.7 },
  far: { pass: 0.5, lower: true },
})
const baselines = new Map([['base', BASELINE_SCORES]])
const withBaseline = (scores: Scores, more: Partial<Evaluation> = {}) =>
  evaluation('candidate', scores, { baseline_id: 'base', ...more })

test('the statistic of an evaluator is its pass rate or its mean, with the difference to the baseline', () => {
  const candidate = withBaseline(scoresWith({ exact: { pass: 0.75 }, close: { mean: 0.6 }, label: {} }))
  assert.deepEqual(evaluatorStatistic(candidate, 'exact', baselines), {
    value: 0.75,
    unit: 'share',
    higherIsBetter: true,
    delta: 0.25,
  })
  assert.equal(evaluatorStatistic(candidate, 'close', baselines)?.unit, 'score')
  assert.equal(evaluatorStatistic(candidate, 'close', baselines)?.delta?.toFixed(3), '-0.100')
  assert.equal(evaluatorStatistic(candidate, 'label', baselines), undefined)
})

test('there is no delta to a different kind of statistic, to the evaluation itself or without a baseline', () => {
  const otherEvaluation = withBaseline(scoresWith({ exact: { mean: 0.9 }, close: { pass: 0.9 } }))
  assert.equal(evaluatorStatistic(otherEvaluation, 'exact', baselines)?.delta, undefined)
  assert.equal(evaluatorStatistic(otherEvaluation, 'close', baselines)?.delta, undefined)
  assert.equal(evaluatorStatistic({ ...otherEvaluation, id: 'base' }, 'exact', baselines)?.delta, undefined)
  assert.equal(evaluatorStatistic(evaluation('alone', BASELINE_SCORES), 'exact', baselines)?.delta, undefined)
})

test('if lower is better, a higher share of true verdicts is worse, but a higher pass rate of scores is better', () => {
  const verdicts = withBaseline(scoresWith({ far: { pass: 0.6, lower: true } }))
  assert.equal(evaluatorStatistic(verdicts, 'far', baselines)?.higherIsBetter, false)
  const numbers = { ...verdicts, evaluators: [{ name: 'far', higher_is_better: false, threshold: 1 }] }
  assert.equal(evaluatorStatistic(numbers, 'far', baselines)?.higherIsBetter, true)
})

test('the delta of cost is per row, the delta of latency compares medians', () => {
  const otherBaselines = new Map([['base', scoresWith({}, { cost: [10, 1], p50: 2 })]])
  const candidate = withBaseline(scoresWith({}, { cost: [20, 3], p50: 1.5 }))
  assert.equal(costStatistic(candidate, otherBaselines)?.value, 3)
  assert.equal(costStatistic(candidate, otherBaselines)?.delta?.toFixed(3), '0.500')
  assert.equal(latencyStatistic(candidate, otherBaselines)?.delta, -0.5)
  assert.equal(costStatistic(withBaseline(scoresWith({})), otherBaselines), undefined)
})

test('the error count includes outputs and evaluators', () => {
  assert.equal(errorCount(evaluation('x', scoresWith({ a: { errors: 2 }, b: { errors: 3 } }))), 6)
})

test('six evaluators are visible by default, the most frequent first, and none without scores', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const manyEvaluators = evaluation(
    'many',
    scoresWith(Object.fromEntries(names.map((name) => [name, { mean: 1 }]))),
  )
  const fewEvaluators = evaluation('few', scoresWith({ label: {}, g: { mean: 1 } }))
  const columns = columnsOf([manyEvaluators, fewEvaluators])
  const visibleIds = (choices = {}) => visibleColumnsOf(columns, choices).map(({ id }) => id)
  const withOtherColumns = (evaluators: string[]) => [
    ...['name', 'ran', 'rows'],
    ...evaluators.map((name) => `result.${name}`),
    ...['latency', 'cost', 'created'],
  ]
  assert.deepEqual(visibleIds(), withOtherColumns(['g', 'a', 'b', 'c', 'd', 'e']))
  assert.deepEqual(
    visibleIds({ 'result.label': true, 'result.g': false, name: false }),
    withOtherColumns(['a', 'b', 'c', 'd', 'e', 'label']),
  )
})

test('the column of tags exists only if an evaluation has tags', () => {
  const plain = evaluation('plain', scoresWith({}))
  const tagged = evaluation('tagged', scoresWith({}), { tags: ['b', 'a'] })
  const ids = (rows: Evaluation[]) => columnsOf(rows).map(({ id }) => id)
  assert.ok(!ids([plain]).includes('tags'))
  const columns = columnsOf([plain, tagged]).filter(({ id }) => id === 'tags')
  assert.deepEqual(
    toExportRows([plain, tagged], columns, baselines).map(({ tags }) => tags),
    ['', 'b, a'],
  )
})

test('evaluations sort by any column, and those without a value come last in both directions', () => {
  const rows = [0.2, undefined, 0.9].map((mean, index) =>
    evaluation(`e${index}`, scoresWith({ close: mean === undefined ? {} : { mean } })),
  )
  const order = (isDescending: boolean, column = 'result.close') =>
    sortEvaluations(rows, columnsOf(rows), { column, isDescending }).map(({ id }) => id)
  assert.deepEqual(order(false), ['e0', 'e2', 'e1'])
  assert.deepEqual(order(true), ['e2', 'e0', 'e1'])
  assert.deepEqual(order(true, 'name'), ['e2', 'e1', 'e0'])
  assert.deepEqual(order(true, 'unknown'), ['e0', 'e1', 'e2'])
})

test('the search params become filters of the API, and invalid params are listed', () => {
  const read = (search: string) => readListParams(evaluationsSearch(parseSearch(search) as never))
  const params = read(
    '?name=contains.a.b&status=eq.running&variant_id=eq.support&revision=eq.4&tags=has.a.b&evaluator=tone&order=result.a.b.desc&cols=x',
  )
  assert.deepEqual(params.order, { column: 'result.a.b', isDescending: true })
  assert.equal(params.evaluator, 'tone')
  assert.deepEqual(params.ignored, ['cols=x'])
  assert.deepEqual(filtersOf(params), {
    name: 'contains.a.b',
    status: 'eq.running',
    variant_id: 'eq.support',
    revision: 'eq.4',
    tags: 'has.a.b',
  })
  const invalidParams = [
    'name=eq.x',
    'variant_id=ne.support',
    'revision=4',
    'order=cost',
    'status=eq.x',
    'tags=eq.x',
  ]
  const invalid = read(`?${invalidParams.join('&')}`)
  assert.deepEqual(invalid.ignored, invalidParams)
  assert.deepEqual(filtersOf(invalid), {})
})

test('an export contains the visible columns, unrounded numbers and quoted texts', () => {
  const candidate = withBaseline(scoresWith({ exact: { pass: 1 / 3 } }), { name: 'a, "b"\nc' })
  const columns = columnsOf([candidate]).filter(({ id }) => ['name', 'ran', 'result.exact'].includes(id))
  const rows = toExportRows([candidate], columns, baselines)
  assert.deepEqual(rows, [
    {
      id: 'candidate',
      name: 'a, "b"\nc',
      baseline_id: 'base',
      errors: 1,
      status: 'finished',
      variant_id: null,
      revision: null,
      'result.exact': 1 / 3,
      'delta.exact': 1 / 3 - 0.5,
    },
  ])
  assert.equal(
    csvOf(rows),
    `id,name,baseline_id,errors,status,variant_id,revision,result.exact,delta.exact\r\ncandidate,"a, ""b""\nc",base,1,finished,,,${1 / 3},${1 / 3 - 0.5}\r\n`,
  )
})

test('the page knows the ids, times and sizes of the sample data', () => {
  const evaluations = sampleEvaluations().map(({ evaluation: { id, created_at }, scenarios }) => [
    id,
    [created_at, scenarios.length],
  ])
  const variants = sampleVariants().map(({ id, created_at, revisions }) => [
    id,
    [created_at, revisions.length],
  ])
  assert.deepEqual(SAMPLE_EVALUATIONS, Object.fromEntries(evaluations))
  assert.deepEqual(SAMPLE_VARIANTS, Object.fromEntries(variants))
})
