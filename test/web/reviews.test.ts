// Reviews on the page: two reviewers answer by keyboard over links while the service restarts and a connection is lost, and the
// owner settles what they disagree on.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import {
  accessibilityViolations,
  assertNoViolations,
  type OpenedPage,
  openPage,
  servePage,
  WITHOUT_BROWSER,
} from './browser.ts'
import { EVALUATION, FIRST_ROW } from './page-states.ts'
import { openRow } from './reviewer.ts'

const EVALUATION_ID = 'support-answer-r5'
const ROWS = 35
/** 80 % of the rows have two reviewers, enough for kappa. */
const OVERLAP = 28

/** Answers that are given while the service cannot be reached. */
const ANSWERED_ALONE = 5

type Answer = 'pass' | 'fail' | 'unknown'
const KEYS: Record<Answer, string[]> = { pass: ['1'], fail: ['4', 'Enter'], unknown: ['3'] }

/** Answers that a test has chosen. */
const chosen = new Map<string, Answer>()

/** What a reviewer answers about a row. The two agree on most rows. */
function planOf(name: string, row: string): Answer {
  const answer = chosen.get(`${name} ${row}`)
  if (answer) return answer
  const numberOf = (text: string) => Number.parseInt(hash('sha256', text).slice(0, 6), 16)
  if (numberOf(`unknown ${name} ${row}`) % 12 === 0) return 'unknown'
  const isPass = numberOf(row) % 3 !== 0
  const isOther = name === 'Mira' && numberOf(`other ${row}`) % 5 === 0
  return isPass === isOther ? 'fail' : 'pass'
}

interface Reviewer extends OpenedPage {
  name: string
  /** Rows in the order of the answers. */
  answered: string[]
}

describe('reviews', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl, port, stop } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })
  const owner = await openPage({ baseUrl, key, path: `${EVALUATION}?result.answer_correct=is.false` })
  await owner.page.locator(FIRST_ROW).waitFor()
  let reviewId = ''
  const reviewers: Reviewer[] = []
  for (const name of ['Ana', 'Mira']) reviewers.push({ ...(await openPage({ baseUrl })), name, answered: [] })

  test('the filtered rows become a review, with a link per reviewer', async () => {
    const { page } = owner
    await page.getByRole('button', { name: `Review ${ROWS}` }).waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Review rows with people' })
    const name = dialog.getByLabel('Name')
    await name.waitFor()
    assert.doesNotMatch(await name.inputValue(), /support|r5/i, 'reviewers see the name')
    await dialog.locator('input:focus').and(name).waitFor()
    await name.fill('Answers about returns')
    await dialog.getByLabel(/^Failure modes/).fill('Wrong deadline\nInvented a rule')
    await dialog.getByLabel('Rows with one more reviewer, %').fill('80')
    await assertNoViolations(owner, 'dialog')
    await dialog.getByRole('button', { name: 'Create review' }).click()
    await page.getByRole('heading', { name: 'Answers about returns' }).waitFor()
    reviewId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    for (const reviewer of reviewers) {
      await page.getByRole('button', { name: 'Invite a reviewer' }).click()
      await page.getByLabel('Reviewer', { exact: true }).fill(reviewer.name)
      await page.keyboard.press('Enter')
      await page.getByText('It is shown only once').waitFor()
      await reviewer.page.goto(await page.getByLabel('Share link').inputValue())
      await page.keyboard.press('Escape')
    }
    await page.getByRole('row', { name: 'Mira' }).waitFor()
  })

  /** Answers the open row by keyboard. False if none is open. */
  async function answerRow({ page, name, answered }: Reviewer): Promise<boolean> {
    const row = await openRow(page, answered.at(-1))
    if (row === undefined) return false
    const keys = KEYS[planOf(name, row)]
    for (const pressed of keys) await page.keyboard.press(pressed)
    answered.push(row)
    return true
  }

  test('undo, skipped rows and new failure modes work by keyboard', async () => {
    const ana = reviewers[0] as Reviewer
    const { page } = ana
    const first = (await openRow(page, undefined)) as string
    assert.deepEqual(await accessibilityViolations(page), [])
    await page.keyboard.press('2')
    await page.keyboard.press('m')
    await page.keyboard.type('Off topic')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Off topic/, pressed: true }).waitFor()
    await page.keyboard.press('n')
    await page.keyboard.type('Store credit is not in the help centre.')
    await page.keyboard.press('Control+Enter')
    const second = (await openRow(page, first)) as string
    await page.getByText('Saved as Ana').waitFor()
    await page.keyboard.press('u')
    await openRow(page, second)
    await page.getByRole('button', { name: 'Fail', pressed: true }).waitFor()
    assert.equal(await page.getByLabel('Note').inputValue(), 'Store credit is not in the help centre.')
    await page.keyboard.press('j')
    await openRow(page, first)
    await page.keyboard.press('s')
    assert.notEqual(await openRow(page, second), first)
    await page.getByRole('button', { name: '1 skipped' }).waitFor()
    await page.keyboard.press('k')
    await openRow(page, undefined, second)
    await page.keyboard.press('k')
    await openRow(page, undefined, first)
    chosen.set(`Ana ${first}`, 'pass')
    await answerRow(ana)
    await openRow(page, first)
  })

  test('answers that the service does not get are kept, shown and sent again', async (t) => {
    // The restarted service stops with this test, so the next ones are part of it.
    const [ana, mira] = reviewers as [Reviewer, Reviewer]
    for (const reviewer of reviewers) for (let row = 0; row < 3; row++) await answerRow(reviewer)
    for (const { page, answered, name } of reviewers) {
      await openRow(page, answered.at(-1))
      await page.getByText(`Saved as ${name}`).waitFor()
    }
    await mira.context.setOffline(true)
    await answerRow(mira)
    await mira.page.getByText('1 answer not saved yet').waitFor()
    await answerRow(mira)
    await mira.page.getByText('2 answers not saved yet').waitFor()
    await mira.context.setOffline(false)
    await mira.page.getByText('Saved as Mira').waitFor()
    await stop()
    await answerRow(ana)
    await answerRow(ana)
    await ana.page.getByText('2 answers not saved yet').waitFor()
    await servePage(store, { port })
    await ana.page.getByText('Saved as Ana').waitFor()
    // Also after a reload, which the page warns of.
    await ana.page.route('**/answers/**', (route) => route.abort())
    await answerRow(ana)
    await ana.page.getByText('1 answer not saved yet').waitFor()
    const warnings: string[] = []
    ana.page.once('dialog', (dialog) => {
      warnings.push(dialog.type())
      void dialog.accept()
    })
    await ana.page.reload()
    assert.deepEqual(warnings, ['beforeunload'])
    await ana.page.unroute('**/answers/**')
    await ana.page.getByText('Saved as Ana').waitFor()

    await t.test('two reviewers finish at once, and each answer is stored once', async () => {
      await Promise.all(
        reviewers.map(async (reviewer) => {
          while (await answerRow(reviewer));
          await reviewer.page.getByText('You have answered all rows').waitFor()
        }),
      )
      const scenarios = await assay.listEvaluationScenarios(EVALUATION_ID, { include: 'extra' })
      const stored = scenarios.flatMap(({ id, extra }) =>
        ((extra?.answers ?? []) as StoredAnswer[]).map(({ by, value, labels = [] }) => ({
          id,
          by,
          value,
          labels,
        })),
      )
      const expected = reviewers.flatMap(({ name, answered }) =>
        [...new Set(answered)].map((id) => {
          const answer = planOf(name, id)
          const value = answer === 'unknown' ? null : answer === 'pass'
          return { id, by: name, value, labels: answer === 'fail' ? ['Wrong deadline'] : [] }
        }),
      )
      const sorted = (answers: typeof stored) => answers.map((answer) => JSON.stringify(answer)).sort()
      assert.deepEqual(sorted(stored), sorted(expected))
      // Without the service, a reviewer can answer rows that the other one has open.
      const extra = stored.length - ROWS - OVERLAP
      assert.ok(extra >= 0 && extra <= ANSWERED_ALONE, `${extra} more answers than needed`)
      assert.equal(new Set(stored.map(({ id }) => id)).size, ROWS)
      for (const { faults } of reviewers) assert.deepEqual(faults, [])
    })

    await t.test('the owner reads agreement, settles disputed rows and merges failure modes', async () => {
      const { page } = owner
      await page.reload()
      const report = await assay.getReview(reviewId)
      const { disputed } = report.progress
      assert.ok(disputed > 0)
      await page.getByText(`${ROWS} of ${ROWS} rows`).waitFor()
      await page.getByText(/Ana and Mira agree on \d+ of \d+ rows .* agreement, kappa/).waitFor()
      assert.deepEqual(await accessibilityViolations(page), [])
      await page.getByRole('link', { name: `Resolve ${disputed} disputed` }).focus()
      await page.keyboard.press('Enter')
      for (let row = 0; row < disputed; row++) {
        await page.getByRole('form', { name: 'Your decision' }).waitFor()
        const id = await page.locator('section[aria-label=Row] code').first().textContent()
        if (row === 0) assert.deepEqual(await accessibilityViolations(page), [])
        await page.keyboard.press('1')
        await page.getByText(`Row ${id} is decided.`).waitFor()
      }
      await page.getByText('None. A row is disputed').waitFor()
      await page.getByRole('button', { name: 'Merge or rename' }).click()
      await page.getByRole('checkbox', { name: /Wrong deadline/ }).check()
      await page.getByLabel('New name').fill('Invented a deadline')
      await page.getByRole('button', { name: 'Rename', exact: true }).click()
      await page.getByRole('listitem').filter({ hasText: 'Invented a deadline' }).waitFor()
      const after = await assay.getReview(reviewId)
      assert.equal(after.progress.disputed, 0)
      assert.deepEqual(
        after.results[0]?.labels.map(({ label }) => label),
        ['Invented a deadline'],
      )
      await page.getByRole('link', { name: /^Support answer r5/ }).click()
      await page.getByRole('link', { name: 'Review: Answers about returns' }).waitFor()
      assert.deepEqual(owner.faults, [])
    })

    await t.test(
      'labels, numbers and texts are answered on a phone, with the buttons at the bottom',
      async () => {
        const questions = [
          { evaluator: 'review_tone', type: 'label' as const, labels: ['friendly', 'rude'] },
          { evaluator: 'review_grade', type: 'number' as const, question: 'How good is it?' },
          { evaluator: 'review_text', type: 'text' as const, question: 'What is better?' },
        ]
        await assay.createReview(EVALUATION_ID, { id: 'phone', sample: { rows: 1 }, questions })
        const share = await assay.createShare({ confined_to: { review_id: 'phone' }, name: 'Kim' })
        const phone = await openPage({
          baseUrl,
          key: share.key,
          path: '/reviews/phone',
          width: 390,
          height: 844,
        })
        const { page } = phone
        const friendly = page.getByRole('button', { name: /friendly/ })
        await friendly.waitFor()
        await friendly.click()
        const save = page.getByRole('button', { name: 'Save and next' })
        const box = await save.boundingBox()
        assert.ok(box && box.height >= 44 && box.y + box.height > 820 && box.y + box.height <= 844)
        await save.click()
        // The first question without an answer gets the focus.
        assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('inputmode')), 'decimal')
        await page.keyboard.type('4.5')
        await page.getByLabel('What is better?').fill('30 days.')
        assert.deepEqual(await accessibilityViolations(page), [])
        await save.click()
        await page.getByText('You have answered all rows').waitFor()
        await page.getByText('are stored').waitFor()
        const [row] = await assay.listReviewRows('phone')
        assert.deepEqual(
          row?.answers.map(({ by, value }) => [by, value]),
          [
            ['Kim', 'friendly'],
            ['Kim', 4.5],
            ['Kim', '30 days.'],
          ],
        )
        assert.deepEqual(phone.faults, [])
      },
    )
  })
})

interface StoredAnswer {
  by: string
  value: boolean | null
  labels?: string[]
}
