// What tests of the client have in common: a real service with a client of it, and servers that fail as they are told.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { after } from 'node:test'
import { Assay, type AssayOptions } from '../../client/client.ts'
import type { Settings } from '../../src/settings.ts'
import { freshStore, mint, type Service, serveStore } from '../harness.ts'

export interface Served {
  assay: Assay
  key: string
  baseUrl: string
  service: Service
  /** What the client sent, in order: method, path and query, fields, and the status of the answer. */
  sent: Sent[]
}

export interface Sent {
  target: string
  headers: Headers
  status: number
}

/** The service over a fresh store, and a client with a key that may read and write. */
export async function served(changes: Partial<Settings> = {}): Promise<Served> {
  const store = await freshStore()
  const service = await serveStore(store, changes)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  const baseUrl = `${service.base}/api`
  const sent: Sent[] = []
  const assay = new Assay({ key, baseUrl, fetch: noting(sent) })
  return { assay, key, baseUrl, service, sent }
}

/** The global `fetch`, with a note of everything that goes through it. */
function noting(sent: Sent[]): typeof fetch {
  return async (url, init = {}) => {
    const response = await fetch(url, init)
    const { pathname, search } = new URL(String(url))
    const target = `${init.method} ${pathname}${search}`
    sent.push({ target, headers: new Headers(init.headers), status: response.status })
    return response
  }
}

/** A server that answers as it is told, and a client of it. */
export async function faulty(
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

export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}
