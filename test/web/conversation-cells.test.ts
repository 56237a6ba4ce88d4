// Conversations in the cells of tables: what was asked, and what was answered or called.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { assertNoViolations, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const chat = (...messages: unknown[]) => [
  { role: 'system', content: 'You are a support agent.' },
  ...messages,
]
const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const callTools = (...names: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: names.map((name) => ({ id: name, type: 'function', function: { name, arguments: '{}' } })),
})

const LONG = 'The jacket can be sent back within 30 days. '.repeat(10)

/** Input, output, and what their cells show. */
const ROWS: [input: unknown, output: unknown, question: string, answer: string][] = [
  [
    chat(user('Where is LK-1?')),
    chat(user('Where is LK-1?'), callTools('get_order')),
    'Where is LK-1?',
    'get_order tool call',
  ],
  [
    JSON.stringify(
      chat(
        user('An old question'),
        assistant('An old answer'),
        user([{ type: 'text', text: 'Where is LK-2?' }]),
      ),
    ),
    [
      assistant([
        { type: 'text', text: 'I check.' },
        { type: 'tool_use', id: 't', name: 'track', input: {} },
      ]),
    ],
    'Where is LK-2?',
    'track tool call',
  ],
  [
    { model: 'm', messages: [user('Where is LK-3?')] },
    { choices: [{ message: assistant(LONG) }] },
    'Where is LK-3?',
    LONG.slice(0, 200),
  ],
  ['Where is LK-4?', 'It has arrived.', 'Where is LK-4?', 'It has arrived.'],
]

describe('conversations in tables', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  for (const id of ['one', 'two']) {
    await assay.addEvaluation({ id, name: `Agent ${id}` })
    await assay.appendScenarios(
      id,
      ROWS.map(([input, output], index) => ({
        id: `row-${index}`,
        inputs: [{ name: 'messages', type: 'json', value: input }],
        outputs: [{ result: { type: 'json', value: output } }],
        correct_answers: [
          { key: 'answer', value: JSON.stringify([user('What?'), assistant(`Expected ${index}.`)]) },
        ],
        results: [{ evaluator_config: 'correct', result: { type: 'bool', value: id === 'one' } }],
      })),
    )
  }
  const tab = await openPage({ baseUrl, key, path: '/evaluations/one' })
  const { page, faults } = tab

  test('show the last message of the user, and the answer or the called tool', async () => {
    for (const [index, [, , question, answer]] of ROWS.entries()) {
      const row = page.getByRole('row', { name: question })
      await row.waitFor()
      const texts = await row.getByRole('gridcell').allInnerTexts()
      assert.ok(texts.includes(question), texts.join(' | '))
      assert.ok(
        texts.some((text) => text.startsWith(answer)),
        texts.join(' | '),
      )
      assert.ok(texts.includes(`Expected ${index}.`), texts.join(' | '))
    }
    await assertNoViolations(tab)
    assert.deepEqual(faults, [])
  })

  test('show them in a comparison too', async () => {
    await visit(page, '/compare?evaluation=one&evaluation=two&show=all')
    const row = page.getByRole('row', { name: 'Where is LK-2?' })
    await row.getByText('tool call', { exact: true }).nth(1).waitFor()
    assert.equal(await row.getByText('track', { exact: true }).count(), 2)
    assert.deepEqual(faults, [])
  })
})
