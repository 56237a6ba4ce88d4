// Conversations, JSON and failures in the open row of a comparison, in Chromium.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, openPage, SIZE, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const RUNS = ['one', 'two', 'three'] as const
type Run = (typeof RUNS)[number]

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const HOSTILE = '<img src=x onerror=hit()> [l](javascript:hit()) ![i](http://127.0.0.1:9/x.png)'
const QUESTION = 'How long do I have to send the jacket back?'

const INPUT = [
  { role: 'system', content: 'You are a support agent.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: QUESTION },
      { type: 'image_url', image_url: { url: PIXEL } },
      { type: 'image_url', image_url: { url: 'http://127.0.0.1:9/remote.png' } },
    ],
  },
]

/** The second evaluation has one tool call more, and the third another argument. */
function openAiChat(run: Run): unknown {
  const callTool = (id: string, name: string, parameters: object) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(parameters) } }],
  })
  return [
    callTool('c1', 'get_order', { order_number: run === 'three' ? 'LK-2' : 'LK-1' }),
    { role: 'tool', tool_call_id: 'c1', content: '{"delivered":"2026-08-28"}' },
    ...(run === 'two'
      ? [
          callTool('c2', 'get_policy', { country: 'GB' }),
          { role: 'tool', tool_call_id: 'c2', content: '{"days":30}' },
        ]
      : []),
    { role: 'assistant', content: `The answer of ${run}. ${HOSTILE}` },
    { role: 'user', content: `Thanks, ${run}.` },
    { role: 'assistant', content: 'You are welcome.' },
  ]
}

function anthropicMessages(run: Run): unknown {
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I check the size chart.' },
        { type: 'tool_use', id: 't1', name: 'size_chart', input: { unit: run === 'one' ? 'inch' : 'cm' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'M: 92 to 97' }] },
    { role: 'assistant', content: [{ type: 'text', text: `Take the size of ${run}.` }] },
  ]
}

const TRACE = 'Traceback (most recent call last):\n  File "agent.py", line 41\nRateLimit: 429'

const ROWS: { id: string; output: (run: Run) => unknown }[] = [
  { id: 'openai', output: openAiChat },
  { id: 'anthropic', output: anthropicMessages },
  { id: 'failed', output: (run) => (run === 'two' ? undefined : anthropicMessages(run)) },
  { id: 'json', output: (run) => JSON.stringify({ city: run, population: '9007199254740993', same: true }) },
  { id: 'image', output: (run) => (run === 'one' ? 'I cannot draw.' : PIXEL) },
]

function scenario({ id, output }: (typeof ROWS)[number], run: Run): ScenarioWrite {
  const value = output(run)
  return {
    id,
    inputs: [
      { name: 'messages', type: 'json', value: INPUT },
      { name: 'tone', type: 'text', value: id === 'json' && run === 'three' ? 'formal' : 'friendly' },
    ],
    outputs: [
      value === undefined
        ? { result: { type: 'error', error: { message: '429\nretry later', stacktrace: TRACE } } }
        : { result: { type: 'json', value } },
    ],
    correct_answers: [{ key: 'answer', value: '30 days' }],
    results: [{ evaluator_config: 'correct', result: { type: 'bool', value: run !== 'two' } }],
    // Rows with the same inputs would be repeats otherwise.
    extra: { sample: id, results: [{ reason: `The reason of ${run}.` }] },
  }
}

const skip = WITHOUT_BROWSER || fullOnly('opens several rows in a browser')

describe('conversations in a comparison', { skip }, async () => {
  if (skip) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  for (const run of RUNS) {
    await assay.addEvaluation({ id: run, name: `Agent ${run}` })
    await assay.appendScenarios(
      run,
      ROWS.map((row) => scenario(row, run)),
    )
  }
  const path = (row: string, more = '') =>
    `/compare?by=id&${RUNS.map((run) => `evaluation=${run}`).join('&')}&show=all&row=${row}${more}`
  const tab = await openPage({ baseUrl, key, path: path('openai') })
  const { page } = tab
  await page.evaluate(() => Object.assign(globalThis, { hit: () => reportError('hit') }))
  const panel = page.getByRole('complementary', { name: 'Row' })
  const outputs = panel.getByRole('region', { name: 'Outputs' })
  const box = async (text: string) => {
    const { x = 0, y = 0 } = (await outputs.getByText(text).first().boundingBox()) ?? {}
    return { x: Math.round(x), y: Math.round(y) }
  }
  const hasNoSidewaysScroll = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

  test('reads from the input over the outputs to the results', async () => {
    await outputs.getByText('The answer of two.').waitFor()
    await panel.getByText(QUESTION).waitFor()
    const parts = [
      panel.getByText(QUESTION),
      panel.getByText('30 days', { exact: true }),
      outputs.getByText('get_order').first(),
      outputs.getByText('The reason of one.'),
    ]
    const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? 0))
    assert.deepEqual(
      tops,
      tops.toSorted((a, b) => a - b),
    )
    await outputs.getByText('The reason of two.').waitFor()
  })

  test('aligns two conversations by turn, also after an additional tool call', async () => {
    const [one, two] = [await box('Thanks, one.'), await box('Thanks, two.')]
    assert.equal(one.y, two.y)
    assert.equal((await box('The answer of one.')).y, (await box('The answer of two.')).y)
    assert.ok(two.x > one.x)
    assert.ok((await box('get_policy')).x > one.x)
    assert.equal(await outputs.getByText('The answer of three.').count(), 0)
  })

  test('marks the words that changed in a turn, in messages and in arguments of tools', async () => {
    const words = (tag: 'del' | 'ins') => outputs.locator(tag).allInnerTexts()
    await outputs.locator('ins', { hasText: 'two' }).first().waitFor()
    assert.deepEqual(await words('del'), ['one', 'one'])
    assert.deepEqual(await words('ins'), ['two', 'two'])
    await assertNoViolations(tab)
    await visit(page, path('anthropic'))
    await outputs.locator('ins', { hasText: 'cm' }).waitFor()
    assert.deepEqual(await words('del'), ['inch', 'one'])
    assert.deepEqual(await words('ins'), ['cm', 'two'])
    await visit(page, path('openai'))
    await outputs.getByText('The answer of two.').waitFor()
  })

  test('shows three conversations side by side with 0', async () => {
    await page.keyboard.press('0')
    await outputs.getByText('The answer of three.').waitFor()
    const boxes = await Promise.all(RUNS.map((run) => box(`Thanks, ${run}.`)))
    assert.equal(new Set(boxes.map(({ y }) => y)).size, 1, JSON.stringify(boxes))
    assert.equal(new Set(boxes.map(({ x }) => x)).size, 3, JSON.stringify(boxes))
    // The baseline differs from both candidates in another way.
    assert.deepEqual(await outputs.locator('del').allInnerTexts(), [])
    assert.deepEqual(await outputs.locator('ins').allInnerTexts(), ['2', 'two', 'three', 'two', 'three'])
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await assertNoViolations(tab)
    }
    for (const width of [1280, 800, 390]) {
      await page.setViewportSize({ ...SIZE, width })
      assert.ok(await hasNoSidewaysScroll(), `at ${width} pixels`)
    }
    await assertNoViolations(tab)
    await page.setViewportSize(SIZE)
  })

  test('shows the exact JSON of conversations with r, as a diff of two', async () => {
    await page.keyboard.press('1')
    await page.keyboard.press('r')
    await outputs.locator('ins', { hasText: 'get_policy' }).first().waitFor()
    await page.keyboard.press('t')
    await outputs.locator('ins', { hasText: 'get_policy' }).first().waitFor({ state: 'detached' })
  })

  test('shows messages of Anthropic side by side', async () => {
    await visit(page, path('anthropic'))
    await outputs.getByText('Take the size of two.').waitFor()
    assert.ok((await box('Take the size of two.')).x > (await box('Take the size of one.')).x)
    await outputs.getByText('size_chart').first().waitFor()
  })

  test('shows a failed output with its lines next to a conversation, and below several', async () => {
    await visit(page, path('failed'))
    await outputs.getByText('Take the size of one.').waitFor()
    const failed = outputs.getByRole('region', { name: 'Output of Agent two' })
    assert.match(
      await failed.innerText(),
      /429\nretry later[\s\S]*\n {2}File "agent.py", line 41\nRateLimit: 429/,
    )
    await page.keyboard.press('0')
    await outputs.getByText('Take the size of three.').waitFor()
    assert.ok((await box('Take the size of three.')).x > (await box('Take the size of one.')).x)
    await failed.getByText('RateLimit: 429').waitFor()
    await page.keyboard.press('1')
  })

  test('compares JSON texts as JSON, and names inputs that differ', async () => {
    await visit(page, path('json'))
    await outputs.locator('del', { hasText: '"city": "one"' }).waitFor()
    await outputs.locator('ins', { hasText: '"city": "two"' }).waitFor()
    assert.equal(await outputs.locator('ins', { hasText: 'same' }).count(), 0)
    await panel.getByText('The inputs differ.').waitFor()
    await panel.getByText('one, two', { exact: true }).waitFor()
    await panel.getByText('formal', { exact: true }).waitFor()
    // The boxes of both inputs have different names.
    await panel.getByRole('region', { name: 'Input of one, two' }).waitFor()
    await assertNoViolations(tab)
  })

  test('shows an image, and requests nothing from addresses in outputs', async () => {
    await visit(page, path('image'))
    await outputs.getByRole('img').waitFor()
    await outputs.getByText('I cannot draw.').waitFor()
    assert.equal(await page.locator('img:not([src^="data:image/png"]), a[href^="javascript" i]').count(), 0)
    await assertNoViolations(tab)
  })
})
