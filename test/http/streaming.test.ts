// Whole reads of large evaluations against a real store file: faults on the disk, slow and absent readers,
// writers meanwhile, and the memory of a real process.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, openSync, readFileSync, writeSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { addLargeEvaluation, addReadKey } from '../../bench/data.ts'
import { openAt } from '../../bench/store.ts'
import type { Store } from '../../src/store/store.ts'
import { addScenarios, scenario } from '../corpus.ts'
import {
  ABOUT_THE_FILE,
  ENGINE,
  freshFolder,
  freshPlace,
  freshStore,
  type Place,
  type Service,
  serveStore,
  spawnServer,
} from '../harness.ts'
import { ask } from '../wire.ts'
import { scenariosOf } from '../writes.ts'

const PAGE = 16384
const COUNT = 4000

/** Made once, and copied for each damage. */
const UNDAMAGED = join(freshFolder(), 'assay.db')
let undamaged: Promise<{ id: string; key: string }> | undefined

async function undamagedStore() {
  const store = await openAt(`sqlite:${UNDAMAGED}`)
  const id = await addLargeEvaluation(store, COUNT)
  const key = await addReadKey(store)
  await store.close()
  return { id, key }
}

/** A store of one evaluation in which the n-th of the pages that hold scenarios is overwritten. */
async function damagedStore(damage: (pages: number[]) => number[]) {
  undamaged ??= undamagedStore()
  const { id, key } = await undamaged
  const file = join(freshFolder(), 'assay.db')
  copyFileSync(UNDAMAGED, file)
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare(`SELECT pageno FROM dbstat WHERE name = 'scenario' AND pagetype = 'leaf' ORDER BY path`)
    .all() as { pageno: number }[]
  database.close()
  const handle = openSync(file, 'r+')
  for (const page of damage(rows.map(({ pageno }) => pageno))) {
    writeSync(handle, Buffer.alloc(PAGE, 0xff), 0, PAGE, (page - 1) * PAGE)
  }
  const store = await openAt(`sqlite:${file}`)
  return { store, key, path: `/api/evaluations/${id}/evaluation_scenarios` }
}

const run = promisify(execFile)
const curlExists = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

/** What curl says of a download: its exit code. */
async function curl(url: string, key: string, ...options: string[]): Promise<number> {
  const args = ['-s', '-o', '/dev/null', '-H', `Authorization: ${key}`, ...options, url]
  return run('curl', args).then(
    () => 0,
    (error: { code: number }) => error.code,
  )
}

const onDisk = { skip: ABOUT_THE_FILE }

describe('a fault on the disk', () => {
  const places: [name: string, damage: (pages: number[]) => number[]][] = [
    ['half way', (pages) => [pages[Math.floor(pages.length / 2)] ?? 0]],
    ['at the last row', (pages) => [pages.at(-1) ?? 0]],
  ]
  for (const [name, damage] of places) {
    test(`${name} is seen as a failure by every client`, onDisk, async (t) => {
      const { store, key, path } = await damagedStore(damage)
      const { base, stop } = await serveStore(store)
      for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
        const headers = { authorization: key, 'accept-encoding': coding }
        await assert.rejects(ask(base, path, headers), /aborted|reset|hang up/i, coding)
      }
      const response = await fetch(base + path, { headers: { authorization: key } })
      assert.equal(response.status, 200)
      await assert.rejects(response.arrayBuffer(), /terminated/)
      await t.test(
        'by curl over HTTP/1.1 and 1.0',
        { skip: !curlExists && 'curl is not installed' },
        async () => {
          for (const version of ['--http1.1', '--http1.0']) {
            for (const format of ['json', 'ndjson', 'csv']) {
              assert.notEqual(
                await curl(`${base}${path}?format=${format}`, key, version),
                0,
                `${version} ${format}`,
              )
            }
            assert.equal(await curl(`${base}/livez`, key, version), 0, 'the service goes on')
          }
        },
      )
      await stop()
      await store.close()
    })
  }

  test('in what is known of the length is an error before the first byte, or resets the connection', async () => {
    const store = await freshStore()
    const [short, long] = [await addLargeEvaluation(store, 10), await addLargeEvaluation(store, 3000)]
    const key = await addReadKey(store)
    const { base } = await serveStore(store)
    const read = (id: string) => ask(base, scenariosOf(id), { authorization: key })
    for (const wrong of [-1, 1]) {
      await store.writer.transaction((transaction) =>
        transaction.run('UPDATE evaluation SET body_bytes = body_bytes + ?', wrong * 2),
      )
      assert.equal((await read(short)).status, 500)
      await assert.rejects(read(long), /aborted|reset|hang up/i)
      await store.writer.transaction((transaction) =>
        transaction.run('UPDATE evaluation SET body_bytes = body_bytes - ?', wrong * 2),
      )
    }
  })

  test('at the first row is answered as an error, with nothing of the array sent', onDisk, async () => {
    const { store, key, path } = await damagedStore((pages) => pages.slice(0, 1))
    const { base, stop } = await serveStore(store)
    for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
      const answer = await ask(base, path, { authorization: key, 'accept-encoding': coding })
      assert.equal(answer.status, 500)
      assert.equal(JSON.parse(answer.text).code, 'internal-error')
      for (const field of ['etag', 'content-encoding', 'link']) assert.equal(answer.headers[field], undefined)
    }
    await stop()
    await store.close()
  })

  test('in every row leaves HEAD, 304 and OPTIONS as they were: they read none', onDisk, async () => {
    const { store, key, path } = await damagedStore((pages) => pages)
    const { base, stop } = await serveStore(store)
    const head = await ask(base, path, { authorization: key }, 'HEAD')
    assert.equal(head.status, 200)
    const again = await ask(base, path, { authorization: key, 'if-none-match': head.headers.etag ?? '' })
    assert.equal(again.status, 304)
    assert.equal((await ask(base, `${path}?limit=5`, { authorization: key }, 'HEAD')).status, 200)
    assert.equal((await ask(base, path, { authorization: key })).status, 500)
    await stop()
    await store.close()
  })
})

describe('slow and absent readers', async () => {
  const store = await freshStore()
  const id = await addLargeEvaluation(store, 8000)
  const key = await addReadKey(store)
  const path = `/api/evaluations/${id}/evaluation_scenarios`

  test('a reader who takes a break gets the state it began with, under its tag', async () => {
    const { base } = await serveStore(store)
    const before = await ask(base, path, { authorization: key })
    const slow = request(`${base}${path}`, { headers: { authorization: key }, agent: false })
    slow.end()
    const [response] = await once(slow, 'response')
    const first = await once(response, 'readable').then(() => response.read())
    await store.writer.transaction((transaction) =>
      addScenarios(transaction, 1, [{ ...scenario(id, 1), id: 'one more' }]),
    )
    const after = await ask(base, path, { authorization: key })
    const chunks: Buffer[] = [first]
    for await (const chunk of response) chunks.push(chunk)
    assert.ok(Buffer.concat(chunks).equals(before.bytes), 'the slow reader saw one state')
    assert.equal(response.headers.etag, before.headers.etag)
    assert.notEqual(after.headers.etag, before.headers.etag)
    assert.equal(JSON.parse(after.text).length, JSON.parse(before.text).length + 1)
  })

  test('a reader who takes nothing is cut off after the limit, and the others are not', async () => {
    const service = await serveStore(store, { stall_timeout: 400 })
    const stalled = await stalledReader(service, path, key)
    const reading = await ask(service.base, path, { authorization: key })
    assert.equal(reading.status, 200)
    for (let waited = 0; (await service.open()) > 0; waited += 20) {
      assert.ok(waited < 5000, 'the stalled reader is still there')
      await delay(20)
    }
    // What had arrived can still be read; then the reset is seen, not an end.
    const [error] = await once(stalled.resume(), 'error')
    assert.equal(error.code, 'ECONNRESET')
  })

  test('a reader who is slow, but takes something, is not cut off', {
    skip: process.platform !== 'linux' && 'only Linux tells how much a client has taken',
  }, async () => {
    const service = await serveStore(store, { stall_timeout: 1000 })
    const slow = await stalledReader(service, path, key)
    let taken = 0
    // 200 kB a second: too little within the limit for the socket to take more from us.
    for (let round = 0; round < 80; round += 1) {
      await delay(50)
      taken += slow.read(10_000)?.length ?? 0
    }
    assert.ok(taken > 400_000 && taken < 1_000_000, `${taken} bytes`)
    assert.equal(await service.open(), 1, 'still there after four times the limit')
    slow.destroy()
  })

  test('a reader who goes away ends the read: its connection to the store is free again', async () => {
    const service = await serveStore(store)
    const ways = ['identity', 'gzip', 'br', 'zstd'].flatMap((coding) =>
      ['json', 'csv'].map((format) => ({ coding, format })),
    )
    for (let round = 0; round < 5; round += 1) {
      for (const { coding, format } of ways) {
        const socket = await stalledReader(service, `${path}?format=${format}`, key, coding)
        socket.destroy()
      }
    }
    for (let waited = 0; ; waited += 50) {
      if (await isUnread(store)) break
      assert.ok(waited < 5000, 'a read of somebody who is gone is still open')
      await delay(50)
    }
  })
})

/** Sends the request, waits for the first bytes, and takes no more. */
async function stalledReader({ port }: Service, path: string, key: string, coding = 'identity') {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nAccept-Encoding: ${coding}\r\n\r\n`,
  )
  await once(socket, 'readable')
  socket.pause()
  return socket
}

/** Whether no snapshot is open: one would keep an embedded store's log from being emptied, or its transaction. */
async function isUnread({ url, reader }: Store & Place): Promise<boolean> {
  if (ENGINE === 'postgres') {
    const open = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`
    return (await reader.get(open)) === undefined
  }
  const database = new DatabaseSync(url.replace('sqlite:', ''))
  const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
  database.close()
  return row.busy === 0
}

const memoryIsVisible = process.platform === 'linux'

/** A driver across a network leaves more behind than one in the process. */
const MAX_OVER = ENGINE === 'sqlite' ? 64 : 96
const SCENARIOS = Number(process.env.SCENARIOS ?? 100_000)

test(`an evaluation of ${SCENARIOS} scenarios is read whole within ${MAX_OVER} MiB over idle, in every shape`, {
  skip: !memoryIsVisible && 'memory is read from /proc',
}, async () => {
  const { url, flags } = await freshPlace()
  const store = await openAt(url)
  const id = await addLargeEvaluation(store, SCENARIOS)
  const key = await addReadKey(store)
  await store.close()
  const { base, child } = await spawnServer(flags)
  await delay(2000)
  const idle = memory(child.pid, 'VmRSS')
  for (const [query, coding] of [
    ['', 'identity'],
    ['?format=ndjson', 'gzip'],
    ['?format=csv', 'identity'],
    ['', 'zstd'],
  ] as const) {
    const size = await drained(`${base}/api/evaluations/${id}/evaluation_scenarios${query}`, key, coding)
    assert.ok(size > 500 * SCENARIOS, `${size} bytes`)
    const over = memory(child.pid, 'VmHWM') - idle
    assert.ok(over <= MAX_OVER, `${query} ${coding}: ${over} MiB over the ${idle} MiB of idle`)
  }
  child.kill()
  await once(child, 'exit')
})

function memory(pid: number | undefined, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}

/** Reads an answer to its end, keeping nothing. */
async function drained(url: string, key: string, coding: string): Promise<number> {
  const asked = request(url, { headers: { authorization: key, 'accept-encoding': coding } })
  asked.end()
  const [response] = await once(asked, 'response')
  let size = 0
  for await (const chunk of response) size += chunk.length
  return size
}
