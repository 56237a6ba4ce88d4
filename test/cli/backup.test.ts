// Tests of assay backup: copies are consistent and complete, and a restored copy serves the same responses.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type ServiceProcess, stopService } from '../../bench/service.ts'
import { openStoreAt } from '../../bench/store.ts'
import { sizes } from '../sizes.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { LINUX_ONLY, logFileOperations } from '../support/file-operations/run.ts'
import {
  createSampleStore,
  createTempFolder,
  createTestKey,
  type Service,
  spawnServer,
  startTestService,
} from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'
import { reportMeasurements } from '../support/measurements.ts'
import { fullOnly } from '../support/options.ts'
import { createStoreWithKey, scenarioArray, seededRandom, upload } from '../support/upload.ts'

const BACKUPS = sizes.backups
const SCENARIOS = '/api/evaluations/numbered/evaluation_scenarios'

async function backUp(data: string, file: string): Promise<void> {
  const { code, stdout, stderr } = await runAssay(['backup', file, '--data', data])
  assert.deepEqual([code, stdout, stderr], [0, `Backed up to ${file}.\n`, ''])
}

async function assertSound(file: string): Promise<void> {
  const { code, stdout, stderr } = await runAssay(['check', '--json', '--database', `sqlite:${file}`])
  assert.equal(code, 0, stderr)
  assert.deepEqual(JSON.parse(stdout).faults, [])
}

/** Each batch has a different size, and each scenario id contains the number of its batch. */
function batchSize(batch: number): number {
  return 1 + Math.floor(seededRandom(`batch ${batch}`) * 300)
}

/** Uploads numbered batches, each time from a start until it is stopped. */
class BatchWriter {
  started = 0
  acknowledged = 0
  #isStopped = false
  #done = Promise.resolve()

  start(service: ServiceProcess, key: string): void {
    this.#isStopped = false
    this.#done = this.#write(service, key)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#done
  }

  async #write({ baseUrl }: ServiceProcess, key: string): Promise<void> {
    const headers = { authorization: key, 'content-type': 'application/x-ndjson' }
    while (!this.#isStopped) {
      this.started += 1
      const note = 'x'.repeat(1000)
      const lines = Array.from(
        { length: batchSize(this.started) },
        (_, index) => `{"id":"${this.started}:${index}","note":"${note}"}\n`,
      )
      const { status } = await upload(baseUrl + SCENARIOS, headers, [lines.join('')])
      assert.equal(status, 201)
      this.acknowledged = this.started
    }
  }
}

/** Number of scenarios of each batch in a copy. */
function countBatches(file: string): Map<number, number> {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('SELECT id FROM scenario ORDER BY position').all() as { id: string }[]
  database.close()
  const batches = Map.groupBy(rows, ({ id }) => Number(id.split(':')[0]))
  return new Map([...batches].map(([batch, scenarios]) => [batch, scenarios.length]))
}

test('copies made during uploads contain complete batches, in order', {
  skip: fullOnly('makes copies under load for a while'),
}, async (t) => {
  const { data, key } = await createStoreWithKey()
  const copies = createTempFolder()
  const service = await spawnServer(['--data', data])
  const writer = new BatchWriter()
  for (let round = 0; round < BACKUPS; round += 1) {
    const file = join(copies, `${round}.db`)
    const min = writer.acknowledged
    writer.start(service, key)
    await backUp(data, file)
    const max = writer.started
    // A slow computer would otherwise write gigabytes while it reads the copies.
    await writer.stop()
    await assertSound(file)
    const counts = countBatches(file)
    const numbers = Array.from({ length: counts.size }, (_, index) => index + 1)
    assert.deepEqual(
      [...counts],
      numbers.map((batch) => [batch, batchSize(batch)]),
    )
    t.diagnostic(`${counts.size} batches; ${min} acknowledged before the backup, ${max} started by its end`)
    assert.ok(counts.size >= min && counts.size <= max, `${min} ≤ ${counts.size} ≤ ${max}`)
    await assertRestored(file, key, counts)
  }
  reportMeasurements(t, { rounds: BACKUPS, cases: writer.acknowledged, lost: 0, wrong: 0 })
  assert.ok(writer.acknowledged > BACKUPS, 'no batch was uploaded during the backups')
  const names = Array.from({ length: BACKUPS }, (_, round) => `${round}.db`)
  assert.deepEqual(
    readdirSync(copies).filter((name) => !/-(wal|shm)$/.test(name)),
    names,
    'no temporary file remains',
  )
  await stopService(service)
})

/** Restores a copy, and asserts that the service returns what it contains. */
async function assertRestored(file: string, key: string, counts: Map<number, number>): Promise<void> {
  const data = join(createTempFolder(), 'restored')
  const { code, stderr } = await runAssay(['restore', file, '--data', data])
  assert.equal(code, 0, stderr)
  const service = await spawnServer(['--data', data])
  const { status, text } = await sendRequest(service.baseUrl, SCENARIOS, { authorization: key })
  assert.equal(status, counts.size === 0 ? 404 : 200)
  const scenarioCount = [...counts.values()].reduce((sum, count) => sum + count, 0)
  assert.equal(text.match(/"id":"\d+:\d+"/g)?.length ?? 0, scenarioCount)
  await stopService(service)
}

/** A store with one evaluation that no process has open. */
async function createIdleStore(): Promise<{ data: string; key: string }> {
  const { url, data, key } = await createStoreWithKey()
  const store = await openStoreAt(url)
  const service = await startTestService(store)
  await addScenarios(service, key, 'first')
  await service.stop()
  await store.close()
  return { data, key }
}

async function addScenarios(
  { baseUrl }: Pick<ServiceProcess, 'baseUrl'>,
  key: string,
  id: string,
): Promise<void> {
  const headers = { authorization: key, 'content-type': 'application/json' }
  const url = `${baseUrl}/api/evaluations/${id}/evaluation_scenarios`
  assert.equal((await upload(url, headers, scenarioArray(id, 300))).status, 201)
}

function filesIn(folder: string): [name: string, content: string][] {
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')])
}

test('a failed backup prints the cause and a hint, and changes no file', async () => {
  const { data } = await createIdleStore()
  const store = join(data, 'assay.db')
  const filesBefore = filesIn(data)
  const absent = join(createTempFolder(), 'absent', 'copy.db')
  const link = join(createTempFolder(), 'link.db')
  symlinkSync(store, link)
  for (const [target, message] of [
    [absent, /^assay: Cannot write .*copy\.db: .*\n/],
    [store, /is a file of the store\.\n/],
    [`${data}/../${basename(data)}/assay.db`, /is a file of the store\.\n/],
    [link, /is a file of the store\.\n/],
  ] as const) {
    const { code, stdout, stderr } = await runAssay(['backup', target, '--data', data])
    assert.deepEqual([code, stdout], [1, ''], target)
    assert.match(stderr, message)
    assert.equal(stderr.trimEnd().split('\n').length, 2, stderr)
    assert.deepEqual(filesIn(data), filesBefore, target)
  }
  assert.deepEqual(readdirSync(dirname(dirname(absent))), [], 'the folder is not created')
})

test('syncs the copy before it gets its name, and then its folder', { skip: LINUX_ONLY }, async () => {
  const { data } = await createStoreWithKey()
  const folder = realpathSync(createTempFolder())
  const file = join(folder, 'backup.db')
  const { code, operations } = await logFileOperations(['backup', file, '--data', data])
  assert.equal(code, 0)
  assert.deepEqual(operations, [`sync ${file}.part`, `rename ${file}.part ${file}`, `sync ${folder}`])
})

test('replaces an older backup, but not the WAL, shared-memory or journal file of the store', async () => {
  const { data, key } = await createIdleStore()
  const copies = createTempFolder()
  const file = join(copies, 'copy.db')
  await backUp(data, file)
  const firstBackup = readFileSync(file)
  const service = await spawnServer(['--data', data])
  await addScenarios(service, key, 'second')
  await backUp(data, file)
  for (const name of ['assay.db-wal', 'assay.db-shm', 'assay.db-journal']) {
    const { code } = await runAssay(['backup', join(data, name), '--data', data])
    assert.equal(code, 1, name)
  }
  service.child.kill('SIGKILL')
  await once(service.child, 'exit')
  assert.deepEqual(readdirSync(copies), ['copy.db'])
  assert.ok(!readFileSync(file).equals(firstBackup))
  for (const stored of [file, join(data, 'assay.db')]) {
    const { stdout } = await runAssay(['check', '--json', '--database', `sqlite:${stored}`])
    const { evaluations, scenarios, faults } = JSON.parse(stdout)
    assert.deepEqual({ evaluations, scenarios, faults }, { evaluations: 2, scenarios: 600, faults: [] })
  }
})

test('a restored backup serves the same bytes, with the same ETags except of lists', async () => {
  const sample = await createSampleStore()
  const { key } = await createTestKey(sample, { scopes: ['read', 'write'] })
  const source = await startTestService(sample)
  await addScenarios(source, key, 'first')
  const paths = [
    '/api/evaluations',
    '/api/variants',
    '/api/evaluations/first/evaluation_scenarios',
    '/api/evaluations/first/evaluation_scenarios?limit=7',
    '/api/evaluations/first/evaluation_scenarios?format=csv',
    '/api/evaluations/first/evaluation_scenarios?format=ndjson&include=extra',
    '/api/evaluations/support-answer-r5/evaluation_scenarios',
    '/api/variants/support-answer/revisions',
  ]
  const readAll = async ({ baseUrl }: Service) => {
    const responses = await Promise.all(
      paths.map((path) => sendRequest(baseUrl, path, { authorization: key })),
    )
    return responses.map(({ status, headers, text }) => ({
      status,
      etag: headers.etag,
      link: headers.link,
      text,
    }))
  }
  const filesBefore = await readAll(source)
  for (const [index, { status }] of filesBefore.entries()) assert.equal(status, 200, `${paths[index]}`)
  const copy = join(createTempFolder(), 'copy.db')
  await backUp(sample.data, copy)

  const restored = join(createTempFolder(), 'restored')
  const { code, stderr } = await runAssay(['restore', copy, '--data', restored])
  assert.equal(code, 0, stderr)
  const store = await openStoreAt(`sqlite:${join(restored, 'assay.db')}`)
  const service = await startTestService(store)
  const after = await readAll(service)
  for (const [index, response] of after.entries()) {
    const before = filesBefore[index]
    // The ETag of a list depends on the change log, which begins again with a restore.
    if (index < 2) assert.notEqual(response.etag, before?.etag)
    const expected = index < 2 ? { ...before, etag: response.etag } : before
    assert.deepEqual(response, expected, `${paths[index]}`)
  }
  await addScenarios(service, key, 'written later')
  await service.stop()
  await store.close()
})
