// The history of a row in Chromium: its points, their details and links, and when it is requested.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import {
  accessibilityViolations,
  assertNoViolations,
  CONTRAST_RULES,
  openPage,
  SIZE,
  servePage,
  visit,
  WITHOUT_BROWSER,
  waitUntilIdle,
} from './browser.ts'

const HOSTILE =
  '<img src=x onerror=hit()> ![i](http://127.0.0.1:9/x.png) [l](javascript:hit()) <script>hit()</script>'
const TRACEBACK = 'Traceback (most recent call last):\n  File "x.py", line 1\nValueError: bad'
/** Points have no labels from 13 evaluations on. */
const EVALUATIONS = 16

/** Of ten evaluations, the application fails in one, and the evaluator in another. */
function nightlyScenario(index: number): ScenarioWrite {
  const hasFailed = index % 10 === 3
  const error = { message: TRACEBACK, stacktrace: null }
  const result = hasFailed ? { type: 'error', error } : { type: 'text', value: HOSTILE }
  const verdict =
    index % 10 === 5 ? { type: 'error', error: { message: HOSTILE } } : { type: 'bool', value: index % 4 > 0 }
  return {
    id: 'a',
    inputs: [{ name: 'question', type: 'text', value: 'x' }],
    outputs: [{ result }],
    results: hasFailed ? [] : [{ evaluator_config: 'exact', result: verdict }],
  }
}

const historyOf = (page: Page) => page.getByRole('region', { name: 'History of this row' })
const topOf = async (locator: Locator) => (await locator.boundingBox())?.y ?? 0
const endOf = async (locator: Locator) =>
  (await topOf(locator)) + ((await locator.boundingBox())?.height ?? 0)
const textsOf = async (points: Locator) =>
  (await points.allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim())

describe('the history of a row', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  await assay.addVariant({ id: 'nightly' })
  await assay.addVariant({ id: 'alone' })
  for (let index = 1; index <= EVALUATIONS; index += 1) {
    const created_at = new Date(Date.UTC(2026, 8, 1, 0, index)).toISOString()
    const id = `nightly-${index}`
    await assay.addEvaluation({ id, name: `Nightly ${index}`, variant_id: 'nightly', created_at })
    await assay.appendScenarios(id, [nightlyScenario(index)])
  }
  await assay.addEvaluation({ id: 'no-variant' })
  await assay.appendScenarios('no-variant', [nightlyScenario(1)])
  await assay.addEvaluation({ id: 'first', variant_id: 'alone' })
  const longText = Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\n')
  await assay.appendScenarios('first', [
    { ...nightlyScenario(1), outputs: [{ result: { type: 'text', value: longText } }] },
  ])
  const tab = await openPage({ baseUrl, key })
  const { page, faults } = tab
  const history = historyOf(page)
  const points = history.getByRole('link')
  const open = async (path: string) => {
    // Otherwise the page shows the history of the previous row until this one is loaded.
    await visit(page, '/variants')
    await history.waitFor({ state: 'detached' })
    await visit(page, path)
  }

  test('has a point with revision, state and score for each evaluation, and opens the row there', async () => {
    const path = '/evaluations/support-answer-r5?row=returns-001&latency=gt.0&as=markdown'
    await open(path)
    await history.scrollIntoViewIfNeeded()
    await history.getByText('answer_correct and faithfulness in 4 evaluations').waitFor()
    assert.deepEqual(await textsOf(points), ['r3 pass 0.98', 'r4 pass 0.92', 'r5 fail 0.00', 'r6 pass 0.92'])
    assert.deepEqual(await textsOf(history.locator('[aria-current]')), ['r5 fail 0.00'])
    for (const area of [
      page.getByRole('list', { name: 'Summary' }),
      page.getByRole('region', { name: 'Results', exact: true }),
    ]) {
      await area.getByText('0.00', { exact: true }).waitFor()
    }
    const inputEnd = await endOf(page.getByRole('region', { name: 'Input', exact: true }))
    const resultsEnd = await endOf(page.getByRole('region', { name: 'Results', exact: true }))
    // All sections have the same space above. The results are in a box with a border.
    assert.equal(
      (await topOf(history.getByRole('heading'))) - resultsEnd - 1,
      (await topOf(page.getByRole('heading', { name: 'Output', exact: true }).first())) - inputEnd,
    )
    // Otherwise the point can move away from the pointer.
    await waitUntilIdle(page)
    await points.nth(1).hover()
    const details = page.getByRole('tooltip').filter({ hasText: 'Support answer r4: haiku at 0.2' })
    await details.getByText('Returns are open for 30 days').waitFor()
    assert.match((await details.textContent()) ?? '', /faithfulness\s*pass0\.92/)
    assert.match((await details.textContent()) ?? '', /Output changed against r3$/)
    await points.nth(1).click()
    await page.getByRole('heading', { name: 'Support answer r4' }).waitFor()
    // The row starts at its top again. When its answer is there, the history can be below the window.
    await page
      .getByRole('region', { name: 'Row', exact: true })
      .getByText('Returns are open')
      .first()
      .waitFor()
    await history.scrollIntoViewIfNeeded()
    await history.locator('[aria-current]', { hasText: 'r4' }).waitFor()
    // The filter belongs to the other evaluation.
    assert.equal(new URL(page.url()).search, '?as=markdown&row=returns-001')
    await page.goBack()
    await page.getByRole('heading', { name: 'Support answer r5' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('latency'), 'gt.0')
    assert.deepEqual(faults, [])
  })

  test('stays on the page of a scenario, and has one tab stop with arrow keys', async () => {
    const path = '/evaluations/support-answer-r5/scenarios/returns-001?on=cites_policy'
    await open(path)
    await history.scrollIntoViewIfNeeded()
    // The click of the test before leaves the pointer where a point can be. Its details would replace those of the focused one.
    await history.getByText('cites_policy and faithfulness in 4 evaluations').hover()
    assert.equal(await history.locator('a[tabindex="0"]').count(), 1)
    await history.locator('a[tabindex="0"]').focus()
    await page.keyboard.press('ArrowRight')
    const details = page.getByRole('tooltip').filter({ hasText: 'Support answer r6' })
    await details.waitFor()
    // Screen readers read the details of the focused point.
    const describedBy = await points.nth(3).getAttribute('aria-describedby')
    assert.equal(await details.getAttribute('id'), describedBy)
    // Escape closes the details, but not the scenario.
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/evaluations/support-answer-r3/scenarios/returns-001?on=cites_policy')
  })

  test('shows many evaluations as small points, with the newest in view', {
    skip: fullOnly('draws many points'),
  }, async () => {
    await open('/evaluations/nightly-16?row=a')
    await history.scrollIntoViewIfNeeded()
    await history.getByText('exact in 16 evaluations, the newest last').waitFor()
    assert.deepEqual((await textsOf(points)).slice(12), [
      'Nightly 13 output failed',
      'Nightly 14 pass',
      'Nightly 15 error',
      'Nightly 16 fail',
    ])
    const box = await points.last().boundingBox()
    assert.ok(box && box.y + box.height <= 800 && box.width >= 24 && box.height >= 24, JSON.stringify(box))
    // Each state has its own icon.
    const icons = await points.evaluateAll((links) =>
      links.slice(12).map((link) => link.querySelector('svg')?.innerHTML),
    )
    assert.equal(new Set(icons).size, 4)
    await waitUntilIdle(page)
    await points.nth(12).hover()
    const details = page.getByRole('tooltip')
    await details.filter({ hasText: 'Output failed' }).getByText('ValueError: bad').waitFor()
    assert.match((await details.last().innerText()) ?? '', /\n {2}File "x\.py", line 1\n/)
    await points.nth(14).hover()
    await details.filter({ hasText: 'Nightly 15' }).getByText('<script>hit()</script>').first().waitFor()
    // Details of an older point leave the scroll position as it is.
    const list = points.first().locator('xpath=ancestor::ol')
    await list.evaluate((element) => {
      Object.assign(element.style, { flex: 'none', width: '100px', maxHeight: '60px' })
      element.scrollTo(0, 0)
    })
    await points.first().hover()
    await details.filter({ hasText: 'Nightly 1' }).filter({ hasNotText: 'Nightly 15' }).waitFor()
    assert.equal(await list.evaluate((element) => element.scrollTop), 0)
    await assertNoViolations(tab)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await accessibilityViolations(page, CONTRAST_RULES), [])
  })

  test('is requested when it scrolls into view, and says that there are no other runs', async () => {
    const requests: string[] = []
    // The page before it can still request its own history.
    page.on('request', (request) => {
      if (request.url().endsWith('/evaluations/first/evaluation_scenarios/a/history'))
        requests.push(request.url())
    })
    await page.setViewportSize({ ...SIZE, height: 500 })
    await open('/evaluations/first?row=a')
    await page.getByText('line 399').first().waitFor({ state: 'attached' })
    await waitUntilIdle(page)
    assert.deepEqual(requests, [])
    await history.scrollIntoViewIfNeeded()
    await history.getByText('There is no other run of it.').waitFor()
    assert.equal(requests.length, 1)
  })

  test('is not there for an evaluation without a variant', async () => {
    await open('/evaluations/no-variant/scenarios/a')
    await page.getByText(HOSTILE).first().waitFor()
    await waitUntilIdle(page)
    assert.equal(await history.count(), 0)
  })

  test('contains only the evaluations of a share link', {
    skip: fullOnly('opens a share link; restricted-keys.test.ts checks what it can read'),
  }, async () => {
    const path = '/evaluations/support-answer-r5?row=returns-001'
    const one = await assay.createShare({ confined_to: { evaluation_id: 'support-answer-r5' } })
    const guest = await openPage({ baseUrl, key: one.key, path })
    const sharedHistory = historyOf(guest.page)
    await sharedHistory.scrollIntoViewIfNeeded()
    await sharedHistory.getByText('This share link includes no other run of it.').waitFor()
    const two = await assay.createShare({
      confined_to: { comparison: ['support-answer-r4', 'support-answer-r5'] },
    })
    await guest.page.goto(`${baseUrl}${path}#key=${two.key}`)
    await sharedHistory.scrollIntoViewIfNeeded()
    await sharedHistory.getByText('in 2 evaluations').waitFor()
    await sharedHistory.getByRole('link', { name: 'r4' }).click()
    await guest.page.getByRole('heading', { name: 'Support answer r4' }).waitFor()
    assert.deepEqual(guest.faults, [])
  })
})
