// Conversations of all formats become one model, and other data is not taken for a conversation.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Message, Part } from '../../src/conversation/model.ts'
import { readConversation } from '../../src/conversation/read.ts'
import { describeShape, shapeOf } from '../../web/src/content/shape.ts'
import { changesBetween } from '../../web/src/diff/conversation/changes.ts'
import { alignTurns } from '../../web/src/diff/conversation/turns.ts'
import { ANSWER, FAMILIES, PNG, QUESTION, REASONING, SYSTEM_PROMPT } from './conversation-fixtures.ts'

function read(value: unknown) {
  const shape = shapeOf(value)
  assert.ok(shape.kind === 'conversation', `not a conversation: ${JSON.stringify(value).slice(0, 200)}`)
  return readConversation(shape)
}

const partsOf = (value: unknown) => read(value).messages.flatMap(({ parts }) => parts)

/** The parts in short form. */
function outline(messages: Message[]): string[] {
  return messages.map(({ role, parts }) => `${role}: ${parts.map(outlinePart).join(' | ')}`)
}

function outlinePart(part: Part): string {
  switch (part.kind) {
    case 'call':
      return `call ${part.name} ${JSON.stringify(part.input)}`
    case 'result':
      return `result ${part.name} ${part.parts.map(outlinePart).join(', ')}`
    case 'media':
      return part.mediaType.replace(/\/.*/, '')
    case 'json':
      return JSON.stringify(part.value)
    default:
      return part.kind === 'text' ? part.text : `${part.kind} ${part.text}`
  }
}

describe('conversations', () => {
  for (const [name, conversation] of FAMILIES) {
    for (const value of [conversation, JSON.stringify(conversation)])
      test(`reads the format of ${name}${typeof value === 'string' ? ', also as a JSON text' : ''}`, () => {
        const lines = outline(read(value).messages)
        assert.equal(lines[0], `system: ${SYSTEM_PROMPT}`)
        assert.match(lines[1] ?? '', new RegExp(`^user: ${QUESTION.replaceAll('?', '\\?')} \\| image`))
        assert.equal(lines[2], 'assistant: call get_order {"order_number":"LK-46018"}')
        assert.equal(lines[3], 'tool: result get_order {"placed":"2026-08-25","total":229}')
        const rest = lines.slice(4).join(' | ').replaceAll('assistant: ', '')
        assert.equal(rest, `reasoning ${REASONING} | ${ANSWER}`)
      })
  }

  test('the description counts messages, with the system prompt', () => {
    const descriptions = FAMILIES.map(([, value]) => describeShape(shapeOf(value)))
    assert.deepEqual(new Set(descriptions), new Set(['conversation, 5 messages', 'conversation, 6 messages']))
    assert.equal(describeShape(shapeOf({ role: 'user', content: 'Hello' })), 'conversation, 1 message')
  })
})

describe('parts of messages', () => {
  const assistant = (...content: unknown[]) => [{ role: 'assistant', content }]

  test('reads what only some providers have', () => {
    const cases: [value: unknown, parts: string[]][] = [
      [[{ role: 'assistant', content: null, refusal: 'No.' }], ['refusal No.']],
      [assistant({ type: 'refusal', refusal: 'No.' }), ['refusal No.']],
      [assistant({ type: 'text', text: 'No.', refusal: true }), ['refusal No.']],
      [
        [{ role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } }],
        ['call f {"a":1}'],
      ],
      [
        [
          { role: 'function', name: 'f', content: 'done' },
          { role: 'user', content: '' },
        ],
        ['result f done'],
      ],
      [[{ role: 'assistant', audio: { id: 'audio_1', transcript: 'Hi' }, content: null }], ['Hi', 'audio']],
      [assistant({ type: 'redacted_thinking', data: 'Em' }), ['reasoning ']],
      [
        assistant({ type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } }),
        ['call web_search {"query":"x"}'],
      ],
      [
        assistant({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Terms' } }),
        ['Terms'],
      ],
      [assistant({ type: 'document', source: { type: 'url', url: 'https://x.test/a.pdf' } }), ['document']],
      [
        assistant({
          type: 'tool_use',
          tool_type: 'mcp_call',
          id: 'm',
          name: 'f',
          arguments: '{}',
          result: 'ok',
        }),
        ['call f {}', 'result f ok'],
      ],
      [[{ type: 'web_search_call', id: 'w', action: { query: 'x' } }], ['call web_search {"query":"x"}']],
      [[{ type: 'image_generation_call', id: 'i', result: PNG }], ['image']],
      [
        [{ type: 'mcp_call', id: 'm', name: 'f', arguments: '{}', output: 'ok', server_label: 's' }],
        ['call f {}', 'result f ok'],
      ],
      [
        {
          contents: [
            { parts: [{ text: 'Hi' }, { file_data: { mime_type: 'video/mp4', file_uri: 'gs://a' } }] },
          ],
        },
        ['Hi', 'video'],
      ],
      [
        [{ role: 'model', parts: [{ executableCode: { language: 'PYTHON', code: '1' } }] }],
        ['call code_execution {"language":"PYTHON","code":"1"}'],
      ],
      [
        [
          { type: 'AIMessageChunk', content: 'Hi' },
          { type: 'human', content: 'Yo' },
        ],
        ['Hi', 'Yo'],
      ],
    ]
    for (const [value, parts] of cases) assert.deepEqual(partsOf(value).map(outlinePart), parts)
  })

  test('displays a part of an unknown type as JSON', () => {
    for (const part of [{ type: 'hologram', data: [1] }, { unexpected: true }, 42, { type: 'image' }])
      assert.deepEqual(partsOf(assistant(part)).map(outlinePart), [JSON.stringify(part)])
  })

  test('does not repeat the calls that LangChain stores twice', () => {
    const call = { type: 'tool_use', id: 't', name: 'f', input: {} }
    const message = { type: 'ai', content: [call], tool_calls: [{ name: 'f', args: {}, id: 't' }] }
    assert.deepEqual(partsOf([message]).map(outlinePart), ['call f {}'])
  })

  test('marks errors of tools', () => {
    const [inspect] = partsOf([
      { role: 'tool', content: '', function: 'f', error: { type: 'timeout', message: 'Timed out' } },
    ])
    assert.ok(inspect?.kind === 'result' && inspect.isError)
    assert.equal(outlinePart(inspect), 'result f Timed out')
    const [anthropic] = partsOf([
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'bad', is_error: true }] },
    ])
    assert.ok(anthropic?.kind === 'result' && anthropic.isError)
  })

  test('marks calls with arguments that are not JSON', () => {
    const call = (json: unknown, more = {}) => ({
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: json }, ...more }],
    })
    const invalid = '{"order": LK-1'
    const calls = (value: unknown) =>
      partsOf(value).map((part) => part.kind === 'call' && [part.input, part.isInvalid ?? false])
    assert.deepEqual(calls([call(invalid)]), [[invalid, true]])
    assert.deepEqual(calls([call('LK-1')]), [['LK-1', true]])
    for (const json of ['{"a":1}', '[1]', '1', 'null', '', { a: 1 }, null])
      assert.equal(Object(calls([call(json)])[0])[1], false, JSON.stringify(json))
    assert.deepEqual(calls([{ type: 'function_call', call_id: 'c', name: 'f', arguments: invalid }]), [
      [invalid, true],
    ])
    assert.deepEqual(
      calls([{ role: 'assistant', content: null, function_call: { name: 'f', arguments: invalid } }]),
      [[invalid, true]],
    )
    // Custom tools have any text as input.
    assert.deepEqual(calls([{ type: 'custom_tool_call', call_id: 'c', name: 'f', input: 'x = 1' }]), [
      ['x = 1', false],
    ])
    const inspect = { id: 'c', function: 'f', arguments: {}, parse_error: 'Cannot parse it.' }
    assert.deepEqual(calls([{ role: 'assistant', tool_calls: [inspect] }]), [['Cannot parse it.', true]])
    const langChain = {
      type: 'ai',
      content: '',
      tool_calls: [{ name: 'g', args: { a: 1 }, id: 'g' }],
      invalid_tool_calls: [{ name: 'f', args: invalid, id: 'f', error: 'bad' }],
      additional_kwargs: { tool_calls: call(invalid).tool_calls },
    }
    assert.deepEqual(calls([langChain]), [
      [{ a: 1 }, false],
      [invalid, true],
      // The error is the result of the call.
      false,
    ])
  })

  test('keeps all digits of numbers in arguments', () => {
    const digits = '123456789012345678901234567890'
    const [call] = partsOf(
      `[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{\\"n\\":${digits}}"}}]`,
    )
    assert.ok(call?.kind === 'call')
    assert.equal(JSON.stringify(call.input), `{"n":${digits}}`)
  })
})

describe('requests, responses and other wrappers', () => {
  const answer = { role: 'assistant', content: 'Hello' }
  test('reads the messages in them, and keeps the other members', () => {
    const wrappers = [
      answer,
      { messages: [answer], temperature: 0 },
      { id: 'chatcmpl-1', choices: [{ index: 0, message: answer, finish_reason: 'stop' }] },
      { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }] },
      { messages: [[{ type: 'ai', content: 'Hello' }]] },
      { generations: [[{ text: 'Hello', message: { type: 'ai', content: 'Hello' } }]], run: null },
      { object: 'response', output: [{ type: 'message', ...answer }] },
      { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
    ]
    for (const wrapper of wrappers) assert.deepEqual(outline(read(wrapper).messages), ['assistant: Hello'])
    assert.deepEqual(read(wrappers[1]).otherMembers, { temperature: 0 })
    assert.deepEqual(read(answer).otherMembers, {})
    for (const [name, conversation] of FAMILIES)
      assert.ok(!JSON.stringify(read(conversation).otherMembers).includes(ANSWER), name)
    const mixed = { input: 'A question', output: [answer], system: 'Be brief.' }
    assert.deepEqual(read(mixed).otherMembers, { input: 'A question' })
  })

  test('reads a list of tool calls without a message', () => {
    const openai = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }]
    const anthropic = [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
    ]
    assert.deepEqual(outline(read(JSON.stringify(openai)).messages), ['assistant: call f {"a":1}'])
    assert.deepEqual(outline(read(anthropic).messages), ['assistant: Let me look. | call f {"a":1}'])
  })
})

/** All values in the expected imports of this folder. */
function* importedValues(folder: string): Generator<[file: string, value: unknown]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => /expected[/\\].*\.json$/.test(name))) {
    const queue = [JSON.parse(readFileSync(join(folder, file), 'utf8'))]
    for (const value of queue) {
      if (typeof value !== 'object' || value === null) continue
      if ('value' in value) yield [file, value.value]
      queue.push(...Object.values(value))
    }
  }
}

describe('shapes', () => {
  test('in results of real tools, only conversations are recognized as such', () => {
    const files = new Set<string>()
    for (const [file, value] of importedValues(join(import.meta.dirname, '../fixtures/import')))
      if (shapeOf(value).kind === 'conversation') files.add(file.replaceAll('\\', '/'))
    assert.deepEqual([...files].sort(), [
      'deepeval/expected/test_run_20261115_123910_2.json.json',
      'inspect/expected/layout-document.json.json',
      'inspect/expected/layout-entries.eval.json',
      'inspect/expected/layout-folders.eval.json',
      'inspect/expected/planets.eval.json',
      'openai/expected/runs.jsonl.json',
    ])
  })

  const kindOf = (value: unknown) => shapeOf(value).kind
  const describeValue = (value: unknown) => describeShape(shapeOf(value))

  test('other data is not a conversation', () => {
    const values = [
      [],
      {},
      [{ role: 'admin', content: 'All rights' }],
      [
        { role: 'admin', name: 'Ana' },
        { role: 'user', name: 'Ben' },
      ],
      { role: 'user' },
      { messages: [] },
      { messages: ['Hello'] },
      { messages: 3 },
      { content: 'Hello' },
      [
        { type: 'tool', content: 'Hammer' },
        { type: 'system', content: 'Metric' },
      ],
      [{ type: 'phone_call', id: '3' }],
      [{ role: 'user', content: 'Hello' }, { name: 'not a message' }],
      [{ role: 'x'.repeat(10_000), content: 'Hello' }],
      { choices: [{ text: 'A completion' }] },
      { output: [{ type: 'text', value: 3 }] },
      { contents: ['a'], parts: [] },
      { kwargs: {}, id: 'x' },
    ]
    for (const value of values)
      for (const form of [value, JSON.stringify(value)])
        assert.notEqual(kindOf(form), 'conversation', JSON.stringify(value))
  })

  test('lists of flat objects are tables, and everything else is JSON', () => {
    assert.equal(describeValue([{ a: 1, b: null }, { a: 'x' }]), 'table, 2 rows')
    assert.equal(describeValue('[{"a":12345678901234567890},{"a":2}]'), 'table, 2 rows')
    for (const value of [[{ a: 1 }], [{ a: {} }, { a: 1 }], [{}, {}], [1, 2], { a: 1 }, '{"a": 1}'])
      assert.equal(describeValue(value), 'JSON')
    for (const value of ['Hello', '', '42', '{"a": 1', '[link](x)', '{{name}}', 42, true, null, undefined])
      assert.equal(describeValue(value), undefined)
  })

  test('images are complete data URIs', () => {
    assert.deepEqual(shapeOf(`data:image/png;base64,${PNG}`), {
      kind: 'image',
      mediaType: 'image/png',
      size: 70,
    })
    assert.equal(describeValue(`data:image/jpeg;base64,${'A'.repeat(45_336)}`), 'image, 34 kB')
    const others = [
      'data:text/plain;base64,AA',
      `data:image/png;base64,${PNG} is red`,
      'data:image/png,%89',
      'image',
    ]
    for (const text of others) assert.equal(kindOf(text), 'text')
  })

  test('stack traces and source code are code, and prose is not', () => {
    const code = [
      'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nKeyError: 1',
      'TypeError: x is not a function\n    at f (/app/a.js:1:2)\n    at async g (node:internal:3:4)',
      'java.lang.IllegalStateException: bad\n\tat com.example.A.run(A.java:12)\n\tat java.lang.Thread.run(Thread.java)',
      'panic: bad\n\ngoroutine 1 [running]:\nmain.main()',
      'import os\n\ndef add(a, b):\n    return (a + b)\n\nclass A:\n    x = 1',
      'function f(a) {\n  const b = a;\n  return b;\n}',
    ]
    for (const text of code) assert.equal(kindOf(text), 'code', text)
    const prose = [
      'Dear Ana,\n\nimport duties apply; see below.\n\nBest regards',
      'Look at this:\n```js\nconst a = 1;\nconst b = 2;\nconst c = 3;\n```',
      'Steps:\n  1. Open the box (carefully)\n  2. Take it out\nDone at noon (12:00)\nThat is all.',
      'We meet\n  at noon in the park',
    ]
    for (const text of prose) assert.equal(kindOf(text), 'text', text)
  })
})

test('no value makes the reader throw or changes prototypes', () => {
  const deepValue = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
  const values = [null, 0, '', 'x', [], {}, true, deepValue, JSON.parse('{"__proto__":{"polluted":1}}')]
  const names =
    'content parts tool_calls function_call refusal audio name error tool_call_id reasoning additional_kwargs'
  for (const name of names.split(' '))
    for (const value of values)
      for (const role of ['user', 'assistant', 'tool', 'model']) read([{ role, content: '', [name]: value }])
  const types =
    'text refusal thinking reasoning image image_url input_audio file document tool_use tool_result function'
  const members = 'text refusal thinking summary source image_url file input function content result error'
  for (const type of types.split(' '))
    for (const name of members.split(' '))
      for (const value of values) read([{ role: 'user', content: [{ type, name: 'f', [name]: value }] }])
  const items = 'reasoning function_call function_call_output web_search_call mcp_call image_generation_call'
  for (const type of items.split(' '))
    for (const name of ['name', 'arguments', 'output', 'action', 'summary', 'result', 'error'])
      for (const value of values)
        read([
          { role: 'user', content: '' },
          { type, id: 'i', [name]: value },
        ])
  read([
    { role: 'assistant', content: [{ type: 'tool_use', name: '__proto__', id: '__proto__', input: {} }] },
  ])
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

describe('turns of several conversations', () => {
  const user = (content: string) => ({ role: 'user', content })
  const assistant = (content: string) => ({ role: 'assistant', content })
  const system = { role: 'system', content: SYSTEM_PROMPT }
  const call = (id: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
  })
  /** Labels, and per column the number of messages, and of those that differ. */
  const align = (...values: unknown[]) =>
    alignTurns(values).map(({ label, cells }) =>
      [label, ...cells.map(({ messages, changed }) => `${messages.length}/${changed.size}`)].join(' '),
    )

  test('start with a message of the user, so that an additional tool call moves nothing', () => {
    const first = [system, user('a'), assistant('b'), user('c'), assistant('d')]
    const second = [system, user('a'), call('1'), { role: 'tool', content: 'x' }, assistant('b'), user('c')]
    assert.deepEqual(align(first, second), [
      'System 1/0 1/0',
      'Turn 1 1/0 3/2',
      'Turn 1, answer 1/0 1/0',
      'Turn 2 1/0 1/0',
      'Turn 2, answer 1/0 0/0',
    ])
  })

  test('are empty where a conversation has none', () => {
    assert.deepEqual(align([user('a')], [system, user('a'), assistant('b'), user('c')], undefined), [
      'System 0/0 1/1 0/0',
      'Turn 1 1/0 1/0 0/0',
      'Turn 1, answer 0/0 1/1 0/0',
      'Turn 2 0/0 1/1 0/0',
    ])
  })

  test('answers without a question are one turn, also if one of them is a text', () => {
    assert.deepEqual(align('b', [call('1'), assistant('b')], [assistant('c')]), [
      'Start 0/0 1/1 0/0',
      'Start, answer 1/0 1/0 1/1',
    ])
  })

  test('a text is the last answer of a conversation with questions', () => {
    assert.deepEqual(align([user('a'), call('1'), assistant('b'), user('c'), assistant('d')], 'd'), [
      'Turn 1 2/0 0/0',
      'Turn 1, answer 1/0 0/0',
      'Turn 2 1/0 0/0',
      'Turn 2, answer 1/0 1/0',
    ])
  })

  test('ids of calls do not make messages different', () => {
    assert.deepEqual(align([call('call_1')], [call('call_2')]), ['Start 1/0 1/0'])
  })
})

describe('changed words in a turn', () => {
  const call = (name: string, args: object) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  })
  /** The words that are only in the first or the second conversation. */
  function changedWords(oldMessages: unknown[], newMessages: unknown[]) {
    const { removed, added } = changesBetween(read(oldMessages).messages, read(newMessages).messages)
    return [removed, added].map((changes) =>
      [...changes.values()].flatMap(({ pieces }) =>
        pieces.filter(({ change }) => change !== undefined).map(({ text }) => text),
      ),
    )
  }

  test('are found in messages, arguments and results of the same tool', () => {
    const messages = (day: string, unit: string, count: number, answer: string) => [
      { role: 'user', content: `Order of ${day}` },
      call('size', { unit, order: 1 }),
      { role: 'tool', tool_call_id: 'c', content: JSON.stringify({ count, unit: 'any' }) },
      { role: 'assistant', content: answer },
    ]
    assert.deepEqual(
      changedWords(
        messages('Monday', 'inch', 3, 'Three of them'),
        messages('Sunday', 'cm', 4, 'Four of them'),
      ),
      [
        ['Monday', 'inch', '3', 'Three'],
        ['Sunday', 'cm', '4', 'Four'],
      ],
    )
  })

  test('are not searched in an additional call, or between different tools and roles', () => {
    const answer = { role: 'assistant', content: 'It has arrived' }
    assert.deepEqual(
      changedWords([call('f', { a: 1 }), answer], [call('f', { b: 2 }), call('f', { a: 1 }), answer]),
      [[], []],
    )
    assert.deepEqual(changedWords([call('f', { a: 1 })], [call('g', { a: 2 })]), [[], []])
    assert.deepEqual(changedWords([answer], [{ role: 'user', content: 'It has not arrived' }]), [[], []])
  })

  test('are not marked in texts without a common word', () => {
    const say = (content: string) => [{ role: 'assistant', content }]
    assert.deepEqual(changedWords(say('All of it'), say('Nothing at all')), [[], []])
  })
})
