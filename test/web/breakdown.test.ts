// The breakdown in a browser: of a comparison, which opens by itself, and of an evaluation. It names groups and filters by them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { assertNoViolations, openPage, openPath, servePage, WITHOUT_BROWSER } from './browser.ts'
import { comparisonPath, EVALUATION, FIRST_ROW } from './page-states.ts'

const COMPARISON = comparisonPath(4, 5)

describe('the breakdown of a comparison', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read'] })
  const opened = await openPage({ baseUrl, key, path: COMPARISON })
  const { page } = opened
  const box = page.getByRole('region', { name: 'Breakdown' })
  const group = (name: string) =>
    box.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })
  const chip = (name: string) =>
    page.getByRole('group', { name: 'Classes' }).getByRole('button', { name, exact: true })
  const column = (name: string) => page.getByRole('grid').getByRole('columnheader', { name, exact: true })
  const filters = page.getByRole('list', { name: 'Filters' })

  test('opens by itself, and names the group that explains the change', async () => {
    await box.getByText('explains 52 % of the loss').waitFor()
    assert.equal(
      await box.locator('p').textContent(),
      'returns explains 52 % of the loss. Large, but not certain: refunds 28 % and exchanges 24 %. ' +
        'The other 9 groups are tied and gained 0.9 points, so these add up to 104 %.',
    )
    assert.deepEqual(
      (await group('returns').locator('td').allInnerTexts()).map((text) => text.trim()),
      ['20', '90.0', '25.0', '−65.0\nworse', '', '52 %'],
    )
    // Groups that are tied and small share one line with an interval of its own.
    const combined = group('8 more')
    assert.deepEqual((await combined.locator('td').allInnerTexts()).slice(0, 3), ['62', '91.9', '95.2'])
    await combined.locator('[data-tooltip*=" to "]').waitFor()
    assert.equal(new URL(page.url()).searchParams.has('breakdown'), false)
    await assertNoViolations(opened)
  })

  test('filters by a group: counts follow, the verdict stays, and the equal column is hidden', async () => {
    await column('topic').waitFor()
    await group('returns').click()
    await page.waitForURL(/input\.topic=eq\.returns/)
    await filters.getByText('topic = returns').waitFor()
    await chip('Regressed 13').waitFor()
    await chip('All 20 of 120').waitFor()
    await page.getByText('r5 is worse than r4 on answer_correct: 29 rows regressed').waitFor()
    await column('topic').waitFor({ state: 'detached' })
    assert.equal(await group('returns').getByRole('button').getAttribute('aria-pressed'), 'true')
    // The filter comes before the classes.
    const [filter, classes] = [await filters.boundingBox(), await chip('Regressed 13').boundingBox()]
    assert.ok(filter && classes && filter.x < classes.x)
    // The same click removes it.
    await group('returns').click()
    await chip('Regressed 29').waitFor()
    await column('topic').waitFor()
  })

  test('works with the keyboard: b shows the next field, Enter filters by a group', async () => {
    for (const dimension of ['faithfulness', 'tone']) {
      await page.keyboard.press('b')
      await box.getByRole('button', { name: `by ${dimension}` }).waitFor()
    }
    await page.waitForURL(/breakdown=result\.tone/)
    await group('curt').getByRole('button').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/result\.tone=eq\.curt/)
    await box.getByRole('button', { name: 'Close the breakdown' }).click()
    await box.waitFor({ state: 'detached' })
    await page.keyboard.press('b')
    await box.getByRole('button', { name: 'by topic' }).waitFor()
  })

  test('the menu lists inputs, results and errors with few groups', async () => {
    await openPath(page, COMPARISON)
    await box.getByRole('button', { name: 'by topic' }).click()
    const items = box.locator('[popover]').getByRole('button')
    await items.nth(5).waitFor()
    assert.deepEqual(await items.allInnerTexts(), [
      'language\n11 groups',
      'topic\n12 groups',
      'faithfulness\n37 groups',
      'tone\n4 groups',
      'cites_policy\n3 groups',
      'error\n3 groups',
    ])
    await items.filter({ hasText: 'language' }).click()
    await page.waitForURL(/breakdown=input\.language/)
    await box.getByRole('columnheader', { name: 'language' }).waitFor()
  })

  test('does not open by itself if a change is tied', async () => {
    await openPath(page, `${comparisonPath(4, 6)}&on=answer_correct`)
    await page.getByText(/are tied/).waitFor()
    await page.locator('[role=row][aria-rowindex="2"], [role=status]').first().waitFor()
    assert.equal(await box.count(), 0)
    assert.deepEqual(opened.faults, [])
  })

  test('explains the regression of revision 5 in three clicks, including the topic', async () => {
    await openPath(page, '/')
    await page
      .getByRole('link', { name: /^Support answer r5/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Compare' }).click()
    await group('returns').getByRole('button').click()
    await page.waitForURL(
      /evaluation=support-answer-r4&evaluation=support-answer-r5&.*input\.topic=eq\.returns/,
    )
    await box.getByText('returns explains 52 % of the loss').waitFor()
    await page.getByRole('link', { name: 'max_tokens and messages[0].content differ' }).waitFor()
    await page.getByText('of 13 regressed on answer_correct').waitFor()
    await page.getByRole('gridcell', { name: 'You have 14 days from purchase' }).first().waitFor()
  })
})

describe('the breakdown of an evaluation', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read'] })
  const opened = await openPage({ baseUrl, key, path: EVALUATION })
  const { page } = opened
  const box = page.getByRole('region', { name: 'Breakdown' })
  await page.locator(FIRST_ROW).waitFor()

  test('opens with the button of the toolbar, and filters by a group', async () => {
    assert.equal(await box.count(), 0)
    await page.getByRole('button', { name: 'Break down' }).click()
    await box.getByText('returns explains 52 % of the loss').waitFor()
    await assertNoViolations(opened)
    await box.getByRole('row', { name: /^returns/ }).click()
    await page.getByRole('button', { name: 'All 20 of 120', pressed: true }).waitFor()
    await page.getByText('29 rows regressed').waitFor()
    await page
      .getByRole('grid')
      .getByRole('columnheader', { name: /^topic/ })
      .waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Close the breakdown' }).first().click()
    await box.waitFor({ state: 'detached' })
  })

  test('opens from the menu of an input column', async () => {
    await page.getByRole('button', { name: 'Remove filter: topic = returns' }).click()
    await page.getByRole('button', { name: 'Column topic' }).click()
    await page.getByRole('button', { name: 'Break down by topic' }).click()
    await page.waitForURL(/breakdown=input\.topic/)
    await box.getByText('returns explains 52 % of the loss').waitFor()
  })

  test('filters by a value of the menu of an input column, and by the focused cell with =', async () => {
    await openPath(page, EVALUATION)
    await page.locator(FIRST_ROW).waitFor()
    await page.getByRole('button', { name: 'Column topic' }).click()
    await page.getByRole('button', { name: /^refunds\s*12$/ }).click()
    await page.waitForURL(/input\.topic=eq\.refunds/)
    await page.getByRole('button', { name: 'All 12 of 120' }).waitFor()
    // Removing the filter would move the focus to the search box.
    await openPath(page, EVALUATION)
    const cell = page.locator(FIRST_ROW).getByRole('gridcell', { name: 'returns', exact: true })
    await cell.waitFor()
    await page.keyboard.press('Home')
    const columns = await page.getByRole('grid').getByRole('columnheader').allInnerTexts()
    for (let step = columns.findIndex((text) => text.startsWith('topic')); step > 0; step -= 1)
      await page.keyboard.press('ArrowRight')
    await page.keyboard.press('=')
    await page.waitForURL(/input\.topic=eq\.returns/)
    await page.getByRole('button', { name: 'All 20 of 120' }).waitFor()
  })

  test('without a baseline, names the group with the worst score', async () => {
    await openPath(page, `${EVALUATION}?base=`)
    await page.locator(FIRST_ROW).waitFor()
    await page.keyboard.press('b')
    await box.getByText('Lowest pass rate').waitFor()
    assert.equal(
      await box.locator('p').textContent(),
      'Lowest pass rate: exchanges with 12.5 % of 8 rows. All rows: 70.1 %.',
    )
    assert.deepEqual(opened.faults, [])
  })
})
