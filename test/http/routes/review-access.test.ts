// Tests what each kind of key can do with reviews: every operation of openapi.json, and that nothing hidden reaches a reviewer.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createTestKey } from '../../support/harness.ts'
import { checkProblem, type HttpResponse, resolveReference } from '../../support/http.ts'
import { startReviewService } from '../../support/review-service.ts'

interface Operation {
  operationId: string
  requestBody?: { content: Record<string, { examples?: { example: { $ref: string } } }> }
}
const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
const operations = Object.entries<Record<string, Operation>>(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId, requestBody }]) => {
    const [type = '', { examples = undefined } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? []
    const example = examples && resolveReference<{ value: unknown }>(examples.example).value
    return { operationId, method: method.toUpperCase(), path, type, example }
  }),
)
const PUBLIC = ['getLiveness', 'getReadiness', 'getMetrics', 'getApiIndex', 'getOpenApiDocument']

/** What must never reach a reviewer: each text is in exactly one hidden place. */
const HIDDEN = {
  evaluation: 'run-of-the-secret-model',
  name: 'Name that tells the model',
  variant: 'variant-of-the-secret-model',
  evaluator: 'hidden_judge',
  result: 'verdict of the judge',
  reason: 'because the judge said so',
  cost: '0.0437219',
  latency: '8.6154327',
  note: 'note of the owner',
  extra: 'temperature of the model',
  otherLabel: 'Label of the other reviewer',
  otherNote: 'Words of the other reviewer',
  otherName: 'Other Reviewer',
  decision: 'Words of the owner who decides',
  filter: 'hidden_filter',
}

const service = await startReviewService()
const { store, send, sendOk, createReview, invite } = service
await sendOk('POST', '/api/variants', { id: HIDDEN.variant })
await sendOk('POST', '/api/evaluations', {
  id: HIDDEN.evaluation,
  name: HIDDEN.name,
  variant_id: HIDDEN.variant,
})
const row = (id: string) =>
  `{"id":"${id}","inputs":[{"name":"question","type":"text","value":"Is \\u0069t ${id}?"}],"outputs":[{"result":{"type":"json","value":{"n":1.0}},"cost":${HIDDEN.cost},"latency":${HIDDEN.latency}}],"correct_answers":[{"key":"answer","value":"expected ${id}"}],"note":"${HIDDEN.note}","results":[{"evaluator_config":"${HIDDEN.evaluator}","result":{"type":"text","value":"${HIDDEN.result}"}},{"evaluator_config":"${HIDDEN.filter}","result":{"type":"bool","value":true}}],"extra":{"results":[{"reason":"${HIDDEN.reason}"}],"settings":"${HIDDEN.extra}"}}`
const scenarios = `/api/evaluations/${HIDDEN.evaluation}/evaluation_scenarios`
await sendOk('POST', scenarios, `[${['one', 'two', 'three'].map(row).join(',')}]`)
const review = await createReview(HIDDEN.evaluation, {
  reviewers_per_row: 3,
  filters: { [`result.${HIDDEN.filter}`]: ['is.true'] },
})
const otherReview = await createReview(HIDDEN.evaluation, {
  questions: [{ evaluator: 'tone', type: 'number' }],
})
const [ana, other] = [await invite(review, 'Ana'), await invite(review, HIDDEN.otherName)]
const stranger = await invite(otherReview, 'Ana')
for (const id of ['one', 'two'])
  await other.put(id, false, { labels: [HIDDEN.otherLabel], note: HIDDEN.otherNote })
await sendOk('PUT', `/api/reviews/${review}/answers/two`, {
  answers: [{ evaluator: 'human_verdict', value: true, note: HIDDEN.decision }],
})

const ids: Record<string, string> = {
  evaluation_id: HIDDEN.evaluation,
  variant_id: HIDDEN.variant,
  scenario_id: 'one',
  review_id: review,
  revision: '1',
  from: '1',
  to: '2',
  evaluator: HIDDEN.evaluator,
  public_id: ana.key.slice(6, 18),
}
const pathOf = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] as string))
const QUERIES: Record<string, string> = {
  compareReviewLabels: `?evaluation=${HIDDEN.evaluation}&evaluation=x&on=human_verdict`,
  compareEvaluations: `?evaluation=${HIDDEN.evaluation}&evaluation=x`,
  listEvaluationScenarios: '?include=extra',
  listEvaluationRows: '?preview=1000',
}

async function request(
  key: string,
  { operationId, method, path, type, example }: (typeof operations)[number],
) {
  const isAnswer = operationId === 'putReviewAnswers'
  const answers = { answers: [{ evaluator: 'human_verdict', value: null, labels: ['Own label'] }] }
  const body = isAnswer ? answers : example
  const headers = { authorization: key, ...(type && { 'content-type': type }) }
  const text = body === undefined ? undefined : JSON.stringify(body)
  return send(method, pathOf(path) + (QUERIES[operationId] ?? ''), text, headers)
}

/** The status of each operation with a key of the project. Others are covered by the tests of their routes. */
const REVIEWER_OPERATIONS: Record<string, number> = {
  getKey: 200,
  getReviewForm: 200,
  getNextReviewRow: 200,
  listReviewRows: 200,
  getReviewRow: 200,
  putReviewAnswers: 200,
  deleteReviewAnswers: 204,
}

describe('the link of a reviewer', () => {
  const responses: HttpResponse[] = []

  test('reaches only its review and its key, in every operation', async () => {
    for (const reviewer of [ana, other]) {
      for (const operation of operations) {
        if (PUBLIC.includes(operation.operationId)) continue
        const response = await request(reviewer.key, operation)
        const status = REVIEWER_OPERATIONS[operation.operationId]
        if (status === undefined) checkProblem(response, 403, 'access-denied')
        else assert.equal(response.status, status, `${operation.operationId}: ${response.text}`)
        if (reviewer === ana) responses.push(response)
      }
      // What the loop has removed.
      if (reviewer === other)
        await other.put('one', false, { labels: [HIDDEN.otherLabel], note: HIDDEN.otherNote })
    }
  })

  test('does not reach another review of the same evaluation, by the same name', async () => {
    for (const operation of operations) {
      const { operationId, path } = operation
      if (!path.includes('{review_id}')) continue
      const response = await request(stranger.key, operation)
      checkProblem(response, 403, 'access-denied')
      assert.ok(operationId)
    }
    assert.deepEqual(
      (await stranger.rows()).map(({ answers }) => answers),
      [[], [], []],
    )
  })

  test('gets nothing that is hidden, before and after own answers, in any byte', async () => {
    for (const path of ['form', 'next', 'next?after=one', 'rows', 'rows/one', 'rows/three'])
      responses.push(await ana.trySend('GET', path))
    for (const id of ['one', 'two', 'three']) {
      responses.push(
        await ana.trySend('PUT', `answers/${id}`, {
          answers: [{ evaluator: 'human_verdict', value: true, note: `own note ${id}` }],
        }),
      )
      for (const path of ['form', 'next', 'rows', `rows/${id}`])
        responses.push(await ana.trySend('GET', path))
    }
    for (const path of ['answers/nowhere', 'rows/nowhere', 'nothing'])
      responses.push(await ana.trySend('GET', path))
    const bytes = responses.map(({ headers, text }) => JSON.stringify(headers) + text).join('\n')
    for (const [place, text] of Object.entries(HIDDEN)) assert.ok(!bytes.includes(text), place)
    assert.ok(bytes.includes('own note one') && bytes.includes('Own label'))
    const own = JSON.parse((await ana.trySend('GET', 'rows/one')).text)
    assert.deepEqual(
      own.answers.map(({ by }: { by: string }) => by),
      ['Ana'],
    )
  })

  test('gets inputs, outputs and expected answers exactly as they were sent', async () => {
    const { text } = await ana.trySend('GET', 'rows/two')
    assert.ok(
      text.startsWith(
        '{"scenario":{"id":"two","inputs":[{"name":"question","type":"text","value":"Is \\u0069t two?"}],"outputs":[{"result":{"type":"json","value":{"n":1.0}}}],"correct_answers":[{"key":"answer","value":"expected two"}]},"answers":[',
      ),
      text,
    )
  })

  test('a key of the project sees everything that is hidden, so that the search above can find it', async () => {
    const texts = [
      `/api/evaluations/${HIDDEN.evaluation}`,
      `${scenarios}?include=extra`,
      `/api/reviews/${review}`,
      `/api/reviews/${review}/rows`,
    ].map(async (path) => (await sendOk('GET', path)).text)
    const bytes = (await Promise.all(texts)).join('\n')
    for (const [place, text] of Object.entries(HIDDEN)) assert.ok(bytes.includes(text), place)
  })
})

describe('keys of the project', () => {
  const OPERATIONS = operations.filter(({ path }) => /review/.test(path))
  const allowed = {
    read: ['listReviews', 'getReview', 'listReviewRows', 'getReviewRow'],
    write: [
      ...[
        'createReview',
        'createComparisonReview',
        'changeReview',
        'mergeReviewLabels',
        'putReviewAnswers',
        'deleteReviewAnswers',
        'deleteReview',
      ],
    ],
  }
  for (const scopes of [['read'], ['write'], ['read', 'write']] as const) {
    test(`with the scopes ${scopes.join(' and ')} use the operations of these scopes, and cannot answer as a reviewer`, async () => {
      const { key } = await createTestKey(store, { scopes: [...scopes] })
      for (const operation of OPERATIONS) {
        const { operationId } = operation
        // Its own test is in reviews.test.ts.
        if (operationId === 'deleteReview' && scopes.includes('write' as never)) continue
        const response = await request(key, operation)
        const isAllowed = scopes.some((scope) => allowed[scope].includes(operationId))
        if (!isAllowed) checkProblem(response, 403, 'access-denied')
        else assert.notEqual(response.status, 403, `${operationId}: ${response.text}`)
        const returnsContent =
          response.status < 300 && response.text !== '' && !scopes.includes('read' as never)
        if (returnsContent) assert.match(response.text, /^\{"(?:id":"[^"]*"|answers":\d+)\}$/, operationId)
      }
    })
  }
})
