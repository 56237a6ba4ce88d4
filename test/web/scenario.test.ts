// A scenario in the panel and on its own page, in a browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { assertNoViolations, openPage, SIZE, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const FAILING = [1, 4]

function scenario(index: number, run: 'old' | 'new'): ScenarioWrite {
  const passes = run === 'old' || !FAILING.includes(index)
  return {
    id: `s${index}`,
    inputs: [{ name: 'city', type: 'text', value: `city ${index}` }],
    outputs: [
      {
        result: { type: 'text', value: `one\ntwo ${run}\n${index % 2 ? 'three' : 'four'}` },
        latency: 0.5,
        cost: 0.001,
      },
    ],
    correct_answers: [{ key: 'answer', value: 'one\ntwo old\nthree' }],
    results: [
      { evaluator_config: 'exact', result: { type: 'bool', value: passes } },
      { evaluator_config: 'score', result: { type: 'number', value: passes ? 0.75 : 0.25 } },
    ],
    extra: { results: [{ reason: `because ${index}` }] },
  }
}

test('the scenario panel and page', { skip: WITHOUT_BROWSER }, async (t) => {
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key: writeKey } = await createTestKey(store, { scopes: ['read', 'write'] })
  const { key: readKey } = await createTestKey(store)
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key: writeKey })
  for (const run of ['old', 'new'] as const) {
    await assay.addEvaluation({ id: run, ...(run === 'new' && { baseline_id: 'old' }) })
    await assay.appendScenarios(
      run,
      [0, 1, 2, 3, 4, 5].map((index) => scenario(index, run)),
    )
  }

  const openedPage = await openPage({ baseUrl, key: writeKey, path: '/evaluations/new?row=s0' })
  const { page } = openedPage
  const go = (path: string) => visit(page, path)
  const panel = page.getByRole('complementary', { name: 'Scenario' })
  const shows = (text: string | RegExp) => panel.getByText(text).first().waitFor()
  const compareWith = async (name: string) => {
    await panel.getByRole('button', { name: 'Compare with:' }).click()
    await page.locator('[popover]').getByRole('button', { name, exact: true }).click()
  }
  const searchParams = () => new URL(page.url()).searchParams

  await t.test('j and k move between rows, n and N between failures', async () => {
    await shows('1 of 6')
    await page.keyboard.press('j')
    await shows('2 of 6')
    await page.keyboard.press('k')
    await shows('1 of 6')
    for (const position of ['2 of 6', '5 of 6']) {
      await page.keyboard.press('n')
      await shows(position)
    }
    await page.keyboard.press('n')
    await page.getByText('No failure after this row in this view.').waitFor()
    await page.keyboard.press('N')
    await shows('2 of 6')
    assert.equal(searchParams().get('row'), 's1')
  })

  await t.test('the diff marks changes, and results show the baseline', async () => {
    await panel.locator('del').getByText('old', { exact: true }).waitFor()
    await panel.locator('ins').getByText('new', { exact: true }).waitFor()
    await shows('because 1')
    await shows('baseline 0.75')
    await compareWith('baseline output')
    await panel.locator('del').getByText('old', { exact: true }).waitFor()
    await shows('Baseline output')
    await compareWith('nothing')
    await panel.getByRole('region', { name: 'Output', exact: true }).getByText('two new').first().waitFor()
    assert.equal(await panel.locator('ins, del').count(), 0)
    await compareWith('expected answer')
    await panel.locator('del').getByText('old', { exact: true }).waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertNoViolations(openedPage)
    await page.emulateMedia({ colorScheme: 'light' })
  })

  await t.test('a scenario that the filters exclude is shown, with a button to show all rows', async () => {
    await go('/evaluations/new?row=s0&result.exact=is.false')
    await shows('not in the current filter')
    await page.keyboard.press('j')
    await shows('1 of 2')
    await page.keyboard.press('k')
    await go('/evaluations/new?row=s0&result.exact=is.false')
    await panel.getByRole('button', { name: 'show all' }).click()
    await shows('1 of 6')
  })

  await t.test('notes and pins are saved; an unsaved note stays until it is discarded', async () => {
    await page.keyboard.press('e')
    await page.keyboard.type('ask about jars')
    await page.keyboard.press('Control+Enter')
    await shows('ask about jars')
    await panel.getByRole('textbox').waitFor({ state: 'detached' })
    await page.keyboard.press('p')
    await panel.getByRole('button', { name: 'Pinned' }).waitFor()
    const { note, is_pinned } = await assay.getEvaluationScenario('new', 's0')
    assert.deepEqual([note, is_pinned], ['ask about jars', true])
    await page.keyboard.press('e')
    await page.keyboard.type('no')
    await page.keyboard.press('Escape')
    assert.equal(await panel.getByRole('textbox').inputValue(), 'ask about jarsno')
    await panel.getByRole('button', { name: 'Discard' }).click()
    await shows('ask about jars')
  })

  await t.test('Back and Escape close the panel, and f switches between panel and page', async () => {
    await go('/evaluations/new')
    await panel.waitFor({ state: 'detached' })
    await go('/evaluations/new?row=s2')
    await shows('3 of 6')
    assert.ok(await panel.evaluate((element) => element.contains(document.activeElement)))
    await page.keyboard.press('j')
    await shows('4 of 6')
    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    await page.goForward()
    await shows('4 of 6')
    await page.keyboard.press('f')
    await page.getByRole('heading', { level: 1, name: 'Row 4' }).waitFor()
    await page.getByText('4 of 6', { exact: true }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/evaluations/new/scenarios/s3')
    await page.keyboard.press('f')
    await shows('4 of 6')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    assert.equal(searchParams().has('row'), false)
    await page.locator('[role=grid] [aria-rowindex="5"] :focus').waitFor()
  })

  await t.test('the panel can be resized with the keyboard', async () => {
    await go('/evaluations/new?row=s2')
    const resizer = panel.getByRole('separator')
    await resizer.press('ArrowLeft')
    await panel.and(page.locator('[style*="47%"]')).waitFor()
    await resizer.press('Home')
    const { width = 0 } = (await panel.boundingBox()) ?? {}
    assert.equal(Math.round(width), SIZE.width * 0.25)
    await resizer.press('End')
  })

  await t.test('a read-only key shows the note but cannot edit it', async () => {
    await go('/evaluations/new/scenarios/s0')
    await page.evaluate((key) => {
      location.hash = `key=${key}`
    }, readKey)
    await page.getByText('ask about jars').waitFor()
    const editing = page.getByRole('button', { name: /^(?:pin|pinned|note|edit note)$/i })
    await editing.first().waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await page.keyboard.press('p')
    assert.equal(await page.getByRole('textbox').count(), 0)
    assert.equal((await assay.getEvaluationScenario('new', 's0')).is_pinned, true)
    assert.deepEqual(openedPage.faults, [])
  })
})
