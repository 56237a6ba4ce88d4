// Sharing: a link made on the page opens one view for whoever has it, and nothing else, until it ends.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { Assay } from '../../client/client.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { WEB_FOLDER } from '../../src/http/web-files.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { barriers, openPage, visit, WITHOUT_BROWSER } from './browser.ts'

const EVALUATION = '/evaluations/support-answer-r5'
const VIEW = `${EVALUATION}?result.answer_correct=is.false&order=latency.desc&row=refunds-003&tab=output`
const DAY_MS = 86_400_000

describe('sharing', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  await loadSample(store)
  let now = Date.now()
  const { base } = await serveStore(store, {}, () => now, WEB_FOLDER)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${base}/api`, key })
  const owner = await openPage({ base, key, path: VIEW })
  const dialog = owner.page.getByRole('dialog', { name: 'Share this view' })
  let link = ''

  test('a link is made and copied by keyboard alone', async () => {
    const { page } = owner
    await page.getByRole('complementary', { name: 'Scenario' }).getByText('#').first().waitFor()
    await hideColumn(page, 'cost')
    await page.getByRole('button', { name: 'Share', exact: true }).first().focus()
    await page.keyboard.press('Enter')
    await dialog.getByText('the comparison of support-answer-r5 with support-answer-r4').waitFor()
    await pressUntil(page, 'Tab', 'Name (optional)')
    await page.keyboard.type('for the review')
    await page.keyboard.press('Enter')
    await dialog.getByText('Shown once').waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByText('Copied.').waitFor()
    link = await page.evaluate(() => navigator.clipboard.readText())
    await dialog.getByText('for the review opens').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Share')
    const [share] = await assay.listShares()
    assert.deepEqual(share?.confined_to, { comparison: ['support-answer-r4', 'support-answer-r5'] })
    assert.equal(share.name, 'for the review')
    const days = (Date.parse(share.expires_at) - Date.parse(share.created_at)) / DAY_MS
    assert.ok(Math.abs(days - 7) < 0.01, `${days} days`)
    assert.deepEqual(owner.faults, [])
  })

  test('in another browser it shows the same filters, order, columns and open row', async () => {
    const { page, refused } = await receive(link)
    const panel = page.getByRole('complementary', { name: 'Scenario' })
    await panel.getByText('#').first().waitFor()
    assert.equal(page.url(), link.replace(/#.*/, ''))
    assert.equal(new URL(link).searchParams.get('base'), 'support-answer-r4')
    await panel.getByRole('tab', { name: 'Output', selected: true }).waitFor()
    await page.getByText('vs ★ Support answer r4: haiku at 0.2').waitFor()
    await page.getByText('filtered from 120').waitFor()
    const [mine, theirs] = await Promise.all([owner.page, page].map(tableOf))
    assert.deepEqual(theirs, mine)
    assert.deepEqual([mine?.names.includes('latency'), mine?.names.includes('cost')], [true, false])
    assert.deepEqual(refused, [])
  })

  test('looking around meets no refusal: what the link does not open has no link, and is never asked for', async () => {
    const { page, refused, faults } = await receive(link)
    const panel = page.getByRole('complementary', { name: 'Scenario' })
    await panel.getByText('#').first().waitFor()
    for (const pressed of ['j', 'k', 'n', '1', '3', '4', '5', 'f', 'f', 'g', 'e', 'g', 'v', 'p', 'b']) {
      await page.keyboard.press(pressed)
    }
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Pass/ }).click()
    await page.getByText('variant support-answer r5').waitFor()
    await page.getByRole('button', { name: 'Export view' }).click()
    await page.getByRole('button', { name: 'Key', exact: true }).click()
    await page.getByText('Project default').waitFor()
    await page.keyboard.press('Escape')
    assert.deepEqual(await leadingOut(page), [])
    const editing = /^(?:share|pin|note|more|compare with|import|.*rename.*)$/i
    assert.equal(await page.getByRole('button', { name: editing }).count(), 0)
    for (const path of [
      '/',
      '/variants',
      '/evaluations/ticket-triage-r4',
      '/variants/support-answer',
      '/compare',
    ]) {
      await visit(page, path)
      await page.getByRole('heading', { name: 'Not part of this link' }).waitFor()
      assert.deepEqual(await barriers(page), [])
      await visit(page, EVALUATION)
      await page.getByText('rows 1–').waitFor()
    }
    await page.goto(`${base}${EVALUATION}?base=ticket-triage-r4`)
    await page.getByText('The baseline ticket-triage-r4 is gone, or not for this key.').waitFor()
    assert.deepEqual(refused, [])
    assert.deepEqual(faults, [])
  })

  test('a comparison is shared from its page, with its evaluations and without their variant', async () => {
    const view = `/compare?evaluation=support-answer-r4&evaluation=support-answer-r5&show=improved`
    await visit(owner.page, view)
    await owner.page.getByRole('heading', { name: 'Compare' }).waitFor()
    const made = await makeLink('the comparison of support-answer-r5 with support-answer-r4')
    const { page, refused, faults } = await receive(made)
    const paths = ['/compare', '/evaluations/support-answer-r4', EVALUATION]
    await page.getByRole('grid').getByRole('row').nth(1).click()
    await page.waitForURL(/row=/)
    await page.getByRole('button', { name: 'Next regression ▸' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('show'), 'improved')
    for (const pressed of ['j', 'k', 'g', 'e']) await page.keyboard.press(pressed)
    // While the next row is on its way the one before is dimmed.
    await page.locator('aside [aria-busy="false"]').waitFor()
    assert.deepEqual(await leadingOut(page, paths), [])
    assert.deepEqual(await barriers(page), [])
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('button', { name: '+ Add' }).count(), 0)
    await page.getByRole('link', { name: 'Support answer r5: three sentences' }).first().click()
    await page.getByText('rows 1–').waitFor()
    await page.getByRole('button', { name: 'Compare…' }).click()
    await page.getByRole('heading', { name: 'Compare' }).waitFor()
    assert.deepEqual(refused, [])
    assert.deepEqual(faults, [])
  })

  test('a variant is shared with its revisions and scores; the evaluations stay names', async () => {
    const { page } = owner
    await visit(page, '/variants/support-answer/revisions/5')
    await page.getByText('What it changed').waitFor()
    const opened = await receive(await makeLink('the variant support-answer'))
    await opened.page.getByRole('heading', { name: 'Revision 5' }).waitFor()
    await opened.page.getByText('What it changed').waitFor()
    assert.deepEqual(await leadingOut(opened.page, ['/variants/support-answer']), [])
    await opened.page.getByRole('link', { name: 'Support answer', exact: true }).click()
    await opened.page.getByText('Scores by revision').first().waitFor()
    assert.deepEqual(await leadingOut(opened.page, ['/variants/support-answer']), [])
    await opened.page.getByRole('button', { name: 'As table' }).click()
    assert.deepEqual(await leadingOut(opened.page, ['/variants/support-answer']), [])
    assert.deepEqual(await barriers(opened.page), [])
    await visit(opened.page, '/variants/support-answer/revisions/4/diff/5')
    await opened.page.getByText('of 9 parameters changed').waitFor()
    assert.deepEqual(await leadingOut(opened.page, ['/variants/support-answer']), [])
    assert.deepEqual(opened.refused, [])
    assert.deepEqual(opened.faults, [])
  })

  test('another key of the same browser is left alone', async () => {
    const { key: own } = await mint(store)
    const { page, context } = await openPage({ base, key: own, path: '/variants' })
    await page.getByRole('link', { name: 'Ticket triage' }).waitFor()
    const shared = await context.newPage()
    await shared.goto(link)
    await shared.getByText('shared with you until').waitFor()
    assert.equal(await shared.evaluate(() => localStorage.getItem('assay.key')), own)
    await page.reload()
    await page.getByRole('link', { name: 'Ticket triage' }).waitFor()
    await shared.reload()
    await shared.getByText('shared with you until').waitFor()
    await shared.getByRole('button', { name: 'Key', exact: true }).click()
    await shared.getByRole('button', { name: 'Sign out' }).click()
    await shared.getByText('You are signed out.').waitFor()
    assert.equal(await shared.evaluate(() => localStorage.getItem('assay.key')), own)
    await shared.getByRole('button', { name: 'Go on with the key of this browser' }).click()
    await shared.getByRole('navigation', { name: 'Pages' }).waitFor()
  })

  test('the dialog keeps nobody out, in light and dark, and ends a link where it asks first', async () => {
    const { page } = owner
    const before = await assay.listShares()
    const opened = await receive(link)
    await opened.page.getByText('filtered from 120').waitFor()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await dialog.getByLabel('Ends').selectOption('on a date')
    await dialog.getByLabel('Last day').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await barriers(page), [], colorScheme)
    }
    await dialog.getByRole('button', { name: 'Revoke for the review' }).press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Revoke for the review' }).press('Enter')
    assert.deepEqual(await barriers(page), [])
    assert.deepEqual(await assay.listShares(), before)
    await page.keyboard.press('Enter')
    await dialog.getByText('for the review has ended.').waitFor()
    await dialog.getByText('for the review opens').waitFor({ state: 'detached' })
    assert.deepEqual(
      await assay.listShares(),
      before.filter(({ name }) => name !== 'for the review'),
    )
    await page.keyboard.press('Escape')
    await visit(opened.page, `${EVALUATION}?q=tent`)
    await opened.page.getByText('This link has ended').waitFor()
    assert.deepEqual(await barriers(opened.page), [])
    const anew = await receive(link)
    await anew.page.getByText('This link has ended').waitFor()
    assert.deepEqual(owner.faults, [])
  })

  test('a link ends by itself', async () => {
    const expires_at = new Date(now + DAY_MS).toISOString()
    const share = await assay.createShare({ confined_to: { evaluation_id: 'support-answer-r5' }, expires_at })
    const made = `${base}${EVALUATION}#key=${share.key}`
    const { page, refused } = await receive(made)
    await page.getByText('rows 1–').waitFor()
    // Its baseline is no part of it, and not asked for.
    assert.equal(await page.getByText('vs ★').count(), 0)
    assert.deepEqual(refused, [])
    now += 2 * DAY_MS
    await visit(page, `${EVALUATION}?q=tent`)
    await page.getByText('This link has ended').waitFor()
  })

  test('a key that only reads is offered no sharing', async () => {
    const { key: reading } = await mint(store)
    const { page } = await openPage({ base, key: reading, path: EVALUATION })
    await page.getByText('rows 1–').waitFor()
    await page.getByRole('button', { name: 'Key', exact: true }).click()
    await page.getByText('Project default').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Share' }).count(), 0)
  })

  /** On the page that the owner looks at. */
  async function makeLink(opens: string): Promise<string> {
    await owner.page.getByRole('button', { name: 'Share', exact: true }).click()
    await dialog.getByText(opens, { exact: true }).first().waitFor()
    await dialog.getByLabel('Ends').selectOption('in 1 day')
    await dialog.getByRole('button', { name: 'Make link' }).click()
    const made = await dialog.getByLabel('The link').inputValue()
    await owner.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    return made
  }

  /** The link in a fresh profile, with every answer that is a refusal. */
  async function receive(address: string) {
    const opened = await openPage({ base, path: '/livez' })
    const refused: string[] = []
    opened.page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    await opened.page.goto(address)
    return { ...opened, refused }
  }
})

/** By this browser's liking alone: the address does not say so. */
async function hideColumn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '▦ Columns' }).click()
  await page.getByRole('checkbox', { name, exact: true }).uncheck()
  await page.keyboard.press('Escape')
}

async function pressUntil(page: Page, pressed: string, label: string): Promise<void> {
  const isThere = () => page.getByLabel(label).evaluate((element) => element === document.activeElement)
  for (let times = 0; times < 20 && !(await isThere()); times++) await page.keyboard.press(pressed)
  assert.ok(await isThere(), `${label} is reached`)
}

/** Names of columns and the first rows, as they are read. */
async function tableOf(page: Page): Promise<{ names: string[]; rows: string[] }> {
  const names = await page.getByRole('columnheader').locator('[data-stop]:first-of-type').allTextContents()
  const rows = await page.getByRole('row').allInnerTexts()
  return { names, rows: rows.slice(1, 12) }
}

/** Links of the page to anything but what begins with one of the paths. */
function leadingOut(page: Page, paths = [EVALUATION]): Promise<string[]> {
  return page
    .locator('a[href]')
    .evaluateAll(
      (links, starts) =>
        links
          .map((link) => link.getAttribute('href') ?? '')
          .filter((href) => !['#', ...starts].some((start) => href.startsWith(start))),
      paths,
    )
}
