// The evaluations page in a browser: cards, scores, filters, sorting, selection and baselines.
import assert from 'node:assert/strict'
import { text as readText } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import { createEvaluation } from '../../src/store/evaluations/evaluations.ts'
import type { Store } from '../../src/store/store.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, chooseOption, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

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
  await assay.appendScenarios('geo-v3', scenarios([true, false, false, null, true, false, false, null]))
  await assay.appendScenarios('geo-v4', scenarios([true, true, false, null, true, true, false, null]))
  const openedPage = await openPage({ baseUrl, key })
  const { page } = openedPage
  const row = (name: string) => page.getByRole('row', { name })
  const expectSearch = (search: string) => page.waitForURL((url) => url.search === search)
  await row('Geo four').waitFor()

  test('a row shows values and paired changes in two slots, and counts errors separately', async () => {
    const text = (await row('Geo four').textContent()) ?? ''
    assert.match(text, /Geo four2 errors.*r1866\.7\+33\.3tied/)
    const baseline = (await row('Geo three').textContent()) ?? ''
    assert.match(baseline, /Geo threebaseline.*33\.3/)
    assert.doesNotMatch(baseline, /tied|better|worse/)
  })

  test('a variant is in a list with its verdict and its values, and each other evaluation is alone', async () => {
    const geo = page.getByRole('region', { name: 'Better or tied' }).getByRole('listitem', { name: 'geo' })
    assert.match((await geo.textContent()) ?? '', /geo Geo fourtied with Geo threeexact %66\.7\+33\.3tied/)
    const points = geo.getByRole('group', { name: 'exact of each evaluation' }).getByRole('link')
    assert.deepEqual(
      await points.evaluateAll((links) => links.map((link) => link.getAttribute('aria-label'))),
      [`exact: r1, ${today()}: 33.3 %`, `exact: r1, ${today()}: 66.7 %, +33.3 against Geo three, tied`],
    )
    await points.last().focus()
    await page.getByRole('tooltip').getByText('66.7 %, +33.3 against Geo three').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('tooltip').getByText('33.3 %').waitFor()
    // No values are mixed, and an evaluation without scores shows its rows.
    const single = page.getByRole('region', { name: 'One evaluation' })
    await single.getByRole('button', { name: 'Show 90 more' }).waitFor()
    assert.match((await single.getByRole('listitem').first().textContent()) ?? '', /^run 230\.0 rows$/)
    await geo.getByRole('link', { name: 'tied', exact: true }).click()
    await page.waitForURL((url) => url.search === '?evaluation=geo-v3&evaluation=geo-v4&on=exact')
    await visit(page, '/')
  })

  test('each section has the columns of its own evaluators', async () => {
    const columnsOf = (title: string) =>
      page.getByRole('grid', { name: title }).getByRole('columnheader').allTextContents()
    assert.deepEqual(await columnsOf('geo'), [
      '',
      'geonewest 2 evaluationsLeaderboard',
      'Revision',
      'Rows',
      'exact %',
      'latency p50, s',
      'Created',
    ])
    assert.deepEqual(await columnsOf('No source'), ['', 'No sourcenewest 98 evaluations', 'Rows', 'Created'])
  })

  test('column titles end where their values end, before the change', async () => {
    const grid = page.getByRole('grid', { name: 'geo' })
    await grid.getByText('+33.3').waitFor()
    const ends = await grid.evaluate((element) => {
      const [header, row] = element.querySelectorAll('tr')
      const cells = [...(row?.querySelectorAll('td') ?? [])].slice(2, 5)
      const titles = [...(header?.querySelectorAll('th button > span') ?? [])].slice(-4, -1)
      return titles.map((title, index) => {
        const value = document.createRange()
        const text = cells[index]?.firstChild
        if (text) value.selectNode(text)
        return [title.getBoundingClientRect().right, value.getBoundingClientRect().right].map(Math.round)
      })
    })
    assert.equal(ends.length, 3)
    for (const [title, value] of ends) assert.equal(title, value)
  })

  test('the page loads 100 of 232 evaluations at first, and 100 more when the end of the list is near', async () => {
    await page.getByText('more than 100 evaluations').waitFor()
    assert.ok((await page.getByRole('row').count()) < 60)
    await row('Geo four').focus()
    for (const count of ['more than 200', '232']) {
      await page.keyboard.press('End')
      await page.getByRole('status').getByText(count, { exact: true }).waitFor()
    }
    await page.keyboard.press('End')
    await row('run 1.').waitFor()
    assert.equal(await row('run 1.').getAttribute('aria-rowindex'), '231')
    await page.getByText('1 variant, 232 evaluations').waitFor()
    assert.ok((await page.locator('*').count()) < 1500)
    // The focused row stays in the document while scrolling.
    await page.mouse.wheel(0, -100_000)
    await row('Geo four').waitFor()
    assert.equal(await page.locator(':focus').getAttribute('aria-rowindex'), '231')
  })

  test('the URL contains filters and order, a reload restores them, and Back undoes them', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('Geo')
    await page.getByRole('status').getByText('2 match', { exact: true }).waitFor()
    await page.getByRole('button', { name: '2 evaluations', exact: true }).click()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await chooseOption(page, 'variant', 'geo')
    await expectSearch('?name=contains.Geo&order=name.desc&variant_id=eq.geo')
    await page.reload()
    await page.getByText('2 match, sorted by name').waitFor()
    const names = await page.getByRole('rowheader').allTextContents()
    assert.match(names.join(), /Geo three.*,Geo four/)
    assert.equal(
      await page.getByRole('columnheader', { name: 'geo 2 evaluations' }).getAttribute('aria-sort'),
      'descending',
    )
    await page.goBack()
    await page.goBack()
    await expectSearch('?name=contains.Geo')
    await visit(page, '/?evaluator=exact')
    await row('Geo four').waitFor()
    await page.getByRole('button', { name: 'Remove filter: evaluator exact' }).click()
    await expectSearch('')
  })

  test('a running evaluation is on top with its progress, and filters by status and tag find it', async () => {
    const openFilters = () => page.getByRole('button', { name: 'Filter', exact: true }).click()
    await visit(page, '/?name=contains.Geo')
    await row('Geo four').waitFor()
    await openFilters()
    await page.getByRole('button', { name: 'evaluator: ' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'status: ' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'tag: ' }).count(), 0)
    const running = { status: 'running' as const, expected_count: 1200, tags: ['nightly', 'a, "b"'] }
    await assay.changeEvaluation('geo-v4', running)
    await assay.changeEvaluation('geo-v3', { status: 'failed', tags: ['nightly'] })
    await page.reload()
    await row('Geo four running 8 of 1,200').waitFor()
    await row('Geo three failed baseline').waitFor()
    const progress = page.getByRole('region', { name: 'Running evaluations' })
    assert.match((await progress.textContent()) ?? '', /Geo four8 of 1,200 rows.*exact 66\.7 % so far/)
    await progress.getByRole('progressbar', { name: 'Progress of Geo four' }).waitFor()
    await openFilters()
    await chooseOption(page, 'status', 'failed')
    await expectSearch('?name=contains.Geo&status=eq.failed')
    await page.getByRole('status').getByText('1 match', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await visit(page, '/')
    await row('Geo four').getByRole('link', { name: 'a, "b"' }).click()
    await page.getByRole('status').getByText('1 match', { exact: true }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('tags'), 'has.a, "b"')
    await assertNoViolations(openedPage, '[aria-label="Running evaluations"], [role=row]')
    await page.getByRole('button', { name: 'Remove filter: tag a, "b"' }).click()
    await page.getByText('more than 100 evaluations').waitFor()
    await visit(page, '/evaluations/geo-v4')
    await page.getByText('8 of 1,200 rows').waitFor()
    await assay.changeEvaluation('geo-v4', { status: null, expected_count: null, tags: null })
    await assay.changeEvaluation('geo-v3', { status: null, tags: null })
  })

  test('a baseline can be set with the keyboard, and the export contains the selected evaluations', async () => {
    await visit(page, '/?name=contains.Geo')
    // Sets the active row. A key that is pressed right after the page appears could be lost.
    await row('Geo four').focus()
    for (const shortcut of ['x', 'j', 'x']) await page.keyboard.press(shortcut)
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('b')
    await page.getByText('Select the new baseline:').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Geo four is now the baseline of 1 evaluation.').waitFor()
    assert.equal((await assay.getEvaluation('geo-v3')).baseline_id, 'geo-v4')
    await row('Geo three').getByText('tied').first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Export selected' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON, 2 evaluations' }).click(),
    ])
    const exportedRows = JSON.parse(await readText(await download.createReadStream()))
    assert.deepEqual(
      exportedRows.map((row: Record<string, unknown>) => [row.id, row.rows, row['result.exact'], row.errors]),
      [
        ['geo-v4', 8, 0.666666666667, 2],
        ['geo-v3', 8, 0.333333333333, 2],
      ],
    )
    assert.deepEqual(openedPage.faults, [])
  })

  test('a read-only key can select and open evaluations, but cannot set a baseline', {
    skip: fullOnly('opens another page; restricted-keys.test.ts checks the API'),
  }, async () => {
    const { key: readKey } = await createTestKey(store)
    const readOnlyPage = await openPage({ baseUrl, key: readKey, theme: 'dark', path: '/?name=contains.Geo' })
    await readOnlyPage.page.getByRole('row', { name: 'Geo four' }).waitFor()
    await readOnlyPage.page.keyboard.press('j')
    await readOnlyPage.page.keyboard.press('x')
    await readOnlyPage.page.getByText('1 selected').waitFor()
    assert.equal(await readOnlyPage.page.getByRole('button', { name: 'Set baseline' }).count(), 0)
    await assertNoViolations(readOnlyPage, '[aria-label=Selection]')
    await readOnlyPage.page.keyboard.press('Enter')
    await readOnlyPage.page.waitForURL(`${baseUrl}/evaluations/geo-v4`)
  })
})

/** As in tooltips: "6 Oct". */
function today(): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }).format(new Date())
}

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
