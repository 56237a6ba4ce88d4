// What fits on the screen: rows above the fold, narrow windows, zoom, many evaluators and inputs, and one primary button.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { openPage, SIZE, servePage, visit, WITHOUT_BROWSER } from './browser.ts'
import { comparisonPath, EVALUATION, FIRST_ROW, PAGES, REVIEWER_KEY, REVIEWER_PAGE } from './page-states.ts'

const PHONE = { width: 390, height: 844 }
/** 200 % zoom in a window of 1512×800. */
const ZOOMED = { width: 756, height: 400 }
const MARGIN = 16

/** The first data of each page: rows, or the first statistics, parameters or text. */
const FIRST_DATA: Record<string, string> = {
  home: 'tbody th',
  scenario: 'text=Brexit',
  'comparison-start': 'role=heading[level=1]',
  reviewer: 'section[aria-label=Row] pre, section[aria-label=Row] p >> nth=0',
  variants: 'role=link >> text=Support answer',
  revision: 'text=messages[0].content',
  'revision-diff': 'text=messages[0].content',
}
const FIRST_CELL = '[role=row] [role=gridcell], [role=row] [role=cell], tbody td:visible'

/** The quick profile opens the pages with the most in them. */
const IN_FULL = [
  'comparison-of-four',
  'comparison-start',
  'revision',
  'revision-diff',
  'scenario',
  'variants',
]

const PRIMARY_BUTTONS: Record<string, string> = {
  home: 'Import',
  evaluation: 'Compare',
  comparison: 'Share',
  'comparison-of-four': 'Share',
  review: 'Resolve 2 disputed rows',
  reviewer: 'Save and nextEnter',
  variant: 'Compare revisions',
}

const EVALUATOR_COUNT = 40
const INPUT_COUNT = 25
const OUTPUT = 'The refund takes five days.'

describe('what fits on the screen', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await addWideEvaluations(new Assay({ baseUrl: `${baseUrl}/api`, key }))
  const owner = await openPage({ baseUrl, key })
  const { page } = owner
  const link = await createTestKey(store, REVIEWER_KEY)
  const reviewer = await openPage({ baseUrl, key: link.key, path: REVIEWER_PAGE.path })
  const open = async (path: string, lastElement: string, page = owner.page) => {
    await page.setViewportSize(SIZE)
    await visit(page, path)
    await page.locator(lastElement).first().waitFor()
  }

  test('an evaluation shows 14 rows below a header at y ≤ 260 by default, and 16 compact rows', async () => {
    await open(EVALUATION, FIRST_ROW)
    const box = await page.getByRole('grid').boundingBox()
    assert.ok(box && box.y <= 260, `the table starts at ${box?.y}`)
    assert.ok((await rowsAboveFold(page)) >= 14, `${await rowsAboveFold(page)} rows`)
    await open(`${EVALUATION}?density=compact`, FIRST_ROW)
    assert.ok((await rowsAboveFold(page)) >= 16, `${await rowsAboveFold(page)} compact rows`)
    assert.ok((await page.locator('*').count()) < 2500)
  })

  for (const state of [...PAGES, REVIEWER_PAGE]) {
    const { name, path, lastElement } = state
    test(`${name} has ${PRIMARY_BUTTONS[name] ? 'exactly' : 'at most'} one primary button, shows its first data on a phone, and never scrolls sideways`, {
      skip: IN_FULL.includes(name) && fullOnly('hardly differs from another page'),
    }, async () => {
      const { page } = state === REVIEWER_PAGE ? reviewer : owner
      await open(path, lastElement, page)
      const button = PRIMARY_BUTTONS[name]
      if (button !== undefined) await page.locator('.primary', { hasText: button }).waitFor()
      const labels = await page.locator('.primary:visible').allTextContents()
      assert.ok(labels.length <= 1, labels.join(', '))
      if (button !== undefined) assert.equal(labels[0]?.trim(), button)
      await page.setViewportSize(PHONE)
      const data = page.locator(FIRST_DATA[name] ?? FIRST_CELL).first()
      await data.waitFor()
      const { bottom } = await data.evaluate((element) => element.getBoundingClientRect())
      assert.ok(bottom <= PHONE.height, `the first data ends at ${bottom}`)
      const { left } = await page
        .locator('h1')
        .first()
        .evaluate((element) => element.getBoundingClientRect())
      assert.ok(left >= MARGIN, `the heading starts at ${left}`)
      assert.equal(await overflow(page), 0, 'on a phone')
      await page.setViewportSize(ZOOMED)
      assert.equal(await overflow(page), 0, 'with 200 % zoom')
    })
  }

  test(`with ${EVALUATOR_COUNT} evaluators, the verdicts of a row take one line, and the difference starts at y ≤ 420`, async () => {
    await open('/evaluations/wide-b?row=s1', FIRST_ROW)
    const panel = page.getByRole('complementary', { name: 'Scenario' })
    const difference = await panel.locator('ins, del').first().boundingBox()
    assert.ok(difference && difference.y <= 420, `the difference starts at ${difference?.y}`)
    const line = await panel.getByRole('list', { name: 'Summary' }).boundingBox()
    assert.ok(line && line.height <= 24, `the verdicts are ${line?.height} px high`)
  })

  test('headers of evaluators with similar names show where the names differ', {
    skip: fullOnly('opens another page'),
  }, async () => {
    await open('/evaluations/wide-b', FIRST_ROW)
    const headers = await page.getByRole('columnheader', { name: 'evaluator_with_a_long_name' }).all()
    const visible = []
    for (const header of headers.slice(0, 6)) visible.push(await header.evaluate(visibleEnd))
    assert.ok(visible.length >= 3)
    assert.deepEqual(
      visible,
      visible.map(() => true),
    )
  })

  test('three compared evaluations with an open row show 8 rows and 300 px of the difference', {
    skip: fullOnly('opens another page'),
  }, async () => {
    await open(`${comparisonPath(4, 5, 6)}&show=all&row=returns-004`, FIRST_ROW)
    const panel = page.getByRole('complementary', { name: 'Row' })
    await panel.locator('ins, del').first().waitFor()
    assert.ok((await rowsAboveFold(page)) >= 8, `${await rowsAboveFold(page)} rows`)
    const top = (await panel.locator('ins, del').first().boundingBox())?.y ?? SIZE.height
    assert.ok(SIZE.height - top >= 300, `the difference starts at ${top}`)
  })
})

/** The number of rows of the table that are completely visible. */
async function rowsAboveFold(page: Page): Promise<number> {
  return page.locator('[role=grid] [role=row][aria-rowindex]').evaluateAll(
    (rows) =>
      rows.filter((row) => {
        const { top, bottom } = row.getBoundingClientRect()
        const footer = document.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight
        return Number(row.ariaRowIndex) > 1 && top >= 0 && bottom <= Math.min(innerHeight, footer)
      }).length,
  )
}

/** By how many pixels the page is wider than the window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth))
}

/** Whether the last characters of the name are inside the header. */
function visibleEnd(header: Element): boolean {
  const texts = document.createTreeWalker(header, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const end = (text.textContent ?? '').search(/\d\d$/)
    if (end < 0 || !/_/.test(header.textContent ?? '')) continue
    const range = document.createRange()
    range.setStart(text, end)
    range.setEnd(text, end + 2)
    const { left, right } = range.getBoundingClientRect()
    const box = header.getBoundingClientRect()
    if (right > left && left >= box.left && right <= box.right) return true
  }
  return false
}

/** Two evaluations with many evaluators and inputs. */
async function addWideEvaluations(assay: Assay): Promise<void> {
  for (const [id, baselineId] of [['wide-a'], ['wide-b', 'wide-a']]) {
    await assay.addEvaluation({ id, name: id, ...(baselineId && { baseline_id: baselineId }) })
    await assay.appendScenarios(
      String(id),
      Array.from({ length: 8 }, (_, row) => wideScenario(row, id === 'wide-b')),
    )
  }
}

function wideScenario(row: number, isCandidate: boolean): ScenarioWrite {
  return {
    id: `s${row}`,
    inputs: Array.from({ length: INPUT_COUNT }, (_, index) => ({
      name: `input_with_a_long_name_${index + 10}`,
      type: 'text',
      value: `value ${index} of row ${row}`,
    })),
    outputs: [
      { result: { type: 'text', value: isCandidate ? OUTPUT.replace('five', 'six') : OUTPUT }, latency: 1 },
    ],
    correct_answers: [{ key: 'answer', value: OUTPUT }],
    results: Array.from({ length: EVALUATOR_COUNT }, (_, index) => ({
      evaluator_config: `evaluator_with_a_long_name_${index + 10}`,
      result: { type: 'bool', value: (row + index) % 3 > 0 || isCandidate },
    })),
  }
}
