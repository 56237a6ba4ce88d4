// Every page as a newcomer finds it, over the sample: nobody is kept out of any of them, in either theme, and none does what
// it must not.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadSample } from '../../src/cli/sample.ts'
import { freshStore, mint } from '../harness.ts'
import { barriers, COLOURS, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

/** The address, and words that are there once the page is. */
const PAGES: [path: string, words: string][] = [
  ['/', '6 of 6'],
  ['/evaluations/support-answer-r5', 'rows 1–'],
  ['/evaluations/support-answer-r5?row=refunds-003', 'Show baseline output'],
  ['/evaluations/support-answer-r5?group=error', 'all shown'],
  [
    '/evaluations/support-answer-r5/scenarios/refunds-003?tab=results',
    'No section of the help centre says this.',
  ],
  ['/evaluations/nothing', 'Evaluation not found'],
  ['/variants', 'Ticket triage'],
  ['/variants/support-answer', 'Scores by revision'],
  ['/variants/support-answer/revisions/5', 'What it changed'],
  ['/compare', 'Choose two to four evaluations'],
  ['/compare?evaluation=support-answer-r4&evaluation=support-answer-r5', '29 rows regressed'],
  ['/nowhere', 'No such page'],
]

describe('every page', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  await loadSample(store)
  const { base, port, stop } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const { page, faults } = await openPage({ base, key })

  for (const [path, words] of PAGES) {
    test(`${path} keeps nobody out, in light and dark`, async () => {
      await visit(page, path)
      await page.getByText(words).first().waitFor()
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await barriers(page, COLOURS), [], 'dark')
      await page.emulateMedia({ colorScheme: 'light' })
      assert.deepEqual(await barriers(page), [], 'light')
      assert.deepEqual(faults, [])
    })
  }

  test('a regression is found, opened, held against the expected answer and its link copied by keyboard alone', async () => {
    await visit(page, '/evaluations/support-answer-r5')
    await page.getByText('rows 1–').waitFor()
    await page.keyboard.press('n')
    await page.keyboard.press('Enter')
    await page.waitForURL(/row=/)
    const panel = page.getByRole('complementary', { name: 'Scenario' })
    await panel.getByText('baseline ✓ pass ▼').first().waitFor()
    await page.keyboard.press('1')
    await panel.locator('del').first().waitFor()
    await page.keyboard.press('y')
    await page.getByText('Link copied.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    assert.equal(new URL(link).searchParams.get('row'), new URL(page.url()).searchParams.get('row'))
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  test('reload keeps filters, sort, columns and the open row; Back closes the panel, then undoes the filter', async () => {
    const view = '/evaluations/support-answer-r5?order=latency.desc&cols=result.cites_policy,output'
    await visit(page, view)
    await page.getByRole('button', { name: /^Fail/ }).click()
    await page.waitForURL(/result/)
    await page.getByRole('row').nth(1).click()
    await page.waitForURL(/row=/)
    const before = page.url()
    await page.reload()
    await page.getByRole('complementary', { name: 'Scenario' }).waitFor()
    assert.equal(page.url(), before)
    assert.equal(await page.getByRole('grid').getAttribute('aria-colcount'), '3')
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '36')
    await page.goBack()
    await page.getByRole('complementary', { name: 'Scenario' }).waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByText('rows 1–').getByText('of 120').waitFor()
    assert.equal(page.url(), base + view)
  })

  test('the server dies and comes back: rows stay, the banner comes and goes; the reference keeps nobody out either', async () => {
    await stop()
    await page.keyboard.press('/')
    await page.keyboard.type('tent')
    const banner = page.getByText('The server cannot be reached')
    await banner.waitFor()
    assert.ok((await page.getByRole('row').count()) > 10, 'rows stay')
    await servePage(store, { port })
    await page.getByRole('button', { name: 'Retry now' }).click()
    await banner.waitFor({ state: 'detached' })
    await page.getByText('filtered from 120').waitFor()
    await page.goto(`${base}/docs`)
    assert.deepEqual(await barriers(page), [])
    assert.deepEqual(faults, [])
  })
})
