// How an open row is laid out: which expected answer comes first, how much of the input is visible, and what stays in view.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { Assay, type EvaluationScenario, type ScenarioWrite } from '../../client/client.ts'
import { answerPairsOf } from '../../web/src/row-panel/answer/answer-pairs.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { waitUntil } from '../support/worker-service.ts'
import { assertNoViolations, openPage, SIZE, servePage, visit, WITHOUT_BROWSER } from './browser.ts'
import { loadPageModules } from './page-modules.ts'

const TRACE =
  'Traceback (most recent call last):\n  File "run.py", line 3, in answer\nTimeoutError: no response'
const LONG_TEXT = Array.from({ length: 80 }, (_, index) => `Paragraph ${index} of the text.`).join('\n\n')
const TOP_BAR = 48
const scoreResult = (value: number) => ({ evaluator_config: 'judge', result: { type: 'number', value } })
const RESULTS = [{ evaluator_config: 'exact', result: { type: 'bool', value: false } }, scoreResult(0.25)]

function row(id: string, inputs: unknown[], output: unknown, expected: string[] = []): ScenarioWrite {
  return {
    id,
    inputs: inputs.map((value, index) => ({ name: `input_${index + 1}`, type: 'json', value })),
    outputs: [{ result: { type: 'json', value: output } }],
    correct_answers: expected.map((value) => ({ key: 'answer', value })),
    results: RESULTS,
    // Rows with the same inputs would be repeats otherwise.
    extra: { sample: id, results: [{ reason: 'The city is wrong.' }] },
  }
}

function expectedOrder(output: unknown, answers: [key: string, value: string][]): string[] {
  const scenario = {
    outputs: [{ result: { type: 'json', value: output } }],
    correct_answers: answers.map(([key, value]) => ({ key, value })),
  } as unknown as EvaluationScenario
  const options = { scenario, outputIndex: 0, hasBaseline: false, baseline: undefined }
  return answerPairsOf(options).map(({ other }) => String(other?.value))
}

describe('expected answers', () => {
  test('start with the one that is most similar to the output', () => {
    assert.deepEqual(
      expectedOrder('It takes thirty days', [
        ['a', 'Ask a colleague'],
        ['b', 'Thirty days'],
        ['c', 'It is free'],
      ]),
      ['Thirty days', 'Ask a colleague', 'It is free'],
    )
    assert.deepEqual(
      expectedOrder('送料は無料です', [
        ['a', '三十日'],
        ['a', '送料は有料です'],
      ])[0],
      '送料は有料です',
    )
  })

  test('start with an equal answer, also if another one has the same characters', () => {
    assert.equal(
      expectedOrder('aaa', [
        ['a', 'aaaa'],
        ['b', 'aaa'],
      ])[0],
      'aaa',
    )
    assert.equal(
      expectedOrder(7, [
        ['a', '8'],
        ['b', '7'],
      ])[0],
      '7',
    )
  })

  test('keep their order if they belong to members of the output', () => {
    const output = { category: 'billing', urgency: 'low' }
    assert.deepEqual(
      expectedOrder(output, [
        ['urgency', 'high'],
        ['category', 'billing'],
      ]),
      ['high', 'billing'],
    )
  })
})

test('texts are shown before JSON, and long values share what short ones leave', async () => {
  type Module = { limitHeights: (heights: number[], isLast: boolean[], total: number) => number[] }
  const [{ limitHeights }] = await loadPageModules<[Module]>('row-panel/shared-height.ts')
  const unlimited = Number.POSITIVE_INFINITY
  assert.deepEqual(limitHeights([20, 100], [false, false], 200), [unlimited, unlimited])
  assert.deepEqual(limitHeights([20, 500, 600], [false, false, false], 300), [140, 140, 140])
  assert.deepEqual(limitHeights([120, 900], [false, true], 300), [unlimited, 180])
  // Everything has at least a few lines.
  assert.deepEqual(limitHeights([500, 500], [false, true], 50), [76, 76])
})

describe('an open row', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  await assay.appendScenarios('rows', [
    row('long', [LONG_TEXT], LONG_TEXT.replace('Paragraph 40', 'Section 40'), [LONG_TEXT]),
    row('json', ['x'], { city: 'Sydney', n: 1 }, ['{"city":"Canberra","n":1}']),
    row(
      'chat',
      [[{ role: 'user', content: 'Which city?' }]],
      [{ role: 'assistant', content: 'Sydney' }],
      ['Canberra'],
    ),
    { ...row('failed', ['x'], null), outputs: [{ result: { type: 'error', error: { message: TRACE } } }] },
    row('alone', ['x'], 'Sydney'),
    { ...row('zero', ['x'], 'Sydney'), results: [scoreResult(0)] },
    { ...row('unscored', ['x'], 'Sydney'), results: [] },
    {
      ...row('many', ['x'], null, ['Canberra']),
      outputs: Array.from({ length: 30 }, (_, index) => ({
        result: { type: 'text', value: `text ${index}` },
      })),
      results: [],
    },
  ])
  const opened = await openPage({ baseUrl, key, path: '/evaluations/rows?row=long' })
  const { page } = opened
  const panel = page.getByRole('complementary', { name: 'Scenario' })
  const input = panel.getByRole('region', { name: 'Input', exact: true })
  const results = panel.getByRole('region', { name: 'Results', exact: true })
  const open = async (id: string) => {
    // Otherwise the panel shows the previous row until this one is loaded.
    await visit(page, '/evaluations/rows')
    await panel.waitFor({ state: 'detached' })
    await visit(page, `/evaluations/rows?row=${id}`)
    await results.waitFor()
  }
  const box = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

  test('shows half of a long input, and the rest on request', async () => {
    await input.getByRole('button', { name: 'Show all' }).waitFor()
    // An observer of sizes sets the height after the text is on the page.
    const isCut = async () => {
      const { height } = await box(input)
      return height > 300 && height <= (SIZE.height - TOP_BAR) / 2
    }
    await waitUntil(isCut)
    await input.getByRole('button', { name: 'Show all' }).click()
    await waitUntil(async () => (await box(input)).height > SIZE.height)
    await input.getByRole('button', { name: 'Show less' }).click()
    await waitUntil(isCut)
  })

  test('many outputs are in one line that scrolls', async () => {
    await open('many')
    const picker = panel.getByRole('group', { name: 'Output' })
    const { x, width } = await box(picker)
    assert.ok(x + width < SIZE.width - 40, `ends at ${x + width}`)
    await picker.getByRole('button', { name: '30', exact: true }).click()
    await panel.getByText('Output 30 of 30', { exact: true }).waitFor()
    await open('long')
  })

  test('keeps results in view while a long output scrolls, in one scroll area', async () => {
    const change = panel.locator('ins').first()
    await change.waitFor()
    await change.scrollIntoViewIfNeeded()
    const reason = results.getByText('The city is wrong.')
    const { y } = await box(reason)
    assert.ok(y > 0 && y < SIZE.height, `the reason is at ${y}`)
    const scrollAreas = await panel.evaluate(
      (element) =>
        [element, ...element.querySelectorAll('*')].filter(
          (one) => /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight,
        ).length,
    )
    assert.equal(scrollAreas, 1)
  })

  test('compares JSON as JSON: only the changed member differs', async () => {
    await open('json')
    await panel.locator('del', { hasText: 'Canberra' }).waitFor()
    assert.equal(await panel.locator('del').count(), 1)
  })

  test('shows conversations as messages, and their exact JSON after one click', async () => {
    await open('chat')
    await input.getByText('conversation, 1 message').waitFor()
    await input.getByText('User', { exact: true }).waitFor()
    await input.getByRole('button', { name: 'JSON' }).click()
    await input.getByText('"role"').waitFor()
    await panel.getByRole('region', { name: 'Expected' }).getByText('Canberra').waitFor()
    const output = panel.getByRole('region', { name: 'Output', exact: true }).first()
    await output.getByRole('button', { name: 'JSON' }).click()
    await output.getByText('"assistant"').first().waitFor()
    await assertNoViolations(opened)
  })

  test('shows the lines of a traceback, and an output without an expected answer', async () => {
    await open('failed')
    const failure = panel.getByRole('region', { name: 'Output failed' })
    assert.ok((await failure.innerText()).includes(TRACE))
    await open('alone')
    await panel.getByText('Sydney', { exact: true }).waitFor()
    assert.equal(await panel.getByRole('button', { name: 'Compare with:' }).count(), 0)
  })

  test('shows scores with the decimals of the table', async () => {
    await open('zero')
    for (const area of [page.getByRole('row', { selected: true }), panel.getByRole('list'), results]) {
      await area.getByText('0.00', { exact: true }).waitFor()
    }
  })

  test('has no empty line above the input if the row has no results', async () => {
    await open('unscored')
    assert.equal(await panel.getByRole('list', { name: 'Summary' }).count(), 0)
    const [header, { y }] = [await box(panel.locator('header')), await box(input)]
    assert.equal(y - header.y - header.height, 8)
    await open('alone')
    await panel.getByRole('list', { name: 'Summary' }).getByText('judge').waitFor()
  })

  test('shows the JSON of the row with v, in the address and for the next row', async () => {
    await page.keyboard.press('v')
    await page.waitForURL(/view=json/)
    const json = panel.getByText('"evaluator_config": "exact"')
    await json.waitFor()
    const row = panel.getByRole('region', { name: 'JSON of this row' })
    assert.ok((await box(json)).width > (await box(row)).width - 40, 'the JSON has the full width')
    await page.keyboard.press('k')
    await panel.getByText('"message": "Traceback').waitFor()
    await page.keyboard.press('v')
    await results.waitFor()
    assert.equal(new URL(page.url()).searchParams.has('view'), false)
  })

  test('stacks results below the texts if the row is narrow', async () => {
    await open('json')
    const [texts, sideResults] = [await box(panel.locator('del')), await box(results)]
    assert.ok(sideResults.x > texts.x && sideResults.y < texts.y)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.waitForFunction(() => innerWidth === 390)
    const [narrowTexts, narrowResults] = [await box(panel.locator('del')), await box(results)]
    assert.ok(narrowResults.y > narrowTexts.y)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    assert.deepEqual(opened.faults, [])
  })
})
