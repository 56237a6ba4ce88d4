// How fast is the read of 1,000 scenarios from PostgreSQL, against psql fetching the same text?
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freshDatabase, startCluster } from '../test/postgres/cluster.ts'
import type { Bench } from './bench.ts'
import { addLargeEvaluation, addReadKey } from './data.ts'
import { startService, stopService } from './service.ts'
import { openAt } from './store.ts'
import { median, timeWhole } from './timing.ts'

const ROUNDS = 15
const WARM_UP = 100
/** In one session, so that the start of psql and its connection do not count. */
const FETCHES = 20

export const postgresRead: Bench = {
  question: 'whole read of 1,000 scenarios from PostgreSQL, against psql fetching the same text',
  async run({ folder }) {
    const cluster = await startCluster()
    try {
      const url = await freshDatabase(cluster.url())
      const store = await openAt(url)
      const id = await addLargeEvaluation(store, 1000)
      const key = await addReadKey(store)
      await store.close()
      const flags = ['--data', join(folder, 'postgres'), '--database', url, '--log-level', 'warn']
      const service = await startService(flags)
      const read = `${service.base}/api/evaluations/${id}/evaluation_scenarios`
      // A process that has only just started is still compiling itself.
      for (let round = 0; round < WARM_UP; round += 1) await timeWhole(read, key)
      const times = { ours: [] as number[], theirs: [] as number[] }
      for (let round = 0; round < ROUNDS; round += 1) {
        times.ours.push((await timeWhole(read, key)).ms)
        times.theirs.push(await timePsql(url, id))
      }
      await stopService(service)
      const [ours, theirs] = [median(times.ours), median(times.theirs)]
      return [
        `${ours.toFixed(1)} ms against ${theirs.toFixed(1)} ms a fetch, ratio ${(theirs / ours).toFixed(2)}`,
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

/** What one fetch more takes. */
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
