// Tests that a key without the scope read never receives stored content, from any write operation.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createTestKey } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { ROOT } from '../../support/test-run.ts'
import { NDJSON } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { store, baseUrl, sendOk } = await startWriteService()
const { key } = await createTestKey(store, { scopes: ['write'] })
const readKey = await createTestKey(store, { scopes: ['read', 'write'] })

/** In everything that is stored, except in ids that a writer has to know. */
const MARKER = 'Only-for-readers'

const SCENARIO = {
  id: 's',
  inputs: [{ name: `${MARKER} input`, type: 'text', value: MARKER }],
  outputs: [{ result: { type: 'text', value: MARKER } }],
  correct_answers: [{ key: MARKER, value: MARKER }],
  note: MARKER,
  results: [{ evaluator_config: `${MARKER} evaluator`, result: { type: 'bool', value: true } }],
  extra: { sample: MARKER, results: [{ reason: MARKER }] },
}

/** Stores an evaluation `e` with the scenario `s`, and a variant `v` with the revision 1. */
async function storeMarked(): Promise<void> {
  for (const path of ['evaluations/b', 'evaluations/e', `variants/${MARKER}`, 'variants/v'])
    await sendRequest(baseUrl, `/api/${path}`, { authorization: readKey.key }, 'DELETE')
  const revision = { modified_by: MARKER, config: { config_name: MARKER }, message: MARKER, revision: 1 }
  await sendOk('POST', '/api/variants', { id: 'v', name: MARKER })
  for (const variant of ['v', MARKER]) await sendOk('POST', `/api/variants/${variant}/revisions`, revision)
  await sendOk('POST', '/api/evaluations', {
    id: 'e',
    name: MARKER,
    variant_id: MARKER,
    revision: 1,
    family: 'f',
    label: MARKER,
    tags: [MARKER],
    evaluators: [{ name: MARKER, kind: 'human' }],
    metadata: { [MARKER]: MARKER },
    source: MARKER,
  })
  await sendOk('POST', '/api/evaluations/e/evaluation_scenarios', [SCENARIO, { id: 'other' }])
  await sendOk('POST', '/api/evaluations/b/evaluation_scenarios', [SCENARIO])
  const question = { evaluator: `${MARKER} people`, type: 'verdict', labels: [MARKER] }
  const verdict = { evaluator: 'people', type: 'verdict' }
  await sendOk('POST', '/api/evaluations/e/reviews', {
    id: 'r',
    name: MARKER,
    questions: [question, verdict],
  })
  const answer = { evaluator: 'people', value: true, note: MARKER, labels: ['a'] }
  await sendOk('PUT', '/api/reviews/r/answers/s', { answers: [answer] })
}
type Body = object | string | undefined
const SCENARIOS = '/evaluations/{evaluation_id}/evaluation_scenarios'
const CONFLICT = [{ id: 's', note: 'other' }, { id: 'new' }]
const IMPORT = `${JSON.stringify({ id: 's', outputs: [] })}\n`

/** Bodies for each operation: accepted ones, and those that conflict with what is stored. */
const REQUESTS: Record<string, { query?: string[]; bodies: Body[] }> = {
  'POST /evaluations': { bodies: [{ id: 'e' }, { id: 'e', name: 'x' }, { name: 'x' }, '{'] },
  'PATCH /evaluations/{evaluation_id}': {
    bodies: [{}, { name: null }, { revision: 9 }, { variant_id: 'w' }, { evaluators: [] }, '{'],
  },
  'DELETE /evaluations/{evaluation_id}': { bodies: [undefined] },
  [`POST ${SCENARIOS}`]: {
    query: ['', '?on_conflict=replace', '?on_conflict=skip', '?on_conflict=replace_all'],
    bodies: [[SCENARIO.id], CONFLICT, [{ id: 's', extra: { results: 'x' } }], '['],
  },
  [`PATCH ${SCENARIOS}/{scenario_id}`]: { bodies: [{}, { is_pinned: true }, { note: null }, '{'] },
  [`PUT ${SCENARIOS}/{scenario_id}`]: { bodies: [{}, { extra: { results: 'x' } }, '{'] },
  [`DELETE ${SCENARIOS}/{scenario_id}`]: { bodies: [undefined] },
  'POST /evaluations/{evaluation_id}/results': {
    bodies: [
      [{ scenario_id: 's', evaluator_config: 'x', result: { type: 'bool', value: true } }],
      [{ scenario_id: 'unknown', evaluator_config: 'x', result: { type: 'bool', value: true } }],
      '[',
    ],
  },
  'DELETE /evaluations/{evaluation_id}/results': {
    query: ['?evaluator=unknown'],
    bodies: [undefined],
  },
  [`DELETE ${SCENARIOS}/{scenario_id}/results/{evaluator}`]: { bodies: [undefined] },
  'POST /evaluations/{evaluation_id}/reviews': {
    bodies: [
      { questions: [{ evaluator: 'x', type: 'verdict' }] },
      { id: 'r', questions: [{ evaluator: 'x', type: 'verdict' }] },
      { questions: [{ evaluator: 'people', type: 'verdict' }] },
      '{',
    ],
  },
  'POST /comparisons/reviews': {
    bodies: [
      { evaluations: ['b', 'e'], questions: [{ evaluator: 'better', type: 'preference' }] },
      { evaluations: ['e', 'other'], questions: [{ evaluator: 'better', type: 'preference' }] },
      '{',
    ],
  },
  'PATCH /reviews/{review_id}': {
    bodies: [{}, { name: null }, { questions: [{ evaluator: 'people', type: 'number' }] }, '{'],
  },
  'DELETE /reviews/{review_id}': { bodies: [undefined] },
  'POST /reviews/{review_id}/labels': {
    bodies: [
      { evaluator: 'people', labels: ['a'], to: 'b' },
      { evaluator: 'x', labels: ['a'], to: 'b' },
    ],
  },
  'PUT /reviews/{review_id}/answers/{scenario_id}': {
    bodies: [
      { answers: [{ evaluator: 'people', value: null }] },
      { answers: [{ evaluator: 'x', value: null }] },
      { answers: [{ evaluator: 'people', value: 1 }] },
      '{',
    ],
  },
  'DELETE /reviews/{review_id}/answers/{scenario_id}': { bodies: [undefined] },
  'DELETE /variants/{variant_id}/revisions/{revision}': { bodies: [undefined] },
  'POST /variants': { bodies: [{ id: 'v' }, { id: 'v', name: 'x' }, {}, '{'] },
  'PATCH /variants/{variant_id}': { bodies: [{}, { name: null }, '{'] },
  'DELETE /variants/{variant_id}': { bodies: [undefined] },
  'POST /variants/{variant_id}/revisions': {
    bodies: [
      { modified_by: 'x', config: { config_name: 'x' } },
      { modified_by: 'x', config: { config_name: 'x' }, revision: 1 },
      '{',
    ],
  },
  'POST /imports': {
    query: ['error', 'replace', 'skip', 'replace_all'].flatMap((rule) =>
      ['', '&dry_run=true', '&skip_invalid=true'].map(
        (more) => `?format=scenarios&evaluation=e&variant=v&on_conflict=${rule}${more}`,
      ),
    ),
    bodies: [IMPORT, `${IMPORT}{`],
  },
  // Filters and the number of deleted rows would tell what is stored, so it needs the scope `read` too.
  [`DELETE ${SCENARIOS}`]: { bodies: [] },
  // It returns what it creates, with a secret.
  'POST /shares': { bodies: [] },
  'DELETE /shares/{public_id}': { bodies: [] },
}

interface Documented {
  paths: Record<string, Record<string, unknown>>
}
const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as Documented
const writes = Object.entries(paths).flatMap(([path, operations]) =>
  ['post', 'put', 'patch', 'delete']
    .filter((method) => method in operations)
    .map((method) => `${method.toUpperCase()} ${path.replace(/^\/api/, '')}`),
)

test('every write operation is tested', () => {
  assert.deepEqual(Object.keys(REQUESTS).sort(), writes.sort())
})

describe('a key without the scope read receives nothing that is stored', () => {
  for (const [operation, { query = [''], bodies }] of Object.entries(REQUESTS))
    test(operation, { skip: bodies.length === 0 && 'needs the scope read' }, async () => {
      const [method = '', template = ''] = operation.split(' ')
      const path = template
        .replace('{evaluation_id}', 'e')
        .replace('{scenario_id}', 's')
        .replace('{review_id}', 'r')
        .replace('{variant_id}', 'v')
        .replace('{revision}', '1')
        .replace('{evaluator}', 'unknown')
      for (const search of query)
        for (const body of bodies) {
          await storeMarked()
          const text = typeof body === 'object' ? JSON.stringify(body) : body
          const type = template === '/imports' ? NDJSON : 'application/json'
          const headers = { authorization: key, ...(text !== undefined && { 'content-type': type }) }
          const response = await sendRequest(baseUrl, `/api${path}${search}`, headers, method, text)
          const received = `${JSON.stringify(response.headers)}\n${response.text}`
          assert.ok(!received.includes(MARKER), `${operation}${search} ${text}\n${received}`)
          assert.notEqual(response.status, 403, received)
        }
    })

  test('the response of a write has the id and the ETag only', async () => {
    await storeMarked()
    for (const [method, path, body, expected] of [
      ['PATCH', '/evaluations/e', {}, { id: 'e' }],
      ['PATCH', '/evaluations/e/evaluation_scenarios/s', {}, { id: 's' }],
      ['PUT', '/evaluations/e/evaluation_scenarios/s', {}, { id: 's' }],
      ['PATCH', '/variants/v', {}, { id: 'v' }],
      [
        'POST',
        '/variants/v/revisions',
        { modified_by: 'x', config: { config_name: 'x' }, revision: 7 },
        { revision: 7 },
      ],
    ] as const) {
      const headers = { authorization: key, 'content-type': 'application/json' }
      const response = await sendRequest(baseUrl, `/api${path}`, headers, method, JSON.stringify(body))
      assert.deepEqual(JSON.parse(response.text), expected)
      assert.match(String(response.headers.etag), /^"/)
    }
  })
})
