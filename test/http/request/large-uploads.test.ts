// Tests uploads that are stored by the bulk thread: the same responses as for small ones, and nothing stored after a failure.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { createTestKey, createTestStore, SQLITE_ONLY, startTestService } from '../../support/harness.ts'
import { checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { inChunks, upload } from '../../support/upload.ts'
import { JSON_TYPE, NDJSON, resultsPath, scenariosPath } from '../../support/write-requests.ts'

const store = await createTestStore()
const service = await startTestService(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const { baseUrl } = service

/** Bulk threads that were started. Database threads have no name. */
const workers: Worker[] = []
const addWorker = (worker: Worker) => {
  if (worker.threadName === 'bulk') workers.push(worker)
}
process.on('worker', addWorker)
after(() => process.off('worker', addWorker))

function post(path: string, type: string, body: Uint8Array | string, more = {}): Promise<HttpResponse> {
  return sendRequest(
    baseUrl,
    path,
    { authorization: key, 'content-type': type, 'content-length': String(Buffer.byteLength(body)), ...more },
    'POST',
    body,
  )
}

/** Ten scenarios with this much extra data in each. */
function records(padding: number): string[] {
  const extra = `{"trace":"${'x'.repeat(padding)}"}`
  return Array.from({ length: 10 }, (_, index) => `{"id":"s${index}","extra":${extra}}`)
}

const INVALID: [what: string, change: (records: string[]) => string[]][] = [
  ['an invalid id', (records) => records.with(8, '{"id":""}')],
  ['several invalid members', (records) => records.with(2, '{"inputs":1}').with(8, '{"id":5,"results":{}}')],
  ['a scenario of another evaluation', (records) => records.with(9, '{"id":"x","evaluation_id":"other"}')],
  ['a syntax error', (records) => records.with(8, '{"id":"a" "b"}')],
  ['a duplicate name', (records) => records.with(8, '{"id":"a","id":"b"}')],
]

/** The response without what depends on the size of the body. */
function comparable({ status, text }: HttpResponse): unknown {
  const { instance, offset, detail, ...problem } = JSON.parse(text)
  return { status, detail: detail.replace(/byte \d+/, ''), ...problem }
}

for (const [what, change] of INVALID)
  for (const [type, join] of [
    [NDJSON, (list: string[]) => list.join('\n')],
    [JSON_TYPE, (list: string[]) => `[${list.join(',\n')}]`],
  ] as const)
    test(`reports ${what} in ${type} alike in a small and a large body`, async () => {
      const path = scenariosPath('invalid')
      const small = await post(path, type, join(change(records(10))))
      const large = await post(path, type, join(change(records(200_000))))
      assert.ok(small.status >= 400)
      assert.deepEqual(comparable(large), comparable(small))
      checkProblem(await sendRequest(baseUrl, path, { authorization: key }), 404, 'evaluation-not-found')
    })

test('stores a large body of known, unknown and compressed length alike', async () => {
  const body = records(200_000).join('\n')
  const headers = { authorization: key, 'content-type': NDJSON }
  const accepted = { accepted: 10, unchanged: 0 }
  assert.deepEqual(JSON.parse((await post(scenariosPath('known'), NDJSON, body)).text), accepted)
  const chunked = await upload(
    `${baseUrl}${scenariosPath('unknown')}`,
    headers,
    inChunks(body.split(/(?=\n)/)),
  )
  assert.deepEqual(chunked.body, accepted)
  const gzip = { 'content-encoding': 'gzip' }
  assert.deepEqual(
    JSON.parse((await post(scenariosPath('compressed'), NDJSON, gzipSync(body), gzip)).text),
    accepted,
  )
  const texts = await Promise.all(
    ['known', 'unknown', 'compressed'].map(async (id) => {
      const { text } = await sendRequest(baseUrl, scenariosPath(id), { authorization: key })
      return text.replaceAll(`"${id}"`, '""')
    }),
  )
  assert.equal(JSON.parse(texts[0] ?? '').length, 10)
  assert.ok(texts.every((text) => text === texts[0]))
})

test('stores small bodies on the main thread and large ones on another thread', async () => {
  const started = workers.length
  const small = records(50_000).join('\n')
  const headers = { authorization: key, 'content-type': NDJSON }
  assert.equal((await post(scenariosPath('small'), NDJSON, small)).status, 201)
  assert.equal(
    (await upload(`${baseUrl}${scenariosPath('chunked')}`, headers, inChunks([small]))).status,
    201,
  )
  assert.equal(workers.length, started)
  await Promise.all(workers.map((worker) => worker.terminate()))
  let turns = 0
  const countTurns = () => {
    turns += 1
    timer = setImmediate(countTurns)
  }
  let timer = setImmediate(countTurns)
  assert.equal((await post(scenariosPath('large'), NDJSON, records(400_000).join('\n'))).status, 201)
  clearImmediate(timer)
  assert.equal(workers.length, started + 1)
  assert.ok(turns > 0)
})

test('keeps the lock of this process on the store, so that no other process deletes its -wal file', {
  skip: SQLITE_ONLY || (process.platform !== 'linux' && 'locks are read from /proc'),
}, async () => {
  // SQLite locks these bytes of the file while it is open.
  const lock = ` ${process.pid} \\S+:${statSync(store.file ?? '').ino} 1073741826 1073742335$`
  const hasLock = () => new RegExp(lock, 'm').test(readFileSync('/proc/locks', 'utf8'))
  assert.ok(hasLock())
  await Promise.all(workers.map((worker) => worker.terminate()))
  assert.equal((await post(scenariosPath('locked'), NDJSON, records(200_000).join('\n'))).status, 201)
  assert.ok(hasLock())
})

test('returns 503 and stores nothing if the thread ends', async () => {
  await Promise.all(workers.map((worker) => worker.terminate()))
  process.once('worker', (worker: Worker) => void worker.terminate())
  const response = await post(scenariosPath('ended'), NDJSON, records(200_000).join('\n'))
  checkProblem(response, 503, 'unavailable')
  assert.equal(response.headers['retry-after'], '1')
  checkProblem(
    await sendRequest(baseUrl, scenariosPath('ended'), { authorization: key }),
    404,
    'evaluation-not-found',
  )
  assert.equal((await post(scenariosPath('ended'), NDJSON, records(200_000).join('\n'))).status, 201)
})

async function usedBytes(): Promise<number> {
  const { text } = await sendRequest(baseUrl, '/metrics')
  return Number(/^assay_buffer_bytes (\d+)$/m.exec(text)?.[1])
}

test('releases the disk space that the thread has reserved when it ends', async () => {
  await Promise.all(workers.map((worker) => worker.terminate()))
  process.once('worker', (worker: Worker) =>
    worker.on('message', ({ kind }: { kind: string }) => {
      if (kind === 'reserve') void worker.terminate()
    }),
  )
  const response = await post(scenariosPath('reserved'), NDJSON, records(200_000).join('\n'))
  checkProblem(response, 503, 'unavailable')
  assert.equal(await usedBytes(), 0)
})

test('stores nothing of an upload whose client disconnects, and releases its disk space', async () => {
  const body = Buffer.from(records(400_000).join('\n'))
  const outgoing = request(`${baseUrl}${scenariosPath('half')}`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': NDJSON, 'content-length': body.length },
    agent: false,
  })
  outgoing.on('error', () => undefined)
  outgoing.write(body.subarray(0, body.length / 2))
  while ((await usedBytes()) === 0) await delay(5)
  outgoing.destroy()
  while ((await usedBytes()) > 0) await delay(5)
  checkProblem(
    await sendRequest(baseUrl, scenariosPath('half'), { authorization: key }),
    404,
    'evaluation-not-found',
  )
  assert.equal((await post(scenariosPath('half'), NDJSON, body)).status, 201)
})

for (const onConflict of ['error', 'skip', 'replace'])
  test(`resolves conflicts with on_conflict=${onConflict} alike in a small and a large body`, async () => {
    const outcomes = await Promise.all(
      [10, 200_000].map(async (padding) => {
        const id = `conflicts-${onConflict}-${padding}`
        const first = records(padding)
        await post(scenariosPath(id), NDJSON, first.join('\n'))
        const second = [
          ...first.slice(0, 3),
          ...first.slice(3, 6).map((record) => record.replace('"extra"', '"inputs":[],"note":"new","extra"')),
          `{"id":"added","results":[{"evaluator_config":"judge","result":{"type":"bool","value":true}}]}`,
          '{"id":"added"}',
          ...first.slice(6),
        ]
        const response = await post(
          `${scenariosPath(id)}?on_conflict=${onConflict}`,
          NDJSON,
          second.join('\n'),
        )
        const read = async (path: string) =>
          (await sendRequest(baseUrl, path, { authorization: key })).text
            .replaceAll('x'.repeat(padding), '')
            .replaceAll(id, '')
        const { text } = await sendRequest(baseUrl, '/api/changes', { authorization: key })
        const changes = JSON.parse(text).filter(({ subject }: { subject: string }) => subject === id)
        return {
          response: response.text.replace(/"instance":"[^"]*"/, ''),
          scenarios: await read(scenariosPath(id)),
          columns: await read(`${scenariosPath(id)}?format=csv`),
          changes: changes.map(({ action, counts }: { action: string; counts: object }) => [action, counts]),
        }
      }),
    )
    assert.deepEqual(outcomes[1], outcomes[0])
  })

test('adds results of a large body', async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `s${index}`)
  await post(scenariosPath('scored'), NDJSON, ids.map((id) => `{"id":"${id}"}`).join('\n'))
  const lines = ids.map(
    (scenario_id) =>
      `{"scenario_id":"${scenario_id}","evaluator_config":"judge","result":{"type":"bool","value":true},"reason":"${'y'.repeat(200_000)}"}`,
  )
  const response = await post(resultsPath('scored'), NDJSON, lines.join('\n'))
  assert.deepEqual(JSON.parse(response.text), { added: 10, replaced: 0, unchanged: 0 })
  const unknown = await post(
    resultsPath('scored'),
    NDJSON,
    lines.with(7, lines[7]?.replace('s7', 'x') ?? '').join('\n'),
  )
  checkProblem(unknown, 422, 'invalid-content')
  assert.equal(JSON.parse(unknown.text).errors[0].pointer, '/7/scenario_id')
})
