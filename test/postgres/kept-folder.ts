// A folder for a server, and the process that keeps both: see keeper.ts. Neither outlives the test process.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ended, Order } from './keeper.ts'

const KEEPER = fileURLToPath(new URL('keeper.ts', import.meta.url))

export interface KeptFolder {
  path: string
  /** Starts a program; resolves when it has ended. */
  run(command: string, ...args: string[]): Promise<Ended>
  signal(signal: NodeJS.Signals): void
  /** What the programs have printed last. */
  log(): string
  /** Stops what runs and removes the folder. */
  remove(): Promise<void>
}

export function keptFolder(): KeptFolder {
  const path = mkdtempSync(join(tmpdir(), 'assay-postgres-'))
  const log = join(path, 'log')
  const user = unprivilegedUser()
  if (user) chownSync(path, user.uid, user.gid)
  const keeper = fork(KEEPER, [path], {
    ...user,
    // In a group of its own: what ends the tests by their group must not end the keeper before its work.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    // Nothing of PG*, of NODE* or of the locale.
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  })
  const gone = new Promise<Ended>((resolve) => {
    keeper.once('exit', () =>
      resolve('no keeper: under root, the user nobody must be able to read this repository'),
    )
    keeper.on('error', ({ message }) => resolve(message))
  })
  keeper.unref()
  keeper.channel?.unref()

  const tell = (order: Order) => keeper.send(order)
  function run(...command: [string, ...string[]]): Promise<Ended> {
    const ended = new Promise<Ended>((resolve) => keeper.once('message', (how: Ended) => resolve(how)))
    tell({ run: command })
    return Promise.race([ended, gone])
  }
  async function remove(): Promise<void> {
    if (keeper.connected) keeper.disconnect()
    await awake(gone)
    // Left over only if the keeper could not do its work.
    rmSync(path, { recursive: true, force: true })
  }
  return {
    path,
    run,
    signal: (signal) => tell({ signal }),
    log: () => (existsSync(log) ? readFileSync(log, 'utf8').slice(-4000) : ''),
    remove,
  }
}

/** Awaits what alone would not keep this process alive. */
export async function awake<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 60_000)
  try {
    return await promise
  } finally {
    clearInterval(timer)
  }
}

/** Servers refuse to run as root. Everybody has the user nobody, so none has to be made. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * A free port below those the system hands out itself: a server that starts again after a while still finds
 * it free, and a client that tries it meanwhile cannot be connected to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const server = createServer()
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening')
      return port
    } catch {
      // Taken: the next one.
    } finally {
      server.close()
    }
  }
}
