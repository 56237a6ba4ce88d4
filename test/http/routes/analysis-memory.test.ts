// Tests how much memory the analysis of rows with large outputs needs.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { addLargeEvaluation, addReadKey } from '../../../bench/data.ts'
import { addVariant } from '../../../bench/growth/data.ts'
import { openStoreAt } from '../../../bench/store.ts'
import type { EvaluationScenario } from '../../../src/schema/scenarios.ts'
import type { Store } from '../../../src/store/store.ts'
import { createStoreLocation, spawnServer } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import { canReadMemory, memoryMiB } from '../../support/upload.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const ROWS = 40
/** Of each row. Together they are larger than the limit. */
const OUTPUT = 'output '.repeat(512 * 1024)
/** Query threads and the PostgreSQL driver need some of it. */
const MAX_GROWTH_MIB = 128
const skip = fullOnly('writes several hundred megabytes') || (!canReadMemory && 'memory is read from /proc')

function withLargeOutput(scenario: EvaluationScenario): EvaluationScenario {
  return { ...scenario, outputs: [{ result: { type: 'text', value: OUTPUT } }] }
}

/** Fails if a response needs much more memory than the idle service. Returns the response. */
async function readWithinLimit(
  t: TestContext,
  fill: (store: Store) => Promise<void>,
  path: string,
): Promise<Record<string, unknown[]>> {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  await fill(store)
  const authorization = await addReadKey(store)
  await store.close()
  const { baseUrl, child } = await spawnServer(flags)
  await sendRequest(baseUrl, `${scenariosPath('e0')}?limit=1`, { authorization })
  const idleMiB = memoryMiB(child.pid, 'VmRSS')
  const { text } = await sendRequest(baseUrl, path, { authorization })
  const growthMiB = memoryMiB(child.pid, 'VmHWM') - idleMiB
  reportMeasurements(t, { peak_memory_mb: growthMiB })
  if (testOptions.measures)
    assert.ok(growthMiB <= MAX_GROWTH_MIB, `${growthMiB} MiB more than ${idleMiB} MiB`)
  child.kill()
  await once(child, 'exit')
  return JSON.parse(text)
}

test(`a history in ${ROWS} evaluations with large outputs needs little more memory than the idle service`, {
  skip,
}, async (t) => {
  const fill = async (store: Store) => {
    await addVariant(store, 'v', 1)
    for (let number = 0; number < ROWS; number += 1)
      await addLargeEvaluation(store, 1, {
        id: `e${number}`,
        variant_id: 'v',
        change: (scenario) => ({ ...withLargeOutput(scenario), id: 'a' }),
      })
  }
  const { rows } = await readWithinLimit(t, fill, `${scenariosPath('e0')}/a/history`)
  assert.equal(rows?.length, ROWS)
})

test(`a breakdown into ${ROWS} groups with large outputs needs little more memory than the idle service`, {
  skip,
}, async (t) => {
  const fill = async (store: Store) => {
    await addLargeEvaluation(store, ROWS, {
      id: 'e0',
      change: (scenario) => ({
        ...withLargeOutput(scenario),
        inputs: [{ name: 'topic', type: 'text', value: scenario.id }],
      }),
    })
  }
  const { groups } = await readWithinLimit(t, fill, '/api/evaluations/e0/breakdown?by=input.topic')
  assert.equal(groups?.length, ROWS)
})
