// Reviews of comparisons: blind sides, results, the share in the comparison, and deletion with either evaluation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { proportionInterval } from '../../../src/store/statistics/beta-distribution.ts'
import { checkProblem } from '../../support/http.ts'
import { type Reviewer, startReviewService } from '../../support/review-service.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const service = await startReviewService()
const { send, sendOk, get, readJson, invite, checkClean } = service

const QUESTION = { evaluator: 'better', type: 'preference', question: 'Which answer is better?' }
const ROWS = Array.from({ length: 60 }, (_, row) => `row-${row}`)

interface Pair {
  scenario_id: string
  base_scenario_id: string
  candidate_side: 'left' | 'right'
}

let pairCount = 0

/** The output of each side is its secret name and the row. */
async function createPair(rows = ROWS) {
  pairCount += 1
  const sides = [`baseline-run-${pairCount}`, `candidate-run-${pairCount}`] as const
  for (const [index, id] of sides.entries()) {
    await sendOk('POST', '/api/evaluations', { id, name: `Name of ${id}` })
    const scenarios = rows.map((row) => ({
      id: row,
      inputs: [{ name: 'question', type: 'text', value: `About ${row}` }],
      outputs: [
        {
          result: { type: 'text', value: `${index === 0 ? 'Old' : 'New'} answer to ${row}` },
          cost: 0.5,
          latency: 2.5,
        },
      ],
      results: [{ evaluator_config: 'exact_match', result: { type: 'bool', value: index === 1 } }],
      note: `note of ${id}`,
      extra: { trace: `trace of ${id}` },
    }))
    await sendOk('POST', scenariosPath(id), scenarios)
  }
  return sides
}

async function createReview([base, candidate]: readonly [string, string], members: object = {}) {
  const body = {
    id: `pair-${candidate}`.replace('candidate-run', 'x'),
    evaluations: [base, candidate],
    questions: [QUESTION],
    ...members,
  }
  const response = await sendOk('POST', '/api/comparisons/reviews', body)
  const review: { id: string; pairs: Pair[] } = JSON.parse(response.text)
  assert.equal(response.headers.location, `/api/reviews/${review.id}`)
  return review
}

const answer = (reviewer: Reviewer, row: string, value: unknown) =>
  reviewer.send('PUT', `answers/${row}`, { answers: [{ evaluator: 'better', value }] })

test('stores balanced random sides, and returns each output on its side', async () => {
  const sides = await createPair()
  const review = await createReview(sides)
  const left = review.pairs.filter(({ candidate_side }) => candidate_side === 'left')
  assert.deepEqual([review.pairs.length, left.length], [60, 30])
  assert.deepEqual(
    review.pairs.map(({ scenario_id }) => scenario_id),
    review.pairs.map(({ base_scenario_id }) => base_scenario_id),
  )
  const maya = await invite(review.id, 'Maya')
  for (const { scenario_id, candidate_side } of review.pairs) {
    const { scenario } = await maya.send('GET', `rows/${scenario_id}`)
    const texts = [scenario.left, scenario.right].map(([{ result }]) => result.value)
    const expected = [`New answer to ${scenario_id}`, `Old answer to ${scenario_id}`]
    assert.deepEqual(texts, candidate_side === 'left' ? expected : expected.toReversed())
    assert.deepEqual(scenario.outputs, [])
  }
  // A repeated request returns the same sides, and another review has others.
  assert.deepEqual((await createReview(sides)).pairs, review.pairs)
  const other = await createReview(await createPair())
  const sideOf = ({ pairs }: { pairs: Pair[] }) =>
    pairs
      .toSorted((a, b) => (a.scenario_id < b.scenario_id ? -1 : 1))
      .map(({ candidate_side }) => candidate_side)
  assert.ok(!isDeepStrictEqual(sideOf(other), sideOf(review)))
  // More rows keep the sides, and stay balanced.
  await sendOk('PATCH', `/api/reviews/${other.id}`, { sample: { rows: 20 } })
  const before: { pairs: Pair[] } = await readJson(`/api/reviews/${other.id}`)
  await sendOk('PATCH', `/api/reviews/${other.id}`, { sample: { rows: 41 } })
  const after: { pairs: Pair[] } = await readJson(`/api/reviews/${other.id}`)
  assert.deepEqual(after.pairs.slice(0, 20), before.pairs)
  const lefts = after.pairs.filter(({ candidate_side }) => candidate_side === 'left').length
  assert.equal(after.pairs.length, 41)
  assert.ok(lefts === 20 || lefts === 21, `${lefts}`)
})

test('no response to a reviewer contains a name, a result or the side of the candidate', async () => {
  const sides = await createPair(ROWS.slice(0, 12))
  const review = await createReview(sides, { reviewers_per_row: 2, sample: { rows: 10, seed: 3 } })
  const [ana, maya] = [await invite(review.id, 'Ana'), await invite(review.id, 'Maya')]
  const responses: string[] = []
  const read = async (method: string, path: string, body?: object) => {
    const { status, text, headers } = await maya.trySend(method, path, body)
    responses.push(`${method} ${path} ${status} ${JSON.stringify(headers)} ${text}`)
    return text
  }
  for (const [index, { scenario_id }] of review.pairs.entries()) {
    const value = ['left', 'right', 'equal', 'both_bad', null][index % 5]
    await answer(ana, scenario_id, value)
    await read('GET', 'next')
    const stored = JSON.parse(
      await read('PUT', `answers/${scenario_id}`, {
        answers: [{ evaluator: 'better', value, note: 'mine' }],
      }),
    )
    assert.equal(stored.answers[0].value, value)
    assert.equal(JSON.parse(await read('GET', `rows/${scenario_id}`)).answers[0].value, value)
    // Otherwise the response would say on which side the candidate is.
    for (const guess of ['candidate', 'baseline', ''])
      await read('PUT', `answers/${scenario_id}`, { answers: [{ evaluator: 'better', value: guess }] })
  }
  for (const path of ['form', 'rows', 'next', 'rows/row-99', '', '?format=csv', 'labels'])
    await read('GET', path)
  await read('PATCH', '', { name: 'x' })
  await read('DELETE', `answers/${review.pairs[0]?.scenario_id}`)
  for (const path of [
    ...sides.map((id) => `/api/evaluations/${id}`),
    `/api/comparisons?evaluation=${sides[0]}&evaluation=${sides[1]}`,
    '/api/key',
  ]) {
    const { status, text } = await get(path, { authorization: maya.key })
    if (path === '/api/key') responses.push(text)
    else assert.equal(status, 403)
  }
  const guesses = responses.filter((text) => text.startsWith('PUT') && text.includes(' 422 '))
  assert.equal(guesses.length, 30)
  // The messages name the values that a key of the project sends.
  const hint =
    /This must be left, right, equal, both_bad or null\. With a key of the project, candidate and baseline instead of the sides\./g
  for (const text of responses)
    assert.doesNotMatch(
      text.replaceAll(hint, ''),
      /candidate|baseline|-run-|trace|note of|exact_match|0\.5|2\.5|base_/,
      text,
    )
})

test('counts one result per row by majority, and the share in the report and the comparison', async () => {
  const sides = await createPair()
  const review = await createReview(sides, { reviewers_per_row: 3 })
  const names = ['Ana', 'Jo', 'Maya']
  const reviewers = await Promise.all(names.map((name) => invite(review.id, name)))
  const path = `/api/comparisons?evaluation=${sides[0]}&evaluation=${sides[1]}`
  assert.deepEqual((await readJson(path, 'Comparison')).candidates[0].preferences, [])
  const { etag = '' } = (await get(path)).headers
  /** What three people say about a row, and the result. */
  const plan: [votes: string[], result: string | null][] = [
    [['candidate', 'candidate', 'baseline'], 'candidate'],
    [['candidate', 'candidate', 'candidate'], 'candidate'],
    [['baseline', 'equal', 'baseline'], 'baseline'],
    [['equal', 'equal', 'candidate'], 'equal'],
    [['both_bad', 'both_bad', 'both_bad'], 'both_bad'],
    [['candidate', 'baseline', 'equal'], null],
  ]
  const counts: Record<string, number> = { candidate: 0, baseline: 0, equal: 0, both_bad: 0 }
  for (const [index, { scenario_id, candidate_side }] of review.pairs.slice(0, 30).entries()) {
    const [votes, result] = plan[index % plan.length] as [string[], string | null]
    const other = candidate_side === 'left' ? 'right' : 'left'
    const seen: Record<string, string> = { candidate: candidate_side, baseline: other }
    for (const [person, vote] of votes.entries())
      await answer(reviewers[person] as Reviewer, scenario_id, seen[vote] ?? vote)
    if (result) counts[result] = (counts[result] ?? 0) + 1
    const row = await readJson(`/api/evaluations/${sides[1]}/evaluation_scenarios/${scenario_id}`)
    const stored = row.results.find(
      ({ evaluator_config }: { evaluator_config: string }) => evaluator_config === 'better',
    )
    assert.deepEqual(stored?.result ?? null, result && { type: 'text', value: result })
  }
  const [low, high] = proportionInterval(10, 15, 0.95).map((bound) => Number(bound.toPrecision(12)))
  const expected = { ...counts, share: 0.666666666667, interval: [low, high] }
  assert.deepEqual(counts, { candidate: 10, baseline: 5, equal: 5, both_bad: 5 })
  const report = await readJson(`/api/reviews/${review.id}`, 'ReviewReport')
  assert.deepEqual([report.results[0].preference, report.results[0].disputed], [expected, 5])
  const response = await get(path, { 'if-none-match': etag })
  assert.deepEqual(JSON.parse(response.text).candidates[0].preferences, [
    { review_id: review.id, evaluator: 'better', ...expected },
  ])
  // A key of the project decides a disputed row, in words that do not depend on the side.
  const disputed = report.results[0].disputed_rows[0].scenario_id
  const decision = { answers: [{ evaluator: 'better', value: 'candidate' }] }
  await sendOk('PUT', `/api/reviews/${review.id}/answers/${disputed}`, decision)
  checkProblem(
    await send('PUT', `/api/reviews/${review.id}/answers/${disputed}`, {
      answers: [{ evaluator: 'better', value: 'left' }],
    }),
    422,
    'invalid-content',
  )
  assert.equal((await readJson(path)).candidates[0].preferences[0].candidate, 11)
  await checkClean()
})

test('is listed with its sides, and deleted with either evaluation', async () => {
  for (const deleted of [0, 1] as const) {
    const sides = await createPair(ROWS.slice(0, 8))
    const review = await createReview(sides)
    const maya = await invite(review.id, 'Maya')
    await answer(maya, 'row-1', 'left')
    const exported = (await get(`/api/evaluations/${sides[1]}/reviews`)).text
    assert.deepEqual(JSON.parse(exported)[0].pairs, review.pairs)
    await sendOk('DELETE', `/api/evaluations/${sides[deleted]}`)
    checkProblem(await get(`/api/reviews/${review.id}`), 404, 'review-not-found')
    assert.equal((await maya.trySend('GET', 'form')).status, 404)
    if (deleted === 0) {
      const { extra } = await readJson(
        `/api/evaluations/${sides[1]}/evaluation_scenarios/row-1?include=extra`,
      )
      assert.equal(extra.answers[0].evaluator, 'better')
    }
    await checkClean()
  }
})

test('rejects what cannot be compared', async () => {
  const sides = await createPair(ROWS.slice(0, 3))
  const post = (body: object) =>
    send('POST', '/api/comparisons/reviews', { evaluations: sides, questions: [QUESTION], ...body })
  checkProblem(await post({ evaluations: [sides[0], 'none'] }), 404, 'evaluation-not-found')
  checkProblem(await post({ evaluations: ['none', sides[1]] }), 404, 'evaluation-not-found')
  checkProblem(await post({ evaluations: [sides[1], sides[1]] }), 422, 'invalid-content')
  checkProblem(await post({ questions: [{ evaluator: 'good', type: 'verdict' }] }), 422, 'invalid-content')
  checkProblem(
    await send('POST', `/api/evaluations/${sides[1]}/reviews`, { questions: [QUESTION] }),
    422,
    'invalid-content',
  )
  const review = await createReview(sides)
  checkProblem(await send('PATCH', `/api/reviews/${review.id}`, { base_id: null }), 422, 'invalid-content')
  const maya = await invite(review.id, 'Maya')
  await sendOk('DELETE', `/api/evaluations/${sides[0]}/evaluation_scenarios/row-2`)
  assert.equal((await maya.rows()).length, 2)
})
