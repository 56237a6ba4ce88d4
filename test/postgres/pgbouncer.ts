// Starts PgBouncer in transaction mode in front of a server, if it is installed.
import { accessSync, constants, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { query } from './cluster.ts'
import { createServerFolder, freePort } from './server-folder.ts'

export interface PgBouncer {
  url(database: string): string
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 30_000

/** Returns undefined if PgBouncer is not installed; the test is then skipped. */
export async function startPgBouncer(
  serverUrl: string,
  { poolSize = 5 }: { poolSize?: number } = {},
): Promise<PgBouncer | undefined> {
  const program = findProgram()
  if (!program) return undefined
  const folder = createServerFolder()
  const port = await freePort()
  const config = join(folder.path, 'pgbouncer.ini')
  writeFileSync(config, configText(new URL(serverUrl), port, poolSize))
  const url = (database: string) => `postgres://postgres:password@127.0.0.1:${port}/${database}`
  const exitPromise = folder.run(program, config)
  const deadline = Date.now() + START_TIMEOUT_MS
  // The database named pgbouncer is the admin console, which does not connect to the server.
  while (!(await query(url('pgbouncer'), 'SHOW VERSION').catch(() => undefined))) {
    const state = await Promise.race([exitPromise, setTimeout(10, 'running')])
    if (state !== 'running' || Date.now() > deadline) {
      const log = folder.log()
      await folder.remove()
      throw new Error(`PgBouncer did not start: ${state}: ${log}`)
    }
  }
  return { url, stop: folder.remove }
}

function findProgram(): string | undefined {
  // Debian installs it in /usr/sbin, which is not in the PATH of normal users.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, 'pgbouncer')).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function configText({ hostname, port, username }: URL, listenPort: number, poolSize: number): string {
  return `[databases]
* = host=${hostname} port=${port} user=${username}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 300
`
}
