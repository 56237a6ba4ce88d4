// Reviews of a comparison on the page: created from it, answered by keyboard without knowing the sides, and shown in its statistics.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { preferenceText } from '../../web/src/format/preference-text.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { assertNoViolations, openPage, servePage, WITHOUT_BROWSER } from './browser.ts'
import { FIRST_ROW } from './page-states.ts'
import { openRow } from './reviewer.ts'

const ROWS = 6
/** The keys of the answers, and what they mean. */
const ANSWERS = [
  ['1', 'left'],
  ['2', 'right'],
  ['1', 'left'],
  ['3', 'equal'],
  ['4', 'both_bad'],
  ['5', null],
] as const

test('a preference is a share with its interval, without the ties', () => {
  const counts = { candidate: 28, baseline: 18, equal: 12, both_bad: 2 }
  const some = { ...counts, share: 28 / 46, interval: [0.4537, 0.7491] as [number, number] }
  assert.equal(
    preferenceText('r6', some),
    'People prefer r6 in 61 % of 46 rows (45 to 75), 12 equal, 2 both bad.',
  )
  const none = { candidate: 0, baseline: 0, equal: 3, both_bad: 0, share: null, interval: null }
  assert.equal(preferenceText('r6', none), 'People prefer neither: 3 equal.')
  assert.equal(preferenceText('r6', { ...none, equal: 0 }), 'No answers yet.')
})

describe('a review of a comparison', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  const path = '/compare?evaluation=support-answer-r4&evaluation=support-answer-r5&breakdown=none'
  const owner = await openPage({ baseUrl, key, path })
  const { page } = owner
  let reviewId = ''

  test('is created with the key r', async () => {
    await page.locator(FIRST_ROW).waitFor()
    await page.getByRole('button', { name: 'Review', exact: true }).waitFor()
    await page.keyboard.press('r')
    await page.getByRole('spinbutton', { name: /^Random rows of 120/ }).fill(String(ROWS))
    await assertNoViolations(owner, 'dialog')
    await page.getByRole('button', { name: 'Create review' }).click()
    await page.waitForURL(/\/reviews\//)
    reviewId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    const { base_id, evaluation_id, pairs } = await assay.getReview(reviewId)
    assert.deepEqual(
      [base_id, evaluation_id, pairs?.length],
      ['support-answer-r4', 'support-answer-r5', ROWS],
    )
  })

  test('a reviewer answers with one key per row and sees no side', async () => {
    const share = await assay.createShare({
      name: 'Mira',
      confined_to: { review_id: reviewId },
      scopes: ['review'],
    })
    const reviewer = await openPage({
      baseUrl,
      key: share.key,
      path: `/reviews/${encodeURIComponent(reviewId)}`,
    })
    const received: string[] = []
    reviewer.page.on('response', async (response) => {
      if (response.url().includes('/api/')) received.push(await response.text().catch(() => ''))
    })
    const form = await assay.getReview(reviewId)
    const sides = new Map(form.pairs?.map(({ scenario_id, candidate_side }) => [scenario_id, candidate_side]))
    const expected: Record<string, unknown> = {}
    for (const [index, [digit, value]] of ANSWERS.entries()) {
      await reviewer.page.getByText(`${index} of ${ROWS}`).waitFor()
      const row = (await openRow(reviewer.page, Object.keys(expected).at(-1))) as string
      if (index === 0) await assertNoViolations(reviewer)
      await reviewer.page.keyboard.press(digit)
      const isSide = value === 'left' || value === 'right'
      expected[row] = isSide ? (sides.get(row) === value ? 'candidate' : 'baseline') : value
    }
    await reviewer.page.getByRole('heading', { name: 'You have answered all rows' }).waitFor()
    await reviewer.page.getByText('are stored').waitFor()
    const rows = await assay.listReviewRows(reviewId)
    assert.deepEqual(
      Object.fromEntries(rows.map(({ scenario_id, answers }) => [scenario_id, answers[0]?.value])),
      expected,
    )
    assert.ok(received.length > 0)
    for (const text of received)
      assert.doesNotMatch(text, /candidate|baseline|support-answer|r4|Support answer/)
  })

  test('the comparison has one more line, which links to the review', async () => {
    await page.goto(baseUrl + path)
    const statistics = page.getByRole('region', { name: 'Statistics over matched rows' })
    await statistics
      .getByText(/^People prefer r5 in \d+ % of 3 rows \(\d+ to \d+\), 1 equal, 1 both bad\.$/)
      .waitFor()
    assert.equal(await statistics.getByText('not in both').count(), 0)
    await statistics.getByRole('link', { name: 'preference' }).click()
    await page.getByText(`${ROWS} of ${ROWS} rows`).waitFor()
    await assertNoViolations(owner)
  })
})
