// Common test helpers: temporary folders and stores, the service in this process or in a child process, and commands.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { MAIN, type ServiceProcess, startService } from '../../bench/service.ts'
import { openStoreAt } from '../../bench/store.ts'
import type { App } from '../../src/http/route-context.ts'
import type { Scope } from '../../src/schema/keys.ts'
import { defaultSettings, type Settings } from '../../src/settings/settings.ts'
import { addKey } from '../../src/store/access/keys.ts'
import type { Store } from '../../src/store/store.ts'
import { freshDatabase, query } from '../postgres/cluster.ts'
import { serverUrl } from '../postgres/shared.ts'
import { sizes } from '../sizes.ts'
import { testOptions } from './options.ts'
import './process-end.ts'

// The runner ends a test file with SIGTERM; without a handler its services would keep running.
const services = new Set<ServiceProcess>()
process.once('exit', () => {
  for (const { child } of services) child.kill('SIGKILL')
})
process.once('SIGTERM', () => process.exit(143))

/** Creates a temporary folder that is deleted at the end of the test file. */
export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The engine of this run. */
export const ENGINE = testOptions.engine

/** Skips a test that reads or changes the database file. */
export const SQLITE_ONLY = ENGINE !== 'sqlite' && 'SQLite only: PostgreSQL has no database file'

export interface StoreLocation {
  url: string
  data: string
  /** The flags with which commands find the store. */
  flags: string[]
}

/** Returns the location for a new store: a path for SQLite, an empty database or a copy of another one for PostgreSQL. */
export async function createStoreLocation(engine = ENGINE, template?: string): Promise<StoreLocation> {
  const data = join(createTempFolder(), 'data')
  if (engine === 'sqlite') {
    return { url: `sqlite:${join(data, 'assay.db')}`, data, flags: ['--data', data] }
  }
  const url = await freshDatabase(await serverUrl(), template)
  return { url, data, flags: ['--data', data, '--database', url] }
}

/** Fills a new store that is copied for many tests: copying takes less time than migrations and imports. */
type Fill = (store: Store) => Promise<void>

/** The folder or database of each template. They are used until the end of the process. */
const templates = new Map<Fill, Promise<string>>()

async function createTemplate(fill: Fill): Promise<string> {
  if (ENGINE === 'postgres') {
    const url = await freshDatabase(await serverUrl())
    await fillStore(url, fill)
    const name = new URL(url).pathname.slice(1)
    // A pooler keeps its connections open, and a database with connections cannot be copied.
    await query(
      await serverUrl(),
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    )
    return name
  }
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await fillStore(`sqlite:${join(folder, 'assay.db')}`, fill)
  return folder
}

async function fillStore(url: string, fill: Fill): Promise<void> {
  const store = await openStoreAt(url)
  await fill(store)
  await store.close()
}

async function copyTemplate(fill: Fill): Promise<StoreLocation> {
  let template = templates.get(fill)
  if (!template) {
    template = createTemplate(fill)
    templates.set(fill, template)
  }
  if (ENGINE === 'postgres') return createStoreLocation(ENGINE, await template)
  // Before any wait: after one, the folder would be deleted at the end of another suite that has started meanwhile.
  const location = await createStoreLocation()
  cpSync(await template, location.data, { recursive: true })
  return location
}

async function openCopy(fill: Fill): Promise<Store & StoreLocation> {
  const place = await copyTemplate(fill)
  const store = await openStoreAt(place.url)
  after(() => store.close())
  return { ...store, ...place }
}

const leaveEmpty: Fill = async () => undefined

export function createTestStore(): Promise<Store & StoreLocation> {
  return openCopy(leaveEmpty)
}

/** A store with the sample data. */
export function createSampleStore(): Promise<Store & StoreLocation> {
  return openCopy(loadSampleLazily)
}

async function loadSampleLazily(store: Store): Promise<void> {
  // Most tests do not need the importer.
  const { loadSample } = await import('../../src/cli/service/sample.ts')
  await loadSample(store)
}

export function createTestKey(
  { writer }: Store,
  key: { project?: string; name?: string; scopes?: Scope[]; expires_at?: string | null } = {},
): Promise<{ key: string; public_id: string }> {
  const { project = 'default', name = null, scopes = ['read'], expires_at = null } = key
  return writer.transaction((transaction) => addKey(transaction, { project, name, scopes, expires_at }))
}

export interface Service {
  baseUrl: string
  port: number
  settings: Settings
  app: App
  countConnections(): Promise<number>
  stop(): Promise<void>
}

/** Settings, and limits that are constants of the service. */
type ServiceChanges = Partial<Settings> & { maxConnections?: number }

/** Starts the service in this process, on a free port by default. */
export async function startTestService(
  store: Store,
  { maxConnections, ...changes }: ServiceChanges = {},
  clock?: () => number,
  web = fileURLToPath(new URL('../fixtures/web', import.meta.url)),
  log: FastifyBaseLogger = pino({ level: 'silent' }),
): Promise<Service> {
  // The bulk thread opens the store too.
  const { url, data = createTempFolder() } = store as Partial<StoreLocation>
  const settings = { ...defaultSettings(), data, ...(ENGINE === 'postgres' && { database: url }), ...changes }
  // Tests without a service would load it for nothing.
  const [{ buildApp }, { createFastifyApp }] = await Promise.all([
    import('../../src/http/app.ts'),
    import('../../src/http/fastify-app.ts'),
  ])
  const { app, connections } = await buildApp({
    app: createFastifyApp(settings, log, maxConnections),
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
  const countConnections = promisify(app.server.getConnections).bind(app.server)
  return { baseUrl: `http://127.0.0.1:${port}`, port, settings, app, countConnections, stop }
}

export interface LogLine {
  level: number
  msg: string
  [member: string]: unknown
}

/** A log for `startTestService` that collects warnings and errors. */
export function collectLog(): { log: FastifyBaseLogger; lines: LogLine[] } {
  const lines: LogLine[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  return { log, lines }
}

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a command to its end. */
export async function runAssay(
  args: string[],
  env: Record<string, string> = {},
  input: string | Uint8Array = '',
): Promise<CommandResult> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } })
  // A command that fails early closes its standard input.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    once(child, 'close'),
  ])
  return { code: child.exitCode, stdout, stderr }
}

/** Disables the response caches, so that every response is read from the store. */
export const NO_CACHE_FLAGS = ['--max-cache-bytes', '0']

/** Starts the service as a child process that is killed at the end of the test file. */
export async function spawnServer(
  args: string[],
  env: Record<string, string> = {},
  main = MAIN,
  launcher: string[] = [],
): Promise<ServiceProcess> {
  const service = await startService(args, { env, main, launcher, readsLog: true })
  services.add(service)
  after(() => service.child.kill('SIGKILL'))
  return service
}

/** Sends raw bytes and returns everything received until the connection closes, or ends with <TIMEOUT>. */
export async function rawRequest(port: number, ...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.setTimeout(sizes.response_seconds * 1000, () =>
    socket.destroy(Object.assign(new Error('The connection stays open'), { code: 'TIMEOUT' })),
  )
  for (const part of parts) socket.write(part)
  return readText(socket)
}

async function readText(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  } catch (error) {
    chunks.push(Buffer.from(`<${(error as NodeJS.ErrnoException).code}>`))
  }
  return Buffer.concat(chunks).toString()
}
