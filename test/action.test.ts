// Bundles the GitHub Action and runs it on a real service. npm run test:action does the same with promptfoo and a repository.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseYaml } from '@redocly/openapi-core'
import { bundleAction } from '../package/action.ts'
import type { EvaluationScenario } from '../src/schema/scenarios.ts'
import { type Result, readAction, runAction } from './action/runner.ts'
import { createTempFolder, createTestKey, createTestStore, startTestService } from './support/harness.ts'
import { fullOnly } from './support/options.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const store = await createTestStore()
const { baseUrl } = await startTestService(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const folder = createTempFolder()
const workspace = join(folder, 'workspace')
mkdirSync(workspace)
const actionPath = join(folder, 'action')
for (const file of ['action.yml', 'package.json']) cpSync(join(ROOT, file), join(actionPath, file))
await bundleAction(join(actionPath, 'action/dist'))

/** Runs the action for a commit. */
function run(sha: string, inputs: Record<string, string>, env: Record<string, string> = {}): Promise<Result> {
  return runAction(
    { url: baseUrl, key, files: 'results.json', ...inputs },
    {
      workspace,
      actionPath,
      runnerNode: process.execPath,
      temp: join(folder, 'temp'),
      env: { HOME: folder, ...env },
      contexts: { github: { sha } },
    },
  )
}

const fixture = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/import/promptfoo/echo-run.json'), 'utf8'))
let fileCount = 0

/** Writes a file of promptfoo with a column per list of checks, and a test per check. */
function writeResults(columns: boolean[][], name = 'results.json'): void {
  fileCount += 1
  const [prompt] = fixture.results.prompts
  const [row] = fixture.results.results
  const [component] = row.gradingResult.componentResults
  const results = columns.flatMap((checks, promptIdx) =>
    checks.map((pass, testIdx) => ({
      ...row,
      id: `${fileCount}-${promptIdx}-${testIdx}`,
      promptIdx,
      testIdx,
      vars: { name: `customer ${testIdx}` },
      success: pass,
      score: Number(pass),
      namedScores: {},
      gradingResult: {
        ...row.gradingResult,
        pass,
        score: Number(pass),
        namedScores: {},
        componentResults: [{ ...component, pass, score: Number(pass) }],
      },
    })),
  )
  const prompts = columns.map((_, index) => ({ ...prompt, provider: `model ${index}` }))
  const file = { ...fixture, evalId: `eval-${fileCount}`, results: { ...fixture.results, prompts, results } }
  writeFileSync(join(workspace, name), JSON.stringify(file))
}

async function listEvaluations(): Promise<string[]> {
  const response = await fetch(`${baseUrl}/api/evaluations`, { headers: { authorization: key } })
  const evaluations = (await response.json()) as { id: string }[]
  return evaluations.map(({ id }) => id).sort()
}

test('a regression fails the job with a report, and a fix passes', async (t) => {
  writeResults([[true, true, true, false]])
  const baseline = await run('commit-1', {})
  assert.equal(baseline.code, 0, baseline.log)
  assert.deepEqual([baseline.summary, baseline.outputs], ['', {}])

  writeResults([[true, false, true, false]])
  const regression = await run('commit-2', { baseline: 'commit-1' })
  assert.equal(regression.code, 1, regression.log)
  assert.match(
    regression.summary,
    /^\*\*Gate failed\*\*\n\n- `'\S+' is worse: observed loss 25 points, more than 5 points\. It can be chance: 1 of 4 rows regressed\.`\n/,
  )
  assert.equal(regression.outputs.decision, 'failed')
  assert.match(regression.summary, /^\| `contains` \| 75\.0 % \| 50\.0 % \| -25\.0 pp \|/m)
  assert.ok(
    regression.summary.includes(`](${baseUrl}/evaluations/commit-2/scenarios/2-0-1) | true → false |`),
  )
  assert.match(regression.log, /assay: Gate failed\. .*observed loss 25 points/)
  assert.equal(readFileSync(regression.outputs.report ?? '', 'utf8'), regression.summary)

  await t.test(
    'a second run gives the same result',
    {
      skip: fullOnly('starts several processes'),
    },
    async () => {
      writeResults([[true, false, true, false]])
      const repeated = await run('commit-2', { baseline: 'commit-1' })
      // promptfoo gives every result a new id, here with the number of the file.
      assert.deepEqual(
        [repeated.code, repeated.summary.replaceAll('3-0-1', '2-0-1')],
        [1, regression.summary],
      )
    },
  )

  writeResults([[true, true, true, false]])
  const fix = await run('commit-3', { baseline: 'commit-1' })
  assert.equal(fix.code, 0, fix.log)
  assert.match(fix.summary, /^\*\*Gate passed\*\*\n/)
  assert.equal(fix.outputs.decision, 'passed')
  assert.deepEqual(await listEvaluations(), ['commit-1', 'commit-2', 'commit-3'])
  for (const { log, summary } of [baseline, regression, fix])
    assert.ok(!log.includes(key) && !summary.includes(key))
})

test('each prompt is compared with the one of the same provider, and those that are gone are deleted', {
  skip: fullOnly('starts several processes'),
}, async () => {
  const [pass, fail] = [Array(4).fill(true), Array(4).fill(false)]
  writeResults([pass, pass])
  assert.equal((await run('columns-1', {})).code, 0)
  const inputs = { baseline: 'columns-1', evaluators: 'pass, contains', 'max-loss': '0.2' }
  writeResults([pass, fail, pass])
  const failed = await run('columns-2', inputs)
  assert.deepEqual([failed.code, failed.outputs.decision], [1, 'failed'], failed.log)
  assert.match(failed.summary, /^- `'columns-2:1' \(.*model 1\): 'pass' is worse: observed loss 100 points/m)
  assert.match(failed.summary, /^- `'columns-2:2' \(.*model 2\) is new: the baseline does not have it\.`$/m)
  writeResults([pass])
  const invalid = await run('columns-2', inputs)
  assert.deepEqual([invalid.code, invalid.outputs.decision], [3, 'invalid'], invalid.log)
  assert.match(invalid.summary, /'columns-1:1' \(.*model 1\) has no match in 'columns-2'/)
  assert.deepEqual(
    (await listEvaluations()).filter((id) => id.startsWith('columns-2')),
    ['columns-2'],
  )
})

test('a second run with the same scenario ids replaces results and keeps notes, also with several files', {
  skip: fullOnly('starts several processes'),
}, async () => {
  const writePart = (name: string, value: boolean) =>
    writeFileSync(
      join(workspace, name),
      `{"id":"${name}","results":[{"evaluator_config":"exact","result":{"type":"bool","value":${value}}}]}\n`,
    )
  const inputs = { files: 'part 1.ndjson\npart [2-3].ndjson\n', evaluation: 'parts' }
  const url = `${baseUrl}/api/evaluations/parts/evaluation_scenarios`
  const headers = { authorization: key, 'content-type': 'application/json' }
  for (const value of [true, false]) {
    for (const number of [1, 2, 3]) writePart(`part ${number}.ndjson`, value)
    const { code, log } = await run('commit', inputs)
    assert.equal(code, 0, log)
    const scenarios = (await (await fetch(url, { headers })).json()) as EvaluationScenario[]
    assert.deepEqual(
      scenarios.map(({ note, results }) => [note, results[0]?.result.value]),
      [
        [value ? null : 'Check this.', value],
        [null, value],
        [null, value],
      ],
    )
    const body = JSON.stringify({ note: 'Check this.' })
    const marked = await fetch(`${url}/${scenarios[0]?.id}`, { method: 'PATCH', headers, body })
    assert.equal(marked.status, 200)
  }
})

describe('the job fails with a message', () => {
  const script = '$(touch executed)"; touch executed; \'`touch executed`'
  const cases: [name: string, inputs: Record<string, string>, code: number, message: RegExp][] = [
    ['without a key, as in forks', { key: '' }, 2, /A service needs an API key/],
    [
      'if the baseline does not exist',
      { baseline: 'unknown' },
      3,
      /Gate invalid\. .*no evaluation 'unknown'/,
    ],
    ['if a text contains shell code', { files: script, baseline: script, evaluators: script }, 3, /touch/],
    ['without a URL', { url: '' }, 2, /--url is empty/],
    ['without an evaluation id', { evaluation: '' }, 2, /--evaluation is empty/],
  ]
  const skip = fullOnly('starts several processes')
  for (const [index, [name, inputs, code, message]] of cases.entries())
    test(name, { skip: index > 0 && skip }, async () => {
      writeResults([[true]])
      const result = await run('invalid', inputs)
      assert.equal(result.code, code, result.log)
      assert.match(result.log, message)
      assert.throws(() => readFileSync(join(workspace, 'executed')), { code: 'ENOENT' })
    })

  test('if the files contain no evaluation', { skip }, async () => {
    const revisions = '[{"modified_by":"Maya","config":{"config_name":"first"}}]'
    writeFileSync(join(workspace, 'revisions.json'), revisions)
    const inputs = { files: 'revisions.json', baseline: 'commit-1' }
    const { code, log } = await run('invalid', inputs, { ASSAY_VARIANT: 'bot' })
    assert.equal(code, 3, log)
    assert.match(log, /needs a file with an evaluation, but this file contains none/)
  })
})

test('the docs describe every input in valid YAML', () => {
  const { inputs } = readAction(ROOT)
  const page = readFileSync(join(ROOT, 'docs/how-to/compare-in-ci.md'), 'utf8')
  const blocks = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = '']) => text)
  for (const text of blocks) assert.ok(parseYaml(text))
  const names = Object.keys(inputs)
  assert.deepEqual(
    names.filter((name) => !page.includes(`| \`${name}\` |`)),
    [],
  )
})
