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
    const rows = await rowsAboveFold(page)
    assert.ok(rows >= 16, `${rows} rows`)
  })

  test('End shows row 100,000, with fewer than 2,500 elements and 60 MB of heap after coming back', () =>
    assertLight(page))

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

  test('a comparison of as many rows has 8 of them above the fold, is as light, and sound with a row open', async () => {
    const compared = await openPage({
      base,
      key,
      path: '/compare?evaluation=geo-v3&evaluation=geo-v4&show=all',
    })
    await rowAt(compared.page, 1).waitFor()
    await compared.page.getByRole('status', { name: 'Answer' }).getByRole('link').first().waitFor()
    const rows = await rowsAboveFold(compared.page)
    assert.ok(rows >= 8, `${rows} rows`)
    await assertLight(compared.page)
    await compared.page.keyboard.press('Enter')
    await compared.page.getByRole('complementary', { name: 'Row' }).getByText('#1 of 100,000').waitFor()
    await compared.page.getByRole('region', { name: 'Results' }).getByText('similarity').first().waitFor()
    await assertSound(compared)
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

/** All the way to the last row and back: few elements, and little that is kept. */
async function assertLight(page: Page): Promise<void> {
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

/** The row of the table that stands at a place of the view, counted from 1. */
function rowAt(page: Page, place: number) {
  return page.locator(`[role=row][aria-rowindex="${place + 1}"]:not([aria-busy=true])`)
}
