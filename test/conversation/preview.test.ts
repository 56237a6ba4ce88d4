import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { previewConversation } from '../../src/conversation/preview.ts'
import { ANSWER, FAMILIES, QUESTION } from '../web/conversation-fixtures.ts'

/** The role, and the last message in short form: "get_order()" is a call. */
function preview(value: unknown, role: 'user' | 'assistant' = 'assistant'): string | undefined {
  const { kind, text } = previewConversation(JSON.stringify(value), role) ?? {}
  return kind === 'tool_call' ? `${text}()` : text
}

const chat = (...messages: unknown[]) => [{ role: 'user', content: 'Where is it?' }, ...messages]
const openAiCall = (...names: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: names.map((name) => ({ id: name, type: 'function', function: { name, arguments: '{}' } })),
})
const anthropic = (...content: unknown[]) => ({ role: 'assistant', content })
const toolUse = { type: 'tool_use', id: 't', name: 'get_order', input: {} }
const toolResult = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Shipped' }] }

describe('the preview of a conversation', () => {
  for (const [name, conversation] of FAMILIES)
    for (const value of [
      conversation,
      JSON.stringify(conversation),
      `\n ${JSON.stringify(conversation, null, 2)}`,
    ])
      test(`is a message, in the format of ${name}${typeof value === 'string' ? ' as a JSON text' : ''}`, () => {
        assert.equal(preview(value, 'user'), QUESTION)
        assert.equal(preview(value), ANSWER)
      })

  test('has the names of the tools if the last message of the assistant calls them', () => {
    assert.equal(preview(chat(openAiCall('get_order'))), 'get_order()')
    assert.equal(preview(chat(openAiCall('get_order', 'get_policy'))), 'get_order, get_policy()')
    assert.equal(preview({ messages: chat(openAiCall('get_order')) }), 'get_order()')
    assert.equal(
      preview(chat(openAiCall('f'), { role: 'tool', tool_call_id: 'f', content: '{"a":1}' })),
      'f()',
    )
    assert.equal(preview(chat({ ...openAiCall('f'), content: 'I look it up.' })), 'f()')
    assert.equal(preview([anthropic({ type: 'text', text: 'I look it up.' }, toolUse)]), 'get_order()')
    assert.equal(preview([anthropic(toolUse), toolResult]), 'get_order()')
    assert.equal(preview([toolUse, toolUse]), 'get_order, get_order()')
  })

  test('has the texts after the last call', () => {
    assert.equal(
      preview([
        anthropic(
          { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
          { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
          { type: 'text', text: 'It is' },
          { type: 'text', text: 'shipped today.' },
        ),
      ]),
      'It is\nshipped today.',
    )
    assert.equal(
      preview([anthropic(toolUse), toolResult, anthropic({ type: 'text', text: 'Shipped.' })]),
      'Shipped.',
    )
    assert.equal(
      preview([{ role: 'assistant', content: null, refusal: 'I cannot do that.' }]),
      'I cannot do that.',
    )
  })

  test('skips messages without a text', () => {
    const image = { type: 'image_url', image_url: { url: 'https://images.test/a.png' } }
    assert.equal(preview(chat({ role: 'user', content: [image] }), 'user'), 'Where is it?')
    assert.equal(preview(chat({ role: 'user', content: ' \n' }), 'user'), 'Where is it?')
  })

  test('is the last message with a text if the role has none', () => {
    assert.equal(preview([{ role: 'system', content: 'Be brief.' }], 'user'), 'Be brief.')
    assert.equal(preview(chat()), 'Where is it?')
    assert.equal(preview([{ role: 'tool', content: 'x' }]), undefined)
  })

  test('does not exist for other values', () => {
    for (const value of [
      'text',
      '{"role',
      '[1]',
      {},
      [],
      null,
      1,
      { role: 'admin' },
      [{ role: 'user', name: 'Ana' }],
    ])
      assert.equal(preview(value), undefined, JSON.stringify(value))
  })
})
