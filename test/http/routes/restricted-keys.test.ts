// Tests what restricted keys (share links) can access: every operation of openapi.json, for every kind of key and id.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { after, describe, test } from 'node:test'
import type { Scope } from '../../../src/schema/keys.ts'
import type { KeyRestriction } from '../../../src/schema/shares.ts'
import { addKey } from '../../../src/store/access/keys.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import {
  checkDocumented,
  checkProblem,
  type HttpResponse,
  resolveReference,
  sendRequest,
} from '../../support/http.ts'
import { testOptions } from '../../support/options.ts'

/** The access rule of each operation. A new operation must be added here. */
const ACCESS_RULES: Record<
  string,
  'by evaluation' | 'by variant' | 'by comparison' | 'allowed' | 'denied' | 'public'
> = {
  getEvaluation: 'by evaluation',
  listEvaluationScenarios: 'by evaluation',
  getEvaluationScenario: 'by evaluation',
  getScenarioHistory: 'by evaluation',
  listEvaluationRows: 'by evaluation',
  getEvaluationSummary: 'by evaluation',
  getEvaluationAgreement: 'by evaluation',
  getEvaluationBreakdown: 'by evaluation',
  compareEvaluations: 'by comparison',
  listComparisonRows: 'by comparison',
  getLeaderboard: 'by comparison',
  listLeaderboardRows: 'by comparison',
  getVariant: 'by variant',
  listVariantRevisions: 'by variant',
  getVariantRevision: 'by variant',
  diffVariantRevisions: 'by variant',
  getKey: 'allowed',
  listEvaluations: 'denied',
  listVariants: 'denied',
  listShares: 'denied',
  listChanges: 'denied',
  createShare: 'denied',
  revokeShare: 'denied',
  addEvaluation: 'denied',
  changeEvaluation: 'denied',
  deleteEvaluation: 'denied',
  appendEvaluationScenarios: 'denied',
  markEvaluationScenario: 'denied',
  replaceEvaluationScenario: 'denied',
  deleteEvaluationScenario: 'denied',
  deleteEvaluationScenarios: 'denied',
  addVariant: 'denied',
  changeVariant: 'denied',
  deleteVariant: 'denied',
  addVariantRevision: 'denied',
  deleteVariantRevision: 'denied',
  importFile: 'denied',
  addResults: 'denied',
  deleteResults: 'denied',
  deleteScenarioResult: 'denied',
  // With the link of a reviewer: review-access.test.ts.
  listReviews: 'denied',
  createReview: 'denied',
  getReview: 'denied',
  changeReview: 'denied',
  deleteReview: 'denied',
  mergeReviewLabels: 'denied',
  getReviewForm: 'denied',
  getNextReviewRow: 'denied',
  listReviewRows: 'denied',
  getReviewRow: 'denied',
  putReviewAnswers: 'denied',
  deleteReviewAnswers: 'denied',
  compareReviewLabels: 'denied',
  createComparisonReview: 'denied',
  getLiveness: 'public',
  getReadiness: 'public',
  getMetrics: 'public',
  getApiIndex: 'public',
  getOpenApiDocument: 'public',
}

/** Parameters that contain an evaluation id, which the key must allow like the id in the path. */
const ID_PARAMETERS = ['evaluation', 'base']
/** Parameters that only select or format what the key allows. */
const OTHER_PARAMETERS = [
  ...[
    'limit',
    'cursor',
    'offset',
    'preview',
    'locate',
    'side',
    'format',
    'csv',
    'include',
    'order',
    'by',
    'show',
    'group',
    'on',
    'tolerance',
    'max_loss',
    'max_regressed',
    'min_matched',
    'evaluator',
    'with',
  ],
  // Filters of evaluations, which no restricted key can use.
  ...['name', 'variant_id', 'revision', 'family', 'source', 'status', 'tags', 'created_at', 'updated_at'],
  ...['q', 'latency', 'cost', 'is_pinned', 'note', 'sample', 'repetition', 'error', 'disagree', 'filters'],
]

/** The query parameters that reads need, by operation. */
const REQUIRED_PARAMETERS: Record<string, string> = {
  getEvaluationBreakdown: 'by=error',
  getEvaluationAgreement: 'evaluator=exact&with=similarity',
}

/** Ids of evaluations and variants: three of the project, one of another project, one unknown. */
const IDS = ['full', 'shared', 'empty', 'foreign', 'nowhere']

interface RestrictedKey {
  confined_to: KeyRestriction
  evaluations: string[]
  variants: string[]
}
const RESTRICTED_KEYS: Record<string, RestrictedKey> = {
  'an evaluation': { confined_to: { evaluation_id: 'full' }, evaluations: ['full'], variants: [] },
  'a comparison': {
    confined_to: { comparison: ['full', 'shared'] },
    evaluations: ['full', 'shared'],
    variants: [],
  },
  'a variant': { confined_to: { variant_id: 'full' }, evaluations: [], variants: ['full'] },
}

interface Operation {
  operationId: string
  parameters: ({ name: string; in: string } | { $ref: string })[]
  requestBody?: { content: Record<string, { examples?: { example: { $ref: string } } }> }
}
const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    query: operation.parameters
      .map((parameter) => resolveReference(parameter))
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name),
    body: Object.entries(operation.requestBody?.content ?? {})[0],
  })),
)
type ApiOperation = (typeof operations)[number]
const filterOperations = (...rules: string[]) =>
  operations.filter(({ id }) => rules.includes(ACCESS_RULES[id] ?? ''))

const store = await createTestStore()
await fillCorpus(store)
const service = await startTestService(store)
const concealingService = await startTestService(store, { conceal: true })
const { key: projectKey } = await createTestKey(store, { scopes: ['read', 'write'] })

async function createRestrictedKey(confined_to: KeyRestriction, scopes: readonly Scope[] = ['read']) {
  const key = { project: 'default', name: null, scopes, confined_to, expires_at: null }
  return (await store.writer.transaction((transaction) => addKey(transaction, key))).key
}
const keys = new Map<string, string>()
for (const [kind, { confined_to }] of Object.entries(RESTRICTED_KEYS))
  keys.set(kind, await createRestrictedKey(confined_to))

const isQuick = testOptions.profile === 'quick'
const agent = new Agent({ keepAlive: true })
after(() => agent.destroy())

/** A request, and the ids that the key must all allow, in the order of their lookup. */
interface RequestCase {
  path: string
  noun: 'evaluation' | 'variant'
  ids: string[]
}

function fillPath(path: string, id: string): string {
  const values: Record<string, string> = { scenario_id: 's-1', revision: '1', from: '1', to: '2' }
  return path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? id)
}

/** The address of a read, with the parameters that it needs. */
function readPath({ id: operation, path }: ApiOperation, id: string, query = ''): string {
  const parameters = [REQUIRED_PARAMETERS[operation] ?? '', query].filter((text) => text !== '')
  return fillPath(path, id) + (parameters.length === 0 ? '' : `?${parameters.join('&')}`)
}

function createCases(apiOperation: ApiOperation, conceal: boolean): RequestCase[] {
  const { id: operation, path, query } = apiOperation
  const noun: RequestCase['noun'] = ACCESS_RULES[operation] === 'by variant' ? 'variant' : 'evaluation'
  const pairs = IDS.flatMap((a) => IDS.filter((b) => b !== a).map((b) => [a, b] as const)).filter(
    (pair) => !isQuick || pair.includes('full'),
  )
  if (ACCESS_RULES[operation] === 'by comparison')
    return pairs.map(([a, b]) => ({ path: `${path}?evaluation=${a}&evaluation=${b}`, noun, ids: [a, b] }))
  if (conceal && isQuick) return IDS.map((id) => ({ path: readPath(apiOperation, id), noun, ids: [id] }))
  const queries = [
    '',
    ...(query.includes('format') ? ['format=csv', 'format=ndjson', 'limit=2'] : []),
    ...(query.includes('include')
      ? [`include=${noun === 'variant' ? 'evaluations,base,changes' : 'extra'}`]
      : []),
    ...(query.includes('q') ? ['q=it'] : []),
  ]
  const singleIdCases = IDS.flatMap((id) =>
    queries.map((query) => ({ path: readPath(apiOperation, id, query), noun, ids: [id] })),
  )
  if (!query.includes('base')) return singleIdCases
  return [
    ...singleIdCases,
    ...pairs.map(([a, b]) => ({ path: readPath(apiOperation, a, `base=${b}`), noun, ids: [a, b] })),
  ]
}

function getExpectedStatus(kind: RestrictedKey, { noun, ids }: RequestCase, conceal: boolean): number {
  const deniedId = ids.find((id) => !kind[`${noun}s`].includes(id))
  if (deniedId === undefined) return 200
  return conceal || deniedId === 'nowhere' ? 404 : 403
}

/** Returns 304 for every response that has an ETag. */
const ANY_VERSION = { 'if-none-match': '*' }

async function send(
  baseUrl: string,
  key: string,
  path: string,
  method = 'GET',
  headers = {},
): Promise<HttpResponse> {
  const allHeaders = { authorization: `Bearer ${key}`, ...headers }
  const response = await sendRequest(baseUrl, path, allHeaders, method, undefined, agent)
  checkDocumented(path, response, method)
  return response
}

/** Removes the member that differs in every response. */
const omitInstance = ({ instance: _, ...problem }: Record<string, unknown>) => problem

test('every operation has an access rule, and every query parameter of the readable operations is classified', () => {
  assert.deepEqual(operations.map(({ id }) => id).sort(), Object.keys(ACCESS_RULES).sort())
  for (const { id, query } of filterOperations('by evaluation', 'by comparison', 'by variant'))
    for (const name of query)
      assert.ok([...ID_PARAMETERS, ...OTHER_PARAMETERS].includes(name), `${name} of ${id}`)
})

for (const [mode, { baseUrl }, conceal] of [
  ['returns 403 if it exists', service, false],
  ['returns 404 because of conceal', concealingService, true],
] as const) {
  describe(`reads with a restricted key, when a denied id ${mode}`, () => {
    for (const operation of filterOperations('by evaluation', 'by comparison', 'by variant')) {
      test(`${operation.method} ${operation.path} returns only data that the key allows`, async () => {
        const readableKinds = new Set<string>()
        for (const [name, kind] of Object.entries(RESTRICTED_KEYS)) {
          const key = keys.get(name) as string
          for (const [index, request] of createCases(operation, conceal).entries()) {
            const status = getExpectedStatus(kind, request, conceal)
            const response = await send(baseUrl, key, request.path)
            assert.equal(response.status, status, `${request.path}, ${name}: ${response.text}`)
            if (status === 200) {
              readableKinds.add(name)
              assert.equal(response.text, (await send(baseUrl, projectKey, request.path)).text)
            } else {
              const code = status === 403 ? 'access-denied' : `${request.noun}-not-found`
              checkProblem(response, status, code)
              assert.equal(response.headers.etag, undefined)
            }
            // Each third request, so that each kind of id and query is among them.
            if (isQuick && index % 3 !== 0) continue
            const head = await send(baseUrl, key, request.path, 'HEAD', status === 200 ? {} : ANY_VERSION)
            assert.deepEqual([head.status, head.bytes.length], [status, 0], `HEAD ${request.path}, ${name}`)
            if (status !== 200) assert.equal(head.headers.etag, undefined)
          }
        }
        const expected = {
          'by evaluation': ['an evaluation', 'a comparison'],
          'by comparison': ['a comparison'],
          'by variant': ['a variant'],
        }[ACCESS_RULES[operation.id] as 'by evaluation']
        assert.deepEqual([...readableKinds], expected)
      })
    }
  })
}

test('with conceal, the response for an existing id is the same as for an unknown id', async () => {
  for (const operation of filterOperations('by evaluation', 'by variant')) {
    const noun = ACCESS_RULES[operation.id] === 'by variant' ? 'variant' : 'evaluation'
    for (const [name, kind] of Object.entries(RESTRICTED_KEYS)) {
      const readProblem = async (id: string) => {
        const response = await send(
          concealingService.baseUrl,
          keys.get(name) as string,
          readPath(operation, id),
        )
        return omitInstance(JSON.parse(response.text.replace(`'${id}'`, "'…'")))
      }
      const unknownProblem = await readProblem('nowhere')
      for (const id of IDS.filter((id) => !kind[`${noun}s`].includes(id)))
        assert.deepEqual(await readProblem(id), unknownProblem)
    }
  }
})

test('public operations ignore restricted keys, and every key can read its own details', async () => {
  for (const [name, { confined_to }] of Object.entries(RESTRICTED_KEYS)) {
    const key = keys.get(name) as string
    for (const { path } of filterOperations('public')) {
      for (const headers of [{}, { authorization: key }])
        assert.equal((await sendRequest(service.baseUrl, path, headers)).status, 200, path)
    }
    for (const { path } of filterOperations('allowed')) {
      const details = JSON.parse((await send(service.baseUrl, key, path)).text)
      assert.deepEqual(
        [details.public_id, details.scopes, details.confined_to],
        [key.slice(6, 18), ['read'], confined_to],
      )
    }
  }
})

describe('lists and writes with a restricted key', async () => {
  const deniedIds = isQuick ? ['full', 'nowhere'] : IDS
  // Restricted keys never have the scope write. Even with it they must be rejected.
  const deniedKeys = [...keys.values()]
  for (const { confined_to } of Object.values(RESTRICTED_KEYS))
    deniedKeys.push(await createRestrictedKey(confined_to, ['read', 'write', 'review']))
  const publicId = deniedKeys[0]?.slice(6, 18) ?? ''

  /** Reads all data of the project. */
  async function readAll(): Promise<string[]> {
    const lists = ['/api/evaluations', '/api/variants', '/api/shares']
    const details = IDS.slice(0, 3).flatMap((id) => [
      `/api/evaluations/${id}/evaluation_scenarios?include=extra`,
      `/api/variants/${id}/revisions`,
    ])
    const texts = []
    for (const path of [...lists, ...details])
      texts.push((await send(service.baseUrl, projectKey, path)).text)
    return texts
  }

  for (const operation of filterOperations('denied')) {
    const { method, path, body: [type = '', { examples = undefined } = {}] = [] } = operation
    const example = examples && resolveReference<{ value: unknown }>(examples.example).value
    test(`${method} ${path} returns 403 and changes nothing`, async () => {
      const textsBefore = await readAll()
      for (const id of path.includes('public_id') ? [publicId] : path.includes('{') ? deniedIds : ['']) {
        for (const { baseUrl } of [service, concealingService]) {
          for (const authorization of deniedKeys) {
            const headers = { authorization, ...(type && { 'content-type': type }) }
            const body = example === undefined ? undefined : JSON.stringify(example)
            const response = await sendRequest(baseUrl, fillPath(path, id), headers, method, body, agent)
            checkDocumented(path, response, method)
            checkProblem(response, 403, 'access-denied')
          }
        }
      }
      assert.deepEqual(await readAll(), textsBefore)
    })
  }
})
