// Tests that caches never return stale data: after a write is acknowledged, the next response of each of two worker
// processes contains it, while other clients read continuously.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStoreAt } from '../../../bench/store.ts'
import { revokeKey } from '../../../src/store/access/keys.ts'
import { sizes } from '../../sizes.ts'
import { createStoreLocation, createTestKey } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { connectToTwoWorkers, type PinnedConnection, startWorkers } from '../../support/worker-service.ts'
import { revisionBody, revisionsPath, scenariosPath } from '../../support/write-requests.ts'

const ROUNDS = sizes.stale_rounds
const ENCODINGS = ['identity', 'gzip']

interface WatchedList {
  path: string
  /** The number of the last acknowledged write. */
  lastWrite: number
  /** The latest write that a response contains, by ETag. */
  writesByEtag: Map<string, number>
  /** Reads the number of the latest write from a response. */
  findLatestWrite(text: string): number
}

/** Each write sets its number as the note or the id of a scenario. */
const scenarios: WatchedList = {
  path: scenariosPath('e'),
  lastWrite: 0,
  writesByEtag: new Map(),
  findLatestWrite(text) {
    const items = JSON.parse(text) as { id: string; note: string | null }[]
    return Math.max(...items.flatMap(({ id, note }) => [Number(id), Number(note)]))
  },
}

const revisions: WatchedList = {
  path: revisionsPath('v'),
  lastWrite: 0,
  writesByEtag: new Map(),
  findLatestWrite: (text) => JSON.parse(text).at(-1).revision,
}

/** Contains the number of revisions. Its ETag is derived from the change log. */
const variants: WatchedList = {
  path: '/api/variants',
  lastWrite: 0,
  writesByEtag: new Map(),
  findLatestWrite: (text) => JSON.parse(text)[0].revision_count - 1,
}

/** Reads lists and asserts that each response contains all writes acknowledged before the request. */
class FreshnessReader {
  readonly #connection: PinnedConnection
  readonly #authorization: string
  readonly #encoding: string
  readonly #etags = new Map<WatchedList, string>()
  readonly counts = { whole: 0, unchanged: 0 }

  constructor(connection: PinnedConnection, authorization: string, encoding: string) {
    this.#connection = connection
    this.#authorization = authorization
    this.#encoding = encoding
  }

  async read(list: WatchedList, isConditional: boolean): Promise<void> {
    const acknowledgedWrite = list.lastWrite
    const knownEtag = isConditional ? this.#etags.get(list) : undefined
    const { status, headers, text } = await this.#connection.request(list.path, {
      authorization: this.#authorization,
      'accept-encoding': this.#encoding,
      ...(knownEtag !== undefined && { 'if-none-match': knownEtag }),
    })
    const { etag = '' } = headers
    assert.equal(status, etag === knownEtag ? 304 : 200, text)
    this.counts[status === 304 ? 'unchanged' : 'whole'] += 1
    if (status === 200) {
      const latestWrite = list.findLatestWrite(text)
      assert.equal(
        list.writesByEtag.get(etag) ?? latestWrite,
        latestWrite,
        'two different contents have the same ETag',
      )
      list.writesByEtag.set(etag, latestWrite)
      this.#etags.set(list, etag)
    }
    const latestWrite = list.writesByEtag.get(etag) ?? -1
    assert.ok(
      latestWrite >= acknowledgedWrite,
      `${status} ${this.#encoding}: returned write ${latestWrite} after write ${acknowledgedWrite}`,
    )
  }
}

test(`each of ${ROUNDS} writes is visible in the next response of both worker processes`, async (t) => {
  const location = await createStoreLocation()
  const store = await openStoreAt(location.url)
  const { key: authorization } = await createTestKey(store, { scopes: ['read', 'write'] })
  const service = await startWorkers(['--workers', '2', ...location.flags], location.data)
  const { baseUrl } = service

  async function write(path: string, body: string, method = 'POST'): Promise<void> {
    const headers = { authorization, 'content-type': 'application/json' }
    const { status, text } = await sendRequest(baseUrl, path, headers, method, body)
    assert.ok(status === 200 || status === 201, text)
  }
  await write(scenarios.path, '[{"id":"0"}]')
  await write(revisions.path, revisionBody('{"config_name":"c"}', ',"revision":0'))

  const createReaders = async () =>
    (
      await Promise.all(
        ENCODINGS.map(async (encoding) => ({ encoding, connections: await connectToTwoWorkers(service) })),
      )
    ).flatMap(({ encoding, connections }) =>
      connections.map((connection) => new FreshnessReader(connection, authorization, encoding)),
    )
  let isStopped = false
  const backgroundReaders = await createReaders()
  const reading = backgroundReaders.map(async (reader) => {
    for (let turn = 0; !isStopped; turn += 1) {
      await reader.read([scenarios, revisions, variants][turn % 3] as WatchedList, turn % 4 > 0)
    }
  })
  // Rejects as soon as a reader fails, and never resolves.
  const firstFailure = Promise.race(
    reading.map((loop) => loop.then(() => new Promise<never>(() => undefined))),
  )
  const readers = await createReaders()
  const readFromAll = (list: WatchedList, isConditional: boolean) =>
    Promise.race([firstFailure, Promise.all(readers.map((reader) => reader.read(list, isConditional)))])

  for (let round = 1; round <= ROUNDS; round += 1) {
    if (round % 2 === 0) await write(scenarios.path, `[{"id":"${round}"}]`)
    else await write(`${scenarios.path}/0`, `{"note":"${round}"}`, 'PATCH')
    scenarios.lastWrite = round
    await readFromAll(scenarios, round % 4 > 1)
    await write(revisions.path, revisionBody('{"config_name":"c"}', `,"revision":${round}`))
    for (const list of [revisions, variants]) list.lastWrite = round
    await readFromAll(revisions, round % 4 > 1)
    await readFromAll(revisions, true)
    await readFromAll(variants, true)
    if (round % 10 === 0) await Promise.race([firstFailure, assertRevocation(round)])
  }

  /** Asserts that both processes reject a key that they accepted before, as soon as it is revoked. */
  async function assertRevocation(round: number): Promise<void> {
    const { key, public_id } = await createTestKey(store)
    const connections = await connectToTwoWorkers(service)
    const readStatuses = async () => {
      const responses = await Promise.all(
        connections.map((connection) => connection.request(scenarios.path, { authorization: key })),
      )
      return responses.map(({ status }) => status)
    }
    assert.deepEqual(await readStatuses(), [200, 200])
    await store.writer.transaction((transaction) => revokeKey(transaction, public_id))
    assert.deepEqual(await readStatuses(), [401, 401], `the key revoked in round ${round}`)
    for (const connection of connections) connection.close()
  }

  isStopped = true
  await Promise.all(reading)
  await store.close()
  const responseCount = [...backgroundReaders, ...readers].reduce(
    (sum, { counts }) => sum + counts.whole + counts.unchanged,
    0,
  )
  reportMeasurements(t, { rounds: ROUNDS, cases: responseCount, wrong: 0 })
  for (const { counts } of [...backgroundReaders, ...readers])
    assert.ok(counts.whole > 0 && counts.unchanged > 0)
})
