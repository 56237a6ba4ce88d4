// The list of evaluations as people use it: how each did, filters, sorting, selecting, baselines, and the sample.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { written } from '../../src/schema/written.ts'
import { addEvaluation } from '../../src/store/evaluations.ts'
import { ensureProject } from '../../src/store/projects.ts'
import type { Store } from '../../src/store/store.ts'
import { freshStore, mint } from '../harness.ts'
import { assertSound, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const RUNS = 230

describe('the list of evaluations', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  const { base } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${base}/api`, key })
  await addRuns(store)
  await assay.addVariant({ id: 'geo' })
  await assay.addVariantRevision('geo', { modified_by: 'ana', config: { config_name: 'geo' } })
  const ran = { variant_id: 'geo', revision: 1 }
  await assay.addEvaluation({ id: 'geo-v3', name: 'Geo three', ...ran })
  await assay.addEvaluation({ id: 'geo-v4', name: 'Geo four', ...ran, baseline_id: 'geo-v3' })
  await assay.appendScenarios('geo-v3', scenarios([true, false, false, null]))
  await assay.appendScenarios('geo-v4', scenarios([true, true, false, null]))
  const opened = await openPage({ base, key })
  const { page } = opened
  const row = (name: string) => page.getByRole('row', { name })
  const address = (search: string) => page.waitForURL((url) => url.search === search, { timeout: 5000 })
  await row('Geo four').waitFor()

  test('each says how it did and how far that is from its baseline; labels and errors are apart', async () => {
    const text = (await row('Geo four').textContent()) ?? ''
    assert.match(text, /1 error.*geo r1.*66\.7 %▲33\.3 pp better/)
    const baseline = (await row('Geo three').textContent()) ?? ''
    assert.match(baseline, /★Geo three\(baseline\).*33\.3 %/)
    assert.doesNotMatch(baseline, /▲|▼/)
    await page.getByRole('link', { name: /^Geo four: exact 66\.7 %/ }).waitFor()
  })

  test('of 232 evaluations 100 are there, and the others come when the end is near', async () => {
    await page.getByText('100 of more than 100').waitFor()
    assert.ok((await page.getByRole('row').count()) < 60)
    await row('Geo four').focus()
    for (const count of ['200 of more than 200', '232 of 232']) {
      await page.keyboard.press('End')
      await page.getByText(count).waitFor()
    }
    await page.keyboard.press('End')
    await row('run 1.').waitFor()
    assert.equal(await row('run 1.').getAttribute('aria-rowindex'), '233')
    assert.ok((await page.locator('*').count()) < 1500)
    // The row with the focus stays, wherever one scrolls.
    await page.getByRole('grid').hover()
    await page.mouse.wheel(0, -100_000)
    await row('Geo four').waitFor()
    assert.equal(await page.locator(':focus').getAttribute('aria-rowindex'), '233')
  })

  test('filters and order are in the address; a reload keeps them, and Back undoes them', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('Geo')
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.getByRole('button', { name: 'variant' }).click()
    await page.getByRole('button', { name: 'geo', exact: true }).click()
    await address('?name=contains.Geo&order=name.desc&variant_id=eq.geo')
    await page.reload()
    await page.getByText('2 of 2, sorted by Name').waitFor()
    const names = await page.getByRole('rowheader').allTextContents()
    assert.match(names.join(), /Geo three.*,Geo four/)
    assert.equal(
      await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'),
      'descending',
    )
    await page.goBack()
    await page.goBack()
    await address('?name=contains.Geo')
    await visit(page, '/?evaluator=exact')
    await page.getByText('2 of 232', { exact: true }).waitFor()
  })

  test('a baseline is set by keyboard alone, and the export has what is selected', async () => {
    await visit(page, '/?name=contains.Geo')
    await row('Geo four').waitFor()
    for (const pressed of ['j', 'x', 'j', 'x', 'b']) await page.keyboard.press(pressed)
    await page.getByText('Compare the other with').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Geo four is the baseline of 1 evaluation now.').waitFor()
    assert.equal((await assay.getEvaluation('geo-v3')).baseline_id, 'geo-v4')
    await row('Geo three').getByText('worse').first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Export selected' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON, 2 evaluations' }).click(),
    ])
    const saved = JSON.parse(readFileSync(await download.path(), 'utf8'))
    assert.deepEqual(
      saved.map((one: Record<string, unknown>) => [one.id, one.rows, one['result.exact'], one.errors]),
      [
        ['geo-v4', 4, 2 / 3, 1],
        ['geo-v3', 4, 1 / 3, 1],
      ],
    )
    assert.deepEqual(opened.faults, [])
  })

  test('Enter opens the row, and a key that may only read is offered no baseline', async () => {
    const { key: readKey } = await mint(store)
    const reading = await openPage({ base, key: readKey, theme: 'dark', path: '/?name=contains.Geo' })
    await reading.page.getByRole('row', { name: 'Geo four' }).waitFor()
    await reading.page.keyboard.press('j')
    await reading.page.keyboard.press('x')
    await reading.page.getByText('1 selected').waitFor()
    assert.equal(await reading.page.getByRole('button', { name: 'Set baseline' }).count(), 0)
    await assertSound(reading)
    await reading.page.keyboard.press('Enter')
    await reading.page.waitForURL(`${base}/evaluations/geo-v4`)
  })
})

describe('the sample', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  await loadSample(store)
  const { base } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${base}/api`, key })

  test('goes when it is told to, and what was added stays', async () => {
    await assay.addEvaluation({ id: 'own', name: 'My own', variant_id: 'ticket-triage', revision: 4 })
    const { page, faults } = await openPage({ base, key })
    await page.getByRole('button', { name: 'Remove the sample' }).click()
    await page.getByText('6 evaluations and 2 variants are deleted').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('1 of 1').waitFor()
    await page.getByRole('row', { name: 'My own' }).waitFor()
    assert.equal(await page.getByText('The sample is loaded').count(), 0)
    const { items } = await assay.listVariants()
    assert.deepEqual(
      items.map(({ id }) => id),
      ['ticket-triage'],
    )
    assert.deepEqual(faults, [])
  })
})

/** Evaluations of an earlier year, without rows. */
function addRuns(store: Store): Promise<void> {
  return store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    for (let run = 1; run <= RUNS; run++) {
      const created_at = new Date(Date.UTC(2025, 0, 1) + run * 60_000).toISOString()
      await addEvaluation(
        transaction,
        project,
        written({ id: `run-${run}`, name: `run ${run}.`, created_at }),
      )
    }
  })
}

/** One for each verdict; of null the application failed. */
function scenarios(verdicts: (boolean | null)[]): ScenarioWrite[] {
  return verdicts.map((value, index) => ({
    id: `s${index}`,
    outputs: [
      {
        result:
          value === null ? { type: 'error', error: { message: 'Timeout' } } : { type: 'text', value: 'x' },
        latency: 1,
      },
    ],
    results: [
      { evaluator_config: 'exact', result: { type: 'bool', value } },
      { evaluator_config: 'label', result: { type: 'text', value: 'kind' } },
    ],
  }))
}
