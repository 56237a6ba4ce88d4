// What tests have in common: a fresh store in a folder of its own, the service in this process or as a real
// one, and a client that shows exactly what came over the wire.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pino from 'pino'
import { MAIN, type ServiceProcess, startService } from '../bench/service.ts'
import { openAt } from '../bench/store.ts'
import { buildApp } from '../src/http/app.ts'
import type { Scope } from '../src/schema/keys.ts'
import { defaultSettings, type Settings } from '../src/settings.ts'
import { addKey } from '../src/store/keys.ts'
import type { Store } from '../src/store/store.ts'
import { freshDatabase } from './postgres/cluster.ts'
import { serverUrl } from './postgres/shared.ts'

/** Where a preparation fails, what it has opened may keep the test file from ending: then it ends here, as failed. */
const MOST_MINUTES = Number(process.env.ASSAY_TEST_MINUTES ?? 45)
setTimeout(() => {
  process.stderr.write(`This file has not ended within ${MOST_MINUTES} minutes.\n`)
  process.exit(1)
}, MOST_MINUTES * 60_000).unref()

/** A folder that goes when the test file is done. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Which engine the tests of this run are about; `npm test` runs those of the store and of HTTP on both. */
export const ENGINE = process.env.ASSAY_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

/** Why a test is skipped that looks into the file of an embedded store. */
export const ABOUT_THE_FILE = ENGINE !== 'sqlite' && 'there is no file to look into'

export interface Place {
  url: string
  data: string
  /** What commands are told to find it. */
  flags: string[]
}

/** Where a store can be made. */
export async function freshPlace(engine = ENGINE): Promise<Place> {
  const data = join(freshFolder(), 'data')
  if (engine === 'sqlite') {
    return { url: `sqlite:${join(data, 'assay.db')}`, data, flags: ['--data', data] }
  }
  const url = await freshDatabase(await serverUrl())
  return { url, data, flags: ['--data', data, '--database', url] }
}

export async function freshStore(): Promise<Store & Place> {
  const place = await freshPlace()
  const store = await openAt(place.url)
  after(() => store.close())
  return { ...store, ...place }
}

export function mint(
  { writer }: Store,
  key: { project?: string; scopes?: Scope[]; expires_at?: string | null } = {},
): Promise<{ key: string; public_id: string }> {
  const { project = 'default', scopes = ['read'], expires_at = null } = key
  return writer.transaction((transaction) => addKey(transaction, { project, name: null, scopes, expires_at }))
}

export interface Service {
  base: string
  port: number
  settings: Settings
  /** How many connections are open. */
  open(): Promise<number>
  stop(): Promise<void>
}

/** The service in this process, on a free port unless one is given. */
export async function serveStore(
  store: Store,
  changes: Partial<Settings> = {},
  clock?: () => number,
  web = fileURLToPath(new URL('fixtures/web', import.meta.url)),
): Promise<Service> {
  const settings = { ...defaultSettings(), data: freshFolder(), ...changes }
  const log = pino({ level: 'silent' })
  const { app, connections } = await buildApp({
    reader: store.reader,
    writer: store.writer,
    settings,
    log,
    web,
    ...(clock && { clock }),
  })
  await app.listen({ port: changes.port ?? 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  let isStopped = false
  async function stop(): Promise<void> {
    if (isStopped) return
    isStopped = true
    await connections.drain(1000)
    await app.close()
  }
  after(stop)
  const open = promisify(app.server.getConnections).bind(app.server)
  return { base: `http://127.0.0.1:${port}`, port, settings, open, stop }
}

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a command to its end. */
export async function assay(
  args: string[],
  env: Record<string, string> = {},
  input: string | Uint8Array = '',
): Promise<Finished> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } })
  // A command that fails early does not read what it is given.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

/** Every answer is read from the store. */
export const NOTHING_KEPT = ['--max-rendition-bytes', '0', '--max-rendition-file-bytes', '0']

/** The service as a process of its own, which ends with the test at the latest. */
export async function spawnServer(args: string[], env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startService(args, env)
  after(() => service.child.kill('SIGKILL'))
  return service
}

/** Sends bytes as they are and returns everything that comes back until the connection ends. */
export async function rawRequest(port: number, ...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  for (const part of parts) socket.write(part)
  return text(socket)
}

async function text(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  } catch (error) {
    chunks.push(Buffer.from(`<${(error as NodeJS.ErrnoException).code}>`))
  }
  return Buffer.concat(chunks).toString()
}
