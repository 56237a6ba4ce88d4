// assay backup: a copy is one state of the store, whatever is written meanwhile; it is there whole or not at all,
// and a store made of it answers as the first one did.
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type ServiceProcess, stopService } from '../../bench/service.ts'
import { openAt } from '../../bench/store.ts'
import { assay, freshFolder, serveStore, spawnServer } from '../harness.ts'
import { freshData, randomOf, scenarioArray, upload } from '../upload.ts'
import { ask } from '../wire.ts'

const BACKUPS = 3
const SCENARIOS = '/api/evaluations/numbered/evaluation_scenarios'

async function backUp(data: string, file: string): Promise<void> {
  const { code, stdout, stderr } = await assay(['backup', file, '--data', data])
  assert.deepEqual([code, stdout, stderr], [0, `Backed up to ${file}.\n`, ''])
}

async function assertSound(file: string): Promise<void> {
  const { code, stdout, stderr } = await assay(['check', '--json', '--database', `sqlite:${file}`])
  assert.equal(code, 0, stderr)
  assert.deepEqual(JSON.parse(stdout).faults, [])
}

/** Every batch is of another size, and every scenario says of which batch it is. */
function sizeOf(batch: number): number {
  return 1 + Math.floor(randomOf(`batch ${batch}`) * 300)
}

class Numbered {
  begun = 0
  acknowledged = 0
  #isOver = false
  readonly #done: Promise<void>

  constructor(service: ServiceProcess, key: string) {
    this.#done = this.#write(service, key)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#done
  }

  async #write({ base }: ServiceProcess, key: string): Promise<void> {
    const headers = { authorization: key, 'content-type': 'application/x-ndjson' }
    while (!this.#isOver) {
      this.begun += 1
      const note = 'x'.repeat(1000)
      const lines = Array.from(
        { length: sizeOf(this.begun) },
        (_, index) => `{"id":"${this.begun}:${index}","note":"${note}"}\n`,
      )
      const { status } = await upload(base + SCENARIOS, headers, [lines.join('')])
      assert.equal(status, 201)
      this.acknowledged = this.begun
    }
  }
}

/** How many scenarios of each batch are in a copy. */
function countsIn(file: string): Map<number, number> {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('SELECT id FROM scenario ORDER BY position').all() as { id: string }[]
  database.close()
  const batches = Map.groupBy(rows, ({ id }) => Number(id.split(':')[0]))
  return new Map([...batches].map(([batch, of]) => [batch, of.length]))
}

test('copies made while batches are written hold the first of them, each whole', async (t) => {
  const { data, key } = await freshData()
  const copies = freshFolder()
  const service = await spawnServer(['--data', data])
  const writer = new Numbered(service, key)
  for (let round = 0; round < BACKUPS; round += 1) {
    const file = join(copies, `${round}.db`)
    const atLeast = writer.acknowledged
    await backUp(data, file)
    const atMost = writer.begun
    await assertSound(file)
    const counts = countsIn(file)
    const numbers = Array.from({ length: counts.size }, (_, index) => index + 1)
    assert.deepEqual(
      [...counts],
      numbers.map((batch) => [batch, sizeOf(batch)]),
    )
    t.diagnostic(`${counts.size} batches, of ${atLeast} acknowledged before and ${atMost} begun by the end`)
    assert.ok(counts.size >= atLeast && counts.size <= atMost, `${atLeast} ≤ ${counts.size} ≤ ${atMost}`)
  }
  await writer.stop()
  assert.ok(writer.acknowledged > BACKUPS, 'nothing was written meanwhile')
  const names = Array.from({ length: BACKUPS }, (_, round) => `${round}.db`)
  assert.deepEqual(
    readdirSync(copies).filter((name) => !/-(wal|shm)$/.test(name)),
    names,
    'no temporary file is left',
  )
  await stopService(service)
})

/** A store with an evaluation in it that nobody uses. */
async function quietStore(): Promise<{ data: string; key: string }> {
  const { url, data, key } = await freshData()
  const store = await openAt(url)
  const service = await serveStore(store)
  await addScenarios(service, key, 'first')
  await service.stop()
  await store.close()
  return { data, key }
}

async function addScenarios({ base }: Pick<ServiceProcess, 'base'>, key: string, id: string): Promise<void> {
  const headers = { authorization: key, 'content-type': 'application/json' }
  const url = `${base}/api/evaluations/${id}/evaluation_scenarios`
  assert.equal((await upload(url, headers, scenarioArray(id, 300))).status, 201)
}

function filesIn(folder: string): [name: string, content: string][] {
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')])
}

test('a copy that cannot be made says why and how to go on, and changes nothing', async () => {
  const { data } = await quietStore()
  const store = join(data, 'assay.db')
  const before = filesIn(data)
  const absent = join(freshFolder(), 'absent', 'copy.db')
  const link = join(freshFolder(), 'link.db')
  symlinkSync(store, link)
  for (const [target, message] of [
    [absent, /^assay: Cannot write .*copy\.db: .*\n/],
    [store, /is a file of the store itself\.\n/],
    [`${data}/../${basename(data)}/assay.db`, /is a file of the store itself\.\n/],
    [link, /is a file of the store itself\.\n/],
  ] as const) {
    const { code, stdout, stderr } = await assay(['backup', target, '--data', data])
    assert.deepEqual([code, stdout], [1, ''], target)
    assert.match(stderr, message)
    assert.equal(stderr.trimEnd().split('\n').length, 2, stderr)
    assert.deepEqual(filesIn(data), before, target)
  }
  assert.deepEqual(readdirSync(dirname(dirname(absent))), [], 'the folder is not made')
})

test('a copy does not take the place of a file beside the store', async () => {
  const { data, key } = await freshData()
  const service = await spawnServer(['--data', data])
  await addScenarios(service, key, 'first')
  for (const beside of ['assay.db-wal', 'assay.db-shm', 'assay.db-journal']) {
    const { code } = await assay(['backup', join(data, beside), '--data', data])
    assert.equal(code, 1, beside)
  }
  service.child.kill('SIGKILL')
  const { stdout } = await assay(['check', '--json', '--data', data])
  assert.equal(JSON.parse(stdout).scenarios, 300)
})

test('a copy takes the place of an older one', async () => {
  const { data, key } = await quietStore()
  const copies = freshFolder()
  const file = join(copies, 'copy.db')
  await backUp(data, file)
  const older = readFileSync(file)
  const service = await spawnServer(['--data', data])
  await addScenarios(service, key, 'second')
  await backUp(data, file)
  await stopService(service)
  assert.deepEqual(readdirSync(copies), ['copy.db'])
  assert.ok(!readFileSync(file).equals(older))
  const { stdout } = await assay(['check', '--json', '--database', `sqlite:${file}`])
  const { evaluations, scenarios, faults } = JSON.parse(stdout)
  assert.deepEqual({ evaluations, scenarios, faults }, { evaluations: 2, scenarios: 600, faults: [] })
})

test('a store made of a copy answers byte for byte as the first did, under the same tags', async () => {
  const { data, key } = await freshData()
  const source = await spawnServer(['--data', data, '--sample'])
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
  const answers = async ({ base }: ServiceProcess) => {
    const found = await Promise.all(paths.map((path) => ask(base, path, { authorization: key })))
    return found.map(({ status, headers, text }) => ({
      status,
      etag: headers.etag,
      link: headers.link,
      text,
    }))
  }
  const before = await answers(source)
  for (const [index, { status }] of before.entries()) assert.equal(status, 200, `${paths[index]}`)
  const copy = join(freshFolder(), 'copy.db')
  await backUp(data, copy)
  await stopService(source)

  const restored = join(freshFolder(), 'restored')
  mkdirSync(restored)
  copyFileSync(copy, join(restored, 'assay.db'))
  const service = await spawnServer(['--data', restored])
  const after = await answers(service)
  for (const [index, answer] of after.entries()) assert.deepEqual(answer, before[index], `${paths[index]}`)
  await addScenarios(service, key, 'written later')
  await stopService(service)
})
