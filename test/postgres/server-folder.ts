// A temporary folder with a server process. Both are removed when the test process ends: see server-supervisor.ts.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExitResult, ServerCommand } from './server-supervisor.ts'

const SUPERVISOR = fileURLToPath(new URL('server-supervisor.ts', import.meta.url))

export interface ServerFolder {
  path: string
  /** Starts a program. Resolves when it has exited. */
  run(command: string, ...args: string[]): Promise<ExitResult>
  signal(signal: NodeJS.Signals): void
  /** The last 4000 characters of the output of the programs. */
  log(): string
  /** Stops the running program and removes the folder. */
  remove(): Promise<void>
}

export function createServerFolder(): ServerFolder {
  const path = mkdtempSync(join(tmpdir(), 'assay-postgres-'))
  const log = join(path, 'log')
  const user = unprivilegedUser()
  if (user) chownSync(path, user.uid, user.gid)
  const supervisor = fork(SUPERVISOR, [path], {
    ...user,
    // The supervisor has its own process group, because a signal to the group of the tests must not end the supervisor before it cleans up.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    // PG*, NODE* and locale variables are not passed on.
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  })
  const supervisorExit = new Promise<ExitResult>((resolve) => {
    supervisor.once('exit', () =>
      resolve('no supervisor. As root, the user nobody must be able to read this repository'),
    )
    supervisor.on('error', ({ message }) => resolve(message))
  })
  supervisor.unref()
  supervisor.channel?.unref()

  const send = (command: ServerCommand) => supervisor.send(command)
  function run(...program: [string, ...string[]]): Promise<ExitResult> {
    const programExit = new Promise<ExitResult>((resolve) => supervisor.once('message', resolve))
    send({ run: program })
    return Promise.race([programExit, supervisorExit])
  }
  async function remove(): Promise<void> {
    if (supervisor.connected) supervisor.disconnect()
    await keepProcessAlive(supervisorExit)
    // The folder still exists only if the supervisor was killed.
    rmSync(path, { recursive: true, force: true })
  }
  return {
    path,
    run,
    signal: (signal) => send({ signal }),
    log: () => (existsSync(log) ? readFileSync(log, 'utf8').slice(-4000) : ''),
    remove,
  }
}

/** Keeps the process alive until the promise settles, because the supervisor handles are unreferenced. */
export async function keepProcessAlive<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 60_000)
  try {
    return await promise
  } finally {
    clearInterval(timer)
  }
}

/** PostgreSQL does not run as root. The user nobody exists on every system. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * A free port below the ephemeral range. A server that restarts still finds it free, and a client that
 * connects while the server is down cannot connect to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const server = createServer()
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening')
      return port
    } catch {
      // The port is in use, so the loop tries another one.
    } finally {
      server.close()
    }
  }
}
