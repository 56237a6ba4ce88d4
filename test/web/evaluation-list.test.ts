// The list of evaluations without a browser: what it shows of what the API answers, and what it saves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evaluation } from '../../client/client.ts'
import { sampleEvaluations, sampleVariants } from '../../sample/sample.ts'
import { columnsOf, shownColumns, sorted } from '../../web/src/evaluations/columns.ts'
import { exportedRows } from '../../web/src/evaluations/export-rows.ts'
import {
  costFigure,
  errorCount,
  evaluatorFigure,
  latencyFigure,
  type Scores,
} from '../../web/src/evaluations/figures.ts'
import { SAMPLE_EVALUATIONS, SAMPLE_VARIANTS } from '../../web/src/evaluations/sample-contents.ts'
import { filtersOf, readListView } from '../../web/src/evaluations/view.ts'
import { csvOf } from '../../web/src/format/csv.ts'

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
    scenario_count: 10,
    evaluators: null,
    metadata: null,
    ...more,
    scores,
  }
}

const BASE = scoresWith({ exact: { pass: 0.5 }, close: { mean: 0.7 }, far: { pass: 0.5, lower: true } })
const baselines = new Map([['base', BASE]])
const against = (scores: Scores, more: Partial<Evaluation> = {}) =>
  evaluation('candidate', scores, { baseline_id: 'base', ...more })

test('a figure is the pass rate or else the mean, held against the same of the baseline', () => {
  const candidate = against(scoresWith({ exact: { pass: 0.75 }, close: { mean: 0.6 }, label: {} }))
  assert.deepEqual(evaluatorFigure(candidate, 'exact', baselines), {
    value: 0.75,
    unit: 'share',
    higherIsBetter: true,
    delta: 0.25,
  })
  assert.equal(evaluatorFigure(candidate, 'close', baselines)?.unit, 'score')
  assert.equal(evaluatorFigure(candidate, 'close', baselines)?.delta?.toFixed(3), '-0.100')
  assert.equal(evaluatorFigure(candidate, 'label', baselines), undefined)
})

test('nothing is compared with another kind of figure, with itself or without a baseline', () => {
  const other = against(scoresWith({ exact: { mean: 0.9 }, close: { pass: 0.9 } }))
  assert.equal(evaluatorFigure(other, 'exact', baselines)?.delta, undefined)
  assert.equal(evaluatorFigure(other, 'close', baselines)?.delta, undefined)
  assert.equal(evaluatorFigure({ ...other, id: 'base' }, 'exact', baselines)?.delta, undefined)
  assert.equal(evaluatorFigure(evaluation('alone', BASE), 'exact', baselines)?.delta, undefined)
})

test('where lower is better, more verdicts are worse and more numbers within the threshold are better', () => {
  const verdicts = against(scoresWith({ far: { pass: 0.6, lower: true } }))
  assert.equal(evaluatorFigure(verdicts, 'far', baselines)?.higherIsBetter, false)
  const numbers = { ...verdicts, evaluators: [{ name: 'far', higher_is_better: false, threshold: 1 }] }
  assert.equal(evaluatorFigure(numbers, 'far', baselines)?.higherIsBetter, true)
})

test('cost is compared by the row, latency by its median', () => {
  const bases = new Map([['base', scoresWith({}, { cost: [10, 1], p50: 2 })]])
  const candidate = against(scoresWith({}, { cost: [20, 3], p50: 1.5 }))
  assert.equal(costFigure(candidate, bases)?.value, 3)
  assert.equal(costFigure(candidate, bases)?.delta?.toFixed(3), '0.500')
  assert.equal(latencyFigure(candidate, bases)?.delta, -0.5)
  assert.equal(costFigure(against(scoresWith({})), bases), undefined)
})

test('errors are those of outputs and of evaluators', () => {
  assert.equal(errorCount(evaluation('x', scoresWith({ a: { errors: 2 }, b: { errors: 3 } }))), 6)
})

test('six evaluators are shown, those that most have first, and none without figures', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const many = evaluation('many', scoresWith(Object.fromEntries(names.map((name) => [name, { mean: 1 }]))))
  const few = evaluation('few', scoresWith({ label: {}, g: { mean: 1 } }))
  const columns = columnsOf([many, few])
  const shown = (choices = {}) => shownColumns(columns, choices).map(({ id }) => id)
  const around = (evaluators: string[]) => [
    ...['name', 'ran', 'rows'],
    ...evaluators.map((name) => `result.${name}`),
    ...['latency', 'cost', 'created'],
  ]
  assert.deepEqual(shown(), around(['g', 'a', 'b', 'c', 'd', 'e']))
  assert.deepEqual(
    shown({ 'result.label': true, 'result.g': false, name: false }),
    around(['a', 'b', 'c', 'd', 'e', 'label']),
  )
})

test('rows sort by any column, and those without a value come last either way', () => {
  const rows = [0.2, undefined, 0.9].map((mean, index) =>
    evaluation(`e${index}`, scoresWith({ close: mean === undefined ? {} : { mean } })),
  )
  const order = (isDescending: boolean, column = 'result.close') =>
    sorted(rows, columnsOf(rows), { column, isDescending }).map(({ id }) => id)
  assert.deepEqual(order(false), ['e0', 'e2', 'e1'])
  assert.deepEqual(order(true), ['e2', 'e0', 'e1'])
  assert.deepEqual(order(true, 'name'), ['e2', 'e1', 'e0'])
  assert.deepEqual(order(true, 'unknown'), ['e0', 'e1', 'e2'])
})

test('the address is the filters of the API, and what means nothing is named', () => {
  const search = {
    name: 'contains.a.b',
    variant_id: 'eq.support',
    revision: '4',
    evaluator: 'tone',
    order: 'result.a.b.desc',
    cols: 'x',
  }
  const view = readListView(search)
  assert.deepEqual(view.order, { column: 'result.a.b', isDescending: true })
  assert.equal(view.evaluator, 'tone')
  assert.deepEqual(view.ignored, ['cols'])
  assert.deepEqual(filtersOf(view), { name: 'contains.a.b', variant_id: 'eq.support', revision: 'eq.4' })
  const wrong = readListView({ name: 'eq.x', revision: 'four', order: 'cost' })
  assert.deepEqual(wrong.ignored, ['order=cost', 'name=eq.x', 'revision=four'])
  assert.deepEqual(filtersOf(wrong), {})
})

test('an export has the columns that are shown, whole numbers, and texts that stay one cell', () => {
  const candidate = against(scoresWith({ exact: { pass: 1 / 3 } }), { name: 'a, "b"\nc' })
  const columns = columnsOf([candidate]).filter(({ id }) => ['name', 'ran', 'result.exact'].includes(id))
  const rows = exportedRows([candidate], columns, baselines)
  assert.deepEqual(rows, [
    {
      id: 'candidate',
      name: 'a, "b"\nc',
      baseline_id: 'base',
      errors: 1,
      variant_id: null,
      revision: null,
      'result.exact': 1 / 3,
      'delta.exact': 1 / 3 - 0.5,
    },
  ])
  assert.equal(
    csvOf(rows),
    `id,name,baseline_id,errors,variant_id,revision,result.exact,delta.exact\r\ncandidate,"a, ""b""\nc",base,1,,,${1 / 3},${1 / 3 - 0.5}\r\n`,
  )
})

test('the sample is known by what it holds', () => {
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
