// Kills the service during uploads, and assay import during imports. Acknowledged data must be stored, other batches
// completely or not at all, and a repetition must succeed. The test size crash_rounds sets the number of kills.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { scenarios } from '../../../bench/data.ts'
import { MAIN, type ServiceProcess, stopService } from '../../../bench/service.ts'
import { sizes } from '../../sizes.ts'
import { createTempFolder, runAssay, type StoreLocation, spawnServer } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import {
  createStoreWithKey,
  scenarioLines,
  seededRandom,
  type UploadResponse,
  upload,
} from '../../support/upload.ts'

const ROUNDS = sizes.crash_rounds
const options = { timeout: 100_000 + ROUNDS * 20_000 }

/** When to kill the process in this round, in milliseconds. The rounds spread the times evenly from first to last. */
function killTime(round: number, first: number, last: number): number {
  return first + ((round + seededRandom(`moment ${round}`)) / ROUNDS) * (last - first)
}

/** Runs assay check, which must find no faults, and returns the number of scenarios. */
async function countAfterCheck({ flags }: StoreLocation): Promise<number> {
  const { code, stdout, stderr } = await runAssay(['check', '--json', ...flags])
  assert.equal(code, 0, `${stdout}${stderr}`)
  const { scenarios, faults } = JSON.parse(stdout)
  assert.deepEqual(faults, [])
  return scenarios
}

function assertNoTemporaryFiles({ data }: StoreLocation): void {
  const known = ['assay.db', 'assay.db-shm', 'assay.db-wal']
  assert.deepEqual(
    (existsSync(data) ? readdirSync(data) : []).filter((file) => !known.includes(file)),
    [],
  )
}

interface Batch {
  evaluation: string
  name: string
  count: number
  isAcknowledged: boolean
}

/** The smallest and the largest batch of each client, as numbers of scenarios of about 2 kB. */
const CLIENTS = [
  [1, 20],
  [100, 300],
  [1000, 2000],
] as const
const LATEST_KILL_MS = 800

/** JSON texts of scenarios without the opening brace and the ids. */
const BODIES_WITHOUT_ID = [...scenarios('any', 2000)].map(({ id, evaluation_id, ...rest }) =>
  JSON.stringify(rest).slice(1),
)

function send({ base }: ServiceProcess, key: string, { evaluation, name, count }: Batch) {
  const lines = BODIES_WITHOUT_ID.slice(0, count).map((rest, index) => `{"id":"${name}:${index}",${rest}\n`)
  const headers = { authorization: key, 'content-type': 'application/x-ndjson' }
  return upload(`${base}/api/evaluations/${evaluation}/evaluation_scenarios`, headers, [lines.join('')])
}

/** Sends one batch after the other until the service is killed. Returns all batches that were started. */
async function sendUntilKilled(
  service: ServiceProcess,
  key: string,
  evaluation: string,
  [smallest, largest]: readonly [number, number],
  onAcknowledged: () => void,
): Promise<Batch[]> {
  const batches: Batch[] = []
  for (;;) {
    const name = `${smallest}-${batches.length}`
    const count = smallest + Math.floor(seededRandom(`${evaluation} ${name}`) * (largest - smallest + 1))
    const batch = { evaluation, name, count, isAcknowledged: false }
    batches.push(batch)
    let response: UploadResponse
    try {
      response = await send(service, key, batch)
    } catch (error) {
      assert.ok(service.child.killed, String(error))
      return batches
    }
    assert.deepEqual([response.status, response.body], [201, { accepted: count, unchanged: 0 }])
    batch.isAcknowledged = true
    onAcknowledged()
  }
}

/** Counts the stored scenarios of each batch. */
async function countsByBatch(
  { base }: ServiceProcess,
  key: string,
  evaluation: string,
): Promise<Map<string, number>> {
  const path = `/api/evaluations/${evaluation}/evaluation_scenarios?format=ndjson`
  const { status, text } = await sendRequest(base, path, { authorization: key })
  const counts = new Map<string, number>()
  if (status === 404) return counts
  assert.equal(status, 200)
  for (const [, name = ''] of text.matchAll(/^\{"id":"([^:"]+):/gm)) {
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

test(
  `the service survives ${ROUNDS} kills during uploads without losing acknowledged scenarios`,
  options,
  async (t) => {
    const { key, ...location } = await createStoreWithKey()
    let service = await spawnServer(location.flags)
    const all: Batch[] = []
    const tally = { acknowledged: 0, 'not stored': 0, 'stored but not acknowledged': 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      const killed = service
      const evaluation = `crash-${round}`
      const acknowledged = Promise.withResolvers<void>()
      const uploads = CLIENTS.map((sizes) =>
        sendUntilKilled(killed, key, evaluation, sizes, acknowledged.resolve),
      )
      await acknowledged.promise
      await delay(killTime(round, 0, LATEST_KILL_MS))
      killed.child.kill('SIGKILL')
      const batches = (await Promise.all(uploads)).flat()
      service = await spawnServer(location.flags)

      const counts = await countsByBatch(service, key, evaluation)
      for (const { name, count, isAcknowledged } of batches) {
        const stored = counts.get(name) ?? 0
        const message = `round ${round}, batch ${name}: ${stored} of ${count}`
        if (isAcknowledged) assert.equal(stored, count, message)
        else assert.ok(stored === 0 || stored === count, message)
        tally[
          isAcknowledged ? 'acknowledged' : stored === 0 ? 'not stored' : 'stored but not acknowledged'
        ] += 1
      }
      await countAfterCheck(location)
      assertNoTemporaryFiles(location)

      // A repeated batch is accepted or unchanged as a whole. Different content would be a conflict.
      for (const batch of batches) {
        const { status, body } = await send(service, key, batch)
        const isStored = counts.has(batch.name)
        const expected = { accepted: isStored ? 0 : batch.count, unchanged: isStored ? batch.count : 0 }
        assert.deepEqual([status, body], [201, expected], `round ${round}, batch ${batch.name}`)
      }
      all.push(...batches)
    }
    await stopService(service)
    report(t, tally)
    assert.ok(tally.acknowledged > 0 && tally.acknowledged < all.length, 'no kill happened during an upload')
    const total = all.reduce((sum, { count }) => sum + count, 0)
    assert.equal(await countAfterCheck(location), total, 'data of an earlier round is missing')
    assertNoTemporaryFiles(location)
  },
)

const FILE_SCENARIO_COUNT = 3000

test(`assay import stores a file completely or not at all in ${ROUNDS} kills`, options, async (t) => {
  const location = await createStoreWithKey()
  const file = join(createTempFolder(), 'scenarios.ndjson')
  await writeFile(file, scenarioLines('any', FILE_SCENARIO_COUNT))
  const argsOf = (evaluation: string) => [
    'import',
    file,
    '--json',
    '--evaluation',
    evaluation,
    ...location.flags,
  ]
  const start = performance.now()
  assert.equal((await runAssay(argsOf('undisturbed'))).code, 0)
  const importMs = performance.now() - start
  t.diagnostic(`an import without a kill takes ${Math.round(importMs)} ms`)

  let before = FILE_SCENARIO_COUNT
  const tally = { 'finished before the kill': 0, 'not stored': 0, 'stored but not acknowledged': 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const args = argsOf(`crash-${round}`)
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' })
    const exited = once(child, 'exit')
    await delay(killTime(round, 50, importMs))
    child.kill('SIGKILL')
    await exited

    const stored = (await countAfterCheck(location)) - before
    const isFinished = child.signalCode === null
    if (isFinished) assert.deepEqual([child.exitCode, stored], [0, FILE_SCENARIO_COUNT])
    else
      assert.ok(
        stored === 0 || stored === FILE_SCENARIO_COUNT,
        `round ${round}: ${stored} of ${FILE_SCENARIO_COUNT}`,
      )
    tally[
      isFinished ? 'finished before the kill' : stored === 0 ? 'not stored' : 'stored but not acknowledged'
    ] += 1
    assertNoTemporaryFiles(location)

    const again = await runAssay(args)
    assert.equal(again.code, 0, again.stderr)
    const { accepted, unchanged, refused } = JSON.parse(again.stdout)
    const expected = { accepted: FILE_SCENARIO_COUNT - stored, unchanged: stored, refused: 0 }
    assert.deepEqual({ accepted, unchanged, refused }, expected, `round ${round}`)
    before += FILE_SCENARIO_COUNT
  }
  report(t, tally)
  assert.ok(tally['not stored'] > 0, 'no kill happened during an import')
  assert.equal(await countAfterCheck(location), before)
  assertNoTemporaryFiles(location)
})

function report(t: TestContext, tally: Record<string, number>): void {
  for (const [outcome, count] of Object.entries(tally)) t.diagnostic(`${outcome}: ${count}`)
}
