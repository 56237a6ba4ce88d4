// Benchmark: full read of 1,000 scenarios from PostgreSQL, compared with psql fetching the same text.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freshDatabase, startCluster } from '../../test/postgres/cluster.ts'
import type { Benchmark } from '../benchmark.ts'
import { addLargeEvaluation, addReadKey } from '../data.ts'
import { startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { median, timeFullRead } from '../timing.ts'

const ROUNDS = 15
const WARM_UP = 100
/** Fetches per session, so that the start of psql and its connection do not count. */
const FETCHES = 20

export const postgresRead: Benchmark = {
  title: 'full read of 1,000 scenarios from PostgreSQL, compared with psql fetching the same text',
  async run({ folder }) {
    const cluster = await startCluster()
    try {
      const url = await freshDatabase(cluster.url())
      const store = await openStoreAt(url)
      const id = await addLargeEvaluation(store, 1000)
      const key = await addReadKey(store)
      await store.close()
      const flags = ['--data', join(folder, 'postgres'), '--database', url]
      const service = await startService(flags)
      const read = `${service.baseUrl}/api/evaluations/${id}/evaluation_scenarios`
      // Warm-up, because a new process still compiles its code.
      for (let round = 0; round < WARM_UP; round += 1) await timeFullRead(read, key)
      const times = { ours: [] as number[], theirs: [] as number[] }
      for (let round = 0; round < ROUNDS; round += 1) {
        times.ours.push((await timeFullRead(read, key)).ms)
        times.theirs.push(await timePsql(url, id))
      }
      await stopService(service)
      const [ours, theirs] = [median(times.ours), median(times.theirs)]
      return [
        `${ours.toFixed(1)} ms, psql ${theirs.toFixed(1)} ms per fetch, ratio ${(theirs / ours).toFixed(2)}`,
      ]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return ['skipped: psql is not installed (Debian: apt-get install postgresql-client)']
    } finally {
      await cluster.remove()
    }
  },
}

const run = promisify(execFile)

/** Milliseconds per additional fetch in one session. */
async function timePsql(url: string, id: string): Promise<number> {
  const fetch = `SELECT body FROM scenario WHERE evaluation = (SELECT key FROM evaluation WHERE id = '${id}') ORDER BY position`
  const session = async (fetches: number) => {
    const start = performance.now()
    await run('psql', ['-At', '-o', '/dev/null', url, ...Array(fetches).fill(['-c', fetch]).flat()])
    return performance.now() - start
  }
  const once = await session(1)
  return ((await session(FETCHES + 1)) - once) / FETCHES
}
