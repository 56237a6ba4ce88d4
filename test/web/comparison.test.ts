// The head of a comparison as people use it: the answer before the first row, the ways in, and what can be chosen.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Assay, type ScenarioWrite } from '../../client/client.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { freshStore, mint } from '../harness.ts'
import { assertSound, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const [R3, R4, R5, R6] = [3, 4, 5, 6].map((revision) => `support-answer-r${revision}`) as [
  string,
  string,
  string,
  string,
]
const MANY = ['many-1', 'many-2', 'many-3', 'many-4']
const EVALUATORS = Array.from({ length: 20 }, (_, index) => `metric_${index + 1}`)

const of = (...evaluations: string[]) => evaluations.map((id) => `evaluation=${id}`).join('&')
const path = (...evaluations: string[]) => `/compare?${of(...evaluations)}`

describe('the head of a comparison', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  await loadSample(store)
  const { base } = await servePage(store)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${base}/api`, key })
  await addEvaluations(assay)
  const opened = await openPage({ base, key })
  const { page } = opened
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const answer = page.getByRole('status', { name: 'Answer' })
  const figures = page.getByRole('region', { name: 'Figures' })
  const address = (search: string) => page.waitForURL((url) => url.search === `?${search}`, { timeout: 5000 })
  const said = async () => ((await answer.textContent()) ?? '').replaceAll(/[▲▼] /g, '')

  async function show(search: string): Promise<void> {
    await visit(page, search)
    await answer.locator('p').first().waitFor()
  }

  test('two runs selected in the list are compared with c, the older as the base, and the answer is there', async () => {
    for (const name of ['Select Support answer r5', 'Select Support answer r4']) {
      await page.getByRole('checkbox', { name }).check()
    }
    await page.keyboard.press('c')
    await address(of(R4, R5))
    await answer.getByRole('link').first().waitFor()
    assert.equal(
      await said(),
      'Support answer r5: three sentences is worse than Support answer r4: haiku at 0.2 on answer_correct: ' +
        '29 rows regressed, 4 improved. Also worse on faithfulness and cites_policy; better on cost.',
    )
    await page.getByText('support-answer r4 → r5: max_tokens and messages[0].content differ').waitFor()
    assert.equal(
      await page.getByRole('link', { name: 'diff', exact: true }).getAttribute('href'),
      '/variants/support-answer/revisions/4/diff/5',
    )
    await assertSound(opened)
  })

  test('an evaluation is compared with its baseline, and without one with what is chosen', async () => {
    await visit(page, `/evaluations/${R5}`)
    await button('vs ★ Support answer r4').waitFor()
    await page.keyboard.press('c')
    await address(of(R4, R5))
    await visit(page, `/evaluations/${R4}?base=`)
    await button('Compare with').waitFor()
    await button('Compare…').click()
    await page.getByRole('heading', { name: 'Compare Support answer r4: haiku at 0.2 with…' }).waitFor()
    await page.getByRole('searchbox', { name: 'Find an evaluation' }).fill('answer r3')
    await button(/Support answer r3/).click()
    // The older one is the base, wherever one came from.
    await address(of(R3, R4))
  })

  test('a count shows exactly its rows: filters go, its candidate comes first; reload keeps it, Back undoes it', async () => {
    const before = `${of(R4, R5, R6)}&latency=gt.1&order=latency.desc`
    await show(`/compare?${before}`)
    const { candidates } = await assay.compareEvaluations({ evaluation: [R4, R6] })
    const rows = candidates[0]?.evaluators.find(({ name }) => name === 'faithfulness')?.classes.improved
    const counted = `${rows} rows better than Support answer r4: haiku at 0.2 on faithfulness`
    await figures.getByRole('link', { name: counted }).last().click()
    await page.waitForURL(/show=improved/)
    const after = new URL(page.url()).searchParams
    assert.deepEqual(after.getAll('evaluation'), [R4, R6, R5])
    assert.deepEqual([...after.keys()].toSorted(), ['evaluation', 'evaluation', 'evaluation', 'on', 'show'])
    await page.reload()
    const chosen = figures.locator('[aria-current]')
    await chosen.waitFor()
    assert.equal(await chosen.textContent(), `▲${rows}`)
    assert.match(await said(), /^Support answer r6.* on faithfulness:/)
    await page.goBack()
    await address(before)
  })

  test('evaluations are added, moved, replaced and removed, and any of them made the base', async () => {
    await show(path(R4, R5))
    const chips = page.getByRole('list', { name: 'Evaluations that are compared' })
    const chip = (name: string) => chips.getByRole('button', { name })
    await chip('+ Add').click()
    // Those of the same variant come first.
    await button(/^Support answer r6/).click()
    await address(of(R4, R5, R6))
    await chip('Support answer r6').click()
    await button('Move to the left').click()
    await address(of(R4, R6, R5))
    await chip('Support answer r5').click()
    await button('Make it the base').click()
    await address(of(R5, R4, R6))
    await chip('Support answer r6').click()
    await button('Replace…').click()
    await button(/^Support answer r3/).click()
    await address(of(R5, R4, R3))
    await chip('Support answer r4').click()
    await button('Remove').click()
    await address(of(R5, R3))
    await answer.getByText('Support answer r3').waitFor()
    await show(path(...MANY))
    assert.equal(await chip('+ Add').count(), 0)
  })

  test('what rows are matched by can be chosen, and what cannot be is refused with a way out', async () => {
    await show(path(R4, R5))
    await button('matched by id').click()
    await button('The id of the scenario 100 % match').waitFor()
    await button('The input question').click()
    await address(`${of(R4, R5)}&by=input.question`)
    await button('matched by question').waitFor()
    await visit(page, `${path(R4, R5)}&by=input.nothing`)
    await page.getByRole('alert').getByText('nothing').waitFor()
    await button('Match rows automatically').click()
    await button('matched by id').waitFor()
  })

  test('the copied curl, run, answers what the screen counts; the copied link shows it again', async () => {
    const search = `${of(R4, R5)}&show=improved&on=cites_policy`
    await show(`/compare?${search}`)
    await page.keyboard.press('.')
    await button('curl').click()
    await page.getByText('Copied as curl').waitFor()
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    const env = { ...process.env, ASSAY_KEY: key }
    const { stdout } = await promisify(execFile)('sh', ['-c', await clipboard()], { env })
    const { total, rows, on } = JSON.parse(stdout)
    assert.equal(await figures.locator('[aria-current]').textContent(), `▲${total}`)
    assert.deepEqual([rows.length, on], [total, 'cites_policy'])
    await page.keyboard.press('y')
    await page.getByText('Link copied.').waitFor()
    assert.equal(await clipboard(), `${base}/compare?${search}&density=compact`)
  })

  test('what to beware of is said in a line, and told whole when asked', async () => {
    await show(path('many-1', 'many-2'))
    const warnings = page.getByRole('region', { name: 'Warnings' })
    const line = await warnings.textContent()
    for (const words of [
      '2 rows only in many-1, 1 only in many-2',
      '5 rows of many-2 with another correct answer',
      'many-2 has other settings of metric_1',
      'metric_20 not in both many-1 and many-2',
    ]) {
      assert.ok(line?.includes(words), `${words} in ${line}`)
    }
    await button('What does that mean?').click()
    await warnings.getByText('many-1: higher is better, threshold 0.7').waitFor()
    await warnings.getByText('many-2: higher is better, threshold 0.5').waitFor()
    await assertSound(opened)
    await warnings.getByRole('link', { name: 'Show them' }).click()
    await page.waitForURL(/show=missing/)
  })

  test('twenty evaluators of four evaluations scroll inside, beside their names, and what got worse comes first', async () => {
    await show(`${path(...MANY)}&on=metric_2`)
    const rows = figures.locator('tbody tr')
    const names = await rows.getByRole('rowheader').allTextContents()
    assert.deepEqual(names.slice(-2), ['latency', 'cost'])
    assert.equal(names.length, 6)
    // The one that is followed stays, however little it says.
    assert.ok(names.includes('metric_2') && names.includes('metric_11'), names.join())
    await button('Show all 20').click()
    assert.equal(await rows.count(), 22)
    const name = rows.getByRole('rowheader').first()
    const before = await name.boundingBox()
    const overflow = await figures.evaluate((element) => {
      element.scrollLeft = 300
      return [element.scrollWidth > element.clientWidth, element.scrollHeight > element.clientHeight]
    })
    assert.deepEqual(overflow, [true, true])
    assert.equal((await name.boundingBox())?.x, before?.x)
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    // Only where somebody points at a figure is it said what the evaluation scored over all of its rows.
    await figures.hover()
    await figures.locator('[title*="over all of its 60 rows"]').first().waitFor()
    await assertSound(opened)
  })

  test('a tie, too few rows and nothing in common are called that', async () => {
    const cases: [string, RegExp][] = [
      [path('same-1', 'same-2'), /^same-2 and same-1 are tied on exact: all 3 rows scored the same\.$/],
      [
        path('single-1', 'single-2'),
        /^There is not enough to tell single-2 from single-1 on exact: only 1 row/,
      ],
      [
        path('same-1', 'other-1'),
        /^No score says whether other-1 or same-1 is better: they have none in common\. 3 of 3 matched outputs differ\.$/,
      ],
      [
        `${path('same-1', 'single-1')}&by=input`,
        /^No row of single-1 matches one of same-1, so there is nothing/,
      ],
    ]
    for (const [search, words] of cases) {
      await show(search)
      assert.match(await said(), words)
    }
  })

  test('too few, too many and unknown evaluations are named, with what to do', async () => {
    await visit(page, '/compare')
    await page.getByText('Choose two to four evaluations.').waitFor()
    await button(/^Support answer r5/).click()
    await address(of(R5))
    await page.getByRole('heading', { name: 'Compare Support answer r5: three sentences with…' }).waitFor()
    await assertSound(opened)
    await show(path(...MANY, R4))
    await page.getByText(`evaluation=${R4} (4 are compared at most)`).waitFor()
    await visit(page, path(R4, 'nope', R5))
    await page.getByText('There is no evaluation nope').waitFor()
    await assertSound(opened)
    await button('Go on without it').click()
    await address(of(R4, R5))
    await answer.getByRole('link').first().waitFor()
  })

  test('nobody is kept out in the dark either, nor on a narrow screen', async () => {
    const dark = await openPage({ base, key, path: path(...MANY), theme: 'dark', width: 700 })
    await dark.page.getByRole('region', { name: 'Figures' }).getByRole('link').first().waitFor()
    await assertSound(dark)
    assert.ok(await dark.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    await dark.context.close()
  })
})

/** Four with many evaluators that do not fit together in all, and small ones that say little. */
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
    ['same-1', ['a', 'b', 'c'].map((id) => scenario(id, [['exact', true]]))],
    ['same-2', ['a', 'b', 'c'].map((id) => scenario(id, [['exact', true]]))],
    ['other-1', ['a', 'b', 'c'].map((id) => scenario(id, [['label', true]], 'x', 'y'))],
    ['single-1', [scenario('z', [['exact', true]])]],
    ['single-2', [scenario('z', [['exact', false]])]],
  ]
  for (const [id, rows] of small) {
    await assay.addEvaluation({ id })
    await assay.appendScenarios(id, rows)
  }
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
