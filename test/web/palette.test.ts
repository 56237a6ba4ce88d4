// The palette and the help dialog: where they lead, what they run, and what a share link finds there.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay } from 'assay-client'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { openPage, servePage, visit, WITHOUT_BROWSER, waitUntilIdle } from './browser.ts'
import { FIRST_ROW } from './page-states.ts'

const EVALUATION = '/evaluations/support-answer-r5'

describe('the palette', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const { page, faults } = await openPage({ baseUrl, key, path: EVALUATION })
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  const option = (name: string | RegExp) => palette.getByRole('option', { name })
  const activeOption = () =>
    palette.getByRole('combobox').evaluate((input) => {
      const id = input.getAttribute('aria-activedescendant')
      return id === null ? null : document.getElementById(id)?.textContent
    })

  test('goes to an evaluation by a part of its name, and typed letters do nothing else', async () => {
    await page.getByRole('grid').getByRole('row').nth(1).waitFor()
    await page.keyboard.press('Control+k')
    // Without the palette, "p" pins the row and "d" changes the density.
    await page.keyboard.type('ptd')
    await palette.getByText('No matches.').waitFor()
    await palette.getByRole('combobox').fill('RETURNS are')
    await option(/^Support answer r6/).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${baseUrl}/evaluations/support-answer-r6`)
    assert.deepEqual(faults, [])
  })

  test('goes to a variant, and to a revision by its number', {
    skip: fullOnly('the same list as in the test above'),
  }, async () => {
    await page.getByRole('button', { name: 'Search or jump to' }).click()
    await page.keyboard.type('ticket')
    await option('Ticket triage ticket-triage').click()
    await page.waitForURL(`${baseUrl}/variants/ticket-triage`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('support-answer r5')
    await option('Support answer r5 support-answer').first().waitFor()
    assert.equal(await activeOption(), 'Support answer r5support-answer')
    await palette.getByRole('combobox').fill('support-answer r99')
    await option('Support answer r5 support-answer').waitFor({ state: 'detached' })
    await palette.getByRole('combobox').fill('support-answer r5')
    await option('Support answer r5 support-answer').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${baseUrl}/variants/support-answer/revisions/5`)
  })

  test('finds a revision by its number alone, first that of the variant on the screen', async () => {
    await visit(page, '/variants/support-answer')
    await page.getByRole('row', { name: /r5/ }).first().waitFor()
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').fill('R1')
    const revisions = palette.getByRole('group', { name: 'Revisions' })
    await revisions.getByRole('option', { name: 'Ticket triage r1' }).waitFor()
    assert.equal(await activeOption(), 'Support answer r1support-answer')
    await palette.getByRole('combobox').fill('r5')
    await revisions.getByRole('option', { name: 'Support answer r5' }).waitFor()
    assert.equal(await activeOption(), 'Support answer r5support-answer')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${baseUrl}/variants/support-answer/revisions/5`)
    assert.deepEqual(faults, [])
  })

  test('runs actions of the page with their keys, and returns the focus', async () => {
    await visit(page, EVALUATION)
    // Actions are added when the rows are loaded.
    await page.locator(FIRST_ROW).waitFor()
    const share = page.getByRole('button', { name: 'Share', exact: true })
    await share.focus()
    await page.keyboard.press('Control+k')
    await palette.getByRole('group', { name: 'Evaluations' }).waitFor()
    await palette.getByRole('group', { name: 'This page' }).waitFor()
    await page.keyboard.press('ArrowUp')
    assert.equal(await activeOption(), 'Sign out')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Share')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('link copy')
    assert.equal(await option('Copy link').locator('kbd').textContent(), 'y')
    await page.keyboard.press('Enter')
    await page.getByText('Link copied.').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('copy as')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Python' }).waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Python')
    await page.keyboard.press('Escape')
    assert.deepEqual(faults, [])
  })

  test('lists the actions of the first page, with and without a key', async () => {
    await visit(page, '/')
    await page.getByRole('row', { name: /Support answer r5/ }).waitFor()
    await page.keyboard.press('Control+k')
    assert.deepEqual(await option('Filter by name').locator('kbd').allTextContents(), ['/'])
    await palette.getByRole('combobox').fill('import')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /import/i }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('starts with the newest evaluations and variants, and requests each list once', async () => {
    // A page with an empty cache. With a fixed time, a slow one does not request again what is older than 10 seconds.
    const other = await openPage({ baseUrl, key, path: '/variants', hasClock: true })
    await other.page.clock.setFixedTime(Date.now())
    await other.page.getByRole('link', { name: 'Ticket triage' }).first().waitFor()
    const requests: string[] = []
    other.page.on('request', (request) => requests.push(request.url().replace(baseUrl, '')))
    await other.page.keyboard.press('Control+k')
    const groups = other.page.getByRole('dialog').getByRole('group')
    await groups.filter({ hasText: 'Switch theme' }).waitFor()
    for (const name of ['Evaluations', 'Variants'])
      await other.page.getByRole('group', { name, exact: true }).waitFor()
    const titles = await groups.evaluateAll((all) => all.map((group) => group.getAttribute('aria-label')))
    assert.deepEqual(titles, ['Evaluations', 'Variants', 'This page', 'Everywhere'])
    assert.equal(await groups.nth(0).getByRole('option').count(), 5)
    assert.equal(await groups.nth(1).getByRole('option').count(), 3)
    const newest = other.page.getByRole('option', { name: /^Support answer r6/ })
    assert.equal(await newest.getAttribute('aria-selected'), 'true')
    // Not letter by letter: a slow computer would search for the first one, too.
    await other.page.getByRole('combobox').fill('zzz')
    await other.page.getByText('No matches.').waitFor()
    await other.page.getByRole('combobox').fill('')
    await newest.waitFor()
    // The page below requests and follows longer lists.
    assert.deepEqual(requests.filter((url) => /^\/api\/.*[?&]limit=\d$/.test(url)).sort(), [
      '/api/evaluations?limit=5',
      '/api/evaluations?q=zzz&limit=6',
      '/api/variants?limit=3',
      '/api/variants?q=zzz&limit=6',
    ])
    assert.deepEqual(other.faults, [])
  })

  test('the help dialog lists the same shortcuts as the palette, and keys that move from row to row', async () => {
    await visit(page, EVALUATION)
    await page.getByRole('grid').getByRole('row').nth(1).waitFor()
    await page.keyboard.press('Control+k')
    await option('Change row height').waitFor()
    const options = palette.getByRole('option')
    const labels = await options.locator('bdi').allTextContents()
    const shortcuts = await options
      .filter({ has: page.locator('kbd') })
      .locator('bdi')
      .allTextContents()
    await page.keyboard.press('Control+k')
    await palette.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    const terms = await help.getByRole('term').allTextContents()
    for (const label of ['Next row', 'Previous row', 'Page down', 'Page up', 'First row', 'Last row']) {
      assert.deepEqual([label, labels.includes(label), terms.includes(label)], [label, false, true])
    }
    const sequence = help.locator('dl > div').filter({ hasText: 'Go to evaluations' })
    assert.deepEqual(await sequence.locator('kbd').allTextContents(), ['g', 'e'])
    assert.deepEqual(
      shortcuts.filter((label) => !terms.includes(label)),
      [],
    )
    assert.ok(shortcuts.includes('Copy link') && terms.includes('Search or jump to'))
    await page.keyboard.press('Escape')
  })

  test('a key pressed right after the palette is closed is not lost', async () => {
    await page.keyboard.press('Control+k')
    await option('Change row height').waitFor()
    // In one task: before the event of the dialog, and before the browser moves the focus.
    await page.evaluate(() => {
      const dialog = document.querySelector('dialog')
      const closed = new Promise((resolve) => dialog?.addEventListener('close', resolve))
      dialog?.close()
      const event = new KeyboardEvent('keydown', { key: '?', bubbles: true })
      document.activeElement?.dispatchEvent(event)
      return closed
    })
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    await waitUntilIdle(page)
    assert.ok(await help.isVisible())
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
  })

  test('has no key hints and a short placeholder in a narrow window', {
    skip: fullOnly('a small part of the layout'),
  }, async () => {
    const viewport = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.keyboard.press('Control+k')
    await option('Switch theme').waitFor()
    assert.equal(await palette.getByRole('combobox').getAttribute('placeholder'), 'Search')
    assert.equal(await palette.locator('kbd').filter({ visible: true }).count(), 0)
    assert.ok((await palette.locator('kbd').count()) > 0)
    await page.keyboard.press('Escape')
    if (viewport) await page.setViewportSize(viewport)
  })

  test('a share link finds only what it opens, and requests no list', {
    skip: fullOnly('opens a share link; restricted-keys.test.ts checks what it can read'),
  }, async () => {
    const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const share = await assay.createShare({ confined_to: { variant_id: 'support-answer' }, expires_at })
    const guest = await openPage({ baseUrl, key: share.key, path: '/variants/support-answer' })
    const requests: string[] = []
    guest.page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await guest.page.getByText('shared with you').waitFor()
    await guest.page.keyboard.press('Control+k')
    const options = guest.page.getByRole('dialog').getByRole('option')
    await options.filter({ hasText: 'Switch theme' }).waitFor()
    assert.equal(await options.filter({ hasText: 'Go to' }).count(), 0)
    await guest.page.keyboard.type('support')
    await options.filter({ hasText: 'support-answer' }).waitFor()
    assert.equal(await options.count(), 1)
    await guest.page.keyboard.type('-answer r4')
    await options.filter({ hasText: 'support-answer r4' }).waitFor()
    await guest.page.keyboard.press('Enter')
    await guest.page.waitForURL(`${baseUrl}/variants/support-answer/revisions/4`)
    assert.deepEqual(
      requests.filter((path) => ['/api/evaluations', '/api/variants'].includes(path)),
      [],
    )
    assert.deepEqual(guest.faults, [])
  })
})
