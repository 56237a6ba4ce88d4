// Tests every write with an id that exists only in another project, for every kind of key: it must not reveal that id.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { after, describe, test } from 'node:test'
import { addKey } from '../../../src/store/access/keys.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import {
  EVALUATIONS,
  resultsPath,
  revisionBody,
  revisionsPath,
  scenariosPath,
  VARIANTS,
} from '../../support/write-requests.ts'

interface Write {
  operation: string
  name: string
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: (id: string) => string
  body?: (id: string) => string
  /** The response of a key for the whole project, for a foreign and an unknown id. Undefined: the id must exist. */
  status?: number
  /** The path that reads what the write creates, and a part of its response. */
  created?: { path: (id: string) => string; content: RegExp }
  scopes?: string[]
  /** The scope that a restricted key needs. Without it, restricted keys cannot send the write. */
  restrictedScope?: string
}

const FULL_EVALUATION = `${EVALUATIONS}/full`
const evaluation = { path: (id: string) => `${EVALUATIONS}/${id}`, content: /"scenario_count":0,/ }
const scenarios = { path: scenariosPath, content: /^\[\{"id":"mine",[^[]*\[\][^{}]*\}\]$/ }
const revisions = { path: revisionsPath, content: /^\[\{"revision":1,"modified_by":"Ana",[^[]*\]$/ }
const TIME = '"created_at":"2026-11-15T09:15:00.123Z"'
const fullExport = (id: string) =>
  `{"evaluation":{"id":"${id}"},"variant":{"id":"${id}","name":"x",${TIME}},"revision":${revisionBody(undefined, `,"revision":1,${TIME}`)}}\n{"id":"mine"}\n`

const REVIEW = '{"questions":[{"evaluator":"human","type":"verdict"}]}'

const WRITES: Write[] = [
  {
    operation: 'addEvaluation',
    name: 'creating an evaluation',
    method: 'POST',
    path: () => EVALUATIONS,
    body: (id) => `{"id":"${id}"}`,
    status: 201,
    created: evaluation,
  },
  {
    operation: 'appendEvaluationScenarios',
    name: 'appending scenarios',
    method: 'POST',
    path: scenariosPath,
    body: () => '[{"id":"mine"}]',
    status: 201,
    created: scenarios,
  },
  {
    operation: 'addVariant',
    name: 'creating a variant',
    method: 'POST',
    path: () => VARIANTS,
    body: (id) => `{"id":"${id}"}`,
    status: 201,
    created: { path: (id) => `${VARIANTS}/${id}`, content: /"revision_count":0,/ },
  },
  {
    operation: 'addVariantRevision',
    name: 'adding a revision',
    method: 'POST',
    path: revisionsPath,
    body: () => revisionBody(undefined, `,${TIME}`),
    status: 201,
    created: revisions,
  },
  {
    operation: 'importFile',
    name: 'importing scenarios',
    method: 'POST',
    path: (id) => `/api/imports?evaluation=${id}&format=scenarios`,
    body: () => '{"id":"mine"}\n',
    status: 200,
    created: scenarios,
  },
  {
    operation: 'importFile',
    name: 'importing a full export with its evaluation',
    method: 'POST',
    path: () => '/api/imports',
    body: fullExport,
    status: 200,
    created: scenarios,
  },
  {
    operation: 'importFile',
    name: 'importing a full export with its variant',
    method: 'POST',
    path: () => '/api/imports',
    body: fullExport,
    status: 200,
    created: revisions,
  },
  ...(['addEvaluation', 'changeEvaluation'] as const).flatMap((operation): Write[] => {
    const isNew = operation === 'addEvaluation'
    const request = {
      operation,
      method: isNew ? ('POST' as const) : ('PATCH' as const),
      path: () => (isNew ? EVALUATIONS : FULL_EVALUATION),
    }
    return [
      {
        ...request,
        name: `${operation} with variant_id`,
        body: (id) => `{"variant_id":"${id}"}`,
        status: 422,
      },
      {
        ...request,
        name: `${operation} with variant_id and revision`,
        body: (id) => `{"variant_id":"${id}","revision":1}`,
        status: 422,
      },
      {
        ...request,
        name: `${operation} with baseline_id`,
        body: (id) => `{"baseline_id":"${id}"}`,
        status: isNew ? 201 : 200,
      },
    ]
  }),
  ...[
    (id: string) => `{"evaluation_id":"${id}"}`,
    (id: string) => `{"comparison":["full","${id}"]}`,
    (id: string) => `{"variant_id":"${id}"}`,
  ].map(
    (confinedTo): Write => ({
      operation: 'createShare',
      name: `creating a share of ${confinedTo('ID')}`,
      method: 'POST',
      path: () => '/api/shares',
      body: (id) => `{"confined_to":${confinedTo(id)}}`,
      status: 422,
      scopes: ['read', 'write'],
    }),
  ),
  {
    operation: 'changeEvaluation',
    name: 'changing an evaluation',
    method: 'PATCH',
    path: (id) => `${EVALUATIONS}/${id}`,
    body: () => '{"name":"x"}',
  },
  {
    operation: 'deleteEvaluation',
    name: 'deleting an evaluation',
    method: 'DELETE',
    path: (id) => `${EVALUATIONS}/${id}`,
  },
  {
    operation: 'markEvaluationScenario',
    name: 'changing a scenario',
    method: 'PATCH',
    path: (id) => `${scenariosPath(id)}/theirs`,
    body: () => '{"note":"x"}',
  },
  {
    operation: 'changeVariant',
    name: 'changing a variant',
    method: 'PATCH',
    path: (id) => `${VARIANTS}/${id}`,
    body: () => '{"name":"x"}',
  },
  {
    operation: 'replaceEvaluationScenario',
    name: 'replacing a scenario',
    method: 'PUT',
    path: (id) => `${scenariosPath(id)}/theirs`,
    body: () => '{"note":"x"}',
  },
  {
    operation: 'deleteEvaluationScenario',
    name: 'deleting a scenario',
    method: 'DELETE',
    path: (id) => `${scenariosPath(id)}/theirs`,
  },
  {
    operation: 'deleteEvaluationScenarios',
    name: 'deleting scenarios',
    method: 'DELETE',
    path: (id) => `${scenariosPath(id)}?note=is.null`,
    scopes: ['read', 'write'],
  },
  {
    operation: 'addResults',
    name: 'adding results',
    method: 'POST',
    path: resultsPath,
    body: () => '[{"scenario_id":"theirs","evaluator_config":"e","result":{"type":"x"}}]',
  },
  {
    operation: 'deleteResults',
    name: 'deleting results',
    method: 'DELETE',
    path: (id) => `${resultsPath(id)}?evaluator=e`,
  },
  {
    operation: 'deleteScenarioResult',
    name: 'deleting a result',
    method: 'DELETE',
    path: (id) => `${scenariosPath(id)}/theirs/results/e`,
  },
  {
    operation: 'createReview',
    name: 'creating a review',
    method: 'POST',
    path: (id) => `${EVALUATIONS}/${id}/reviews`,
    body: () => REVIEW,
  },
  {
    operation: 'createReview',
    name: 'creating a review with an id',
    method: 'POST',
    path: () => `${FULL_EVALUATION}/reviews`,
    body: (id) => REVIEW.replace('{', `{"id":"${id}",`).replace('human', `human ${id}`),
    status: 201,
    created: { path: (id) => `/api/reviews/${id}`, content: /"evaluation_id":"full"/ },
  },
  ...[(id: string) => [id, 'full'], (id: string) => ['full', id]].map((evaluations, index) => ({
    operation: 'createComparisonReview',
    name: `creating a review of a comparison with ${['a baseline', 'a candidate'][index]}`,
    method: 'POST' as const,
    path: () => '/api/comparisons/reviews',
    body: (id: string) =>
      JSON.stringify({
        evaluations: evaluations(id),
        questions: [{ evaluator: 'better', type: 'preference' }],
      }),
  })),
  {
    operation: 'changeReview',
    name: 'changing a review',
    method: 'PATCH',
    path: (id) => `/api/reviews/${id}`,
    body: () => '{"name":"mine"}',
  },
  {
    operation: 'deleteReview',
    name: 'deleting a review',
    method: 'DELETE',
    path: (id) => `/api/reviews/${id}`,
  },
  {
    operation: 'mergeReviewLabels',
    name: 'renaming labels',
    method: 'POST',
    path: (id) => `/api/reviews/${id}/labels`,
    body: () => '{"evaluator":"human","labels":["a"],"to":"b"}',
  },
  {
    operation: 'putReviewAnswers',
    name: 'answering',
    method: 'PUT',
    path: (id) => `/api/reviews/${id}/answers/theirs`,
    body: () => '{"answers":[{"evaluator":"human","value":true}]}',
  },
  {
    operation: 'deleteReviewAnswers',
    name: 'removing answers',
    method: 'DELETE',
    path: (id) => `/api/reviews/${id}/answers/theirs`,
  },
  {
    operation: 'deleteVariant',
    name: 'deleting a variant',
    method: 'DELETE',
    path: (id) => `${VARIANTS}/${id}`,
  },
  {
    operation: 'deleteVariantRevision',
    name: 'deleting a revision',
    method: 'DELETE',
    path: (id) => `${revisionsPath(id)}/1`,
  },
]

const store = await createTestStore()
await fillCorpus(store)
const service = await startTestService(store)
const concealingService = await startTestService(store, { conceal: true })
const otherKey = (await createTestKey(store, { project: 'other', scopes: ['read', 'write'] })).key

const ALL_SCOPES = [['read', 'write'], ['read', 'review'], ['write'], ['read']] as const
const SCOPES_OF_KEYS = testOptions.profile === 'full' ? ALL_SCOPES : ALL_SCOPES.slice(0, 2)
interface TestKey {
  name: string
  key: string
  scopes: readonly string[]
  isRestricted: boolean
}
const keys: TestKey[] = []
for (const scopes of SCOPES_OF_KEYS) {
  const projectKey = await createTestKey(store, { scopes: [...scopes] })
  keys.push({ name: `a key with ${scopes}`, key: projectKey.key, scopes, isRestricted: false })
  const confined_to = { evaluation_id: 'full' }
  const { key } = await store.writer.transaction((transaction) =>
    addKey(transaction, { project: 'default', name: null, scopes, confined_to, expires_at: null }),
  )
  keys.push({ name: `a restricted key with ${scopes}`, key, scopes, isRestricted: true })
}

const agent = new Agent({ keepAlive: true })
after(() => agent.destroy())

interface Ids {
  foreignId: string
  unknownId: string
  foreignContent: unknown[]
}
let counter = 0

/** Creates an evaluation and a variant in the other project. */
async function createIds(): Promise<Ids> {
  counter += 1
  const id = `foreign-${counter}`
  for (const [path, body] of [
    [scenariosPath(id), '[{"id":"theirs"}]'],
    [revisionsPath(id), revisionBody(undefined, ',"revision":1')],
    [`${EVALUATIONS}/${id}/reviews`, REVIEW.replace('{', `{"id":"${id}",`)],
  ] as const) {
    const headers = { authorization: otherKey, 'content-type': 'application/json' }
    assert.equal((await sendRequest(service.baseUrl, path, headers, 'POST', body, agent)).status, 201)
  }
  return { foreignId: id, unknownId: `unknown-${counter}`, foreignContent: await readForeign(id) }
}

/** Everything that the other project has under this id, with the ETags. */
async function readForeign(id: string): Promise<unknown[]> {
  const paths = [
    ...[`${EVALUATIONS}/${id}`, scenariosPath(id), `${VARIANTS}/${id}`, revisionsPath(id)],
    `/api/reviews/${id}`,
  ]
  const headers = { authorization: otherKey }
  const responses = await Promise.all(
    paths.map((path) => sendRequest(service.baseUrl, path, headers, 'GET', undefined, agent)),
  )
  return responses.map(({ status, text, headers: { etag } }) => {
    assert.equal(status, 200)
    return [text, etag]
  })
}

/** Replaces what differs between two requests: the id, generated ids, ETags and times. */
function comparable({ status, headers, text }: HttpResponse, id: string) {
  const { date: _, 'x-request-id': __, ...rest } = headers
  const generated = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g
  return JSON.parse(
    JSON.stringify({ status, headers: { ...rest, ...(rest.etag && { etag: 'ETAG' }) }, text })
      .replaceAll(id, 'ID')
      .replace(generated, 'GENERATED'),
  )
}

function expectedStatus(
  { status = 404, scopes = ['write'], restrictedScope = '' }: Write,
  { scopes: keyScopes, isRestricted }: TestKey,
) {
  if (isRestricted && keyScopes.includes(restrictedScope)) return status
  return isRestricted || scopes.some((scope) => !keyScopes.includes(scope)) ? 403 : status
}

test('every write operation is tested with a foreign id', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
  const operations = Object.values<Record<string, { operationId: string }>>(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
  )
  const testedOperations = new Set(['revokeShare', ...WRITES.map(({ operation }) => operation)])
  assert.deepEqual(operations.sort(), [...testedOperations].sort())
})

for (const [setting, { baseUrl }, conceals] of [
  ['without conceal', service, false],
  ['with conceal', concealingService, true],
] as const) {
  const skip = conceals && fullOnly('conceal changes no statement', 'postgres')
  describe(`a write with an id that exists only in another project, ${setting}`, { skip }, () => {
    for (const write of WRITES) {
      const requiresId = write.status === undefined
      // The others have the same response with and without conceal.
      if (conceals && !requiresId && testOptions.profile === 'quick') continue
      const outcome = requiresId
        ? `returns ${conceals ? 404 : 403}`
        : `has the same response as with an unknown id, ${write.status}`
      test(`${write.name} ${outcome}, and the other project does not change`, async () => {
        const rejectedIds = await createIds()
        for (const testKey of keys) {
          const status = expectedStatus(write, testKey)
          const ids = status < 300 ? await createIds() : rejectedIds
          const { foreignId, unknownId, foreignContent } = ids
          const send = async (id: string) => {
            const headers = { authorization: testKey.key, 'content-type': 'application/json' }
            const path = write.path(id)
            const response = await sendRequest(baseUrl, path, headers, write.method, write.body?.(id), agent)
            checkDocumented(path, response, write.method)
            return response
          }
          const [foreign, unknown] = [await send(foreignId), await send(unknownId)]
          assert.equal(unknown.status, status, `${testKey.name}: ${unknown.text}`)
          if (requiresId && !conceals && status === 404) checkProblem(foreign, 403, 'access-denied')
          else assert.deepEqual(comparable(foreign, foreignId), comparable(unknown, unknownId), testKey.name)
          assert.deepEqual(await readForeign(foreignId), foreignContent)
          if (write.created && status < 300) await checkCreated(write.created, foreignId)
        }
      })
    }
  })
}

/** The project of the key has its own object with the id. */
async function checkCreated({ path, content }: NonNullable<Write['created']>, id: string): Promise<void> {
  const [{ key: authorization }] = keys as [TestKey]
  const response = await sendRequest(service.baseUrl, path(id), { authorization })
  assert.equal(response.status, 200, response.text)
  assert.match(response.text, content)
  assert.doesNotMatch(response.text, /theirs/)
}

test('revoking a share of another project returns the same response as an unknown share', async () => {
  const headers = { authorization: otherKey, 'content-type': 'application/json' }
  const body = '{"confined_to":{"evaluation_id":"foreign"}}'
  const share = JSON.parse((await sendRequest(service.baseUrl, '/api/shares', headers, 'POST', body)).text)
  const unknownId = 'abcdefghijkl'
  for (const { key: authorization } of keys) {
    const revoke = (id: string) =>
      sendRequest(service.baseUrl, `/api/shares/${id}`, { authorization }, 'DELETE')
    const [foreign, unknown] = [await revoke(share.public_id), await revoke(unknownId)]
    assert.ok(unknown.status === 404 || unknown.status === 403, unknown.text)
    assert.deepEqual(comparable(foreign, share.public_id), comparable(unknown, unknownId))
  }
  const shares = await sendRequest(service.baseUrl, '/api/shares', { authorization: otherKey })
  assert.match(shares.text, new RegExp(share.public_id))
})
