// The row panel of the comparison page in Chromium.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const RUNS = ['old', 'new', 'next'] as const
type Run = (typeof RUNS)[number]
const REGRESSED = [1, 4]
const OUTPUTS: Record<number, Record<Run, string>> = {
  2: { old: 'the same', new: 'the same', next: 'the same' },
  3: { old: 'a b\nc', new: 'a  b\nc', next: 'a b\nc' },
}

function scenario(index: number, run: Run): ScenarioWrite {
  const passes = run !== 'new' || !REGRESSED.includes(index)
  const value = OUTPUTS[index]?.[run] ?? `one\ntwo ${run}\nthree\nfour\nfive\nsix ${run}`
  return {
    id: `s${index}`,
    inputs: [{ name: 'city', type: 'text', value: `city ${index}` }],
    outputs: [
      index === 5 && run === 'new'
        ? { result: { type: 'error', error: { message: 'HTTP 429', stacktrace: 'at limit\nat retry' } } }
        : { result: { type: 'text', value }, latency: run === 'new' ? 0.25 : 0.5, cost: 0.002 },
    ],
    correct_answers: [{ key: 'answer', value: index === 0 && run === 'new' ? 'Ottawa' : `answer ${index}` }],
    results: [
      { evaluator_config: 'exact', result: { type: 'bool', value: passes } },
      { evaluator_config: 'score', result: { type: 'number', value: passes ? 0.75 : 0.25 } },
    ],
    extra: { results: [{ reason: `because of ${run} ${index}` }] },
  }
}

const skip = WITHOUT_BROWSER || fullOnly('opens many rows in a browser')

test('the row panel of the comparison page', { skip }, async (t) => {
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  await assay.addVariant({ id: 'geo' })
  for (const [index, id] of RUNS.entries()) {
    const parameters = { model: id === 'old' ? 'gpt-w' : 'gpt-x', seed: index }
    await assay.addVariantRevision('geo', { modified_by: 'ana', config: { config_name: 'geo', parameters } })
    await assay.addEvaluation({ id, name: `geo ${id}`, variant_id: 'geo', revision: index + 1 })
    // s6 is missing in `new`, and s7 is only in `new`.
    const rows = [0, 1, 2, 3, 4, 5, id === 'new' ? 7 : 6]
    await assay.appendScenarios(
      id,
      rows.map((row) => scenario(row, id)),
    )
  }

  const two = '/compare?by=id&evaluation=old&evaluation=new'
  const tab = await openPage({ baseUrl, key, path: `${two}&show=all&row=s0` })
  const { page } = tab
  const go = (path: string) => visit(page, path)
  const panel = page.getByRole('complementary', { name: 'Row' })
  const shows = (text: string | RegExp) => panel.getByText(text).first().waitFor()
  const position = (name: string) => panel.getByText(name, { exact: true }).waitFor()
  const address = () => new URL(page.url()).searchParams
  async function cell(row: string, column: number): Promise<string> {
    const cells = panel.getByRole('row', { name: new RegExp(`^${row} `) }).getByRole('cell')
    return (await cells.nth(column).innerText()).replace(/\s+/g, ' ').trim()
  }

  await t.test('moves through rows with j and k, and through regressions with n and N', async () => {
    await position('1 of 8')
    await page.keyboard.press('j')
    await position('2 of 8')
    await page.keyboard.press('k')
    await position('1 of 8')
    for (const name of ['2 of 8', '5 of 8']) {
      await page.keyboard.press('n')
      await position(name)
    }
    await page.keyboard.press('n')
    await page.getByText('No regression after this row in this view.').waitFor()
    await page.keyboard.press('N')
    await position('2 of 8')
    assert.equal(address().get('row'), 's1')
  })

  await t.test('shows the diff of both outputs, side by side or unified', async () => {
    await shows('regressed on exact')
    await shows('also worse on score')
    await panel.locator('del').getByText('old').first().waitFor()
    await panel.locator('ins').getByText('new').first().waitFor()
    await page.keyboard.press(']')
    await page.keyboard.press(']')
    await shows('change 2 of 2')
    await page.keyboard.press('[')
    await shows('change 1 of 2')
    await page.keyboard.press('s')
    const diff = panel.getByRole('table', { name: 'geo old and geo new', exact: true })
    await diff.waitFor()
    const bars = diff.locator('xpath=../preceding-sibling::*')
    assert.equal(await bars.count(), 1, 'names, counts and buttons are in one bar')
    assert.match(await bars.innerText(), /geo old\s*−2.*geo new\s*\+2.*change 1 of/s)
    assert.ok(((await bars.boundingBox())?.height ?? 99) < 48, 'the bar is one line')
    assert.equal(await diff.getByRole('columnheader').count(), 0)
    await page.keyboard.press('s')
    await panel.getByRole('table', { name: 'geo old on the left, geo new on the right' }).waitFor()
  })

  await t.test('shows results, reasons, latency and cost of both evaluations in one table', async () => {
    assert.match(await cell('exact', 0), /^pass because of old 1$/)
    assert.match(await cell('exact', 1), /^fail worse because of new 1$/)
    assert.match(await cell('score', 1), /0\.25 −0\.50 worse$/)
    assert.match(await cell('latency', 1), /^250 ms −250 ms better/)
    assert.match(await cell('cost', 1), /^\$0\.002 tied/)
    const link = panel.getByRole('link', { name: 'open in r2' })
    assert.equal(await link.getAttribute('href'), '/evaluations/new?row=s1&base=old')
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await assertNoViolations(tab)
    }
  })

  await t.test('shows results and reasons beside the outputs, and below them in a narrow panel', async () => {
    const results = panel.getByRole('region', { name: 'Results' })
    const output = panel.getByRole('table', { name: 'geo old on the left, geo new on the right' })
    const boxOf = async (element: typeof output) => (await element.boundingBox()) ?? assert.fail()
    const [beside, text] = [await boxOf(results), await boxOf(output)]
    assert.ok(beside.x >= text.x + text.width, 'the results start where the outputs end')
    assert.ok(beside.y <= text.y, 'the results start above the first line of the outputs')
    await results.getByText('because of new 1').waitFor()
    await page.setViewportSize({ width: 1180, height: 800 })
    assert.ok((await boxOf(results)).y > (await boxOf(output)).y + 20, 'the results are below the outputs')
    await page.setViewportSize({ width: 1512, height: 800 })
  })

  await t.test(
    'names identical outputs, whitespace changes, errors, missing rows and different expected answers',
    async () => {
      await go(`${two}&show=all&row=s2`)
      await shows('Identical outputs')
      await shows('same on exact')
      await shows('same output')
      await go(`${two}&show=all&row=s3`)
      await shows('Only whitespace differs')
      await go(`${two}&show=all&row=s5`)
      const failed = panel.getByRole('region', { name: 'Output of geo new' })
      await failed.getByText('HTTP 429').waitFor()
      assert.match(await failed.innerText(), /at limit\nat retry/)
      await panel.getByRole('region', { name: 'Output of geo old' }).getByText('six old').waitFor()
      await go(`${two}&show=all&row=s6`)
      await shows('only in geo old')
      await shows('geo new has no row for this scenario.')
      await go(`${two}&show=all&row=s0`)
      await shows('The expected answers differ.')
      await shows('Ottawa')
    },
  )

  await t.test('opens a row that only the candidate has', async () => {
    await go(`${two}&show=missing&row=s7&side=candidate`)
    await position('2 of 2')
    await shows('only in geo new')
    await shows('geo old has no row for this scenario.')
    await page.keyboard.press('k')
    await position('1 of 2')
    assert.deepEqual([address().get('row'), address().get('side')], ['s6', null])
    await page.keyboard.press('j')
    await position('2 of 2')
    assert.deepEqual([address().get('row'), address().get('side')], ['s7', 'candidate'])
  })

  await t.test(
    'shows a row outside the view with a button for all rows, and an error for an unknown row',
    async () => {
      await go(`${two}&row=s2`)
      await shows('not in the current filter')
      await shows('Identical outputs')
      await panel.getByRole('button', { name: 'show all' }).click()
      await position('3 of 8')
      await go(`${two}&row=unknown-row`)
      await panel.getByRole('alert').getByText('This row does not exist').waitFor()
    },
  )

  await t.test(
    'selects the candidate by digit or button, and ignores digits if there is only one candidate',
    async () => {
      await go(`${two}&evaluation=next&show=all&row=s1`)
      await panel.locator('ins').getByText('new').first().waitFor()
      await page.keyboard.press('2')
      await panel.locator('ins').getByText('next').first().waitFor()
      await shows('same on exact')
      assert.equal(address().get('pair'), '2')
      await panel.getByRole('button', { name: 'r2' }).click()
      await panel.locator('ins').getByText('new').first().waitFor()
      await go(`${two}&show=all&row=s1`)
      await panel.getByRole('button', { name: 'r2' }).waitFor({ state: 'detached' })
      await page.keyboard.press('2')
      assert.equal(address().get('pair'), null)
    },
  )

  await t.test(
    'shows all evaluations side by side with 0, and the results of all of them below',
    async () => {
      await go(`${two}&evaluation=next&show=all&row=s1`)
      await panel.locator('ins').getByText('new').first().waitFor()
      await page.keyboard.press('0')
      const tops: number[] = []
      for (const run of RUNS) {
        const side = panel.getByRole('region', { name: `Output of geo ${run}` })
        await side.getByText(`six ${run}`).waitFor()
        tops.push((await side.boundingBox())?.y ?? 0)
      }
      assert.equal(new Set(tops).size, 1, `the outputs start at ${tops.join(', ')}`)
      assert.equal(await panel.locator('ins').count(), 0)
      assert.equal(address().get('pair'), 'all')
      assert.equal(await panel.getByRole('button', { name: 'All', pressed: true }).count(), 1)
      await shows('r2 regressed on exact')
      await shows('r3 same on exact')
      assert.match(await cell('exact', 2), /^pass tied because of next 1$/)
      const results = await panel.getByRole('region', { name: 'Results' }).boundingBox()
      assert.ok((results?.y ?? 0) > (tops[0] ?? 0))
      await assertNoViolations(tab)
      await page.setViewportSize({ width: 390, height: 844 })
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      const [, second] = await panel.getByRole('region', { name: /^Output of/ }).all()
      const below = (await second?.boundingBox())?.y ?? 0
      const first = await panel.getByRole('region', { name: 'Output of geo old' }).boundingBox()
      assert.ok(below >= (first?.y ?? 0) + (first?.height ?? 0), 'the outputs are below each other')
      await page.setViewportSize({ width: 1512, height: 800 })
      await go(`${two}&show=all&row=s1&pair=all`)
      await page.getByText('pair=all').waitFor()
      await panel.locator('ins').getByText('new').first().waitFor()
    },
  )

  await t.test('copies a link with the row, the candidate and the text format', async () => {
    await go(`${two}&evaluation=next&show=all&row=s1&pair=2`)
    await panel.locator('ins').getByText('next').first().waitFor()
    await page.keyboard.press('m')
    await panel.getByRole('region', { name: 'Output of geo next' }).getByText('six next').waitFor()
    await page.keyboard.press('y')
    await page.getByText('Link copied.').waitFor()
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
    await page.keyboard.press('t')
    const params = Object.fromEntries(link.searchParams)
    assert.deepEqual(link.searchParams.getAll('evaluation'), [...RUNS])
    assert.deepEqual([params.show, params.row, params.pair, params.as], ['all', 's1', '2', 'markdown'])
    await go(link.pathname + link.search)
    await panel.getByRole('region', { name: 'Output of geo next' }).getByText('six next').waitFor()
  })

  await t.test('finds, opens, reads and closes a regression with the keyboard only', async () => {
    await go(`${two}&show=all`)
    await page.getByRole('grid').getByText('city 0').waitFor()
    await page.keyboard.press('n')
    await page.locator('[role=grid] [aria-rowindex="3"] :focus').waitFor()
    await page.keyboard.press('Enter')
    await position('2 of 8')
    await page.keyboard.press(']')
    await shows('change 1 of 2')
    await page.keyboard.press('n')
    await position('5 of 8')
    await page.keyboard.press('Escape')
    await page.locator('[role=grid] [aria-rowindex="6"] :focus').waitFor()
  })

  await t.test('closes with Escape and Back, and covers the table below 900 px', async () => {
    await go(two)
    await panel.waitFor({ state: 'detached' })
    await go(`${two}&row=s1`)
    await position('1 of 2')
    assert.ok(await panel.evaluate((element) => element.contains(document.activeElement)))
    await page.keyboard.press('j')
    await position('2 of 2')
    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    await page.goForward()
    await position('2 of 2')
    await page.setViewportSize({ width: 700, height: 800 })
    assert.equal((await panel.boundingBox())?.width, 700)
    await assertNoViolations(tab)
    await page.setViewportSize({ width: 1512, height: 800 })
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    assert.equal(address().has('row'), false)
  })
})
