// Runs tables of invalid writes. Each must return a documented problem and leave the store unchanged.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fillCorpus } from './corpus.ts'
import { createTestKey, createTestStore, type Service, startTestService } from './harness.ts'
import { checkDocumented, checkProblem, type HttpResponse, sendRequest } from './http.ts'
import { storeDump } from './store-dump.ts'
import { type Body, JSON_TYPE, NEW_SCENARIOS } from './write-requests.ts'

export interface Expected {
  status: number
  code: string
  /** For invalid-json. */
  line?: number | undefined
  offset?: number | undefined
  /** For invalid-content: the first error and the total number of errors. */
  firstError?: { pointer: string; line?: number; count?: number }
  /** A part of the problem's detail. */
  detail?: string | undefined
  headers?: Record<string, string | undefined>
}

/** A request that posts a scenario as JSON with a valid key by default. An undefined value removes a header. */
interface InvalidRequest {
  method?: string
  path?: string
  body?: Body
  headers?: Record<string, string | undefined>
  service?: Service
}

export type RejectionCase = [name: string, request: InvalidRequest, expected: Expected]

export const invalidRequest: Expected = { status: 400, code: 'invalid-request' }
export const unsupportedMediaType: Expected = { status: 415, code: 'unsupported-media-type' }
export const contentTooLarge: Expected = { status: 413, code: 'content-too-large' }
export const conflict: Expected = { status: 409, code: 'conflict' }
export const accessDenied: Expected = { status: 403, code: 'access-denied' }
export const notFound = (noun: string): Expected => ({ status: 404, code: `${noun}-not-found` })

export function invalidJson(line?: number, offset?: number, detail?: string): Expected {
  return { status: 400, code: 'invalid-json', line, offset, detail }
}

export function invalidContent(pointer: string, detail = '', { line = 1, count = 1 } = {}): Expected {
  return { status: 422, code: 'invalid-content', firstError: { pointer, line, count }, detail }
}

/** An invalid body and the validation error that it must cause. */
export type InvalidBodyCase = [name: string, body: string, pointer: string, detail?: string, count?: number]

/** Builds the test cases for invalid bodies that are sent to one operation. */
export function invalidBodies(method: string, path: string, rows: InvalidBodyCase[]): RejectionCase[] {
  return rows.map(([name, body, pointer, detail, count = 1]) => [
    `${name} (${method} ${path})`,
    { method, path, body },
    invalidContent(pointer, detail, { count }),
  ])
}

/** Starts a service on the test corpus and returns functions that send requests and define rejection tests. */
export async function startRejectionSuite() {
  const store = await createTestStore()
  await fillCorpus(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const service = await startTestService(store)
  const dump = storeDump(store)

  function send({
    method = 'POST',
    path = NEW_SCENARIOS,
    body,
    headers = {},
    service: target = service,
  }: InvalidRequest): Promise<HttpResponse> {
    const type = body === undefined ? {} : { 'content-type': JSON_TYPE }
    const entries = Object.entries({ authorization: key, ...type, ...headers })
    const definedHeaders = entries.filter((entry): entry is [string, string] => entry[1] !== undefined)
    return sendRequest(target.baseUrl, path, Object.fromEntries(definedHeaders), method, body)
  }

  function testRejections(subject: string, cases: RejectionCase[]): void {
    describe(subject, () => {
      // The store is dumped only once, because the dump must be the same after every test.
      let initialDump: string | undefined
      for (const [name, request, expected] of cases) {
        test(`${name}: returns ${expected.status} ${expected.code} and stores nothing`, async () => {
          initialDump ??= await dump()
          const response = await send(request)
          checkRejection(response, expected)
          checkDocumented(request.path ?? NEW_SCENARIOS, response, request.method ?? 'POST')
          assert.equal(await dump(), initialDump)
        })
      }
    })
  }

  return { store, key, service, dump, send, testRejections }
}

function checkRejection(response: HttpResponse, expected: Expected): void {
  const { status, code, line, offset, firstError, detail: expectedDetail = '', headers = {} } = expected
  const { detail, errors = [], error_count = 0, ...position } = checkProblem(response, status, code)
  if (line !== undefined) assert.equal(position.line, line, response.text)
  if (offset !== undefined) assert.equal(position.offset, offset, response.text)
  if (firstError) {
    assert.equal(errors[0]?.pointer, firstError.pointer, response.text)
    assert.equal(errors[0]?.line, firstError.line ?? 1, response.text)
    assert.equal(error_count, firstError.count ?? 1, response.text)
    assert.equal(errors.length, Math.min(error_count, 100))
  }
  assert.ok(detail.includes(expectedDetail), detail)
  for (const [name, value] of Object.entries(headers)) assert.equal(response.headers[name], value)
}
