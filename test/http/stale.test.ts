// Never an old answer: while others read without a pause, over two processes, whoever has been told that something is
// written finds it in the next answer of either of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAt } from '../../bench/store.ts'
import { revokeKey } from '../../src/store/keys.ts'
import { type Line, startWorkers, twoLines } from '../cli/worker-service.ts'
import { freshPlace, mint } from '../harness.ts'
import { ask } from '../wire.ts'
import { revision, revisionsOf, scenariosOf } from '../writes.ts'

const ROUNDS = Number(process.env.STALE_ROUNDS ?? 100)
const CODINGS = ['identity', 'gzip']

interface Watched {
  path: string
  /** The last write that was acknowledged. */
  written: number
  /** Which write an answer shows, by its validator. */
  shown: Map<string, number>
  /** The same by its content. */
  read(text: string): number
}

/** The number of the last write is in a note, or the id of the last scenario. */
const scenarios: Watched = {
  path: scenariosOf('e'),
  written: 0,
  shown: new Map(),
  read(text) {
    const all = JSON.parse(text) as { id: string; note: string | null }[]
    return Math.max(...all.flatMap(({ id, note }) => [Number(id), Number(note)]))
  },
}

const revisions: Watched = {
  path: revisionsOf('v'),
  written: 0,
  shown: new Map(),
  read: (text) => JSON.parse(text).at(-1).revision,
}

/** Reads until it is told to end; each answer shows what had been acknowledged when it was asked for. */
class WatchingReader {
  readonly #line: Line
  readonly #authorization: string
  readonly #coding: string
  readonly #tags = new Map<Watched, string>()
  readonly counts = { whole: 0, unchanged: 0 }

  constructor(line: Line, authorization: string, coding: string) {
    this.#line = line
    this.#authorization = authorization
    this.#coding = coding
  }

  async look(watched: Watched, mayBeUnchanged: boolean): Promise<void> {
    const least = watched.written
    const tag = mayBeUnchanged ? this.#tags.get(watched) : undefined
    const { status, fields, text } = await this.#line.ask(watched.path, {
      authorization: this.#authorization,
      'accept-encoding': this.#coding,
      ...(tag !== undefined && { 'if-none-match': tag }),
    })
    const { etag = '' } = fields
    assert.equal(status, etag === tag ? 304 : 200, text)
    this.counts[status === 304 ? 'unchanged' : 'whole'] += 1
    if (status === 200) {
      const shown = watched.read(text)
      assert.equal(watched.shown.get(etag) ?? shown, shown, 'one validator for two contents')
      watched.shown.set(etag, shown)
      this.#tags.set(watched, etag)
    }
    const shown = watched.shown.get(etag) ?? -1
    assert.ok(shown >= least, `${status} ${this.#coding}: ${shown} was shown after ${least} was written`)
  }
}

test(`${ROUNDS} writes are each seen by whoever asks next, by either process`, async () => {
  const place = await freshPlace()
  const store = await openAt(place.url)
  const { key: authorization } = await mint(store, { scopes: ['read', 'write'] })
  const service = await startWorkers(['--workers', '2', ...place.flags], place.data)
  const { base } = service

  async function write(path: string, body: string, method = 'POST'): Promise<void> {
    const headers = { authorization, 'content-type': 'application/json' }
    const { status, text } = await ask(base, path, headers, method, body)
    assert.ok(status === 200 || status === 201, text)
  }
  await write(scenarios.path, '[{"id":"0"}]')
  await write(revisions.path, revision('{"config_name":"c"}', ',"revision":0'))

  const readers = async () =>
    (await Promise.all(CODINGS.map(async (coding) => ({ coding, lines: await twoLines(service) })))).flatMap(
      ({ coding, lines }) => lines.map((line) => new WatchingReader(line, authorization, coding)),
    )
  let isOver = false
  const busy = await readers()
  const watching = busy.map(async (reader) => {
    for (let turn = 0; !isOver; turn += 1) {
      await reader.look(turn % 2 === 0 ? scenarios : revisions, turn % 3 > 0)
    }
  })
  // Reported at once, not when all rounds are over.
  const failed = Promise.race(watching.map((one) => one.then(() => new Promise<never>(() => undefined))))
  const asking = await readers()
  const lookAtOnce = (watched: Watched, mayBeUnchanged: boolean) =>
    Promise.race([failed, Promise.all(asking.map((reader) => reader.look(watched, mayBeUnchanged)))])

  for (let round = 1; round <= ROUNDS; round += 1) {
    if (round % 2 === 0) await write(scenarios.path, `[{"id":"${round}"}]`)
    else await write(`${scenarios.path}/0`, `{"note":"${round}"}`, 'PATCH')
    scenarios.written = round
    await lookAtOnce(scenarios, round % 4 > 1)
    await write(revisions.path, revision('{"config_name":"c"}', `,"revision":${round}`))
    revisions.written = round
    await lookAtOnce(revisions, round % 4 > 1)
    await lookAtOnce(revisions, true)
    if (round % 10 === 0) await Promise.race([failed, endKey(round)])
  }

  /** A key that both processes have served answers to is refused by both once it is known to have ended. */
  async function endKey(round: number): Promise<void> {
    const { key, public_id } = await mint(store)
    const lines = await twoLines(service)
    const statuses = async () => {
      const answers = await Promise.all(lines.map((line) => line.ask(scenarios.path, { authorization: key })))
      return answers.map(({ status }) => status)
    }
    assert.deepEqual(await statuses(), [200, 200])
    await store.writer.transaction((transaction) => revokeKey(transaction, public_id))
    assert.deepEqual(await statuses(), [401, 401], `a key that was revoked in round ${round}`)
    for (const line of lines) line.close()
  }

  isOver = true
  await Promise.all(watching)
  await store.close()
  for (const { counts } of [...busy, ...asking]) assert.ok(counts.whole > 0 && counts.unchanged > 0)
})
