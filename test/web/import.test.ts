// Importing on the page: what a newcomer does first, with a key that may write and with one that may not.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { Assay } from '../../client/client.ts'
import { freshStore, mint } from '../harness.ts'
import { assertSound, openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

const RESULTS = fileURLToPath(new URL('../fixtures/import/promptfoo/echo-run.json', import.meta.url))
const EVALUATION = 'eval-5Hj-2026-11-15T12:43:38'

describe('importing in Chromium', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  const { base } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const { key: readKey } = await mint(store)
  const assay = new Assay({ baseUrl: `${base}/api`, key })
  const reading = await openPage({ base, key: readKey, theme: 'dark' })
  const opened = await openPage({ base, key })
  const { page } = opened
  const stored = async () => (await assay.listEvaluations()).items.map(({ id }) => id)

  test('an empty store shows how to begin, with lines that know the address and not the key', async () => {
    await page.getByRole('heading', { name: 'Import your results', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Copy (From anywhere)' }).click()
    const line = await page.evaluate(() => navigator.clipboard.readText())
    assert.equal(
      line,
      `curl -H "Authorization: Bearer $ASSAY_KEY" --data-binary @results.json '${base}/api/imports?name=results.json'`,
    )
  })

  test('a key that may only read sees the lines and the reason, and no way to drop a file', async () => {
    await reading.page.getByText('This key may only read').waitFor()
    await reading.page.getByText('assay import results.json').waitFor()
    assert.equal(await reading.page.getByRole('button', { name: 'Choose files' }).count(), 0)
    await drop(reading.page, 'results.json', readFileSync(RESULTS, 'utf8'))
    assert.equal(await reading.page.getByRole('list', { name: 'Imports' }).count(), 0)
    await assertSound(reading)
  })

  test('a file that is no results says why, and nothing is stored', async () => {
    await drop(page, 'notes.json', '{"hello": 1}')
    const imports = page.getByRole('list', { name: 'Imports' })
    await imports.getByText('was refused').waitFor()
    assert.match(
      (await imports.textContent()) ?? '',
      /notes\.json.*of no format that Assay knows.*Nothing was stored/,
    )
    await page.getByRole('button', { name: 'Dismiss notes.json' }).click()
    await drop(page, 'bad.jsonl', '{"id":"a","outputs":[{}]}\n{"id":"b","outputs":[],"results":[{}]}\n')
    await imports.getByText('was refused').waitFor()
    assert.match((await imports.textContent()) ?? '', /line 1 at \/outputs\/0.*line 2 at \/results\/0/)
    assert.deepEqual(await stored(), [])
    await page.getByRole('button', { name: 'Dismiss bad.jsonl' }).click()
  })

  test('an upload can be cancelled', async () => {
    await page.route('**/api/imports?*', () => undefined)
    await drop(page, 'slow.json', '{}')
    await page.getByRole('progressbar', { name: 'Upload of slow.json' }).waitFor()
    await page.getByRole('button', { name: 'Cancel slow.json' }).click()
    await page.getByText('slow.json: cancelled.').waitFor()
    await page.unroute('**/api/imports?*')
  })

  test('a file is looked at first, then stored; the report leads to its rows', async () => {
    await page.getByText('Options').click()
    await page.getByLabel('Only look, store nothing').check()
    await page.getByLabel('Files to import').setInputFiles(RESULTS)
    await page.getByText('was only looked at, nothing was stored').waitFor()
    await page.getByText('3 scenarios to add').waitFor()
    assert.deepEqual(await stored(), [])
    await page.getByRole('button', { name: 'Store it' }).click()
    await page.getByText('3 scenarios added').waitFor()
    await page.getByText('Greetings: 1 revision added').waitFor()
    await page.getByRole('row', { name: 'Greetings' }).waitFor()
    await assertSound(opened)
    await page.getByRole('link', { name: EVALUATION }).click()
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === `/evaluations/${EVALUATION}`)
  })

  test('the page of somebody else who waited goes on by itself', () =>
    reading.page.getByRole('row', { name: 'Greetings' }).waitFor())

  test('the same file again changes nothing, and the list says how to import more', async () => {
    await page.goto(base)
    await page.getByRole('heading', { name: 'Import your results', level: 2 }).waitFor()
    await drop(page, 'again.json', readFileSync(RESULTS, 'utf8'))
    await page.getByText('3 scenarios there already').waitFor()
    assert.deepEqual(await stored(), [EVALUATION])
    assert.deepEqual(opened.faults, [])
  })
})

/** As the browser tells the page of a file that was dropped on it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name = '', text = '']) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], name))
      return transfer
    },
    [name, text],
  )
  await page.dispatchEvent('h1', 'dragover', { dataTransfer })
  await page.dispatchEvent('h1', 'drop', { dataTransfer })
}
