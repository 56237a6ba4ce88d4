// The contents of table cells, and the order and layout of columns.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { previewText } from '../../web/src/format/value-text.ts'
import { type EvaluationContext, type Names, namesIn } from '../../web/src/pages/evaluation/table/context.ts'
import type { Row } from '../../web/src/results/cells.ts'
import {
  DEFAULT_RULE,
  deltaOf,
  judgeResult,
  outputTotal,
  outputValue,
  resultOf,
} from '../../web/src/results/cells.ts'
import { chooseColumns } from '../../web/src/table/columns/column-choice.ts'
import { columnLayout } from '../../web/src/table/columns/column-layout.ts'
import { columnsOf } from '../../web/src/table/columns/column-type.ts'
import { columnSort, nextOrder, orderLabel } from '../../web/src/table/columns/sort-order.ts'
import { loadPageModules } from './page-modules.ts'

const [{ COLUMN_TYPES, withEarlyInput }] = await loadPageModules<
  [typeof import('../../web/src/pages/evaluation/table/column-types.tsx')]
>('pages/evaluation/table/column-types.tsx')

const allColumns = (names: Names) => columnsOf(COLUMN_TYPES, names)
const contextFor = (context: Partial<EvaluationContext>) =>
  ({ displays: {}, output: 1, ...context }) as EvaluationContext

const row: Row = {
  position: 6,
  id: 'a',
  inputs: [{ name: 'question', type: 'text', value: 'Why' }],
  outputs: [
    { result: { type: 'text', value: '<b>bold</b>' }, latency: 0.5, cost: 0 },
    { result: { type: 'error', error: { message: 'HTTP 429' } }, latency: 0.25 },
  ],
  correct_answers: [
    { key: 'short', value: 'Because' },
    { key: 'long', value: 'Because it is' },
  ],
  is_pinned: null,
  note: null,
  results: [
    { evaluator_config: 'exact', result: { type: 'bool', value: false } },
    { evaluator_config: 'score', result: { type: 'number', value: 0 } },
    { evaluator_config: 'tone', result: { type: 'text', value: 'curt' } },
    { evaluator_config: 'broken', result: { type: 'error', value: true, error: { message: 'timeout' } } },
    { evaluator_config: 'null', result: { type: 'number', value: null } },
    { evaluator_config: 'exact', result: { type: 'bool', value: true } },
  ],
  cut: ['/inputs/0/value'],
  base: { id: 'b', position: 0, deltas: [{ evaluator: 'score', base: 1, delta: -1 }] },
}

test('every kind of column has its own keys, and the reference lists them', () => {
  const reference = readFileSync(new URL('../../docs/reference/page.md', import.meta.url), 'utf8')
  const [, documented = ''] = /^\| `cols` \|(.*)$/m.exec(reference) ?? []
  const columns = allColumns({ evaluators: ['e'], inputs: ['i'], expected: [] })
  assert.deepEqual(
    columns.map(({ key }) => key.split('.')[0]),
    Object.keys(COLUMN_TYPES),
  )
  assert.deepEqual(
    [...documented.matchAll(/`(\w+)(?:\.<\w+>)?`/g)].map(([, kind]) => kind),
    Object.keys(COLUMN_TYPES),
  )
})

test('a numeric result passes or fails only if the evaluator has a threshold', () => {
  const state = (evaluator: string, rule = DEFAULT_RULE) => judgeResult(resultOf(row, evaluator), rule).state
  assert.equal(state('exact'), 'fail')
  assert.equal(state('score'), 'scored')
  assert.equal(state('score', { higherIsBetter: true, threshold: 0 }), 'pass')
  assert.equal(state('score', { higherIsBetter: true, threshold: 0.1 }), 'fail')
  assert.equal(state('score', { higherIsBetter: false, threshold: 0.1 }), 'pass')
  assert.equal(state('tone'), 'labeled')
  assert.equal(state('broken'), 'error')
  assert.equal(state('null'), 'unscored')
  assert.equal(state('missing'), 'unscored')
})

test('cell texts show truncation and output errors, and totals include all outputs', () => {
  const columns = allColumns(namesIn([row]))
  const read = (key: string, output = 1) => {
    const column = columns.find((candidate) => candidate.key === key)
    assert.ok(column, key)
    const { cell, value } = COLUMN_TYPES[column.kind]
    const context = contextFor({ output })
    return [cell(row, column, context).content, value(row, column, context)]
  }
  assert.deepEqual(read('input.question'), ['Why…', 'Why'])
  assert.deepEqual(read('output'), ['<b>bold</b>', '<b>bold</b>'])
  assert.equal(read('output', 2)[1], 'HTTP 429')
  assert.deepEqual(read('output', 3), ['–', undefined])
  assert.deepEqual(outputValue({ ...row, cut: ['/outputs/1/result/error/message'] }, 2), {
    value: 'HTTP 429',
    isCut: true,
    isError: true,
  })
  assert.deepEqual(read('expected.long'), ['Because it is', 'Because it is'])
  assert.deepEqual(read('latency'), ['0.75', 0.75])
  assert.equal(read('result.broken')[1], 'timeout')
  assert.equal(outputTotal(row, 'latency'), 0.75)
  assert.equal(outputTotal(row, 'cost'), 0)
  assert.equal(deltaOf(row, 'score'), -1)
  assert.equal(deltaOf(row, 'exact'), undefined)
})

test('cell texts omit the bytes of images, also in JSON', () => {
  assert.equal(previewText('data:image/png;base64,iVBORw0KGgo='), 'data:image/png;base64,…')
  assert.equal(previewText('data:image/png;base64,iVBORw', true), 'data:image/png;base64,…')
  const image = { url: 'data:image/svg+xml;base64,PHN2Zz4=' }
  assert.equal(previewText([image, 'next']), '[{"url":"data:image/svg+xml;base64,…"},"next"]')
  assert.equal(previewText('not data:image/png', true), 'not data:image/png…')
})

test('selected columns keep their order, pinned ones first; unknown ones are ignored', () => {
  const availableColumns = allColumns({ evaluators: ['exact'], inputs: ['a,b', 'c'], expected: ['answer'] })
  const keys = (columns: typeof availableColumns) => columns.map(({ key }) => key)
  assert.deepEqual(keys(availableColumns), [
    'result.exact',
    'input.a,b',
    'input.c',
    'output',
    'expected',
    'latency',
    'cost',
  ])
  assert.deepEqual(keys(chooseColumns(availableColumns, ['cost', 'unknown', 'result.exact', 'cost'])), [
    'result.exact',
    'cost',
  ])
  assert.deepEqual(keys(chooseColumns(availableColumns, ['cost', 'output'], ['output'])), ['output', 'cost'])
  assert.deepEqual(keys(chooseColumns(availableColumns, ['unknown'])), keys(availableColumns))
})

test('pinned columns stay pinned only if enough space is left for the others', () => {
  const availableColumns = allColumns({
    evaluators: ['a', 'b', 'c', 'd', 'e', 'f'],
    inputs: [],
    expected: [],
  })
  const sizes = availableColumns.map((column) => ({
    width: COLUMN_TYPES[column.kind].width(column, undefined, contextFor({})),
    isPinned: column.isPinned,
  }))
  const wideLayout = columnLayout(sizes, { scenarios: 100, width: 2000 })
  const narrowLayout = columnLayout(sizes, { scenarios: 100, width: 800 })
  assert.equal(wideLayout.stickyOffsets.length, 7)
  assert.ok(narrowLayout.stickyWidth <= 480 && narrowLayout.stickyOffsets.length > 1)
})

test('narrow windows show the first input after two evaluators, unless it already comes earlier', () => {
  const keys = (columns: ReturnType<typeof allColumns>) => columns.slice(0, 4).map(({ key }) => key)
  const columns = allColumns({ evaluators: ['a', 'b', 'c'], inputs: ['question', 'topic'], expected: [] })
  assert.deepEqual(keys(withEarlyInput(columns)), ['result.a', 'result.b', 'input.question', 'result.c'])
  const reordered = columns.toReversed()
  assert.deepEqual(withEarlyInput(reordered.slice(3)), reordered.slice(3))
  const withoutInputs = allColumns({ evaluators: ['a', 'b', 'c'], inputs: [], expected: [] })
  assert.deepEqual(withEarlyInput(withoutInputs), withoutInputs)
})

test('in narrow tables the text column at the right edge ends there, if enough of it is visible', () => {
  const tracks = (...widths: [number, number][]) =>
    columnLayout(
      widths.map((width) => ({ width, isPinned: false })),
      { scenarios: 100, width: 390 },
    ).tracks.slice(1)
  assert.deepEqual(tracks([112, 0], [220, 2], [220, 2]), [
    '112px',
    'minmax(220px, 2fr)',
    'minmax(220px, 2fr)',
  ])
  assert.deepEqual(tracks([112, 0], [120, 0], [220, 2]), ['112px', '120px', '106px'])
  assert.deepEqual(tracks([112, 0], [160, 0], [220, 2]), ['112px', '160px', 'minmax(220px, 2fr)'])
})

test('columns of sentences are wider than columns of phrases and structured values', () => {
  const [column] = allColumns({ evaluators: [], inputs: ['question'], expected: [] })
  assert.ok(column)
  const minWidth = (longest: number, isStructured = false) =>
    COLUMN_TYPES.input.width(column, { isNumeric: false, isStructured, longest }, contextFor({}))[0]
  assert.ok(minWidth(10) < minWidth(30))
  assert.ok(minWidth(30) < minWidth(80))
  assert.equal(minWidth(80, true), minWidth(30))
})

test('selecting a column sorts it ascending, then descending, then not at all, and labels describe the order', () => {
  const [exact] = allColumns({ evaluators: ['exact'], inputs: [], expected: [] })
  assert.ok(exact)
  const [name = '', ...others] = COLUMN_TYPES.result.sort(exact, contextFor({ baselineId: 'base' }))
  assert.equal(nextOrder('position', name), 'result.exact.asc')
  assert.equal(nextOrder('result.exact.asc', name), 'result.exact.desc')
  assert.equal(nextOrder('result.exact.desc', name), 'position')
  assert.deepEqual(columnSort('position', [name, ...others]), {
    aria: 'none',
    direction: undefined,
    isByChange: false,
  })
  assert.deepEqual(columnSort('result.exact.desc', [name, ...others]), {
    aria: 'descending',
    direction: 'desc',
    isByChange: false,
  })
  assert.deepEqual(columnSort('delta.exact.asc', [name, ...others]), {
    aria: 'other',
    direction: 'asc',
    isByChange: true,
  })
  assert.equal(orderLabel('delta.a.b.asc'), 'sorted by change of a.b, lowest first')
  assert.equal(orderLabel(undefined), undefined)
})

test('a kind of column needs a complete column type', () => {
  const { latency, ...others } = COLUMN_TYPES
  const { cell: _, ...incomplete } = latency
  // @ts-expect-error: latency has no column type
  const withoutType: typeof COLUMN_TYPES = others
  // @ts-expect-error: the column type has no cell
  const withoutCell: typeof COLUMN_TYPES = { ...others, latency: incomplete }
  // @ts-expect-error: the page has no such kind
  const unknown = COLUMN_TYPES.unknown
  assert.deepEqual(
    [withoutType.latency, withoutCell.latency.cell, unknown],
    [undefined, undefined, undefined],
  )
})

test('a column of an unnamed expected answer shows all answers', () => {
  const { expected } = COLUMN_TYPES
  const [column] = allColumns({ evaluators: [], inputs: [], expected: ['short'] }).filter(
    ({ kind }) => kind === 'expected',
  )
  assert.ok(column)
  assert.equal(expected.cell(row, column, contextFor({})).content, 'short: Because · long: Because it is')
})
