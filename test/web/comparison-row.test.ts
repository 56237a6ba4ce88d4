// How the open row of a comparison is arranged: which outputs are compared as a diff, and which inputs are shown once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EvaluationScenario } from '../../client/client.ts'
import { outputDisplay } from '../../web/src/pages/comparison/row-panel/output-display.ts'
import { valueGroupsOf } from '../../web/src/pages/comparison/row-panel/value-groups.ts'

const CONVERSATION = [{ role: 'assistant', content: 'Yes.' }]
const OTHER_CONVERSATION = [...CONVERSATION, { role: 'user', content: 'Thanks.' }]
const IMAGE = 'data:image/png;base64,iVBORw0KGgo='

test('two texts or two JSON values are compared as a diff, more of them side by side', () => {
  assert.equal(outputDisplay(['one', 'two'], 'text'), 'diff')
  assert.equal(outputDisplay([{ a: 1 }, '{"a": 2}'], 'text'), 'diff')
  assert.equal(outputDisplay([{ a: 1 }, { a: 2 }], 'json'), 'diff')
  assert.equal(outputDisplay(['one', 'two'], 'markdown'), 'separate')
  assert.equal(outputDisplay(['one', 'two', 'one'], 'text'), 'separate')
})

test('outputs of different kinds and images are side by side, and as JSON a diff', () => {
  assert.equal(outputDisplay(['one', { a: 1 }], 'text'), 'separate')
  assert.equal(outputDisplay(['one', IMAGE], 'text'), 'separate')
  assert.equal(outputDisplay(['one', CONVERSATION], 'json'), 'diff')
})

test('conversations are aligned by turn, also if another output is missing, and as JSON a diff', () => {
  const two = [CONVERSATION, OTHER_CONVERSATION]
  assert.equal(outputDisplay(two, 'text'), 'conversations')
  assert.equal(outputDisplay(two, 'markdown'), 'conversations')
  assert.equal(outputDisplay([...two, undefined], 'text'), 'conversations')
  assert.equal(outputDisplay(['one', CONVERSATION], 'text'), 'conversations')
  assert.equal(outputDisplay([CONVERSATION, undefined], 'text'), 'separate')
  assert.equal(outputDisplay(two, 'json'), 'diff')
  assert.equal(outputDisplay([...two, CONVERSATION], 'json'), 'separate')
})

test('equal outputs are shown once, and a missing or failed output next to the others', () => {
  assert.equal(outputDisplay(['one', 'one'], 'text'), 'once')
  assert.equal(outputDisplay([{ a: [1] }, { a: [1] }, { a: [1] }], 'markdown'), 'once')
  assert.equal(outputDisplay([undefined, 'one'], 'text'), 'separate')
  assert.equal(outputDisplay([undefined, undefined], 'text'), 'separate')
})

test('inputs are one group if all evaluations with the row have the same, or else a group for each', () => {
  const row = (shortName: string, value: unknown) => ({ shortName, scenario: scenario(value) })
  const missing = { shortName: 'r9', scenario: null }
  const names = (...rows: Parameters<typeof valueGroupsOf>[0]) =>
    valueGroupsOf(rows, 'Input').map((group) => group.names)
  assert.deepEqual(names(row('r1', 'a'), missing, row('r2', 'a')), [['r1', 'r2']])
  assert.deepEqual(names(row('r1', 'a'), row('r2', 'b'), row('r3', 'a')), [['r1', 'r3'], ['r2']])
  assert.deepEqual(names(missing, missing), [])
})

test('a single expected answer has no name', () => {
  const [group] = valueGroupsOf([{ shortName: 'r1', scenario: scenario('a') }], 'Expected')
  assert.deepEqual(group?.values, [{ name: '', value: 'yes' }])
})

function scenario(value: unknown): EvaluationScenario {
  const inputs = [{ name: 'question', type: 'text', value }]
  const rest = { evaluation_id: 'e', outputs: [], results: [], is_pinned: false, note: null }
  return { id: 's', inputs, correct_answers: [{ key: 'answer', value: 'yes' }], ...rest }
}
