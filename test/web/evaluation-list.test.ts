// The logic of the evaluations page, without a browser: groups, columns, sorting, search params, export, sample data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BaselineStatistics, Evaluation, Scores } from '../../client/client.ts'
import { EVALUATION_FILTERS } from '../../src/schema/filters/fields.ts'
import { csvOf } from '../../web/src/export/csv.ts'
import { errorCount, groupEvaluations, measuresOf } from '../../web/src/groups/groups.ts'
import {
  SAMPLE_EVALUATIONS,
  SAMPLE_VARIANTS,
} from '../../web/src/pages/evaluations/sample/sample-contents.ts'
import { LIST_FILTERS } from '../../web/src/pages/evaluations/search-params.ts'
import {
  columnTracks,
  nameWidthOf,
  visibleColumnsOf,
} from '../../web/src/pages/evaluations/table/column-layout.ts'
import { columnsOf, sortEvaluations } from '../../web/src/pages/evaluations/table/columns.ts'
import { rowBelow, sectionTops, topOfRow } from '../../web/src/pages/evaluations/table/section-layout.ts'
import { parseSearch } from '../../web/src/state/search-params.ts'
import { rowsWithin } from '../../web/src/ui/visible-rows.ts'
import { sampleEvaluations, sampleVariants } from '../support/sample.ts'
import { loadPageModules } from './page-modules.ts'

const [{ evaluationsSearch, filtersOf, readListParams }, { toExportRows }] = await loadPageModules<
  [
    typeof import('../../web/src/pages/evaluations/search-params.ts'),
    typeof import('../../web/src/pages/evaluations/actions/export-rows.ts'),
  ]
>('pages/evaluations/search-params.ts', 'pages/evaluations/actions/export-rows.ts')

test('the list offers every filter of the API except search, source, family and times', () => {
  const omitted = ['q', 'source', 'family', 'created_at', 'updated_at']
  const filters = Object.keys(EVALUATION_FILTERS).filter((name) => !omitted.includes(name))
  assert.deepEqual(LIST_FILTERS.map(({ param }) => param).sort(), filters.sort())
})

interface Score {
  mean?: number
  pass?: number
  errors?: number
  base?: BaselineStatistics
}

function scoresWith(evaluators: Record<string, Score>): Scores {
  return {
    output_errors: 1,
    cost: { n: 0, total: null, mean: null },
    latency: { n: 0, mean: null, p50: null },
    evaluators: Object.entries(evaluators).map(([name, { mean, pass, errors = 0, base }]) => ({
      name,
      higher_is_better: true,
      n: 10,
      errors,
      mean: mean ?? pass ?? null,
      pass_rate: pass ?? null,
      base,
    })),
  }
}

function paired(delta: number): BaselineStatistics {
  return {
    n: 10,
    mean: 0.5,
    delta,
    interval: [delta - 0.1, delta + 0.1],
    outcome: 'better',
    detectable: null,
    regressed: 1,
    improved: 5,
    unclear: 0,
  }
}

function evaluation(id: string, scores: Scores, more: Partial<Evaluation> = {}): Evaluation {
  return {
    id,
    name: null,
    variant_id: null,
    revision: null,
    baseline_id: null,
    family: null,
    label: null,
    provider: null,
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

const ofVariant = (id: string, variant_id: string, scores = scoresWith({})) =>
  evaluation(id, scores, { variant_id, revision: 1 })
const ofSource = (id: string, source: string | null, scores = scoresWith({})) =>
  evaluation(id, scores, { source })

test('evaluations are grouped by variant, and without a variant by source regardless of its version', () => {
  const groups = groupEvaluations(
    [
      ofVariant('a2', 'a'),
      ofSource('p2', 'promptfoo 0.118.2'),
      ofSource('n', null),
      ofVariant('a1', 'a'),
      ofSource('p1', 'promptfoo 0.117.0'),
      ofVariant('p3', 'promptfoo'),
    ],
    new Map([['a', 'Answers']]),
  )
  assert.deepEqual(
    groups.map(({ title, variantId, evaluations }) => [title, variantId, evaluations.map(({ id }) => id)]),
    [
      ['Answers', 'a', ['a2', 'a1']],
      ['promptfoo', null, ['p2', 'p1']],
      ['No source', null, ['n']],
      ['promptfoo', 'promptfoo', ['p3']],
    ],
  )
})

test('a section has only the columns of its own evaluators', () => {
  const sections = groupEvaluations([
    ofVariant('a', 'a', scoresWith({ exact: { pass: 1 }, label: {} })),
    ofVariant('b', 'b', scoresWith({ close: { mean: 0.5 } })),
    ofSource('c', null, scoresWith({ exact: { mean: 3 } })),
  ]).map((group) => columnsOf(group).map(({ id, unit }) => (unit ? `${id} ${unit}` : id)))
  assert.deepEqual(sections, [
    ['name', 'revision', 'rows', 'result.exact %', 'created'],
    ['name', 'revision', 'rows', 'result.close mean', 'created'],
    ['name', 'rows', 'result.exact mean', 'created'],
  ])
})

test('an evaluator has one unit in all evaluations of a group', () => {
  const evaluations = [1, 0.5].map((mean, index) =>
    ofVariant(`e${index}`, 'a', {
      ...scoresWith({ close: { mean } }),
      evaluators: [{ name: 'close', higher_is_better: true, n: 2, errors: 0, mean, pass_rate: 1 }],
    }),
  )
  const [measure] = measuresOf(evaluations)
  assert.deepEqual(
    evaluations.map((each) => measure?.measureIn(each)?.unit),
    ['score', 'score'],
  )
})

test('the error count includes outputs and evaluators', () => {
  assert.equal(errorCount(evaluation('x', scoresWith({ a: { errors: 2 }, b: { errors: 3 } }))), 6)
})

test('the columns that fit are visible: first two evaluators, then fields, then other evaluators', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const columns = columnsOf({
    variantId: 'v',
    evaluations: [
      ofVariant('many', 'v', scoresWith(Object.fromEntries(names.map((name) => [name, { mean: 1 }])))),
      ofVariant('few', 'v', scoresWith({ g: { mean: 1 } })),
    ],
  })
  const visibleIds = (widthPx: number, choices = {}) =>
    visibleColumnsOf([columns], choices, widthPx)
      .flat()
      .map(({ id }) => id)
  const fields = (evaluators: string[]) => [
    ...['name', 'revision', 'rows'],
    ...evaluators.map((name) => `result.${name}`),
    'created',
  ]
  // The evaluator of both evaluations is the first one.
  assert.deepEqual(visibleIds(1280), fields(['g', 'a', 'b', 'c', 'd']))
  assert.deepEqual(visibleIds(800), ['name', 'revision', 'result.g', 'result.a', 'created'])
  assert.deepEqual(visibleIds(390), ['name', 'result.g'])
  assert.deepEqual(visibleIds(800, { 'result.g': false, 'result.f': true, created: false }), [
    ...['name', 'revision', 'rows', 'result.a', 'result.f'],
  ])
  assert.deepEqual(
    visibleIds(800, Object.fromEntries(names.map((name) => [`result.${name}`, true]))).length,
    8,
  )
})

test('revisions and counts have the same position in all sections', () => {
  const sections = [
    ofVariant('a', 'a', scoresWith({ b: { mean: 1, base: paired(0.1) }, c: { mean: 1 }, d: { mean: 1 } })),
    ofSource('n', null, scoresWith({ d: { mean: 1 } })),
  ].map((each) => columnsOf({ variantId: each.variant_id, evaluations: [each] }))
  for (const widthPx of [800, 1280, 1512]) {
    const visible = visibleColumnsOf(sections, {}, widthPx)
    const nameWidthPx = nameWidthOf(visible, widthPx)
    const [first, second] = visible.map((columns) => columnTracks(columns, nameWidthPx, widthPx))
    assert.match(first?.tracks ?? '', new RegExp(`^32px ${nameWidthPx - 88}px 88px `))
    assert.match(second?.tracks ?? '', new RegExp(`^32px ${nameWidthPx}px `))
    for (const { minWidthPx = 0 } of [first, second].flatMap((section) => section ?? []))
      assert.ok(minWidthPx <= widthPx, `${minWidthPx} of ${widthPx} px`)
  }
})

test('a column has the space of its title, up to a limit, and an evaluator that is worse comes first', () => {
  const many = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`evaluator_${index}`, { mean: 1, base: paired(0.1) }]),
  )
  const worse = { ...paired(-0.2), outcome: 'worse' as const }
  const columns = columnsOf({
    variantId: null,
    evaluations: [
      ofSource('x', null, scoresWith({ ...many, ['worse'.repeat(20)]: { mean: 1, base: worse } })),
    ],
  })
  const visible = visibleColumnsOf([columns], {}, 900).flat()
  assert.deepEqual(
    visible.map(({ id, widthPx }) => [id, widthPx]),
    [
      ['name', 264],
      ['rows', 64],
      ['result.evaluator_0', 196],
      [`result.${'worse'.repeat(20)}`, 182],
      ['created', 112],
    ],
  )
})

test('the column of tags exists only if an evaluation has tags', () => {
  const plain = evaluation('plain', scoresWith({}))
  const tagged = evaluation('tagged', scoresWith({}), { tags: ['b', 'a'] })
  const ids = (evaluations: Evaluation[]) => columnsOf({ variantId: null, evaluations }).map(({ id }) => id)
  assert.ok(!ids([plain]).includes('tags'))
  assert.deepEqual(
    toExportRows([plain, tagged], {}).map(({ tags }) => tags),
    ['', 'b, a'],
  )
})

test('evaluations sort by any column, and those without a value come last in both directions', () => {
  const rows = [0.2, undefined, 0.9].map((mean, index) =>
    evaluation(`e${index}`, scoresWith({ close: mean === undefined ? {} : { mean } })),
  )
  const columns = columnsOf({ variantId: null, evaluations: rows })
  const order = (isDescending: boolean, column = 'result.close') =>
    sortEvaluations(rows, columns, { column, isDescending }).map(({ id }) => id)
  assert.deepEqual(order(false), ['e0', 'e2', 'e1'])
  assert.deepEqual(order(true), ['e2', 'e0', 'e1'])
  assert.deepEqual(order(true, 'name'), ['e2', 'e1', 'e0'])
  assert.deepEqual(order(true, 'unknown'), ['e0', 'e1', 'e2'])
})

test('only the rows of the visible range are rendered, and a row keeps its position when rows are added above', () => {
  const rows = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}` }))
  const sections = [{ rows: rows('a', 10) }, { rows: rows('b', 100) }]
  const [, secondTop = 0] = sectionTops(sections)
  assert.equal(secondTop, 33 + 320 + 16)
  assert.deepEqual(rowsWithin(10, 32, 33, 100), { from: 0, to: 3 })
  assert.deepEqual(rowsWithin(100, 32, secondTop + 33 - 800, 640), { from: 12, to: 33 })
  assert.deepEqual(rowsWithin(10, 32, -5000, 640), { from: 10, to: 10 })
  assert.deepEqual(rowsWithin(10, 32, 5000, 640), { from: 0, to: 0 })
  const anchor = rowBelow(sections, 500)
  assert.deepEqual(anchor, { id: 'b4', top: secondTop + 33 + 4 * 32 })
  const longer = [{ rows: rows('a', 15) }, { rows: rows('b', 100) }]
  assert.equal((topOfRow(longer, 'b4') ?? 0) - (anchor?.top ?? 0), 5 * 32)
  assert.equal(topOfRow(longer, 'c'), undefined)
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

test('an export contains all columns that are not hidden, unrounded numbers and quoted texts', () => {
  const candidate = evaluation('candidate', scoresWith({ exact: { pass: 1 / 3, base: paired(0.25) } }), {
    name: 'a, "b"\nc',
    variant_id: 'v',
    revision: 2,
    baseline_id: 'base',
  })
  const other = ofSource('other', 'promptfoo 1', scoresWith({ close: { mean: 0.5 } }))
  const rows = toExportRows([candidate, other], { created: false, rows: false })
  assert.deepEqual(rows, [
    {
      id: 'candidate',
      name: 'a, "b"\nc',
      baseline_id: 'base',
      errors: 1,
      status: 'finished',
      variant_id: 'v',
      source: null,
      revision: 2,
      'result.exact': 1 / 3,
      'delta.exact': 0.25,
      'result.close': null,
      'delta.close': null,
    },
    {
      id: 'other',
      name: null,
      baseline_id: null,
      errors: 1,
      status: 'finished',
      variant_id: null,
      source: 'promptfoo 1',
      revision: null,
      'result.exact': null,
      'delta.exact': null,
      'result.close': 0.5,
      'delta.close': null,
    },
  ])
  assert.equal(
    csvOf(rows.slice(0, 1)),
    `id,name,baseline_id,errors,status,variant_id,source,revision,result.exact,delta.exact,result.close,delta.close\r\ncandidate,"a, ""b""\nc",base,1,finished,v,,2,${1 / 3},0.25,,\r\n`,
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
