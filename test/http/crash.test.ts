// Killed in the middle of writing, over HTTP and by assay import: what was acknowledged is there, the rest is
// there whole or not at all, and the next attempt completes. CRASH_ROUNDS of each, 3 here; the campaign:
// CRASH_ROUNDS=50 node --test FILE.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { scenarios } from '../../bench/data.ts'
import { MAIN, type ServiceProcess, stopService } from '../../bench/service.ts'
import { assay, freshFolder, type Place, spawnServer } from '../harness.ts'
import { freshData, randomOf, scenarioLines, type UploadAnswer, upload } from '../upload.ts'
import { ask } from '../wire.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3)
const options = { timeout: 100_000 + ROUNDS * 20_000 }

/** Of round so many of all: over all rounds the moments are spread evenly from the first to the last. */
function momentOf(round: number, first: number, last: number): number {
  return first + ((round + randomOf(`moment ${round}`)) / ROUNDS) * (last - first)
}

/** How many scenarios there are, once everything about the store has been found in order. */
async function countAfterCheck({ flags }: Place): Promise<number> {
  const { code, stdout, stderr } = await assay(['check', '--json', ...flags])
  assert.equal(code, 0, `${stdout}${stderr}`)
  const { scenarios, faults } = JSON.parse(stdout)
  assert.deepEqual(faults, [])
  return scenarios
}

function assertNothingLeftOver({ data }: Place): void {
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

/** The smallest and the largest batch of each client, in scenarios of about 2 kB. */
const CLIENTS = [
  [1, 20],
  [100, 300],
  [1000, 2000],
] as const
const LAST_MOMENT_MS = 800

/** Scenarios without the brace and the ids they begin with. */
const UNNAMED = [...scenarios('any', 2000)].map(({ id, evaluation_id, ...rest }) =>
  JSON.stringify(rest).slice(1),
)

function send({ base }: ServiceProcess, key: string, { evaluation, name, count }: Batch) {
  const lines = UNNAMED.slice(0, count).map((rest, index) => `{"id":"${name}:${index}",${rest}\n`)
  const headers = { authorization: key, 'content-type': 'application/x-ndjson' }
  return upload(`${base}/api/evaluations/${evaluation}/evaluation_scenarios`, headers, [lines.join('')])
}

/** One batch after the other; returns those that were begun. */
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
    const count = smallest + Math.floor(randomOf(`${evaluation} ${name}`) * (largest - smallest + 1))
    const batch = { evaluation, name, count, isAcknowledged: false }
    batches.push(batch)
    let answer: UploadAnswer
    try {
      answer = await send(service, key, batch)
    } catch (error) {
      assert.ok(service.child.killed, String(error))
      return batches
    }
    assert.deepEqual([answer.status, answer.body], [201, { accepted: count, unchanged: 0 }])
    batch.isAcknowledged = true
    onAcknowledged()
  }
}

/** How many scenarios of each batch are there. */
async function countsByBatch(
  { base }: ServiceProcess,
  key: string,
  evaluation: string,
): Promise<Map<string, number>> {
  const path = `/api/evaluations/${evaluation}/evaluation_scenarios?format=ndjson`
  const { status, text } = await ask(base, path, { authorization: key })
  const counts = new Map<string, number>()
  if (status === 404) return counts
  assert.equal(status, 200)
  for (const [, name = ''] of text.matchAll(/^\{"id":"([^:"]+):/gm)) {
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

test(`${ROUNDS} times killed while scenarios are sent over HTTP`, options, async (t) => {
  const { key, ...place } = await freshData()
  let service = await spawnServer(place.flags)
  const all: Batch[] = []
  const tally = { acknowledged: 0, 'lost whole': 0, 'kept whole without a word': 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const killed = service
    const evaluation = `crash-${round}`
    const acknowledged = Promise.withResolvers<void>()
    const sending = CLIENTS.map((sizes) =>
      sendUntilKilled(killed, key, evaluation, sizes, acknowledged.resolve),
    )
    await acknowledged.promise
    await delay(momentOf(round, 0, LAST_MOMENT_MS))
    killed.child.kill('SIGKILL')
    const batches = (await Promise.all(sending)).flat()
    service = await spawnServer(place.flags)

    const counts = await countsByBatch(service, key, evaluation)
    for (const { name, count, isAcknowledged } of batches) {
      const found = counts.get(name) ?? 0
      const where = `round ${round}, batch ${name}: ${found} of ${count}`
      if (isAcknowledged) assert.equal(found, count, where)
      else assert.ok(found === 0 || found === count, where)
      tally[isAcknowledged ? 'acknowledged' : found === 0 ? 'lost whole' : 'kept whole without a word'] += 1
    }
    await countAfterCheck(place)
    assertNothingLeftOver(place)

    // Sent again, each says what it was: content that differs would be a conflict.
    for (const batch of batches) {
      const { status, body } = await send(service, key, batch)
      const isThere = counts.has(batch.name)
      const expected = { accepted: isThere ? 0 : batch.count, unchanged: isThere ? batch.count : 0 }
      assert.deepEqual([status, body], [201, expected], `round ${round}, batch ${batch.name}`)
    }
    all.push(...batches)
  }
  await stopService(service)
  report(t, tally)
  assert.ok(
    tally.acknowledged > 0 && tally.acknowledged < all.length,
    'no kill came while something was sent',
  )
  const total = all.reduce((sum, { count }) => sum + count, 0)
  assert.equal(await countAfterCheck(place), total, 'something of an earlier round has gone')
  assertNothingLeftOver(place)
})

const IN_FILE = 3000

test(`${ROUNDS} times killed while a file is imported`, options, async (t) => {
  const place = await freshData()
  const file = join(freshFolder(), 'scenarios.ndjson')
  await writeFile(file, scenarioLines('any', IN_FILE))
  const argsOf = (evaluation: string) => [
    'import',
    file,
    '--json',
    '--evaluation',
    evaluation,
    ...place.flags,
  ]
  const start = performance.now()
  assert.equal((await assay(argsOf('undisturbed'))).code, 0)
  const wholeTime = performance.now() - start
  t.diagnostic(`an import that is let finish takes ${Math.round(wholeTime)} ms`)

  let before = IN_FILE
  const tally = { 'finished before the kill': 0, 'lost whole': 0, 'kept whole without a word': 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const args = argsOf(`crash-${round}`)
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' })
    const exited = once(child, 'exit')
    await delay(momentOf(round, 50, wholeTime))
    child.kill('SIGKILL')
    await exited

    const found = (await countAfterCheck(place)) - before
    const isFinished = child.signalCode === null
    if (isFinished) assert.deepEqual([child.exitCode, found], [0, IN_FILE])
    else assert.ok(found === 0 || found === IN_FILE, `round ${round}: ${found} of ${IN_FILE}`)
    tally[
      isFinished ? 'finished before the kill' : found === 0 ? 'lost whole' : 'kept whole without a word'
    ] += 1
    assertNothingLeftOver(place)

    const again = await assay(args)
    assert.equal(again.code, 0, again.stderr)
    const { accepted, unchanged, refused } = JSON.parse(again.stdout)
    const expected = { accepted: IN_FILE - found, unchanged: found, refused: 0 }
    assert.deepEqual({ accepted, unchanged, refused }, expected, `round ${round}`)
    before += IN_FILE
  }
  report(t, tally)
  assert.ok(tally['lost whole'] > 0, 'no kill came while the file was imported')
  assert.equal(await countAfterCheck(place), before)
  assertNothingLeftOver(place)
})

function report(t: TestContext, tally: Record<string, number>): void {
  for (const [what, count] of Object.entries(tally)) t.diagnostic(`${what}: ${count}`)
}
