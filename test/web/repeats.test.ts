// Rows with repeats in a browser: one line per row, the tabs of its repeats, and comparisons with too few or different rows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay, type EvaluationScenario, type ScenarioWrite } from '../../client/client.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { assertNoViolations, openPage, servePage, visit, WITHOUT_BROWSER, waitUntilIdle } from './browser.ts'
import { addRepeatedEvaluations, BASELINE, CANDIDATE } from './repeated-evaluations.ts'

const ROWS = 20
const SAMPLE = 'support-answer-r4'

describe('rows with repeats', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  await addRepeatedEvaluations(assay, ROWS)
  const tab = await openPage({ baseUrl, key, path: `/evaluations/${CANDIDATE}?base=` })
  const { page } = tab
  const grid = page.getByRole('grid', { name: 'Rows' })
  const rowAt = (position: number) => grid.locator(`[aria-rowindex="${position + 1}"][aria-busy=false]`)
  const chip = (name: string) =>
    page
      .getByRole('group', { name: /States|Classes/ })
      .getByRole('button', { name: new RegExp(`^${name}\\b`) })
  const panel = page.getByRole('complementary')
  const tabs = (label: string) => panel.getByRole('group', { name: label, exact: true }).getByRole('button')
  const expectRows = (count: number) =>
    page.locator(`[role=grid][aria-rowcount="${count + 1}"][aria-busy=false]`).waitFor()
  const summary = await assay.getEvaluationSummary(CANDIDATE)
  const correct = summary.evaluators.find(({ name }) => name === 'answer_correct')
  assert.ok(correct?.flaky)

  test('a row with repeats is one line with the number of repeats that pass', async () => {
    await expectRows(ROWS)
    await rowAt(1).getByText('0 of 5 pass').first().waitFor()
    await rowAt(3).getByText('of 4 pass').first().waitFor()
    await page.getByText(`${ROWS} rows × 5`).waitFor()
    assert.equal(await chip('All').innerText(), `All\n${ROWS}`)
    const box = page.getByLabel('Statistics of answer_correct')
    const text = await box.innerText()
    assert.match(text, /Pass rate, mean of rows\s+\d+\.\d %\s± \d+\.\d\s+95 % interval, \d+\.\d to \d+\.\d/)
    assert.match(text, /pass\^5\s+\d+\.\d %\s+rows that pass 5 of 5 times/)
    assert.match(text, /pass@5\s+\d+\.\d %\s+rows that pass at least once/)
    await assertNoViolations(tab)
  })

  test('the chips of an evaluator count rows and filter by them', async () => {
    await chip('Flaky').click()
    await expectRows(correct.flaky ?? 0)
    await rowAt(1).getByText('1 of 5 pass').first().waitFor()
    const alwaysPass = Math.round((correct.pass_all ?? 0) * (correct.rows ?? 0))
    await chip('Always pass').click()
    await expectRows(alwaysPass)
    await chip('Always fail').click()
    await rowAt(1).getByText('0 of 5 pass').first().waitFor()
    await chip('All').click()
    await expectRows(ROWS)
  })

  test('the g key lists every repeat, and the rows again', async () => {
    await page.keyboard.press('g')
    await expectRows(ROWS * 5)
    await page.keyboard.press('g')
    await expectRows(ROWS)
  })

  test('the panel shows the repeat of the pressed digit, and a link to any repeat opens it', async () => {
    await rowAt(2).getByRole('gridcell').nth(1).click()
    await tabs('Repeat').nth(4).waitFor()
    assert.equal(await tabs('Repeat').count(), 5)
    await page.keyboard.press('3')
    await panel.getByText('repeat 3 of 5').waitFor()
    assert.equal(await tabs('Repeat').nth(2).getAttribute('aria-pressed'), 'true')
    assert.equal(new URL(page.url()).searchParams.get('row'), 'returns-002-3')
    assert.equal(await rowAt(2).getAttribute('aria-selected'), 'true')
    await assertNoViolations(tab, '[aria-label=Scenario]')
    await page.reload()
    await panel.getByText('repeat 3 of 5').waitFor()
    assert.equal(await rowAt(2).getAttribute('aria-selected'), 'true')
    await page.keyboard.press('j')
    await panel.getByText('repeat 1 of 5').waitFor()
    await tabs('Repeat').nth(3).getByText('not scored').waitFor()
    await page.keyboard.press('Escape')
  })

  test('an evaluation without a baseline is compared with the marked one, and the page says so', async () => {
    await visit(page, `/evaluations/${CANDIDATE}`)
    await page.getByText(/^Worse than the marked baseline r4 on answer_correct: 1 row regressed/).waitFor()
    await page.getByRole('button', { name: 'Marked baseline r4' }).waitFor()
    await visit(page, '/')
    const card = page.getByRole('article', { name: 'Support answer' })
    await card.getByText(/r5 is worse than the marked baseline r4 on/).waitFor()
  })

  test('a comparison has the passes of both sides, and the unclear rows as a class', async () => {
    await visit(page, `/compare?evaluation=${BASELINE}&evaluation=${CANDIDATE}&show=all`)
    await rowAt(1).getByText('5/5 to 0/5 worse').waitFor({ state: 'attached' })
    await rowAt(2).getByText('1/5 to 1/5').waitFor({ state: 'attached' })
    await chip('Unclear').click()
    await rowAt(1).getByText('3/4 to 2/4').waitFor({ state: 'attached' })
    await page
      .getByText(/^r5 and r4 are tied on answer_correct: 1 row regressed, 0 improved, 1 unclear/)
      .waitFor()
    await rowAt(1).getByRole('gridcell').nth(1).click()
    await panel.getByText(/unclear on answer_correct: 3\/4 to 2\/4/).waitFor()
    await tabs('Repeat of r5').nth(1).getByText('fail').waitFor({ state: 'attached' })
    await page.keyboard.press('2')
    await panel.locator('[aria-pressed=true]').getByText('0.05').waitFor()
    assert.equal(await tabs('Repeat of r4').nth(0).getAttribute('aria-pressed'), 'true')
    await waitUntilIdle(page)
    await assertNoViolations(tab)
    await page.keyboard.press('Escape')
  })

  test('a comparison of few or of different rows has no outcome, and says why', async () => {
    const rows = await assay.listEvaluationScenarios(SAMPLE)
    await addEvaluation('few', rows.slice(0, 4))
    await addEvaluation(
      'different',
      rows.map((row) => ({
        ...row,
        inputs: [{ name: 'question', type: 'text', value: `Another ${row.id}` }],
      })),
    )
    await visit(page, `/compare?evaluation=${SAMPLE}&evaluation=few`)
    await page
      .getByText(/^Too few rows to compare few with .*: 4 .*with a score in both, at least 6 are needed\./)
      .waitFor()
    await page.locator('td', { hasText: 'At least 6 rows are needed' }).first().waitFor()
    await visit(page, `/compare?evaluation=${SAMPLE}&evaluation=different`)
    await page
      .getByText(/^different cannot be compared with .*: these runs do not have the same rows\./)
      .waitFor()
    await page.getByText('120 of 120 rows with the same id have different inputs.').waitFor()
    assert.deepEqual(tab.faults, [])
  })

  async function addEvaluation(id: string, rows: EvaluationScenario[]): Promise<void> {
    await assay.addEvaluation({ id, name: id })
    const written = rows.map(
      ({ id, inputs, outputs, results }): ScenarioWrite => ({ id, inputs, outputs, results }),
    )
    await assay.appendScenarios(id, written)
    await assay.changeEvaluation(id, { status: 'finished' })
  }
})
