// Benchmark: upload and import of 50,000 scenarios to PostgreSQL, compared with COPY of the same rows.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { scenarioTables } from '../../src/store/scenarios/derived-rows.ts'
import { freshDatabase, startCluster } from '../../test/postgres/cluster.ts'
import type { Benchmark } from '../benchmark.ts'
import { addWriteKey, writeScenarios } from '../data.ts'
import { type ServiceProcess, startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { median } from '../timing.ts'
import { importFile, NDJSON, postFile } from '../uploads.ts'

const ROUNDS = 3
const SCENARIOS = 50_000
const SMALL_WRITES = 200
const ID = 'written'

export const postgresWrite: Benchmark = {
  title: 'upload and import of 50,000 scenarios to PostgreSQL, compared with COPY of the same rows',
  async run({ folder }) {
    const file = join(folder, 'scenarios.ndjson')
    const single = join(folder, 'scenario.ndjson')
    await writeScenarios(file, ID, SCENARIOS)
    const cluster = await startCluster({ flags: ['-c', 'fsync=on', '-c', 'shared_buffers=128MB'] })
    const times = new Map<string, number[]>()
    const addTime = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms])
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const url = await freshDatabase(cluster.url())
        const data = join(folder, 'postgres')
        const store = await openStoreAt(url)
        const key = await addWriteKey(store)
        const tables = scenarioTables(store.reader)
        await store.close()
        const service = await startService(['--data', data, '--database', url])
        addTime('NDJSON over HTTP', await timed(() => post(service, key, ID, file)))
        addTime('one scenario', await timeSmallWrites(service, key, single))
        await stopService(service)
        addTime('COPY', await timeCopy(url, tables))
        const importUrl = await freshDatabase(cluster.url())
        mkdirSync(data, { recursive: true })
        addTime('assay import', await timed(() => importFile(data, file, ['--database', importUrl])))
        rmSync(data, { recursive: true })
      }
    } finally {
      await cluster.remove()
    }
    const bytes = statSync(file).size
    const copyMs = median(times.get('COPY') ?? [])
    return [...times].map(([name, all]) => {
      const ms = median(all)
      if (name === 'one scenario') return `${name}: ${ms.toFixed(1)} ms`
      return `${name}: ${(bytes / 1000 / ms).toFixed(1)} MB/s, ratio ${(copyMs / ms).toFixed(2)}`
    })
  },
}

function post({ baseUrl }: ServiceProcess, key: string, id: string, file: string): Promise<void> {
  const url = `${baseUrl}/api/evaluations/${id}/evaluation_scenarios`
  return postFile(url, key, file, NDJSON)
}

/** Median time of uploads of one scenario, each to its own evaluation. */
async function timeSmallWrites(service: ServiceProcess, key: string, file: string): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < SMALL_WRITES; index += 1) {
    const id = `single-${index}`
    await writeScenarios(file, id, 1)
    times.push(await timed(() => post(service, key, id, file)))
  }
  return median(times)
}

/** Copies all rows of scenarios to empty tables with the same indexes, in one transaction. Reading them is not measured. */
async function timeCopy(url: string, tables: string[]): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let ms = 0
    await client.query('BEGIN')
    for (const table of tables) {
      await client.query(`CREATE TABLE copied_${table} (LIKE ${table} INCLUDING ALL)`)
      const rows = await copy(client, `COPY ${table} TO STDOUT (FORMAT binary)`)
      ms += await timed(() => copy(client, `COPY copied_${table} FROM STDIN (FORMAT binary)`, rows))
    }
    return ms + (await timed(() => client.query('COMMIT')))
  } finally {
    await client.end()
  }
}

function copy(client: pg.Client, statement: string, input: Buffer[] = []): Promise<Buffer[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer[]>()
  const query = new CopyQuery(statement, input, (error) => (error ? reject(error) : resolve(query.output)))
  client.query(query)
  return promise
}

/** The connection of the driver, which its types do not describe. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

class CopyQuery extends pg.Query {
  readonly output: Buffer[] = []
  readonly callback: (error: Error | undefined) => void
  readonly #input: Buffer[]

  constructor(statement: string, input: Buffer[], callback: (error: Error | undefined) => void) {
    super(statement)
    this.#input = input
    this.callback = callback
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.output.push(Buffer.from(chunk))
  }

  handleCopyInResponse(connection: CopyConnection): void {
    for (const chunk of this.#input) connection.sendCopyFromChunk(chunk)
    connection.endCopyFrom()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startTime = performance.now()
  await work()
  return performance.now() - startTime
}
