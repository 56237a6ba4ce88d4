// Clients that take their time over a large answer: they get all of it, as it was when they asked, and keep
// nothing of the store from others.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceProcess } from '../../bench/service.ts'
import { openAt } from '../../bench/store.ts'
import { Relay, Relays } from '../../src/http/relay.ts'
import { addHeavyEvaluation } from '../corpus.ts'
import { ENGINE, freshFolder, freshPlace, mint, spawnServer } from '../harness.ts'
import { query } from '../postgres/cluster.ts'
import { ask } from '../wire.ts'
import { JSON_TYPE, scenariosOf } from '../writes.ts'

/** About 16 MB, which compression makes hardly smaller: more than the buffers of a socket take. */
const COUNT = 1000
const BYTES = 12_000
const PAUSE_MS = 2000
/** How long a client that takes nothing may keep a snapshot open. */
const HOLDS_MS = 3000

describe('slow readers', async () => {
  const { url, flags } = await freshPlace()
  const store = await openAt(url)
  await addHeavyEvaluation(store, 'large', COUNT, BYTES)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  await store.close()
  const path = scenariosOf('large')

  interface Shape {
    coding: string
    format: string
  }

  const get = ({ base }: ServiceProcess, { coding, format }: Shape) =>
    ask(base, `${path}?format=${format}`, { authorization: key, 'accept-encoding': coding })

  /** Adds a scenario, and changes the last, which slow readers have not got yet. */
  async function change({ base }: ServiceProcess, id: string): Promise<void> {
    const headers = { authorization: key, 'content-type': JSON_TYPE }
    const added = await ask(base, path, headers, 'POST', JSON.stringify([{ id }]))
    assert.equal(added.status, 201, added.text)
    const changed = await ask(base, `${path}/s-${COUNT - 1}`, headers, 'PATCH', JSON.stringify({ note: id }))
    assert.equal(changed.status, 200, changed.text)
  }

  /** Whether no snapshot is open: one would keep an embedded store's log from being emptied, or its transaction. */
  async function isUnread(): Promise<boolean> {
    if (ENGINE === 'postgres') {
      const open = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'assay' AND xact_start IS NOT NULL`
      return (await query(url, open)).length === 0
    }
    const database = new DatabaseSync(url.replace('sqlite:', ''))
    const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
    database.close()
    return row.busy === 0
  }

  /** Takes what it takes at its own pace for a while. */
  type Pace = (response: IncomingMessage) => Promise<Buffer[]>

  /** The first bytes, then nothing. */
  const pausing: Pace = async (response) => {
    await once(response, 'readable')
    const first = response.read(1000)
    await delay(PAUSE_MS)
    return first ? [first] : []
  }

  /** 10 kB at a time, which is about half a megabyte a second. */
  const trickling: Pace = async (response) => {
    const chunks: Buffer[] = []
    for (const end = performance.now() + PAUSE_MS; performance.now() < end; await delay(20)) {
      const chunk = response.read(10_000)
      if (chunk) chunks.push(chunk)
    }
    return chunks
  }

  async function slowly({ base }: ServiceProcess, { coding, format }: Shape, pace: Pace, begun?: () => void) {
    const headers = { authorization: key, 'accept-encoding': coding }
    const asked = request(`${base}${path}?format=${format}`, { headers, agent: false })
    asked.end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    begun?.()
    const chunks = await pace(response)
    for await (const chunk of response) chunks.push(chunk)
    return { bytes: Buffer.concat(chunks), headers: response.headers }
  }

  const READERS: (Shape & { pace: Pace })[] = [
    { coding: 'identity', format: 'json', pace: pausing },
    { coding: 'identity', format: 'ndjson', pace: trickling },
    { coding: 'gzip', format: 'json', pace: pausing },
    { coding: 'zstd', format: 'csv', pace: trickling },
  ]

  test('hold no snapshot for long while they take nothing', async (t) => {
    const service = await spawnServer(flags)
    const start = performance.now()
    let heldMs = 0
    await slowly(service, { coding: 'identity', format: 'json' }, async (response) => {
      await once(response, 'readable')
      // An embedded store's log can always be emptied while there is nothing new in it.
      await change(service, 'one more')
      assert.ok(!(await isUnread()), 'it is read as it is sent')
      while (!(await isUnread())) {
        assert.ok(performance.now() - start < HOLDS_MS, `a snapshot is open for more than ${HOLDS_MS} ms`)
        await delay(20)
      }
      heldMs = performance.now() - start
      return []
    })
    t.diagnostic(`${Math.round(heldMs)} ms`)
  })

  for (const [room, bytes] of [
    ['with room for all of it', 1_000_000_000],
    // The rest is waited for after all.
    ['with room for a part of it', 5_000_000],
    ['with room for nothing', 0],
  ] as const) {
    test(`${room} in files get what fast ones got before the store was changed`, async () => {
      const service = await spawnServer([...flags, '--max-spool-bytes', String(bytes)])
      const before = await Promise.all(READERS.map((reader) => get(service, reader)))
      let begun = 0
      const reading = Promise.all(
        READERS.map(({ pace, ...shape }) =>
          slowly(service, shape, pace, () => {
            begun += 1
          }),
        ),
      )
      // Where the test fails before, nobody waits for it.
      reading.catch(() => undefined)
      while (begun < READERS.length) await delay(10)
      await change(service, room)
      for (const [index, slow] of (await reading).entries()) {
        const fast = before[index]
        assert.ok(fast && slow.bytes.equals(fast.bytes), `${slow.bytes.length} bytes differ`)
        assert.equal(slow.headers.etag, fast.headers.etag)
      }
      const after = await get(service, { coding: 'identity', format: 'json' })
      assert.notEqual(after.headers.etag, before[0]?.headers.etag)
      assert.doesNotMatch(service.stderr(), /Warning/)
    })
  }
})

test('the room in files that answers had is free again, however their clients went', async () => {
  const ROOM = 1_000_000_000
  const ALL = 100
  const relays = new Relays(freshFolder(), ROOM)
  /** The client goes while so many chunks have been asked for, or when it has them all. */
  async function relayed(last: number): Promise<void> {
    const relay = new Relay(relays)
    const bytes = relay[Symbol.asyncIterator]()
    async function* source(): AsyncGenerator<Uint8Array> {
      for (let count = 1; count <= ALL; count += 1) {
        if (count === last) setImmediate(() => void bytes.return(undefined))
        yield new Uint8Array(1_000_000)
      }
    }
    const filling = relay.fill(source())
    await bytes.next()
    await filling
    while (!(await bytes.next()).done);
  }
  // The first two are handed over or waited for; then the file is opened.
  await Promise.all([2, 3, 4, 5, 20, ALL, ALL + 1].map(relayed))
  assert.ok(relays.claim(ROOM), 'some of it is still claimed')
})
