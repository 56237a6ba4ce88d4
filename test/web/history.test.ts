// The variant and revision pages in Chromium, with the sample data: changes, scores, plot and keyboard navigation; and a
// long history.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSampleStore, createTestKey, createTestStore } from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'
/** In the long history. More than twice as many as the page renders at once. */
const REVISIONS = 120

describe('the variant page', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const tab = await openPage({ baseUrl, key, path: '/variants' })
  const { page } = tab
  const row = (name: string) => page.getByRole('row', { name })

  test('opens from the list of variants, which is filtered by name', async () => {
    await row('Support answer').waitFor()
    assert.match((await row('Support answer').textContent()) ?? '', /support-answer.*7.*r7/)
    await page.keyboard.press('/')
    await page.keyboard.type('Nothing')
    await page.getByRole('heading', { name: 'No variant name contains “Nothing”' }).waitFor()
    await page.keyboard.press('Escape')
    await row('Support answer').waitFor()
    assert.equal(new URL(page.url()).search, '')
    assert.deepEqual(tab.faults, [])
    await page.keyboard.press('Escape')
    for (const key of ['j', 'j', 'k', 'j', 'j']) await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${baseUrl}/variants/support-answer`)
  })

  const revisionRow = (number: number) => page.locator(`[data-row="${number}"]`)

  test('says which revision is best, which was worse, and which is not evaluated', async () => {
    await page.getByRole('heading', { name: 'Support answer', level: 1 }).waitFor()
    await page
      .getByText(
        'r6 has the best answer_correct so far: 94.1 %, tied with baseline r4. r5 was worse by 22.3 points. r7 has not been evaluated.',
      )
      .waitFor()
    assert.deepEqual(tab.faults, [])
  })

  test('shows what revision 5 changed and its paired change against revision 4', async () => {
    const five = (await revisionRow(5).textContent()) ?? ''
    assert.match(five, /max_tokens 1200 to 220/)
    assert.match(five, /\+2 −28 lines/)
    assert.match(five, /70\.1−22\.3worse.*0\.739−0\.113worse/)
    assert.match((await revisionRow(1).textContent()) ?? '', /created with 9 parameters.*not evaluated/)
    assert.deepEqual(
      await page.getByRole('table', { name: 'Revisions' }).getByRole('columnheader').allTextContents(),
      [
        'Selected',
        'Revision',
        'What changed',
        'Message',
        'By',
        'Date',
        'answer_correct %',
        'faithfulness mean',
        'cites_policy %',
        'latency p50, s',
        'cost $ per run',
      ],
    )
  })

  test('has a plot whose points are labeled links with one tab stop and arrow keys', async () => {
    const points = page.getByRole('group', { name: 'Evaluations in the plot' }).getByRole('link')
    const labels = await points.evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')))
    assert.deepEqual(
      labels.map((label) => label?.split(', ').slice(0, 3).join(', ')),
      [
        'r3, Support answer r3: cite the help centre: answer_correct 74.6 % (114 rows), messages[0].content +2 lines',
        'r4, Support answer r4: haiku at 0.2: answer_correct 91.3 %, better than r3 by 17.4 points (115 rows)',
        'r5, Support answer r5: three sentences: answer_correct 70.1 %, worse than r4 by 22.3 points (117 rows)',
        'r6, Support answer r6: returns are back: answer_correct 94.1 %, tied with r4 (118 rows)',
      ],
    )
    const drawing = page.getByRole('img', { name: /from 74\.6 % in r3 to 94\.1 % in r6, the best/ })
    assert.equal(await drawing.count(), 1)
    await drawing.getByText('baseline r4, 91.3').waitFor()
    await page.getByRole('button', { name: 'Show as table' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('tooltip').getByText('max_tokens 1200 to 220').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${baseUrl}/evaluations/support-answer-r5`)
    await page.goBack()
    await revisionRow(5).getByRole('link', { name: '70.1' }).click()
    await page.waitForURL(`${baseUrl}/evaluations/support-answer-r5`)
    await page.goBack()
  })

  test('uses the metric of the URL and its direction, and filters revisions', async () => {
    await page.getByRole('button', { name: 'faithfulness' }).click()
    await page.waitForURL(/on=faithfulness/)
    await page.getByText('mean, higher is better').waitFor()
    await visit(page, '/variants/support-answer?figure=latency')
    await page.getByText('p50, s, lower is better').waitFor()
    await page.getByRole('button', { name: 'Show as table' }).click()
    assert.match((await page.getByRole('figure').getByRole('table').textContent()) ?? '', /r5.*1\.04120/)
    await page.keyboard.press('/')
    await page.keyboard.type('max_TOKENS')
    await page.getByText('2 of 7').waitFor()
    assert.deepEqual(
      await page.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row'))),
      ['7', '5'],
    )
    await page.keyboard.press('Escape')
    await revisionRow(1).waitFor()
  })

  test('links to a revision with its changes, line by line, and its evaluations', async () => {
    await page.keyboard.press('Escape')
    for (const key of ['j', 'j', 'j', 'o']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'Revision 5', level: 1 }).waitFor()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText('−980').waitFor()
    await changes.getByText('- At most three sentences.').waitFor()
    await changes.getByText('7 parameters unchanged').click()
    await changes.getByRole('row', { name: 'timeout_seconds 60' }).waitFor()
    assert.match((await row('Support answer r5').textContent()) ?? '', /70\.1−22\.3worse/)
    await page.getByText('Raw JSON', { exact: true }).click()
    await page.getByText('{"revision":5,').waitFor()
    assert.deepEqual(tab.faults, [])
    await page.getByRole('navigation', { name: 'Adjacent revisions' }).getByText('r6').click()
    await page.getByRole('heading', { name: 'Revision 6', level: 1 }).waitFor()
  })

  test('links from a revision to its evaluation and back', async () => {
    await row('Support answer r6').getByRole('link').click()
    await page.waitForURL(`${baseUrl}/evaluations/support-answer-r6`)
    await page.getByRole('link', { name: 'support-answer r6' }).click()
    await page.getByRole('heading', { name: 'Revision 6', level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Changes' }).waitFor()
  })

  test('shows hostile text and exact numbers unchanged, and handles missing revisions and variants', {
    skip: fullOnly('opens several pages; stored-xss.test.ts and pages.test.ts open the same ones'),
  }, async () => {
    const add = (path: string, body: string) =>
      sendRequest(baseUrl, path, { authorization: key, 'content-type': 'application/json' }, 'POST', body)
    await add('/api/variants', '{"id":"odd"}')
    await visit(page, '/variants/odd')
    await page.getByRole('heading', { name: 'This variant has no revisions yet' }).waitFor()
    const config = (seed: string, prompt: string) =>
      `{"modified_by":"${HOSTILE}","config":{"config_name":"x","parameters":{"seed":${seed},"prompt":"${prompt}"}}}`
    await add('/api/variants/odd/revisions', config('9007199254740993', `${HOSTILE}\\n${'y'.repeat(50_000)}`))
    await add('/api/variants/odd/revisions', config('9007199254740992', HOSTILE))
    await page.goto(`${baseUrl}/variants/odd/revisions/2`)
    await page.getByText('9007199254740993').waitFor()
    await page.getByText(`by ${HOSTILE}`).waitFor()
    assert.equal(await page.locator('img').count(), 0)
    await visit(page, '/variants/odd/revisions/1')
    await page.getByRole('button', { name: 'Show the rest (46 kB)' }).click()
    await visit(page, '/variants/odd/revisions/3')
    await page.getByRole('heading', { name: 'Revision not found' }).waitFor()
    await visit(page, '/variants/odd/revisions/first')
    await page.getByRole('heading', { name: '“first” is not a revision number' }).waitFor()
    await visit(page, '/variants/odd/revisions/1/diff/NaN')
    await page.getByRole('heading', { name: '“NaN” is not a revision number' }).waitFor()
    await page.getByRole('link', { name: 'All revisions of odd' }).click()
    await page.waitForURL(`${baseUrl}/variants/odd`)
    await visit(page, '/variants/none')
    await page.getByRole('heading', { name: 'Variant not found' }).waitFor()
    assert.deepEqual(tab.faults, [])
  })
})

const skipLong =
  WITHOUT_BROWSER || fullOnly('stores and scrolls a long history; scroll.test.ts computes its window')
describe('a long history', { skip: skipLong }, async () => {
  if (skipLong) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const send = (path: string, body: object) =>
    sendRequest(
      baseUrl,
      `/api${path}`,
      { authorization: key, 'content-type': 'application/json' },
      'POST',
      JSON.stringify(body),
    )
  await send('/variants', { id: 'long' })
  for (let revision = 1; revision <= REVISIONS; revision++) {
    const parameters = { temperature: revision / 1000 }
    await send('/variants/long/revisions', { modified_by: 'ana', config: { config_name: 'x', parameters } })
    if (revision % 6 > 0) continue
    const id = `long-${revision}`
    await send('/evaluations', { id, variant_id: 'long', revision })
    await send(`/evaluations/${id}/evaluation_scenarios`, [scenarioOf(revision % 4 === 0)])
  }
  const tab = await openPage({ baseUrl, key, path: '/variants/long' })
  const { page } = tab
  const rowNumbers = () =>
    page.locator('[data-row]').evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-row'))))

  test('renders only the rows in the window, fewer than 2,500 elements in all', async () => {
    await page.getByRole('row', { name: `r${REVISIONS}` }).waitFor()
    const points = page.getByRole('group', { name: 'Evaluations in the plot' }).getByRole('link')
    await points.first().waitFor()
    assert.equal(await points.count(), REVISIONS / 6)
    const table = page.getByRole('table', { name: 'Revisions' })
    assert.equal(await table.getAttribute('aria-rowcount'), String(1 + REVISIONS))
    assert.ok((await rowNumbers()).length < 50)
    assert.ok((await page.locator('*').count()) < 2500)
    assert.equal((await table.boundingBox())?.height, (1 + REVISIONS) * 32)
    await assertNoViolations(tab)
  })

  test('renders the last rows after scrolling to the end, and keeps the focused row', async () => {
    await page.keyboard.press('j')
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.getByRole('row', { name: /created with 1 parameter/ }).waitFor()
    assert.deepEqual((await rowNumbers()).slice(0, 1), [REVISIONS], 'the row with the focus')
    assert.equal((await rowNumbers()).at(-1), 1)
    assert.equal(await page.locator('[data-row="1"]').getAttribute('aria-rowindex'), String(1 + REVISIONS))
    assert.ok((await page.locator('*').count()) < 2500)
  })

  test('moves row by row with the keyboard beyond the first window', async () => {
    await page.evaluate(() => scrollTo(0, 0))
    await page.keyboard.press('k')
    for (let step = 0; step < 50; step++) await page.keyboard.press('j')
    await page.locator(`[data-row="${REVISIONS - 50}"]:focus-within`).waitFor()
    assert.deepEqual(tab.faults, [])
  })

  test('moves to the next row if the key is pressed right after other rows are rendered', async () => {
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        observer.disconnect()
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
      })
      const body = document.querySelector('[aria-label=Revisions] tbody')
      if (body) observer.observe(body, { childList: true })
      scrollTo(0, 0)
    })
    await page.locator(`[data-row="${REVISIONS - 51}"]:focus-within`).waitFor()
  })
})

function scenarioOf(value: boolean) {
  return {
    id: 'one',
    inputs: [{ name: 'question', type: 'text', value: 'Why?' }],
    outputs: [{ result: { type: 'text', value: 'Because.' } }],
    results: [{ evaluator_config: 'exact', result: { type: 'boolean', value } }],
  }
}
