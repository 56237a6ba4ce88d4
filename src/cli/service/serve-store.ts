// Serves a store over HTTP in this process.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { CommandError } from '../../errors.ts'
import { buildApp } from '../../http/app.ts'
import { createFastifyApp } from '../../http/fastify-app.ts'
import { pathPrefixOf } from '../../http/server/path-prefix.ts'
import type { WorkerChannel } from '../../http/server/worker-channel.ts'
import { respondWhileStarting } from '../../http/starting.ts'
import type { Settings } from '../../settings/settings.ts'
import { openStore, type Store } from '../../store/store.ts'
import { cleanUpAfterStart } from './after-start.ts'
import { startBackgroundTasks, startRetention } from './background-tasks.ts'

interface ServeOptions {
  settings: Settings
  log: Logger
  workerChannel?: WorkerChannel
  /** Opens the port before the store. Requests get 503 until the service is ready. */
  bindsFirst: boolean
  /** Called when the port is open, before the store is opened. Resolves with false to end the service. */
  onBound?(): Promise<boolean>
  /** Runs before requests are served. */
  prepare?(store: Store): Promise<void>
  /** Called with the address when requests are served. The service runs until the promise resolves. */
  untilStopped(address: string): Promise<unknown>
  /** When the promise resolves, responses in progress are aborted. */
  untilForced(): Promise<unknown>
}

/** Throws CommandError if it cannot open the store or listen on the address. */
export async function serveStore(options: ServeOptions): Promise<void> {
  const { settings, log, workerChannel } = options
  const app = createFastifyApp(settings, log)
  const { server } = app
  let endStart: (() => void) | undefined
  let address: string | undefined
  let store: Store | undefined
  const backgroundWork: (() => Promise<void>)[] = []
  try {
    if (options.bindsFirst) {
      endStart = respondWhileStarting(server, pathPrefixOf(settings))
      address = await listen(server, settings)
      if ((await options.onBound?.()) === false) return
    }
    store = await openStore(settings, {
      mustBeWritable: true,
      onChange: logReachability(log),
      onMigration: logMigration(log),
    })
    await options.prepare?.(store)
    const { reader, writer } = store
    const { connections } = await buildApp({ app, reader, writer, settings, log, workerChannel })
    await app.ready()
    endStart?.()
    address ??= await listen(server, settings)
    log.info({ address, pid: process.pid }, 'listening')
    backgroundWork.push(
      startRetention(store, settings.changes_retention, log),
      startBackgroundTasks(store, log),
    )
    const endCleanUp = cleanUpAfterStart()
    const reason = await options.untilStopped(address)
    endCleanUp()
    log.info({ reason }, 'draining')
    await connections.drain(settings.drain_timeout, options.untilForced())
    await app.close()
  } finally {
    server.close()
    server.closeAllConnections()
    await Promise.all(backgroundWork.map((stop) => stop()))
    await store?.close()
  }
  log.info({ pid: process.pid }, 'stopped')
}

/** Logs the name of an applied migration. */
export function logMigration(log: Logger) {
  return (migration: string) => log.info({ migration }, 'migrated the store')
}

/** Logs when a database server becomes unreachable or reachable again. */
function logReachability(log: Logger) {
  return ({ server, failure }: { server: string; failure?: unknown }) => {
    if (failure === undefined) log.info({ server }, 'database server is reachable again')
    else log.warn({ server, err: failure }, 'database server is not reachable')
  }
}

async function listen(server: Server, { host, port }: Settings): Promise<string> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw new CommandError(
      `Cannot listen on ${host}, port ${port}: ${(error as Error).message}`,
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
        ? 'Another process uses this port. Choose another one with --port, or use 0 for a free port.'
        : 'Check --host and --port. The address must belong to this machine, and your user needs permission to listen on it.',
    )
  }
  const address = server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  return baseUrl(host, actualPort)
}

function baseUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
