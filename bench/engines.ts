// Empty or existing stores on both engines, for benchmarks that choose the engine: --engine, --folder and --postgres.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { query, startCluster } from '../test/postgres/cluster.ts'

export interface BenchStore {
  engine: 'SQLite' | 'PostgreSQL'
  url: string
  /** The data folder of the service. */
  data: string
  /** Removes the store, unless it is kept for the next run. */
  remove(): Promise<void>
}

/** Opens a store by its name, or creates it. */
export type OpenBenchStore = (name: string) => Promise<BenchStore>

const HELP = `Options of growth and deletion:
  --engine ENGINE   sqlite, postgres or both (default)
  --folder FOLDER   keep the stores here, and use them again
  --postgres URL    use this server instead of a temporary one, and keep its databases`

/** Runs `use` on each chosen engine. Arguments that are not options are passed to it. */
export async function runOnEngines(
  args: string[],
  use: (openStore: OpenBenchStore, positionals: string[]) => Promise<void>,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: 'both' },
      folder: { type: 'string' },
      postgres: { type: 'string' },
    },
  })
  const { engine, folder = mkdtempSync(join(tmpdir(), 'assay-bench-')), postgres } = values
  if (!['sqlite', 'postgres', 'both'].includes(engine)) throw new Error(HELP)
  const isKept = values.folder !== undefined
  try {
    if (engine !== 'postgres') await use(sqliteStores(folder, isKept), positionals)
    if (engine === 'sqlite') return
    if (postgres !== undefined) return await use(postgresStores(folder, postgres, true), positionals)
    // Small writes wait for the disk, as on a real server.
    const cluster = await startCluster({ flags: ['-c', 'fsync=on'] })
    try {
      await use(postgresStores(folder, cluster.url(), false), positionals)
    } finally {
      await cluster.remove()
    }
  } finally {
    if (!isKept) rmSync(folder, { recursive: true, force: true })
  }
}

function sqliteStores(folder: string, isKept: boolean): OpenBenchStore {
  return async (name) => {
    const data = join(folder, name)
    mkdirSync(data, { recursive: true })
    const remove = async () => {
      if (!isKept) rmSync(data, { recursive: true })
    }
    return { engine: 'SQLite', url: `sqlite:${join(data, 'assay.db')}`, data, remove }
  }
}

function postgresStores(folder: string, serverUrl: string, isKept: boolean): OpenBenchStore {
  return async (name) => {
    const database = `bench_${name}`
    const existing = await query(serverUrl, `SELECT 1 FROM pg_database WHERE datname = '${database}'`)
    if (existing.length === 0) await query(serverUrl, `CREATE DATABASE "${database}"`)
    const url = new URL(serverUrl)
    url.pathname = database
    const data = join(folder, `postgres-${name}`)
    if (!existsSync(data)) mkdirSync(data, { recursive: true })
    const remove = async () => {
      if (!isKept) await query(serverUrl, `DROP DATABASE "${database}" WITH (FORCE)`)
    }
    return { engine: 'PostgreSQL', url: url.href, data, remove }
  }
}
