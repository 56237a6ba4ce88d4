// Tests how much memory the history of a row with large outputs needs.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { addLargeEvaluation, addReadKey } from '../../../bench/data.ts'
import { addVariant } from '../../../bench/growth-data.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { createStoreLocation, ENGINE, spawnServer } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { canReadMemory, memoryMiB } from '../../support/upload.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const EVALUATIONS = 60
/** Of each row. Together they are larger than the limit. */
const OUTPUT = 'output '.repeat(512 * 1024)
/** The PostgreSQL driver needs more memory than SQLite, which runs in the process. */
const MAX_GROWTH_MIB = ENGINE === 'sqlite' ? 64 : 128

test(`a history in ${EVALUATIONS} evaluations with large outputs needs at most ${MAX_GROWTH_MIB} MiB more than the idle service`, {
  skip: !canReadMemory && 'memory is read from /proc',
}, async (t) => {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  await addVariant(store, 'v', 1)
  for (let number = 0; number < EVALUATIONS; number += 1)
    await addLargeEvaluation(store, 1, {
      id: `e${number}`,
      variant_id: 'v',
      change: (scenario) => ({
        ...scenario,
        id: 'a',
        outputs: [{ result: { type: 'text', value: OUTPUT } }],
      }),
    })
  const authorization = await addReadKey(store)
  await store.close()
  const { baseUrl, child } = await spawnServer(flags)
  const path = `${scenariosPath('e0')}/a`
  await sendRequest(baseUrl, path, { authorization })
  const idleMiB = memoryMiB(child.pid, 'VmRSS')
  const { text } = await sendRequest(baseUrl, `${path}/history`, { authorization })
  assert.equal(JSON.parse(text).rows.length, EVALUATIONS)
  const growthMiB = memoryMiB(child.pid, 'VmHWM') - idleMiB
  reportMeasurements(t, { peak_memory_mb: growthMiB })
  assert.ok(growthMiB <= MAX_GROWTH_MIB, `${growthMiB} MiB more than ${idleMiB} MiB`)
  child.kill()
  await once(child, 'exit')
})
