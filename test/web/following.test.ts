// The page follows evaluations that another client writes: polling, statistics, new rows, progress and deletion.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, openPage, servePage, visit, WITHOUT_BROWSER, waitUntilIdle } from './browser.ts'
import {
  assertPolls,
  countMutations,
  displayedTexts,
  focusedText,
  isFocused,
  nextResponse,
  pauseClock,
  pollOnce,
  recordRequests,
  rowAt,
  setHidden,
  textOf,
  trackRow,
} from './followed-page.ts'
import { scenarios } from './followed-rows.ts'

describe('a page that follows what another client writes', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  const tab = await openPage({ baseUrl, key, hasClock: true })
  const { page } = tab

  /** Adds a running evaluation with rows that alternate between passed and failed. */
  async function addEvaluation(id: string, rows: number, client = assay): Promise<void> {
    await client.addEvaluation({ id, name: `Run ${id}`, status: 'running' })
    if (rows > 0) await client.appendScenarios(id, scenarios(0, rows))
  }

  /** Pretends that the last write was earlier. */
  function setUpdateTime(id: string, minutesAgo: number): Promise<void> {
    const time = new Date(Date.now() - minutesAgo * 60_000).toISOString()
    return store.writer.transaction(async (transaction) => {
      await transaction.run('UPDATE evaluation SET updated_at = ? WHERE id = ?', time, id)
    })
  }

  test('an unchanged evaluation is requested once every two seconds, and only with 304', async () => {
    await addEvaluation('quiet', 5)
    await visit(page, '/evaluations/quiet')
    await page.getByRole('button', { name: 'Fail 2', exact: true }).waitFor()
    await waitUntilIdle(page)
    await page.evaluate(countMutations)
    await assertPolls(page, '/api/evaluations/quiet')
    assert.equal(await page.evaluate('mutations'), 0)
    await visit(page, '/evaluations/quiet/scenarios/s1?q=text')
    await page.getByRole('heading', { name: 'Row 2' }).waitFor()
    await waitUntilIdle(page)
    await assertPolls(page, '/api/evaluations/quiet')
  })

  test('the list is requested once every two seconds, with and without filters', {
    skip: fullOnly('waits for several polls; the test above does the same on another page'),
  }, async () => {
    // The list changes with every change of its project.
    const listKey = await createTestKey(store, { project: 'list', scopes: ['read', 'write'] })
    const client = new Assay({ baseUrl: `${baseUrl}/api`, key: listKey.key })
    await addEvaluation('listed', 2, client)
    const { page } = await openPage({ baseUrl, key: listKey.key, hasClock: true })
    for (const [path, count] of [
      ['/', '1'],
      ['/?name=contains.listed', '1 match'],
    ] as const) {
      await visit(page, path)
      await page.getByRole('status').getByText(count, { exact: true }).waitFor()
      await waitUntilIdle(page)
      await assertPolls(page, '/api/evaluations')
    }
    // A change of the filtered list is displayed too.
    await client.changeEvaluation('listed', { name: 'Run listed and renamed' })
    await pollOnce(page)
    await page.getByRole('row', { name: 'Run listed and renamed' }).waitFor()
    await client.deleteEvaluation('listed')
    await pollOnce(page)
    await page.getByRole('row', { name: 'Run listed and renamed' }).waitFor({ state: 'detached' })
  })

  test('results of another client change the statistics, the columns and the open row, and keep a typed note', async () => {
    await addEvaluation('judged', 4)
    await visit(page, '/evaluations/judged?row=s1')
    const panel = page.getByRole('complementary', { name: 'Scenario' })
    await panel.getByRole('button', { name: 'Note' }).click()
    await page.keyboard.type('half a')
    await page.getByRole('button', { name: 'Fail 2', exact: true }).waitFor()
    const results = [0, 1, 2, 3].map((index) => ({
      scenario_id: `s${index}`,
      result: { type: 'bool' as const, value: true },
    }))
    await assay.addResults('judged', [
      ...results.map((result) => ({ ...result, evaluator_config: 'exact' })),
      ...results.map((result) => ({ ...result, evaluator_config: 'polite', reason: 'says please' })),
    ])
    await pollOnce(page)
    await page.getByRole('button', { name: 'Pass 4', exact: true }).waitFor()
    await page.getByRole('columnheader', { name: 'polite' }).waitFor()
    await panel.getByText('polite').first().waitFor()
    await page.keyboard.type(' note')
    assert.equal(await page.getByRole('textbox', { name: 'Note' }).inputValue(), 'half a note')
    assert.equal(await page.getByRole('textbox', { name: 'Note' }).evaluate(isFocused), true)
  })

  test('a new row appears at the end of the list, and nothing moves', async () => {
    await addEvaluation('short', 3)
    await visit(page, '/evaluations/short')
    await page.getByRole('button', { name: 'Fail 1', exact: true }).waitFor()
    await page.evaluate(trackRow, 'text 1')
    await assay.appendScenarios('short', scenarios(3, 4))
    await pollOnce(page)
    await rowAt(page, 4).getByText('text 3').waitFor()
    await page.getByText('Rows 1–4 of 4').waitFor()
    assert.deepEqual(await page.evaluate('tracked.positions.length'), 1)
  })

  test('new rows below a list that is not at its end are announced, and appended by the button or at the end', async () => {
    await addEvaluation('long', 300)
    await visit(page, '/evaluations/long?row=s2')
    await rowAt(page, 3).waitFor()
    await page.getByRole('complementary').getByText('answer 2').first().waitFor()
    await page.getByRole('button', { name: 'Fail 150', exact: true }).waitFor()
    await page.evaluate(trackRow, 'text 1')
    await assay.addResults('long', [
      { scenario_id: 's0', evaluator_config: 'exact', result: { type: 'bool', value: false } },
    ])
    await assay.appendScenarios('long', scenarios(300, 320))
    await pollOnce(page)
    const pill = page.getByRole('button', { name: '+20 rows' })
    await pill.waitFor()
    // Contents change in place.
    await rowAt(page, 1).getByText('fail', { exact: true }).waitFor()
    await page.getByText(/^Rows [\d–]+ of 300$/).waitFor()
    await assertNoViolations(tab, 'footer')
    await pill.click()
    await page.getByText(/^Rows .* of 320\b/).waitFor()
    assert.equal(await pill.count(), 0)
    await assay.appendScenarios('long', scenarios(320, 325))
    await pollOnce(page)
    await page.getByRole('button', { name: '+5 rows' }).waitFor()
    assert.equal(await page.evaluate('tracked.positions.length'), 1)
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 1e6))
    await page.getByText(/^Rows .* of 325\b/).waitFor()
    await page.getByRole('button', { name: '+5 rows' }).waitFor({ state: 'detached' })
  })

  test('a version that arrives while the one before it is loading is displayed too', async () => {
    await addEvaluation('twice', 300)
    await visit(page, '/evaluations/twice')
    await rowAt(page, 1).waitFor()
    await page.getByRole('button', { name: 'Fail 150', exact: true }).waitFor()
    let isHeld = false
    await page.route(/\/rows\?/, async (route) => {
      if (isHeld) return route.continue()
      isHeld = true
      const response = await route.fetch()
      await assay.appendScenarios('twice', scenarios(300, 320))
      const poll = nextResponse(page, '/api/evaluations/twice')
      await pollOnce(page)
      await poll
      return route.fulfill({ response })
    })
    await assay.addResults('twice', [
      { scenario_id: 's0', evaluator_config: 'exact', result: { type: 'bool', value: false } },
    ])
    await pollOnce(page)
    await page.getByRole('button', { name: '+20 rows' }).waitFor()
    await page.unroute(/\/rows\?/)
  })

  test('new rows that cannot be loaded are announced, and the button tries again', {
    skip: fullOnly('fails requests; the other tests announce rows in the same way'),
  }, async () => {
    await addEvaluation('failing', 5)
    await visit(page, '/evaluations/failing')
    await page.getByRole('button', { name: 'Fail 2', exact: true }).waitFor()
    await page.route(/\/rows\?/, (route) =>
      route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{"status":400}' }),
    )
    await assay.appendScenarios('failing', scenarios(5, 8))
    await pollOnce(page)
    const button = page.getByRole('button', { name: 'Rows changed' })
    await button.waitFor()
    await page.unroute(/\/rows\?/)
    await button.click()
    await page.getByText(/^Rows [\d–]+ of 8$/).waitFor()
    assert.equal(await button.count(), 0)
  })

  test('rows that would move what is visible wait for the button, and the first visible row and the focus stay', async () => {
    await addEvaluation('sorted', 300)
    const path = '/evaluations/sorted?order=latency.asc&result.exact=is.true'
    await visit(page, path)
    await rowAt(page, 1).waitFor()
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 50 * 32 + 10))
    const firstVisible = await textOf(page, 51)
    await rowAt(page, 55).getByRole('gridcell').nth(1).click()
    await page.getByRole('complementary', { name: 'Scenario' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Scenario' }).waitFor({ state: 'detached' })
    const focused = await page.evaluate(focusedText)
    await page.evaluate(trackRow, firstVisible)
    // Half of them match the filter, and some are sorted before the visible rows.
    await assay.appendScenarios('sorted', scenarios(300, 340))
    await pollOnce(page)
    const pill = page.getByRole('button', { name: '+20 rows' })
    await pill.waitFor()
    await page.getByText(/^Rows .* of 150\b/).waitFor()
    await pill.click()
    await page.getByText(/^Rows .* of 170\b/).waitFor()
    const { rows } = await assay.listEvaluationRows('sorted', {
      order: 'latency.asc',
      'result.exact': 'is.true',
    })
    for (const [index, text] of await displayedTexts(page)) assert.equal(text, rows[index]?.inputs[0]?.value)
    assert.equal(await page.evaluate('tracked.positions.length'), 1)
    assert.equal(await page.evaluate(focusedText), focused)
    await assay.deleteEvaluationScenario('sorted', 's0')
    await pollOnce(page)
    const changed = page.getByRole('button', { name: 'Rows changed' })
    await changed.waitFor()
    await changed.focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^Rows .* of 169\b/).waitFor()
    assert.equal(await page.evaluate('tracked.positions.length'), 1)
    assert.equal(await page.evaluate(focusedText), focused)
  })

  test('the last rows of a view are replaced by the empty state when they are deleted', {
    skip: fullOnly('evaluation-table.test.ts shows an evaluation without rows'),
  }, async () => {
    await addEvaluation('vanishing', 2)
    await visit(page, '/evaluations/vanishing')
    await rowAt(page, 2).waitFor()
    for (const id of ['s0', 's1']) await assay.deleteEvaluationScenario('vanishing', id)
    await pollOnce(page)
    // Both were noticed.
    await page.getByRole('button', { name: 'All 0', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Rows changed' }).click()
    await page.getByRole('heading', { name: 'No rows yet' }).waitFor()
  })

  test('a running evaluation shows its progress in one line, until it has finished', async () => {
    await addEvaluation('progress', 20)
    await assay.changeEvaluation('progress', { expected_count: 80 })
    // A rate needs five seconds.
    await setUpdateTime('progress', 0.5)
    await visit(page, '/evaluations/progress')
    const bar = page.getByRole('progressbar', { name: 'Progress of Run progress' })
    await bar.waitFor()
    assert.equal(await bar.evaluate((element: HTMLProgressElement) => element.value), 0.25)
    await page.getByText('20 of 80 rows').waitFor()
    const header = await page.getByRole('grid').boundingBox()
    assert.ok(header && header.y <= 260, `the table starts at ${header?.y}`)
    await assay.appendScenarios('progress', scenarios(20, 70))
    await pollOnce(page)
    await page.getByText(/^[\d,]+ rows per minute, about 1 minute left$/).waitFor()
    await assertNoViolations(tab, 'main header')
    await assay.changeEvaluation('progress', { status: 'finished' })
    await pollOnce(page)
    await bar.waitFor({ state: 'detached' })
  })

  test('a running evaluation that has stopped says so on its page and in the list', async () => {
    await addEvaluation('stopped', 20)
    await setUpdateTime('stopped', 20)
    await visit(page, '/evaluations/stopped')
    await page.getByText(/^not updated for 2\d minutes$/).waitFor()
    await visit(page, '/')
    const run = page.getByRole('region', { name: 'Running evaluations' }).getByText('not updated for')
    await run
      .or(page.getByText(/more running evaluation/))
      .first()
      .waitFor()
  })

  test('the panel says that its row was deleted', async () => {
    await addEvaluation('shrinking', 4)
    await visit(page, '/evaluations/shrinking?row=s1')
    const panel = page.getByRole('complementary', { name: 'Scenario' })
    await panel.getByText('text 1').first().waitFor()
    await assay.deleteEvaluationScenario('shrinking', 's1')
    await pollOnce(page)
    await panel.getByRole('heading', { name: 'This row does not exist' }).waitFor()
  })

  test('a deleted evaluation is replaced by a message on its pages, and is not polled', async () => {
    await addEvaluation('doomed', 4)
    await visit(page, '/evaluations/doomed')
    await rowAt(page, 4).waitFor()
    const scenarioPage = await tab.context.newPage()
    await scenarioPage.goto(`${baseUrl}/evaluations/doomed/scenarios/s1`)
    await scenarioPage.getByRole('heading', { name: 'Row 2' }).waitFor()
    await assay.deleteEvaluation('doomed')
    for (const followed of [page, scenarioPage]) {
      await pollOnce(followed)
      await followed.getByRole('heading', { name: 'This evaluation was deleted' }).waitFor()
      await followed.getByText('Run doomed was deleted while this page was open').waitFor()
    }
    await scenarioPage.close()
    await waitUntilIdle(page)
    const requests = recordRequests(page)
    await pollOnce(page)
    await waitUntilIdle(page)
    assert.deepEqual(requests, [])
    await assertNoViolations(tab)
    await page.getByRole('link', { name: 'All evaluations' }).click()
    await page.getByRole('heading', { name: 'Evaluations', exact: true }).waitFor()
    assert.equal(await page.getByText('Run doomed').count(), 0)
  })

  test('a hidden tab requests nothing, and continues at once when it is visible', async () => {
    await addEvaluation('hidden', 5)
    await visit(page, '/evaluations/hidden')
    await rowAt(page, 5).waitFor()
    await setHidden(page, true)
    await waitUntilIdle(page)
    const requests = recordRequests(page)
    await page.clock.runFor(60_000)
    assert.deepEqual(requests, [])
    // Now only an event can cause a request.
    await pauseClock(page)
    const response = nextResponse(page, '/api/evaluations/hidden')
    await setHidden(page, false)
    await response
    await page.clock.resume()
  })

  test('the page has no errors', () => assert.deepEqual(tab.faults, []))
})
