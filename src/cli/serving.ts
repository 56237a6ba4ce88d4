// A store that is served over HTTP by this process.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { CommandError } from '../errors.ts'
import { buildApp } from '../http/app.ts'
import type { Peers } from '../http/peers.ts'
import type { Settings } from '../settings.ts'
import { openStore, type Store } from '../store/store.ts'
import { addressOf } from './address.ts'

interface Serving {
  settings: Settings
  log: Logger
  peers?: Peers
  /** Before anything is served. */
  prepare?(store: Store): Promise<void>
  /** Told the address once it listens. Serving goes on until this resolves. */
  untilStopped(address: string): Promise<unknown>
  /** When this resolves, the answers under way have had their time. */
  untilHurried(): Promise<unknown>
}

/** Throws CommandError where the store cannot be opened, or the address not be listened on. */
export async function serveStore(serving: Serving): Promise<void> {
  const { settings, log, peers } = serving
  const store = await openStore(settings, { onChange: noteChange(log) })
  try {
    await serving.prepare?.(store)
    const { reader, writer } = store
    const { app, connections } = await buildApp({ reader, writer, settings, log, peers })
    await app.ready()
    const address = await listen(app.server, settings)
    log.info({ address, pid: process.pid }, 'listening')
    const reason = await serving.untilStopped(address)
    log.info({ reason }, 'draining')
    await connections.drain(settings.drain_timeout, serving.untilHurried())
    await app.close()
  } finally {
    await store.close()
  }
  log.info({ pid: process.pid }, 'stopped')
}

/** Requests go on from other servers, or are refused one by one: whoever runs it hears of the reason here. */
function noteChange(log: Logger) {
  return ({ server, failure }: { server: string; failure?: unknown }) => {
    if (failure === undefined) log.info({ server }, 'a database server is back')
    else log.warn({ server, err: failure }, 'a database server cannot be reached')
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
        ? 'Another process uses it: choose another with --port, or 0 for any free one.'
        : 'Check --host and --port: the address must be one of this machine that this user may listen on.',
    )
  }
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  return addressOf(host, actual)
}
