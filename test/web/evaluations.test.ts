// The evaluations page in a browser: scores, filters, sorting, selection, baselines and sample data.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { loadSample } from '../../src/cli/service/sample.ts'
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import { createEvaluation } from '../../src/store/evaluations/evaluations.ts'
import type { Store } from '../../src/store/store.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { assertNoViolations, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const EMPTY_EVALUATION_COUNT = 230

describe('the evaluations page', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  await addEmptyEvaluations(store)
  await assay.addVariant({ id: 'geo' })
  await assay.addVariantRevision('geo', { modified_by: 'ana', config: { config_name: 'geo' } })
  const firstRevision = { variant_id: 'geo', revision: 1 }
  await assay.addEvaluation({ id: 'geo-v3', name: 'Geo three', ...firstRevision })
  await assay.addEvaluation({ id: 'geo-v4', name: 'Geo four', ...firstRevision, baseline_id: 'geo-v3' })
  await assay.appendScenarios('geo-v3', scenarios([true, false, false, null]))
  await assay.appendScenarios('geo-v4', scenarios([true, true, false, null]))
  const openedPage = await openPage({ baseUrl, key })
  const { page } = openedPage
  const row = (name: string) => page.getByRole('row', { name })
  const expectSearch = (search: string) => page.waitForURL((url) => url.search === search, { timeout: 5000 })
  await row('Geo four').waitFor()

  test('a row shows scores with deltas to its baseline, and counts errors separately', async () => {
    const text = (await row('Geo four').textContent()) ?? ''
    assert.match(text, /1 error.*geo r1.*66\.7 %▲33\.3 pp better/)
    const baseline = (await row('Geo three').textContent()) ?? ''
    assert.match(baseline, /★Geo three\(baseline\).*33\.3 %/)
    assert.doesNotMatch(baseline, /▲|▼/)
    await page.getByRole('link', { name: /^Geo four: exact 66\.7 %/ }).waitFor()
  })

  test('the page loads 100 of 232 evaluations at first, and 100 more when the end of the list is near', async () => {
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
    // The focused row stays in the document while scrolling.
    await page.getByRole('grid').hover()
    await page.mouse.wheel(0, -100_000)
    await row('Geo four').waitFor()
    assert.equal(await page.locator(':focus').getAttribute('aria-rowindex'), '233')
  })

  test('the URL contains filters and order, a reload restores them, and Back undoes them', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('Geo')
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.getByRole('button', { name: 'variant' }).click()
    await page.getByRole('button', { name: 'geo', exact: true }).click()
    await expectSearch('?name=contains.Geo&order=name.desc&variant_id=eq.geo')
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
    await expectSearch('?name=contains.Geo')
    await visit(page, '/?evaluator=exact')
    await page.getByText('2 of 232', { exact: true }).waitFor()
  })

  test('an evaluation that is not finished shows its status and progress, and filters by status and tag find it', async () => {
    const menus = () => page.getByRole('search').getByRole('button').allTextContents()
    await visit(page, '/?name=contains.Geo')
    await row('Geo four').waitFor()
    assert.doesNotMatch((await menus()).join(), /status|tag/)
    const running = { status: 'running' as const, expected_count: 1200, tags: ['nightly', 'a, "b"'] }
    await assay.changeEvaluation('geo-v4', running)
    await assay.changeEvaluation('geo-v3', { status: 'failed', tags: ['nightly'] })
    await page.reload()
    await row('Geo four running 4 of 1,200').waitFor()
    await row('Geo three (baseline) failed').waitFor()
    await page.getByRole('button', { name: 'status' }).click()
    await page.getByRole('button', { name: 'failed', exact: true }).click()
    await expectSearch('?name=contains.Geo&status=eq.failed')
    await page.getByText('1 of 1', { exact: true }).waitFor()
    await visit(page, '/')
    await row('Geo four').getByRole('link', { name: 'a, "b"' }).click()
    await page.getByText('1 of 1', { exact: true }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('tags'), 'has.a, "b"')
    await page.getByRole('button', { name: 'a, "b"' }).click()
    await page.getByRole('button', { name: 'Any tag' }).click()
    await page.getByText('100 of more than 100').waitFor()
    await assertNoViolations(openedPage)
    await visit(page, '/evaluations/geo-v4')
    await page.getByText('running 4 of 1,200').waitFor()
    await page.getByText('nightly, a, "b"').waitFor()
    await assay.changeEvaluation('geo-v4', { status: null, expected_count: null, tags: null })
    await assay.changeEvaluation('geo-v3', { status: null, tags: null })
  })

  test('a baseline can be set with the keyboard, and the export contains the selected evaluations', async () => {
    await visit(page, '/?name=contains.Geo')
    await row('Geo four').waitFor()
    for (const shortcut of ['j', 'x', 'j', 'x', 'b']) await page.keyboard.press(shortcut)
    await page.getByText('Select the new baseline:').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Geo four is now the baseline of 1 evaluation.').waitFor()
    assert.equal((await assay.getEvaluation('geo-v3')).baseline_id, 'geo-v4')
    await row('Geo three').getByText('worse').first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Export selected' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON, 2 evaluations' }).click(),
    ])
    const exportedRows = JSON.parse(readFileSync(await download.path(), 'utf8'))
    assert.deepEqual(
      exportedRows.map((row: Record<string, unknown>) => [row.id, row.rows, row['result.exact'], row.errors]),
      [
        ['geo-v4', 4, 0.666666666667, 1],
        ['geo-v3', 4, 0.333333333333, 1],
      ],
    )
    assert.deepEqual(openedPage.faults, [])
  })

  test('a read-only key can select and open evaluations, but cannot set a baseline', async () => {
    const { key: readKey } = await createTestKey(store)
    const readOnlyPage = await openPage({ baseUrl, key: readKey, theme: 'dark', path: '/?name=contains.Geo' })
    await readOnlyPage.page.getByRole('row', { name: 'Geo four' }).waitFor()
    await readOnlyPage.page.keyboard.press('j')
    await readOnlyPage.page.keyboard.press('x')
    await readOnlyPage.page.getByText('1 selected').waitFor()
    assert.equal(await readOnlyPage.page.getByRole('button', { name: 'Set baseline' }).count(), 0)
    await assertNoViolations(readOnlyPage)
    await readOnlyPage.page.keyboard.press('Enter')
    await readOnlyPage.page.waitForURL(`${baseUrl}/evaluations/geo-v4`)
  })
})

describe('removal of the sample data', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  await loadSample(store)
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })

  test('deletes the sample evaluations and variants, but not a variant that another evaluation uses', async () => {
    await assay.addEvaluation({ id: 'own', name: 'My own', variant_id: 'ticket-triage', revision: 4 })
    const { page, faults } = await openPage({ baseUrl, key })
    await page.getByRole('button', { name: 'Remove sample data' }).click()
    await page.getByText('This deletes 6 evaluations and 2 variants').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('1 of 1').waitFor()
    await page.getByRole('row', { name: 'My own' }).waitFor()
    assert.equal(await page.getByText('Sample data is loaded').count(), 0)
    const { items } = await assay.listVariants()
    assert.deepEqual(
      items.map(({ id }) => id),
      ['ticket-triage'],
    )
    assert.deepEqual(faults, [])
  })
})

/** Adds evaluations without rows that are older than the others. */
function addEmptyEvaluations(store: Store): Promise<void> {
  return store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    for (let number = 1; number <= EMPTY_EVALUATION_COUNT; number++) {
      const created_at = new Date(Date.UTC(2025, 0, 1) + number * 60_000).toISOString()
      await createEvaluation(
        transaction,
        project,
        parsedValue({ id: `run-${number}`, name: `run ${number}.`, created_at }),
      )
    }
  })
}

/** One scenario per verdict; null is a failed output. */
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
