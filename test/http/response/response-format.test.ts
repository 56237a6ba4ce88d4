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
import { addIncompressibleEvaluation, EXACT_VALUES } from '../../support/corpus.ts'
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

/** Numbers are sums of powers of two, so that statistics do not depend on the order of additions. */
function scenarioText(position: number, offset: number): string {
  const value = EXACT_VALUES[position]
  const latency = (position + offset) / 4
  return `{"id":"s-${position}","inputs":[{"name":"question","type":"text","value":"Question ${position}, \\"quoted\\""},{"name":"value","type":"json","value":${value}}],
"outputs":[{"result":${position === 4 ? '{"type":"error","value":null,"error":{"message":"HTTP 429","stacktrace":"at f\\nat g"}}' : `{"type":"text","value":"Answer ${position + offset}\\nsecond line"}`},"cost":${position / 8},"latency":${latency}}],
"correct_answers":[{"key":"answer","value":"Answer ${position}"}],"is_pinned":${position % 3 === 0},"note":${position % 4 === 0 ? '"check, again"' : 'null'},
"results":[{"evaluator_config":"exact","result":{"type":"bool","value":${(position + offset) % 2 === 0}}},{"evaluator_config":"similarity","result":{"type":"number","value":${(position + offset) / 32}}}],
"extra":{"position":${position}}}`.replaceAll('\n', '')
}

const WRITES: [path: string, body: string][] = [
  ...[0, 1, 2].map((revision): [string, string] => [
    '/api/variants/prompt/revisions',
    `{"revision":${revision},"modified_by":"Ana","config":{"config_name":"r${revision}","parameters":{"temperature":${revision / 4},"prompt":"Line 1\\nLine ${revision}, \\"quoted\\""}},"created_at":"2026-09-1${revision}T08:00:00.000Z","message":"Change ${revision}"}`,
  ]),
  ...['base', 'candidate'].flatMap((id, offset): [string, string][] => [
    [
      '/api/evaluations',
      `{"id":"${id}","name":"Evaluation ${id}","variant_id":"prompt","revision":${offset},"source":"test","created_at":"2026-10-0${offset + 1}T08:00:00.000Z","evaluators":[{"name":"exact","higher_is_better":true}],"metadata":{"n":1.0}}`,
    ],
    [
      `/api/evaluations/${id}/evaluation_scenarios`,
      `[${EXACT_VALUES.map((_, position) => scenarioText(position, offset)).join(',')}]`,
    ],
  ]),
]

/** The read that this change affects is compared after all others, so that it changes none of them. */
const BASELINE_CHANGE: [path: string, body: string] = ['/api/evaluations/candidate', '{"baseline_id":"base"}']
const READ_WITH_BASELINE = '/api/evaluations?include=scores,base'

const SCENARIOS = '/api/evaluations/candidate/evaluation_scenarios'
const REVISIONS = '/api/variants/prompt/revisions'
const PAIR = 'evaluation=base&evaluation=candidate'
const FILTER = 'result.exact=is.true&order=latency.desc'

/** Every read with an ETag whose bytes are derived from stored data. */
const READS: Record<string, string[]> = {
  '/api/changes': ['/api/changes', '/api/changes?format=ndjson'],
  '/api/evaluations': ['/api/evaluations', '/api/evaluations?include=scores&order=name.asc'],
  '/api/evaluations/{evaluation_id}': ['/api/evaluations/candidate'],
  '/api/evaluations/{evaluation_id}/agreement': [
    '/api/evaluations/candidate/agreement?evaluator=similarity&with=exact',
  ],
  '/api/evaluations/{evaluation_id}/breakdown': [
    '/api/evaluations/candidate/breakdown?by=input.value',
    '/api/evaluations/candidate/breakdown?by=result.exact&base=base&order=delta.similarity.asc',
  ],
  '/api/evaluations/{evaluation_id}/evaluation_scenarios': [
    ...['json', 'ndjson', 'csv', 'csv&csv=excel'].map((format) => `${SCENARIOS}?format=${format}`),
    `${SCENARIOS}?include=extra`,
    `${SCENARIOS}?include=extra,has_generated_id&format=ndjson`,
    `${SCENARIOS}?limit=3`,
    `${SCENARIOS}?${FILTER}`,
    `${SCENARIOS}?${FILTER}&format=csv`,
  ],
  '/api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}': [
    `${SCENARIOS}/s-3`,
    `${SCENARIOS}/s-3?include=extra`,
  ],
  '/api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}/history': [`${SCENARIOS}/s-3/history`],
  '/api/evaluations/{evaluation_id}/rows': [
    '/api/evaluations/candidate/rows?preview=10',
    `/api/evaluations/candidate/rows?base=base&${FILTER}`,
  ],
  '/api/evaluations/{evaluation_id}/summary': [
    '/api/evaluations/candidate/summary',
    '/api/evaluations/candidate/summary?base=base',
  ],
  '/api/comparisons': [`/api/comparisons?${PAIR}`],
  '/api/comparisons/rows': [`/api/comparisons/rows?${PAIR}&preview=10`],
  '/api/leaderboards': ['json', 'csv'].map((format) => `/api/leaderboards?${PAIR}&format=${format}`),
  '/api/leaderboards/rows': ['json', 'csv'].map(
    (format) => `/api/leaderboards/rows?${PAIR}&preview=10&format=${format}`,
  ),
  '/api/variants': ['/api/variants'],
  '/api/variants/{variant_id}': ['/api/variants/prompt'],
  '/api/variants/{variant_id}/revisions': [
    ...['json', 'ndjson', 'csv'].map((format) => `${REVISIONS}?format=${format}`),
    `${REVISIONS}?include=changes,message`,
  ],
  '/api/variants/{variant_id}/revisions/{revision}': [`${REVISIONS}/1`],
  '/api/variants/{variant_id}/revisions/{from}/diff/{to}': [`${REVISIONS}/0/diff/2`],
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
  assert.deepEqual([...Object.keys(READS), ...CONTENT_HASHED].sort(), versionedPaths.sort())
})

test('responses with an ETag have the same bytes as before, unless RESPONSE_FORMAT has increased', async (t) => {
  const store = await createTestStore()
  const { baseUrl } = await startTestService(store)
  const { key: authorization } = await createTestKey(store, { scopes: ['read', 'write'] })
  const writeJson = async (method: string, path: string, body: string) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const { status, text } = await sendRequest(baseUrl, path, headers, method, body)
    assert.ok(status < 300, text)
  }
  for (const [path, body] of WRITES) await writeJson('POST', path, body)
  const hashes: Record<string, string> = {}
  const pin = async (path: string) => {
    const { status, headers, bytes, text } = await sendRequest(baseUrl, path, { authorization })
    assert.equal(status, 200, text)
    assert.ok(headers.etag, path)
    hashes[path] = hashResponse(bytes)
  }
  for (const path of Object.values(READS).flat()) await pin(path)
  await writeJson('PATCH', ...BASELINE_CHANGE)
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
