// Every page as a newcomer finds it, over the sample: nobody is kept out of any of them, in either theme, and none does what
// it must not.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadSample } from '../../src/cli/sample.ts'
import { freshStore, mint } from '../harness.ts'
import { barriers, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

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
  ['/nowhere', 'No such page'],
]

describe('every page', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  await loadSample(store)
  const { base } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const { page, faults } = await openPage({ base, key })

  for (const [path, words] of PAGES) {
    test(`${path} keeps nobody out, in light and dark`, async () => {
      await visit(page, path)
      await page.getByText(words).first().waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await barriers(page), [], colorScheme)
      }
      assert.deepEqual(faults, [])
    })
  }

  test('the reference too', async () => {
    await page.goto(`${base}/docs`)
    assert.deepEqual(await barriers(page), [])
    assert.deepEqual(faults, [])
  })
})
