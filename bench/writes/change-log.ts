// Benchmark: PATCH requests with the change log, compared with the same requests without it, on both engines.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { buildApp } from '../../src/http/app.ts'
import { defaultSettings } from '../../src/settings/settings.ts'
import { LoggedWriter } from '../../src/store/changes/logged-writer.ts'
import type { EngineWriter, Writer } from '../../src/store/dialect/dialect.ts'
import { openPostgres } from '../../src/store/dialect/postgres/postgres.ts'
import { openSqlite } from '../../src/store/dialect/sqlite/sqlite.ts'
import { freshDatabase, startCluster } from '../../test/postgres/cluster.ts'
import type { Benchmark } from '../benchmark.ts'
import { addLargeEvaluation, addWriteKey } from '../data.ts'
import { openStoreAt } from '../store.ts'
import { quantile } from '../timing.ts'

const TURNS = 500
const WARM_UP = 50
/** Requests of each client per turn. */
const REQUESTS = 3
const EVALUATIONS = 8
/** One client, and as many as PostgreSQL has write connections. */
const CLIENT_COUNTS = [1, 4]

export const changeLog: Benchmark = {
  title: 'PATCH requests with the change log, compared with the same requests without it',
  async run({ folder }) {
    const data = join(folder, 'change-log')
    mkdirSync(data, { recursive: true })
    const cluster = await startCluster()
    try {
      const sqlite = await measure('SQLite', `sqlite:${join(data, 'assay.db')}`, data)
      return [...sqlite, ...(await measure('PostgreSQL', await freshDatabase(cluster.url()), data))]
    } finally {
      await cluster.stop()
    }
  },
}

/** Both services use the same connections and the same store. */
async function measure(engine: string, url: string, data: string): Promise<string[]> {
  const store = await openStoreAt(url)
  for (let index = 0; index < EVALUATIONS; index += 1)
    await addLargeEvaluation(store, 100, { id: `evaluation-${index}` })
  const key = await addWriteKey(store)
  await store.close()
  const settings = { ...defaultSettings(), data }
  const dialect = url.startsWith('sqlite:')
    ? await openSqlite(url.slice('sqlite:'.length), { createIfMissing: false, writesHere: false })
    : await openPostgres(url, false, settings, () => undefined)
  const services = await Promise.all(
    [new LoggedWriter(dialect.writer), withoutLog(dialect.writer)].map(async (writer) => {
      const log = pino({ level: 'silent' })
      const { app } = await buildApp({ reader: dialect.reader, writer, settings, log })
      return { app, address: await app.listen({ port: 0, host: '127.0.0.1' }) }
    }),
  )
  const lines: string[] = []
  for (const clients of CLIENT_COUNTS) {
    const times: [number[], number[]] = [[], []]
    // Short turns and the lower quartile, because other load on the machine changes quickly. The first turns warm up.
    for (let turn = -WARM_UP; turn < TURNS; turn += 1) {
      for (const index of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const address = services[index]?.address ?? ''
        const ms = await timePatches(address, key, clients, `${clients} ${turn} ${index}`)
        if (turn >= 0) times[index].push(ms)
      }
    }
    const [logged, unlogged] = [quantile(times[0], 0.25), quantile(times[1], 0.25)]
    const rate = (ms: number) => ((1000 * clients * REQUESTS) / ms).toFixed(0)
    const name = `${engine}, ${clients} ${clients === 1 ? 'client' : 'clients'}`
    const ratio = (unlogged / logged).toFixed(3)
    lines.push(`${name}: ratio ${ratio} (${rate(logged)} and ${rate(unlogged)} requests per second)`)
  }
  for (const { app } of services) await app.close()
  await dialect.close()
  return lines
}

/** Collects the changes and drops them. */
function withoutLog(writer: EngineWriter): Writer {
  return {
    transaction: (work) => writer.transaction(work),
    inTurn: (work) => writer.inTurn(work),
  }
}

/** Milliseconds until each client has changed the notes of some scenarios of its own evaluations. */
async function timePatches(address: string, key: string, clients: number, label: string): Promise<number> {
  const startTime = performance.now()
  async function sendAll(client: number): Promise<void> {
    for (let number = 0; number < REQUESTS; number += 1) {
      const evaluation = (client + number * clients) % EVALUATIONS
      const path = `/api/evaluations/evaluation-${evaluation}/evaluation_scenarios/scenario-${number}`
      const response = await fetch(`${address}${path}`, {
        method: 'PATCH',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: JSON.stringify({ note: `${label} ${number}` }),
      })
      if (response.status !== 200) throw new Error(`PATCH returned ${response.status}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => sendAll(client)))
  return performance.now() - startTime
}
