// Texts of a row in Chromium: differences of prose and JSON.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import {
  accessibilityViolations,
  assertNoViolations,
  CONTRAST_RULES,
  openPage,
  servePage,
  WITHOUT_BROWSER,
} from './browser.ts'

const LONG_LINE = Array.from({ length: 40_000 }, (_, index) => `w${(index * index) % 997}`).join(' ')
const OUTPUTS: Record<string, [expected: string, output: string]> = {
  prose: [
    'The customer has 30 days from delivery.\n\nשלום, יש לך 30 ימים.\n\nBye',
    'You have 14 days from delivery.\n\nשלום, יש לך 14 ימים.\n\nBye',
  ],
  unrelated: ['Canberra', 'The capital is Sydney.'],
  long: [LONG_LINE, LONG_LINE.replace(/(?<=.{150000}) /, ' inserted ')],
  json: [
    '{"id":12345678901234567890,"price":1.10,"name":"Drift"}',
    '{"id":12345678901234567891,"price":1.10}',
  ],
  order: ['{"id":1.10,"name":"Drift"}', '{"name":"Drift","id":1.10}'],
}

const skip = WITHOUT_BROWSER || fullOnly('opens several pages in a browser')

describe('texts of a row', { skip }, async () => {
  if (skip) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  await assay.addEvaluation({ id: 'texts' })
  await assay.appendScenarios(
    'texts',
    Object.entries(OUTPUTS).map(([id, [expected, output]]) => ({
      id,
      outputs: [{ result: { type: 'text', value: output } }],
      correct_answers: [{ key: 'answer', value: expected }],
    })),
  )
  const open = (id: string, options: { width?: number; theme?: 'dark' } = {}) =>
    openPage({ baseUrl, key, path: `/evaluations/texts/scenarios/${id}`, ...options })

  test('shows prose in two columns without line numbers, with marked words', async () => {
    const tab = await open('prose')
    const { page, context } = tab
    const diff = page.getByRole('table').filter({ has: page.locator('del') })
    await diff.waitFor()
    assert.match(
      (await diff.getByRole('columnheader').allTextContents()).join(' | '),
      /^[^|]* − \| [^|]* \+$/,
    )
    assert.deepEqual(await diff.locator('del').allTextContents(), ['The customer has 30', '30'])
    assert.deepEqual(await diff.locator('ins').allTextContents(), ['You have 14', '14'])
    const texts = await diff.getByRole('cell').allTextContents()
    assert.deepEqual(texts.slice(0, 2), [
      'The customer has 30 days from delivery.',
      'You have 14 days from delivery.',
    ])
    const styleOf = (tag: string, style: 'borderBottomStyle' | 'backgroundColor') =>
      diff
        .locator(tag)
        .first()
        .evaluate((element, name) => getComputedStyle(element)[name], style)
    assert.deepEqual(
      [await styleOf('del', 'borderBottomStyle'), await styleOf('ins', 'borderBottomStyle')],
      ['dashed', 'solid'],
    )
    assert.notEqual(await styleOf('del', 'backgroundColor'), await styleOf('ins', 'backgroundColor'))
    // A paragraph has the direction of its language.
    const directions = await diff
      .locator('p')
      .evaluateAll((paragraphs) =>
        paragraphs
          .filter(({ textContent }) => textContent !== '')
          .map((paragraph) => getComputedStyle(paragraph).direction),
      )
    assert.deepEqual(directions, ['ltr', 'ltr', 'rtl', 'rtl', 'ltr', 'ltr'])
    await assertNoViolations(tab)
    await page.emulateMedia({ forcedColors: 'active' })
    assert.deepEqual(
      [await styleOf('del', 'borderBottomStyle'), await styleOf('ins', 'borderBottomStyle')],
      ['dashed', 'solid'],
    )
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'dark' })
    assert.deepEqual(await accessibilityViolations(page, CONTRAST_RULES), [])
    await context.close()
  })

  test('shows prose in one column in a narrow window', async () => {
    const tab = await open('prose', { width: 390 })
    const { page, context } = tab
    await page.getByRole('columnheader', { name: /^− .* \+ / }).waitFor()
    assert.deepEqual(await page.locator('del mark').allTextContents(), ['The customer has 30', '30'])
    const cells = page
      .getByRole('row')
      .filter({ has: page.locator('ins') })
      .first()
      .getByRole('cell')
    assert.deepEqual(
      (await cells.allTextContents()).map((text) => text.trim()),
      ['+', 'You have 14 days from delivery.'],
    )
    await assertNoViolations(tab)
    await context.close()
  })

  test('says that two texts have no words in common', async () => {
    const tab = await open('unrelated', { theme: 'dark' })
    const { page, context } = tab
    await page.getByText('No words in common').waitFor()
    assert.deepEqual(await page.locator('del').allTextContents(), ['Canberra'])
    await assertNoViolations(tab)
    await context.close()
  })

  test('marks a word in a line of 200 kB, and goes to it with a key', async () => {
    const { page, context, faults } = await open('long')
    const word = page.locator('ins').filter({ hasText: 'inserted' })
    await word.waitFor()
    const topOf = async () => (await word.boundingBox())?.y ?? 0
    assert.ok((await topOf()) > 2000)
    await page.keyboard.press(']')
    await word.and(page.locator(':focus')).waitFor()
    assert.ok((await topOf()) < 800)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('compares JSON as JSON with exact numbers, and as text on request', async () => {
    const tab = await open('json')
    const { page, context } = tab
    await page.getByRole('button', { name: 'Compare as text' }).waitFor()
    const lines = (tag: string) => page.locator(tag).allTextContents()
    assert.deepEqual(await lines('del'), [
      '  "id": 12345678901234567890,',
      '  "price": 1.10,',
      '  "name": "Drift"',
    ])
    assert.deepEqual(await lines('ins'), ['  "id": 12345678901234567891,', '  "price": 1.10'])
    await assertNoViolations(tab)
    await page.getByRole('button', { name: 'Compare as text' }).click()
    await page.getByRole('button', { name: 'Compare as JSON' }).waitFor()
    assert.deepEqual(await lines('ins'), ['12345678901234567891'])
    await context.close()
  })

  test('says that only the order of members differs', async () => {
    const { page, context } = await open('order')
    await page.getByText('Only the order of members differs').waitFor()
    await context.close()
  })
})
