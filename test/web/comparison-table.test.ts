// The rows of a comparison in Chromium: whatever it counts, finds, sorts and saves is what the API answers to the same words.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { addCapitals } from '../../bench/capitals.ts'
import { Assay, type ComparisonRows, type ScenarioWrite } from '../../client/client.ts'
import { count } from '../../web/src/format/numbers.ts'
import { freshStore, mint } from '../harness.ts'
import { assertSound, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

/** Many windows of rows. */
const ROWS = 2000
/** So many of the last ones only geo-v4 has. */
const MORE = 10
const PATH = '/compare?evaluation=geo-v3&evaluation=geo-v4'
const LONG = 'many words '.repeat(12_000)
const HOSTILE = '<img src=x onerror=alert(1)>'
const CLASSES = ['Regressed', 'Improved', 'Same', 'Incomparable', 'Missing', 'All']

/** A few of the same questions, all answered rightly; `twin` answers as `geo-v5` does, but once in other words. */
function scenario(index: number, id: string): ScenarioWrite {
  const right = index === 0 ? LONG : index === 1 ? HOSTILE : '=1+1, "quoted"'
  return {
    id: `q-${index}`,
    inputs: [{ name: 'country', type: 'text', value: HOSTILE }],
    outputs: [{ result: { type: 'text', value: index === 2 && id === 'twin' ? 'reworded' : right } }],
    results: [{ evaluator_config: 'exact_match', result: { type: 'bool', value: true } }],
  }
}

describe('the rows of a comparison', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  await addCapitals(store, ROWS, { earlier: ROWS - MORE })
  const { base } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${base}/api`, key: () => key })
  for (const id of ['geo-v5', 'twin']) {
    await assay.addEvaluation({ id, name: id })
    await assay.appendScenarios(
      id,
      Array.from({ length: 5 }, (_, index) => scenario(index, id)),
    )
  }
  const opened = await openPage({ base, key, path: PATH })
  const { page } = opened
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const chip = (name: string) =>
    page.getByRole('group', { name: 'Classes' }).getByRole('button', { name: new RegExp(`^${name}\\b`) })
  /** The row at a place of the view, counted from 1, once it is there. */
  const rowAt = (place: number) => page.locator(`[role=row][aria-rowindex="${place + 1}"][aria-busy=false]`)
  const focusedRow = () =>
    page.evaluate(() => Number(document.activeElement?.closest('[role=row]')?.ariaRowIndex) - 1)
  const tabStops = () =>
    page
      .getByRole('grid')
      .locator('button, a, input, [tabindex]')
      .evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex >= 0).length)

  /** The headers of the table whose names begin so. */
  const columns = (name = '') =>
    page.getByRole('grid').getByRole('columnheader', { name: new RegExp(`^${name}`) })

  /** What the API answers to the address of the page. */
  function answered(): Promise<ComparisonRows> {
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

  /** Resolves when the table shows what the API answers to these words, and says how many rows that are. */
  async function show(query: string): Promise<ComparisonRows> {
    await visit(page, PATH + query)
    return settled()
  }
  async function settled(): Promise<ComparisonRows> {
    const answer = await answered()
    await page
      .locator('[role=status]')
      .getByText(new RegExp(`^${count(answer.total)} rows?(,|$)`))
      .waitFor()
    return answer
  }

  test('it opens on what regressed, and every class shows as many rows as its chip counts', async () => {
    await page.getByText('sorted by change, largest first').waitFor()
    for (const evaluator of ['exact_match', 'similarity']) {
      await page.getByLabel('Evaluator that the classes are about').selectOption(evaluator)
      await page.waitForURL((url) => url.searchParams.get('on') === evaluator)
      const { classes } = await settled()
      const total = Object.values(classes).reduce((sum, rows) => sum + rows, 0)
      assert.equal(total, ROWS)
      for (const name of CLASSES) {
        const shown = name.toLowerCase() as keyof typeof classes | 'all'
        const rows: number = shown === 'all' ? total : classes[shown]
        await chip(`${name} ${count(rows)}`).click()
        await page.waitForURL((url) => (url.searchParams.get('show') ?? 'regressed') === shown)
        assert.equal((await settled()).total, rows, `${evaluator} ${name}`)
        assert.equal(await chip(name).getAttribute('aria-pressed'), 'true')
        await page.getByText(new RegExp(`^rows 1–\\d+ of ${count(rows)} `)).waitFor()
      }
    }
  })

  test('a row says what became of it, in signs and in words', async () => {
    await show('&on=exact_match')
    await page.getByText(/^rows 1–\d+ of \d+ regressed on exact_match \(geo-v4 vs geo-v3\)$/).waitFor()
    const cell = rowAt(1).getByRole('gridcell').nth(1)
    assert.match((await cell.innerText()).replaceAll('\n', ''), /✓→✗.*▼/)
    await page
      .getByRole('gridcell', { name: /^pass to fail worse$/ })
      .first()
      .waitFor()
    const { rows } = await show('&on=similarity')
    const result = (row: ComparisonRows['rows'][number]['base']) =>
      Number(row?.results.find((one) => one.evaluator_config === 'similarity')?.result.value)
    const [first] = rows
    const [before, after] = [result(first?.base ?? null), result(first?.candidates[0]?.row ?? null)]
    const words = `${before} to ${after} ${count(before - after)} worse`
    await rowAt(1).getByRole('gridcell', { name: words }).waitFor()
    await show('&show=incomparable')
    await page
      .getByRole('gridcell', { name: /not run to .*, cannot be compared$/ })
      .first()
      .waitFor()
  })

  test('rows that only one side has say which, and open by its own scenario', async () => {
    const { rows } = await show('&show=missing')
    assert.equal(rows.length, MORE)
    await rowAt(1).getByRole('gridcell', { name: 'only in geo-v4' }).waitFor()
    await rowAt(1).getByRole('gridcell', { name: '– not in geo-v3' }).click()
    await page.waitForURL(/row=q-1990&side=candidate/)
    await page.locator('[role=row][aria-selected=true]').waitFor()
    await page.goBack()
    await page.waitForURL(/show=missing$/)
  })

  test('with keys alone: the last row, the first, one is opened, kept by a reload and closed by Back', async () => {
    const { total } = await show('&show=all')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    assert.equal(await focusedRow(), 2)
    await page.keyboard.press('Control+End')
    await rowAt(total).waitFor()
    assert.equal(await focusedRow(), total)
    await page.keyboard.press('k')
    assert.equal(await focusedRow(), total - 1)
    assert.equal(await tabStops(), 1)
    await page.keyboard.press('Enter')
    await page.waitForURL(/row=q-1998&side=candidate/)
    await page.reload()
    await page.locator(`[role=row][aria-selected=true][aria-rowindex="${total}"]`).waitFor()
    await page.goBack()
    await page.locator('[role=row][aria-selected=true]').waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await rowAt(1).waitFor()
    assert.equal(await focusedRow(), 1)
    await page.keyboard.press('d')
    await page.waitForFunction(() => document.querySelector('[data-index]')?.clientHeight === 95)
    await page.keyboard.press('d')
    await page.keyboard.press('d')
  })

  test('n goes to the next regression and N back, however far away they are', async () => {
    const { rows } = await show('&show=all')
    const places = rows.flatMap(({ candidates }, at) =>
      candidates[0]?.class === 'regressed' ? [at + 1] : [],
    )
    await page.keyboard.press('Home')
    const seen: number[] = []
    for (const key of ['n', 'n', 'n', 'N']) {
      const before = await focusedRow()
      await page.keyboard.press(key)
      await page.waitForFunction(
        (old) => document.activeElement?.closest('[role=row]')?.ariaRowIndex !== String(old + 1),
        before,
      )
      seen.push(await focusedRow())
    }
    const [one, two, three] = places
    assert.deepEqual(seen, [one, two, three, two])
    // All that are better come first: those that are worse are many windows away.
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

  test('the name of the candidate sorts by its change, and the order is chosen from a list too', async () => {
    await show('')
    const head = columns('geo-v4 exact_match')
    assert.equal(await head.getAttribute('aria-sort'), 'ascending')
    for (const [order, sort] of [
      ['delta.exact_match.desc', 'descending'],
      ['position', 'none'],
      [null, 'ascending'],
    ] as const) {
      await head.getByRole('button').click()
      await page.waitForURL((url) => url.searchParams.get('order') === order)
      await page.locator('[role=grid][aria-busy=false]').waitFor()
      assert.equal(await head.getAttribute('aria-sort'), sort)
    }
    await page.getByLabel('Order of rows').selectOption('Slowest in geo-v4 first')
    await page.waitForURL(/order=latency.desc/)
    await page.getByText('sorted by latency, highest first').waitFor()
    const { rows } = await settled()
    const place = await rowAt(1).getByRole('gridcell').first().textContent()
    assert.equal(place, String((rows[0]?.base?.position ?? 0) + 1))
  })

  test('chips count what filters leave; a filter is added, undone by Back and removed', async () => {
    const whole = (await show('')).classes
    await button('+ filter').click()
    await page.getByLabel('By').selectOption('input.country')
    await page.getByLabel('Value').fill('Chad')
    await page.keyboard.press('Enter')
    await page.waitForURL(/input.country=eq.Chad/)
    const { classes } = await settled()
    assert.ok(classes.same > 0 && classes.same < whole.same)
    await chip(`Same ${count(classes.same)}`).waitFor()
    await page.goBack()
    await chip(`Same ${count(whole.same)}`).waitFor()
    await page.goForward()
    await button('Remove filter: country = Chad').click()
    await chip(`Same ${count(whole.same)}`).waitFor()
    // What is removed leaves the focus to the search.
    await page.keyboard.type('canberra')
    await page.waitForURL(/q=canberra/)
    await chip(`Regressed ${count((await settled()).classes.regressed)}`).waitFor()
    await page.keyboard.press('Escape')
    await chip(`Same ${count(whole.same)}`).waitFor()
    await show('')
    await page.keyboard.press('/')
    await page.keyboard.type('ottawa')
    await page.waitForURL(/q=ottawa/)
  })

  test('filters that leave nothing say so, and each can be taken away', async () => {
    await show('&latency=gt.99&input.country=eq.Chad')
    await page.getByRole('heading', { name: 'No row matches' }).waitFor()
    const { total } = await assay.listComparisonRows({
      evaluation: ['geo-v3', 'geo-v4'],
      show: 'regressed',
      'input.country': 'eq.Chad',
    })
    await button(`Without latency > 99 s: ${total} rows`).click()
    await chip(`Regressed ${total}`).waitFor()
  })

  test('where nothing changed it says so, how many outputs are reworded, and which classes have rows', async () => {
    await visit(page, '/compare?evaluation=geo-v5&evaluation=twin')
    await page.getByRole('heading', { name: 'No matched row changed on exact_match' }).waitFor()
    await page.getByText('4 identical outputs, 1 reworded.').waitFor()
    await assertSound(opened)
    await page
      .getByRole('list', { name: 'Classes with rows' })
      .getByRole('button', { name: 'Same 5' })
      .click()
    await page.waitForURL(/show=same/)
    await rowAt(2)
      .getByRole('gridcell', { name: `= the same: ${HOSTILE}` })
      .waitFor()
    await rowAt(3).getByRole('gridcell', { name: 'reworded', exact: true }).waitFor()
  })

  test('of several candidates classes are about one, which is said and can be another', async () => {
    await visit(page, `${PATH}&evaluation=geo-v5&show=missing&on=exact_match`)
    await settled()
    const about = page.getByLabel('Candidate that the classes are of')
    assert.equal(await about.inputValue(), 'geo-v4')
    assert.equal(await columns().count(), 9)
    await about.selectOption('geo-v5')
    await page.waitForURL(/geo-v3&evaluation=geo-v5&evaluation=geo-v4/)
    await page.getByText(/of 1,985 missing \(geo-v5 vs geo-v3\)$/).waitFor()
    await rowAt(1).getByRole('gridcell', { name: 'not in geo-v5', exact: true }).waitFor()
  })

  test('columns that are hidden stay hidden, and a link may name its own', async () => {
    await show('')
    await button('Columns').click()
    await page.getByRole('checkbox', { name: 'expected' }).uncheck()
    await page.keyboard.press('Escape')
    await page.reload()
    await rowAt(1).waitFor()
    assert.equal(await columns('expected').count(), 0)
    await show('&cols=output.1,input.country')
    await columns('number').waitFor({ state: 'detached' })
    assert.equal(await columns().count(), 3)
  })

  test('the export has exactly the rows of the view, whole', async () => {
    const saved = async (format: string, rows: string) => {
      await button('Export view').click()
      await page.getByText(`All ${rows}, whole`).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: format, exact: true }).click()
      const file = await download
      const name = file.suggestedFilename()
      await page.getByText(`Saved ${rows} to ${name}.`).waitFor()
      return { name, text: readFileSync(await file.path(), 'utf8') }
    }
    const { rows, total } = await show('&input.country=eq.Chad&order=position')
    const { name, text } = await saved('JSON', `${total} rows`)
    assert.equal(name, 'comparison-geo-v3-geo-v4-regressed.json')
    const uncut = rows.map(({ base: one, candidates: [other] }) => ({
      base: { ...one, cut: undefined },
      candidates: [{ ...other, row: { ...other?.row, cut: undefined } }],
    }))
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(uncut)))

    await visit(page, '/compare?evaluation=geo-v5&evaluation=twin&show=all')
    await rowAt(5).waitFor()
    const lines = (await saved('NDJSON', '5 rows')).text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(lines.length, 5)
    assert.equal(lines[0].base.outputs[0].result.value, LONG)
    assert.equal(lines[0].candidates[0].row.outputs[0].result.value, LONG)
    const table = (await saved('CSV', '5 rows')).text.split('\r\n')
    assert.equal(
      table[0],
      'input.country,expected,geo-v5.id,geo-v5.output,geo-v5.result.exact_match,geo-v5.latency,geo-v5.cost,twin.id,twin.class,twin.delta,twin.output_changed,twin.output,twin.result.exact_match,twin.latency,twin.cost',
    )
    assert.equal(table[3], `${HOSTILE},,q-2,"=1+1, ""quoted""",true,,,q-2,same,0,true,reworded,true,,`)
  })

  test('nothing was done that must not be, and nobody is kept out', async () => {
    await visit(page, `${PATH}&evaluation=geo-v5`)
    await rowAt(1).waitFor()
    await assertSound(opened)
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertSound(opened)
  })
})
