// The decision of the regression gate on the comparison page in Chromium: the words and reasons are those of the service.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay, type EvaluationWrite } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { assertNoViolations, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const ROWS = 20
/** A script, and characters that change the direction of the text after them. */
const HOSTILE = `<img src=x onerror="document.title='run'">\u202e\u2067 'is not worse.'`
const LONG = `long_${'name_'.repeat(30)}`

const path = (...evaluations: string[]) => `/compare?${evaluations.map((id) => `evaluation=${id}`).join('&')}`

describe('the gate on the comparison page', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  const addEvaluation = async (
    id: string,
    passing: number,
    { names = ['correct'], ...fields }: Omit<EvaluationWrite, 'id'> & { names?: string[] } = {},
  ) => {
    await assay.addEvaluation({ id, ...fields })
    await assay.appendScenarios(
      id,
      Array.from({ length: ROWS }, (_, row) => ({
        id: `s${row}`,
        inputs: [{ name: 'question', type: 'text', value: `question ${row}` }],
        outputs: [{ result: { type: 'text', value: 'x' } }],
        results: [
          ...names.map((name) => ({
            evaluator_config: name,
            result: { type: 'bool', value: row < passing },
          })),
          { evaluator_config: 'length', result: { type: 'number', value: row } },
        ],
      })),
    )
  }
  await addEvaluation('base', 18)
  await addEvaluation('worse', 6)
  await addEvaluation('same', 18)
  await addEvaluation('running', 18, { status: 'running' })
  await addEvaluation('hostile-base', 20, { names: [HOSTILE, LONG] })
  await addEvaluation('hostile-worse', 0, { names: [HOSTILE, LONG] })
  const tab = await openPage({ baseUrl, key, path: '/variants' })
  const { page } = tab
  const gateButton = (name: string) => page.getByRole('button', { name, exact: true })
  const popover = page.locator(':popover-open')
  const gatesOf = async (...evaluation: string[]) =>
    (await assay.compareEvaluations({ evaluation })).candidates.map(({ gate }) => gate)

  const cases = [
    ['worse', 'failed', 'Gate: would fail', /^'correct' is certainly worse: observed loss 60 points/],
    ['same', 'passed', 'Gate: would pass', /^'correct' /],
    ['running', 'invalid', 'Gate: cannot be decided', /^'running' is still running\.$/],
  ] as const

  for (const [candidate, decision, name, mainReason] of cases) {
    test(`shows a decision that is ${decision}, with its reasons on demand`, async () => {
      const [gate] = await gatesOf('base', candidate)
      const details = gate?.reasons.map(({ detail }) => detail) ?? []
      assert.equal(gate?.decision, decision)
      assert.match(details[0] ?? '', mainReason)
      await visit(page, path('base', candidate))
      await gateButton(name).waitFor()
      assert.equal(await page.getByRole('button', { name: /^Gate/ }).count(), 1)
      await page.getByText(details[0] ?? '', { exact: true }).waitFor()
      await gateButton(name).press('Enter')
      await popover.getByRole('listitem').first().waitFor()
      assert.deepEqual(await popover.getByRole('listitem').allTextContents(), details)
      await popover.getByText('Not checked: length.', { exact: true }).waitFor()
      await assertNoViolations(tab)
      // Many reasons scroll, so the keyboard must reach them.
      await page.keyboard.press('Tab')
      assert.ok(await popover.evaluate((element) => element.contains(document.activeElement)))
      await page.keyboard.press('Escape')
      await popover.waitFor({ state: 'detached' })
      assert.ok(await gateButton(name).evaluate((element) => element === document.activeElement))
    })
  }

  test('names the candidate of each decision if there are several', async () => {
    const candidates = ['running', 'worse', 'same']
    const gates = await gatesOf('base', ...candidates)
    await visit(page, path('base', ...candidates))
    const words = ['cannot be decided', 'would fail', 'would pass']
    for (const [index, candidate] of candidates.entries()) {
      const details = gates[index]?.reasons.map(({ detail }) => detail) ?? []
      const button = gateButton(`Gate for ${candidate} ${words[index]}`)
      await button.click()
      await popover.getByRole('listitem').first().waitFor()
      assert.deepEqual(await popover.getByRole('listitem').allTextContents(), details)
      await page.keyboard.press('Escape')
      await popover.waitFor({ state: 'detached' })
      // With room, the decision is on the line of the sentence about the candidate.
      const sentence = page.getByRole('status', { name: 'Conclusion' }).locator('p').nth(index)
      const [sentenceBox, buttonBox] = [await sentence.boundingBox(), await button.boundingBox()]
      assert.ok(sentenceBox && buttonBox && Math.abs(sentenceBox.y - buttonBox.y) < 4)
    }
    assert.equal(await page.getByRole('button', { name: /^Gate/ }).count(), candidates.length)
    await assertNoViolations(tab)
    // Next to an open row, the table needs the lines.
    await visit(page, `${path('base', ...candidates)}&show=all&row=s1`)
    await gateButton('Gate for worse would fail').waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await gateButton('Gate for worse would fail').waitFor()
  })

  test('shows hostile and long names of evaluators as text that fits, in both themes', async () => {
    const [gate] = await gatesOf('hostile-base', 'hostile-worse')
    const details = gate?.reasons.map(({ detail }) => detail) ?? []
    assert.ok(details[0]?.includes(HOSTILE) && details[1]?.includes(LONG), details.join('\n'))
    for (const [theme, width] of [
      ['light', 1512],
      ['dark', 390],
    ] as const) {
      const opened = await openPage({
        baseUrl,
        key,
        path: path('hostile-base', 'hostile-worse'),
        theme,
        width,
      })
      const button = opened.page.getByRole('button', { name: 'Gate: would fail', exact: true })
      await button.click()
      const items = opened.page.locator(':popover-open').getByRole('listitem')
      await items.first().waitFor()
      assert.deepEqual(await items.allTextContents(), details)
      for (const reason of [button.locator('xpath=following-sibling::bdi'), items.first().locator('bdi')]) {
        assert.equal(await reason.textContent(), details[0])
        assert.equal(await reason.locator('*').count(), 0)
      }
      assert.equal(await opened.page.locator('img').count(), 0)
      assert.ok(await opened.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      const box = await opened.page.locator(':popover-open').boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= width)
      await assertNoViolations(opened)
      await opened.context.close()
    }
  })

  test('shows the same decision and reasons with a share link of the comparison', async () => {
    const [gate] = await gatesOf('base', 'worse')
    const { key: shareKey } = await assay.createShare({
      confined_to: { comparison: ['base', 'worse'] },
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    const shared = await openPage({ baseUrl, key: shareKey, path: path('base', 'worse') })
    await shared.page.getByRole('button', { name: 'Gate: would fail', exact: true }).click()
    const items = shared.page.locator(':popover-open').getByRole('listitem')
    await items.first().waitFor()
    assert.deepEqual(
      await items.allTextContents(),
      gate?.reasons.map(({ detail }) => detail),
    )
    assert.deepEqual(shared.faults, [])
  })
})
