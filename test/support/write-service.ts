// A service with a key for its own store, and requests to it. Every response must match openapi.json.
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after } from 'node:test'
import { checkStore } from '../../src/store/check.ts'
import type { Store } from '../../src/store/store.ts'
import { createTestKey, createTestStore, startTestService } from './harness.ts'
import { checkDocumented, type HttpResponse, schemaErrors, sendRequest } from './http.ts'
import { storeDump } from './store-dump.ts'
import { EVALUATIONS, JSON_TYPE, scenariosPath } from './write-requests.ts'

type Headers = Record<string, string | string[]>

/** The store is empty unless `fill` is given. */
export async function startWriteService(fill?: (store: Store) => Promise<unknown>) {
  const store = await createTestStore()
  await fill?.(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const { baseUrl } = await startTestService(store)
  const agent = new Agent({ keepAlive: true })
  after(() => agent.destroy())

  /** `target` is another service for the same store. */
  async function send(
    method: string,
    path: string,
    body?: string | Uint8Array | object,
    headers: Headers = {},
    target = baseUrl,
  ): Promise<HttpResponse> {
    const isSent = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const content = isSent ? body : JSON.stringify(body)
    const type = content === undefined ? {} : { 'content-type': JSON_TYPE }
    const sentHeaders = { authorization: key, ...type, ...headers }
    const response = await sendRequest(target, path, sentHeaders, method, content, agent)
    checkDocumented(path, response, method)
    return response
  }

  async function sendOk(...request: Parameters<typeof send>): Promise<HttpResponse> {
    const response = await send(...request)
    assert.ok(response.status < 300, `${request[0]} ${request[1]} ${response.status} ${response.text}`)
    return response
  }

  const get = (path: string, headers: Headers = {}, method = 'GET') => send(method, path, undefined, headers)

  /** The value of a JSON response. Checks it against a schema if one is named. */
  async function readJson(path: string, schema?: string, headers?: Headers) {
    const { status, text } = await get(path, headers)
    assert.equal(status, 200, `${path}: ${text}`)
    const value = JSON.parse(text)
    if (schema !== undefined) assert.deepEqual(schemaErrors(schema, value), [])
    return value
  }

  let evaluationCount = 0

  /** Creates an evaluation with these scenarios, as values or JSON texts, and returns its id. */
  async function createEvaluation(
    scenarios: (object | string)[],
    members: Record<string, unknown> = {},
  ): Promise<string> {
    evaluationCount += 1
    const id = `created-${evaluationCount}`
    await sendOk('POST', EVALUATIONS, { id, name: id, ...members })
    const texts = scenarios.map((scenario) =>
      typeof scenario === 'string' ? scenario : JSON.stringify(scenario),
    )
    await sendOk('POST', scenariosPath(id), `[${texts}]`)
    return id
  }

  /** Checks that all derived data belongs to what is stored. */
  async function checkClean(): Promise<void> {
    assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
  }

  const dump = storeDump(store)
  return { store, baseUrl, key, dump, send, sendOk, get, readJson, createEvaluation, checkClean }
}
