// Tests reviews over HTTP: creation, answers, the results that follow from them, decisions, labels, changes and deletion.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkProblem } from '../../support/http.ts'
import { type ReviewService, startReviewService, VERDICT } from '../../support/review-service.ts'
import { EVALUATIONS, scenariosPath } from '../../support/write-requests.ts'

const service: ReviewService = await startReviewService()
const { send, sendOk, readJson, createEvaluation, checkClean, createReview, invite } = service

const scenario = (id: string, more: object = {}) => ({
  id,
  inputs: [{ name: 'question', type: 'text', value: `What is ${id}?` }],
  outputs: [{ result: { type: 'text', value: `It is ${id}.` }, cost: 0.5, latency: 2 }],
  ...more,
})

const readRow = (id: string, row: string) => readJson(`${scenariosPath(id)}/${row}?include=extra`)

test('answers become results by majority, with all answers in the extra data', async () => {
  const id = await createEvaluation([scenario('a', { extra: { source: 7 } }), scenario('b')])
  const review = await createReview(id, { reviewers_per_row: 3, name: 'Which are right?' })
  const [ana, mira, jo] = [
    await invite(review, 'Ana'),
    await invite(review, 'Mira'),
    await invite(review, 'Jo'),
  ]
  await ana.put('a', true)
  const first = await readRow(id, 'a')
  assert.deepEqual(first.results, [
    { evaluator_config: 'human_verdict', result: { type: 'bool', value: true } },
  ])
  const [answer] = first.extra.answers
  assert.match(answer.answered_at, /^\d{4}-.*Z$/)
  assert.deepEqual(first.extra, {
    source: 7,
    answers: [{ evaluator: 'human_verdict', by: 'Ana', value: true, answered_at: answer.answered_at }],
    results: [{ by: 'Ana' }],
  })
  await mira.put('a', false, { labels: ['Wrong deadline'], note: 'We promise 30 days.' })
  const disputed = await readRow(id, 'a')
  assert.deepEqual([disputed.results, disputed.extra.results], [[], undefined])
  await jo.put('a', false, { note: null })
  const settled = await readRow(id, 'a')
  assert.deepEqual(settled.results[0].result, { type: 'bool', value: false })
  assert.deepEqual(settled.extra.results, [{ reason: 'We promise 30 days.', by: 'Mira, Jo' }])
  await jo.put('a', null)
  assert.deepEqual((await readRow(id, 'a')).results, [])
  const report = await readJson(`/api/reviews/${review}`, 'ReviewReport')
  assert.deepEqual(report.progress, { rows: 2, answered: 1, complete: 1, disputed: 1 })
  assert.deepEqual(report.results[0].disputed_rows[0].answers.length, 3)
  assert.equal(report.results[0].cannot_tell, 1)
  await sendOk('PUT', `/api/reviews/${review}/answers/a`, {
    answers: [{ evaluator: 'human_verdict', value: true }],
  })
  const decided = await readRow(id, 'a')
  assert.deepEqual(decided.results[0].result.value, true)
  assert.equal(decided.extra.answers.length, 4)
  assert.equal(decided.extra.answers[3].decision, true)
  const summary = await readJson(`${EVALUATIONS}/${id}/summary`)
  assert.partialDeepStrictEqual(summary.evaluators[0], { name: 'human_verdict', passed: 1, n: 1 })
  assert.equal((await readJson(`${EVALUATIONS}/${id}/rows?result.human_verdict=is.true`)).total, 1)
  await checkClean()
  for (const reviewer of [ana, mira, jo]) await reviewer.remove('a')
  await sendOk('DELETE', `/api/reviews/${review}/answers/a`)
  const cleared = await readRow(id, 'a')
  assert.deepEqual([cleared.results, cleared.extra], [[], { source: 7 }])
  await checkClean()
})

test('numbers become their median, labels their majority, and texts are never combined', async () => {
  const id = await createEvaluation([scenario('a')])
  const questions = [
    { evaluator: 'grade', type: 'number' },
    { evaluator: 'topic', type: 'label', labels: ['returns'] },
    { evaluator: 'comment', type: 'text' },
  ]
  const review = await createReview(id, { questions })
  const answers = (grade: number | null, topic: string, comment: string | null) => ({
    answers: [
      { evaluator: 'grade', value: grade },
      { evaluator: 'topic', value: topic },
      { evaluator: 'comment', value: comment },
    ],
  })
  const [ana, mira] = [await invite(review, 'Ana'), await invite(review, 'Mira')]
  const values = async () =>
    Object.fromEntries(
      (await readRow(id, 'a')).results.map(
        ({ evaluator_config, result }: { evaluator_config: string; result: { value: unknown } }) => [
          evaluator_config,
          result.value,
        ],
      ),
    )
  await ana.send('PUT', 'answers/a', answers(2, 'returns', 'Fine.'))
  assert.deepEqual(await values(), { grade: 2, topic: 'returns', comment: 'Fine.' })
  await mira.send('PUT', 'answers/a', answers(5, 'returns', 'Bad.'))
  assert.deepEqual(await values(), { grade: 3.5, topic: 'returns' })
  await mira.send('PUT', 'answers/a', answers(null, 'fees', null))
  assert.deepEqual(await values(), { grade: 2, comment: 'Fine.' })
  await sendOk('POST', `/api/reviews/${review}/labels`, {
    evaluator: 'topic',
    labels: ['fees'],
    to: 'returns',
  })
  assert.deepEqual(await values(), { grade: 2, comment: 'Fine.', topic: 'returns' })
  await checkClean()
})

test('a reviewer gets rows that others do not have open, and skipped rows at the end', async () => {
  const id = await createEvaluation(['a', 'b', 'c', 'd'].map((name) => scenario(name)))
  const review = await createReview(id, { overlap: 0.5 })
  const [ana, mira] = [await invite(review, 'Ana'), await invite(review, 'Mira')]
  const first = await ana.next()
  assert.equal((await ana.next()).row.scenario.id, first.row.scenario.id)
  assert.deepEqual(first.progress, { answered: 0, remaining: 4 })
  const order = (await ana.rows()).map(({ scenario_id }) => scenario_id)
  assert.equal(first.row.scenario.id, order[0])
  assert.equal((await mira.next()).row.scenario.id, order[0], 'a second reviewer answers this row')
  const second = (await ana.next(order[0])).row.scenario.id
  assert.equal(second, order[1])
  assert.equal((await ana.next(order[1])).row.scenario.id, order[2])
  assert.equal(
    (await mira.next(order[1])).row.scenario.id,
    order[3],
    'the other reviewer has the third row open',
  )
  await ana.put(order[2] as string, true)
  assert.equal(
    (await ana.next(order[2])).row.scenario.id,
    order[0],
    'skipped rows come back at the end, also after a row that is answered already',
  )
  await ana.put(order[1] as string, true)
  assert.equal((await ana.next(order[0])).row.scenario.id, order[0], 'the only row is not refused')
  for (const row of order) await ana.put(row, true)
  assert.deepEqual((await ana.next()).row, null)
  assert.deepEqual((await mira.next()).progress, { answered: 0, remaining: 2 })
  assert.deepEqual(
    (await mira.rows()).map(({ scenario_id }) => scenario_id),
    order.slice(0, 2),
  )
  await mira.put(order[3] as string, false)
  assert.equal((await mira.rows()).length, 3, 'an answer is never refused because of a reservation')
})

test('the sample is a function of seed and ids, and changing it loses no answer', async () => {
  const id = await createEvaluation(
    Array.from({ length: 40 }, (_, row) =>
      scenario(`row-${row}`, {
        results: [{ evaluator_config: 'judge', result: { type: 'bool', value: row % 2 === 0 } }],
      }),
    ),
  )
  const review = await createReview(id, {
    filters: { 'result.judge': ['is.true'] },
    sample: { rows: 5, seed: 3 },
  })
  const { createHash } = await import('node:crypto')
  const expected = Array.from({ length: 20 }, (_, row) => `row-${2 * row}`)
    .map((row) => [createHash('sha256').update(`3:${row}`).digest('hex'), row] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)
  const rows = async () => (await service.rows(review)).map(({ scenario_id }) => scenario_id)
  assert.deepEqual(await rows(), expected.slice(0, 5))
  const ana = await invite(review, 'Ana')
  for (const row of expected.slice(0, 5)) await ana.put(row, true)
  await sendOk('PATCH', `/api/reviews/${review}`, { sample: { rows: 2, seed: 3 } })
  assert.deepEqual(await rows(), expected.slice(0, 2))
  await sendOk('PATCH', `/api/reviews/${review}`, { sample: null, filters: null })
  assert.equal((await rows()).length, 40)
  assert.equal((await service.rows(review)).flatMap(({ answers }) => answers).length, 5)
})

test('rows that are added and deleted change the sample, also with as many rows as before', async () => {
  const scenarios = Array.from({ length: 20 }, (_, row) => scenario(`row-${row}`))
  const id = await createEvaluation(scenarios)
  const review = await createReview(id, { sample: { rows: 4, seed: 3 } })
  const { createHash } = await import('node:crypto')
  const digestOf = (row: string) => createHash('sha256').update(`3:${row}`).digest('hex')
  const sampleOf = (ids: string[]) => ids.sort((a, b) => (digestOf(a) < digestOf(b) ? -1 : 1)).slice(0, 4)
  const rows = async () => (await service.rows(review)).map(({ scenario_id }) => scenario_id)
  let ids = scenarios.map((each) => each.id)
  assert.deepEqual(await rows(), sampleOf(ids))
  for (let round = 0; round < 3; round++) {
    const [first = ''] = sampleOf(ids)
    await sendOk('DELETE', `${EVALUATIONS}/${id}/evaluation_scenarios/${first}`)
    ids = ids.filter((row) => row !== first)
    assert.deepEqual(await rows(), sampleOf(ids))
    const added = Array.from({ length: 1000 }, (_, row) => `new-${round}-${row}`).find(
      (row) => digestOf(row) < digestOf(sampleOf(ids)[0] as string),
    ) as string
    await sendOk('POST', `${EVALUATIONS}/${id}/evaluation_scenarios`, [scenario(added)])
    ids.push(added)
    assert.deepEqual(await rows(), sampleOf(ids))
  }
})

describe('invalid requests', async () => {
  const judged = { results: [{ evaluator_config: 'judge', result: { type: 'bool', value: true } }] }
  const id = await createEvaluation([scenario('a', judged)])
  const review = await createReview(id, {})
  const path = `${EVALUATIONS}/${id}/reviews`
  const bodies: [body: object, pointer: string][] = [
    [{}, ''],
    [{ questions: [] }, '/questions'],
    [{ questions: [{ evaluator: 'x', type: 'stars' }] }, '/questions/0/type'],
    [{ questions: [VERDICT, VERDICT] }, '/questions/1/evaluator'],
    [{ questions: [{ evaluator: 'judge', type: 'verdict' }] }, '/questions/0/evaluator'],
    [{ questions: [VERDICT] }, '/questions/0/evaluator'],
    [{ questions: [{ evaluator: 'x', type: 'verdict' }], filters: { nothing: ['eq.1'] } }, '/filters'],
    [{ questions: [{ evaluator: 'x', type: 'verdict' }], filters: { latency: ['fast'] } }, '/filters'],
    [{ questions: [{ evaluator: 'x', type: 'verdict' }], filters: { 'result.x': ['is.null'] } }, '/filters'],
    [{ questions: [{ evaluator: 'x', type: 'verdict' }], filters: { 'delta.judge': ['lt.0'] } }, '/base_id'],
    [{ questions: [{ evaluator: 'x', type: 'verdict' }], overlap: 2 }, '/overlap'],
  ]
  for (const [body, pointer] of bodies)
    test(`returns 422 for the review ${JSON.stringify(body)}`, async () => {
      const { errors } = checkProblem(await send('POST', path, body), 422, 'invalid-content')
      assert.ok(
        errors?.some((error) => error.pointer.startsWith(pointer)),
        JSON.stringify(errors),
      )
    })

  const answers: [answer: object, pointer: string][] = [
    [{ evaluator: 'judge', value: true }, '/answers/0/evaluator'],
    [{ evaluator: 'human_verdict', value: 1 }, '/answers/0/value'],
    [{ evaluator: 'human_verdict' }, '/answers/0'],
    [{ evaluator: 'human_verdict', value: true, by: 'Mira' }, '/answers/0'],
    [{ evaluator: 'human_verdict', value: true, labels: ['a\nb'] }, '/answers/0/labels/0'],
  ]
  for (const [answer, pointer] of answers)
    test(`returns 422 for the answer ${JSON.stringify(answer)}`, async () => {
      const ana = await invite(review, 'Ana')
      const response = await ana.trySend('PUT', 'answers/a', { answers: [answer] })
      const { errors } = checkProblem(response, 422, 'invalid-content')
      assert.ok(
        errors?.some((error) => error.pointer.startsWith(pointer)),
        JSON.stringify(errors),
      )
    })

  test('returns 404 for unknown reviews and rows, and 409 for an id that exists with other content', async () => {
    checkProblem(await send('GET', '/api/reviews/nowhere'), 404, 'review-not-found')
    const body = { answers: [{ evaluator: 'human_verdict', value: true }] }
    checkProblem(await send('PUT', `/api/reviews/${review}/answers/b`, body), 404, 'scenario-not-found')
    checkProblem(await send('GET', `/api/reviews/${review}/rows/b`), 404, 'scenario-not-found')
    checkProblem(await send('POST', path, { id: review, questions: [VERDICT], overlap: 1 }), 409, 'conflict')
    assert.equal((await send('POST', path, { id: review, questions: [VERDICT] })).status, 201, 'repeated')
  })

  test('the type of an answered question cannot change', async () => {
    const ana = await invite(review, 'Ana')
    await ana.put('a', true)
    const change = { questions: [{ ...VERDICT, type: 'number' }] }
    checkProblem(await send('PATCH', `/api/reviews/${review}`, change), 422, 'invalid-content')
  })
})

test('deleting a review deletes its answers and results, and deleting the evaluation deletes its reviews', async () => {
  const other = { evaluator_config: 'judge', result: { type: 'bool', value: true } }
  const id = await createEvaluation([scenario('a', { results: [other] }), scenario('b')])
  const review = await createReview(id, {})
  const ana = await invite(review, 'Ana')
  await ana.put('a', true)
  await ana.put('b', null)
  await sendOk('DELETE', `/api/reviews/${review}`)
  assert.deepEqual((await readRow(id, 'a')).results, [other])
  assert.deepEqual((await readRow(id, 'b')).extra, null)
  checkProblem(await ana.trySend('GET', 'form'), 404, 'review-not-found')
  await checkClean()
  const second = await createReview(id, {})
  await (await invite(second, 'Ana')).put('a', true)
  await sendOk('DELETE', `${EVALUATIONS}/${id}`)
  checkProblem(await send('GET', `/api/reviews/${second}`), 404, 'review-not-found')
  await checkClean()
})

test('the change log has an entry for each change, and repeated requests change nothing', async () => {
  const id = await createEvaluation([scenario('a')])
  const review = await createReview(id, {})
  const ana = await invite(review, 'Ana')
  const body = { answers: [{ evaluator: 'human_verdict', value: true }] }
  const headers = { 'idempotency-key': 'one' }
  const { text } = await ana.trySend('PUT', 'answers/a', body, headers)
  const replayed = await ana.trySend('PUT', 'answers/a', body, headers)
  assert.deepEqual([replayed.text, replayed.headers['idempotent-replayed']], [text, 'true'])
  assert.equal((await ana.trySend('PUT', 'answers/a', body)).text, text, 'an equal answer keeps its time')
  await sendOk('PATCH', `/api/reviews/${review}`, { name: 'New name' })
  await sendOk('DELETE', `/api/reviews/${review}`)
  const changes: Record<string, unknown>[] = await readJson('/api/changes')
  assert.deepEqual(
    changes
      .filter(({ evaluation_id }) => evaluation_id === id)
      .slice(2)
      .map(({ action, scenario_id, review_id, counts }) => [action, scenario_id ?? review_id, counts]),
    [
      ['evaluation.updated', null, {}],
      ['review.created', review, {}],
      ['answers.added', 'a', { answers: 1 }],
      ['results.added', null, { results: 1, scenarios: 1 }],
      ['review.updated', review, {}],
      ['answers.deleted', 'a', { answers: 1 }],
      ['results.deleted', 'a', { results: 1, scenarios: 1 }],
      ['review.deleted', review, {}],
    ],
  )
})

test('labels of two evaluations are compared over the rows with answers in both', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `row-${index}`)
  /** Row by row: the labels before and after. */
  const labels: [string[], string[]][] = names.map((_, index) => [
    index < 8 ? ['less'] : index === 8 ? ['gone'] : [],
    [...(index >= 2 ? ['more'] : []), ...(index === 0 ? ['new', 'less'] : [])],
  ])
  labels[2]?.[0].push('more')
  const ids: string[] = []
  for (const side of [0, 1]) {
    const id = await createEvaluation(names.map((name) => scenario(name)))
    ids.push(id)
    const ana = await invite(await createReview(id, {}), 'Ana')
    for (const [index, name] of names.entries())
      if (side === 0 || index < 11) await ana.put(name, false, { labels: labels[index]?.[side] ?? [] })
  }
  const path = `/api/comparisons/labels?evaluation=${ids[0]}&evaluation=${ids[1]}&on=human_verdict`
  const compared = await readJson(path, 'LabelComparison')
  assert.equal(compared.common_rows, 11)
  assert.deepEqual(
    compared.labels.map(({ label, state, base_rows, rows }: Record<string, unknown>) => [
      label,
      state,
      base_rows,
      rows,
    ]),
    [
      ['more', 'more', 1, 9],
      ['less', 'less', 8, 1],
      ['new', 'new', 0, 1],
      ['gone', 'gone', 1, 0],
    ],
  )
  const [more] = compared.labels
  const { verdictInterval } = await import('../../../src/store/statistics/verdict-interval.ts')
  const [low, high] = verdictInterval({ n: 11, higher: 8, lower: 0 }, 0.95)
  assert.ok(Math.abs(more.interval[0] - low) < 1e-9 && Math.abs(more.interval[1] - high) < 1e-9)
  checkProblem(await send('GET', path.replace('human_verdict', 'x')), 400, 'invalid-request')
})
