// The table of the comparison page in Chromium: counts, filters, order and export agree with the API.
import assert from 'node:assert/strict'
import { text as readText } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { addCapitalsEvaluations } from '../../bench/capitals-data.ts'
import { Assay, type ComparisonRows, type ScenarioWrite } from '../../client/client.ts'
import { formatCount } from '../../web/src/format/numbers.ts'
import { defaultOrder, orderChoices } from '../../web/src/pages/comparison/table/sort-order.ts'
import { currentOrder, nextOrder } from '../../web/src/table/columns/sort-order.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, chooseOption, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

/** Several windows of rows. */
const ROWS = 2000
/** The last rows, which only geo-v4 has. */
const CANDIDATE_ONLY_ROWS = 10
const PATH = '/compare?evaluation=geo-v3&evaluation=geo-v4'
const LONG = 'many words '.repeat(12_000)
const HOSTILE = '<img src=x onerror=alert(1)>'
const CLASSES = ['Regressed', 'Improved', 'Same', 'Incomparable', 'Missing', 'All']

/** Scenarios that all pass. `twin` has the same outputs as `geo-v5`, except one. */
function scenario(index: number, id: string): ScenarioWrite {
  const output = index === 0 ? LONG : index === 1 ? HOSTILE : '=1+1, "quoted"'
  return {
    id: `q-${index}`,
    inputs: [{ name: 'country', type: 'text', value: `${HOSTILE} ${index}` }],
    outputs: [{ result: { type: 'text', value: index === 2 && id === 'twin' ? 'reworded' : output } }],
    results: [{ evaluator_config: 'exact_match', result: { type: 'bool', value: true } }],
  }
}

const skip = WITHOUT_BROWSER || fullOnly('tries every filter, class and order in a browser')

describe('the table of the comparison page', { skip }, async () => {
  if (skip) return
  const store = await createTestStore()
  await addCapitalsEvaluations(store, ROWS, { baselineCount: ROWS - CANDIDATE_ONLY_ROWS })
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key: () => key })
  for (const id of ['geo-v5', 'twin']) {
    await assay.addEvaluation({ id, name: id })
    await assay.appendScenarios(
      id,
      Array.from({ length: 5 }, (_, index) => scenario(index, id)),
    )
  }
  const tab = await openPage({ baseUrl, key, path: PATH })
  const { page } = tab
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const chip = (name: string) =>
    page.getByRole('group', { name: 'Classes' }).getByRole('button', { name: new RegExp(`^${name}\\b`) })
  /** The loaded row at a position of the view, from 1. */
  const rowAt = (position: number) =>
    page.locator(`[role=row][aria-rowindex="${position + 1}"][aria-busy=false]`)
  const focusedRow = () =>
    page.evaluate(() => Number(document.activeElement?.closest('[role=row]')?.ariaRowIndex) - 1)
  const tabStops = () =>
    page
      .getByRole('grid')
      .locator('button, a, input, [tabindex]')
      .evaluateAll((elements) => elements.filter((element) => (element as HTMLElement).tabIndex >= 0).length)

  /** Column headers whose name starts with `name`. */
  const columns = (name = '') =>
    page.getByRole('grid').getByRole('columnheader', { name: new RegExp(`^${name}`) })

  /** The API's response for the current URL. */
  function apiRows(): Promise<ComparisonRows> {
    const { searchParams } = new URL(page.url())
    const query = Object.fromEntries(searchParams)
    for (const name of ['row', 'side', 'density', 'cols']) delete query[name]
    return assay.listComparisonRows({
      show: 'regressed',
      ...query,
      evaluation: searchParams.getAll('evaluation'),
      limit: 1000,
    })
  }

  /** Opens the view and waits until the table shows as many rows as the API returns. */
  async function show(query: string): Promise<ComparisonRows> {
    await visit(page, PATH + query)
    return rowsLoaded()
  }
  async function rowsLoaded(): Promise<ComparisonRows> {
    const response = await apiRows()
    await page
      .locator('[role=status]')
      .getByText(new RegExp(`^${formatCount(response.total)} rows?(,|$)`))
      .waitFor()
    return response
  }

  test('starts with regressions, and shows as many rows as each class chip counts', {
    skip: fullOnly('clicks every class of two evaluators'),
  }, async () => {
    await page.getByText('sorted by change, largest first').waitFor()
    for (const evaluator of ['exact_match', 'similarity']) {
      await chooseOption(page, 'Evaluator of the classes', evaluator)
      await page.waitForURL((url) => url.searchParams.get('on') === evaluator)
      const { classes } = await rowsLoaded()
      const totalRows = Object.values(classes).reduce((sum, rows) => sum + rows, 0)
      assert.equal(totalRows, ROWS)
      for (const name of CLASSES) {
        const show = name.toLowerCase() as keyof typeof classes | 'all'
        const rows: number = show === 'all' ? totalRows : classes[show]
        await chip(`${name} ${formatCount(rows)}`).click()
        await page.waitForURL((url) => (url.searchParams.get('show') ?? 'regressed') === show)
        assert.equal((await rowsLoaded()).total, rows, `${evaluator} ${name}`)
        assert.equal(await chip(name).getAttribute('aria-pressed'), 'true')
        await page.getByText(new RegExp(`^Rows 1–\\d+ of ${formatCount(rows)} `)).waitFor()
      }
    }
  })

  test('shows the change of a row as symbols and as text for screen readers', async () => {
    await show('&on=exact_match')
    await page.getByText(/^Rows 1–\d+ of \d+ regressed on exact_match \(r2 vs r1\)$/).waitFor()
    const cell = rowAt(1).getByRole('gridcell').nth(1)
    assert.match((await cell.innerText()).replaceAll('\n', ''), /^pass ?fail/)
    assert.equal(await cell.locator('svg').count(), 3)
    await page
      .getByRole('gridcell', { name: /^pass to fail worse$/ })
      .first()
      .waitFor()
    const { rows } = await show('&on=similarity')
    const result = (row: ComparisonRows['rows'][number]['base']) =>
      Number(row?.results.find((item) => item.evaluator_config === 'similarity')?.result.value)
    const [first] = rows
    const [baselineResult, candidateResult] = [
      result(first?.base ?? null),
      result(first?.candidates[0]?.row ?? null),
    ]
    // The column has as many decimals as its scores need.
    const [score, change] = [candidateResult, baselineResult - candidateResult].map((value) =>
      value.toFixed(2),
    )
    await rowAt(1)
      .getByRole('gridcell', { name: `${score} −${change} worse` })
      .waitFor()
    await show('&show=incomparable')
    await page
      .getByRole('gridcell', { name: /not scored to .*, cannot be compared$/ })
      .first()
      .waitFor()
  })

  test('names the evaluation of rows that only one side has, and opens them', async () => {
    const { rows } = await show('&show=missing')
    assert.equal(rows.length, CANDIDATE_ONLY_ROWS)
    await rowAt(1).getByRole('gridcell', { name: 'only in r2' }).first().waitFor()
    await rowAt(1).getByRole('gridcell', { name: 'not in r1' }).click()
    await page.waitForURL(/row=q-1990&side=candidate/)
    await page.locator('[role=row][aria-selected=true]').waitFor()
    await page.goBack()
    await page.waitForURL(/show=missing$/)
  })

  test('navigates and opens rows with the keyboard, restores them after a reload, and closes them with Back', async () => {
    const { total: totalRows } = await show('&show=all')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    assert.equal(await focusedRow(), 2)
    await page.keyboard.press('Control+End')
    await rowAt(totalRows).waitFor()
    assert.equal(await focusedRow(), totalRows)
    await page.keyboard.press('k')
    assert.equal(await focusedRow(), totalRows - 1)
    assert.equal(await tabStops(), 1)
    await page.keyboard.press('Enter')
    await page.waitForURL(/row=q-1998&side=candidate/)
    await page.reload()
    await page.locator(`[role=row][aria-selected=true][aria-rowindex="${totalRows}"]`).waitFor()
    await page.goBack()
    await page.locator('[role=row][aria-selected=true]').waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await rowAt(1).waitFor()
    assert.equal(await focusedRow(), 1)
    await page.keyboard.press('d')
    await page.waitForFunction(() => document.querySelector('[data-index]')?.clientHeight === 27)
    for (let step = 1; step <= 3; step++) await page.keyboard.press('d')
  })

  test('goes to the next and previous regression with n and N, also outside the loaded rows', async () => {
    const { rows } = await show('&show=all')
    const positions = rows.flatMap(({ candidates }, index) =>
      candidates[0]?.class === 'regressed' ? [index + 1] : [],
    )
    await page.keyboard.press('Home')
    const visited: number[] = []
    for (const key of ['n', 'n', 'n', 'N']) {
      const baselineResult = await focusedRow()
      await page.keyboard.press(key)
      await page.waitForFunction(
        (oldPosition) =>
          document.activeElement?.closest('[role=row]')?.ariaRowIndex !== String(oldPosition + 1),
        baselineResult,
      )
      visited.push(await focusedRow())
    }
    const [first, second, third] = positions
    assert.deepEqual(visited, [first, second, third, second])
    // Improvements come first: regressions are several windows away.
    await show('&show=all&order=delta.exact_match.desc')
    await page.keyboard.press('Home')
    await page.keyboard.press('n')
    await page.waitForFunction(
      () => Number(document.activeElement?.closest('[role=row]')?.ariaRowIndex) > 1000,
    )
    await page
      .getByRole('gridcell', { name: /^pass to fail worse$/ })
      .first()
      .waitFor()
    await page.keyboard.press('N')
    await page.getByText('No regression before this row in this view.').waitFor()
  })

  test('sorts by change with the column header, and by other orders with the menu', async () => {
    await show('')
    const header = columns('exact_match')
    assert.equal(await header.getAttribute('aria-sort'), 'ascending')
    for (const [order, sort] of [
      ['delta.exact_match.desc', 'descending'],
      ['position', 'none'],
      [null, 'ascending'],
    ] as const) {
      await header.getByRole('button').click()
      await page.waitForURL((url) => url.searchParams.get('order') === order)
      await page.locator('[role=grid][aria-busy=false]').waitFor()
      assert.equal(await header.getAttribute('aria-sort'), sort)
    }
    await chooseOption(page, 'Sort rows', 'Slowest in r2 first')
    await page.waitForURL(/order=latency.desc/)
    await page.getByText('sorted by latency, highest first').waitFor()
    const { rows } = await rowsLoaded()
    const position = await rowAt(1).getByRole('gridcell').first().textContent()
    assert.equal(position, String((rows[0]?.base?.position ?? 0) + 1))
  })

  test('counts filtered rows in the chips, and adds, undoes and removes filters', async () => {
    const unfilteredClasses = (await show('')).classes
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await chooseOption(page, 'Field', 'country')
    await page.getByLabel('Value').fill('Chad')
    await page.keyboard.press('Enter')
    await page.waitForURL(/input.country=eq.Chad/)
    const { classes } = await rowsLoaded()
    assert.ok(classes.same > 0 && classes.same < unfilteredClasses.same)
    await chip(`Same ${formatCount(classes.same)}`).waitFor()
    await page.goBack()
    await chip(`Same ${formatCount(unfilteredClasses.same)}`).waitFor()
    await page.goForward()
    await button('Remove filter: country = Chad').click()
    await chip(`Same ${formatCount(unfilteredClasses.same)}`).waitFor()
    // The search box is focused after a filter is removed.
    await page.keyboard.type('canberra')
    await page.waitForURL(/q=canberra/)
    await chip(`Regressed ${formatCount((await rowsLoaded()).classes.regressed)}`).waitFor()
    await page.keyboard.press('Escape')
    await chip(`Same ${formatCount(unfilteredClasses.same)}`).waitFor()
    await show('')
    await page.keyboard.press('/')
    await page.keyboard.type('ottawa')
    await page.waitForURL(/q=ottawa/)
  })

  test('# goes to a row by its number in the baseline, and says if the view does not contain it', async () => {
    const { rows } = await show('&show=all')
    const jumpTo = async (number: number) => {
      await page.keyboard.press('#')
      await page.getByRole('spinbutton', { name: 'Row number' }).waitFor()
      await page.keyboard.type(String(number))
      await page.keyboard.press('Enter')
    }
    const index = rows.findIndex(({ base }) => base?.position === 96)
    assert.ok(index >= 0)
    await jumpTo(97)
    await page.waitForFunction(() => document.activeElement?.textContent === '97')
    assert.equal(await focusedRow(), index + 1)
    const { rows: same } = await show('&show=same')
    const regressed = await assay.listComparisonRows({ evaluation: ['geo-v3', 'geo-v4'], show: 'regressed' })
    const other = (regressed.rows[0]?.base?.position ?? 0) + 1
    assert.ok(!same.some(({ base }) => base?.position === other - 1))
    await jumpTo(other)
    await page.getByText(`Row ${other} does not match the filters.`).waitFor()
    await page.keyboard.press('Escape')
  })

  test('offers to remove filters when no row matches', async () => {
    await show('&latency=gt.99&input.country=eq.Chad')
    await page.getByRole('heading', { name: 'No rows match' }).waitFor()
    const { total: totalRows } = await assay.listComparisonRows({
      evaluation: ['geo-v3', 'geo-v4'],
      show: 'regressed',
      'input.country': 'eq.Chad',
    })
    await button(`Without latency > 99 s: ${totalRows} rows`).click()
    await chip(`Regressed ${totalRows}`).waitFor()
  })

  test('shows a message when no row changed, with the changed outputs and the classes that have rows', async () => {
    await visit(page, '/compare?evaluation=geo-v5&evaluation=twin')
    await page.getByRole('heading', { name: 'No matched row changed on exact_match' }).waitFor()
    await page.getByText('4 identical outputs, 1 changed.').waitFor()
    await assertNoViolations(tab)
    await page
      .getByRole('button', { name: /^Same 5/ })
      .last()
      .click()
    await page.waitForURL(/show=same/)
    await rowAt(2)
      .getByRole('gridcell', { name: `same: ${HOSTILE}` })
      .waitFor()
    await rowAt(3).getByRole('gridcell', { name: 'reworded', exact: true }).waitFor()
  })

  test('shows the classes of the first candidate, and of another one when selected', async () => {
    await visit(page, `${PATH}&evaluation=geo-v5&show=missing&on=exact_match`)
    await rowsLoaded()
    await button('Candidate of the classes: geo-v4').waitFor()
    assert.equal(await columns().count(), 10)
    await chooseOption(page, 'Candidate of the classes', 'geo-v5')
    await page.waitForURL(/geo-v3&evaluation=geo-v5&evaluation=geo-v4/)
    await page.getByText(/of 1,985 missing \(geo-v5 vs geo-v3\)$/).waitFor()
    await rowAt(1).getByRole('gridcell', { name: 'not in geo-v5', exact: true }).first().waitFor()
  })

  test('remembers hidden columns, and uses the columns of the URL if it has any', async () => {
    await show('')
    await button('Display').click()
    await page.getByRole('checkbox', { name: 'expected' }).uncheck()
    await page.keyboard.press('Escape')
    await page.reload()
    await rowAt(1).waitFor()
    assert.equal(await columns('expected').count(), 0)
    await show('&cols=output.1,input.country')
    await columns('number').waitFor({ state: 'detached' })
    assert.equal(await columns().count(), 3)
  })

  test('exports exactly the rows of the view, with full texts', async () => {
    const saveFile = async (format: string, rows: string) => {
      await button('Share').click()
      await page.getByText(`Export ${rows}, full texts`).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: format, exact: true }).click()
      const file = await download
      const name = file.suggestedFilename()
      await page.getByText(`Saved ${rows} to ${name}.`).waitFor()
      return { name, text: await readText(await file.createReadStream()) }
    }
    const { rows, total: totalRows } = await show('&input.country=eq.Chad&order=position')
    const { name, text } = await saveFile('JSON', `${totalRows} rows`)
    assert.equal(name, 'comparison-geo-v3-geo-v4-regressed.json')
    const uncut = rows.map(({ base: baseline, candidates: [candidate] }) => ({
      base: { ...baseline, cut: undefined },
      candidates: [{ ...candidate, row: { ...candidate?.row, cut: undefined } }],
    }))
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(uncut)))

    await visit(page, '/compare?evaluation=geo-v5&evaluation=twin&show=all')
    await rowAt(5).waitFor()
    const lines = (await saveFile('NDJSON', '5 rows')).text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(lines.length, 5)
    assert.equal(lines[0].base.outputs[0].result.value, LONG)
    assert.equal(lines[0].candidates[0].row.outputs[0].result.value, LONG)
    const table = (await saveFile('CSV', '5 rows')).text.split('\r\n')
    assert.equal(
      table[0],
      'input.country,expected,geo-v5.id,geo-v5.output,geo-v5.result.exact_match,geo-v5.latency,geo-v5.cost,twin.id,twin.class,twin.delta,twin.output_changed,twin.output,twin.result.exact_match,twin.latency,twin.cost',
    )
    assert.equal(table[3], `${HOSTILE} 2,,q-2,"=1+1, ""quoted""",true,,,q-2,same,0,true,reworded,true,,`)
    await button('Share').click()
    await page.getByLabel('Excel-safe CSV').check()
    await page.keyboard.press('Escape')
    const safeTable = (await saveFile('CSV', '5 rows')).text.split('\r\n')
    assert.deepEqual(
      safeTable,
      table.map((line) => line.replaceAll('"=1', `"'=1`)),
    )
  })

  test('is accessible and reports no errors in both themes', async () => {
    await visit(page, `${PATH}&evaluation=geo-v5`)
    await rowAt(1).waitFor()
    await assertNoViolations(tab)
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertNoViolations(tab)
  })
})

test('sorts the largest increase first among regressions when lower is better', () => {
  const sortState = {
    show: 'regressed',
    order: undefined,
    evaluator: 'toxicity',
    higherIsBetter: false,
  } as const
  assert.equal(defaultOrder(sortState), 'delta.toxicity.desc')
  assert.equal(currentOrder(undefined, defaultOrder(sortState)), 'delta.toxicity.desc')
  assert.equal(currentOrder('position.asc', defaultOrder(sortState)), 'position')
  assert.equal(nextOrder(defaultOrder(sortState), 'delta.toxicity'), 'position')
  const choices = orderChoices({ ...sortState, show: 'all', order: 'cost.asc' }, ['old', 'new'])
  assert.deepEqual(
    choices.map(({ order, label }) => `${order}: ${label}`),
    [
      'delta.toxicity.desc: Largest regression first',
      'delta.toxicity.asc: Largest improvement first',
      'position: Order of old',
      'latency.desc: Slowest in new first',
      'cost.desc: Most expensive in new first',
      'cost.asc: sorted by cost, lowest first',
    ],
  )
})
