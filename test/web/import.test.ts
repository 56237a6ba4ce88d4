// Importing files on the page, with a key that can write and with a read-only one.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { Assay } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { assertNoViolations, chooseOption, openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

const RESULTS = fileURLToPath(new URL('../fixtures/import/promptfoo/echo-run.json', import.meta.url))
const LM_EVAL_FILES = [
  'results_2026-11-15T12-40-17.831033.json',
  'samples_toy_gsm_2026-11-15T12-40-17.831033.jsonl',
  'samples_toy_mc_2026-11-15T12-40-17.831033.jsonl',
  'samples_toy_ppl_2026-11-15T12-40-17.831033.jsonl',
]
const EVALUATION = 'eval-5Hj-2026-11-15T12:43:38'

describe('importing on the page', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const { key: readKey } = await createTestKey(store)
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  const readOnly = await openPage({ baseUrl, key: readKey, theme: 'dark' })
  const openedPage = await openPage({ baseUrl, key })
  const { page } = openedPage
  const storedIds = async () => (await assay.listEvaluations()).items.map(({ id }) => id)

  test('an empty store shows import commands with the URL of the service and without the key', async () => {
    await page.getByRole('heading', { name: 'Import your results', level: 1 }).waitFor()
    await page.getByText('client.import_file').waitFor()
    for (const text of [
      /promptfoo, Inspect, .*, Langfuse/,
      'Parquet, CSV, TSV or flat JSON',
      'scenarios, revisions',
    ])
      await page.getByRole('definition').filter({ hasText: text }).waitFor()
    await page.getByRole('button', { name: 'curl' }).click()
    await page.getByRole('button', { name: 'Copy (curl)' }).click()
    const line = await page.evaluate(() => navigator.clipboard.readText())
    assert.equal(
      line,
      `curl -H "Authorization: Bearer $ASSAY_KEY" --data-binary @results.json '${baseUrl}/api/imports?name=results.json'`,
    )
  })

  test('a read-only key shows the commands and the reason, and ignores dropped files', async () => {
    await readOnly.page.getByText('This key is read-only').waitFor()
    await readOnly.page.getByRole('button', { name: 'Command line' }).click()
    await readOnly.page.getByText('assay import results.json --url http').waitFor()
    assert.equal(await readOnly.page.getByRole('button', { name: 'Choose files' }).count(), 0)
    await drop(readOnly.page, { 'results.json': readFileSync(RESULTS, 'utf8') })
    assert.equal(await readOnly.page.getByRole('list', { name: 'Imports' }).count(), 0)
    await assertNoViolations(readOnly, 'main')
  })

  test('a file without results is rejected with the reason, and nothing is stored', async () => {
    await drop(page, { 'notes.json': '{"hello": 1}' })
    const imports = page.getByRole('list', { name: 'Imports' })
    await imports.getByText('was not imported').waitFor()
    const text = (await imports.textContent()) ?? ''
    assert.match(
      text,
      /notes\.json.*has an unknown format.*choose the format.*under Options.*Nothing was stored/,
    )
    assert.doesNotMatch(text, /NAME|Similar formats/)
    await page.getByRole('button', { name: 'Dismiss notes.json' }).click()
    await drop(page, { 'bad.jsonl': '{"id":"a","outputs":[{}]}\n{"id":"b","outputs":[],"results":[{}]}\n' })
    await imports.getByText('was not imported').waitFor()
    assert.match((await imports.textContent()) ?? '', /line 1 at \/outputs\/0.*line 2 at \/results\/0/)
    assert.deepEqual(await storedIds(), [])
    await page.getByRole('button', { name: 'Dismiss bad.jsonl' }).click()
  })

  test('an upload can be canceled', async () => {
    await page.route('**/api/imports?*', () => undefined)
    await drop(page, { 'slow.json': '{}' })
    await page.getByRole('progressbar', { name: 'Upload of slow.json' }).waitFor()
    await page.getByRole('button', { name: 'Cancel slow.json' }).click()
    await page.getByText('slow.json: canceled.').waitFor()
    await page.unroute('**/api/imports?*')
  })

  test('a dry run stores nothing; the import after it reports and links to its rows', async () => {
    await page.getByText('Options', { exact: true }).click()
    await page.getByLabel('Dry run').check()
    await page.getByLabel('Files to import').setInputFiles(RESULTS)
    await page.getByText('was checked, nothing was stored').waitFor()
    await page.getByText('3 scenarios to add').waitFor()
    assert.deepEqual(await storedIds(), [])
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('3 scenarios added').waitFor()
    await page.getByText('Greetings: 1 revision added').waitFor()
    // The list of evaluations with a dialog replaces the page without evaluations.
    await page.getByRole('dialog', { name: 'Import results' }).waitFor()
    await assertNoViolations(openedPage, '[aria-label=Imports]')
    // The next step is the primary button.
    const open = page.getByRole('link', { name: 'Open', exact: true })
    assert.match((await open.getAttribute('class')) ?? '', /\bprimary\b/)
    const choose = page.getByRole('button', { name: 'Choose files…' })
    assert.doesNotMatch((await choose.getAttribute('class')) ?? '', /\bprimary\b/)
    await open.click()
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === `/evaluations/${EVALUATION}`)
  })

  test('the empty page of another user updates by itself', () =>
    readOnly.page.getByRole('row', { name: 'Select Greetings' }).waitFor())

  test('dropping the same file again changes nothing, and opens the import dialog with the report', async () => {
    await page.goto(baseUrl)
    await page.getByRole('row', { name: 'Select Greetings' }).waitFor()
    // Files can be dropped as soon as the page knows that the key can write.
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor()
    await drop(page, { 'again.json': readFileSync(RESULTS, 'utf8') })
    const dialog = page.getByRole('dialog', { name: 'Import results' })
    await dialog.getByText('3 scenarios unchanged').waitFor()
    await assertNoViolations(openedPage, 'dialog[open]')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('3 scenarios unchanged').waitFor()
    assert.deepEqual(await storedIds(), [EVALUATION])
    assert.deepEqual(openedPage.faults, [])
  })

  test('reports stored rows that the file no longer has, until all rows are replaced', async () => {
    const row = (id: string) =>
      `{"id":"${id}","evaluation_id":"growing","inputs":[{"name":"q","type":"text","value":"${id}"}]}\n`
    const imports = page.getByRole('list', { name: 'Imports' })
    await page.goto(baseUrl)
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor()
    await drop(page, { 'all.jsonl': row('a') + row('b') + row('c') })
    await imports.getByText('3 scenarios added').waitFor()
    await drop(page, { 'some.jsonl': row('b') })
    await imports
      .getByText(
        /^2 stored scenarios of growing are not in this file: a, c\. To delete them, choose Replace all rows/,
      )
      .waitFor()
    await page.getByText('Options', { exact: true }).click()
    await chooseOption(page, 'If a row has changed', 'Replace all rows')
    await page.getByRole('button', { name: 'Dismiss some.jsonl' }).click()
    await drop(page, { 'some.jsonl': row('b') })
    await imports.getByText('1 scenario unchanged, 2 deleted').waitFor()
    await chooseOption(page, 'If a row has changed', 'Reject the file')
    assert.equal((await assay.getEvaluation('growing')).scenario_count, 1)
  })

  test('after an import of two evaluations, compares them: the older one is the baseline', async () => {
    await page.goto(baseUrl)
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor()
    const row = (evaluation: string) => `{"id":"a","evaluation_id":"${evaluation}","inputs":[]}\n`
    await drop(page, { '1.jsonl': row('first'), '2.jsonl': row('second') })
    const compare = page.getByRole('link', { name: 'Compare 2' })
    assert.match((await compare.getAttribute('class')) ?? '', /\bprimary\b/)
    await assertNoViolations(openedPage, 'dialog[open]')
    await compare.click()
    await page.waitForURL(
      (url) => url.pathname === '/compare' && url.search === '?evaluation=first&evaluation=second',
    )
    assert.deepEqual(openedPage.faults, [])
    await page.goto(baseUrl)
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor()
  })

  test('results and samples of lm-evaluation-harness are imported as one run, with its model and tasks', async () => {
    await drop(page, readFixtures('lm-eval', LM_EVAL_FILES))
    const imports = page.getByRole('list', { name: 'Imports' })
    await imports
      .getByText('results_2026-11-15T12-40-17.831033.json with 3 samples files was imported')
      .waitFor()
    await imports.getByRole('link', { name: 'toy_gsm' }).first().click()
    const heading = page.getByRole('heading', { name: 'toy_gsm', level: 1 })
    await page.locator('header', { has: heading }).getByText('dummy · toy/stub').waitFor()
    const { items } = await assay.listEvaluations({ source: 'eq.lm-evaluation-harness 0.4.13' })
    assert.deepEqual(items.map(({ name }) => name).sort(), ['toy_gsm', 'toy_mc', 'toy_ppl'])
    assert.deepEqual(openedPage.faults, [])
  })
})

function readFixtures(folder: string, names: string[]): Record<string, string> {
  const base = new URL(`../fixtures/import/${folder}/`, import.meta.url)
  return Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, base), 'utf8')]))
}

/** Dispatches the events of dropped files, given by name. */
async function drop(page: Page, files: Record<string, string>): Promise<void> {
  const dataTransfer = await page.evaluateHandle((texts) => {
    const transfer = new DataTransfer()
    for (const [name, text] of Object.entries(texts)) transfer.items.add(new File([text], name))
    return transfer
  }, files)
  await page.dispatchEvent('h1', 'dragover', { dataTransfer })
  await page.dispatchEvent('h1', 'drop', { dataTransfer })
}
