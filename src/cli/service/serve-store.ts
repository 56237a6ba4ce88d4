// Serves a store over HTTP in this process.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { CommandError } from '../../errors.ts'
import { buildApp } from '../../http/app.ts'
import type { WorkerChannel } from '../../http/server/worker-channel.ts'
import type { Settings } from '../../settings/settings.ts'
import { openStore, type Store } from '../../store/store.ts'
import { baseUrl } from './base-url.ts'

interface ServeOptions {
  settings: Settings
  log: Logger
  workerChannel?: WorkerChannel
  /** Runs before the service listens. */
  prepare?(store: Store): Promise<void>
  /** Called with the address when the service listens. The service runs until the promise resolves. */
  untilStopped(address: string): Promise<unknown>
  /** When the promise resolves, responses in progress are aborted. */
  untilForced(): Promise<unknown>
}

/** Throws CommandError if it cannot open the store or listen on the address. */
export async function serveStore(options: ServeOptions): Promise<void> {
  const { settings, log, workerChannel } = options
  const store = await openStore(settings, { onChange: logReachability(log) })
  try {
    await options.prepare?.(store)
    const { reader, writer } = store
    const { app, connections } = await buildApp({ reader, writer, settings, log, workerChannel })
    await app.ready()
    const address = await listen(app.server, settings)
    log.info({ address, pid: process.pid }, 'listening')
    const reason = await options.untilStopped(address)
    log.info({ reason }, 'draining')
    await connections.drain(settings.drain_timeout, options.untilForced())
    await app.close()
  } finally {
    await store.close()
  }
  log.info({ pid: process.pid }, 'stopped')
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
