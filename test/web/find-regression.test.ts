// Finds the cause of a regression with the keyboard only: from the evaluations page to the revision diff.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

const MAX_PRESSES = 80

describe('finding a regression', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read'] })

  test('works with the keyboard only: compare, open, diff, copy link', async () => {
    const { page, faults } = await openPage({ baseUrl, key })
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    // If nothing has the focus, the active element is the body, which contains every text.
    const focused = () => page.evaluate(() => document.querySelector('body :focus')?.textContent ?? '')
    /** Presses a key until the focused element contains the text. */
    async function pressUntil(key: string, text: string): Promise<void> {
      for (let press = 0; press < MAX_PRESSES; press += 1) {
        await page.keyboard.press(key)
        if ((await focused()).includes(text)) return
      }
      assert.fail(`${key} does not reach '${text}'`)
    }
    await page.getByText('3 variants, 10 evaluations').waitFor()
    for (const name of ['Support answer r5', 'Support answer r4']) {
      await pressUntil('j', name)
      await page.keyboard.press('x')
    }
    // The bar loads with the first selection.
    await page.getByRole('region', { name: 'Selection' }).getByText('2 selected').waitFor()
    await page.keyboard.press('c')
    await page.waitForURL(`${baseUrl}/compare?evaluation=support-answer-r4&evaluation=support-answer-r5`)
    await page.getByText('29 rows regressed').waitFor()

    // The shortcut works on loaded rows.
    await page.getByRole('row').nth(1).waitFor()
    await page.keyboard.press('n')
    await page.waitForFunction(() => document.querySelector('[role=row] :focus, [role=row]:focus'))
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Row' })
    await panel.getByText('1 of 29', { exact: true }).waitFor()
    await panel.locator('del').first().waitFor()
    await page.keyboard.press('y')
    await page.getByText('Link copied.').waitFor()
    const row = new URL(page.url()).searchParams.get('row')
    assert.equal(new URL(await clipboard()).searchParams.get('row'), row)

    await page.getByRole('link', { name: 'max_tokens and messages[0].content differ' }).waitFor()
    await pressUntil('Shift+Tab', 'max_tokens and messages[0].content differ')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${baseUrl}/variants/support-answer/revisions/4/diff/5`)
    await page.getByRole('region', { name: 'Changes' }).getByText('max_tokens').waitFor()
    // The key steps through elements, so it works only when they are on the page.
    await page.locator('[data-change]').first().waitFor()
    await page.keyboard.press(']')
    await page.getByText('change 1 of 3').waitFor()
    assert.match(await focused(), /max_tokens.*1200.*changed to.*220/)
    await page.keyboard.press('y')
    await page.waitForFunction(async () =>
      (await navigator.clipboard.readText()).includes('/variants/support-answer/revisions/4/diff/5'),
    )
    await page.goBack()
    await panel.getByText(/^\d+ of 29$/).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('row'), row)
    assert.deepEqual(faults, [])
  })
})
