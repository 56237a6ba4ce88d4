// The layout of the evaluation page in a browser: what fits in the first view, and columns, row numbers and suggestions.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, openPage, openPath, SIZE, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const PHONE = { width: 390, height: 844 }
const SAMPLE = '/evaluations/support-answer-r5'
const EVALUATORS = 40
const INPUTS = 25
/** Each of them has many cells. */
const WIDE_ROWS = 6

const skip = WITHOUT_BROWSER || fullOnly('opens one page in many states; page-gates.test.ts opens every page')

describe('the layout of an evaluation', { skip }, async () => {
  if (skip) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await addWideEvaluations()

  async function post(path: string, body: object): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${baseUrl}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    assert.ok(response.ok, await response.text())
  }

  /** Adds `wide` and its baseline, with many evaluators and inputs. */
  async function addWideEvaluations(): Promise<void> {
    for (const id of ['wide-before', 'wide']) {
      await post('/evaluations', { id, ...(id === 'wide' && { baseline_id: 'wide-before' }) })
      const rows = Array.from({ length: WIDE_ROWS }, (_, row) => wideScenario(row, id === 'wide' ? 1 : 0))
      await post(`/evaluations/${id}/evaluation_scenarios`, rows)
    }
  }

  // One browser profile for all tests, which loads and compiles the scripts once.
  const tab = await openPage({ baseUrl, key })
  const { page } = tab

  async function load(path: string, size = SIZE): Promise<void> {
    await page.setViewportSize(size)
    await openPath(page, path)
  }

  async function open(path: string, size = SIZE): Promise<void> {
    await load(path, size)
    await page.getByText('Rows 1–').waitFor()
    await page.getByRole('group', { name: 'States' }).waitFor()
  }

  test('with an open row panel the header is at most at 260 px, and 14 rows are visible', async () => {
    await open(`${SAMPLE}?row=returns-004`)
    await page.getByRole('complementary').waitFor()
    assert.ok((await topOfHeader(page)) <= 260)
    assert.ok((await visibleRows(page)) >= 14)
  })

  test('at 390×844 the first row is visible, nothing scrolls sideways, and one sheet has all filters', async () => {
    await open(`${SAMPLE}?latency=gt.0.1`, PHONE)
    const box = await page.locator('[aria-rowindex="2"]').boundingBox()
    assert.ok(box && box.y + box.height < 844)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    await page.getByRole('button', { name: 'Filter 1', exact: true }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('list', { name: 'Filters' }).getByText('latency > 100 ms').waitFor()
    await sheet.getByRole('button', { name: 'Pinned' }).waitFor()
    await sheet.getByRole('button', { name: 'compact' }).waitFor()
    await sheet.getByRole('checkbox', { name: 'question input' }).waitFor()
    await assertNoViolations(tab, 'dialog[open]')
    await sheet.getByRole('button', { name: 'Remove filter: latency > 100 ms' }).click()
    await page.waitForURL((url) => !url.searchParams.has('latency'))
  })

  test('at 390×844 two evaluators and the first input are visible, and only row numbers are sticky', async () => {
    for (const [path, names] of [
      [`${SAMPLE}?order=position.desc`, ['answer_correct', 'faithfulness', 'question']],
      ['/evaluations/wide', ['binary', 'similar', 'input_with_long_name_0']],
    ] as const) {
      await open(path, PHONE)
      const headers = page.getByRole('columnheader')
      for (const [index, name] of names.entries()) {
        const header = headers.nth(index + 1)
        assert.ok((await header.textContent())?.startsWith(name), name)
        const box = await header.boundingBox()
        assert.ok(box && box.x + box.width <= 390, name)
      }
      const sticky = await headers.evaluateAll(
        (elements) => elements.filter((element) => getComputedStyle(element).position === 'sticky').length,
      )
      assert.equal(sticky, 1)
      const number = page.getByRole('gridcell').first()
      assert.ok(
        await number.evaluate((cell) => cell.scrollWidth <= cell.clientWidth),
        'the number is complete',
      )
    }
  })

  test('at 390×844 messages of errors are readable, with source and count below', async () => {
    await load(`${SAMPLE}?group=error`, PHONE)
    const message = page.getByText('The judge did not answer within <n> seconds.')
    const isClipped = await message.evaluate((element) => element.scrollHeight > element.clientHeight)
    assert.equal(isClipped, false)
    const source = page.getByRole('cell', { name: 'tone' })
    const first = await page.getByText('the judge said').boundingBox()
    const below = await source.boundingBox()
    assert.ok(first && below && below.y >= first.y + first.height)
    await page.getByRole('cell', { name: '1 row', exact: true }).first().waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    await assertNoViolations(tab, 'main table')
  })

  test('with 40 evaluators the verdict has at most two lines, and the end of every name is visible', async () => {
    await open('/evaluations/wide')
    const verdict = await page.locator('header p').first().boundingBox()
    assert.ok((verdict?.height ?? 0) <= 48)
    assert.ok((await topOfHeader(page)) <= 260)
    const ends = await page
      .getByRole('columnheader')
      .locator('[aria-label^=evaluator_with] > span > span:last-child')
      .evaluateAll((elements) =>
        elements.map((end) => (end.scrollWidth <= end.clientWidth ? end.textContent : '')),
      )
    assert.equal(new Set(ends).size, EVALUATORS)
    assert.ok(!ends.includes(''))
  })

  test('row numbers are complete next to the icons of notes and pins', async () => {
    await open(SAMPLE)
    const cell = page.locator('[aria-rowindex="2"] [role=gridcell]').first()
    assert.match((await cell.textContent()) ?? '', /note.*pinned.*1$/)
    const isClipped = () => cell.evaluate((element) => element.scrollWidth > element.clientWidth)
    assert.equal(await isClipped(), false)
    assert.equal(await cell.locator('svg').first().isVisible(), true)
    // Next to a panel there is no place for the icons.
    await open(`${SAMPLE}?row=returns-001`, { width: 1280, height: 720 })
    assert.equal(await isClipped(), false)
    assert.equal(await cell.locator('svg').first().isVisible(), false)
  })

  test('columns are resized by dragging and in the menu, and the width is kept after a reload', async () => {
    await open(SAMPLE)
    const width = async (name: string) =>
      Math.round((await page.getByRole('columnheader', { name }).boundingBox())?.width ?? 0)
    const before = await width('topic')
    const handle = await page.locator('[data-resize="input.topic"]').boundingBox()
    assert.ok(handle)
    await page.mouse.move(handle.x + 3, handle.y + 10)
    await page.mouse.down()
    await page.mouse.move(handle.x + 63, handle.y + 10, { steps: 3 })
    await page.mouse.up()
    assert.equal(await width('topic'), before + 60)
    await page.getByRole('button', { name: 'Column topic' }).press('Enter')
    await page.getByRole('button', { name: 'Wider' }).click()
    assert.equal(await width('topic'), before + 100)
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByText('Rows 1–').waitFor()
    assert.equal(await width('topic'), before + 100)
    await page.getByRole('button', { name: 'Column topic' }).press('Enter')
    await page.getByRole('button', { name: 'Reset' }).click()
    assert.equal(await width('topic'), before)
  })

  test('# goes to a row by its number, and says if the filters exclude it', async () => {
    await open(`${SAMPLE}?order=latency.desc`)
    const jumpTo = async (number: string) => {
      await page.keyboard.press('#')
      await page.getByRole('spinbutton', { name: 'Row number' }).waitFor()
      await page.keyboard.type(number)
      await page.keyboard.press('Enter')
    }
    await jumpTo('97')
    await page.waitForFunction(() => document.activeElement?.textContent?.endsWith('97'))
    await visit(page, `${SAMPLE}?result.answer_correct=is.true`)
    await page.getByText(/of \d+, filtered from 120/).waitFor()
    await jumpTo('1')
    await page.getByText('Row 1 does not match the filters.').waitFor()
    await page.keyboard.press('Escape')
    await jumpTo('500')
    await page.getByText('There is no row 500.').waitFor()
  })

  test('an evaluator with only 0 and 1 suggests a threshold, which turns its scores into verdicts', async () => {
    await open('/evaluations/wide')
    await page.getByRole('button', { name: 'Column binary' }).press('Enter')
    await page.getByRole('button', { name: 'Treat 1 as pass' }).click()
    await page.getByText('Saved binary.').waitFor()
    await page
      .getByRole('gridcell', { name: /^pass\s*1/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Column similar' }).press('Enter')
    await page.getByLabel('Passes at ≥').waitFor()
    assert.equal(await page.getByText('Only 0 and 1').count(), 0)
  })

  test('the first input stays in place while 40 evaluators scroll sideways', async () => {
    await open('/evaluations/wide')
    const headerOf = (name: string) => page.getByRole('columnheader').filter({ hasText: name }).first()
    const header = headerOf('input_with_long_name_0')
    const before = (await header.boundingBox()) ?? assert.fail()
    assert.ok(before.x < 200, `it starts at x = ${before.x}`)
    const lastHeader = headerOf(`evaluator_with_long_name_${EVALUATORS - 1}`)
    await lastHeader.scrollIntoViewIfNeeded()
    assert.equal((await header.boundingBox())?.x, before.x)
    assert.ok(((await lastHeader.boundingBox())?.x ?? 0) > before.x + before.width)
    await assertNoViolations(tab, 'main')
  })

  test('a constant is a labeled value, and an evaluator without failures has no part for them', async () => {
    await open('/evaluations/wide')
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('button', { name: 'Statistics above the table' }).click()
    const statistics = page.getByRole('region', { name: 'Statistics' })
    await statistics.getByText(`${WIDE_ROWS} rows, all 3`).waitFor()
    await statistics.getByRole('button', { name: `always: ${WIDE_ROWS} passed, filter` }).waitFor()
    assert.equal(await statistics.getByRole('button', { name: /^always: .* failed/ }).count(), 0)
  })

  test('the page has no errors', () => assert.deepEqual(tab.faults, []))
})

function wideScenario(row: number, run: number) {
  const scores = {
    binary: (row + run) % 3 === 0 ? 0 : 1,
    similar: row / WIDE_ROWS,
    constant: 3,
    always: true,
  }
  const names = Array.from({ length: EVALUATORS }, (_, index) => `evaluator_with_long_name_${index}`)
  const long = names.map((name, index) => [name, (row * index + run) % 5 !== 0] as const)
  return {
    id: `row-${row}`,
    inputs: Array.from({ length: INPUTS }, (_, index) => ({
      name: `input_with_long_name_${index}`,
      type: 'text',
      value: `value ${row} ${index}`,
    })),
    outputs: [{ result: { type: 'text', value: 'output' } }],
    results: [...Object.entries(scores), ...long].map(([name, value]) => ({
      evaluator_config: name,
      result: { type: typeof value === 'boolean' ? 'bool' : 'number', value },
    })),
  }
}

async function topOfHeader(page: Page): Promise<number> {
  return (await page.getByRole('columnheader').first().boundingBox())?.y ?? Number.POSITIVE_INFINITY
}

/** The rows that are completely visible. */
async function visibleRows(page: Page): Promise<number> {
  return page.getByRole('grid').evaluate((grid) => {
    const { bottom } = grid.getBoundingClientRect()
    const rows = [...grid.querySelectorAll('[data-index]')]
    return rows.filter((row) => row.getBoundingClientRect().bottom <= bottom).length
  })
}
