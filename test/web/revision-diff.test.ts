// The revision diff in Chromium: tab from the history, stepping through changes, options and links.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, chooseOption, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

const skip = WITHOUT_BROWSER || fullOnly('opens many diffs in a browser')

describe('the revision diff', { skip }, async () => {
  if (skip) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await addOddVariant(baseUrl, key)
  const tab = await openPage({ baseUrl, key, path: '/variants/support-answer' })
  const { page } = tab
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const row = (number: number) => page.locator(`[data-row="${number}"]`)
  const changes = page.getByRole('region', { name: 'Changes' })
  const status = (text: string) => page.getByRole('status').getByText(text, { exact: true })
  /** The URL changes before the page does, so wait for both. */
  const waitForDiff = async (from: number, to: number) => {
    await page.waitForURL(`${baseUrl}/variants/support-answer/revisions/${from}/diff/${to}`)
    await changes.waitFor()
  }
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')

  test('opens from the history for two selected revisions, or for one and its previous one', async () => {
    await row(1).waitFor()
    await press('j', 'j', 'j', 'x', 'j')
    await page.getByRole('button', { name: 'Diff with r4' }).waitFor()
    await press('j', 'x')
    await status('r3 and r5 selected').waitFor()
    await page.getByText('4 of 9 parameters changed').waitFor()
    await page.getByRole('button', { name: 'Show diff' }).click()
    await waitForDiff(3, 5)
    await page.goBack()
    await row(1).waitFor()
    await page.getByRole('button', { name: 'Compare revisions' }).click()
    await waitForDiff(5, 6)
    await page.goBack()
    await row(5).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Diff with r4' }).click()
    await waitForDiff(4, 5)
    await page.goBack()
    await row(5).waitFor()
    await press('j', 'j', 'j', 'd')
    await waitForDiff(4, 5)
    await status('2 of 9 parameters changed').waitFor()
    assert.match((await page.getByRole('row', { name: /^r5/ }).textContent()) ?? '', /70\.1−22\.3worse/)
    await assertNoViolations(tab)
  })

  test('steps through changed values and text blocks by key, and shows the position', async () => {
    await changes.getByText('- At most three sentences.').waitFor()
    await press(']')
    await status('change 1 of 3').waitFor()
    assert.match(await focused(), /max_tokens.*1200.*changed to.*220.*−980/)
    await press(']', ']', ']')
    await status('change 3 of 3').waitFor()
    assert.match(await focused(), /## returns/)
    assert.equal(await page.locator('tr[aria-current]').count(), 26)
    await press('[')
    await status('change 2 of 3').waitFor()
    assert.match(await focused(), /first name/)
    await page.getByRole('button', { name: 'Next change' }).click()
    await status('change 3 of 3').waitFor()
  })

  test('keeps the layout options after a reload and in the copied link', async () => {
    await press('s', 'w')
    await page.getByRole('checkbox', { name: 'only changes' }).uncheck()
    await page.getByRole('row', { name: 'timeout_seconds 60' }).waitFor()
    await page.waitForURL(/\?all=true$/)
    await page.reload()
    await page.getByRole('row', { name: 'timeout_seconds 60' }).waitFor()
    await changes.getByRole('table', { name: 'r4 on the left, r5 on the right' }).first().waitFor()
    await press('y')
    await page.getByText('Link copied.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    assert.equal(new URL(link).search, '?all=true&diff=split&wrap=off')
    await press('.')
    await page.getByRole('button', { name: 'curl' }).click()
    await page.getByText('Copied as curl.').waitFor()
    const curl = await page.evaluate(() => navigator.clipboard.readText())
    const env = { ...process.env, ASSAY_KEY: key }
    const { stdout } = await promisify(execFile)('sh', ['-c', curl], { env })
    const { change_count, parameter_count, changes: apiChanges } = JSON.parse(stdout)
    await status(`${change_count} of ${parameter_count} parameters changed`).waitFor()
    for (const { path } of apiChanges) await changes.getByText(path, { exact: true }).first().waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertNoViolations(tab)
  })

  test('compares any two revisions in either order, and links to the comparison of their evaluations', async () => {
    await page.getByRole('button', { name: 'Swap revisions' }).click()
    await page.waitForURL(/\/revisions\/5\/diff\/4\?all=true$/)
    await changes.getByText('+980').waitFor()
    await chooseOption(page, 'Old revision', /^r6 /)
    await page.getByRole('heading', { name: 'Diff of r6 and r4' }).waitFor()
    const href = await page.getByRole('link', { name: 'Compare' }).getAttribute('href')
    assert.equal(href, '/compare?evaluation=support-answer-r6&evaluation=support-answer-r4')
    await chooseOption(page, 'New revision', /^r6 /)
    await changes.getByText('Identical: r6 is compared with itself.').waitFor()
    await visit(page, '/variants/support-answer/revisions/6/diff/99')
    await page.getByRole('heading', { name: 'Revision not found' }).waitFor()
    await visit(page, '/variants/support-answer/revisions/5')
    await page.getByRole('button', { name: 'Diff with' }).click()
    await page.getByRole('link', { name: /^r7/ }).click()
    await page.waitForURL(`${baseUrl}/variants/support-answer/revisions/5/diff/7`)
  })

  test('folds unchanged lines, ignores whitespace on request, and shows hostile text as text', async () => {
    await visit(page, '/variants/odd/revisions/1/diff/2?diff=unified')
    await status('3 of 4 parameters changed').waitFor()
    const fold = changes.getByRole('row', { name: '27 unchanged lines' })
    await fold.getByRole('button', { name: 'show 10 above the next change' }).press('Enter')
    await changes.getByRole('row', { name: '18 18 line 18' }).waitFor()
    assert.equal(await changes.getByText('line 17', { exact: true }).count(), 0)
    await changes
      .getByRole('row', { name: '17 unchanged lines' })
      .getByRole('button', { name: 'show all' })
      .press('Enter')
    await changes.getByText('line 17', { exact: true }).waitFor()
    assert.match(await focused(), /line 17/, 'the focus stays with the text')
    await changes.getByText(`${HOSTILE} 2`).first().waitFor()
    await page.getByText(`${HOSTILE} said`).first().waitFor()
    await page.getByRole('checkbox', { name: 'ignore whitespace' }).check()
    await status('2 of 4 parameters changed, 1 only in whitespace').waitFor()
    await page.waitForURL(/space=ignored/)
    assert.equal(await changes.locator('del', { hasText: 'line 40' }).count(), 0)
    await page.getByText('Raw JSON', { exact: true }).click()
    await page.getByRole('button', { name: 'Copy both', exact: true }).click()
    await page.getByText('Copied as a JSON array.').waitFor()
    const raw = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as {
      revision: number
    }[]
    assert.deepEqual(
      raw.map(({ revision }) => revision),
      [1, 2],
    )
    assert.equal(await page.locator('img').count(), 0)
    await assertNoViolations(tab)
  })

  test('shows a message when no parameter changed, in a variant with 300 revisions', async () => {
    await visit(page, '/variants/odd/revisions/3/diff/300?nonsense=1')
    await changes.getByText('No parameter changed.').waitFor()
    await page.getByText('Ignored invalid URL parameter: nonsense').waitFor()
    await page.getByRole('button', { name: /^New revision: / }).click()
    const options = page.locator(':popover-open').getByRole('button')
    await options.first().waitFor()
    assert.equal(await options.count(), 300)
    await page.keyboard.press('Escape')
    await page.getByText('r3 and r300 have not been evaluated.').waitFor()
    assert.deepEqual(tab.faults, [])
  })
})

/** Adds a variant with 300 revisions. Only the second changes something: whitespace, a line and a hostile value. */
async function addOddVariant(baseUrl: string, key: string): Promise<void> {
  const post = (path: string, body: object) =>
    sendRequest(
      baseUrl,
      path,
      { authorization: key, 'content-type': 'application/json' },
      'POST',
      JSON.stringify(body),
    )
  await post('/api/variants', { id: 'odd' })
  const lines = Array.from({ length: 62 }, (_, index) => `line ${index + 1}`)
  const parameters = {
    prompt: lines.join('\n'),
    [HOSTILE]: `${HOSTILE} 1`,
    spaced: 'a  b',
    same: true,
  }
  const changedConfig = {
    prompt: lines.with(30, 'other').with(39, '  line 40').join('\n'),
    [HOSTILE]: `${HOSTILE} 2`,
    spaced: 'a b',
    same: true,
  }
  for (let revision = 1; revision <= 300; revision++) {
    const config = { config_name: HOSTILE, parameters: revision === 1 ? parameters : changedConfig }
    await post('/api/variants/odd/revisions', { modified_by: HOSTILE, config, message: `${HOSTILE} said` })
  }
}
