// Comparisons of three and four evaluations in Chromium: menus, statistics and rows have the baseline once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, openPage, SIZE, servePage, visit, WITHOUT_BROWSER } from './browser.ts'
import { comparisonPath, FIRST_ROW } from './page-states.ts'

const skip = WITHOUT_BROWSER || fullOnly('opens several comparisons in a browser')

describe('comparisons of more than two evaluations', { skip }, async () => {
  if (skip) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  const tab = await openPage({ baseUrl, key, path: comparisonPath(4, 5, 6, 3) })
  const { page } = tab
  const statistics = page.getByRole('region', { name: 'Statistics' })
  const rowsOf = (evaluator: string) =>
    statistics.locator('tbody', { has: page.getByRole('rowheader', { name: evaluator }) }).getByRole('row')

  test('has the menus of all evaluations in one line', async () => {
    await page.locator(FIRST_ROW).waitFor()
    const menus = page.getByRole('list', { name: 'Compared evaluations' }).getByRole('button')
    for (const width of [1512, 1280]) {
      await page.setViewportSize({ ...SIZE, width })
      const boxes = await Promise.all((await menus.all()).map((menu) => menu.boundingBox()))
      assert.equal(boxes.length, 4)
      assert.equal(
        new Set(boxes.map((box) => box?.y)).size,
        1,
        `at ${width} pixels: ${JSON.stringify(boxes)}`,
      )
    }
    await page.setViewportSize(SIZE)
  })

  test('shows the baseline once, and a word and an interval for each candidate', async () => {
    const evaluations = [4, 5, 6, 3].map((revision) => `support-answer-r${revision}`)
    const { candidates } = await assay.compareEvaluations({ evaluation: evaluations })
    const rows = rowsOf('answer_correct')
    assert.equal(await rows.count(), 3)
    assert.equal(await rows.getByText('90.8–91.2').count(), 1)
    for (const [index, candidate] of candidates.entries()) {
      const { outcome, interval } =
        candidate.evaluators.find(({ name }) => name === 'answer_correct') ?? assert.fail()
      const row = rows.nth(index)
      await row.getByRole('rowheader', { name: ['r5', 'r6', 'r3'][index] as string }).waitFor()
      await row.getByRole('cell', { name: new RegExp(`^${outcome}`) }).waitFor()
      const [low] = (interval ?? assert.fail()).map((value) => Math.abs(value * 100).toFixed(1))
      await row.getByRole('cell', { name: new RegExp(`${low} to .\\d`) }).waitFor()
    }
    await assertNoViolations(tab)
  })

  test('shows the result of the baseline once per row', async () => {
    const cells = page.locator(FIRST_ROW).getByRole('gridcell')
    const texts = (await cells.allInnerTexts()).slice(1, 5).map((text) => text.replace(/\s+/g, ' ').trim())
    assert.deepEqual(texts, ['pass', 'fail pass to fail worse', 'pass pass to pass', 'pass pass to pass'])
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertNoViolations(tab)
    await visit(page, `${comparisonPath(4, 5, 6)}&on=faithfulness`)
    await page.getByRole('columnheader', { name: 'r4 faithfulness' }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  })

  test('shows the focus line of the panel for the keyboard, but not after a click', async () => {
    const { page, context } = await openPage({ baseUrl, key, path: comparisonPath(4, 5) })
    const panel = page.getByRole('complementary', { name: 'Row' })
    const line = () => panel.evaluate((element) => getComputedStyle(element).boxShadow)
    await page.locator(FIRST_ROW).getByRole('gridcell').nth(1).click()
    await panel.getByRole('region', { name: 'Outputs' }).waitFor()
    assert.ok(await panel.evaluate((element) => element === document.activeElement))
    assert.equal(await line(), 'none')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await panel.getByRole('region', { name: 'Outputs' }).waitFor()
    assert.notEqual(await line(), 'none')
    await context.close()
  })
})
