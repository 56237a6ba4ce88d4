// Share links: creating one on the page, what it opens in another browser, and how it ends.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { Assay } from '../../client/client.ts'
import { WEB_FOLDER } from '../../src/http/server/web-files.ts'
import { createSampleStore, createTestKey, startTestService } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { accessibilityViolations, chooseOption, openPage, visit, WITHOUT_BROWSER } from './browser.ts'

const EVALUATION = '/evaluations/support-answer-r5'
const VIEW = `${EVALUATION}?result.answer_correct=is.false&order=latency.desc&row=refunds-003&view=json`
const DAY_MS = 86_400_000

const skip =
  WITHOUT_BROWSER ||
  fullOnly('opens every kind of share link in a browser; restricted-keys.test.ts checks the API')

describe('share links', { skip }, async () => {
  if (skip) return
  const store = await createSampleStore()
  let now = Date.now()
  const { baseUrl } = await startTestService(store, {}, () => now, WEB_FOLDER)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  const owner = await openPage({ baseUrl, key, path: VIEW })
  const dialog = owner.page.getByRole('dialog', { name: 'Share this view' })
  let link = ''

  test('a link is created and copied with the keyboard only', async () => {
    const { page } = owner
    await page
      .getByRole('complementary', { name: 'Scenario' })
      .getByRole('heading', { name: 'Row', level: 2 })
      .waitFor()
    await hideColumn(page, 'cost')
    await page.getByRole('button', { name: 'Share', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copy link' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog.getByText('the comparison of support-answer-r5 with support-answer-r4').waitFor()
    await pressUntil(page, 'Tab', 'Name (optional)')
    await page.keyboard.type('for the review')
    await page.keyboard.press('Enter')
    await dialog.getByText('It is shown only once').waitFor()
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

  test('shows the same filters, order, columns and open row in another browser', async () => {
    const { page, errorResponses } = await openLink(link)
    const panel = page.getByRole('complementary', { name: 'Scenario' })
    await panel.getByRole('heading', { name: 'Row', level: 2 }).waitFor()
    assert.equal(page.url(), link.replace(/#.*/, ''))
    assert.equal(new URL(link).searchParams.get('base'), 'support-answer-r4')
    await panel.getByRole('heading', { name: 'JSON of this row' }).waitFor()
    await page.getByText('Baseline r4').waitFor()
    await page.getByText('filtered from 120').waitFor()
    const [ownerTexts, guestTexts] = await Promise.all([owner.page, page].map(tableText))
    assert.deepEqual(guestTexts, ownerTexts)
    assert.deepEqual(
      [ownerTexts?.names.includes('latency'), ownerTexts?.names.includes('cost')],
      [true, false],
    )
    assert.deepEqual(errorResponses, [])
  })

  test('neither links to nor requests anything that the link does not open', async () => {
    const { page, errorResponses, faults } = await openLink(link)
    const panel = page.getByRole('complementary', { name: 'Scenario' })
    await panel.getByRole('heading', { name: 'Row', level: 2 }).waitFor()
    for (const shortcut of ['j', 'k', 'n', '1', '3', '4', '5', 'f', 'f', 'g', 'e', 'g', 'v', 'p', 'b']) {
      await page.keyboard.press(shortcut)
    }
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Pass/ }).click()
    await page.getByText('support-answer r5').first().waitFor()
    await page.getByRole('button', { name: 'Key', exact: true }).click()
    await page.getByText('Project default').waitFor()
    await page.keyboard.press('Escape')
    assert.deepEqual(await linksElsewhere(page), [])
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'Copy link' }).waitFor()
    const editing = /^(?:create share link…|pin|note|more|compare with|import|.*rename.*)$/i
    assert.equal(await page.getByRole('button', { name: editing }).count(), 0)
    for (const path of [
      '/',
      '/variants',
      '/evaluations/ticket-triage-r4',
      '/variants/support-answer',
      '/compare',
    ]) {
      await visit(page, path)
      await page.getByRole('heading', { name: 'Not included in this link' }).waitFor()
      assert.deepEqual(await accessibilityViolations(page), [])
      await visit(page, EVALUATION)
      await page.getByText('rows 1–').waitFor()
    }
    await page.goto(`${baseUrl}${EVALUATION}?base=ticket-triage-r4`)
    await page.getByText('Baseline ticket-triage-r4 does not exist, or this key cannot read it.').waitFor()
    assert.deepEqual(errorResponses, [])
    assert.deepEqual(faults, [])
  })

  test('a shared comparison includes its evaluations but not their variant', async () => {
    const view = `/compare?evaluation=support-answer-r4&evaluation=support-answer-r5&show=improved`
    await visit(owner.page, view)
    await owner.page.getByRole('heading', { name: 'Compare' }).waitFor()
    const comparisonLink = await createLink('the comparison of support-answer-r5 with support-answer-r4')
    const { page, errorResponses, faults } = await openLink(comparisonLink)
    const paths = ['/compare', '/evaluations/support-answer-r4', EVALUATION]
    await page.getByRole('grid').getByRole('row').nth(1).click()
    await page.waitForURL(/row=/)
    await page
      .getByRole('complementary', { name: 'Row' })
      .getByRole('heading', { name: 'Row', level: 2 })
      .waitFor()
    assert.equal(new URL(page.url()).searchParams.get('show'), 'improved')
    for (const shortcut of ['j', 'k', 'g', 'e']) await page.keyboard.press(shortcut)
    // The previous row is dimmed while the next one loads.
    await page.locator('aside [aria-busy="false"]').waitFor()
    assert.deepEqual(await linksElsewhere(page, paths), [])
    assert.deepEqual(await accessibilityViolations(page), [])
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('button', { name: 'Add an evaluation' }).count(), 0)
    await visit(page, `${EVALUATION}?base=support-answer-r4`)
    await page.getByText('rows 1–').waitFor()
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByRole('heading', { name: 'Compare' }).waitFor()
    assert.deepEqual(errorResponses, [])
    assert.deepEqual(faults, [])
  })

  test('a shared variant includes its revisions and scores; evaluations are names without links', async () => {
    const { page } = owner
    await visit(page, '/variants/support-answer/revisions/5')
    await page.getByText('changed since r4').waitFor()
    const openedPage = await openLink(await createLink('the variant support-answer'))
    await openedPage.page.getByRole('heading', { name: 'Revision 5' }).waitFor()
    await openedPage.page.getByText('changed since r4').waitFor()
    assert.deepEqual(await linksElsewhere(openedPage.page, ['/variants/support-answer']), [])
    await openedPage.page.getByRole('link', { name: 'support-answer', exact: true }).click()
    await openedPage.page.getByText('Score by revision').first().waitFor()
    assert.deepEqual(await linksElsewhere(openedPage.page, ['/variants/support-answer']), [])
    await openedPage.page.getByRole('button', { name: 'As table' }).click()
    assert.deepEqual(await linksElsewhere(openedPage.page, ['/variants/support-answer']), [])
    assert.deepEqual(await accessibilityViolations(openedPage.page), [])
    await visit(openedPage.page, '/variants/support-answer/revisions/4/diff/5')
    await openedPage.page.getByText('of 9 parameters changed').waitFor()
    assert.deepEqual(await linksElsewhere(openedPage.page, ['/variants/support-answer']), [])
    assert.deepEqual(openedPage.errorResponses, [])
    assert.deepEqual(openedPage.faults, [])
  })

  test('a share link does not replace the key stored in the browser', async () => {
    const { key: ownKey } = await createTestKey(store)
    const { page, context } = await openPage({ baseUrl, key: ownKey, path: '/variants' })
    await page.getByRole('link', { name: 'Ticket triage', exact: true }).waitFor()
    const sharedTab = await context.newPage()
    await sharedTab.goto(link)
    await sharedTab.getByText('shared with you until').waitFor()
    assert.equal(await sharedTab.evaluate(() => localStorage.getItem('assay.key')), ownKey)
    await page.reload()
    await page.getByRole('link', { name: 'Ticket triage', exact: true }).waitFor()
    await sharedTab.reload()
    await sharedTab.getByText('shared with you until').waitFor()
    await sharedTab.getByRole('button', { name: 'Key', exact: true }).click()
    await sharedTab.getByRole('button', { name: 'Sign out' }).click()
    await sharedTab.getByText('You are signed out.').waitFor()
    assert.equal(await sharedTab.evaluate(() => localStorage.getItem('assay.key')), ownKey)
    await sharedTab.getByRole('button', { name: 'Use the key stored in this browser' }).click()
    await sharedTab.getByRole('navigation', { name: 'Main' }).waitFor()
  })

  test('the dialog is accessible in both themes, and revokes a link after confirmation', async () => {
    const { page } = owner
    const sharesBefore = await assay.listShares()
    const openedPage = await openLink(link)
    await openedPage.page.getByText('filtered from 120').waitFor()
    await openDialog()
    await chooseOption(page, 'Expires', 'on a date')
    await dialog.getByLabel('Last day').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await accessibilityViolations(page), [], colorScheme)
    }
    await dialog.getByRole('button', { name: 'Revoke for the review' }).press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Revoke for the review' }).press('Enter')
    assert.deepEqual(await accessibilityViolations(page), [])
    assert.deepEqual(await assay.listShares(), sharesBefore)
    await page.keyboard.press('Enter')
    await dialog.getByText('for the review was revoked.').waitFor()
    await dialog.getByText('for the review opens').waitFor({ state: 'detached' })
    assert.deepEqual(
      await assay.listShares(),
      sharesBefore.filter(({ name }) => name !== 'for the review'),
    )
    await page.keyboard.press('Escape')
    await visit(openedPage.page, `${EVALUATION}?q=tent`)
    await openedPage.page.getByText('This link has expired').waitFor()
    assert.deepEqual(await accessibilityViolations(openedPage.page), [])
    const reopened = await openLink(link)
    await reopened.page.getByText('This link has expired').waitFor()
    assert.deepEqual(owner.faults, [])
  })

  test('a link stops working when it expires', async () => {
    const expires_at = new Date(now + DAY_MS).toISOString()
    const share = await assay.createShare({ confined_to: { evaluation_id: 'support-answer-r5' }, expires_at })
    const expiring = `${baseUrl}${EVALUATION}#key=${share.key}`
    const { page, errorResponses } = await openLink(expiring)
    await page.getByText('rows 1–').waitFor()
    // Its baseline is not shared, and not requested.
    assert.equal(await page.getByText('Baseline r').count(), 0)
    assert.deepEqual(errorResponses, [])
    now += 2 * DAY_MS
    await visit(page, `${EVALUATION}?q=tent`)
    await page.getByText('This link has expired').waitFor()
  })

  test('a read-only key can copy a link but not create a share link', async () => {
    const { key: reading } = await createTestKey(store)
    const { page } = await openPage({ baseUrl, key: reading, path: EVALUATION })
    await page.getByText('rows 1–').waitFor()
    await page.getByRole('button', { name: 'Key', exact: true }).click()
    await page.getByText('Project default').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'Copy link' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create share link' }).count(), 0)
  })

  async function openDialog(): Promise<void> {
    await owner.page.getByRole('button', { name: 'Share', exact: true }).click()
    await owner.page.getByRole('button', { name: 'Create share link…' }).click()
  }

  /** Creates a link to the owner's current page. */
  async function createLink(opens: string): Promise<string> {
    await openDialog()
    await dialog.getByText(opens, { exact: true }).first().waitFor()
    await chooseOption(owner.page, 'Expires', 'in 1 day')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const createdLink = await dialog.getByLabel('Share link').inputValue()
    await owner.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    return createdLink
  }

  /** Opens the link in a new browser profile, and collects all error responses. */
  async function openLink(address: string) {
    const openedPage = await openPage({ baseUrl, path: '/livez' })
    const errorResponses: string[] = []
    openedPage.page.on('response', (response) => {
      if (response.status() >= 400) errorResponses.push(`${response.status()} ${response.url()}`)
    })
    await openedPage.page.goto(address)
    return { ...openedPage, errorResponses }
  }
})

/** Hides a column as a preference of this browser, without a search param. */
async function hideColumn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('checkbox', { name, exact: true }).uncheck()
  await page.keyboard.press('Escape')
}

async function pressUntil(page: Page, pressed: string, label: string): Promise<void> {
  const isFocused = () => page.getByLabel(label).evaluate((element) => element === document.activeElement)
  for (let times = 0; times < 20 && !(await isFocused()); times++) await page.keyboard.press(pressed)
  assert.ok(await isFocused(), `${label} is focused`)
}

/** The column names and the text of the first rows. */
async function tableText(page: Page): Promise<{ names: string[]; rows: string[] }> {
  // The open row scrolls into view, and the heights of the two tables differ.
  await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 0))
  await page.locator('[aria-rowindex="2"]').waitFor()
  const names = await page.getByRole('columnheader').locator('[data-stop]:first-of-type').allTextContents()
  const rows = await page.getByRole('row').allInnerTexts()
  return { names, rows: rows.slice(1, 12) }
}

/** Links on the page to other paths than these. */
function linksElsewhere(page: Page, paths = [EVALUATION]): Promise<string[]> {
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
