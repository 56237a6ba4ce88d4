// Two revisions beside each other in Chromium: from the history to their diff by key, through its changes, and as a link keeps it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { loadSample } from '../../src/cli/sample.ts'
import { freshStore, mint } from '../harness.ts'
import { ask } from '../wire.ts'
import { assertSound, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

describe('the diff of two revisions', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  await loadSample(store)
  const { base } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  await addOdd(base, key)
  const opened = await openPage({ base, key, path: '/variants/support-answer' })
  const { page } = opened
  const press = async (...keys: string[]) => {
    for (const one of keys) await page.keyboard.press(one)
  }
  const changes = page.getByRole('region', { name: 'Changes' })
  const status = (text: string) => page.getByRole('status').getByText(text, { exact: true })
  /** The address changes before the page does. */
  const opensDiff = async (from: number, to: number) => {
    await page.waitForURL(`${base}/variants/support-answer/revisions/${from}/diff/${to}`)
    await changes.waitFor()
  }
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')

  test('is two rows of the history that were selected by key, or one and the one before it', async () => {
    await page.locator('#r1').waitFor()
    await press('j', 'j', 'j', 'x', 'j')
    await page.getByRole('button', { name: 'Diff with r4' }).waitFor()
    await press('j', 'x')
    await status('r3 and r5 selected').waitFor()
    await press('d')
    await opensDiff(3, 5)
    await page.goBack()
    await page.locator('#r5').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Diff with r4' }).click()
    await opensDiff(4, 5)
    await page.goBack()
    await page.locator('#r5').waitFor()
    await press('j', 'j', 'j', 'd')
    await opensDiff(4, 5)
    await status('2 of 9 parameters changed').waitFor()
    assert.match(
      (await page.getByRole('row', { name: /^r5/ }).textContent()) ?? '',
      /70\.1 % ▼21\.2 pp worse/,
    )
    await assertSound(opened)
  })

  test('is gone through by key, over scalars and texts alike, and says where one is', async () => {
    await changes.getByText('- At most three sentences.').waitFor()
    await press(']')
    await status('change 1 of 3').waitFor()
    assert.match(await focused(), /max_tokens.*1200.*became.*220.*−980/)
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

  test('is split, whole and unwrapped as one likes it, also after a reload and by its link', async () => {
    await press('s', 'w')
    await page.getByRole('checkbox', { name: 'only changes' }).uncheck()
    await page.getByRole('row', { name: 'timeout_seconds 60' }).waitFor()
    await page.waitForURL(/\?all=true$/)
    await page.reload()
    await page.getByRole('row', { name: 'timeout_seconds 60' }).waitFor()
    await changes.getByRole('columnheader', { name: 'r4' }).waitFor()
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
    const { change_count, parameter_count, changes: answered } = JSON.parse(stdout)
    await status(`${change_count} of ${parameter_count} parameters changed`).waitFor()
    for (const { path } of answered) await changes.getByText(path, { exact: true }).first().waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertSound(opened)
  })

  test('is of any two, either way round, and leads to the comparison of what ran them', async () => {
    await page.getByRole('button', { name: 'Swap the two revisions' }).click()
    await page.waitForURL(/\/revisions\/5\/diff\/4\?all=true$/)
    await changes.getByText('+980').waitFor()
    await page.getByLabel('Old revision').selectOption('6')
    await page.getByRole('heading', { name: 'Diff of r6 and r4' }).waitFor()
    const href = await page.getByRole('link', { name: 'Compare' }).getAttribute('href')
    assert.equal(href, '/compare?evaluation=support-answer-r6&evaluation=support-answer-r4')
    await page.getByLabel('New revision').selectOption('6')
    await changes.getByText('Identical: r6 is compared with itself.').waitFor()
    await visit(page, '/variants/support-answer/revisions/6/diff/99')
    await page.getByRole('heading', { name: 'Revision not found' }).waitFor()
    await visit(page, '/variants/support-answer/revisions/5')
    await page.getByRole('button', { name: 'Diff with' }).click()
    await page.getByRole('link', { name: /^r7/ }).click()
    await page.waitForURL(`${base}/variants/support-answer/revisions/5/diff/7`)
  })

  test('folds what did not change, leaves white space out, and shows hostile text as text', async () => {
    await visit(page, '/variants/odd/revisions/1/diff/2?diff=unified')
    await status('3 of 4 parameters changed').waitFor()
    const fold = changes.getByRole('row', { name: '⋯ 27 unchanged lines' })
    await fold.getByRole('button', { name: 'show 10 above the next change' }).press('Enter')
    await changes.getByRole('row', { name: '18 18 line 18' }).waitFor()
    assert.equal(await changes.getByText('line 17', { exact: true }).count(), 0)
    await changes
      .getByRole('row', { name: '⋯ 17 unchanged lines' })
      .getByRole('button', { name: 'show all' })
      .press('Enter')
    await changes.getByText('line 17', { exact: true }).waitFor()
    assert.match(await focused(), /line 17/, 'the focus stays with the text')
    await changes.getByText(`${HOSTILE} 2`).first().waitFor()
    await page.getByText(`${HOSTILE} said`).first().waitFor()
    await page.getByRole('checkbox', { name: 'ignore white space' }).check()
    await status('2 of 4 parameters changed, 1 in white space alone').waitFor()
    await page.waitForURL(/space=ignored/)
    assert.equal(await changes.locator('del', { hasText: 'line 40' }).count(), 0)
    await page.getByText('Raw JSON', { exact: true }).click()
    await page.getByRole('button', { name: 'Copy both', exact: true }).click()
    await page.getByText('Copied, as a list of two.').waitFor()
    const raw = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as {
      revision: number
    }[]
    assert.deepEqual(
      raw.map(({ revision }) => revision),
      [1, 2],
    )
    assert.equal(await page.locator('img').count(), 0)
    await assertSound(opened)
  })

  test('says when no parameter changed, among 300 revisions to pick from', async () => {
    await visit(page, '/variants/odd/revisions/3/diff/300?nonsense=1')
    await changes.getByText('No parameter changed.').waitFor()
    await page.getByText('means nothing here and was left out: nonsense').waitFor()
    assert.equal(await page.getByLabel('New revision').locator('option').count(), 300)
    await page.getByText('No evaluation ran r3 or r300.').waitFor()
    assert.deepEqual(opened.faults, [])
  })
})

/** A variant with 300 revisions: the second changes white space, a line, and what is hostile; all after it change nothing. */
async function addOdd(base: string, key: string): Promise<void> {
  const post = (path: string, body: object) =>
    ask(base, path, { authorization: key, 'content-type': 'application/json' }, 'POST', JSON.stringify(body))
  await post('/api/variants', { id: 'odd' })
  const lines = Array.from({ length: 62 }, (_, index) => `line ${index + 1}`)
  const parameters = {
    prompt: lines.join('\n'),
    [HOSTILE]: `${HOSTILE} 1`,
    spaced: 'a  b',
    same: true,
  }
  const changed = {
    prompt: lines.with(30, 'other').with(39, '  line 40').join('\n'),
    [HOSTILE]: `${HOSTILE} 2`,
    spaced: 'a b',
    same: true,
  }
  for (let revision = 1; revision <= 300; revision++) {
    const config = { config_name: HOSTILE, parameters: revision === 1 ? parameters : changed }
    await post('/api/variants/odd/revisions', { modified_by: HOSTILE, config, message: `${HOSTILE} said` })
  }
}
