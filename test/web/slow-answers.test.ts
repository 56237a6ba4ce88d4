// What the page shows while the service works on a long request.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addCapitalsEvaluations } from '../../bench/capitals-data.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { assertNoViolations, openPage, SIZE, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const ROWS = 600

describe('the page while the service works', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  await addCapitalsEvaluations(store, ROWS)
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store)
  const tab = await openPage({ baseUrl, key, path: '/evaluations/geo-v4' })
  const { page, faults } = tab
  await page.getByRole('row', { name: 'Canberra' }).first().waitFor()

  /** Requests to these URLs wait until the returned function is called. */
  async function holdRequests(url: RegExp): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(url, async (route) => {
      await promise
      await route.continue()
    })
    return resolve
  }

  test('says that it searches all rows, and can be canceled', async () => {
    const release = await holdRequests(/\/rows\?.*q=/)
    const search = page.getByRole('searchbox')
    await search.fill('Ottawa')
    const sign = page.getByText(`Searching ${ROWS} rows …`)
    await sign.waitFor()
    assert.equal(await page.getByRole('grid').getAttribute('aria-busy'), 'true')
    await assertNoViolations(tab)
    await sign.getByRole('button', { name: 'Cancel' }).click()
    await sign.waitFor({ state: 'detached' })
    assert.equal(await search.inputValue(), '')
    await search.fill('Astana')
    await sign.waitFor()
    release()
    await sign.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: 'Astana' }).first().waitFor()
    assert.deepEqual(faults, [])
  })

  test('says that it compares all rows', async () => {
    const release = await holdRequests(/\/comparisons/)
    await visit(page, '/compare?evaluation=geo-v3&evaluation=geo-v4')
    const statistics = page.getByRole('region', { name: 'Statistics over matched rows' })
    await statistics.getByText('Comparing all rows …').waitFor()
    await page.getByText(/^Loading (?:600 )?rows …/).waitFor()
    // Placeholders do not make a narrow page wider.
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    await page.setViewportSize(SIZE)
    release()
    await statistics.getByText('exact_match').waitFor()
    await page.getByText(' rows …').first().waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })
})
