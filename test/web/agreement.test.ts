// The page that compares a judge with people: the sentence, the counts, the rows behind them, and the best threshold.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { judgeNames } from '../../web/src/pages/agreement/names.ts'
import { thresholdLayout } from '../../web/src/pages/agreement/threshold-layout.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { assertNoViolations, chooseOption, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'
import { FIRST_ROW } from './page-states.ts'

const EVALUATION = 'support-answer-r6'
const NAMES = { evaluator: 'judge', with: 'human_verdict' }

test('people are the truth and language models are checked, unless others are requested', () => {
  const names = ['exact', 'judge', 'person', 'second_judge']
  const evaluators = [
    { name: 'judge', kind: 'model' as const },
    { name: 'second_judge', kind: 'model' as const },
    { name: 'person', kind: 'human' as const },
  ]
  const choose = (requested: Parameters<typeof judgeNames>[2]) => judgeNames(names, { evaluators }, requested)
  assert.deepEqual(choose({}), { evaluator: 'judge', with: 'person' })
  assert.deepEqual(choose({ evaluator: 'exact' }), { evaluator: 'exact', with: 'person' })
  assert.deepEqual(choose({ with: 'judge' }), { evaluator: 'second_judge', with: 'judge' })
  assert.deepEqual(choose({ evaluator: 'person' }), { evaluator: 'person', with: 'second_judge' })
  assert.deepEqual(judgeNames(['a', 'b'], { evaluators: null }, {}), { evaluator: 'a', with: 'b' })
  assert.equal(judgeNames(['a'], { evaluators: null }, {}), undefined)
})

test('the plot has its labels inside, and marks the declared threshold only where it is drawn', () => {
  const points = [0.9, 0.1, 0.5].map((threshold) => ({
    threshold,
    kappa: threshold,
    interval: [0, 1] as [number, number],
  }))
  const layout = (best: number, now: number | null) =>
    thresholdLayout(points, {
      ...{ width: 400, height: 168, now },
      best: { threshold: best, kappa: best } as Parameters<typeof thresholdLayout>[1]['best'],
    })
  assert.deepEqual(layout(0.9, 0.5).now?.anchor, 'end')
  assert.deepEqual([layout(0.9, 0.5).best.anchor, layout(0.1, 0.5).best.anchor], ['end', 'start'])
  assert.equal(layout(0.5, 7).now, undefined)
  assert.equal(layout(0.5, null).now, undefined)
  const xs = layout(0.5, 0.1)
    .line.split(' ')
    .map((point) => Number(point.split(',')[0]))
  assert.deepEqual(
    xs,
    xs.toSorted((a, b) => a - b),
  )
})

describe('the page of a judge', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  const opened = await openPage({ baseUrl, key, path: `/evaluations/${EVALUATION}` })
  const { page } = opened
  const { verdicts, best_threshold: best } = await assay.getEvaluationAgreement(EVALUATION, NAMES)
  assert.ok(verdicts && best)
  const rows = page.getByRole('region', { name: 'Rows' }).locator('tbody tr')

  test('opens from the evaluation, and says how well the judge agrees and in which direction it errs', async () => {
    await page.locator(FIRST_ROW).waitFor()
    await page.getByRole('link', { name: 'Can I trust judge?' }).click()
    await page.getByRole('heading', { name: 'Can I trust this judge?' }).waitFor()
    const { both_pass, both_fail, only_evaluator, only_with } = verdicts
    const sentence = page.getByRole('status').filter({ hasText: 'agrees with people' })
    await rows.first().waitFor()
    const text = (await sentence.innerText()).replaceAll('\u00a0', ' ')
    assert.ok(text.includes(`${both_pass + both_fail} of ${verdicts.n} rows`), text)
    assert.ok(text.includes(only_evaluator > only_with ? 'too generous than' : 'too strict than'), text)
    assert.equal(await rows.count(), only_evaluator + only_with)
    await assertNoViolations(opened)
  })

  test('each count lists its rows, with the reasons of both', async () => {
    const counts = [
      ['false pass', verdicts.only_evaluator, 'pass', 'fail'],
      ['false fail', verdicts.only_with, 'fail', 'pass'],
    ] as const
    for (const [label, count, judge, people] of counts) {
      await page.getByRole('link', { name: `${count} ${label}`, exact: true }).click()
      await page
        .getByRole('button', { name: new RegExp(`^${label} ${count}$`, 'i'), pressed: true })
        .waitFor()
      const cells = rows.first().locator('td')
      await cells.filter({ hasText: judge }).first().waitFor()
      await page.waitForFunction(
        (expected) => document.querySelectorAll('tbody th code').length === expected,
        count,
      )
      assert.equal((await cells.nth(0).innerText()).trim(), judge)
      assert.equal((await cells.nth(3).innerText()).trim(), people)
    }
    const [first] = (
      await assay.listEvaluationRows(EVALUATION, {
        ...{ 'result.judge': 'is.false', 'result.human_verdict': 'is.true' },
        ...{ order: 'result.judge.asc', include: 'reasons', limit: 1 },
      })
    ).rows
    const index = first?.results.findIndex(({ evaluator_config }) => evaluator_config === 'judge') ?? -1
    assert.equal(await rows.first().locator('th').innerText(), first?.id)
    assert.equal(await rows.first().locator('td').nth(2).innerText(), first?.reasons?.[index]?.reason ?? '')
  })

  test('the count of rows without a verdict is that of the listed rows', async () => {
    const { total } = await assay.listEvaluationRows(EVALUATION, {
      'result.human_verdict': 'is.null',
      limit: 1,
    })
    assert.ok(total > 0)
    await page.getByRole('button', { name: `No verdict yet ${total}`, exact: true }).click()
    await page.waitForFunction((count) => document.querySelectorAll('tbody th code').length === count, total)
    await page.getByRole('button', { name: /^Disagree/ }).click()
    await page.getByRole('button', { name: /^Disagree/, pressed: true }).waitFor()
  })

  test('the rows can be reached and opened by keyboard', async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const second = await rows.nth(1).locator('th').innerText()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('row') === second)
    await page.goBack()
    await page.getByRole('heading', { name: 'Can I trust this judge?' }).waitFor()
  })

  test('the best threshold is set with one click, and nothing else of the evaluation changes', async () => {
    const before = await assay.getEvaluation(EVALUATION)
    await page.getByRole('button', { name: `Use ${best.threshold}` }).click()
    await page.getByText('is the best threshold on these rows').waitFor()
    const after = await assay.getEvaluation(EVALUATION)
    const expected = before.evaluators?.map((declared) =>
      declared.name === 'judge' ? { ...declared, threshold: best.threshold } : declared,
    )
    assert.deepEqual(after, { ...before, evaluators: expected, updated_at: after.updated_at })
    assert.equal(await page.getByRole('button', { name: /^Use/ }).count(), 0)
  })

  test('other evaluators can be compared, and one alone says what is missing', async () => {
    await chooseOption(page, 'Evaluator', 'answer_correct')
    await page.waitForURL((url) => url.searchParams.get('evaluator') === 'answer_correct')
    await page.getByRole('status').filter({ hasText: 'answer_correct agrees' }).waitFor()
    await assay.appendScenarios('alone', [
      { id: 'a', results: [{ evaluator_config: 'exact', result: { type: 'bool', value: true } }] },
    ])
    await visit(page, '/evaluations/alone/agreement')
    await page.getByRole('heading', { name: 'There is nothing to compare a judge with' }).waitFor()
    await assertNoViolations(opened)
  })
})
