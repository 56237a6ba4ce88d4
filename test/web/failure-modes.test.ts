// Failure modes of reviews on the page of an evaluation, and what became of them on the page of a comparison.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { accessibilityViolations, openPage, servePage, WITHOUT_BROWSER, waitUntilIdle } from './browser.ts'

const ROWS = 20
/** How many rows have each failure mode, in the baseline and in the candidate. */
const MODES: [label: string, rows: [baseline: number, candidate: number]][] = [
  ['Off topic', [10, 0]],
  ['Wrong deadline', [0, 12]],
  ['Rude', [1, 2]],
]
/** The other rows are about shipping. */
const ABOUT_RETURNS = 5

describe('failure modes', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  const ids = Array.from({ length: ROWS }, (_, row) => `row-${row}`)
  for (const evaluation of ['baseline', 'candidate']) {
    await assay.addEvaluation({ id: evaluation })
    const rows = ids.map((id, row) => ({
      id,
      results: [{ evaluator_config: 'judge', result: { type: 'number', value: row } }],
    }))
    await assay.appendScenarios(evaluation, rows)
  }
  const { page, faults } = await openPage({ baseUrl, key })
  const statistics = page.getByRole('region', { name: 'Statistics over matched rows' })

  /** Answers about all rows, as decisions. `side` is 0 for the baseline. */
  async function review(evaluation: string, side: 0 | 1): Promise<void> {
    const { id } = await assay.createReview(evaluation, {
      id: `review of ${evaluation}`,
      questions: [
        { evaluator: 'human_verdict', type: 'verdict' },
        { evaluator: 'topic', type: 'label' },
      ],
    })
    for (const [row, scenario] of ids.entries()) {
      const labels = MODES.filter(([, rows]) => row < rows[side]).map(([label]) => label)
      await assay.putReviewAnswers(id, scenario, {
        answers: [
          { evaluator: 'human_verdict', value: labels.length === 0, labels },
          { evaluator: 'topic', value: row < ABOUT_RETURNS ? 'returns' : 'shipping' },
        ],
      })
    }
  }

  async function openComparison(): Promise<void> {
    await page.goto(`${baseUrl}/compare?evaluation=baseline&evaluation=candidate&breakdown=none`)
    await statistics.getByRole('rowheader', { name: 'judge' }).waitFor()
    await waitUntilIdle(page)
  }

  test('an evaluation ranks them, and labels filter its rows', async () => {
    await review('candidate', 1)
    await page.goto(`${baseUrl}/evaluations/candidate`)
    const modes = page.getByRole('region', { name: 'Failure modes of human_verdict' })
    await modes.getByText(`in ${ROWS} reviewed rows`).waitFor()
    const links = await modes.getByRole('link').all()
    assert.deepEqual(
      await Promise.all(
        links.map(async (link) => [await link.textContent(), await link.getAttribute('href')]),
      ),
      [
        ['12, 60 % Wrong deadline', '/reviews/review%20of%20candidate'],
        ['2, 10 % Rude', '/reviews/review%20of%20candidate'],
      ],
    )
    assert.deepEqual(await accessibilityViolations(page), [])
    await page.getByRole('region', { name: 'Labels of topic' }).getByRole('link', { name: 'returns' }).click()
    await page.getByText(`Rows 1–${ABOUT_RETURNS} of ${ABOUT_RETURNS}`).waitFor()
  })

  test('a comparison says which are new, gone and unclear, once people reviewed rows of both', async () => {
    await openComparison()
    assert.equal(await statistics.getByText(/^Failure modes|^Labels/).count(), 0)
    await review('baseline', 0)
    await openComparison()
    const { labels } = await assay.compareReviewLabels({
      evaluation: ['baseline', 'candidate'],
      on: 'human_verdict',
    })
    const cellsOf = (name: string) => {
      const { delta = 0, interval } = labels.find(({ label }) => label === name) ?? {}
      const [change, low, high] = [delta, ...(interval ?? [])].map(points)
      return { change, interval: `${low} to ${high}` }
    }
    for (const [name, shares, state] of [
      ['Wrong deadline', ['0.0', '60.0'], 'new'],
      ['Off topic', ['50.0', '0.0'], 'gone'],
    ] as const) {
      const row = statistics.getByRole('row').filter({ hasText: name }).first()
      await row.getByRole('cell').first().waitFor()
      const cells = await row.getByRole('cell').allTextContents()
      const { change, interval } = cellsOf(name)
      assert.deepEqual(
        cells.map((text) => text.trim()).filter((text) => text !== ''),
        [...shares, change, state, interval, `${ROWS}`],
      )
    }
    await statistics.getByText('No clear change: Rude 1 to 2').waitFor()
    await statistics
      .getByRole('rowheader', { name: `Labels of topic, in ${ROWS} rows that people reviewed in both` })
      .waitFor()
    assert.deepEqual(await accessibilityViolations(page), [])
    assert.deepEqual(faults, [])
  })
})

function points(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)}`
}
