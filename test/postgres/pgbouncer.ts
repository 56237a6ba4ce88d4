// PgBouncer in transaction mode before a server, where the machine has the program.
import { accessSync, constants, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { query } from './cluster.ts'
import { freePort, keptFolder } from './kept-folder.ts'

export interface PgBouncer {
  url(database: string): string
  stop(): Promise<void>
}

const DEADLINE = 30_000

/** Nothing where it is not installed; the test then skips and says so. */
export async function startPgBouncer(
  serverUrl: string,
  { poolSize = 5 }: { poolSize?: number } = {},
): Promise<PgBouncer | undefined> {
  const program = findProgram()
  if (!program) return undefined
  const folder = keptFolder()
  const port = await freePort()
  const config = join(folder.path, 'pgbouncer.ini')
  writeFileSync(config, configText(new URL(serverUrl), port, poolSize))
  const url = (database: string) => `postgres://postgres:password@127.0.0.1:${port}/${database}`
  const ended = folder.run(program, config)
  const deadline = Date.now() + DEADLINE
  // The database pgbouncer is its own console: it answers without the server.
  while (!(await query(url('pgbouncer'), 'SHOW VERSION').catch(() => undefined))) {
    const state = await Promise.race([ended, setTimeout(10, 'silent')])
    if (state !== 'silent' || Date.now() > deadline) {
      const log = folder.log()
      await folder.remove()
      throw new Error(`PgBouncer does not start: ${state}: ${log}`)
    }
  }
  return { url, stop: folder.remove }
}

function findProgram(): string | undefined {
  // Debian puts it where only root looks.
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
