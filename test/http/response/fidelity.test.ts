// Tests that stored JSON is returned exactly as written: generated JSON texts, written over HTTP and by import, come
// back token for token, and an export that is imported and exported again has the same bytes.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sizes } from '../../sizes.ts'
import { runAssayCommand as runAssay } from '../../support/command-runner/run.ts'
import {
  createStoreLocation,
  createTempFolder,
  createTestKey,
  createTestStore,
  startTestService,
} from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { JsonTexts } from '../../support/json-texts.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'

const TEXT_COUNT = sizes.json_texts
/** A scenario contains four texts. */
const SCENARIO_COUNT = TEXT_COUNT / 4
const REVISION_COUNT = Math.min(200, SCENARIO_COUNT)
const SEED = testOptions.seed
/** The value of an input is nested three levels deep in the record. */
const MAX_VALUE_DEPTH = 128 - 3

const folder = createTempFolder()
const store = await createTestStore()
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const { baseUrl } = await startTestService(store)

interface GeneratedScenario {
  /** The request body, with whitespace between tokens and members in a different order. */
  loose: string
  /** The text that a read with include=extra must return. */
  expected(evaluation: string): string
}

function generateScenario(texts: JsonTexts, index: number): GeneratedScenario {
  const generateValue = (depth = MAX_VALUE_DEPTH) => texts.value(depth)
  const input = generateValue()
  const output = generateValue(MAX_VALUE_DEPTH - 1)
  const result = generateValue(MAX_VALUE_DEPTH - 1)
  const extra = generateValue()
  const note = texts.string()
  const formatMembers = (form: 'loose' | 'compact') => ({
    inputs: `[{"name":"x","type":"json","value":${input[form]}}]`,
    outputs: `[{"result":{"type":"json","value":${output[form]}},"cost":1.0E-7,"latency":1.50}]`,
    results: `[{"evaluator_config":"e","result":{"value":${result[form]},"type":"json"}}]`,
    extra: `{"x":${extra[form]}}`,
  })
  const [loose, compact] = [formatMembers('loose'), formatMembers('compact')]
  return {
    loose: `{"extra":${loose.extra},"results":${loose.results}, "outputs":${loose.outputs},"note" :${note},"id":"s${index}","inputs":${loose.inputs}}`,
    expected: (evaluation) =>
      `{"id":"s${index}","evaluation_id":"${evaluation}","inputs":${compact.inputs},"outputs":${compact.outputs},"correct_answers":null,"is_pinned":null,"note":${note},"results":${compact.results},"extra":${compact.extra}}`,
  }
}

const lineTexts = new JsonTexts(SEED, ['', '', ' ', '\t'])
const arrayTexts = new JsonTexts(SEED + 1)
const lines = Array.from({ length: SCENARIO_COUNT }, (_, index) => generateScenario(lineTexts, index))
const elements = Array.from({ length: SCENARIO_COUNT }, (_, index) => generateScenario(arrayTexts, index))
const ndjsonBody = lines.map(({ loose }) => loose).join('\n')
const arrayBody = `[${elements.map(({ loose }) => loose).join(',')}]`

const scenariosPath = (id: string) => `/api/evaluations/${id}/evaluation_scenarios`

async function post(path: string, type: string, body: string): Promise<void> {
  const response = await sendRequest(
    baseUrl,
    path,
    { authorization: key, 'content-type': type },
    'POST',
    body,
  )
  assert.equal(response.status, 201, response.text)
}

async function assertReadBack(id: string, writtenScenarios: GeneratedScenario[]): Promise<void> {
  const { text } = await sendRequest(baseUrl, `${scenariosPath(id)}?format=ndjson&include=extra`, {
    authorization: key,
  })
  const receivedLines = text.trimEnd().split('\n')
  assert.equal(receivedLines.length, writtenScenarios.length)
  for (const [index, scenario] of writtenScenarios.entries())
    assert.equal(receivedLines[index], scenario.expected(id), `--seed ${SEED}, scenario ${index}`)
}

async function runOnStore(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runAssay([...args, '--database', store.url])
  assert.equal(code, 0, stdout + stderr)
  return stdout
}

describe(`${TEXT_COUNT} generated JSON texts`, () => {
  test('are returned token for token after an NDJSON upload', async (t) => {
    await post(scenariosPath('http-lines'), 'application/x-ndjson', ndjsonBody)
    await assertReadBack('http-lines', lines)
    reportMeasurements(t, { cases: TEXT_COUNT, wrong: 0 })
  })

  test('are returned token for token after an array upload', async (t) => {
    await post(scenariosPath('http-array'), 'application/json', arrayBody)
    await assertReadBack('http-array', elements)
    reportMeasurements(t, { cases: TEXT_COUNT, wrong: 0 })
  })

  test('are returned token for token after an import from an NDJSON file and from an array', async () => {
    for (const [name, text, writtenScenarios] of [
      ['import-lines', ndjsonBody, lines],
      ['import-array', arrayBody, elements],
    ] as const) {
      const file = join(folder, name)
      writeFileSync(file, text)
      await runOnStore('import', file, '--evaluation', name)
      await assertReadBack(name, writtenScenarios)
    }
  })

  test('are returned token for token as parameters of revisions, after an upload and after an import', async () => {
    const texts = new JsonTexts(SEED + 2)
    const configs = Array.from({ length: REVISION_COUNT }, () => ({
      name: texts.string(),
      parameters: texts.object(5),
    }))
    const bodies = configs.map(({ name, parameters }, index) => ({
      loose: `{"revision":${index}, "config":{"config_name":${name},"parameters":${parameters.loose}},"modified_by":${name},"created_at":"2026-01-01T00:00:00.000Z"}`,
      expected: `{"revision":${index},"modified_by":${name},"config":{"config_name":${name},"parameters":${parameters.compact}},"created_at":"2026-01-01T00:00:00.000Z"}`,
    }))
    for (const { loose } of bodies) await post('/api/variants/http/revisions', 'application/json', loose)
    const file = join(folder, 'revisions.json')
    writeFileSync(file, `[${bodies.map(({ loose }) => loose).join(',')}]`)
    await runOnStore('import', file, '--variant', 'imported')
    for (const id of ['http', 'imported']) {
      const { text } = await sendRequest(baseUrl, `/api/variants/${id}/revisions?format=ndjson`, {
        authorization: key,
      })
      assert.equal(text, bodies.map(({ expected }) => `${expected}\n`).join(''))
    }
  })
})

describe('an export that is imported into an empty store and exported again', {
  skip: fullOnly('starts many commands', 'postgres'),
}, () => {
  const evaluators = '[{"name":"e","threshold":1.0}]'
  const tags = String.raw`["z","\u0061 \"b\"","💡"]`
  const metadata = String.raw`{"10":1e400,"9":"\ud800","__proto__":{"a":-0}}`

  test('setup creates an evaluation with all members', async () => {
    const body = `{"id":"whole","name":"Whöle 💡","variant_id":"http","revision":7,"baseline_id":"gone","family":"main","label":"shört","provider":"echo","source":"test","created_at":"2026-02-03 04:05:06+01:00","status":"running","expected_count":1E3,"tags":${tags},"evaluators":${evaluators},"metadata":${metadata}}`
    await post('/api/evaluations', 'application/json', body)
    await post(scenariosPath('whole'), 'application/x-ndjson', ndjsonBody)
    const headers = { authorization: key, 'content-type': 'application/json' }
    const response = await sendRequest(
      baseUrl,
      `${scenariosPath('whole')}/s3`,
      headers,
      'PATCH',
      '{"is_pinned":true,"note":"look \\u0041gain"}',
    )
    assert.equal(response.status, 200)
  })

  for (const flags of [['--format', 'json'], ['--format', 'ndjson'], ['--full']]) {
    test(`has the same bytes with ${flags.join(' ')}`, {
      skip: !flags.includes('--full') && fullOnly('starts four commands per format'),
    }, async () => {
      const { url: otherUrl } = await createStoreLocation()
      const [firstFile, secondFile] = [join(folder, 'first'), join(folder, 'second')]
      await runOnStore('export', 'whole', ...flags, '--output', firstFile)
      const importResult = await runAssay(['import', firstFile, '--database', otherUrl])
      assert.equal(importResult.code, 0, importResult.stderr)
      const exportResult = await runAssay([
        'export',
        'whole',
        ...flags,
        '--output',
        secondFile,
        '--database',
        otherUrl,
      ])
      assert.equal(exportResult.code, 0, exportResult.stderr)
      assert.ok(readFileSync(firstFile).equals(readFileSync(secondFile)))
      assert.equal(
        (await runOnStore('export', 'whole', ...flags)).length,
        readFileSync(firstFile, 'utf8').length,
      )
      const checkResult = await runAssay(['check', '--database', otherUrl])
      assert.equal(checkResult.code, 0, checkResult.stdout)
    })
  }

  test('restores the evaluation and its revision with --full', async () => {
    const { flags } = await createStoreLocation()
    const file = join(folder, 'full')
    await runOnStore('export', 'whole', '--full', '--output', file)
    const [header = ''] = readFileSync(file, 'utf8').split('\n')
    assert.ok(header.includes(`"evaluators":${evaluators},"metadata":${metadata}`))
    assert.equal((await runAssay(['import', file, ...flags])).code, 0)
    const secondImport = await runAssay(['import', file, ...flags, '--json'])
    assert.partialDeepStrictEqual(JSON.parse(secondImport.stdout), {
      accepted: 0,
      unchanged: SCENARIO_COUNT,
      accepted_revisions: 0,
      unchanged_revisions: 1,
    })
    const exportResult = await runAssay(['export', 'whole', '--full', ...flags])
    assert.equal(exportResult.stdout.split('\n')[0], header)
  })
})

test('derived data is consistent with the written data', async () => {
  assert.match(await runOnStore('check'), /No errors\./)
})
