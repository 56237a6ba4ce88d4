// Tests that commands accept the name of an evaluation or variant instead of its id, on a store and over HTTP.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Evaluation } from '../../../src/schema/evaluations.ts'
import { runAssayCommand } from '../../support/command-runner/run.ts'
import {
  type CommandResult,
  createTempFolder,
  createTestKey,
  createTestStore,
  startTestService,
} from '../../support/harness.ts'

const store = await createTestStore()
const { baseUrl } = await startTestService(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const runLocally = (...args: string[]) => runAssayCommand([...args, ...store.flags])
const runRemotely = (...args: string[]) => runAssayCommand(args, { ASSAY_URL: baseUrl, ASSAY_KEY: key })

const folder = createTempFolder()
async function importFile(path: string, text: string, ...flags: string[]): Promise<void> {
  const file = join(folder, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
  const { code, stderr } = await runLocally('import', file, ...flags)
  assert.equal(code, 0, stderr)
}

const table = (correct: number) =>
  `question,answer,correct,by_person\n${Array.from({ length: 8 }, (_, row) => `q${row},x,${row < correct},true\n`).join('')}`
await importFile('a.csv', table(3))
await importFile('b.csv', table(5))
for (const [index, path] of ['one/same.csv', 'two/same.csv'].entries()) await importFile(path, table(index))
// The id of one evaluation is the name of another one.
await importFile('c.csv', table(7), '--evaluation', 'a.id')
await importFile('other/a.id.csv', table(8))
const revisions = ['x', 'y'].map((model) => ({
  modified_by: 'ana',
  config: { config_name: 'c', parameters: { model } },
}))
await importFile('revisions.json', JSON.stringify(revisions), '--variant', 'v-1')
const response = await fetch(`${baseUrl}/api/variants/v-1`, {
  method: 'PATCH',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: '{"name":"Answer bot"}',
})
assert.equal(response.status, 200, await response.text())

const listed: Evaluation[] = JSON.parse((await runLocally('list', '--json')).stdout)
const idOf = (name: string) => listed.find((evaluation) => evaluation.name === name)?.id ?? ''
const [a, b] = [idOf('a'), idOf('b')]
assert.ok(a !== '' && a !== 'a' && b !== '' && b !== 'b')

/** The key of a share link is another one each time. */
const withoutKey = ({ stdout, ...result }: CommandResult) => ({
  ...result,
  stdout: stdout.replace(/#key=\S+/, ''),
})

const COMMANDS: [named: string[], exact: string[]][] = [
  [
    ['compare', 'a', 'b', '--json'],
    ['compare', a, b, '--json'],
  ],
  [
    ['compare', a, 'b'],
    ['compare', a, b],
  ],
  [
    ['show', 'a'],
    ['show', a],
  ],
  [
    ['show', 'a', '--filter', 'delta.correct=gt.0', '--base', 'b'],
    ['show', a, '--filter', 'delta.correct=gt.0', '--base', b],
  ],
  [
    ['export', 'b'],
    ['export', b],
  ],
  [
    ['export', 'b', '--full'],
    ['export', b, '--full'],
  ],
  [
    ['breakdown', 'b', '--by', 'result.correct', '--base', 'a'],
    ['breakdown', b, '--by', 'result.correct', '--base', a],
  ],
  [
    ['leaderboard', 'a', 'b'],
    ['leaderboard', a, b],
  ],
  [
    ['agreement', 'a', '--evaluator', 'correct', '--with', 'by_person'],
    ['agreement', a, '--evaluator', 'correct', '--with', 'by_person'],
  ],
  [
    ['share', 'a', '--public-url', 'https://x.example'],
    ['share', a, '--public-url', 'https://x.example'],
  ],
  [
    ['share', 'a', 'b', '--public-url', 'https://x.example'],
    ['share', a, b, '--public-url', 'https://x.example'],
  ],
  [
    ['share', '--variant', 'Answer bot', '--public-url', 'https://x.example'],
    ['share', '--variant', 'v-1', '--public-url', 'https://x.example'],
  ],
  [
    ['show', '--variant', 'Answer bot'],
    ['show', '--variant', 'v-1'],
  ],
  [
    ['revisions', 'Answer bot'],
    ['revisions', 'v-1'],
  ],
  [
    ['diff', 'Answer bot', '1', '2'],
    ['diff', 'v-1', '1', '2'],
  ],
]

for (const [place, run] of [
  ['a store', runLocally],
  ['a service', runRemotely],
] as const)
  describe(`on ${place}`, () => {
    for (const [named, exact] of COMMANDS)
      test(`assay ${named.join(' ').replaceAll(a, 'ID')}`, async () => {
        const expected = withoutKey(await run(...exact))
        assert.ok(expected.code === 0 && expected.stdout !== '', expected.stderr)
        assert.deepEqual(withoutKey(await run(...named)), expected)
      })

    test('an id is preferred to a name', async () => {
      const evaluation: Evaluation = JSON.parse((await run('show', 'a.id', '--json')).stdout)
      assert.equal(evaluation.id, 'a.id')
    })

    test('a name of several evaluations is an error that lists their ids', async () => {
      const { code, stderr } = await run('export', 'same')
      assert.equal(code, 1)
      const ids = listed.filter(({ name }) => name === 'same').map(({ id }) => `'${id}'`)
      assert.equal(ids.length, 2)
      assert.match(
        stderr,
        new RegExp(`several evaluations with the name 'same': ${ids.join(', ')}\\.\nUse one of these ids`),
      )
    })

    test('assay delete accepts an id only', async () => {
      for (const args of [['a'], ['--variant', 'Answer bot']]) {
        const { code, stderr } = await run('delete', ...args)
        assert.equal(code, 1)
        assert.match(stderr, /has no (evaluation 'a'|variant 'Answer bot')\./)
      }
    })
  })
