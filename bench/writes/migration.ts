// Measures the upgrade of a store of version 0.1, with and without kills of the service: node bench/writes/migration.ts
// [sqlite|postgres] [scenarios]. A separate command, because it takes many minutes and several gigabytes.
import { execFile, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import { findRemainingTasks } from '../../src/store/background-tasks.ts'
import { createEvaluation } from '../../src/store/evaluations/evaluations.ts'
import { appendScenarios } from '../../src/store/scenarios/append.ts'
import { type ScenarioRow, scenarioRow } from '../../src/store/scenarios/row.ts'
import type { Store } from '../../src/store/store.ts'
import { freshDatabase, query, startCluster } from '../../test/postgres/cluster.ts'
import { freePort } from '../../test/postgres/server-folder.ts'
import { addReadKey, addWriteKey } from '../data.ts'
import { downgradeStore } from '../old-store.ts'
import { MAIN, startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'

const DEFAULT_SCENARIOS = 760_000
/** The share of the scenarios in one large evaluation, and the size of the others. */
const [LARGE_SHARE, SMALL_COUNT] = [0.25, 1000]
/** When the service is killed, in milliseconds after its start, and then after its first response. */
const [START_KILL_MS, SERVING_KILL_MS] = [
  [300, 600, 1000, 2000, 4000],
  [0, 500, 1000, 2000],
]
const POLL_MS = 10

/** How ids are given: from positions by an importer, by a client, or by the service. */
const ID_FORMS: [source: string, idOf: (position: number) => string | undefined][] = [
  ['table', (position) => String(position + 1)],
  ['sdk', (position) => `case-${position}`],
  ['sdk', () => undefined],
]

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function* generateRows(evaluation: string, count: number, form: number): Generator<ScenarioRow[]> {
  const idOf = ID_FORMS[form]?.[1]
  let batch: ScenarioRow[] = []
  for (let position = 0; position < count; position += 1) {
    const id = idOf?.(position)
    const scenario = {
      ...(id !== undefined && { id }),
      inputs: [{ name: 'question', type: 'text', value: `What is ${position} times 8?` }],
      outputs: [
        {
          result: { type: 'text', value: `The result is ${position * 8}. ${'More text. '.repeat(20)}` },
          cost: position / 1000,
          latency: (position % 37) / 10,
        },
      ],
      correct_answers: [{ key: 'answer', value: String(position * 8) }],
      results: [
        { evaluator_config: 'exact', result: { type: 'bool', value: position % 3 > 0 } },
        { evaluator_config: 'similarity', result: { type: 'number', value: (position % 11) / 11 } },
      ],
    }
    batch.push(scenarioRow(evaluation, parsedValue(scenario)))
    if (batch.length < 500) continue
    yield batch
    batch = []
  }
  yield batch
}

/** Returns the ids of the evaluations. The first one is large. */
async function fill({ writer }: Store, count: number): Promise<string[]> {
  const largeCount = Math.round(count * LARGE_SHARE)
  const smallCounts = Array<number>(Math.round((count - largeCount) / SMALL_COUNT)).fill(SMALL_COUNT)
  const ids: string[] = []
  for (const [index, scenarioCount] of [largeCount, ...smallCounts].entries()) {
    const id = `run-${index}`
    const form = index % ID_FORMS.length
    await writer.transaction(async (transaction) => {
      const project = await ensureProject(transaction, 'default')
      const evaluation = parsedValue({ id, source: ID_FORMS[form]?.[0] ?? '' })
      const key = await createEvaluation(transaction, project, evaluation)
      await appendScenarios(transaction, key, generateRows(id, scenarioCount, form))
    })
    ids.push(id)
  }
  return ids
}

interface OldStore {
  url: string
  ids: string[]
  readKey: string
  writeKey: string
  /** A hash of each whole read before the downgrade, by evaluation. */
  hashes: Map<string, string>
}

const READ_PATH = (id: string) => `/api/evaluations/${id}/evaluation_scenarios`

async function readHash(baseUrl: string, key: string, id: string): Promise<string> {
  const response = await fetch(baseUrl + READ_PATH(id), { headers: { authorization: key } })
  if (response.status !== 200) throw new Error(`${id}: ${response.status} ${await response.text()}`)
  return hash('sha256', Buffer.from(await response.arrayBuffer()))
}

async function readHashes(
  url: string,
  folder: string,
  key: string,
  ids: string[],
): Promise<Map<string, string>> {
  const service = await startService(flagsOf(url, folder))
  const hashes = new Map<string, string>()
  for (const id of ids) hashes.set(id, await readHash(service.baseUrl, key, id))
  await stopService(service)
  return hashes
}

function flagsOf(url: string, folder: string): string[] {
  return ['--data', folder, '--database', url, '--max-cache-file-bytes', '0']
}

async function buildOldStore(url: string, folder: string, count: number): Promise<OldStore> {
  const store = await openStoreAt(url)
  const ids = await fill(store, count)
  const [readKey, writeKey] = [await addReadKey(store), await addWriteKey(store)]
  await store.close()
  const hashes = await readHashes(url, folder, readKey, ids)
  await downgradeStore(url)
  return { url, ids, readKey, writeKey, hashes }
}

/** A copy of the store, which is not in use. */
async function copyStore(url: string): Promise<string> {
  const copy = `${url}-copy`
  if (url.startsWith('sqlite:')) copyFileSync(url.slice('sqlite:'.length), copy.slice('sqlite:'.length))
  else {
    const { pathname } = new URL(url)
    const admin = url.replace(pathname, '/postgres')
    await query(admin, `CREATE DATABASE "${pathname.slice(1)}-copy" TEMPLATE "${pathname.slice(1)}"`)
  }
  return copy
}

/** A service that is polled with small reads from its start. */
class PolledService {
  readonly #child
  readonly #start = performance.now()
  readonly #polling: Promise<void>
  readonly baseUrl: string
  #isStopped = false
  #lastSuccess = 0
  /** Milliseconds from the start of the process. */
  firstSuccessMs: number | undefined
  /** The longest time between two successful reads. */
  longestGapMs = 0
  failureCount = 0

  constructor(port: number, flags: string[], path: string, key: string) {
    this.baseUrl = `http://127.0.0.1:${port}`
    this.#child = spawn(process.execPath, [MAIN, 'serve', '--port', String(port), ...flags], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    this.#polling = this.#poll(path, key)
  }

  async #poll(path: string, key: string): Promise<void> {
    for (; !this.#isStopped; await delay(POLL_MS)) {
      const status = await fetch(this.baseUrl + path, { headers: { authorization: key } }).then(
        async (response) => {
          await response.arrayBuffer()
          return response.status
        },
        () => 0,
      )
      const now = performance.now() - this.#start
      if (status !== 200) {
        if (this.firstSuccessMs !== undefined && !this.#isStopped) this.failureCount += 1
        continue
      }
      if (this.firstSuccessMs === undefined) this.firstSuccessMs = now
      else this.longestGapMs = Math.max(this.longestGapMs, now - this.#lastSuccess)
      this.#lastSuccess = now
    }
  }

  async untilServing(): Promise<void> {
    while (this.firstSuccessMs === undefined) await delay(POLL_MS)
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#isStopped = true
    this.#child.kill(signal)
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit')
    await this.#polling
  }
}

async function untilNoWork(url: string): Promise<void> {
  const store = await openStoreAt(url)
  while ((await findRemainingTasks(store.reader)).length > 0) await delay(100)
  await store.close()
}

/** Deletes the large evaluation while the service still works on the store. Returns the milliseconds. */
async function deleteLarge(baseUrl: string, { ids, writeKey }: OldStore): Promise<number> {
  const start = performance.now()
  const path = `${baseUrl}/api/evaluations/${ids[0]}`
  const { status } = await fetch(path, { method: 'DELETE', headers: { authorization: writeKey } })
  if (status !== 204) throw new Error(`The evaluation was not deleted: ${status}`)
  return performance.now() - start
}

const run = promisify(execFile)

async function verify(
  url: string,
  folder: string,
  { readKey, hashes }: OldStore,
  ids: string[],
): Promise<void> {
  const migrated = await readHashes(url, folder, readKey, ids)
  const different = ids.filter((id) => migrated.get(id) !== hashes.get(id))
  print(`  different whole reads: ${different.length} of ${ids.length}`)
  const { stdout } = await run(process.execPath, [MAIN, 'check', '--data', folder, '--database', url])
  print(`  assay check: ${stdout.trim()}`)
}

async function measureUpgrade(url: string, folder: string, store: OldStore): Promise<void> {
  const path = `${READ_PATH(store.ids.at(-1) ?? '')}?limit=1`
  const start = performance.now()
  const service = new PolledService(await freePort(), flagsOf(url, folder), path, store.readKey)
  await service.untilServing()
  await untilNoWork(url)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  await service.stop('SIGTERM')
  print(
    `  first read after ${service.firstSuccessMs?.toFixed(0)} ms, background work finished after ${seconds} s`,
  )
  print(
    `  longest time between two reads: ${service.longestGapMs.toFixed(0)} ms, failed reads: ${service.failureCount}`,
  )
  await verify(url, folder, store, store.ids)
}

async function measureKills(url: string, folder: string, store: OldStore): Promise<void> {
  const path = `${READ_PATH(store.ids.at(-1) ?? '')}?limit=1`
  const kills = [START_KILL_MS, SERVING_KILL_MS].flatMap((times, index) =>
    times.map((ms) => ({ ms, isServing: index === 1 })),
  )
  for (const { ms, isServing } of kills) {
    const service = new PolledService(await freePort(), flagsOf(url, folder), path, store.readKey)
    if (isServing) await service.untilServing()
    await delay(ms)
    await service.stop('SIGKILL')
  }
  const service = new PolledService(await freePort(), flagsOf(url, folder), path, store.readKey)
  await service.untilServing()
  const deletionMs = await deleteLarge(service.baseUrl, store)
  await untilNoWork(url)
  await service.stop('SIGTERM')
  print(`  kills: ${kills.length}; first read after ${service.firstSuccessMs?.toFixed(0)} ms`)
  print(
    `  longest time between two reads: ${service.longestGapMs.toFixed(0)} ms, failed reads: ${service.failureCount}`,
  )
  print(`  deletion of the large evaluation meanwhile: ${deletionMs.toFixed(0)} ms`)
  await verify(url, folder, store, store.ids.slice(1))
}

async function measureMigration(folder: string, store: OldStore): Promise<void> {
  const copy = await copyStore(store.url)
  print('Upgrade without interruption')
  await measureUpgrade(copy, folder, store)
  print('Upgrade with kills (SIGKILL) and a deletion')
  await measureKills(store.url, folder, store)
}

if (import.meta.main) {
  const [engine = 'sqlite', count = String(DEFAULT_SCENARIOS)] = process.argv.slice(2)
  const folder = mkdtempSync(join(tmpdir(), 'assay-migration-'))
  const cluster = engine === 'postgres' ? await startCluster() : undefined
  try {
    const url = cluster ? await freshDatabase(cluster.url()) : `sqlite:${join(folder, 'assay.db')}`
    await measureMigration(folder, await buildOldStore(url, folder, Number(count)))
  } finally {
    await cluster?.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}
