// Opens every page with the sample data: each is accessible and causes no errors. Both themes have the same elements, and
// design-system.test.ts checks all of those in both themes; the full profile checks the pages too.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { fullOnly, testOptions } from '../support/options.ts'
import {
  accessibilityViolations,
  CONTRAST_RULES,
  openPage,
  SIZE,
  servePage,
  visit,
  WCAG,
  WITHOUT_BROWSER,
} from './browser.ts'
import { FIRST_ROW, OTHER_STATES, PAGES, REVIEWER_KEY, REVIEWER_PAGE } from './page-states.ts'

/** States that other test files check, or that hardly differ from another one. */
const IN_FULL = [
  'comparison',
  'comparison-of-four',
  'comparison-of-three-row',
  'evaluation-compact',
  'evaluation-errors',
  'evaluation-filter',
  'evaluation-no-match',
  'evaluation-not-found',
  'evaluation-row',
  'import-dialog',
  'more-menu',
  'not-found',
  'revision-diff-not-found',
  'share-menu',
  'shortcuts',
  'variant',
]

describe('pages', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const owner = await openPage({ baseUrl, key })
  const { page, faults } = owner
  const link = await createTestKey(store, REVIEWER_KEY)
  const reviewer = await openPage({ baseUrl, key: link.key, path: REVIEWER_PAGE.path })

  for (const state of [...PAGES, REVIEWER_PAGE, ...OTHER_STATES]) {
    const { name, path, lastElement, act } = state
    const { page, faults } = state === REVIEWER_PAGE ? reviewer : owner
    const skip = IN_FULL.includes(name) && fullOnly('hardly differs from another page')
    const isDarkChecked = testOptions.profile === 'full'
    test(`${name} (${path}) is accessible${isDarkChecked ? ' in both themes' : ''}`, { skip }, async () => {
      await visit(page, path)
      await page.locator(lastElement).first().waitFor()
      await act?.(page)
      if (isDarkChecked) {
        await page.emulateMedia({ colorScheme: 'dark' })
        assert.deepEqual(await accessibilityViolations(page, CONTRAST_RULES), [], 'dark')
        await page.emulateMedia({ colorScheme: 'light' })
      }
      // A dialog covers a page that was checked without it.
      const part = (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : 'html'
      assert.deepEqual(await accessibilityViolations(page, WCAG, part), [], 'light')
      assert.deepEqual(faults, [])
      await page.keyboard.press('Escape')
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
    })
  }

  test('an unknown address opens the page, which says that it does not exist', async () => {
    await page.goto(`${baseUrl}/nowhere`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    assert.equal(await page.title(), 'Page not found · Assay')
    assert.deepEqual(await accessibilityViolations(page), [])
    await page.getByRole('link', { name: 'All evaluations' }).click()
    await page.getByRole('heading', { name: 'Evaluations', level: 1 }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('says at one height, and with a button, that something does not exist', async () => {
    const tops: Record<string, number | undefined> = {}
    for (const [path, message, button] of [
      ['/nowhere', 'Page not found', 'All evaluations'],
      ['/evaluations/nothing', 'Evaluation not found', 'All evaluations'],
      ['/variants/support-answer/revisions/99', 'Revision not found', 'All variants'],
      ['/compare?evaluation=support-answer-r5&evaluation=nothing', 'Evaluation not found', 'Remove it'],
      [
        '/leaderboard?evaluation=support-answer-r5&evaluation=nothing',
        'Evaluation not found',
        'All evaluations',
      ],
      ['/evaluations/support-answer-r5?row=nothing', 'This row does not exist', 'Close row'],
      ['/evaluations/support-answer-r5/scenarios/nothing', 'This row does not exist', 'All rows'],
    ] as const) {
      await visit(page, path)
      const block = page.getByRole('heading', { name: message }).locator('..')
      await block
        .getByRole('button', { name: button })
        .or(block.getByRole('link', { name: button }))
        .waitFor()
      tops[path] = (await block.getByRole('heading').boundingBox())?.y
    }
    assert.equal(new Set(Object.values(tops)).size, 1, JSON.stringify(tops))
    await page.getByRole('button', { name: 'All rows' }).click()
    await page.locator(FIRST_ROW).waitFor()
    await page.waitForURL(`${baseUrl}/evaluations/support-answer-r5`)
  })

  test('on a phone, a card and the list of variants show the evaluator that changed', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, '/')
    const card = page.getByRole('article', { name: 'Support answer' })
    await card.locator('[data-tooltip="faithfulness mean"]').waitFor()
    assert.equal(await card.locator('[data-tooltip="answer_correct %"]').count(), 0)
    await visit(page, '/variants')
    const row = page.getByRole('row', { name: 'Support answer' })
    await row.locator('[data-tooltip="faithfulness mean"]').waitFor()
    await page.setViewportSize(SIZE)
  })

  test('reloading keeps filters, order, columns and the open row; Back closes the panel, then removes the filter', async () => {
    const view = '/evaluations/support-answer-r5?order=latency.desc&cols=result.cites_policy,output'
    await visit(page, view)
    await page.getByRole('button', { name: /^Fail/ }).click()
    await page.waitForURL(/result/)
    await page.getByRole('row').nth(1).click()
    await page.waitForURL(/row=/)
    const urlBefore = page.url()
    await page.reload()
    await page.getByRole('complementary', { name: 'Scenario' }).waitFor()
    assert.equal(page.url(), urlBefore)
    assert.equal(await page.getByRole('grid').getAttribute('aria-colcount'), '3')
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '36')
    await page.goBack()
    await page.getByRole('complementary', { name: 'Scenario' }).waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByText('rows 1–').getByText('of 120').waitFor()
    assert.equal(page.url(), baseUrl + view)
  })
})
