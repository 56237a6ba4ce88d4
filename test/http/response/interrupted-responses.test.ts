// Reads that fail at a certain row, after the response has started: every client must see an error, directly and through nginx.
// For PostgreSQL, postgres-faults.test.ts terminates the backend during responses.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { isInstalled } from '../../../bench/load-generator.ts'
import { stopService } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { addIncompressibleEvaluation } from '../../support/corpus.ts'
import {
  createStoreLocation,
  createTestKey,
  NO_CACHE_FLAGS,
  SQLITE_ONLY,
  spawnServer,
} from '../../support/harness.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { startDefaultNginx, WITHOUT_NGINX } from '../../support/nginx.ts'
import { fullOnly } from '../../support/options.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const WITHOUT_TOOLS =
  fullOnly('streaming.test.ts damages a page') ||
  WITHOUT_NGINX ||
  (!isInstalled('curl') && 'curl is not on the PATH')

/** Base64 makes 40,000 characters of it: each row needs several pages of the file, and the response has 12 MB. */
const NOTE_BYTES = 30_000
const ROW_COUNT = 300
const PAGE_BYTES = 16384
/** The positions of the row that cannot be read. */
const FAULTS = [0, 10, ROW_COUNT / 2, ROW_COUNT - 1]
const FORMATS = ['json', 'ndjson', 'csv']
const ENCODINGS = ['identity', 'gzip']

/** Overwrites the page to which the body of the row continues, with its pointer to the next page. */
function damageFile(file: string, position: number): void {
  const database = new DatabaseSync(file, { readOnly: true })
  const pages = database
    .prepare(
      `SELECT pageno FROM dbstat WHERE name = 'scenario' AND pagetype = 'overflow' AND path LIKE '%+000000' ORDER BY path`,
    )
    .all() as { pageno: number }[]
  database.close()
  assert.equal(pages.length, ROW_COUNT)
  const handle = openSync(file, 'r+')
  writeSync(
    handle,
    Buffer.alloc(PAGE_BYTES, 0xff),
    0,
    PAGE_BYTES,
    ((pages[position]?.pageno ?? 0) - 1) * PAGE_BYTES,
  )
  closeSync(handle)
}

interface Outcome {
  /** Undefined if no headers arrived. */
  status: number | undefined
  /** Whether the client considers the response complete. */
  isComplete: boolean
}

type Client = (url: string, headers: Record<string, string>) => Promise<Outcome>

async function readWithFetch(url: string, headers: Record<string, string>): Promise<Outcome> {
  const response = await fetch(url, { headers }).catch(() => undefined)
  const isComplete = await response?.arrayBuffer().then(
    () => true,
    () => false,
  )
  return { status: response?.status, isComplete: isComplete ?? false }
}

const run = promisify(execFile)

const readWithCurl =
  (version: string): Client =>
  async (url, headers) => {
    const args = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const output = ['-s', '-o', '/dev/null', '-w', '%{http_code}']
    const result = await run('curl', [...output, '--max-time', '60', version, ...args, url]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    )
    return { status: Number(result.stdout) || undefined, isComplete: result.code === 0 }
  }

const HTTP_1_0 = 'curl with HTTP/1.0'
const CLIENTS: Record<string, Client> = {
  fetch: readWithFetch,
  'curl with HTTP/1.1': readWithCurl('--http1.1'),
  [HTTP_1_0]: readWithCurl('--http1.0'),
}

for (const position of FAULTS) {
  test(`every client sees an error when row ${position} of ${ROW_COUNT} cannot be read, directly and through nginx`, {
    skip: SQLITE_ONLY || WITHOUT_TOOLS,
  }, async (t) => {
    const { url, flags } = await createStoreLocation()
    const store = await openStoreAt(url)
    await addIncompressibleEvaluation(store, 'large', ROW_COUNT, NOTE_BYTES)
    const { key } = await createTestKey(store)
    await store.close()
    damageFile(url.replace('sqlite:', ''), position)
    const service = await spawnServer([...flags, ...NO_CACHE_FLAGS, '--log-level', 'silent'])
    const proxyUrl = await startDefaultNginx(new URL(service.baseUrl).host)

    const counts = { requests: 0, interrupted: 0, wrong: 0 }
    const wrong: string[] = []
    for (const [route, baseUrl] of [
      ['directly', service.baseUrl],
      ['through nginx', proxyUrl],
    ] as const) {
      for (const [name, read] of Object.entries(CLIENTS)) {
        for (const format of FORMATS) {
          for (const encoding of ENCODINGS) {
            // nginx closes the connection to its client normally. Without Content-Length, that is the end of an HTTP/1.0 response.
            const hasLength = format === 'json' && encoding === 'identity'
            if (route === 'through nginx' && name === HTTP_1_0 && !hasLength) continue
            const { status, isComplete } = await read(
              `${baseUrl}${scenariosPath('large')}?format=${format}`,
              {
                authorization: key,
                'accept-encoding': encoding,
              },
            )
            counts.requests += 1
            if (status === 200) counts.interrupted += 1
            const isError = !isComplete || (status ?? 0) >= 500
            if (!isError) wrong.push(`${name} ${route}, ${format}, ${encoding}: ${status} looked complete`)
          }
        }
      }
    }
    reportMeasurements(t, { cases: counts.requests, interrupted: counts.interrupted, wrong: wrong.length })
    assert.deepEqual(wrong, [])
    // The first rows are read before the response starts, so that the status can tell the error.
    assert.ok(
      position <= 10 || counts.interrupted === counts.requests,
      `${counts.interrupted} responses had started`,
    )
    assert.equal((await fetch(`${service.baseUrl}/livez`)).status, 200)
    await stopService(service)
  })
}
