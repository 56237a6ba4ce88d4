// The variant and revision pages in Chromium, with the sample data: changes, scores, plot and keyboard navigation.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadSample } from '../../src/cli/service/sample.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'
import { openPage, servePage, visit, WITHOUT_BROWSER } from './browser.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

describe('the variant page', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  await loadSample(store)
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
    await page.getByText('No variant name contains “Nothing”.').waitFor()
    await page.keyboard.press('Escape')
    await row('Support answer').waitFor()
    assert.equal(new URL(page.url()).search, '')
    assert.deepEqual(tab.faults, [])
    await page.keyboard.press('Escape')
    for (const key of ['j', 'j', 'k', 'j', 'j']) await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${baseUrl}/variants/support-answer`)
  })

  test('shows what revision 5 changed and that it scored worse than revision 4', async () => {
    await page.getByRole('heading', { name: 'Support answer', level: 1 }).waitFor()
    const five = page.locator('#r5')
    await five.getByText('1200 → 220').waitFor()
    await five.getByText('+2 −28 lines').waitFor()
    assert.match((await five.textContent()) ?? '', /three sentences70\.1 %▼21\.2 pp worse/)
    assert.match((await page.locator('#r1').textContent()) ?? '', /created with 9 parameters/)
    assert.deepEqual(tab.faults, [])
  })

  test('has a plot whose dots are labeled links with one tab stop and arrow keys', async () => {
    const dots = page.getByRole('list', { name: 'Evaluations in the plot' }).getByRole('link')
    assert.deepEqual(await dots.allTextContents(), [
      'Support answer r3: cite the help centre, answer_correct 74.6 %, revision 3',
      'Support answer r4: haiku at 0.2, answer_correct 91.3 %, revision 4, better than r3',
      'Support answer r5: three sentences, answer_correct 70.1 %, revision 5, worse than r4',
      'Support answer r6: returns are back, answer_correct 94.1 %, revision 6, better than r5',
    ])
    const drawing = page.getByRole('img', { name: /from 74\.6 % in r3 to 94\.1 % in r6, best 94\.1 % in r6/ })
    assert.equal(await drawing.count(), 1)
    await page.getByRole('button', { name: 'As table' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('figure').getByText('(117 scored)').waitFor()
    await page.getByRole('figure').getByText('1200 → 220').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${baseUrl}/evaluations/support-answer-r5`)
    await page.goBack()
    await page.getByRole('link', { name: 'r5', exact: true }).first().click()
    await page.waitForFunction(() => document.activeElement?.closest('tr')?.id === 'r5')
  })

  test('uses the metric of the URL and its direction, and filters revisions', async () => {
    await page.getByLabel('Metric').selectOption({ label: 'latency (p50)' })
    await page.waitForURL(/figure=latency/)
    assert.match((await page.locator('#r5').textContent()) ?? '', /1\.04 s▲394 ms better/)
    await page.reload()
    await page.getByText('↓ lower is better').waitFor()
    await page.getByRole('button', { name: 'As table' }).click()
    assert.match((await page.getByRole('figure').getByRole('table').textContent()) ?? '', /r5.*1\.04 s120/)
    await page.keyboard.press('/')
    await page.keyboard.type('max_TOKENS')
    await page.getByText('2 of 7').waitFor()
    assert.deepEqual(await page.locator('[data-row]').evaluateAll((rows) => rows.map(({ id }) => id)), [
      'r7',
      'r5',
    ])
    await page.keyboard.press('Escape')
    await page.locator('#r1').waitFor()
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
    assert.match((await row('Support answer r5').textContent()) ?? '', /70\.1 % ▼21\.2 pp worse/)
    await page.getByText('Raw JSON', { exact: true }).click()
    await page.getByText('{"revision":5,').waitFor()
    assert.deepEqual(tab.faults, [])
    await page.getByRole('link', { name: 'r6 →' }).click()
    await page.getByRole('heading', { name: 'Revision 6', level: 1 }).waitFor()
  })

  test('links from a revision to its evaluation and back', async () => {
    await row('Support answer r6').getByRole('link').click()
    await page.getByText('temperature 0.2').waitFor()
    await page.getByRole('link', { name: 'r6', exact: true }).click()
    await page.getByRole('heading', { name: 'Revision 6', level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Changes' }).waitFor()
  })

  test('shows hostile text and exact numbers unchanged, and handles missing revisions and variants', async () => {
    const add = (path: string, body: string) =>
      sendRequest(baseUrl, path, { authorization: key, 'content-type': 'application/json' }, 'POST', body)
    await add('/api/variants', '{"id":"odd"}')
    await visit(page, '/variants/odd')
    await page.getByText('This variant has no revisions yet.').waitFor()
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
    await visit(page, '/variants/none')
    await page.getByRole('heading', { name: 'Variant not found' }).waitFor()
    assert.deepEqual(tab.faults, [])
  })
})
