// Limits for the page with 100,000 scenarios: visible rows, elements, memory and accessibility.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addCapitalsEvaluations, NEEDLE } from '../../bench/capitals-data.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

const ROWS = 100_000

const skip = WITHOUT_BROWSER || fullOnly('stores 100,000 scenarios')

describe('page with 100,000 scenarios', { skip }, async () => {
  if (skip) return
  const store = await createTestStore()
  await addCapitalsEvaluations(store, ROWS, { needlePosition: 87_653, baselineCount: 2000 })
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const path = '/evaluations/geo-v4'
  const openedPage = await openPage({ baseUrl, key, path })
  const { page } = openedPage
  await rowAt(page, 1).waitFor()

  test('the table starts at most 260 px below the top of the page and shows 14 rows without scrolling', async () => {
    const grid = page.getByRole('grid')
    const box = await grid.boundingBox()
    assert.ok(box && box.y <= 260, `the table starts at ${box?.y}`)
    const rows = await rowsAboveFold(page)
    assert.ok(rows >= 14, `${rows} rows`)
  })

  test('the page has fewer than 2,500 elements at the last row and uses less than 60 MB of heap', () =>
    assertWithinLimits(page))

  test('the search finds a text that only row 87,654 contains', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type(NEEDLE)
    await page.waitForURL(/q=/)
    await page.getByText('Rows 1–1 of 1,').waitFor()
    assert.match((await rowAt(page, 1).textContent()) ?? '', /87,?654/)
  })

  test('the page with an open scenario has no errors and is accessible', async () => {
    await rowAt(page, 1).click({ position: { x: 4, y: 4 } })
    await page.getByRole('complementary', { name: 'Scenario' }).getByText(NEEDLE).first().waitFor()
    await assertNoViolations(openedPage)
  })

  test('a comparison stays within the limits and shows 8 rows without scrolling', async () => {
    const comparisonPage = await openPage({
      baseUrl,
      key,
      path: '/compare?evaluation=geo-v3&evaluation=geo-v4&show=all',
    })
    await rowAt(comparisonPage.page, 1).waitFor()
    await comparisonPage.page.getByRole('status', { name: 'Conclusion' }).getByRole('link').first().waitFor()
    const rows = await rowsAboveFold(comparisonPage.page)
    assert.ok(rows >= 8, `${rows} rows`)
    await assertWithinLimits(comparisonPage.page)
    await comparisonPage.page.keyboard.press('Enter')
    await comparisonPage.page.getByRole('complementary', { name: 'Row' }).getByText('1 of 100,000').waitFor()
    await comparisonPage.page
      .getByRole('region', { name: 'Results' })
      .getByText('similarity')
      .first()
      .waitFor()
    await assertNoViolations(comparisonPage)
  })
})

async function rowsAboveFold(page: Page): Promise<number> {
  return page.getByRole('row').evaluateAll(
    (elements) =>
      elements.filter((element) => {
        const { top, bottom } = element.getBoundingClientRect()
        const footer = document.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight
        return Number(element.ariaRowIndex) > 1 && top >= 0 && bottom <= Math.min(innerHeight, footer)
      }).length,
  )
}

/** Scrolls to the last row and back, and checks the number of elements and the heap. */
async function assertWithinLimits(page: Page): Promise<void> {
  await rowAt(page, 1).click({ position: { x: 4, y: 4 } })
  await page.keyboard.press('Escape')
  await page.keyboard.press('End')
  await rowAt(page, ROWS).waitFor()
  assert.ok((await page.locator('*').count()) < 2500, `${await page.locator('*').count()} elements`)
  await page.keyboard.press('Home')
  await rowAt(page, 1).waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  assert.ok(usedSize < 60e6, `${usedSize} bytes`)
}

/** The table row at a position, counted from 1. */
function rowAt(page: Page, position: number) {
  return page.locator(`[role=row][aria-rowindex="${position + 1}"]:not([aria-busy=true])`)
}
