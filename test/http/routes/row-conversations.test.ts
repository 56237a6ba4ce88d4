// What rows contain for conversations: the last message, or the called tools.
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
