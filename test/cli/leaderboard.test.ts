// Tests of assay leaderboard: text, JSON and CSV, on a store and on a service.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Leaderboard } from '../../src/schema/analysis/leaderboards.ts'
import { runAssayCommand } from '../support/command-runner/run.ts'
import { createSampleStore, createTempFolder, createTestKey, startTestService } from '../support/harness.ts'
import { schemaErrors, sendRequest } from '../support/http.ts'

const store = await createSampleStore()
const { baseUrl } = await startTestService(store)
const { key } = await createTestKey(store)
const folder = createTempFolder()

const run = (...args: string[]) => runAssayCommand(['leaderboard', ...args, ...store.flags])
const runRemotely = (...args: string[]) =>
  runAssayCommand(['leaderboard', ...args], { ASSAY_URL: baseUrl, ASSAY_KEY: key })
const IDS = ['support-answer-r4', 'support-answer-r5', 'support-answer-r6']
const READ = `/api/leaderboards?${IDS.map((id) => `evaluation=${id}`).join('&')}&on=answer_correct`

async function importRows(args: string[], scores: Record<string, number[]>): Promise<void> {
  for (const [id, passes] of Object.entries(scores)) {
    const file = join(folder, `${id}.ndjson`)
    const lines = passes.map((value, row) =>
      JSON.stringify({
        id: `r${row}`,
        inputs: [{ name: 'q', type: 'text', value: `q${row}` }],
        results: [{ evaluator_config: 'exact', result: { type: 'number', value } }],
      }),
    )
    writeFileSync(file, `${lines.join('\n')}\n`)
    const { code, stderr } = await runAssayCommand([
      'import',
      file,
      '--evaluation',
      id,
      ...args,
      ...store.flags,
    ])
    assert.deepEqual([code, stderr], [0, ''])
  }
}

test('the same on a store and on a service, as text, JSON and CSV', async () => {
  for (const format of [[], ['--json'], ['--format', 'csv'], ['--format', 'csv', '--csv', 'excel']]) {
    const args = [...IDS, '--on', 'answer_correct', ...format]
    const local = await run(...args)
    assert.deepEqual([local.code, local.stderr], [0, ''])
    assert.deepEqual(await runRemotely(...args), local)
  }
})

test('--json and --format csv print the responses of the API', async () => {
  const read = async (query: string) =>
    (await sendRequest(baseUrl, READ + query, { authorization: key })).text
  const args = [...IDS, '--on', 'answer_correct']
  const { stdout } = await run(...args, '--json')
  assert.equal(stdout, `${await read('')}\n`)
  assert.deepEqual(schemaErrors('Leaderboard', JSON.parse(stdout)), [])
  assert.equal((await run(...args, '--format', 'json')).stdout, stdout)
  assert.equal((await run(...args, '--format', 'csv')).stdout, await read('&format=csv'))
})

test('--variant ranks the evaluations of a variant, by id or by name', async () => {
  const { stdout } = await run('--variant', 'support-answer', '--json')
  const { evaluations } = JSON.parse(stdout) as Leaderboard
  assert.ok(evaluations.length >= 3)
  assert.ok(evaluations.every(({ variant_id }) => variant_id === 'support-answer'))
})

test('names select evaluations, and one argument a family', async () => {
  const file = join(folder, 'family.json')
  const result = (promptIdx: number, testIdx: number, success: boolean) => ({
    promptIdx,
    testIdx,
    success,
    score: Number(success),
    vars: { q: `q${testIdx}` },
    testCase: { vars: { q: `q${testIdx}` } },
    prompt: { raw: 'x', label: 'x' },
    provider: { id: `model-${promptIdx}` },
    response: { output: 'x' },
    gradingResult: { pass: success, score: Number(success), componentResults: [] },
  })
  const results = [0, 1].flatMap((prompt) =>
    Array.from({ length: 30 }, (_, row) => result(prompt, row, row < 12 + 15 * prompt)),
  )
  const prompts = [0, 1].map((prompt) => ({ raw: 'x', label: 'x', provider: `model-${prompt}`, metrics: {} }))
  const version = { version: 3, timestamp: '2026-11-01T00:00:00.000Z', prompts, results, stats: {} }
  writeFileSync(file, JSON.stringify({ evalId: 'e', results: version, config: {} }))
  const imported = await runAssayCommand(['import', file, '--evaluation', 'main', ...store.flags])
  assert.equal(imported.code, 0, imported.stderr)
  const { evaluations } = JSON.parse((await run('main', '--json')).stdout) as Leaderboard
  assert.deepEqual(
    evaluations.map(({ id, provider, rank }) => [id, provider, rank]),
    [
      ['main:1', 'model-1', [1, 1]],
      ['main:0', 'model-0', [2, 2]],
    ],
  )
  assert.match((await run('main')).stdout, /'.*model-1.*' is certainly better than all others\./)
})

test('numbers have means, an evaluator without a declared direction has the highest first', async () => {
  await importRows([], {
    low: Array.from({ length: 20 }, (_, row) => row / 10),
    high: Array.from({ length: 20 }, (_, row) => row / 10 + 1 + (row % 3) / 10),
  })
  const { stdout } = await run('low', 'high', '--on', 'exact', '--join', 'id')
  assert.equal(
    stdout,
    `exact of 2 evaluations, over the 20 rows that have a score in all of them.
'high' is certainly better than all others.

      rank   mean   95 % interval  change  cost  latency
high     1  2.045  1.764 to 2.326             -        -
low      2  0.950  0.673 to 1.227  -1.095     -        -  worse
`,
  )
})

test('fails with a hint if nothing can be ranked', async () => {
  await importRows([], { unrelated: [1, 2, 3] })
  const { code, stderr } = await run('low', 'support-answer-r4', '--on', 'exact')
  assert.equal(code, 1)
  assert.match(stderr, /^assay: Fewer than two of the evaluations have results of 'exact'\./)
  for (const [args, message] of [
    [['nowhere'], /'nowhere' is not a family of several evaluations\. Name two or more/],
    [['low'], /'low' is not a family/],
    [['low', 'high', '--on', 'unknown'], /unknown/],
  ] as const) {
    const wrong = await run(...args)
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, message)
    assert.equal((await runRemotely(...args)).code, 2)
  }
  assert.match((await run('low', 'nowhere')).stderr, /has no evaluation 'nowhere'/)
})
