// Large uploads at the same time: their temporary files stay within one limit, and those that arrive first finish first.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { sizes } from '../../sizes.ts'
import { createTestKey, createTestStore, spawnServer, startTestService } from '../../support/harness.ts'
import { checkProblem, sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { testOptions } from '../../support/options.ts'
import { scenarioLines } from '../../support/upload.ts'
import { NDJSON, scenariosPath } from '../../support/write-requests.ts'

const UPLOAD_COUNT = sizes.budget_uploads
const UPLOAD_BYTES = sizes.budget_upload_bytes
const SMALL_READ_INTERVAL_MS = 50
const MAX_SMALL_READ_P99_MS = 500

const isFull = testOptions.profile === 'full'

/** A body of about this many bytes. */
function createBody(bytes: number): Buffer {
  const lines: string[] = []
  let length = 0
  for (const lineWithEvaluation of scenarioLines('body', Infinity)) {
    const line = lineWithEvaluation.replace('"evaluation_id":"body",', '')
    lines.push(line)
    length += line.length
    if (length >= bytes) return Buffer.from(lines.join(''))
  }
  throw new Error('There are not enough lines')
}

/** The size of temporary files that the process has open; they have no directory entry. */
function temporaryBytes(pid: number | undefined): number {
  let bytes = 0
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const stats = statSync(`/proc/${pid}/fd/${name}`)
      if (stats.isFile() && stats.nlink === 0) bytes += stats.size
    } catch {
      // It was closed meanwhile.
    }
  }
  return bytes
}

function percentile(values: number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

describe('uploads at the same time', {
  skip: process.platform !== 'linux' && 'temporary files are read from /proc',
}, async () => {
  const store = await createTestStore()
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  // Bodies of more than 1 MB need temporary files.
  const body = createBody(1_200_000)
  const { baseUrl } = await startTestService(store, { max_buffer_bytes: 8_500_000, stall_timeout: 240_000 })
  const headers = { authorization: key, 'content-type': NDJSON }

  /** Sends the headers and a part of the body. */
  function startUpload(baseUrl: string, id: string, length: number, part?: Buffer): ClientRequest {
    const outgoing = request(`${baseUrl}${scenariosPath(id)}`, {
      method: 'POST',
      headers: { ...headers, ...(length > 0 && { 'content-length': length }) },
      agent: false,
    })
    outgoing.on('error', () => undefined)
    outgoing.flushHeaders()
    if (part) outgoing.write(part)
    return outgoing
  }

  async function usedBufferBytes(baseUrl: string): Promise<number> {
    const { text } = await sendRequest(baseUrl, '/metrics')
    return Number(/^assay_buffer_bytes (\d+)$/m.exec(text)?.[1])
  }

  /** Waits until the service has released all disk space. The test timeout limits the wait. */
  async function waitForRelease(baseUrl: string): Promise<void> {
    while ((await usedBufferBytes(baseUrl)) !== 0) await delay(20)
  }

  test(`${UPLOAD_COUNT} uploads of ${UPLOAD_BYTES} bytes finish one after the other, within the limit`, async (t) => {
    const body = createBody(UPLOAD_BYTES)
    // In the quick profile, half of the uploads must wait for the others.
    const maxBytes = isFull ? 8_589_934_592 : Math.ceil(body.length * 2.25 * (UPLOAD_COUNT / 2))
    const { baseUrl, child } = await spawnServer([...store.flags, '--max-buffer-bytes', String(maxBytes)])
    await sendRequest(baseUrl, scenariosPath('small'), headers, 'POST', createBody(1000))
    const smallReads: Promise<number>[] = []
    async function readSmall(): Promise<number> {
      const start = performance.now()
      await sendRequest(baseUrl, scenariosPath('small'), { authorization: key })
      return performance.now() - start
    }
    const timer = setInterval(() => smallReads.push(readSmall()), SMALL_READ_INTERVAL_MS)
    t.after(() => clearInterval(timer))
    let peakBytes = 0
    const sampler = setInterval(() => {
      peakBytes = Math.max(peakBytes, temporaryBytes(child.pid))
    }, 50)
    t.after(() => clearInterval(sampler))
    const start = performance.now()
    const responses = await Promise.all(
      Array.from({ length: UPLOAD_COUNT }, async (_, index) => {
        const response = await sendRequest(baseUrl, scenariosPath(`upload-${index}`), headers, 'POST', body)
        return { status: response.status, text: response.text, ms: performance.now() - start }
      }),
    )
    clearInterval(timer)
    clearInterval(sampler)
    const smallReadMs = await Promise.all(smallReads)
    const times = responses.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const stored = responses.filter(({ status }) => status === 201).length
    const p99 = percentile(smallReadMs, 0.99)
    reportMeasurements(t, {
      cases: UPLOAD_COUNT,
      stored_uploads: stored,
      first_finished_ms: Math.round(times[0] ?? 0),
      last_finished_ms: Math.round(times.at(-1) ?? 0),
      peak_temporary_mb: Math.round(peakBytes / 1_048_576),
      small_read_p99_ms: Math.round(p99),
      small_read_max_ms: Math.round(Math.max(...smallReadMs)),
    })
    assert.ok(peakBytes <= maxBytes, `${peakBytes} bytes of temporary files, limit ${maxBytes}`)
    assert.equal(stored, UPLOAD_COUNT)
    if (testOptions.measures) {
      assert.ok((times[0] ?? 0) < (times.at(-1) ?? 0) / 4, 'the first upload finishes with the last one')
      assert.ok(p99 <= MAX_SMALL_READ_P99_MS, `${p99} ms`)
    }
    await waitForRelease(baseUrl)
  })

  test('uploads that fail, stop or are aborted release their disk space', async () => {
    const invalid = Buffer.concat([body, Buffer.from('{]\n')])
    const conflicting = Buffer.from(body.toString().replaceAll('"output"', '"output" '))
    const send = (id: string, bytes: Buffer, extra = {}) =>
      sendRequest(baseUrl, scenariosPath(id), { ...headers, ...extra }, 'POST', bytes)
    const first = await send('mix', body)
    assert.equal(first.status, 201, first.text.slice(0, 300))
    assert.equal((await send('mix', invalid)).status, 400)
    assert.ok((await send('mix', conflicting)).status < 500)
    const gzip = { 'content-encoding': 'gzip' }
    assert.equal((await send('mix-gzip', gzipSync(body), gzip)).status, 201)
    const file = await sendRequest(baseUrl, '/api/imports?evaluation=mix-file', headers, 'POST', body)
    assert.equal(file.status, 200, file.text.slice(0, 300))
    await waitForRelease(baseUrl)
    const aborted = startUpload(baseUrl, 'aborted', body.length, body.subarray(0, 800_000))
    while ((await usedBufferBytes(baseUrl)) === 0) await delay(20)
    aborted.destroy()
    await waitForRelease(baseUrl)
  })

  test('a stalled upload does not block others, and an upload that waits for space stops waiting when its client leaves', async () => {
    // Arrives first and reserves almost 3 MB, then sends nothing more.
    const stalled = startUpload(baseUrl, 'stalled', body.length, body.subarray(0, 600_000))
    while ((await usedBufferBytes(baseUrl)) === 0) await delay(20)
    const others = ['other-1', 'other-2', 'other-3'].map((id) =>
      sendRequest(baseUrl, scenariosPath(id), headers, 'POST', body),
    )
    for (const { status, text } of await Promise.all(others)) assert.equal(status, 201, text.slice(0, 300))
    const large = startUpload(baseUrl, 'large', 2_800_000, body)
    large.destroy()
    // The stalled upload continues and is stored.
    stalled.end(body.subarray(600_000))
    const [response] = (await once(stalled, 'response')) as [IncomingMessage]
    assert.equal(response.statusCode, 201)
    response.resume()
    await waitForRelease(baseUrl)
  })

  test('an upload that can never fit returns 413, before its body is sent or at the limit', async () => {
    const { baseUrl } = await startTestService(store, { max_buffer_bytes: 1_000_000 })
    const known = await sendRequest(baseUrl, scenariosPath('known'), headers, 'POST', body)
    assert.match(checkProblem(known, 413, 'content-too-large').detail, /max-buffer-bytes/)
    const gzip = { ...headers, 'content-encoding': 'gzip' }
    const unknown = await sendRequest(baseUrl, scenariosPath('unknown'), gzip, 'POST', gzipSync(body))
    assert.match(checkProblem(unknown, 413, 'content-too-large').detail, /max-buffer-bytes/)
    const small = await sendRequest(baseUrl, scenariosPath('known'), headers, 'POST', createBody(400_000))
    assert.equal(small.status, 201)
    await waitForRelease(baseUrl)
  })
})
