// From the list of evaluations to what broke an answer, as somebody goes who uses a keyboard alone.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadSample } from '../../src/cli/sample.ts'
import { freshStore, mint } from '../harness.ts'
import { assertSound, openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

/** More presses than any way on a page takes. */
const FAR = 80

describe('the way to a regression', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  await loadSample(store)
  const { base } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read'] })

  test('a regression is found, opened, diffed and its link copied by keyboard alone', async () => {
    const opened = await openPage({ base, key })
    const { page } = opened
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    /** Presses a key until what has the focus says the words. */
    async function pressUntil(key: string, words: string): Promise<void> {
      for (let press = 0; press < FAR; press += 1) {
        await page.keyboard.press(key)
        if ((await focused()).includes(words)) return
      }
      assert.fail(`${key} does not lead to '${words}'`)
    }
    await page.getByText('6 of 6').waitFor()
    for (const name of ['Support answer r5', 'Support answer r4']) {
      await pressUntil('j', name)
      await page.keyboard.press('x')
    }
    await page.keyboard.press('c')
    await page.waitForURL(`${base}/compare?evaluation=support-answer-r4&evaluation=support-answer-r5`)
    await page.getByText('29 rows regressed').waitFor()

    await page.keyboard.press('n')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Row' })
    await panel.getByText('#1 of 29').waitFor()
    await panel.locator('del').first().waitFor()
    await page.keyboard.press('y')
    await page.getByText('Link copied.').waitFor()
    const row = new URL(page.url()).searchParams.get('row')
    assert.equal(new URL(await clipboard()).searchParams.get('row'), row)

    await pressUntil('Tab', 'what changed between r4 and r5')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${base}/variants/support-answer/revisions/4/diff/5`)
    await page.getByRole('region', { name: 'Changes' }).getByText('max_tokens').waitFor()
    await page.keyboard.press(']')
    await page.getByText('change 1 of 3').waitFor()
    assert.match(await focused(), /max_tokens.*1200.*became.*220/)
    await page.keyboard.press('y')
    await page.waitForFunction(async () =>
      (await navigator.clipboard.readText()).includes('/variants/support-answer/revisions/4/diff/5'),
    )
    await assertSound(opened)
    await page.goBack()
    await panel.getByText(/^#\d+ of 29$/).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('row'), row)
  })
})
