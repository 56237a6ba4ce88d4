// Benchmark: start time with 2,000,000 scenarios in the store, and memory of the idle service.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { addLargeEvaluation } from '../data.ts'
import { memoryMiB } from '../process-stats.ts'
import { ROUNDS } from '../reference/compare.ts'
import { startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'

const EVALUATIONS = 20
const SCENARIOS = 100_000
const MIB = 1024 * 1024
const SETTLE_MS = 3000

export const start: Benchmark = {
  title: 'start until /readyz with 2,000,000 scenarios, and idle memory',
  async run({ folder }) {
    const data = join(folder, 'start')
    mkdirSync(data)
    await fill(join(data, 'assay.db'))
    // By default, Node stores its compile cache in the folder for temporary files.
    const env = { TMPDIR: data }
    const seconds: number[] = []
    const megabytes: number[] = []
    // The first start writes the compile cache and is not measured.
    for (let round = -1; round < ROUNDS; round += 1) {
      const startTime = performance.now()
      const service = await startService(['--data', data], { env })
      const ready = await fetch(`${service.baseUrl}/readyz`)
      if (round >= 0) seconds.push((performance.now() - startTime) / 1000)
      if (!ready.ok) throw new Error(`/readyz returned ${ready.status}`)
      await delay(SETTLE_MS)
      if (round >= 0) megabytes.push((memoryMiB(service.child, 'current') * MIB) / 1e6)
      await stopService(service)
    }
    rmSync(data, { recursive: true })
    return { lines: [], measurements: { memory: megabytes, start: seconds } }
  },
}

/** Adds short scenarios with few derived rows. A start that reads all rows would be visibly slower. */
async function fill(file: string): Promise<void> {
  const store = await openStoreAt(`sqlite:${file}`)
  await addLargeEvaluation(store, 1)
  await store.close()
  const database = new DatabaseSync(file)
  database.exec(`
    WITH RECURSIVE number (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < ${EVALUATIONS + 1})
    INSERT INTO evaluation (project, id, created_at, updated_at, version, scenario_count, body_bytes)
    SELECT project, 'many-' || n, created_at, updated_at, 'v' || n, ${SCENARIOS}, ${SCENARIOS} FROM evaluation, number;
    WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ${SCENARIOS - 1})
    INSERT INTO scenario (evaluation, position, id, body, digest)
    SELECT key, n, 's' || n, '{"id":"s' || n || '"}', x'00' FROM evaluation, number WHERE id LIKE 'many-%';
    INSERT INTO measure (evaluation, position, input_hash, expected_hash, output_hash, has_error, is_pinned, has_note)
    SELECT evaluation, position, x'00', x'00', x'00', 0, 0, 0 FROM scenario WHERE digest = x'00';`)
  database.close()
}
