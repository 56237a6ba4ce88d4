// A service with an empty store and a key for tests of writes. Every response must match openapi.json.
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after } from 'node:test'
import { createTestKey, createTestStore, startTestService } from './harness.ts'
import { checkDocumented, type HttpResponse, sendRequest } from './http.ts'
import { storeDump } from './store-dump.ts'
import { JSON_TYPE } from './write-requests.ts'

export async function startWriteService() {
  const store = await createTestStore()
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const { baseUrl } = await startTestService(store)
  const agent = new Agent({ keepAlive: true })
  after(() => agent.destroy())

  async function send(
    method: string,
    path: string,
    body?: string | object,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const type = text === undefined ? {} : { 'content-type': JSON_TYPE }
    const sentHeaders = { authorization: key, ...type, ...headers }
    const response = await sendRequest(baseUrl, path, sentHeaders, method, text, agent)
    checkDocumented(path, response, method)
    return response
  }

  async function sendOk(...request: Parameters<typeof send>): Promise<HttpResponse> {
    const response = await send(...request)
    assert.ok(response.status < 300, `${request[0]} ${request[1]} ${response.status} ${response.text}`)
    return response
  }

  return { store, baseUrl, key, dump: storeDump(store), send, sendOk }
}
