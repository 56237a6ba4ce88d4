// Tests that ETags and cached responses do not outlive the program that wrote them: responses with an ETag keep their
// bytes until RESPONSE_FORMAT is increased. `node test/run.ts --update` on this file stores the hashes of the new bytes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stopService } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { RESPONSE_FORMAT } from '../../../src/http/response/etag.ts'
import { addIncompressibleEvaluation } from '../../support/corpus.ts'
import {
  BASELINE_CHANGE,
  READ_WITH_BASELINE,
  VERSIONED_READS,
  writeJson,
  writeReadData,
} from '../../support/every-read.ts'
import {
  createStoreLocation,
  createTestKey,
  createTestStore,
  spawnServer,
  startTestService,
} from '../../support/harness.ts'
import { type HttpResponse, sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import { createUpgradedProgram } from '../../support/upgraded-program.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const HASHES_FILE = join(ROOT, 'test/fixtures/response-format.json')
const UPDATE_COMMAND = 'npx node test/run.ts --update test/http/response/response-format.test.ts'
const ADVICE = `If the change is intended, increase RESPONSE_FORMAT in src/http/response/etag.ts, and run ${UPDATE_COMMAND}. Otherwise clients would keep the old bytes after an upgrade, because their ETag would still match.`

interface PinnedHashes {
  format: number
  responses: Record<string, string>
}

/** Their ETag is a hash of their content. */
const CONTENT_HASHED = ['/api', '/api/openapi.json']

/** Ignores the digits of times, because some of them are the time of the write, and what the change log assigns. */
function hashResponse(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  const comparableText = text
    .replace(/"\w+_at":"[^"]*"/g, (member) => member.replace(/\d/g, '0'))
    .replace(/"(time|version|cursor)":"[^"]*"/g, '"$1":""')
  return createHash('sha256').update(comparableText).digest('hex').slice(0, 32)
}

test('every read with an ETag is in the list of reads whose bytes are compared', () => {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))
  const versionedPaths = Object.keys(paths).filter((path) => paths[path].get?.responses['304'])
  assert.deepEqual([...Object.keys(VERSIONED_READS), ...CONTENT_HASHED].sort(), versionedPaths.sort())
})

test('responses with an ETag have the same bytes as before, unless RESPONSE_FORMAT has increased', async (t) => {
  const store = await createTestStore()
  const { baseUrl } = await startTestService(store)
  const { key: authorization } = await createTestKey(store, { scopes: ['read', 'write'] })
  await writeReadData(baseUrl, authorization)
  const hashes: Record<string, string> = {}
  const pin = async (path: string) => {
    const { status, headers, bytes, text } = await sendRequest(baseUrl, path, { authorization })
    assert.equal(status, 200, text)
    assert.ok(headers.etag, path)
    hashes[path] = hashResponse(bytes)
  }
  for (const path of Object.values(VERSIONED_READS).flat()) await pin(path)
  await writeJson(baseUrl, authorization, 'PATCH', ...BASELINE_CHANGE)
  await pin(READ_WITH_BASELINE)
  reportMeasurements(t, { cases: Object.keys(hashes).length })
  const pinned: PinnedHashes = JSON.parse(readFileSync(HASHES_FILE, 'utf8'))
  assert.ok(RESPONSE_FORMAT >= pinned.format, 'RESPONSE_FORMAT must never decrease')
  if (RESPONSE_FORMAT === pinned.format) {
    const changedPaths = Object.keys(pinned.responses).filter(
      (path) => hashes[path] !== undefined && hashes[path] !== pinned.responses[path],
    )
    assert.deepEqual(changedPaths, [], `The bytes of these responses have changed. ${ADVICE}`)
  }
  const content: PinnedHashes = { format: RESPONSE_FORMAT, responses: hashes }
  if (testOptions.update) writeFileSync(HASHES_FILE, `${JSON.stringify(content, null, 2)}\n`)
  else
    assert.deepEqual(content, pinned, `The list of reads or the number has changed: run ${UPDATE_COMMAND}.`)
})

test('after an upgrade that changes CSV, no encoding returns old bytes and no old ETag returns 304', {
  skip: fullOnly('starts the service of another version'),
}, async (t) => {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  await addIncompressibleEvaluation(store, 'large', 10, 100_000)
  const { key: authorization } = await createTestKey(store)
  await store.close()
  const path = `${scenariosPath('large')}?format=csv`
  const read = (baseUrl: string, encoding: string, headers = {}) =>
    sendRequest(baseUrl, path, { authorization, 'accept-encoding': encoding, ...headers })

  const args = [...flags, '--log-level', 'warn']
  const oldService = await spawnServer(args)
  const oldResponses = new Map<string, HttpResponse>()
  for (const encoding of ['gzip', 'identity'])
    oldResponses.set(encoding, await read(oldService.baseUrl, encoding))
  await stopService(oldService)

  const main = createUpgradedProgram({
    'src/serialize/csv.ts': ['\\r\\n`', '\\n`'],
    'src/http/response/etag.ts': [
      `RESPONSE_FORMAT = ${RESPONSE_FORMAT}`,
      `RESPONSE_FORMAT = ${RESPONSE_FORMAT + 1}`,
    ],
  })
  const newService = await spawnServer(args, {}, main)
  for (const [encoding, { headers, text }] of oldResponses) {
    for (const round of [1, 2, 3]) {
      const response = await read(newService.baseUrl, encoding, { 'if-none-match': headers.etag })
      assert.equal(response.status, 200, `${encoding}, round ${round}`)
      assert.ok(response.text === text.replaceAll('\r\n', '\n'), `${encoding}, round ${round}`)
      assert.equal(
        response.headers.etag?.split('-')[0],
        headers.etag?.split('-')[0],
        'the version is the same',
      )
    }
  }
  await stopService(newService)
  reportMeasurements(t, { cases: 3 * oldResponses.size, wrong: 0 })
})
