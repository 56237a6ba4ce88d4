// Conversations in Chromium: every format is readable, hostile content does nothing, and long conversations open at once.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly, testOptions } from '../support/options.ts'
import {
  accessibilityViolations,
  assertNoViolations,
  CONTRAST_RULES,
  openPage,
  openPath,
  SIZE,
  servePage,
  visit,
  WITHOUT_BROWSER,
} from './browser.ts'
import { ANSWER, FAMILIES, PNG, QUESTION, REASONING, SYSTEM_PROMPT } from './conversation-fixtures.ts'

const LONG_PROMPT = `${SYSTEM_PROMPT} ${'Answer in three sentences. '.repeat(20)}The end of the prompt.`
const GEMINI = FAMILIES.findIndex(([name]) => name === 'Gemini')
const DIGITS = '123456789012345678901234567890'

/** Replaces a text everywhere in a value. */
function replaceText(value: unknown, text: string, replacement: string): unknown {
  const quote = (part: string) => JSON.stringify(part).slice(1, -1)
  return JSON.parse(JSON.stringify(value).replaceAll(quote(text), quote(replacement)))
}

describe('conversations on the page', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  await assay.addEvaluation({ id: 'e' })
  const addRow = (id: string, value: unknown) =>
    assay.appendScenarios('e', [
      { id, inputs: [], outputs: [{ result: { type: typeof value === 'string' ? 'text' : 'json', value } }] },
    ])
  const pathOf = (id: string, textFormat = 'text') => `/evaluations/e/scenarios/${id}?as=${textFormat}`
  // One browser profile for all tests, which loads and compiles the scripts once.
  const tab = await openPage({ baseUrl, key })
  const { page, faults } = tab
  const main = page.getByRole('main')
  const open = (id: string, textFormat?: string) => openPath(page, pathOf(id, textFormat))

  for (const [index, [name, conversation]] of FAMILIES.entries()) {
    const skip = index !== 0 && index !== GEMINI && fullOnly('conversation.test.ts reads all formats')
    test(`a conversation in the format of ${name} is readable, and its JSON is one click away`, {
      skip,
    }, async () => {
      const id = `family-${index}`
      await addRow(id, JSON.stringify(replaceText(conversation, SYSTEM_PROMPT, LONG_PROMPT)))
      await open(id)
      await main.getByText(QUESTION, { exact: true }).waitFor()
      for (const role of ['System', 'User', 'Assistant', 'Tool'])
        await main.getByText(role, { exact: true }).first().waitFor()
      await main.getByText('"LK-46018"', { exact: true }).waitFor()
      await main.getByText('2026-08-25').waitFor()
      assert.equal(await main.getByText('get_order', { exact: true }).count(), 2)
      assert.equal(await main.getByText(ANSWER, { exact: true }).count(), 1)
      assert.equal(await main.getByRole('img', { name: 'image/png, 70 B' }).count(), 1)
      assert.doesNotMatch((await main.textContent()) ?? '', /\\"|"role"|"type"/)
      // Long prompts and reasoning are one line until they are opened.
      assert.equal(await main.getByText('The end of the prompt.').count(), 0)
      await main.getByText(SYSTEM_PROMPT).click()
      await main.getByText('The end of the prompt.').waitFor()
      await main.getByText('Reasoning', { exact: true }).click()
      assert.equal(await main.getByText(REASONING, { exact: true }).count(), 1)
      // All formats become the same elements.
      if (index === 0 || testOptions.profile === 'full') await assertNoViolations(tab, 'main')
      assert.deepEqual(faults, [])
      await page.keyboard.press('r')
      await main
        .getByText(/^"?(?:role|messages|contents|input)"?/)
        .first()
        .waitFor()
    })
  }

  test('JSON, code and media in messages are readable', async () => {
    await addRow('parts', [
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://images.test/a.png' } }] },
      { role: 'assistant', content: '{"verdict":"say \\"yes\\"","nested":{"a":[1]}}' },
      { role: 'tool', content: 'Traceback (most recent call last):\n  File "a.py", line 3\nKeyError: 1' },
      {
        role: 'assistant',
        content: [
          { type: 'hologram', size: 12 },
          { type: 'redacted_thinking', data: 'x' },
        ],
      },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: ' \n\n' },
      { role: 'assistant', content: [true, null] },
    ])
    await open('parts', 'markdown')
    await main.getByText('audio/wav, 6 B').waitFor()
    await main.getByText('image https://images.test/a.png').waitFor()
    assert.equal(await main.getByRole('link', { name: 'images.test' }).count(), 0)
    await main.getByText('say "yes"', { exact: true }).waitFor()
    assert.equal(await main.locator('pre', { hasText: 'Traceback' }).count(), 1)
    await main.getByText('hologram').click()
    await main.getByText('12', { exact: true }).waitFor()
    await main.getByText('Reasoning, not readable').waitFor()
    await main.getByText('This message is empty.').waitFor()
    await main.getByText('This message contains only whitespace.').waitFor()
    // Not "truenull".
    await main.getByText('true', { exact: true }).waitFor()
    assert.match(await main.innerText(), /\btrue\n+null\b/)
    assert.deepEqual(faults, [])
  })

  test('a tool call is marked if its arguments are not valid JSON', async () => {
    const call = (name: string, json: string) => ({
      id: name,
      type: 'function',
      function: { name, arguments: json },
    })
    await addRow('invalid', [
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('good', '{"a":1}'), call('bad', '{"order": LK-1')],
      },
    ])
    await open('invalid')
    const mark = main.getByText('arguments are not valid JSON', { exact: true })
    await mark.waitFor()
    assert.equal(await mark.count(), 1)
    assert.match((await mark.locator('..').textContent()) ?? '', /^bad tool call/)
    await main.getByText('{"order": LK-1', { exact: true }).waitFor()
    await assertNoViolations(tab, 'main')
    assert.deepEqual(faults, [])
  })

  test('a small object is pairs of name and value, and a tree as JSON', {
    skip: fullOnly('opens another page'),
  }, async () => {
    await addRow('pairs', `{"name":"Zainab","points":${DIGITS},"address":{"city":"Bath"}}`)
    await addRow('nested', { a: { b: 1 }, c: [2], d: 'x' })
    await open('pairs')
    assert.equal(await main.getByRole('definition').first().textContent(), '"Zainab"')
    await main.getByText(DIGITS, { exact: true }).waitFor()
    await main.getByText('{ 1 member }', { exact: true }).click()
    await main.getByText('"Bath"').waitFor()
    await page.keyboard.press('r')
    await main.locator('details').nth(1).waitFor()
    assert.equal(await main.getByRole('definition').count(), 0)
    await page.keyboard.press('t')
    await visit(page, pathOf('nested'))
    await main.locator('details').nth(2).waitFor()
    assert.equal(await main.getByRole('definition').count(), 0)
    assert.deepEqual(faults, [])
  })

  test('roles are above the texts in a narrow window, and contrasts suffice in the dark theme', {
    skip: fullOnly('opens two more pages'),
  }, async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await open('family-0')
    const role = await main.getByText('User', { exact: true }).boundingBox()
    const text = await main.getByText(QUESTION, { exact: true }).boundingBox()
    assert.ok(role && text && role.y < text.y && Math.abs(role.x - text.x) < 4)
    assert.deepEqual(await accessibilityViolations(page, CONTRAST_RULES, 'main'), [])
    assert.deepEqual(faults, [])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(SIZE)
  })

  test('opens 2,000 messages with the first and the last ones', async () => {
    const messages = Array.from({ length: 2000 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${index + 1}.`,
    }))
    await addRow('long', messages)
    await open('long')
    for (const number of [1, 50, 1981, 2000])
      await main.getByText(`Message ${number}.`, { exact: true }).waitFor()
    assert.equal(await main.getByText('Message 51.', { exact: true }).count(), 0)
    await main.getByRole('button', { name: 'Show 500 more messages of 1,930' }).click()
    await main.getByText('Message 550.', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('an image is displayed if it is in the text itself, and is a raster image', async () => {
    await addRow('image', `data:image/png;base64,${PNG}`)
    await addRow('vector', `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`)
    await addRow('broken', `data:image/png;base64,${btoa('not an image')}`)
    await open('image')
    await main.getByRole('img', { name: 'image/png, 70 B' }).waitFor()
    await visit(page, pathOf('vector'))
    await main.getByText('image/svg+xml, 41 B, not displayed').waitFor()
    await visit(page, pathOf('broken'))
    await main.getByText('image/png, 12 B, cannot be displayed').waitFor()
    assert.equal(await main.getByRole('img').count(), 0)
    await visit(page, '/evaluations/e')
    await page.getByRole('gridcell', { name: 'image/svg+xml', exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('hostile content is not executed or requested, in any format', {
    skip: fullOnly('stored-xss.test.ts reads hostile text in every field'),
  }, async () => {
    let requestCount = 0
    const server = createServer((_request, response) => {
      requestCount += 1
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    after(() => server.close())
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const svg = btoa(`<svg xmlns="http://www.w3.org/2000/svg" onload="hit()"><image href="${host}/x"/></svg>`)
    const html = `<img src=x onerror=hit()><script>hit()</script><img src="${host}/a"> [x](javascript:hit())\u202e\u0000`
    const addresses = [
      `${host}/image.png`,
      'javascript:hit()',
      `data:image/svg+xml;base64,${svg}`,
      'data:text/html,<script>hit()</script>',
      `data:image/png;base64,${'A'.repeat(20_000)}`,
      `data:image/png" onerror="hit();base64,${PNG}`,
    ]
    const deepText = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    const hostileParts = (family: number) =>
      addresses.flatMap((url): object[] => {
        if (family === GEMINI) return [{ fileData: { fileUri: url, mimeType: html } }]
        return [
          { type: 'image_url', image_url: { url } },
          { type: 'input_image', image_url: url },
          { type: 'image', source: { type: 'url', url } },
          { type: 'image', source: { type: 'base64', media_type: `image/png${html}`, data: url } },
          { type: 'image', image: url },
          { type: 'document', document: url, mime_type: html },
          { type: 'audio', audio: url, format: html },
          { type: html, [html]: html },
        ]
      })

    const ids: string[] = []
    for (const [index, [, conversation]] of FAMILIES.entries()) {
      // Gemini has other parts than the formats before it.
      if (testOptions.profile === 'quick' && index !== 0 && index !== GEMINI) continue
      let hostile = replaceText(conversation, QUESTION, `stored hostile-${index} ${html}`)
      for (const text of [ANSWER, REASONING, SYSTEM_PROMPT, 'get_order', 'order_number', 'LK-46018'])
        hostile = replaceText(hostile, text, html)
      // Next to the question, which is the first part of every format.
      const parts = JSON.stringify(hostileParts(index)).slice(1, -1)
      const text = JSON.stringify(hostile).replace(/(\{[^{}]*stored hostile-[^{}]*\})/, `$1,${parts}`)
      assert.match(text, /image\.png/)
      ids.push(`hostile-${index}`)
      await addRow(`hostile-${index}`, text)
    }
    const message = (content: unknown) => [
      { role: 'user', content: 'stored ID' },
      { role: 'tool', content },
    ]
    const others: unknown[] = [
      message(deepText),
      message(`{"__proto__":{"a":1},"constructor":${DIGITS}}`),
      [
        ...message('x'),
        { role: 'constructor', content: 'x' },
        { role: '__proto__', name: html, content: html },
      ],
      [...message('x'), { role: 'r'.repeat(10_000), content: 'x' }],
      `[{"role":"user","content":[{"type":"stored ID","value":${deepText}}]}]`,
    ]
    for (const [index, value] of others.entries()) {
      ids.push(`other-${index}`)
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      await addRow(`other-${index}`, text.replace('ID', `other-${index}`))
    }

    let hitCount = 0
    await page.exposeFunction('hit', () => {
      hitCount += 1
    })
    for (const id of ids) {
      await visit(page, pathOf(id))
      for (const shortcut of ['t', 'm', 'r']) {
        const text = main.getByText(`stored ${id}`).first()
        // The tree is collapsed where the text is. JSON that is nested too deeply is displayed as text.
        const content = shortcut === 'r' ? main.locator('details, pre').first() : text
        await page.keyboard.press(shortcut)
        await content.waitFor({ state: 'attached' })
        if (id.startsWith('hostile') && shortcut !== 'r')
          await main.getByText('User', { exact: true }).first().waitFor()
        await main
          .locator('details')
          .evaluateAll('(blocks) => blocks.forEach((block) => (block.open = true))')
        const unsafe =
          'iframe, object, a[href^="javascript" i], a[href^="data" i], img:not([src^="data:image/png;base64,"])'
        assert.equal(await main.locator(unsafe).count(), 0, id)
      }
    }
    await visit(page, pathOf('other-1'))
    await main.getByText(DIGITS, { exact: true }).waitFor()
    assert.deepEqual({ hitCount, requestCount, faults }, { hitCount: 0, requestCount: 0, faults: [] })
  })
})
