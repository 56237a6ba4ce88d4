// What the cells of a row say, and the columns they stand in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Row } from '../../web/src/evaluation/cells.ts'
import { cellText, deltaOf, figureOf, judgementOf, PLAIN_RULE } from '../../web/src/evaluation/cells.ts'
import { allColumns, namesIn } from '../../web/src/evaluation/columns.ts'
import { layoutOf } from '../../web/src/evaluation/layout.ts'
import { nextOrder, orderWords } from '../../web/src/evaluation/ordering.ts'
import { chosenColumns } from '../../web/src/grid/columns.ts'

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

test('the states of a result never mix, and a number is a verdict only against a threshold', () => {
  const state = (evaluator: string, rule = PLAIN_RULE) => judgementOf(row, evaluator, rule).state
  assert.equal(state('exact'), 'fail')
  assert.equal(state('score'), 'scored')
  assert.equal(state('score', { higherIsBetter: true, threshold: 0 }), 'pass')
  assert.equal(state('score', { higherIsBetter: true, threshold: 0.1 }), 'fail')
  assert.equal(state('score', { higherIsBetter: false, threshold: 0.1 }), 'pass')
  assert.equal(state('tone'), 'labelled')
  assert.equal(state('broken'), 'error')
  assert.equal(state('null'), 'unscored')
  assert.equal(state('nobody'), 'unscored')
})

test('texts say where they are cut and where an output failed, figures are of all outputs together', () => {
  const columns = allColumns(namesIn([row]))
  const text = (key: string, output = 1) => {
    const column = columns.find((one) => one.key === key)
    assert.ok(column, key)
    return cellText(row, column, output)
  }
  assert.deepEqual(text('input.question'), { text: 'Why…' })
  assert.deepEqual(text('output'), { text: '<b>bold</b>' })
  assert.deepEqual(text('output', 2), { text: 'HTTP 429', isError: true })
  assert.equal(text('output', 3), undefined)
  assert.deepEqual(text('expected.long'), { text: 'Because it is' })
  assert.equal(figureOf(row, 'latency'), 0.75)
  assert.equal(figureOf(row, 'cost'), 0)
  assert.equal(deltaOf(row, 'score'), -1)
  assert.equal(deltaOf(row, 'exact'), undefined)
})

test('chosen columns stand in their order, the pinned ones first; what nobody knows is left out', () => {
  const all = allColumns({ evaluators: ['exact'], inputs: ['a,b', 'c'], expected: ['answer'] })
  const keys = (chosen: typeof all) => chosen.map((one) => one.key)
  assert.deepEqual(keys(all), [
    'result.exact',
    'input.a,b',
    'input.c',
    'output',
    'expected',
    'latency',
    'cost',
  ])
  assert.deepEqual(keys(chosenColumns(all, ['cost', 'nobody', 'result.exact', 'cost'])), [
    'result.exact',
    'cost',
  ])
  assert.deepEqual(keys(chosenColumns(all, ['cost', 'output'], ['output'])), ['output', 'cost'])
  assert.deepEqual(keys(chosenColumns(all, ['nobody'])), keys(all))
})

test('columns stay at the left only as far as the others have room', () => {
  const all = allColumns({ evaluators: ['a', 'b', 'c', 'd', 'e', 'f'], inputs: [], expected: [] })
  const wide = layoutOf(all, { scenarios: 100, shapes: new Map(), width: 2000 })
  const narrow = layoutOf(all, { scenarios: 100, shapes: new Map(), width: 800 })
  assert.equal(wide.lefts.length, 7)
  assert.ok(narrow.stuckWidth <= 480 && narrow.lefts.length > 1)
})

test('a column sorts up, down and not at all; the order is said in words', () => {
  const [exact] = allColumns({ evaluators: ['exact'], inputs: [], expected: [] })
  assert.ok(exact)
  assert.equal(nextOrder(undefined, exact), 'result.exact.asc')
  assert.equal(nextOrder('result.exact.asc', exact), 'result.exact.desc')
  assert.equal(nextOrder('result.exact.desc', exact), undefined)
  assert.equal(orderWords('delta.a.b.asc'), 'sorted by change of a.b, lowest first')
  assert.equal(orderWords(undefined), undefined)
})
