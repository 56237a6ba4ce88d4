// The controls above the table of an evaluation, in a browser: what they count, filter, copy and export equals the responses
// of the API to the same parameters.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { text as readText } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { addCapitalsEvaluations } from '../../bench/capitals-data.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, chooseOption, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const PATH = '/evaluations/geo-v4'

const skip = WITHOUT_BROWSER || fullOnly('tries every filter, chip and export in a browser')

describe('the evaluation page above the table', { skip }, async () => {
  if (skip) return
  const store = await createTestStore()
  await addCapitalsEvaluations(store, 2000)
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const openedPage = await openPage({ baseUrl, key, path: PATH })
  const { page } = openedPage
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  /** Finds a chip by its name, or by its name and count. */
  const chip = (name: string) =>
    page.getByRole('group', { name: 'States' }).getByRole('button', { name: new RegExp(`^${name}\\b`) })
  const show = async (query: string) => {
    await visit(page, PATH + query)
    await chip('All').waitFor()
  }

  async function api(path: string): Promise<string> {
    const response = await fetch(`${baseUrl}/api${path}`, { headers: { authorization: key } })
    assert.equal(response.status, 200, path)
    return response.text()
  }

  /** The number of rows that the API returns for the search params of the page. */
  async function readTotal(): Promise<number> {
    const search = new URL(page.url()).searchParams
    for (const name of ['on', 'row', 'density', 'group']) search.delete(name)
    return JSON.parse(await api(`${PATH}/rows?${search}&base=geo-v3&limit=1`)).total
  }

  test('each state shows as many rows as its chip counts, for every evaluator', {
    skip: fullOnly('clicks every state of two evaluators'),
  }, async () => {
    await chip('All 2,000').waitFor()
    const counts = [0, 0]
    for (const [index, evaluator] of ['exact_match', 'similarity'].entries()) {
      await chooseOption(page, 'Evaluator', evaluator)
      await page.waitForURL((url) => url.searchParams.get('on') === evaluator)
      for (const name of ['Fail', 'Pass', 'Error', 'Not scored', 'Output failed']) {
        if ((await chip(name).count()) === 0) continue
        const text = (await chip(name).textContent()) ?? ''
        const rows = Number(/[\d,]+$/.exec(text)?.[0].replace(',', ''))
        await chip(name).click()
        const filterName = name === 'Output failed' ? 'error' : `result.${evaluator}`
        await page.waitForURL((url) => url.searchParams.has(filterName))
        assert.equal(await chip(name).getAttribute('aria-pressed'), 'true')
        assert.equal(await readTotal(), rows, `${evaluator} ${name}`)
        counts[index] = (counts[index] ?? 0) + rows
        await chip('All').click()
        await page.waitForURL((url) => !url.searchParams.has(filterName))
      }
    }
    const scoredCount = 2000 - (counts[1] ?? 0)
    assert.equal(counts[0], 2000)
    await page.getByText(`Scored ${scoredCount.toLocaleString('en-US')}`).waitFor()
  })

  test('the filter for disagreeing evaluators is shown and can be removed', async () => {
    await show('?disagree=exact_match&disagree=similarity')
    await page.getByRole('list', { name: 'Filters' }).getByText('disagree: exact_match, similarity').waitFor()
    await page.getByText('No rows match').waitFor()
    await button('Without disagree: exact_match, similarity: 2,000 rows').waitFor()
    assert.equal(await page.getByText('disagree: exact_match, similarity').count(), 2)
    assert.equal(await readTotal(), 0)
    await button('Remove filter: disagree: exact_match, similarity').click()
    await page.waitForURL((url) => !url.searchParams.has('disagree'))
    await chip('All 2,000').waitFor()
  })

  test('the selected state stays when another evaluator that has it is selected', async () => {
    await show('?on=exact_match&result.exact_match=is.null&error=is.false')
    await chooseOption(page, 'Evaluator', 'similarity')
    await page.waitForURL(/result.similarity=is.null/)
    assert.doesNotMatch(page.url(), /exact_match/)
    assert.equal(await chip('Not scored').getAttribute('aria-pressed'), 'true')
  })

  test('a filter is added with the form, survives a reload, is undone by Back and removed by its chip', async () => {
    await show('?order=latency.desc')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Seconds').fill('2.5')
    await page.keyboard.press('Enter')
    const filter = page.getByText('latency > 2.5 s')
    await filter.waitFor()
    const filtered = await readTotal()
    assert.ok(filtered > 0 && filtered < 2000)
    await chip(`All ${filtered}`).waitFor()
    await page.reload()
    await filter.waitFor()
    assert.equal(new URL(page.url()).search, '?order=latency.desc&latency=gt.2.5')
    await page.goBack()
    await filter.waitFor({ state: 'detached' })
    await page.goForward()
    await button('Remove filter: latency > 2.5 s').click()
    await chip('All 2,000').waitFor()
  })

  test('the field of a filter is chosen with the keyboard in a menu inside the menu', async () => {
    await show('')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const focused = (text: RegExp) =>
      page.waitForFunction(
        (source) => RegExp(source).test(document.activeElement?.textContent ?? ''),
        text.source,
      )
    await focused(/^Field: latency/i)
    await page.keyboard.press('ArrowDown')
    await focused(/^latency/i)
    await page.keyboard.press('ArrowDown')
    await focused(/^cost/i)
    await page.keyboard.press('Enter')
    await focused(/^Field: cost/i)
    await page.getByLabel('Dollars').fill('0.5')
    await page.keyboard.press('Escape')
    await page.getByLabel('Dollars').waitFor({ state: 'detached' })
  })

  test('search filters while typing, and Escape clears it', async () => {
    await show('')
    await page.keyboard.press('/')
    await page.keyboard.type('canberra')
    await page.waitForURL(/q=canberra/)
    await chip(`All ${await readTotal()}`).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.search === '')
    await chip('All 2,000').waitFor()
  })

  test('the export contains exactly the filtered rows, and is Excel-safe on request', async () => {
    const query = '?result.exact_match=is.false&order=latency.desc&input.country=eq.Chad'
    await show(query)
    const rows = await readTotal()
    await chip(`Fail ${rows}`).waitFor()
    const saveFile = async (format: string) => {
      await button('Share').click()
      await page.getByText(`Export ${rows} rows, full texts`).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: format, exact: true }).click()
      const file = await download
      assert.equal(file.suggestedFilename(), `geo-v4-filtered.${format.toLowerCase()}`)
      return readText(await file.createReadStream())
    }
    const response = (format: string) => api(`${PATH}/evaluation_scenarios${query}&format=${format}`)
    assert.equal(await saveFile('JSON'), await response('json'))
    assert.equal(await saveFile('NDJSON'), await response('ndjson'))
    const table = await response('csv')
    assert.equal(await saveFile('CSV'), table)
    await button('Share').click()
    await page.getByLabel('Excel-safe CSV').check()
    await page.keyboard.press('Escape')
    assert.equal(await saveFile('CSV'), await response('csv&csv=excel'))
  })

  test('the copied curl command returns the filtered rows, and the copied link restores the page', async () => {
    await show('?result.similarity=lt.0.3&delta.similarity=lt.0&order=delta.similarity.asc&density=tall')
    const rows = await readTotal()
    await chip(`All ${rows}`).waitFor()
    await page.keyboard.press('.')
    await page.getByRole('button', { name: 'curl' }).click()
    await page.getByText('Copied as curl').waitFor()
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    const env = { ...process.env, ASSAY_KEY: key }
    // The URL does not contain the baseline, because it is the evaluation's own.
    const { stdout } = await promisify(execFile)('sh', ['-c', await clipboard()], { env })
    const window = JSON.parse(
      await api(
        `${PATH}/rows?result.similarity=lt.0.3&delta.similarity=lt.0&order=delta.similarity.asc&base=geo-v3&limit=1000`,
      ),
    )
    const ids = (list: { id: string }[]) => list.map(({ id }) => id)
    assert.deepEqual(ids(JSON.parse(stdout)), ids(window.rows))
    await page.keyboard.press('y')
    await page.getByText('Link copied.').waitFor()
    const columns =
      'result.exact_match,result.similarity,input.country,input.number,output,expected,latency,cost'
    assert.equal(await clipboard(), `${page.url()}&base=geo-v3&as=text&cols=${columns}`)
  })

  test('histogram bars and tables filter', async () => {
    await show('')
    await button('Display').click()
    await button('Statistics above the table').click()
    await button(/^similarity mean/).click()
    await page.getByRole('table').getByRole('button').last().click()
    await page.waitForURL(/result.similarity=gte/)
    const best = await readTotal()
    await chip(`All ${best.toLocaleString('en-US')}`).waitFor()
    await button(/^exact_match: [\d,]+ passed, filter/).click()
    await page.waitForURL(/result.exact_match=is.true/)
  })

  test('the footer says how many rows the statistics of the columns cover', async () => {
    await show('?result.exact_match=is.false')
    const failed = await readTotal()
    await page.getByText(`of ${failed}, filtered from 2,000`, { exact: false }).waitFor()
    assert.equal(await page.getByText('statistics of').count(), 0)
    await show('?result.exact_match=is.false&latency=gt.2.5')
    const { matched } = JSON.parse(await api(`${PATH}/summary?latency=gt.2.5`))
    const rows = await readTotal()
    assert.ok(rows < matched)
    await page.getByText(`of ${rows}, filtered from 2,000 · statistics of ${matched} rows`).waitFor()
  })

  test('errors are counted and grouped; a group expands to its rows, and filters', async () => {
    await show('')
    await button('Display').click()
    await button('Group by error').click()
    await page.getByRole('link', { name: 'Back to rows' }).click()
    await chip('All 2,000').waitFor()
    await page.goBack()
    const groups = page.getByRole('region', { name: 'Errors' })
    const group = groups.getByRole('button', { name: /^HTTP <n> rate limit/ })
    await group.click()
    const row = groups.getByRole('button', { name: /rate limit exceeded, try again in \d/ })
    await row.first().waitFor()
    const { error_groups } = JSON.parse(await api(`${PATH}/summary`))
    assert.equal(await row.count(), error_groups[0].count)
    const errors = error_groups.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    await page.getByRole('heading', { name: `Errors ${errors}`, exact: true }).waitFor()
    const headers = await groups.getByRole('columnheader').allTextContents()
    assert.deepEqual(headers, ['Message', 'Source', 'Rows'])
    assert.equal(await page.getByRole('group', { name: 'States' }).count(), 0)
    await row.first().click()
    await page.waitForURL(/row=/)
    await groups.getByRole('button', { name: 'Show rows' }).first().click()
    await chip(`All ${error_groups[0].count}`).waitFor()
    assert.equal(await readTotal(), error_groups[0].count)
  })

  test('invalid params in the URL and errors of the server are shown', async () => {
    await show('?result.foo=is.true&latency=gt.2&nonsense=1')
    await page.getByText('URL parameters: nonsense=1, result.foo').waitFor()
    assert.match(page.url(), /latency=gt.2/)
    await visit(page, `${PATH}?latency=fast`)
    // The server rejects both the summary and the rows.
    await page.getByRole('alert').getByText("The filter 'latency=fast' is invalid.").first().waitFor()
    await button('Clear all filters').click()
    await chip('All 2,000').waitFor()
  })

  test('the page is accessible and has no errors in both themes', async () => {
    await show('?latency=gt.1&result.exact_match=is.false&foo=1')
    await assertNoViolations(openedPage)
    await page.keyboard.press('Shift+T')
    await visit(page, `${PATH}?group=error`)
    await page.getByRole('region', { name: 'Errors' }).getByRole('button').first().click()
    assert.deepEqual(openedPage.faults, [])
    await page.keyboard.press('Shift+T')
  })

  test('a read-only key has no edit controls', async () => {
    const { key: reader } = await createTestKey(store)
    const readOnlyPage = await openPage({ baseUrl, key: reader, path: `${PATH}?base=` })
    await readOnlyPage.page.getByRole('button', { name: 'Select a baseline' }).waitFor()
    assert.equal(await readOnlyPage.page.getByRole('button', { name: 'More' }).count(), 0)
    await readOnlyPage.context.close()
  })

  test('a key with the write scope renames, sets the baseline, and deletes after the name is typed', async () => {
    await visit(page, '/evaluations/geo-v3')
    await button('Select a baseline').click()
    await button(/^geo-v4/).click()
    await page.waitForURL(/base=geo-v4/)
    await button('Compared with r2').click()
    await button('Set as baseline').click()
    await button('Baseline r2').waitFor()
    await button('More').click()
    await button('Rename…').click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Capitals')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Capitals' }).waitFor()
    const { name, baseline_id } = JSON.parse(await api('/evaluations/geo-v3'))
    assert.deepEqual([name, baseline_id], ['Capitals', 'geo-v4'])
    await button('More').click()
    await button('Delete…').click()
    await page.getByRole('textbox', { name: /^Type/ }).fill('capitals')
    assert.equal(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled(), true)
    await page.getByRole('textbox', { name: /^Type/ }).fill('Capitals')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${baseUrl}/`)
    await visit(page, PATH)
    await page.getByText('Baseline geo-v3 does not exist').waitFor()
    await chip('All 2,000').waitFor()
    assert.deepEqual(openedPage.faults, [])
  })
})
