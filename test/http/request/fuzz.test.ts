// Property-based tests: random requests never cause a 5xx or an undocumented response.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, mock, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { FailedKeyLimiter } from '../../../src/http/request/failed-key-limiter.ts'
import { checkStore } from '../../../src/store/check.ts'
import { sizes } from '../../sizes.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import {
  documentedResponse,
  resolveReference,
  responseErrors,
  schemaErrors,
  sendRequest,
} from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { testOptions } from '../../support/options.ts'
import { encodedText, generatedWrite, headerValue, mostly, pathId } from '../../support/request-generators.ts'
import { JSON_TYPE, NDJSON } from '../../support/write-requests.ts'

const RUNS = sizes.fuzz_requests

const store = await createTestStore()
await fillCorpus(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const { baseUrl } = await startTestService(store)
// Random requests contain more invalid keys than one address can send.
const { mock: limiter } = mock.method(FailedKeyLimiter.prototype, 'recordFailure', () => undefined)
after(() => limiter.restore())

interface GeneratedRequest {
  method: string
  path: string
  query: string
  headers: Record<string, string>
  body?: Uint8Array
}

const revisionNumber = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('0', '1', '3', '01', '4', '2147483648') },
  { weight: 1, arbitrary: encodedText },
)
const path = fc.oneof(
  { weight: 4, arbitrary: pathId.map((id) => `/api/evaluations/${id}/evaluation_scenarios`) },
  { weight: 4, arbitrary: pathId.map((id) => `/api/variants/${id}/revisions`) },
  { weight: 1, arbitrary: pathId.map((id) => `/api/evaluations/${id}`) },
  { weight: 2, arbitrary: pathId.map((id) => `/api/evaluations/${id}/summary`) },
  { weight: 1, arbitrary: pathId.map((id) => `/api/evaluations/${id}/agreement`) },
  { weight: 1, arbitrary: pathId.map((id) => `/api/evaluations/${id}/breakdown`) },
  { weight: 1, arbitrary: pathId.map((id) => `/api/variants/${id}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(pathId, revisionNumber, revisionNumber, fc.constantFrom('', '/diff', '/x'))
      .map(([id, from, to, diff]) => `/api/variants/${id}/revisions/${from}${diff && `${diff}/${to}`}`),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '/api/evaluations',
      '/api/variants',
      '/livez',
      '/readyz',
      '/',
      '/api',
      '//',
      '/docs',
    ),
  },
  { weight: 1, arbitrary: fc.oneof(encodedText, pathId).map((text) => `/${text}`) },
  { weight: 1, arbitrary: pathId.map((text) => `/nowhere/${text}`) },
)
const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom('limit', 'cursor', 'format', 'include', '_x', '__proto__', 'constructor'),
    fc.constantFrom('name', 'variant_id', 'revision', 'created_at', 'base'),
    encodedText,
  ),
  fc.oneof(
    fc.constantFrom('1', '1000', '0', 'json', 'csv', 'ndjson', 'extra', '', '1e3', '%zz', 'WyJ4IiwxXQ'),
    fc.constantFrom(
      'scores,base',
      'changes',
      'evaluations,base,changes',
      'eq.full',
      'contains.%00',
      'ne.1',
      'gt.9e9',
    ),
    fc.constantFrom('lt.2026-01-01T00:00:00Z', 'gte.2147483647', 'lt.99999999999999999999'),
    encodedText,
  ),
)
const query = fc
  .array(parameter, { maxLength: 3 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
const headerList = (names: string[]) =>
  fc
    .array(
      fc.tuple(fc.constantFrom(...names), fc.constantFrom('', ';q=0', ';q=0.5', ';q=1', ';q=x', ';v=1')),
      { maxLength: 4 },
    )
    .map((members) => members.map((member) => member.join('')).join(', '))
const headers = fc.record(
  {
    authorization: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(key, `Bearer ${key}`) },
      { weight: 1, arbitrary: headerValue },
    ),
    accept: fc.oneof(
      headerList(['application/json', 'text/csv', 'application/x-ndjson', '*/*', 'text/*', 'image/png']),
      headerValue,
    ),
    'accept-encoding': fc.oneof(headerList(['gzip', 'br', 'zstd', 'identity', '*', 'deflate']), headerValue),
    'if-none-match': fc.oneof(fc.constantFrom('*', '"x"', 'W/"x"'), headerValue),
    'if-match': fc.oneof(fc.constantFrom('*', '"x"', 'W/"x"'), headerValue),
    range: headerValue,
    'x-forwarded-for': headerValue,
    origin: headerValue,
  },
  { requiredKeys: [] },
)
const method = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE'),
  },
)

const requestWithoutBody: fc.Arbitrary<GeneratedRequest> = fc.record({ method, path, query, headers })

interface Parameter {
  name: string
  in: string
  schema?: { enum?: string[]; type?: string; default?: unknown; example?: unknown; examples?: unknown[] }
  example?: unknown
}

const { paths: documentedPaths } = JSON.parse(
  readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, { parameters?: (Parameter | { $ref: string })[] }>> }

/** A value of a documented parameter: one that its schema names, or any other. */
function parameterValue({ schema = {}, example }: Parameter): fc.Arbitrary<string> {
  const named = [...(schema.enum ?? []), schema.default, schema.example, ...(schema.examples ?? []), example]
  const values = named
    .filter((value) => value !== undefined)
    .map((value) => encodeURIComponent(String(value)))
  return mostly(
    fc.oneof(
      ...(values.length > 0 ? [fc.constantFrom(...values)] : []),
      fc.constantFrom(
        '1',
        '0',
        'full',
        'shared',
        'eq.1',
        'is.null',
        'gt.0.5',
        'contains.a',
        'not.eq.x',
        'in.(a,b)',
      ),
    ),
    encodedText,
  )
}

/** A request to any operation of openapi.json with its own parameters, which are mostly valid. */
const documentedRequest: fc.Arbitrary<GeneratedRequest> = fc
  .constantFrom(
    ...Object.entries(documentedPaths).flatMap(([name, operations]) =>
      Object.entries(operations).map(([method, { parameters = [] }]) => ({ name, method, parameters })),
    ),
  )
  .chain(({ name, method, parameters }) => {
    const queryParameters = parameters
      .map((parameter) => resolveReference<Parameter>(parameter))
      .filter((parameter) => parameter.in === 'query')
    const segments = name.split('/').map((segment) => {
      if (!segment.startsWith('{')) return fc.constant(segment)
      const isNumber = ['{revision}', '{from}', '{to}'].includes(segment)
      return isNumber
        ? revisionNumber
        : segment === '{scenario_id}'
          ? mostly(fc.constant('s-1'), pathId)
          : pathId
    })
    const pairs = queryParameters.map((parameter) =>
      fc.option(
        parameterValue(parameter).map((value) => `${parameter.name}=${value}`),
        { nil: '', freq: 2 },
      ),
    )
    return fc.record({
      method: mostly(fc.constant(method.toUpperCase()), fc.constantFrom('HEAD', 'OPTIONS', 'PUT')),
      path: fc.tuple(...segments).map((texts) => texts.join('/')),
      query: mostly(
        fc.tuple(...pairs).map((texts) => texts.filter((text) => text !== '').join('&')),
        query,
      ),
      headers: mostly<Record<string, string>>(fc.constant({ authorization: key }), headers),
    })
  })

/** The actual encoding of a body, and its Content-Encoding header. */
const encoding = mostly<[actualEncoding: string, declaredEncoding?: string]>(
  fc.constantFrom(['identity'], ['gzip', 'gzip'], ['zstd', 'zstd']),
  fc.tuple(
    fc.constantFrom('identity', 'gzip', 'zstd'),
    fc.constantFrom('gzip', 'zstd', 'x-gzip', 'br', 'identity', 'gzip, gzip', ''),
  ),
)
const writeHeaders = fc.record(
  {
    'content-type': fc.oneof(fc.constantFrom('', JSON_TYPE, NDJSON, 'text/plain', 'a/b; c'), headerValue),
    authorization: headerValue,
    'idempotency-key': headerValue,
    accept: headerValue,
  },
  { requiredKeys: [] },
)
const requestWithBody: fc.Arbitrary<GeneratedRequest> = fc
  .record({
    write: generatedWrite,
    encoding,
    /** There are only two values, so that the same and other requests reuse keys. */
    idempotency: fc.constantFrom({}, {}, { 'idempotency-key': 'k-0' }, { 'idempotency-key': 'k-1' }),
    framing: fc.constantFrom({}, { 'transfer-encoding': 'chunked' }),
    otherHeaders: mostly(fc.constant({}), writeHeaders),
    query: mostly(fc.constant(''), query),
  })
  .map(
    ({
      write: { method, path, body, isNdjson },
      encoding: [actualEncoding, declaredEncoding],
      idempotency,
      framing,
      otherHeaders,
      query,
    }) => {
      const type = { 'content-type': isNdjson ? NDJSON : JSON_TYPE }
      const contentEncoding = declaredEncoding === undefined ? {} : { 'content-encoding': declaredEncoding }
      const headers = {
        authorization: key,
        ...type,
        ...contentEncoding,
        ...idempotency,
        ...framing,
        ...otherHeaders,
      }
      return { method, path, query, headers, body: encode(actualEncoding, body) }
    },
  )

test(`${RUNS} random requests cause no 5xx, only documented responses, and a problem document for every error`, async (t) => {
  const request = fc.oneof(
    { weight: 1, arbitrary: requestWithoutBody },
    { weight: 2, arbitrary: documentedRequest },
    { weight: 1, arbitrary: requestWithBody },
  )
  const statuses = new Map<number, number>()
  const property = fc.asyncProperty(request, async ({ method, path, query, headers, body }) => {
    const target = query === '' ? path : `${path}?${query}`
    const response = await sendRequest(baseUrl, target, headers, method, body)
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    assert.ok(response.status < 500, response.text)
    const documented = documentedResponse(target, response.status, method)
    const isDocumented = documented !== undefined || (method === 'OPTIONS' && response.status === 204)
    assert.ok(isDocumented, `${method} ${target} ${response.status} is not documented`)
    if (method === 'HEAD') return
    if (response.status < 400) {
      if (response.headers['content-type'] === 'application/json')
        assert.deepEqual(responseErrors(target, response, method), [], target)
      return
    }
    assert.deepEqual(schemaErrors('Problem', JSON.parse(response.text)), [])
    assert.equal(response.headers['content-type'], 'application/problem+json')
  })
  await fc.assert(property, { numRuns: RUNS, seed: testOptions.seed })
  reportMeasurements(t, {
    cases: RUNS,
    wrong: 0,
    statuses: statuses.size,
    successful: statuses.get(200) ?? 0,
  })
})

test('the store is consistent after all requests', async () => {
  const { faults } = await checkStore(store, () => undefined)
  assert.deepEqual(faults, [])
})

function encode(encoding: string, body: Uint8Array): Uint8Array {
  if (encoding === 'gzip') return gzipSync(body)
  return encoding === 'zstd' ? zstdCompressSync(body) : body
}
