// Failed outputs, right-to-left texts and images in the table of an evaluation, in Chromium.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { importInto } from '../support/import-file.ts'
import { assertNoViolations, openPage, openPath, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

/** LangSmith writes the traceback of a failed output into its message. The evaluators scored it nevertheless. */
const LANGSMITH = join(import.meta.dirname, '../fixtures/import/langsmith/to-pandas.csv')
const TRACEBACK =
  'Traceback (most recent call last):\n  File "/app/run.py", line 12, in answer\nTimeoutError: 30 s'
const ARABIC = 'متى يصل طلبي رقم LK-46018؟'

const failed: ScenarioWrite = {
  id: 'failed',
  inputs: [{ name: 'question', type: 'text', value: ARABIC }],
  outputs: [{ result: { type: 'error', error: { message: TRACEBACK } } }],
  results: [],
}

describe('the rows of an evaluation', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  const { evaluations } = await importInto(store, LANGSMITH)
  const importedId = evaluations[0]?.id ?? ''
  await assay.addEvaluation({ id: 'unscored', name: `${ARABIC} (r5)` })
  const image = { url: `data:image/png;base64,${'iVBORw0KGgo'.repeat(100)}` }
  await assay.appendScenarios('unscored', [
    failed,
    {
      ...failed,
      id: 'image',
      extra: { sample: 'image' },
      outputs: [{ result: { type: 'json', value: image } }],
    },
  ])

  const tab = await openPage({ baseUrl, key })
  const { page } = tab

  test('with failed outputs are counted by their chip if evaluators scored them, and the chip shows them', async () => {
    await visit(page, `/evaluations/${importedId}?on=exact`)
    const chip = page.getByRole('group', { name: 'States' }).getByRole('button', { name: 'Output failed 1' })
    await chip.click()
    await page.getByText('Rows 1–1 of 1').waitFor()
    await page.getByRole('gridcell', { name: /ValueError\('the model is down'\)/ }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('error'), 'is.true')
    assert.equal(await chip.getAttribute('aria-pressed'), 'true')
    await assertNoViolations(tab, '[aria-label=States]')
    await chip.click()
    await page.getByText('of 6').first().waitFor()
  })

  test('with failed outputs have a chip without evaluators, and groups keep the line breaks of messages', async () => {
    await visit(page, '/evaluations/unscored')
    await page.getByRole('button', { name: 'Output failed 1' }).click()
    await page.getByText('Rows 1–1 of 1').waitFor()
    await visit(page, '/evaluations/unscored?group=error')
    await page.getByRole('button', { name: /^Traceback/, expanded: false }).click()
    const message = page.getByRole('listitem').getByText('Traceback (most recent call last):')
    assert.equal((await message.innerText()).trim(), TRACEBACK)
    await assertNoViolations(tab, 'main table')
  })

  test('have texts that begin on the side of their first letter', async () => {
    await openPath(page, '/evaluations/unscored')
    const input = page.getByRole('gridcell', { name: ARABIC }).first()
    await input.waitFor()
    const directions = (await page.getByRole('row').nth(1).getByRole('gridcell').all()).map((cell) =>
      cell.evaluate((element) => getComputedStyle(element).direction),
    )
    // The number, the input, the failed output, the expected answer, latency and cost.
    assert.deepEqual(await Promise.all(directions), ['ltr', 'rtl', 'ltr', 'ltr', 'ltr', 'ltr'])
    // In a name, too: the parenthesis is left of the Arabic text.
    const heading = page.getByRole('heading', { level: 1 })
    const [first, last] = await heading.evaluate((element) => {
      const text = element.textContent ?? ''
      const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
      const leftOf = (index: number) => {
        const range = document.createRange()
        range.setStart(node as Node, index)
        range.setEnd(node as Node, index + 1)
        return range.getBoundingClientRect().left
      }
      return [leftOf(0), leftOf(text.indexOf('('))]
    })
    assert.ok((last ?? 0) < (first ?? 0), `${last} and ${first}`)
  })

  test('have images without their bytes', async () => {
    await openPath(page, '/evaluations/unscored?density=tall')
    const cell = page.getByRole('gridcell', { name: 'data:image/png;base64,…' })
    assert.equal(await cell.textContent(), '{"url":"data:image/png;base64,…')
  })
})
