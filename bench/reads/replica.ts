// Benchmark: reads from PostgreSQL with and without a replica: transactions and CPU time of the primary per request.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Cluster, freshDatabase, query, startCluster } from '../../test/postgres/cluster.ts'
import { startReplica } from '../../test/postgres/replica.ts'
import type { Benchmark } from '../benchmark.ts'
import { addLargeEvaluation, addReadKey } from '../data.ts'
import { MS_PER_TICK, statFields } from '../process-stats.ts'
import { CACHE_DISABLED, startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { median, timeFullRead } from '../timing.ts'

const ROUNDS = 3
const CONCURRENCIES = [1, 16]

interface Workload {
  name: string
  query: string
  requests: number
  flags: string[]
}

const WORKLOADS: Workload[] = [
  { name: 'one scenario', query: '?limit=1', requests: 1000, flags: [] },
  { name: '1,000 scenarios, cached', query: '', requests: 500, flags: [] },
  { name: '1,000 scenarios, not cached', query: '', requests: 200, flags: CACHE_DISABLED },
]

/** Per request, except for the rate. */
interface Cost {
  transactions: number
  cpuMs: number
  medianMs: number
  perSecond: number
}

interface Servers {
  primary: Cluster
  primaryUrl: string
  replicaUrl: string
}

export const replica: Benchmark = {
  title: 'reads with a replica, compared with reads without (both servers and the clients share the cores)',
  async run({ folder }) {
    const primary = await startCluster()
    const standby = await startReplica(primary)
    try {
      const primaryUrl = await freshDatabase(primary.url())
      const store = await openStoreAt(primaryUrl)
      const id = await addLargeEvaluation(store, 1000)
      const key = await addReadKey(store)
      await store.close()
      const servers = {
        primary,
        primaryUrl,
        replicaUrl: standby.url(new URL(primaryUrl).pathname.slice(1)),
      }
      const path = `/api/evaluations/${id}/evaluation_scenarios`
      const lines: string[] = []
      for (const workload of WORKLOADS) {
        for (const concurrency of CONCURRENCIES) {
          const measureOnce = (usesReplica: boolean) =>
            measure(servers, join(folder, 'replica'), usesReplica, { ...workload, path, key, concurrency })
          const without: Cost[] = []
          const withReplica: Cost[] = []
          for (let round = 0; round < ROUNDS; round += 1) {
            without.push(await measureOnce(false))
            withReplica.push(await measureOnce(true))
          }
          lines.push(
            `${workload.name}, ${concurrency} ${concurrency === 1 ? 'client' : 'clients'}`,
            `  without: ${describe(medianCost(without))}`,
            `  with:    ${describe(medianCost(withReplica))}`,
          )
        }
      }
      return lines
    } finally {
      await standby.remove()
      await primary.remove()
    }
  },
}

interface Load extends Workload {
  path: string
  key: string
  concurrency: number
}

/** The transactions include those of the start and of the warm-up. */
async function measure(servers: Servers, data: string, usesReplica: boolean, load: Load): Promise<Cost> {
  const transactionsBefore = await countTransactions(servers)
  const flags = ['--data', data, '--database', servers.primaryUrl, ...load.flags]
  const service = await startService([...flags, ...(usesReplica ? ['--replica', servers.replicaUrl] : [])])
  const url = service.baseUrl + load.path + load.query
  const warmUps = Math.ceil(load.requests / 10)
  await runLoad(url, load, warmUps)
  const cpuBefore = serverCpuMs(servers.primary)
  const start = performance.now()
  const times = await runLoad(url, load, load.requests)
  const elapsedMs = performance.now() - start
  const cpuMs = (serverCpuMs(servers.primary) - cpuBefore) / load.requests
  await stopService(service)
  const transactions = (await countTransactions(servers)) - transactionsBefore
  return {
    transactions: transactions / (warmUps + load.requests),
    cpuMs,
    medianMs: median(times),
    perSecond: (load.requests / elapsedMs) * 1000,
  }
}

/** The durations of all requests, in milliseconds. */
async function runLoad(url: string, { key, concurrency }: Load, requests: number): Promise<number[]> {
  const times: number[] = []
  let started = 0
  async function runClient(): Promise<void> {
    for (; started < requests; ) {
      started += 1
      times.push((await timeFullRead(url, key)).ms)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runClient))
  return times
}

/** Waits until the service has no connections to the primary: a server counts their transactions when they close. */
async function countTransactions({ primary, primaryUrl }: Servers): Promise<number> {
  const database = new URL(primaryUrl).pathname.slice(1)
  const connections = `SELECT 1 FROM pg_stat_activity WHERE datname = '${database}'`
  while ((await query(primary.url(), connections)).length > 0) await delay(50)
  const statement = `SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = '${database}'`
  return Number((await query(primary.url(), statement))[0]?.count)
}

/** The CPU time of the server and of all its processes, including those that have ended. */
function serverCpuMs({ folder }: Cluster): number {
  const postmaster = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  let ticks = 0
  for (const pid of processes) {
    const fields = statFields(pid)
    const isPostmaster = pid === postmaster
    if (!isPostmaster && fields[1] !== postmaster) continue
    // User and system time; for the main process, also those of its ended processes.
    ticks += fields.slice(11, isPostmaster ? 15 : 13).reduce((sum, field) => sum + Number(field), 0)
  }
  return ticks * MS_PER_TICK
}

function medianCost(costs: Cost[]): Cost {
  const medianOf = (name: keyof Cost) => median(costs.map((cost) => cost[name]))
  return {
    transactions: medianOf('transactions'),
    cpuMs: medianOf('cpuMs'),
    medianMs: medianOf('medianMs'),
    perSecond: medianOf('perSecond'),
  }
}

function describe({ transactions, cpuMs, medianMs, perSecond }: Cost): string {
  return `primary ${transactions.toFixed(2)} transactions and ${cpuMs.toFixed(2)} ms CPU per request, ${perSecond.toFixed(0)} requests per second, median ${medianMs.toFixed(1)} ms`
}
