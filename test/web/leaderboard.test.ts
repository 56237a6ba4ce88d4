// The leaderboard page in a browser, and its parts that need none: names, the plot, and when rows broke.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay, type Leaderboard, type LeaderboardRows, type ScenarioWrite } from '../../client/client.ts'
import { shortNames } from '../../web/src/navigation/short-names.ts'
import { tradeOffLayout } from '../../web/src/pages/leaderboard/plot/trade-off-layout.ts'
import { rankLabel } from '../../web/src/pages/leaderboard/scores.ts'
import { largestBreak } from '../../web/src/pages/variant/row-breaks.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { assertNoViolations, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

type Ranked = Leaderboard['evaluations'][number]

function ranked(id: string, members: Partial<Ranked> = {}): Ranked {
  return { id, name: null, variant_id: null, revision: null, provider: null, ...members } as Ranked
}

describe('short names of ranked evaluations', () => {
  const namesOf = (...evaluations: Ranked[]) => [...shortNames(evaluations).values()]

  test('are revisions, providers or names: the first that tells all of them apart', () => {
    const bot = { variant_id: 'bot', provider: 'openai' }
    assert.deepEqual(namesOf(ranked('a', { ...bot, revision: 1 }), ranked('b', { ...bot, revision: 2 })), [
      'r1',
      'r2',
    ])
    const [first, second] = [ranked('a', { provider: 'gpt', name: 'A' }), ranked('b', { provider: 'claude' })]
    assert.deepEqual(namesOf(first, second), ['gpt', 'claude'])
    assert.deepEqual(namesOf(first, { ...second, provider: 'gpt' }), ['A', 'b'])
    const models = ['openai:chat:gpt-5', 'anthropic:haiku'].map((provider) => ranked(provider, { provider }))
    assert.deepEqual(namesOf(...models), ['gpt-5', 'haiku'])
    const sameModel = ['azure:gpt-5', 'openai:gpt-5'].map((provider) => ranked(provider, { provider }))
    assert.deepEqual(namesOf(...sameModel), ['azure:gpt-5', 'openai:gpt-5'])
    const named = (...names: string[]) => namesOf(...names.map((name) => ranked(name, { name })))
    assert.deepEqual(named('Triage on gpt-5', 'Triage on gpt-5-mini'), ['gpt-5', 'gpt-5-mini'])
    assert.deepEqual(named('Triage', 'Triage r2'), ['Triage', 'Triage r2'])
    assert.deepEqual(named('Triage ', 'Triage r2'), ['Triage ', 'Triage r2'])
  })

  test('a rank is a range unless the data leave one', () => {
    assert.deepEqual([rankLabel([1, 4]), rankLabel([6, 6])], ['1–4', '6'])
  })
})

describe('the plot of a trade-off', () => {
  const point = (id: string, measure: number, score: number, isOnFrontier = true) => ({
    id,
    name: id,
    measure,
    score,
    low: score - 5,
    high: score + 5,
    isOnFrontier,
  })
  const options = { width: 560, height: 376, maximum: 100, format: String }

  test('has a log axis with round labels, and a linear one if a cost is 0', () => {
    const layout = tradeOffLayout([point('a', 0.01, 60), point('b', 0.4, 90)], options)
    assert.ok(layout.isLogarithmic)
    assert.deepEqual(
      layout.measureTicks.map(({ label }) => label),
      ['0.01', '0.02', '0.05', '0.1', '0.2', '0.5'],
    )
    const free = tradeOffLayout([point('a', 0, 60), point('b', 0.4, 90)], options)
    assert.ok(!free.isLogarithmic)
    for (const { x } of free.points) assert.ok(x >= free.area.left && x <= free.area.right)
  })

  test('joins the frontier from left to right, and places no name over another', () => {
    const points = Array.from({ length: 12 }, (_, index) =>
      point(`model-${index}`, 0.1 * 1.05 ** index, 80 + (index % 3), index % 2 === 0),
    )
    const { frontier, names } = tradeOffLayout(points.toReversed(), options)
    const xs = frontier.map(({ x }) => x)
    assert.deepEqual(
      xs,
      xs.toSorted((a, b) => a - b),
    )
    assert.equal(frontier.length, 6)
    const boxes = names.map(({ text, x, y, anchor }) => {
      const width = text.length * 7
      return { left: anchor === 'end' ? x - width : x, width, y }
    })
    for (const [index, box] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        const areApart =
          box.left + box.width <= other.left ||
          other.left + other.width <= box.left ||
          Math.abs(box.y - other.y) >= 14
        assert.ok(areApart, `${JSON.stringify(box)} ${JSON.stringify(other)}`)
      }
    }
  })
})

describe('when rows broke', () => {
  const rowsOf = (states: string[], total = states.length) =>
    ({
      evaluations: ['r4', 'r3', 'r2', 'r1'],
      total,
      // "ffpp": the newest first.
      rows: states.map((row) => ({
        spread: 0.5,
        cells: [...row].map((letter) => ({ state: { f: 'fail', p: 'pass', e: 'error' }[letter] })),
      })),
    }) as unknown as LeaderboardRows

  test('counts the rows that fail since an evaluation and passed before it', () => {
    assert.deepEqual(largestBreak(rowsOf(['ffpp', 'fffp', 'ffpf', 'pfpp', 'ffff', 'fepp'])), {
      evaluation: 'r3',
      rows: 2,
      isPart: false,
    })
    assert.equal(largestBreak(rowsOf(['pppp', 'ffff', 'pfff'])), undefined)
  })

  test('says when there can be more of them', () => {
    assert.equal(largestBreak(rowsOf(['ffpp'], 300))?.isPart, true)
  })
})

/** Row `index` passes if it is below `passes`. The last evaluation lacks some rows, and one has an error. */
function scenarios(passes: number, cost: number, latency: number): ScenarioWrite[] {
  return Array.from({ length: 60 }, (_, index) => ({
    id: `s${index}`,
    inputs: [
      { name: 'question', type: 'text', value: `Question ${index}` },
      { name: 'customer', type: 'json', value: { tier: 'Hiker' } },
    ],
    outputs: [{ result: { type: 'text', value: 'An answer' }, cost, latency }],
    results: [
      {
        evaluator_config: 'exact',
        result:
          index === 59 && passes === 40
            ? { type: 'error', error: { message: 'Timeout' } }
            : { type: 'bool', value: index < passes },
      },
      { evaluator_config: 'words', result: { type: 'number', value: index % 7 } },
    ],
  })) as ScenarioWrite[]
}

describe('the leaderboard page', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  await assay.addVariant({ id: 'bot' })
  for (let revision = 1; revision <= 4; revision += 1)
    await assay.addVariantRevision('bot', { modified_by: 'ana', config: { config_name: `v${revision}` } })
  const runs: [passes: number, cost: number, latency: number][] = [
    [57, 0.09, 2.4],
    [56, 0.01, 1.2],
    [40, 0.03, 0.4],
    [30, 0.02, 3],
  ]
  for (const [index, run] of runs.entries()) {
    const revision = index + 1
    await assay.addEvaluation({ id: `run-${revision}`, name: `Run ${revision}`, variant_id: 'bot', revision })
    await assay.appendScenarios(`run-${revision}`, scenarios(...run).slice(0, revision === 4 ? 58 : 60))
  }
  const openedPage = await openPage({ baseUrl, key, path: '/leaderboard?variant_id=eq.bot' })
  const { page } = openedPage
  const ranking = page.getByRole('region', { name: 'Ranking' })
  await ranking.getByRole('row', { name: 'Run 4' }).waitFor()

  test('ranks with ranges, changes to the best and outcomes in words', async () => {
    const texts = await ranking.getByRole('row').allTextContents()
    assert.match(texts[1] ?? '', /^1–2Run 1bot r1.*best.*0\.092?.*/)
    assert.match(texts[2] ?? '', /^1–2Run 2.*tied/)
    assert.match(texts[3] ?? '', /^3(?:–4)?Run 3.*worse/)
    await page.getByText('r1 has the highest exact, but 2 evaluations are tied for first.').waitFor()
    await page.getByText(/r2 is one of them and costs 88\.9 % less\./).waitFor()
    await page.getByText('58 of 60 rows have a score in all 4 evaluations.').waitFor()
    await assertNoViolations(openedPage)
  })

  test('compares with the best from a row, and the selected ones with the button and the key', async () => {
    const link = ranking.getByRole('link', { name: 'Run 3' })
    assert.match(
      (await link.getAttribute('href')) ?? '',
      /^\/compare\?evaluation=run-1&evaluation=run-3&on=exact$/,
    )
    await page.getByRole('button', { name: 'Compare 2' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('c')
    await page.waitForURL(`${baseUrl}/compare?evaluation=run-2&evaluation=run-3`)
    await visit(page, '/leaderboard?variant_id=eq.bot')
    await ranking.waitFor()
  })

  test('plots cost and latency with the frontier, and each point leads to its comparison', async () => {
    const plot = page.getByRole('region', { name: 'Trade-off' })
    await plot.getByText(/r3 and r4 are faded/).waitFor()
    await plot.getByRole('button', { name: 'Latency' }).click()
    await page.waitForURL((url) => url.searchParams.get('axis') === 'latency')
    await plot.getByText('median latency of a row, log scale; left is better').waitFor()
    await plot.getByRole('link', { name: /^r3, .* %, 0\.40 s$/ }).click()
    await page.waitForURL(`${baseUrl}/compare?evaluation=run-1&evaluation=run-3&on=exact`)
    await visit(page, '/leaderboard?variant_id=eq.bot')
    await ranking.waitFor()
  })

  test('ranks by another evaluator from the menu, and adds an evaluation', async () => {
    await page.getByRole('button', { name: 'exact' }).click()
    await page.locator(':popover-open').getByRole('button', { name: 'words' }).click()
    await page.waitForURL((url) => url.searchParams.get('on') === 'words')
    await page.getByText(/has the highest words, but all evaluations are tied for first/).waitFor()
    await visit(page, '/leaderboard?evaluation=run-1&evaluation=run-2')
    await page.getByText('2 evaluations on the same 60 rows').waitFor()
    await page.getByRole('button', { name: 'Add evaluation' }).click()
    await page.locator(':popover-open').getByRole('button', { name: 'Run 3' }).click()
    await page.waitForURL(`${baseUrl}/leaderboard?evaluation=run-1&evaluation=run-2&evaluation=run-3`)
    await page.getByText('3 evaluations on the same 59 rows').waitFor()
  })

  test('shows rows × evaluations in the order of time, and opens a cell in its evaluation', async () => {
    await visit(page, '/leaderboard?variant_id=eq.bot')
    await ranking.waitFor()
    await page.getByRole('link', { name: 'Rows 60' }).click()
    const grid = page.getByRole('grid', { name: 'Rows' })
    await grid.getByText('Question 45', { exact: true }).waitFor()
    // Structured inputs are not shown.
    assert.deepEqual(
      (await grid.getByRole('columnheader').allTextContents()).map((text) => text.replace(/[\d.]+$/, '')),
      ['#', 'question', 'r', 'r', 'r', 'r', 'passed'],
    )
    const row = grid.getByRole('row', { name: 'Question 45' })
    const states = await row
      .locator('[role=gridcell][aria-label]')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')))
    assert.deepEqual(states, ['pass', 'pass', 'fail', 'fail'])
    await row.getByText('2 of 4', { exact: true }).waitFor()
    await assertNoViolations(openedPage)
    await row.getByRole('gridcell').nth(4).click()
    await page.waitForURL(`${baseUrl}/evaluations/run-3?row=s45&on=exact`)
    await page.getByRole('complementary', { name: 'Scenario' }).getByText('Question 45').first().waitFor()
  })

  test('opens with the keyboard: a row in the evaluation of the focused cell', async () => {
    await visit(page, '/leaderboard?variant_id=eq.bot&tab=rows')
    const grid = page.getByRole('grid', { name: 'Rows' })
    await grid.getByText('Question 45', { exact: true }).waitFor()
    await page.keyboard.press('j')
    for (let column = 0; column < 5; column += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/evaluations/run-4')
  })

  test('renders the visible ones of 50 columns, and reaches the others by scrolling and with the keyboard', async () => {
    await assay.addVariant({ id: 'many' })
    for (let run = 1; run <= 50; run += 1) {
      await assay.addEvaluation({ id: `many-${run}`, name: `Many ${run}`, variant_id: 'many' })
      await assay.appendScenarios(`many-${run}`, scenarios(57, 0.01, 1).slice(0, 3))
    }
    await visit(page, '/leaderboard?variant_id=eq.many&tab=rows')
    const grid = page.getByRole('grid', { name: 'Rows' })
    const row = grid.getByRole('row', { name: 'Question 0' })
    await row.getByRole('gridcell', { name: 'pass' }).first().waitFor()
    const cells = row.getByRole('gridcell')
    assert.equal(await grid.getByRole('columnheader').count(), 53)
    assert.ok((await cells.count()) < 35, `${await cells.count()} cells`)
    /** Every rendered cell is below the header of its column. */
    const isAligned = () =>
      row.evaluate((element) =>
        [...element.children].every((cell) => {
          const column = cell.getAttribute('aria-colindex')
          const header = document.querySelector(`[role=columnheader][aria-colindex="${column}"]`)
          return (
            Math.abs(Number(header?.getBoundingClientRect().left) - cell.getBoundingClientRect().left) < 1
          )
        }),
      )
    assert.ok(await isAligned())
    await grid.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
    await row.locator('[aria-colindex="51"]').waitFor()
    assert.equal(await row.locator('[aria-colindex="12"]').count(), 0)
    assert.ok(await isAligned())
    // The first cell, and then the 30th, which is scrolled into view.
    await page.keyboard.press('j')
    await grid.evaluate((element) => element.scrollTo({ left: 0 }))
    for (let column = 0; column < 30; column += 1) await page.keyboard.press('ArrowRight')
    const focused = row.locator('[aria-colindex="31"]:focus')
    await focused.waitFor()
    // The cell with the focus stays where it is when other columns are in view.
    await grid.evaluate((element) => element.scrollTo({ left: 0 }))
    await row.locator('[aria-colindex="4"]').waitFor()
    await focused.waitFor()
    assert.ok(await isAligned())
  })

  test('is reached from a section and from the selection on the first page', async () => {
    await visit(page, '/')
    const section = page.getByRole('grid', { name: 'bot' })
    await section.getByRole('link', { name: 'Leaderboard' }).click()
    await page.waitForURL(`${baseUrl}/leaderboard?variant_id=eq.bot`)
    await ranking.waitFor()
    await visit(page, '/')
    await section.waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('l')
    await page.waitForURL(`${baseUrl}/leaderboard?variant_id=eq.bot`)
    await ranking.waitFor()
    await visit(page, '/')
    await page.getByRole('checkbox', { name: 'Select Run 1' }).first().check()
    await page.getByRole('checkbox', { name: 'Select Run 2' }).first().check()
    await page.getByRole('region', { name: 'Selection' }).getByText('2 selected').waitFor()
    await page.keyboard.press('l')
    await page.waitForURL(
      (url) => url.pathname === '/leaderboard' && url.searchParams.getAll('evaluation').length === 2,
    )
    await page.getByText('2 evaluations on the same 60 rows').waitFor()
  })

  test('is reached from a variant, which says since when rows fail', async () => {
    await visit(page, '/variants/bot')
    await page.getByRole('link', { name: '16 rows fail since r3' }).click()
    await page.waitForURL(`${baseUrl}/leaderboard?variant_id=eq.bot&on=exact&tab=rows`)
    await page.getByRole('grid', { name: 'Rows' }).getByText('Question 45', { exact: true }).waitFor()
  })

  test('asks for evaluations without any, and says what is wrong with one', async () => {
    await visit(page, '/leaderboard')
    await page.getByRole('heading', { name: 'Select the evaluations to rank' }).waitFor()
    await visit(page, '/leaderboard?evaluation=run-1')
    await page.getByText('A leaderboard needs at least 2 evaluations, but there is 1.').waitFor()
  })
})
