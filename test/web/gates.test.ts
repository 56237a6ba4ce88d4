// What the page must hold on every machine, over 100,000 scenarios: how much fits, how much it takes, whom it keeps out.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addCapitals, NEEDLE } from '../../bench/capitals.ts'
import { freshStore, mint } from '../harness.ts'
import { assertSound, openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

const ROWS = 100_000

describe('100,000 scenarios in Chromium', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  await addCapitals(store, ROWS, { needle: 87_653, earlier: 2000 })
  const { base } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const path = '/evaluations/geo-v4'
  const opened = await openPage({ base, key, path })
  const { page } = opened
  await rowAt(page, 1).waitFor()

  test('the head of the table is within 240 px, and 16 rows are above the fold', async () => {
    const grid = page.getByRole('grid')
    const box = await grid.boundingBox()
    assert.ok(box && box.y <= 240, `the table begins at ${box?.y}`)
    const rows = await page.getByRole('row').evaluateAll(
      (elements) =>
        elements.filter((element) => {
          const { top, bottom } = element.getBoundingClientRect()
          const footer = document.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight
          return Number(element.ariaRowIndex) > 1 && top >= 0 && bottom <= Math.min(innerHeight, footer)
        }).length,
    )
    assert.ok(rows >= 16, `${rows} rows`)
  })

  test('End shows row 100,000, with fewer than 2,500 elements and 60 MB of heap after coming back', async () => {
    await page
      .getByRole('grid')
      .getByRole('row')
      .nth(1)
      .click({ position: { x: 4, y: 4 } })
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
  })

  test('a needle planted at row 87,654 is found', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type(NEEDLE)
    await page.waitForURL(/q=/)
    await page.getByText('1 of 1').waitFor()
    assert.match((await rowAt(page, 1).textContent()) ?? '', /87,?654/)
  })

  test('no fault, and nobody kept out, with the found scenario beside the table', async () => {
    await rowAt(page, 1).click({ position: { x: 4, y: 4 } })
    await page.getByRole('complementary', { name: 'Scenario' }).getByText(NEEDLE).first().waitFor()
    await assertSound(opened)
  })
})

/** The row of the table that stands at a place of the view, counted from 1. */
function rowAt(page: Page, place: number) {
  return page.locator(`[role=row][aria-rowindex="${place + 1}"]:not([aria-busy=true])`)
}
