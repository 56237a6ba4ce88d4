// Tests of assay import and assay compare with families: the evaluations of one promptfoo file with several prompts or providers.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Evaluation } from '../../src/schema/evaluations.ts'
import type { Gate } from '../../src/schema/gate.ts'
import type { ImportReport } from '../../src/schema/imports.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { createStoreLocation, createTempFolder } from '../support/harness.ts'

const { flags } = await createStoreLocation('sqlite')

interface Column {
  label: string
  provider?: string
  /** How many of the ten tests fail. */
  failed?: number
}

let runCount = 0

/** Imports a promptfoo file with these columns. Each run has new ids. */
async function importRun(evaluation: string, columns: Column[], ...args: string[]): Promise<ImportReport> {
  runCount += 1
  const prompts = columns.map(({ label, provider = 'echo' }) => ({ raw: `${label} text`, label, provider }))
  const results = columns.flatMap(({ failed = 0 }, promptIdx) =>
    Array.from({ length: 10 }, (_, testIdx) => ({
      id: `run-${runCount}-${promptIdx}-${testIdx}`,
      testIdx,
      promptIdx,
      vars: { question: `Question ${testIdx}` },
      response: { output: `Answer ${testIdx}` },
      success: testIdx >= failed,
      failureReason: testIdx >= failed ? 0 : 1,
    })),
  )
  const file = join(createTempFolder(), 'results.json')
  writeFileSync(
    file,
    JSON.stringify({ evalId: `eval-${runCount}`, results: { version: 3, prompts, results } }),
  )
  const command = ['import', file, '--evaluation', evaluation, '--json', ...args, ...flags]
  const { code, stdout, stderr } = await runAssay(command)
  assert.equal(code, 0, stderr)
  return (JSON.parse(stdout) as { files: [ImportReport] }).files[0]
}

async function show(id: string): Promise<Evaluation> {
  const { code, stdout, stderr } = await runAssay(['show', id, '--json', ...flags])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Evaluation
}

interface Document {
  gate: { decision: Gate['decision']; reasons: string[]; added: string[] }
  comparisons: { evaluations: { id: string }[] }[]
}

async function decide(baseline: string, candidate: string) {
  const args = ['compare', baseline, candidate, '--fail-on-regression', '--json', ...flags]
  const { code, stdout } = await runAssay(args)
  const { gate, comparisons } = JSON.parse(stdout) as Document
  return { code, gate, pairs: comparisons.map(({ evaluations }) => evaluations.map(({ id }) => id)) }
}

await importRun('main', [{ label: 'short' }, { label: 'long' }])

test('compares each member with the one of the same label, although a prompt was inserted first', async () => {
  await importRun('pr-1', [{ label: 'new', failed: 9 }, { label: 'short' }, { label: 'long' }])
  const { code, gate, pairs } = await decide('main', 'pr-1')
  assert.deepEqual(
    [code, gate.decision, pairs],
    [
      0,
      'passed',
      [
        ['main:0', 'pr-1:1'],
        ['main:1', 'pr-1:2'],
      ],
    ],
  )
  assert.deepEqual(gate.added, ["'pr-1:0' (new, echo) is new: the baseline does not have it."])
})

test('fails if one member is worse, and names it', async () => {
  await importRun('pr-2', [{ label: 'long', failed: 8 }, { label: 'short' }])
  const { code, gate } = await decide('main', 'pr-2')
  assert.deepEqual([code, gate.decision], [1, 'failed'])
  assert.match(
    gate.reasons.join('\n'),
    /^'pr-2:0' \(long, echo\): '\S+' is certainly worse: observed loss 80 points/,
  )
})

test('is invalid if the candidate lacks a member of the baseline', async () => {
  await importRun('pr-3', [{ label: 'short' }, { label: 'other' }])
  const { code, gate, pairs } = await decide('main', 'pr-3')
  assert.deepEqual([code, gate.decision, pairs], [3, 'invalid', [['main:0', 'pr-3:0']]])
  assert.match(gate.reasons.join('\n'), /^'main:1' \(long, echo\) has no match in 'pr-3'\. /)
  const report = await runAssay(['compare', 'main', 'pr-3', ...flags])
  assert.equal(report.code, 0, report.stderr)
  assert.match(
    report.stdout,
    /^- 'main:1' \(long, echo\) has no match .*\n- 'pr-3:1' \(other, echo\) is new: .*\n\npr-3:0 and main:0 are tied/,
  )
})

test('matches members by their provider too', async () => {
  const columns = [
    { label: 'short', provider: 'a' },
    { label: 'short', provider: 'b' },
  ]
  await importRun('models', columns)
  await importRun('models-reversed', columns.toReversed())
  assert.deepEqual((await decide('models', 'models-reversed')).pairs, [
    ['models:0', 'models-reversed:1'],
    ['models:1', 'models-reversed:0'],
  ])
})

test('matches a run with one prompt with a run that has two', async () => {
  await importRun('single', [{ label: 'short' }])
  await importRun('double', [{ label: 'long' }, { label: 'short', failed: 9 }])
  const { code, pairs } = await decide('single', 'double')
  assert.deepEqual([code, pairs], [1, [['single', 'double:1']]])
})

test('an evaluation with exactly this id is compared alone', async () => {
  await importRun('exact', [{ label: 'short' }, { label: 'long' }])
  await importRun('exact:0:copy', [{ label: 'short' }])
  assert.deepEqual((await decide('exact:0', 'exact:0:copy')).pairs, [['exact:0', 'exact:0:copy']])
})

test('an id that is neither an evaluation nor a family is reported', async () => {
  const { code, stderr } = await runAssay(['compare', 'main', 'nowhere', ...flags])
  assert.equal(code, 1)
  assert.match(stderr, /no evaluation 'nowhere'/)
})

test('--replace deletes the members that the file no longer has', async () => {
  await importRun('pushed', [{ label: 'short' }, { label: 'long' }, { label: 'third' }])
  const report = await importRun('pushed', [{ label: 'long' }], '--replace')
  assert.deepEqual(report.deleted, ['pushed:0', 'pushed:1', 'pushed:2'])
  assert.deepEqual([(await show('pushed')).label, (await show('pushed')).scenario_count], ['long', 10])
  const again = await importRun('pushed', [{ label: 'short' }, { label: 'long', failed: 8 }], '--replace')
  assert.deepEqual(again.deleted, ['pushed'])
  const { code, pairs } = await decide('main', 'pushed')
  assert.deepEqual(
    [code, pairs],
    [
      1,
      [
        ['main:0', 'pushed:0'],
        ['main:1', 'pushed:1'],
      ],
    ],
  )
})

test('--replace gives a prompt that moved to another number its own variant', async () => {
  await importRun('moved', [{ label: 'short' }, { label: 'long' }], '--variant', 'bot')
  const [short, long] = [await show('moved:0'), await show('moved:1')]
  const columns = [{ label: 'new' }, { label: 'short' }, { label: 'long' }]
  await importRun('moved', columns, '--variant', 'bot', '--replace')
  const [inserted, second, third] = [await show('moved:0'), await show('moved:1'), await show('moved:2')]
  assert.deepEqual([second.variant_id, third.variant_id], [short.variant_id, long.variant_id])
  assert.ok(![short.variant_id, long.variant_id].includes(inserted.variant_id))
  assert.deepEqual([inserted.label, second.label, third.label], ['new', 'short', 'long'])
})

test('--baseline sets the baseline of each member of a family', async () => {
  const columns = [{ label: 'new' }, { label: 'long' }, { label: 'short' }]
  await importRun('based', columns, '--baseline', 'main')
  assert.deepEqual(
    [
      (await show('based:0')).baseline_id,
      (await show('based:1')).baseline_id,
      (await show('based:2')).baseline_id,
    ],
    [null, 'main:1', 'main:0'],
  )
  await importRun('based-alone', [{ label: 'other' }], '--baseline', 'single')
  assert.equal((await show('based-alone')).baseline_id, 'single')
})
