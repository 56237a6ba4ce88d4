// Follows one evaluation through all changes that are possible, and checks after each step that the main reads return
// exactly the expected text. Then exports, imports and exports it again.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkStore } from '../../../src/store/check.ts'
import { runAssayCommand as runAssay } from '../../support/command-runner/run.ts'
import {
  createStoreLocation,
  createTempFolder,
  createTestKey,
  createTestStore,
  startTestService,
} from '../../support/harness.ts'
import { schemaErrors, sendRequest } from '../../support/http.ts'

const store = await createTestStore()
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const { baseUrl } = await startTestService(store)
const folder = createTempFolder()

const EVALUATION = '/api/evaluations/e'
const SCENARIOS = `${EVALUATION}/evaluation_scenarios`

async function send(method: string, path: string, body?: string, authorization = key): Promise<string> {
  const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const { status, text } = await sendRequest(baseUrl, path, headers, method, body)
  assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
  return text
}

/** Numbers and escapes must keep their text. */
const INPUTS = '[{"name":"question","type":"text","value":"Wo ist der Caf\\u00e9?"}]'
const OUTPUTS = '[{"result":{"type":"json","value":{"n":1.50}},"cost":1e-3,"latency":0.250}]'
const EXACT = '{"evaluator_config":"exact","result":{"type":"bool","value":false}}'

interface Texts {
  outputs?: string
  is_pinned?: string
  note?: string
  results?: string[]
}

function scenarioText(
  id: string,
  { outputs = OUTPUTS, is_pinned = 'null', note = 'null', results = [EXACT] }: Texts,
) {
  return `{"id":"${id}","evaluation_id":"e","inputs":${INPUTS},"outputs":${outputs},"correct_answers":null,"is_pinned":${is_pinned},"note":${note},"results":[${results}]}`
}

async function checkReads(...scenarios: string[]): Promise<void> {
  const text = await send('GET', SCENARIOS)
  assert.equal(text, `[${scenarios}]`)
  for (const scenario of JSON.parse(text)) {
    assert.deepEqual(schemaErrors('EvaluationScenario', scenario), [])
    assert.equal(Object.hasOwn(scenario, 'extra'), false)
  }
  const revisions = await send('GET', '/api/variants/v/revisions')
  assert.equal(revisions, `[${revisionText}]`)
  assert.deepEqual((await checkStore(store, () => undefined)).faults, [])
}

let revisionText = ''

test('both reads are exact after every change of a scenario, and a full export restores all of them', async () => {
  await send('POST', '/api/variants', '{"id":"v"}')
  revisionText = await send(
    'POST',
    '/api/variants/v/revisions',
    '{"modified_by":"Ana","config":{"config_name":"c","parameters":{"temperature":0.70}}}',
  )
  await send(
    'POST',
    '/api/evaluations',
    '{"id":"e","variant_id":"v","revision":1,"status":"running","expected_count":2,"tags":["nightly"],"evaluators":[{"name":"exact","kind":"code"},{"name":"judge","kind":"model"},{"name":"person","kind":"human"}]}',
  )
  const record = (id: string, outputs = OUTPUTS) =>
    `{"id":"${id}","inputs":${INPUTS},"outputs":${outputs},"results":[${EXACT}]}`
  await send('POST', SCENARIOS, `[${record('a')},${record('b')}]`)
  await checkReads(scenarioText('a', {}), scenarioText('b', {}))

  const judgeResult = '{"type":"number","value":0.50}'
  const judged = (id: string) =>
    `{"scenario_id":"${id}","evaluator_config":"judge","result":${judgeResult},"reason":"Half \\u2713."}`
  await send('POST', `${EVALUATION}/results`, `[${judged('a')},${judged('b')}]`)
  const judge = `{"evaluator_config":"judge","result":${judgeResult}}`
  const rescored = scenarioText('b', { results: [EXACT, judge] })
  await checkReads(scenarioText('a', { results: [EXACT, judge] }), rescored)

  const personResult = '{"type":"bool","value":true}'
  await send(
    'POST',
    `${EVALUATION}/results`,
    `[{"scenario_id":"a","evaluator_config":"person","result":${personResult},"reason":"Good.","by":"Ben"}]`,
  )
  const person = `{"evaluator_config":"person","result":${personResult}}`
  await checkReads(scenarioText('a', { results: [EXACT, judge, person] }), rescored)

  const corrected = '[{"result":{"type":"text","value":"Dort."}}]'
  await send('PUT', `${SCENARIOS}/a`, record('a', corrected))
  const keptResults = [EXACT, person]
  await checkReads(scenarioText('a', { outputs: corrected, results: keptResults }), rescored)

  await send('PATCH', `${SCENARIOS}/a`, '{"is_pinned":true,"note":"Ask \\"why\\""}')
  const marked = { outputs: corrected, is_pinned: 'true', note: '"Ask \\"why\\""', results: keptResults }
  await checkReads(scenarioText('a', marked), rescored)

  await send('DELETE', `${EVALUATION}/results?evaluator=exact`)
  const remaining = scenarioText('a', { ...marked, results: [person] })
  await checkReads(remaining, scenarioText('b', { results: [judge] }))

  await send('DELETE', `${SCENARIOS}/b`)
  await checkReads(remaining)
  await send('POST', SCENARIOS, `[${record('c')}]`)
  await send('PATCH', EVALUATION, '{"status":"finished"}')
  await checkReads(remaining, scenarioText('c', {}))
  assert.match(
    await send('GET', `${SCENARIOS}/a?include=extra`),
    /,"extra":\{"results":\[\{"reason":"Good\.","by":"Ben"\}\]\}\}$/,
  )
  const exported = await exportFull(store.flags)
  const file = join(folder, 'full.ndjson')
  writeFileSync(file, exported)
  const other = await createStoreLocation()
  const { code, stderr } = await runAssay(['import', file, ...other.flags])
  assert.equal(code, 0, stderr)
  assert.equal(await exportFull(other.flags), exported)
})

async function exportFull(flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await runAssay(['export', 'e', '--full', ...flags])
  assert.equal(code, 0, stderr)
  return stdout
}
