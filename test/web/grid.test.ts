// The table of an evaluation in Chromium: every row can be reached, found and sorted, with the mouse and with keys alone.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addCapitals, NEEDLE } from '../../bench/capitals.ts'
import { count } from '../../web/src/format/numbers.ts'
import { freshStore, mint } from '../harness.ts'
import { openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

/** Many windows of rows; what 100,000 take is in gates.test.ts. */
const ROWS = 3000
const PATH = '/evaluations/geo-v4'
const ALL = `${count(ROWS)} rows`
const BY_LATENCY = `${ALL}, sorted by latency, highest first`

describe('the table of an evaluation', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  await addCapitals(store, ROWS)
  const { base } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const { page, faults } = await openPage({ base, key, path: PATH })
  await rowAt(page, 1).waitFor()

  /** Resolves when the table says this of the view. */
  async function show(query: string, said: string): Promise<void> {
    await visit(page, PATH + query)
    await page.getByText(said, { exact: true }).waitFor()
  }

  test('End shows the last row, Home the first one, and one row stays in the tab order all the way', async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    assert.equal(await focusedRow(page), 2)
    await page.keyboard.press('End')
    await rowAt(page, ROWS).waitFor()
    assert.equal(await focusedRow(page), ROWS)
    assert.equal(await tabStops(page), 1)
    // Scrolled far away the row keeps the focus, and is where the keys go on.
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 0))
    await rowAt(page, 1).waitFor()
    assert.equal(await focusedRow(page), ROWS)
    assert.equal(await tabStops(page), 1)
    await page.keyboard.press('k')
    await rowAt(page, ROWS - 1).waitFor()
    await page.keyboard.press('Home')
    await rowAt(page, 1).waitFor()
    assert.equal(await focusedRow(page), 1)
    assert.ok((await page.locator('*').count()) < 2500)
  })

  test('a click on the name of a column sorts up, down and not at all', async () => {
    const name = page.getByRole('button', { name: 'latency', exact: true })
    const head = page.getByRole('columnheader', { name: 'latency' })
    for (const [order, sort] of [
      ['latency.asc', 'ascending'],
      ['latency.desc', 'descending'],
      [null, 'none'],
    ] as const) {
      await name.click()
      await page.waitForFunction((to) => new URLSearchParams(location.search).get('order') === to, order)
      await page.locator('[role=grid][aria-busy=false]').waitFor()
      assert.equal(await head.getAttribute('aria-sort'), sort)
    }
    await show('?order=latency.desc', BY_LATENCY)
    const first = await rowAt(page, 1).getByRole('gridcell').nth(7).textContent()
    assert.match(first ?? '', /^2\.8 s$/)
  })

  test('the count of worse rows in a header shows exactly that many rows', async () => {
    await visit(page, `${PATH}?result.exact_match=is.true`)
    const worse = page.getByRole('button', { name: /rows are worse than the baseline on exact_match/ })
    const said = (await worse.textContent())?.replace('▼', '')
    await worse.click()
    await page.waitForURL(/delta\.exact_match=lt\.0/)
    await page.getByText(`of ${said} (filtered from`).waitFor()
    assert.doesNotMatch(page.url(), /result\.exact_match/)
  })

  test('n goes to the next failure and N back, however far away they are', async () => {
    // All that passed come first, far more than there are in one window.
    await show('?order=result.exact_match.desc', `${ALL}, sorted by exact_match, highest first`)
    await page.keyboard.press('Home')
    const seen: number[] = []
    for (const key of ['n', 'n', 'n', 'N']) {
      const before = await focusedRow(page)
      await page.keyboard.press(key)
      await page.waitForFunction(
        (old) => document.activeElement?.closest('[role=row]')?.ariaRowIndex !== String(old + 1),
        before,
      )
      seen.push(await focusedRow(page))
      assert.match((await rowAt(page, await focusedRow(page)).textContent()) ?? '', /✗ fail/)
    }
    const [first = 0] = seen
    assert.ok(first > ROWS / 2)
    assert.deepEqual(seen, [first, first + 1, first + 2, first + 1])
    await page.keyboard.press('N')
    await page.keyboard.press('N')
    await page.getByText('No failure before this row in this view.').waitFor()
  })

  test('a row opens by Enter, is marked and in sight after a reload, and Back closes it', async () => {
    await show('', ALL)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`row=q-${ROWS - 1}$`))
    await page.reload()
    await page.locator('[role=row][aria-selected=true]').waitFor()
    assert.equal(await rowAt(page, ROWS).getAttribute('aria-selected'), 'true')
    await page.goBack()
    await page.locator('[role=row][aria-selected=true]').waitFor({ state: 'detached' })
  })

  test('what stands in one row near the end is found by q', async () => {
    await show(`?q=${encodeURIComponent(NEEDLE.toUpperCase())}`, '1 row')
    assert.match((await rowAt(page, 1).textContent()) ?? '', new RegExp(`${Math.floor(ROWS * 0.87) + 1}`))
  })

  test('a filter that leaves nothing says so, with how many rows there are without it', async () => {
    await show('?latency=gt.99&input.country=eq.Chad', '0 rows')
    await page.getByRole('heading', { name: 'No row matches' }).waitFor()
    const chad = count(Math.ceil((ROWS - 2) / 7))
    await page.getByRole('button', { name: `Without latency > 99 s: ${chad} rows` }).click()
    await page.getByText(`of ${chad} (filtered from`).waitFor()
  })

  test('a threshold makes verdicts of numbers, and columns can be hidden and copied', async () => {
    await show('', ALL)
    await page.getByRole('button', { name: 'Column similarity' }).click()
    await page.getByLabel('Passes from').fill('0.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('gridcell', { name: /^✓ 1/ }).first().waitFor()
    await page.keyboard.press('Escape')
    await show('?input.number=eq.3', '1 row')
    await page.getByRole('button', { name: 'Column country' }).click()
    await page.getByRole('button', { name: 'Copy values' }).click()
    await page.getByText('Copied 1 value of country').waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'Kazakhstan')
    await page.getByRole('button', { name: 'Column country' }).click()
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByRole('columnheader', { name: 'country' }).waitFor({ state: 'detached' })
  })

  test('an evaluation without rows says how to add some, and shows them when they arrive', async () => {
    const authorization = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(`${base}/api${path}`, { method: 'POST', headers: authorization, body: JSON.stringify(body) })
    await post('/evaluations', { id: 'new' })
    await visit(page, '/evaluations/new')
    await page.getByRole('heading', { name: 'No rows yet' }).waitFor()
    await post('/evaluations/new/evaluation_scenarios', [
      { inputs: [{ name: 'hostile', type: 'text', value: '<img src=x onerror=alert(1)>' }] },
    ])
    await page.getByRole('gridcell', { name: '<img src=x onerror=alert(1)>' }).waitFor()
  })

  test('nothing was done that must not be', () => assert.deepEqual(faults, []))
})

/** The row of the table at a place of the view, counted from 1, once it is there. */
function rowAt(page: Page, place: number) {
  return page.locator(`[role=row][aria-rowindex="${place + 1}"][aria-busy=false]`)
}

/** The place of the row that has the focus, counted from 1. */
function focusedRow(page: Page): Promise<number> {
  return page.evaluate(() => Number(document.activeElement?.closest('[role=row]')?.ariaRowIndex) - 1)
}

/** How many elements of the table the Tab key stops at. */
function tabStops(page: Page): Promise<number> {
  return page
    .getByRole('grid')
    .locator('button, a, input, [tabindex]')
    .evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex >= 0).length)
}
