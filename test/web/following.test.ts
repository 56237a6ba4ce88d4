// The page follows evaluations that another client writes: polling, statistics, new rows, progress and deletion.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { assertNoViolations, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

/** The tests mostly wait for polls. */
const OPTIONS = { skip: WITHOUT_BROWSER, concurrency: true }

describe('a page that follows what another client writes', OPTIONS, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })

  /** Adds a running evaluation with rows that alternate between passed and failed. */
  async function addEvaluation(id: string, rows: number, client = assay): Promise<void> {
    await client.addEvaluation({ id, name: `Run ${id}`, status: 'running' })
    if (rows > 0) await client.appendScenarios(id, scenarios(0, rows))
  }

  test('an unchanged evaluation is requested once every two seconds, and only with 304', async () => {
    await addEvaluation('quiet', 5)
    const { page } = await openPage({ baseUrl, key, path: '/evaluations/quiet' })
    await rowAt(page, 5).waitFor()
    await nextResponse(page, '/api/evaluations/quiet')
    const requests = recordResponses(page)
    await page.evaluate(countMutations)
    for (let polls = 0; polls < 2; polls++) await nextResponse(page, '/api/evaluations/quiet')
    assertPolls(requests, '/api/evaluations/quiet')
    assert.equal(await page.evaluate('mutations'), 0)
    await visit(page, '/evaluations/quiet/scenarios/s1?q=text')
    await page.getByRole('heading', { name: 'Row 2' }).waitFor()
    for (let polls = 0; polls < 2; polls++) await nextResponse(page, '/api/evaluations/quiet')
    requests.length = 0
    for (let polls = 0; polls < 2; polls++) await nextResponse(page, '/api/evaluations/quiet')
    assertPolls(requests, '/api/evaluations/quiet')
  })

  test('the list is requested once every two seconds, with and without filters', async () => {
    // The list changes with every change of its project.
    const listKey = await createTestKey(store, { project: 'list', scopes: ['read', 'write'] })
    const client = new Assay({ baseUrl: `${baseUrl}/api`, key: listKey.key })
    await addEvaluation('listed', 2, client)
    const { page } = await openPage({ baseUrl, key: listKey.key })
    for (const path of ['/', '/?name=contains.listed']) {
      await visit(page, path)
      await page.getByRole('row', { name: 'Run listed' }).waitFor()
      await nextResponse(page, '/api/evaluations')
      const requests = recordResponses(page)
      for (let polls = 0; polls < 2; polls++) await nextResponse(page, '/api/evaluations')
      assertPolls(requests, '/api/evaluations')
    }
    // A change of the filtered list is displayed too.
    await client.changeEvaluation('listed', { name: 'Run listed and renamed' })
    await page.getByRole('row', { name: 'Run listed and renamed' }).waitFor()
  })

  test('a hidden tab requests nothing, and continues at once when it is visible', async () => {
    await addEvaluation('hidden', 5)
    const { page } = await openPage({ baseUrl, key, path: '/evaluations/hidden' })
    await rowAt(page, 5).waitFor()
    await setHidden(page, true)
    const requests = recordResponses(page)
    await new Promise((resolve) => setTimeout(resolve, 4500))
    assert.deepEqual(requests, [])
    const response = nextResponse(page, '/api/evaluations/hidden')
    await setHidden(page, false)
    const visibleAt = Date.now()
    await response
    assert.ok(Date.now() - visibleAt < 1500, `${Date.now() - visibleAt} ms`)
  })

  test('results of another client change the statistics, the columns and the open row, and keep a typed note', async () => {
    await addEvaluation('judged', 4)
    const { page, faults } = await openPage({ baseUrl, key, path: '/evaluations/judged?row=s1' })
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
    await page.getByRole('button', { name: 'Pass 4', exact: true }).waitFor()
    await page.getByRole('columnheader', { name: 'polite' }).waitFor()
    await panel.getByText('polite').first().waitFor()
    await page.keyboard.type(' note')
    assert.equal(await page.getByRole('textbox', { name: 'Note' }).inputValue(), 'half a note')
    assert.equal(await page.getByRole('textbox', { name: 'Note' }).evaluate(isFocused), true)
    assert.deepEqual(faults, [])
  })

  test('the panel says that its row was deleted', async () => {
    await addEvaluation('shrinking', 4)
    const { page, faults } = await openPage({ baseUrl, key, path: '/evaluations/shrinking?row=s1' })
    const panel = page.getByRole('complementary', { name: 'Scenario' })
    await panel.getByText('text 1').first().waitFor()
    await assay.deleteEvaluationScenario('shrinking', 's1')
    await panel.getByRole('heading', { name: 'This row does not exist' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('a deleted evaluation is replaced by a message on all its pages, and disappears from the list', async () => {
    await addEvaluation('doomed', 4)
    const open = async (path: string) => {
      const opened = await openPage({ baseUrl, key, path })
      await opened.page.getByText('Run doomed').first().waitFor()
      return opened
    }
    const list = await open('/')
    const evaluation = await open('/evaluations/doomed')
    const scenario = await open('/evaluations/doomed/scenarios/s1')
    await assay.deleteEvaluation('doomed')
    for (const { page } of [evaluation, scenario]) {
      await page.getByRole('heading', { name: 'This evaluation was deleted' }).waitFor()
      await page.getByText('Run doomed was deleted while this page was open').waitFor()
    }
    const requests = [evaluation, scenario].map(({ page }) => recordResponses(page))
    await list.page.getByText('Run doomed').first().waitFor({ state: 'detached' })
    await nextResponse(list.page, '/api/evaluations')
    assert.deepEqual(requests.flat(), [], 'a deleted evaluation is not polled')
    await assertNoViolations(evaluation)
    await evaluation.page.getByRole('link', { name: 'All evaluations' }).click()
    await evaluation.page.getByRole('heading', { name: 'Evaluations', exact: true }).waitFor()
  })
})

function scenarios(from: number, to: number): ScenarioWrite[] {
  return Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset
    return {
      id: `s${index}`,
      inputs: [{ name: 'question', type: 'text', value: `text ${index}` }],
      outputs: [{ result: { type: 'text', value: `answer ${index}` }, latency: 1 + (index % 7) }],
      results: [{ evaluator_config: 'exact', result: { type: 'bool', value: index % 2 === 0 } }],
    }
  })
}

/** The row with this number in the order of the table. */
function rowAt(page: Page, number: number) {
  return page.locator(`[role=row][aria-rowindex="${number + 1}"]`)
}

async function nextResponse(page: Page, path: string): Promise<void> {
  await page.waitForResponse((response) => new URL(response.url()).pathname === path)
}

interface RecordedResponse {
  path: string
  status: number
  /** When the request started, in milliseconds. */
  at: number
}

/** Records the responses of the API from now on. */
function recordResponses(page: Page): RecordedResponse[] {
  const responses: RecordedResponse[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/api/'))
      responses.push({
        path: pathname,
        status: response.status(),
        at: response.request().timing().startTime,
      })
  })
  return responses
}

/** Only this path was requested, at most every two seconds, and never with a body. */
function assertPolls(responses: RecordedResponse[], path: string): void {
  assert.ok(responses.length > 0)
  for (const [index, response] of responses.entries()) {
    assert.deepEqual([response.path, response.status], [path, 304])
    const previous = responses[index - 1]
    // Timers are not exact.
    if (previous) assert.ok(response.at - previous.at > 1900, `${response.at - previous.at} ms`)
  }
}

function isFocused(element: Element): boolean {
  return element === document.activeElement
}

/** Headless Chromium never hides a tab, so set what the page reads. */
function setHidden(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    const state = hidden ? 'hidden' : 'visible'
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)
}

function countMutations(): void {
  const counter = globalThis as unknown as { mutations: number }
  counter.mutations = 0
  new MutationObserver((records) => {
    counter.mutations += records.length
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
}
