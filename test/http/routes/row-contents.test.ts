// What rows contain besides the scenario: for conversations the last message or the called tools, and reasons of results.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, sendRequest } from '../../support/http.ts'

const store = await createTestStore()
const { baseUrl } = await startTestService(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })

async function send(path: string, body?: unknown): Promise<string> {
  const headers = { authorization: key, 'content-type': 'application/json' }
  const response = await sendRequest(
    baseUrl,
    path,
    headers,
    body === undefined ? 'GET' : 'POST',
    body === undefined ? undefined : JSON.stringify(body),
  )
  assert.ok(response.status < 300, response.text)
  if (body === undefined) checkDocumented(path, response)
  return response.text
}

const QUESTION = 'Where is order LK-1? 💡'
const CALL = { id: 'c', type: 'function', function: { name: 'get_order', arguments: '{"order":' } }
const ANSWER = [{ role: 'assistant', content: null, tool_calls: [CALL] }]

for (const id of ['a', 'b']) {
  await send('/api/evaluations', { id })
  await send(`/api/evaluations/${id}/evaluation_scenarios`, [
    {
      id: 'chat',
      inputs: [
        { name: 'user', type: 'text', value: 'Ana' },
        { name: 'messages', type: 'text', value: JSON.stringify([{ role: 'user', content: QUESTION }]) },
      ],
      outputs: [{ result: { type: 'json', value: ANSWER } }],
      correct_answers: [
        { key: 'answer', value: JSON.stringify({ role: 'assistant', content: 'It has arrived.' }) },
      ],
    },
    { id: 'text', inputs: [{ name: 'user', type: 'text', value: 'Ben' }], outputs: [] },
  ])
}

test('lists the conversations of a row, and leaves the list out if there are none', async () => {
  const { rows } = JSON.parse(await send('/api/evaluations/a/rows'))
  assert.deepEqual(rows[0].conversations, [
    { pointer: '/inputs/1/value', kind: 'message', text: QUESTION },
    { pointer: '/outputs/0/result/value', kind: 'tool_call', text: 'get_order' },
    { pointer: '/correct_answers/0/value', kind: 'message', text: 'It has arrived.' },
  ])
  assert.deepEqual(rows[0].cut, [])
  assert.deepEqual(rows[0].outputs[0].result.value, ANSWER)
  assert.equal('conversations' in rows[1], false)
})

test('truncates their texts like other texts', async () => {
  const { rows } = JSON.parse(await send('/api/evaluations/a/rows?preview=22'))
  assert.equal(rows[0].conversations[0].text, QUESTION)
  const short = JSON.parse(await send('/api/evaluations/a/rows?preview=8')).rows[0]
  assert.equal(short.conversations[0].text, 'Where is')
  assert.deepEqual(short.cut, [
    '/inputs/1/value',
    '/conversations/0/text',
    '/outputs/0/result/value',
    '/conversations/1/text',
    '/correct_answers/0/value',
    '/conversations/2/text',
  ])
})

test('lists them in the rows of comparisons', async () => {
  const { rows } = JSON.parse(await send('/api/comparisons/rows?evaluation=a&evaluation=b&by=id&show=all'))
  for (const side of [rows[0].base, rows[0].candidates[0].row])
    assert.equal(side.conversations[1].text, 'get_order')
})

test('has the reasons of results on request, and truncates them like other texts', async () => {
  const result = (value: unknown) => ({ evaluator_config: 'judge', result: { type: 'bool', value } })
  const reason = `💡 ${'because '.repeat(40)}`
  await send('/api/evaluations', { id: 'judged' })
  await send('/api/evaluations/judged/evaluation_scenarios', [
    { id: 'both', results: [result(true), result(false)], extra: { results: [{ reason, by: 'Ana' }, {}] } },
    {
      id: 'second',
      results: [result(true), result(false)],
      extra: { results: [null, { reason: { a: 1.5 } }] },
    },
    { id: 'other', results: [result(true)], extra: { results: 'free-form' } },
    { id: 'none', results: [result(true)] },
    { id: 'large', results: [result(true)], extra: { results: [{ reason: 'x'.repeat(20_000) }] } },
  ])
  const { rows } = JSON.parse(await send('/api/evaluations/judged/rows?include=reasons&preview=100'))
  assert.deepEqual(
    rows.map(({ reasons }: { reasons: unknown }) => reasons),
    [
      [
        { reason: [...reason].slice(0, 100).join(''), by: 'Ana' },
        { reason: null, by: null },
      ],
      [null, { reason: '{"a":1.5}', by: null }],
      [],
      [],
      [{ reason: 'x'.repeat(100), by: null }],
    ],
  )
  assert.deepEqual(rows[0].cut, ['/reasons/0/reason'])
  assert.equal((await send('/api/evaluations/judged/rows')).includes('reasons'), false)
})
