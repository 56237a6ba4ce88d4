// Test helpers for the client: a running service with a client, and servers with scripted failures.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { after } from 'node:test'
import { Assay, type AssayOptions } from '../../client/client.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { createTestKey, createTestStore, type Service, startTestService } from './harness.ts'

export interface ClientService {
  assay: Assay
  key: string
  baseUrl: string
  service: Service
  /** The requests of the client, in order. */
  sent: SentRequest[]
}

export interface SentRequest {
  /** Method, path and query. */
  target: string
  headers: Headers
  /** The status of the response. */
  status: number
}

/** The names of all methods of the client, including those of its base classes. */
export function methodNames(): string[] {
  const names: string[] = []
  for (let methods = Assay.prototype; methods !== Object.prototype; methods = Object.getPrototypeOf(methods))
    names.push(...Object.getOwnPropertyNames(methods))
  return names
}

/** Starts a service on a new store, with a client whose key has the scopes read and write. */
export async function startServiceWithClient(changes: Partial<Settings> = {}): Promise<ClientService> {
  const store = await createTestStore()
  const service = await startTestService(store, changes)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const baseUrl = `${service.baseUrl}/api`
  const sent: SentRequest[] = []
  const assay = new Assay({ key, baseUrl, fetch: recordRequests(sent) })
  return { assay, key, baseUrl, service, sent }
}

/** Wraps the global `fetch` and records every request. */
function recordRequests(sent: SentRequest[]): typeof fetch {
  return async (url, init = {}) => {
    const response = await fetch(url, init)
    const { pathname, search } = new URL(String(url))
    const target = `${init.method} ${pathname}${search}`
    sent.push({ target, headers: new Headers(init.headers), status: response.status })
    return response
  }
}

/** Starts an HTTP server with the given listener, and a client of it. */
export async function startFaultyServer(
  listener: RequestListener,
  options: Partial<AssayOptions> = {},
): Promise<{ assay: Assay; baseUrl: string }> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const baseUrl = `http://127.0.0.1:${port}/api`
  return { assay: new Assay({ key: 'key', baseUrl, ...options }), baseUrl }
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}
