// Row panels in Chromium: how much they show at once, what they show while the server is unavailable, and a printed comparison.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { Assay } from '../../client/client.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, openPage, SIZE, servePage, WITHOUT_BROWSER } from './browser.ts'

const EVALUATORS = Array.from({ length: 40 }, (_, index) => `evaluator_with_a_long_name_${index + 1}`)
const INPUTS = Array.from({ length: 25 }, (_, index) => `input_${index + 1}`)
const compare = (...revisions: number[]) =>
  `/compare?${revisions.map((revision) => `evaluation=support-answer-r${revision}`).join('&')}`

const skip = WITHOUT_BROWSER || fullOnly('opens several pages in a browser')

describe('row panels', { skip }, async () => {
  if (skip) return
  const store = await createSampleStore()
  const { baseUrl, stop } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  await assay.addEvaluation({ id: 'wide' })
  await assay.appendScenarios('wide', [
    {
      id: 's1',
      inputs: INPUTS.map((name) => ({ name, type: 'text', value: `the value of ${name}` })),
      outputs: [{ result: { type: 'text', value: 'Sydney' }, latency: 1, cost: 0.001 }],
      correct_answers: [{ key: 'answer', value: 'Canberra' }],
      results: EVALUATORS.map((name, index) => ({
        evaluator_config: name,
        result: { type: 'bool', value: index !== 39 },
      })),
    },
  ])

  test('shows 40 results in one line and the diff above y = 420', async () => {
    const tab = await openPage({ baseUrl, key, path: '/evaluations/wide?row=s1' })
    const { page, context } = tab
    const panel = page.getByRole('complementary', { name: 'Scenario' })
    await panel.locator('del').first().waitFor()
    const items = await panel.getByRole('list', { name: 'Summary' }).getByRole('listitem').all()
    assert.equal(items.length, 10)
    const texts = await Promise.all(items.map(async (item) => (await item.textContent()) ?? ''))
    assert.deepEqual(texts.slice(0, 2), ['1 fail', '39 pass'])
    // The failure is in the line, although it is the last result.
    assert.match(texts[2] ?? '', /^evaluator_with_a_long_name_40\s+fail$/)
    // One line with whole names. What does not fit is only in the results.
    const line = (await panel.getByRole('list', { name: 'Summary' }).boundingBox()) ?? assert.fail()
    const boxes = await Promise.all(items.map((item) => item.boundingBox()))
    const visible = boxes.filter((box) => box && box.y < line.y + line.height)
    assert.ok(visible.length >= 3, `${visible.length} visible`)
    assert.ok(visible.every((box) => box && box.x + box.width <= line.x + line.width))
    const name = items[2]?.locator('bdi') ?? assert.fail()
    assert.ok(await name.evaluate((element) => element.scrollWidth <= element.clientWidth))
    const diffTop = (await panel.getByRole('table').first().boundingBox())?.y ?? Number.POSITIVE_INFINITY
    assert.ok(diffTop < 420, `y = ${diffTop}`)
    await panel.getByRole('button', { name: 'All 40' }).click()
    await panel.getByText('evaluator_with_a_long_name_40').last().waitFor()
    const results = panel.getByRole('region', { name: 'Results' })
    assert.ok(await results.evaluate((element) => element === document.activeElement))
    assert.equal(await results.getByRole('term').count(), EVALUATORS.length)
    // A name breaks after an underscore, not in a word.
    const names = await results.getByRole('term').all()
    const areBroken = await Promise.all(names.map((term) => term.evaluate(hasBrokenPart)))
    assert.ok(!areBroken.includes(true))
    const inputs = panel.getByRole('region', { name: 'Input' })
    assert.ok((await inputs.getByRole('term').count()) >= 4)
    await inputs.getByRole('button', { name: 'Show all 25' }).click()
    assert.equal(await inputs.getByRole('term').count(), INPUTS.length)
    await assertNoViolations(tab)
    await context.close()
  })

  test('shows everything below each other in a window of 390 pixels', async () => {
    const path = `${compare(4, 5, 6)}&row=returns-004`
    const tab = await openPage({ baseUrl, key, path, width: 390, height: 844 })
    const { page, context } = tab
    const panel = page.getByRole('complementary', { name: 'Row' })
    const edges = async (locator: Locator) => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await locator.boundingBox()) ?? {}
      return { left: x, top: y, right: x + width, bottom: y + height }
    }
    // The preference for two columns stays, but has no effect.
    await panel.getByRole('table', { name: /^Support answer r4.* and Support answer r5/ }).waitFor()
    assert.equal(await panel.getByRole('button', { name: 'Side by side' }).count(), 0)
    const showAll = await edges(panel.getByRole('status').getByRole('button', { name: 'Show all' }))
    const next = await edges(panel.getByRole('button', { name: 'Next row' }))
    assert.ok(showAll.top >= next.bottom, `${showAll.top} and ${next.bottom}`)
    const results = panel.getByRole('region', { name: 'Results' })
    assert.ok(await results.evaluate((element) => element.scrollWidth <= element.clientWidth))
    const [first, second] = [
      results.locator('td[data-evaluation]').nth(0),
      results.locator('td[data-evaluation]').nth(1),
    ]
    assert.ok((await edges(second)).top >= (await edges(first)).bottom)
    // The hidden table does not make the page scroll.
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight), 0)
    await assertNoViolations(tab)
    await page.goto(`${baseUrl}/evaluations/support-answer-r5/scenarios/returns-004`)
    const block = page.getByRole('region', { name: 'Results', exact: true })
    const name = block.getByText('faithfulness', { exact: true })
    await name.waitFor()
    assert.equal(
      (await name.boundingBox())?.height,
      (await block.getByText('tone', { exact: true }).boundingBox())?.height,
    )
    assert.ok((await edges(block.getByText('−0.51'))).right <= 390 - 16)
    assert.ok(
      (await edges(block.getByText('baseline 0.94, passes at ≥ 0.8'))).top >= (await edges(name)).bottom,
    )
    await context.close()
  })

  test('prints the names, the statistics and all regressed rows without controls', async () => {
    const path = `${compare(4, 5)}&row=returns-001`
    const { page, context, faults } = await openPage({ baseUrl, key, path, theme: 'dark' })
    await page.getByRole('complementary').locator('del').first().waitFor()
    await page.getByRole('region', { name: 'Statistics' }).getByRole('table').waitFor()
    // On paper the panel follows the rows instead of covering them. An empty document has 2 kB.
    const pdf = await page.pdf({ preferCSSPageSize: true })
    assert.ok(pdf.length > 50_000, `${pdf.length} bytes`)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    // The width of A4 in landscape, without margins.
    await page.setViewportSize({ width: 1032, height: 703 })
    const rows = page.getByRole('region', { name: 'Rows', exact: true }).getByRole('row')
    await rows.first().waitFor()
    assert.equal(await rows.count(), 1 + 29)
    await page.getByText('Support answer r4: haiku at 0.2').first().waitFor()
    await page.getByText('29 rows regressed on answer_correct').waitFor()
    assert.equal(await page.getByRole('searchbox').count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Share' }).count(), 0)
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    assert.equal(background, 'rgb(255, 255, 255)')
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('opens at its width and says that the server cannot be reached, and keys do nothing else', async () => {
    const evaluation = await openPage({ baseUrl, key, path: '/evaluations/support-answer-r5' })
    const comparison = await openPage({ baseUrl, key, path: compare(4, 5) })
    for (const { page } of [evaluation, comparison]) await page.getByRole('gridcell').nth(20).waitFor()
    await stop()
    for (const { page, faults } of [evaluation, comparison]) {
      await page.getByRole('grid').getByRole('row').nth(3).getByRole('gridcell').nth(3).click()
      await page.waitForURL(/row=/)
      const panel = page.getByRole('complementary')
      await panel.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
      const { width = 0 } = (await panel.boundingBox()) ?? {}
      assert.equal(Math.round(width), Math.round(SIZE.width * 0.45))
      await page.getByRole('button', { name: 'Retry now' }).waitFor()
      assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), SIZE.height)
      const url = page.url()
      const tableText = await page.getByRole('grid').innerText()
      for (const key of ['d', 'c', '/', 'o', 'x', 'T']) await page.keyboard.press(key)
      assert.equal(page.url(), url)
      assert.equal(await page.getByRole('grid').innerText(), tableText)
      assert.ok(await panel.evaluate((element) => element.contains(document.activeElement)))
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      assert.deepEqual(faults, [])
    }
  })
})

/** Whether a text of the element, which has a text for each part of a name, is on several lines. */
function hasBrokenPart(element: Element): boolean {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    range.selectNodeContents(text)
    if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) return true
  }
  return false
}
