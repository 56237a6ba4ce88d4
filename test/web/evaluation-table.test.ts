// The table of an evaluation in a browser: scrolling, sorting, search and keyboard navigation.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addCapitalsEvaluations, NEEDLE } from '../../bench/capitals-data.ts'
import { formatCount } from '../../web/src/format/numbers.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

/** Several windows of rows; page-limits.test.ts measures 100,000. */
const ROWS = 600
const PATH = '/evaluations/geo-v4'
const ALL = `${formatCount(ROWS)} rows`
const BY_LATENCY = `${ALL}, sorted by latency, highest first`

describe('the table of an evaluation', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  await addCapitalsEvaluations(store, ROWS)
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const { page, faults } = await openPage({ baseUrl, key, path: PATH })
  await rowAt(page, 1).waitFor()

  /** Resolves when the table announces the rows. */
  async function show(query: string, announcement: string): Promise<void> {
    await visit(page, PATH + query)
    await page.getByText(announcement, { exact: true }).waitFor()
  }

  test('End shows the last row, Home the first one, and the table always has one tab stop', async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    assert.equal(await focusedRow(page), 2)
    await page.keyboard.press('End')
    await rowAt(page, ROWS).waitFor()
    assert.equal(await focusedRow(page), ROWS)
    assert.equal(await tabStops(page), 1)
    // The row keeps the focus when it is scrolled away, and keys continue from it.
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

  test('clicking a column name sorts ascending, descending and not at all', async () => {
    const name = page.getByRole('button', { name: 'latency', exact: true })
    const header = page.getByRole('columnheader', { name: 'latency' })
    for (const [order, sort] of [
      ['latency.asc', 'ascending'],
      ['latency.desc', 'descending'],
      [null, 'none'],
    ] as const) {
      await name.click()
      await page.waitForFunction((to) => new URLSearchParams(location.search).get('order') === to, order)
      await page.locator('[role=grid][aria-busy=false]').waitFor()
      assert.equal(await header.getAttribute('aria-sort'), sort)
    }
    await show('?order=latency.desc', BY_LATENCY)
    const firstCell = await rowAt(page, 1).getByRole('gridcell').nth(7).textContent()
    assert.match(firstCell ?? '', /^2\.80$/)
  })

  test('the count of regressed rows in the verdict filters by exactly those rows', async () => {
    await visit(page, `${PATH}?result.exact_match=is.true`)
    const regressed = page.getByRole('link', { name: /^[\d,]+ rows regressed$/ })
    const shownCount = (await regressed.textContent())?.split(' ')[0]
    await regressed.click()
    await page.waitForURL(/delta\.exact_match=lt\.0/)
    await page.getByText(`of ${shownCount}, filtered from`).waitFor()
    assert.doesNotMatch(page.url(), /result\.exact_match/)
  })

  test('statistics are those of all rows when the rows that regressed are selected', async () => {
    const header = page.getByRole('columnheader', { name: 'exact_match' })
    const chip = (name: string) =>
      page.getByRole('group', { name: 'States' }).getByRole('button', { name, exact: true })
    await show('', ALL)
    const statistics = await header.innerText()
    await page.getByRole('link', { name: /rows regressed$/ }).click()
    await page.locator('[role=grid][aria-busy=false]').waitFor()
    const [count = ''] =
      ((await page.getByText(/, filtered from 600/).textContent()) ?? '').match(/\d+(?=,)/) ?? []
    await chip(`Regressed ${count}`).and(page.locator('[aria-pressed=true]')).waitFor()
    await chip(`All ${ROWS}`).and(page.locator('[aria-pressed=false]')).waitFor()
    assert.equal(await header.innerText(), statistics)
    // Other filters select what the statistics are about, and the chip says how many rows that are.
    await visit(page, `${PATH}?latency=gt.2.5`)
    await page.getByRole('button', { name: /^All \d+ of 600$/, pressed: true }).waitFor()
  })

  test('n moves to the next failure and N to the previous one, also outside of the loaded rows', async () => {
    // The rows that passed come first, and fill more than one window.
    await show('?order=result.exact_match.desc', `${ALL}, sorted by exact_match, highest first`)
    await page.keyboard.press('Home')
    const visited: number[] = []
    for (const key of ['n', 'n', 'n', 'N']) {
      const positionBefore = await focusedRow(page)
      await page.keyboard.press(key)
      await page.waitForFunction(
        (oldPosition) =>
          document.activeElement?.closest('[role=row]')?.ariaRowIndex !== String(oldPosition + 1),
        positionBefore,
      )
      visited.push(await focusedRow(page))
      assert.match((await rowAt(page, await focusedRow(page)).textContent()) ?? '', /fail/)
    }
    const [firstCell = 0] = visited
    assert.ok(firstCell > ROWS / 2)
    assert.deepEqual(visited, [firstCell, firstCell + 1, firstCell + 2, firstCell + 1])
    await page.keyboard.press('N')
    await page.keyboard.press('N')
    await page.getByText('No failure before this row in this view.').waitFor()
  })

  test('Enter opens a row, a reload keeps it selected and visible, and Back closes it', async () => {
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

  test('search finds a text in a single row near the end', async () => {
    await show(`?q=${encodeURIComponent(NEEDLE.toUpperCase())}`, '1 row')
    assert.match((await rowAt(page, 1).textContent()) ?? '', new RegExp(`${Math.floor(ROWS * 0.87) + 1}`))
  })

  test('filters that match nothing show how many rows each of them excludes', async () => {
    await show('?latency=gt.99&input.country=eq.Chad', '0 rows')
    await page.getByRole('heading', { name: 'No rows match' }).waitFor()
    const chad = formatCount(Math.ceil((ROWS - 2) / 7))
    await page.getByRole('button', { name: `Without latency > 99 s: ${chad} rows` }).click()
    await page.getByText(`of ${chad}, filtered from`).waitFor()
  })

  test('a threshold turns scores into verdicts, and columns can be hidden and copied', async () => {
    await show('', ALL)
    await page.getByRole('button', { name: 'Column similarity' }).click()
    await page.getByLabel('Passes at ≥').fill('0.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('gridcell', { name: /^pass\s*1/ })
      .first()
      .waitFor()
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

  test('an evaluation without rows shows how to add some, and shows them when they arrive', async () => {
    const authorization = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(`${baseUrl}/api${path}`, { method: 'POST', headers: authorization, body: JSON.stringify(body) })
    await post('/evaluations', { id: 'new' })
    await visit(page, '/evaluations/new')
    await page.getByRole('heading', { name: 'No rows yet' }).waitFor()
    await post('/evaluations/new/evaluation_scenarios', [
      { inputs: [{ name: 'hostile', type: 'text', value: '<img src=x onerror=alert(1)>' }] },
    ])
    await page.getByRole('gridcell', { name: '<img src=x onerror=alert(1)>' }).waitFor()
  })

  test('the page has no errors', () => assert.deepEqual(faults, []))
})

/** The loaded row at a position, starting at 1. */
function rowAt(page: Page, position: number) {
  return page.locator(`[role=row][aria-rowindex="${position + 1}"][aria-busy=false]`)
}

/** The position of the focused row, starting at 1. */
function focusedRow(page: Page): Promise<number> {
  return page.evaluate(() => Number(document.activeElement?.closest('[role=row]')?.ariaRowIndex) - 1)
}

/** The number of tab stops in the table. */
function tabStops(page: Page): Promise<number> {
  return page
    .getByRole('grid')
    .locator('button, a, input, [tabindex]')
    .evaluateAll((elements) => elements.filter((element) => (element as HTMLElement).tabIndex >= 0).length)
}
