// Eight writers change a project through two service processes that are killed repeatedly, while two clients follow the
// change log. Each must read every entry exactly once. The test size followed_changes sets the number of entries.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceProcess } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import type { Change } from '../../../src/schema/changes.ts'
import type { Evaluation } from '../../../src/schema/evaluations.ts'
import { sizes } from '../../sizes.ts'
import { createStoreLocation, createTestKey, type StoreLocation, spawnServer } from '../../support/harness.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly } from '../../support/options.ts'

const WRITERS = 8
const MIN_CHANGES = sizes.followed_changes
const KILLS = sizes.follower_kills
/** A follower that has read everything polls again after this number of changes. */
const POLL_DISTANCE = 10

let location: StoreLocation
let key: string
/** A killed service is replaced by a promise at once, so that requests wait until it has started again. */
let services: Promise<ServiceProcess>[]
const start = () => spawnServer([...location.flags, '--log-level', 'warn'])

async function startServices(): Promise<void> {
  location = await createStoreLocation()
  const store = await openStoreAt(location.url)
  key = (await createTestKey(store, { scopes: ['read', 'write'] })).key
  // A service deletes this entry after the retention. That must not affect the followers.
  await store.writer.transaction((transaction) =>
    transaction.run(`UPDATE change SET time = '2020-01-01T00:00:00.000Z'`),
  )
  await store.close()
  services = [start(), start()]
}

/** Emits `change` when a write is acknowledged or the writers are done. */
const progress = new EventEmitter()
const agent = new Agent({ keepAlive: true })

interface Response {
  status: number
  etag: string | undefined
  body: string
}

/** Resolves with undefined if the connection fails, because the service was killed. */
async function send(
  index: number,
  method: string,
  path: string,
  { body, etag }: { body?: string; etag?: string | undefined } = {},
): Promise<Response | undefined> {
  const headers = {
    authorization: key,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(etag !== undefined && { 'if-none-match': etag }),
  }
  const { baseUrl } = await (services[index % services.length] as (typeof services)[number])
  try {
    const outgoing = httpRequest(`${baseUrl}/api${path}`, { method, headers, agent })
    outgoing.end(body)
    const [response] = await once(outgoing, 'response')
    return { status: response.statusCode, etag: response.headers.etag, body: await text(response) }
  } catch {
    return undefined
  }
}

/** The actions of the acknowledged writes of an evaluation, and of the last write if it got no response. */
interface Written {
  acknowledged: string[]
  unacknowledged: string[]
}

const written = new Map<string, Written>()
let acknowledgedCount = 0
let unacknowledgedCount = 0
let areWritersDone = false

/** Creates, changes and deletes evaluations. Every third one is not deleted. */
async function write(writer: number): Promise<void> {
  for (let number = 0; acknowledgedCount < MIN_CHANGES; number += 1) {
    const id = `w${writer}-${number}`
    const scenarios = `/evaluations/${id}/evaluation_scenarios`
    const steps: [status: number, actions: string[], ...Parameters<typeof send>][] = [
      [
        201,
        ['evaluation.created', 'scenarios.appended'],
        writer,
        'POST',
        scenarios,
        { body: '[{"id":"a"},{"id":"b"}]' },
      ],
      [201, ['scenarios.appended'], writer + 1, 'POST', scenarios, { body: '[{"id":"c"}]' }],
      [200, ['scenario.updated'], writer, 'PATCH', `${scenarios}/a`, { body: '{"note":"n"}' }],
      [200, ['evaluation.updated'], writer + 1, 'PATCH', `/evaluations/${id}`, { body: '{"name":"n"}' }],
      [204, ['evaluation.deleted'], writer, 'DELETE', `/evaluations/${id}`],
    ]
    const log: Written = { acknowledged: [], unacknowledged: [] }
    written.set(id, log)
    for (const [status, actions, ...request] of number % 3 > 0 ? steps : steps.slice(0, -1)) {
      const response = await send(...request)
      if (response?.status !== status) {
        // The change can be stored although its response is missing.
        log.unacknowledged = actions
        unacknowledgedCount += 1
        break
      }
      log.acknowledged.push(...actions)
      acknowledgedCount += actions.length
      progress.emit('change')
    }
  }
}

/** Kills one service after the other with SIGKILL, at even distances, and starts it again. */
async function killServices(): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    while (acknowledgedCount < (kill * MIN_CHANGES) / (KILLS + 1)) await once(progress, 'change')
    const { child } = await (services[kill % services.length] as (typeof services)[number])
    services[kill % services.length] = once(child, 'exit').then(start)
    child.kill('SIGKILL')
  }
}

/** Reads the log page by page until the writers are done and nothing new is returned. */
async function follow(follower: number): Promise<Change[]> {
  const changes: Change[] = []
  let etag: string | undefined
  for (let poll = follower; ; poll += 1) {
    const wasDone = areWritersDone
    const cursor = changes.at(-1)?.cursor
    const after = cursor === undefined ? '' : `&after=${cursor}`
    const response = await send(poll, 'GET', `/changes?limit=100${after}`, { etag })
    if (!response) continue
    assert.ok([200, 304].includes(response.status), response.body)
    const page = response.status === 304 ? [] : (JSON.parse(response.body) as Change[])
    changes.push(...page)
    etag = page.length === 0 ? response.etag : undefined
    if (page.length > 0) continue
    if (wasDone) return changes
    const polledCount = acknowledgedCount
    while (!areWritersDone && acknowledgedCount < polledCount + POLL_DISTANCE) await once(progress, 'change')
  }
}

/** The evaluations that exist after the changes, with their number of scenarios and version. */
function replay(changes: Change[]): Map<string, { scenario_count: number; version: string | null }> {
  const evaluations = new Map<string, { scenario_count: number; version: string | null }>()
  for (const { action, evaluation_id, counts, version } of changes) {
    const id = evaluation_id ?? ''
    const scenario_count = evaluations.get(id)?.scenario_count ?? 0
    if (action === 'evaluation.deleted') {
      assert.equal(counts.scenarios, scenario_count, `${id} was deleted`)
      evaluations.delete(id)
    } else {
      const added = action === 'scenarios.appended' ? (counts.scenarios ?? 0) : 0
      evaluations.set(id, { scenario_count: scenario_count + added, version })
    }
  }
  return evaluations
}

test(`two followers read every change of eight writers exactly once, despite ${KILLS} kills`, {
  skip: fullOnly('PostgreSQL commits in another order than it writes', 'sqlite'),
  timeout: sizes.file_minutes * 60_000,
}, async (t) => {
  await startServices()
  const startTime = performance.now()
  const following = [follow(0), follow(1)]
  const killing = killServices()
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  areWritersDone = true
  progress.emit('change')
  await killing
  const [first = [], second = []] = await Promise.all(following)
  const seconds = (performance.now() - startTime) / 1000
  reportMeasurements(t, { cases: first.length, rounds: KILLS, lost: 0, repeated: 0 })
  t.diagnostic(
    `${first.length} changes in ${seconds.toFixed(0)} s, ${KILLS} kills, ${unacknowledgedCount} writes without a response`,
  )

  // The first entry is about the key of this test. A sequence without gaps has no missing and no repeated entry.
  const expected = Array.from({ length: first.length }, (_, index) => index + 2)
  assert.deepEqual(
    first.map(({ sequence }) => sequence),
    expected,
  )
  assert.ok(first.length >= MIN_CHANGES)
  assert.deepEqual(second, first)

  // Every acknowledged write has its entries once. A write without a response has them once or not at all.
  const entries = Map.groupBy(first, ({ evaluation_id }) => evaluation_id ?? '')
  for (const [id, { acknowledged, unacknowledged }] of written) {
    const actions = (entries.get(id) ?? []).map(({ action }) => action)
    const isStored = actions.length > acknowledged.length
    assert.deepEqual(actions, isStored ? [...acknowledged, ...unacknowledged] : acknowledged, id)
  }
  for (const id of entries.keys()) assert.ok(written.has(id), id)

  const evaluations = replay(first)
  const list = JSON.parse((await send(0, 'GET', '/evaluations'))?.body ?? '') as Evaluation[]
  assert.deepEqual(list.map(({ id }) => id).sort(), [...evaluations.keys()].sort())
  for (const { id, scenario_count } of list)
    assert.equal(evaluations.get(id)?.scenario_count, scenario_count, id)
  for (const { id } of list.slice(0, 100)) {
    const { etag = '' } = (await send(0, 'GET', `/evaluations/${id}`)) ?? {}
    assert.ok(etag.startsWith(`"${evaluations.get(id)?.version}-`), id)
  }
  agent.destroy()

  const openedStore = await openStoreAt(location.url)
  const readOldEntries = () => openedStore.reader.all(`SELECT sequence FROM change WHERE time < '2021'`)
  while ((await readOldEntries()).length > 0) await delay(20)
  await openedStore.close()
})
