// Header of the comparison page in Chromium: how to get there, the conclusion, statistics, warnings and the join key.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, openPage, SIZE, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const [R3, R4, R5, R6] = [3, 4, 5, 6].map((revision) => `support-answer-r${revision}`) as [
  string,
  string,
  string,
  string,
]
/** Fewer rows are too few for an outcome. */
const SIX_ROWS = ['a', 'b', 'c', 'd', 'e', 'f']
const LONG_NAMES = ['a', 'b', 'c'].map((id) => `support-agent-with-a-long-name-${id}`)
const MANY = ['many-1', 'many-2', 'many-3', 'many-4']
const EVALUATORS = Array.from({ length: 20 }, (_, index) => `metric_${index + 1}`)

const searchOf = (...evaluations: string[]) => evaluations.map((id) => `evaluation=${id}`).join('&')
const path = (...evaluations: string[]) => `/compare?${searchOf(...evaluations)}`

const skip = WITHOUT_BROWSER || fullOnly('opens many comparisons in a browser; pages.test.ts opens one')

describe('the header of the comparison page', { skip }, async () => {
  if (skip) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  await addEvaluations(assay)
  const tab = await openPage({ baseUrl, key })
  const { page } = tab
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const conclusion = page.getByRole('status', { name: 'Conclusion' })
  const statistics = page.getByRole('region', { name: 'Statistics' })
  const waitForSearch = (search: string) => page.waitForURL((url) => url.search === `?${search}`)
  const conclusionText = async () => (await conclusion.textContent()) ?? ''

  async function show(search: string): Promise<void> {
    await visit(page, search)
    await conclusion.locator('p').first().waitFor()
  }

  test('compares two selected evaluations with c, with the older one as the baseline', async () => {
    await visit(page, '/?variant_id=eq.support-answer')
    for (const name of ['Select Support answer r5', 'Select Support answer r4']) {
      await page.getByRole('checkbox', { name }).check()
    }
    await page.keyboard.press('c')
    await waitForSearch(searchOf(R4, R5))
    await conclusion.getByRole('link').first().waitFor()
    assert.equal(
      await conclusionText(),
      'r5 is worse than r4 on answer_correct: 29 rows regressed, 4 improved.',
    )
    await page.getByText('Also worse on faithfulness and cites_policy, 30.5 % cheaper.').waitFor()
    const differences = page.getByRole('link', { name: 'max_tokens and messages[0].content differ' })
    assert.equal(await differences.getAttribute('href'), '/variants/support-answer/revisions/4/diff/5')
    await assertNoViolations(tab)
  })

  test('shows at least eight rows below the statistics without scrolling', async () => {
    const row = page.locator('[role=row][aria-rowindex="9"]:not([aria-busy=true])')
    await row.waitFor()
    const [lastRow, footer] = [await row.boundingBox(), await page.locator('footer').boundingBox()]
    assert.ok(lastRow && footer && lastRow.y + lastRow.height <= footer.y, `${lastRow?.y} and ${footer?.y}`)
    assert.equal(await statistics.locator('tbody tr').count(), 6)
  })

  test('counts the labels of an evaluator in both evaluations', async () => {
    await show(path(R4, R5))
    const row = statistics.getByRole('row', { name: /^tone label/ })
    assert.equal(
      (await row.getByRole('cell').innerText()).replace(/\s+/g, ' ').trim(),
      'r4: neutral 60, friendly 55, curt 1 to r5: curt 62, neutral 54',
    )
    assert.equal(await statistics.getByText('No scores to compare').count(), 0)
  })

  test('is about the evaluator that is worse, not about one before it that is tied', async () => {
    await show(path('second-1', 'second-2'))
    const sentence = 'second-2 is worse than second-1 on second: 8 rows regressed, 0 improved.'
    await conclusion.getByText(sentence).waitFor()
    await page.getByText('Rows 1–8 of 8').waitFor()
    await button('Evaluator of the classes: second').waitFor()
    await show(`${path('second-1', 'second-2')}&on=first`)
    await conclusion.getByText('second-2 and second-1 are tied on first').waitFor()
    await visit(page, '/evaluations/second-2?base=second-1')
    await page.getByText('Worse than second-1 on second: 8 rows regressed, 0 improved.').waitFor()
  })

  test('has room for long names: labels do not overlap, and sentences wrap', async () => {
    await show(`${path(...LONG_NAMES.slice(0, 2))}&show=all&row=a`)
    const labels = statistics.locator('thead [aria-hidden] > span')
    const boxes = await labels.evaluateAll((elements) =>
      elements
        .filter((element) => getComputedStyle(element).visibility === 'visible')
        .map((element) => {
          const range = document.createRange()
          range.selectNodeContents(element)
          const { left, right } = range.getBoundingClientRect()
          return [left, right]
        }),
    )
    assert.ok(boxes.length > 0)
    for (const [index, [, right = 0]] of boxes.entries()) {
      const next = boxes[index + 1]?.[0] ?? Number.POSITIVE_INFINITY
      assert.ok(right < next, `a label ends at ${right}, the next one starts at ${next}`)
    }
    await show(`${path(...LONG_NAMES)}&show=all&row=a`)
    const sections = [conclusion, ...(await conclusion.locator('p').all())]
    for (const section of sections) {
      assert.ok(await section.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
    }
  })

  test('compares an evaluation with its baseline, or with a chosen evaluation if it has none', async () => {
    await visit(page, `/evaluations/${R5}`)
    await button('Baseline r4').waitFor()
    await page.keyboard.press('c')
    await waitForSearch(searchOf(R4, R5))
    await visit(page, `/evaluations/${R4}?base=`)
    await button('Select a baseline').waitFor()
    await button('Compare').click()
    await page.getByRole('heading', { name: 'Compare Support answer r4: haiku at 0.2 with…' }).waitFor()
    await page.getByRole('checkbox', { name: /^Support answer r4/, checked: true }).waitFor()
    assert.equal(await button('Compare').getAttribute('aria-disabled'), 'true')
    await page.getByRole('searchbox', { name: 'Find an evaluation' }).fill('answer r3')
    await page.getByRole('checkbox', { name: /^Support answer r3/ }).check()
    await button('Compare 2').click()
    // The older evaluation is always the baseline.
    await waitForSearch(searchOf(R3, R4))
  })

  test('shows exactly the counted rows when a count is clicked, and keeps them after a reload', async () => {
    const searchBefore = `${searchOf(R4, R5, R6)}&latency=gt.1&order=latency.desc`
    await show(`/compare?${searchBefore}`)
    const { candidates } = await assay.compareEvaluations({ evaluation: [R4, R6] })
    const rows = candidates[0]?.evaluators.find(({ name }) => name === 'faithfulness')?.classes.improved
    const label = `Show ${rows} rows that improved on faithfulness (vs Support answer r4: haiku at 0.2)`
    await statistics.getByRole('link', { name: label }).last().click()
    await page.waitForURL(/show=improved/)
    const searchParamsAfter = new URL(page.url()).searchParams
    assert.deepEqual(searchParamsAfter.getAll('evaluation'), [R4, R6, R5])
    assert.deepEqual([...searchParamsAfter.keys()].toSorted(), [
      'evaluation',
      'evaluation',
      'evaluation',
      'on',
      'show',
    ])
    await page.reload()
    const current = statistics.locator('[aria-current]')
    await current.waitFor()
    assert.equal(await current.textContent(), String(rows))
    assert.match(await conclusionText(), /^r6.* on faithfulness:/)
    await page.goBack()
    await waitForSearch(searchBefore)
  })

  test('adds, moves, replaces and removes evaluations, and sets any of them as the baseline', async () => {
    await show(path(R4, R5))
    const chips = page.getByRole('list', { name: 'Compared evaluations' })
    const chip = (name: string) => chips.getByRole('button', { name })
    await chip('Add an evaluation').click()
    // Evaluations of the same variant come first.
    await button(/^Support answer r6/).click()
    await waitForSearch(searchOf(R4, R5, R6))
    await chip('Support answer r6').click()
    await button('Move left').click()
    await waitForSearch(searchOf(R4, R6, R5))
    await chip('Support answer r5').click()
    await button('Set as baseline').click()
    await waitForSearch(searchOf(R5, R4, R6))
    await chip('Support answer r6').click()
    await button('Replace…').click()
    await button(/^Support answer r3/).click()
    await waitForSearch(searchOf(R5, R4, R3))
    await chip('Support answer r4').click()
    await button('Remove').click()
    await waitForSearch(searchOf(R5, R3))
    await conclusion.getByText('r3').first().waitFor()
    await show(path(...MANY))
    assert.equal(await chip('Add an evaluation').count(), 0)
  })

  test('changes the join key, and offers automatic matching when the join key is invalid', async () => {
    await show(path(R4, R5))
    await button('matched by id').click()
    await button(/^Scenario id 100.?% match/).waitFor()
    await button('Input question').click()
    await waitForSearch(`${searchOf(R4, R5)}&by=input.question`)
    await button('matched by question').waitFor()
    await visit(page, `${path(R4, R5)}&by=input.nothing`)
    await page.getByRole('alert').getByText('nothing').waitFor()
    await button('Match rows automatically').click()
    await button('matched by id').waitFor()
  })

  test('copies a curl command that returns the rows on screen, and a link to the same view', async () => {
    const search = `${searchOf(R4, R5)}&show=improved&on=cites_policy`
    await show(`/compare?${search}`)
    await page.keyboard.press('.')
    await button('curl').click()
    await page.getByText('Copied as curl').waitFor()
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    const env = { ...process.env, ASSAY_KEY: key }
    const { stdout } = await promisify(execFile)('sh', ['-c', await clipboard()], { env })
    const { total, rows, on } = JSON.parse(stdout)
    assert.equal(await statistics.locator('[aria-current]').textContent(), String(total))
    assert.deepEqual([rows.length, on], [total, 'cites_policy'])
    const rowTexts = await page.locator('[role=row][aria-rowindex]').allTextContents()
    const positions = rows.map(({ base: row }: { base: { position: number } }) => String(row.position + 1))
    assert.deepEqual(
      rowTexts.slice(1).map((text) => /^\d+/.exec(text.trim())?.[0]),
      positions,
    )
    await page.keyboard.press('y')
    await page.getByText('Link copied.').waitFor()
    const columns =
      'change.1,result.answer_correct,input.question,input.customer,input.language,input.topic,input.asked_on,output.0,output.1,expected'
    assert.equal(await clipboard(), `${baseUrl}/compare?${search}&as=text&cols=${columns}`)
  })

  test('summarizes warnings in one line, and shows their details on request', async () => {
    await show(path('many-1', 'many-2'))
    const warnings = page.getByRole('region', { name: 'Warnings' })
    const line = await warnings.textContent()
    for (const label of [
      '2 rows only in many-1, 1 only in many-2',
      '5 rows of many-2 with a different expected answer',
      'different settings of metric_1 in many-2',
      'metric_20 not in both many-1 and many-2',
    ]) {
      assert.ok(line?.includes(label), `${label} in ${line}`)
    }
    await button('Show details').click()
    await warnings.getByText('many-1: higher is better, threshold 0.7').waitFor()
    await warnings.getByText('many-2: higher is better, threshold 0.5').waitFor()
    await assertNoViolations(tab)
    await warnings.getByRole('link', { name: 'Show rows' }).click()
    await page.waitForURL(/show=missing/)
  })

  test('warns of pairs with different inputs, and of ids that were generated', async () => {
    await show(`${path('renamed-1', 'renamed-2')}&by=id`)
    const line = await page.getByRole('region', { name: 'Warnings' }).textContent()
    for (const label of [
      '1 row of renamed-2 with different inputs than the matched row',
      '1 row of renamed-1 with a generated id, not matched by id',
    ]) {
      assert.ok(line?.includes(label), `${label} in ${line}`)
    }
  })

  test('scrolls twenty evaluators of four evaluations, with regressions first and their names in place', {
    skip: fullOnly('checks accessibility of the largest table'),
  }, async () => {
    await show(`${path(...MANY)}&on=metric_2`)
    const headers = statistics.locator('tbody th[scope=rowgroup]')
    const names = await headers.allTextContents()
    assert.deepEqual(names.slice(-2), ['latency mean, s', 'cost $ per 1000'])
    assert.equal(names.length, 6)
    // The selected evaluator is always visible.
    assert.ok(names.includes('metric_2 mean') && names.includes('metric_11 mean'), names.join())
    await button('Show all 20').click()
    assert.equal(await headers.count(), 22)
    const name = headers.first()
    await page.setViewportSize({ width: 560, height: 800 })
    const nameBefore = await name.boundingBox()
    const overflow = await statistics.locator('div:has(> table)').evaluate((element) => {
      element.scrollLeft = 300
      return [element.scrollWidth > element.clientWidth, element.scrollHeight > element.clientHeight]
    })
    assert.deepEqual(overflow, [true, true])
    assert.equal((await name.boundingBox())?.x, nameBefore?.x)
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    await page.setViewportSize(SIZE)
    // The means over all rows are loaded only when the pointer enters the table.
    await statistics.hover()
    await statistics.locator('[data-tooltip*="over all 60 rows"]').first().waitFor()
    await assertNoViolations(tab)
  })

  test('names a tie, too few rows, and evaluations with nothing in common', async () => {
    const cases: [string, RegExp][] = [
      [path('same-1', 'same-2'), /^same-2 and same-1 are tied on exact: all 6 rows have the same score/],
      [
        path('single-1', 'single-2'),
        /^Too few rows to compare single-2 with single-1 on exact: 1 .*with a score in both, at least 6/,
      ],
      [
        path('same-1', 'other-1'),
        /^other-1 and same-1 have no scores in common\. 6 of 6 matched outputs differ\.$/,
      ],
      [`${path('same-1', 'single-1')}&by=input`, /^single-1 and same-1 have no matching rows\.$/],
    ]
    for (const [search, sentence] of cases) {
      await show(search)
      assert.match(await conclusionText(), sentence)
    }
    await show(`${path('plain-1', 'plain-2')}&show=all&row=a`)
    const rowClass = page.getByRole('complementary').locator('span:has(> strong)')
    assert.equal((await rowClass.textContent())?.trim(), 'incomparable')
  })

  test('handles too few, too many and unknown evaluations', async () => {
    await visit(page, '/compare')
    await page.getByText('Choose two to four evaluations.').waitFor()
    for (const name of [
      /^Support answer r5/,
      /^Support answer r4/,
      /^Support answer r6/,
      /^Support answer r3/,
    ])
      await page.getByRole('checkbox', { name }).check()
    const unchecked = await page.getByRole('checkbox', { checked: false }).all()
    assert.ok(unchecked.length > 0)
    for (const checkbox of unchecked) assert.ok(await checkbox.isDisabled())
    await assertNoViolations(tab)
    for (const name of [/^Support answer r6/, /^Support answer r3/])
      await page.getByRole('checkbox', { name }).uncheck()
    await button('Compare 2').click()
    await waitForSearch(searchOf(R4, R5))
    await show(path(...MANY, R4))
    await page.getByText(`evaluation=${R4} (at most 4)`).waitFor()
    await visit(page, path(R4, 'nope', R5))
    await page.getByText('Evaluation nope does not exist').waitFor()
    await assertNoViolations(tab)
    await button('Remove it').click()
    await waitForSearch(searchOf(R4, R5))
    await conclusion.getByRole('link').first().waitFor()
  })

  test('is accessible in the dark theme and on a narrow screen', async () => {
    const darkPage = await openPage({ baseUrl, key, path: path(...MANY), theme: 'dark', width: 700 })
    await darkPage.page.getByRole('region', { name: 'Statistics' }).getByRole('link').first().waitFor()
    await assertNoViolations(darkPage)
    assert.ok(await darkPage.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    await darkPage.context.close()
  })
})

/** Adds four evaluations with many evaluators and differences, and small ones for ties and missing data. */
async function addEvaluations(assay: Assay): Promise<void> {
  for (const [run, id] of MANY.entries()) {
    await assay.addEvaluation({ id, evaluators: [{ name: 'metric_1', threshold: run === 0 ? 0.7 : 0.5 }] })
    const evaluators = run === 1 ? EVALUATORS.slice(0, -1) : EVALUATORS
    await assay.appendScenarios(
      id,
      Array.from({ length: run === 1 ? 59 : 60 }, (_, row) =>
        scenario(
          run === 1 && row === 58 ? 'extra' : `s${row}`,
          evaluators.map((name, metric) => [name, metric === 10 && row % 3 <= run ? 0.1 : 0.5]),
          run === 1 && row < 5 ? 'other' : 'x',
        ),
      ),
    )
  }
  const small: [id: string, rows: ScenarioWrite[]][] = [
    ['same-1', SIX_ROWS.map((id) => scenario(id, [['exact', true]]))],
    ['same-2', SIX_ROWS.map((id) => scenario(id, [['exact', true]]))],
    ['plain-1', [scenario('a', [])]],
    ['plain-2', [scenario('a', [])]],
    ['other-1', SIX_ROWS.map((id) => scenario(id, [['label', true]], 'x', 'y'))],
    ['renamed-1', [scenario('c', []), scenario('b', []), withoutId(scenario('a', []))]],
    ['renamed-2', [{ ...scenario('a', []), id: 'b' }, scenario('c', []), withoutId(scenario('b', []))]],
    ...LONG_NAMES.map((id, index): [string, ScenarioWrite[]] => [
      id,
      SIX_ROWS.map((row) => scenario(row, [['exact', index === 0]])),
    ]),
    ...[0, 8].map((failed, index): [string, ScenarioWrite[]] => [
      `second-${index + 1}`,
      Array.from({ length: 12 }, (_, row) =>
        scenario(`${row}`, [
          ['first', true],
          ['second', row >= failed],
        ]),
      ),
    ]),
    ['single-1', [scenario('z', [['exact', true]])]],
    ['single-2', [scenario('z', [['exact', false]])]],
  ]
  for (const [id, rows] of small) {
    await assay.addEvaluation({ id })
    await assay.appendScenarios(id, rows)
  }
}

function withoutId({ id: _, ...others }: ScenarioWrite): ScenarioWrite {
  return others
}

function scenario(
  id: string,
  results: [name: string, value: boolean | number][],
  answer = 'x',
  output = 'x',
): ScenarioWrite {
  return {
    id,
    inputs: [{ name: 'question', type: 'text', value: id }],
    outputs: [{ result: { type: 'text', value: output }, latency: 1, cost: 0.001 }],
    correct_answers: [{ key: 'answer', value: answer }],
    results: results.map(([name, value]) => ({
      evaluator_config: name,
      result: { type: typeof value === 'number' ? 'number' : 'bool', value },
    })),
  }
}
