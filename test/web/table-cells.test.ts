// The contents of table cells, and the order and layout of columns.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutOf } from '../../web/src/pages/evaluation/table/column-layout.ts'
import { allColumns, namesIn } from '../../web/src/pages/evaluation/table/columns.ts'
import type { Row } from '../../web/src/results/cells.ts'
import { cellText, DEFAULT_RULE, deltaOf, judgeResult, outputTotal } from '../../web/src/results/cells.ts'
import { chooseColumns } from '../../web/src/table/columns/column-choice.ts'
import { nextOrder, orderLabel } from '../../web/src/table/columns/sort-order.ts'

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

test('a numeric result passes or fails only if the evaluator has a threshold', () => {
  const state = (evaluator: string, rule = DEFAULT_RULE) => judgeResult(row, evaluator, rule).state
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
  const text = (key: string, output = 1) => {
    const column = columns.find((candidate) => candidate.key === key)
    assert.ok(column, key)
    return cellText(row, column, output)
  }
  assert.deepEqual(text('input.question'), { text: 'Why…' })
  assert.deepEqual(text('output'), { text: '<b>bold</b>' })
  assert.deepEqual(text('output', 2), { text: 'HTTP 429', isError: true })
  assert.equal(text('output', 3), undefined)
  assert.deepEqual(text('expected.long'), { text: 'Because it is' })
  assert.equal(outputTotal(row, 'latency'), 0.75)
  assert.equal(outputTotal(row, 'cost'), 0)
  assert.equal(deltaOf(row, 'score'), -1)
  assert.equal(deltaOf(row, 'exact'), undefined)
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
  const wideLayout = layoutOf(availableColumns, { scenarios: 100, shapes: new Map(), width: 2000 })
  const narrowLayout = layoutOf(availableColumns, { scenarios: 100, shapes: new Map(), width: 800 })
  assert.equal(wideLayout.stickyOffsets.length, 7)
  assert.ok(narrowLayout.stickyWidth <= 480 && narrowLayout.stickyOffsets.length > 1)
})

test('selecting a column sorts it ascending, then descending, then not at all, and labels describe the order', () => {
  const [exact] = allColumns({ evaluators: ['exact'], inputs: [], expected: [] })
  assert.ok(exact)
  assert.equal(nextOrder(undefined, exact), 'result.exact.asc')
  assert.equal(nextOrder('result.exact.asc', exact), 'result.exact.desc')
  assert.equal(nextOrder('result.exact.desc', exact), undefined)
  assert.equal(orderLabel('delta.a.b.asc'), 'sorted by change of a.b, lowest first')
  assert.equal(orderLabel(undefined), undefined)
})
