// Two versions of the program on one PostgreSQL database: instances are replaced one by one by those of a newer version, which
// migrates the store, while clients write and read.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { MAIN, type ServiceProcess, stopService } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { query } from '../../postgres/cluster.ts'
import { createStoreLocation, createTempFolder, createTestKey, spawnServer } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { POSTGRES_ONLY, testOptions } from '../../support/options.ts'
import { createNewerVersion } from '../../support/upgraded-program.ts'
import { JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

const isFull = testOptions.profile === 'full'
const WRITES_PER_STEP = isFull ? 100 : 5
const INSTANCES = isFull ? 3 : 2

interface Cluster {
  url: string
  authorization: string
  instances: ServiceProcess[]
}

/** On a busy machine, a statement can wait for a migration for longer than the default timeouts. */
const TIMEOUTS = ['--statement-timeout', '2m', '--pool-timeout', '1m']

function start(url: string, main = MAIN): Promise<ServiceProcess> {
  const flags = ['--data', createTempFolder(), '--database', url, '--log-level', 'error', ...TIMEOUTS]
  return spawnServer(flags, {}, main)
}

/** Writes to one instance after the other, and reads each write from the next one, until it is stopped. */
class Clients {
  acknowledged: string[] = []
  readCount = 0
  #isStopped = false
  readonly #done: Promise<unknown>

  constructor(cluster: Cluster) {
    this.#done = Promise.all([0, 1].map((client) => this.#run(cluster, client)))
    this.#done.catch(() => undefined)
  }

  async #run({ instances, authorization }: Cluster, client: number): Promise<void> {
    const instance = (turn: number) => instances[turn % instances.length] as ServiceProcess
    for (let turn = client; !this.#isStopped; turn += 1) {
      const id = `${client}-${turn}`
      const path = scenariosPath(`e-${client}-${Math.floor(turn / 20)}`)
      const headers = { authorization, 'content-type': JSON_TYPE }
      const { baseUrl } = instance(turn)
      const response = await sendRequest(baseUrl, path, headers, 'POST', JSON.stringify([{ id }]))
      assert.equal(response.status, 201, response.text)
      this.acknowledged.push(id)
      const { status, text } = await sendRequest(instance(turn + 1).baseUrl, path, { authorization })
      assert.equal(status, 200, text)
      assert.ok(text.includes(`"id":"${id}"`), 'the write is missing in the next read of another instance')
      this.readCount += 1
    }
  }

  /** Waits for more writes. Rejects if a client fails. */
  async waitForWrites(): Promise<void> {
    const goal = this.acknowledged.length + WRITES_PER_STEP
    while (this.acknowledged.length < goal) await Promise.race([delay(10), this.#done])
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#done
  }
}

function check(url: string, main: string): void {
  const args = [main, 'check', '--json', '--data', createTempFolder(), '--database', url]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
}

test('instances of two versions serve one store while they are replaced one by one', {
  skip: POSTGRES_ONLY,
}, async (t) => {
  const { url } = await createStoreLocation()
  const store = await openStoreAt(url)
  const { key: authorization } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()
  const newerMain = createNewerVersion('CREATE TABLE newer (name TEXT NOT NULL PRIMARY KEY) STRICT;')
  const instances = await Promise.all(Array.from({ length: INSTANCES }, () => start(url)))
  const clients = new Clients({ url, authorization, instances })
  await clients.waitForWrites()
  for (const [index, olderInstance] of [...instances].entries()) {
    // The newer instance migrates the store while the older ones serve.
    instances[index] = await start(url, newerMain)
    await clients.waitForWrites()
    await stopService(olderInstance)
    assert.equal(olderInstance.child.exitCode, 0)
    assert.equal(olderInstance.stderr(), '')
  }
  await clients.waitForWrites()
  await clients.stop()

  const rows = await query(url, 'SELECT id FROM scenario')
  const stored = rows.map(({ id }) => String(id)).sort()
  assert.deepEqual(stored, clients.acknowledged.toSorted())
  check(url, newerMain)
  // An older instance that starts now must not use the store.
  const args = [
    'serve',
    '--port',
    '0',
    '--data',
    createTempFolder(),
    '--database',
    url,
    '--log-level',
    'silent',
  ]
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(
    stderr,
    /^assay: This store was migrated by a newer version of Assay \(migration 9999-newer\)\.\n/,
  )
  reportMeasurements(t, {
    rounds: INSTANCES,
    cases: clients.acknowledged.length + clients.readCount,
    lost: clients.acknowledged.length - stored.length,
    wrong: 0,
  })
  for (const instance of instances) await stopService(instance)
})
