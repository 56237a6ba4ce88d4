// Texts and JSON of a row in Chromium: differences, long texts, trees and tables.
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

interface OpenOptions {
  search?: string
  width?: number
  theme?: 'dark'
}

const skip = WITHOUT_BROWSER || fullOnly('opens several pages in a browser')

describe('texts of a row', { skip }, async () => {
  if (skip) return
  const LONG_LINE = Array.from({ length: 40_000 }, (_, index) => `w${(index * index) % 997}`).join(' ')
  const middle = LONG_LINE.indexOf(' ', 150_000)
  const OUTPUTS: Record<string, [expected: string, output: string]> = {
    prose: [
      'The customer has 30 days from delivery.\n\nשלום, יש לך 30 ימים.\n\nBye',
      'You have 14 days from delivery.\n\nשלום, יש לך 14 ימים.\n\nBye',
    ],
    unrelated: ['Canberra', 'The capital is Sydney.'],
    long: [LONG_LINE, `${LONG_LINE.slice(0, middle)} inserted${LONG_LINE.slice(middle)}`],
    json: [
      '{"id":12345678901234567890,"price":1.10,"name":"Drift"}',
      '{"id":12345678901234567891,"price":1.10}',
    ],
    order: ['{"id":1.10,"name":"Drift"}', '{"name":"Drift","id":1.10}'],
  }

  const TREE = {
    order: { id: 'LK-46018', 'unit price': 1.5 },
    items: Array.from({ length: 100_000 }, (_, index) => `item ${index}`),
  }
  const TABLE = `[{"name":"Drift","price":1.10,"stock":null},{"name":"שלום","id":12345678901234567890},${Array.from(
    { length: 300 },
    (_, index) => `{"name":"row ${index}","price":${index}}`,
  ).join()}]`
  /** Values without an expected answer. */
  const VALUES: Record<string, string> = {
    tree: JSON.stringify(TREE),
    small: '{"a":{"b":1.10,"c":[]}}',
    pairs: '{"id":7,"customer":{"city":"Leeds"}}',
    table: TABLE,
    directions: 'An English line\nשלום עולם\nThe end',
    markdown: '# English\n\nשלום עולם\n\n- אחת\n- two\n\n| עמודה | b |\n|---|---|\n| 1 | 2 |',
    // A single line.
    huge: `first line\n\n${'some words '.repeat(700_000)}\n\nlast line`,
  }
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
  await assay.appendScenarios(
    'texts',
    Object.entries(VALUES).map(([id, value]) => ({ id, outputs: [{ result: { type: 'text', value } }] })),
  )
  const open = (id: string, { search = '', ...options }: OpenOptions = {}) =>
    openPage({ baseUrl, key, path: `/evaluations/texts/scenarios/${id}${search}`, ...options })

  test('shows prose in two columns without line numbers, with marked words', async () => {
    const tab = await open('prose')
    const { page, context } = tab
    const diff = page.getByRole('table').filter({ has: page.locator('del') })
    await diff.waitFor()
    assert.match((await diff.locator('caption').textContent()) ?? '', /^.+ on the left, .+ on the right$/)
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
    await page.getByRole('table', { name: 'Expected and Output' }).waitFor()
    await page.locator('del mark').first().waitFor()
    assert.deepEqual(await page.locator('del mark').allTextContents(), ['The customer has 30', '30'])
    await page.keyboard.press(']')
    await page.keyboard.press(']')
    await page.getByText('change 2 of 2').waitFor()
    assert.deepEqual(await page.locator('mark[aria-current]').allTextContents(), ['30', '14'])
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
    const lines = async (tag: string) => {
      // The lines follow the button, because their layout depends on the measured width.
      await page.locator(tag).first().waitFor()
      return page.locator(tag).allTextContents()
    }
    await page.getByRole('button', { name: 'Compare as text' }).waitFor()
    assert.deepEqual(await lines('del'), [
      '  "id": 12345678901234567890,',
      '  "price": 1.10,',
      '  "name": "Drift"',
    ])
    assert.deepEqual(await lines('ins'), ['  "id": 12345678901234567891,', '  "price": 1.10'])
    await assertNoViolations(tab)
    await page.getByRole('button', { name: 'Compare as text' }).click()
    await page.getByRole('button', { name: 'Compare as JSON' }).waitFor()
    assert.deepEqual(await lines('ins'), [OUTPUTS.json?.[1]])
    await context.close()
  })

  test('says that only the order of members differs', async () => {
    const { page, context } = await open('order')
    await page.getByText('Only the order of members differs').waitFor()
    await context.close()
  })

  test('searches a tree of 100,000 members, goes to matches, and copies paths and values', async () => {
    const tab = await open('tree')
    const { page, context } = tab
    const search = page.getByRole('searchbox', { name: 'Search in this JSON' })
    await search.fill('ITEM 87654')
    const match = page.locator('[aria-current=location]')
    await match.getByText('item 87654').waitFor()
    await page.getByText('1 of 1 match', { exact: true }).waitFor()
    const { y = 0 } = (await match.boundingBox()) ?? {}
    assert.ok(y > 0 && y < 800, `y = ${y}`)
    assert.ok((await page.locator('body *').count()) < 2500)
    await assertNoViolations(tab)
    await search.fill('item 9')
    await page.getByText('1 of the first 1,000 matches').waitFor()
    await search.press('Enter')
    await page.getByText('2 of the first 1,000 matches').waitFor()
    assert.match((await match.textContent()) ?? '', /"item 90"$/)
    await search.press('Shift+Enter')
    await search.press('Shift+Enter')
    await page.getByText('1,000 of the first 1,000 matches').waitFor()
    // Opens a branch that was closed.
    await search.fill('')
    await page.locator('summary', { hasText: '"order"' }).click()
    await search.fill('46018')
    await match.getByText('LK-46018').waitFor()
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('button', { name: 'Copy path .order["unit price"]' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Copied .order["unit price"]').first().waitFor()
    assert.equal(await clipboard(), '.order["unit price"]')
    await page.getByRole('button', { name: 'Copy value of .order.id' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Copied.').first().waitFor()
    assert.equal(await clipboard(), 'LK-46018')
    await context.close()
  })

  test('shows no search for a small tree', async () => {
    const { page, context } = await open('small')
    await page.getByRole('button', { name: 'Copy value of .a.b' }).waitFor()
    assert.equal(await page.getByRole('searchbox', { name: 'Search in this JSON' }).count(), 0)
    await page.getByRole('button', { name: 'Copy value of .a.b' }).click()
    await page.getByText('Copied.').first().waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '1.10')
    await context.close()
  })

  test('copies paths of nested values from the start of the whole value', async () => {
    const { page, context } = await open('pairs')
    await page.getByText('{ 1 member }').click()
    await page.getByRole('button', { name: 'Copy path .customer.city' }).waitFor()
    await context.close()
  })

  test('shows an array of flat objects as a table with exact numbers', async () => {
    const tab = await open('table', { theme: 'dark' })
    const { page, context } = tab
    const table = page.getByRole('table', { name: '302 rows' })
    await table.waitFor()
    assert.deepEqual(await table.getByRole('columnheader').allTextContents(), [
      'name',
      'price',
      'stock',
      'id',
    ])
    const cells = (row: number) => table.getByRole('row').nth(row).getByRole('cell').allTextContents()
    assert.deepEqual(await cells(1), ['Drift', '1.10', 'null', ''])
    assert.deepEqual(await cells(2), ['שלום', '', '', '12345678901234567890'])
    assert.equal(await table.getByText('1.10').evaluate((cell) => getComputedStyle(cell).textAlign), 'right')
    assert.equal(await table.getByRole('row').count(), 1 + 200)
    // The header stays when the table scrolls in its frame.
    await table.getByText('row 150').scrollIntoViewIfNeeded()
    assert.ok(await table.getByRole('columnheader', { name: 'price' }).isVisible())
    await assertNoViolations(tab)
    await page.getByRole('button', { name: 'Show more (102 rows left)' }).click()
    assert.equal(await table.getByRole('row').count(), 1 + 302)
    await context.close()
  })

  test('shows each paragraph in the direction of its language', async () => {
    const { page, context } = await open('directions')
    const text = page.locator('pre', { hasText: 'An English line' })
    await text.waitFor()
    const isRightAligned = await text.evaluate((element) => {
      const node = element.firstChild
      if (!node) return []
      const { left, right } = element.getBoundingClientRect()
      return ['An', 'שלום', 'The end'].map((word) => {
        const range = document.createRange()
        range.setStart(node, element.textContent.indexOf(word))
        range.setEnd(node, element.textContent.indexOf(word) + word.length)
        const box = range.getBoundingClientRect()
        return right - box.right < box.left - left
      })
    })
    assert.deepEqual(isRightAligned, [false, true, false])
    await context.close()
  })

  test('shows each block of Markdown in the direction of its language', async () => {
    const { page, context } = await open('markdown', { search: '?as=markdown' })
    const directionOf = async (text: string) =>
      page.getByText(text, { exact: true }).evaluate((element) => getComputedStyle(element).direction)
    const texts = ['English', 'שלום עולם', 'אחת', 'two', 'עמודה', 'b']
    assert.deepEqual(await Promise.all(texts.map(directionOf)), ['ltr', 'rtl', 'rtl', 'ltr', 'rtl', 'ltr'])
    await context.close()
  })

  test('shows a line of 7 MB, and copies exactly the text', async () => {
    const { page, context, faults } = await open('huge')
    const text = page.locator('pre', { hasText: 'last line' })
    await text.waitFor()
    const copiedText = await text.evaluate((element) => {
      getSelection()?.selectAllChildren(element)
      return getSelection()?.toString()
    })
    assert.ok(copiedText === VALUES.huge)
    await text.locator('span').last().scrollIntoViewIfNeeded()
    assert.ok(await text.locator('span').last().isVisible())
    assert.deepEqual(faults, [])
    await context.close()
  })
})
