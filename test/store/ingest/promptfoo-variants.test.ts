// Tests which variants the columns of promptfoo files get from run to run, by importing the runs into a store.
import assert from 'node:assert/strict'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTempFolder, createTestStore } from '../../support/harness.ts'
import { importInto, storedEvaluation } from '../../support/import-file.ts'
import { fullOnly } from '../../support/options.ts'

const store = await createTestStore()
const folder = createTempFolder()
let runCount = 0

const STATUS_NAMES = 'Status,Score,Named Scores,Grader Reason,Comment'

/** A CSV file with columns such as `prompt × provider`. Every run has a folder of its own, and the same file name.
 * The content contains the number of the run, because equal files are the same run. */
function writeCsvRun(name: string, columns: string[]): string {
  runCount += 1
  const header = columns.map((column) => {
    const [label, provider] = column.split(' × ')
    return `[${provider}] ${label},${STATUS_NAMES}`
  })
  const runFolder = join(folder, `run-${runCount}`)
  mkdirSync(runFolder)
  const file = join(runFolder, `${name}.csv`)
  const cells = columns.map((column) => `${column},PASS,1.00,,,`)
  writeFileSync(file, `x,${header.join(',')}\n${runCount},${cells.join(',')}\n`)
  const time = Date.UTC(2026, 0, 1) / 1000 + runCount
  utimesSync(file, time, time)
  return file
}

/** A file with columns such as `prompt × provider`, `prompt × provider × temperature` or `prompt × provider (label)`. */
function writeRun(description: string, columns: string[], id?: string): string {
  runCount += 1
  const evalId = id ?? `eval-${runCount}`
  const parsed = columns.map((column) => {
    const [label = '', provider = '', temperature] = column.split(' × ')
    const [, id = '', providerLabel] = /^(\S+)(?: \((.*)\))?$/.exec(provider) ?? []
    return { label, id, providerLabel, temperature }
  })
  const prompts = parsed.map(({ label, id, providerLabel }) => ({
    raw: `Prompt ${label}`,
    label,
    provider: providerLabel ?? id,
  }))
  const providers = parsed.map(({ id, providerLabel: label, temperature }) => ({
    id,
    ...(label && { label }),
    ...(temperature && { config: { temperature, apiKey: 'sk-0123456789' } }),
  }))
  const results = columns.map((_, promptIdx) => ({
    id: `row-${promptIdx}`,
    promptIdx,
    testIdx: 0,
    vars: { x: 1 },
    response: { output: 'y' },
    success: true,
  }))
  const timestamp = new Date(Date.UTC(2026, 0, 1) + runCount * 1000).toISOString()
  const file = join(folder, `${evalId}.json`)
  // Equal providers are written once.
  const distinct = [...new Map(providers.map((provider) => [JSON.stringify(provider), provider])).values()]
  writeFileSync(
    file,
    JSON.stringify({
      evalId,
      results: { version: 3, timestamp, prompts, results },
      config: { description, providers: distinct },
    }),
  )
  return file
}

/** The variants of a run without the description, and their revisions, such as `:0 r1`. */
async function importRun(file: string, description: string, ...flags: string[]): Promise<string[]> {
  const report = await importInto(store, file, ...flags)
  assert.deepEqual(report.refusals, [])
  const variants: string[] = []
  for (const { id } of report.evaluations) {
    const { evaluation } = await storedEvaluation(store, id)
    const variant = evaluation.variant_id ?? ''
    assert.ok(variant.startsWith(description), variant)
    variants.push(`${variant.slice(description.length)} r${evaluation.revision}`.trim())
  }
  return variants
}

for (const [what, ...runs] of [
  [
    'a column in front',
    [
      ['A × x', 'B × x'],
      [':0 r1', ':1 r1'],
    ],
    [
      ['NEW × x', 'A × x', 'B × x'],
      [':2 r1', ':0 r1', ':1 r1'],
    ],
    // The next run has the same columns with edited prompts.
    [
      ['NEW 2 × x', 'A 2 × x', 'B 2 × x'],
      [':2 r2', ':0 r2', ':1 r2'],
    ],
  ],
  [
    'a column in the middle',
    [
      ['A × x', 'B × x'],
      [':0 r1', ':1 r1'],
    ],
    [
      ['A × x', 'NEW × x', 'B × x'],
      [':0 r1', ':2 r1', ':1 r1'],
    ],
  ],
  [
    'a removed column that returns',
    [
      ['A × x', 'B × x', 'C × x'],
      [':0 r1', ':1 r1', ':2 r1'],
    ],
    [
      ['B × x', 'C × x'],
      [':1 r1', ':2 r1'],
    ],
    // The removed column does not prevent that edited prompts are matched.
    [
      ['B 2 × x', 'C 2 × x'],
      [':1 r2', ':2 r2'],
    ],
    [
      ['A × x', 'B 2 × x', 'C 2 × x'],
      [':0 r1', ':1 r2', ':2 r2'],
    ],
  ],
  [
    'another order',
    [
      ['A × x', 'B × x', 'A × y', 'B × y'],
      [':0 r1', ':1 r1', ':2 r1', ':3 r1'],
    ],
    [
      ['B × y', 'A × y', 'B × x', 'A × x'],
      [':3 r1', ':2 r1', ':1 r1', ':0 r1'],
    ],
  ],
  [
    'an edited prompt',
    [
      ['A × x', 'B × x'],
      [':0 r1', ':1 r1'],
    ],
    [
      ['A 2 × x', 'B × x'],
      [':0 r2', ':1 r1'],
    ],
    [
      ['B × x', 'A 3 × x'],
      [':1 r1', ':0 r3'],
    ],
  ],
  [
    'another model',
    [
      ['A × x', 'A × y'],
      [':0 r1', ':1 r1'],
    ],
    [
      ['A × x', 'A × z'],
      [':0 r1', ':1 r2'],
    ],
    [
      ['A × v', 'A × w'],
      [':0 r2', ':1 r3'],
    ],
  ],
  [
    'an edited prompt and an added provider',
    [
      ['A × x', 'A × y'],
      [':0 r1', ':1 r1'],
    ],
    [
      ['A 2 × new', 'A 2 × x', 'A 2 × y'],
      [':2 r1', ':0 r2', ':1 r2'],
    ],
  ],
  [
    // Which of the two is the edited one cannot be known.
    'an edited and an added prompt',
    [
      ['A × x', 'B × x'],
      [':0 r1', ':1 r1'],
    ],
    [
      ['NEW × x', 'A 2 × x', 'B × x'],
      [':2 r1', ':3 r1', ':1 r1'],
    ],
  ],
  [
    'one column, then several, then one',
    [['A × x'], ['r1']],
    [
      ['A × x', 'B × x'],
      ['r1', ':1 r1'],
    ],
    [['B × x'], [':1 r1']],
    [['A × x'], ['r1']],
    [['A 2 × x'], ['r2']],
    [['A 3 × y'], ['r3']],
  ],
  [
    'equal labels and providers with other settings',
    [
      ['A × x × 0', 'A × x × 1'],
      [':0 r1', ':1 r1'],
    ],
    [
      ['A × x × 0.5', 'A × x × 1', 'A × x × 0'],
      [':2 r1', ':1 r1', ':0 r1'],
    ],
    [
      ['A × x × 0.6', 'A × x × 1', 'A × x × 0'],
      [':2 r2', ':1 r1', ':0 r1'],
    ],
  ],
  [
    'labels of one provider',
    [
      ['A × x (low)', 'A × x (high)'],
      [':0 r1', ':1 r1'],
    ],
    [
      ['A × x (middle)', 'A × x (high)', 'A × x (low)'],
      [':2 r1', ':1 r1', ':0 r1'],
    ],
  ],
] as [what: string, ...runs: [columns: string[], variants: string[]][]][]) {
  const importRuns = async (writeFile: typeof writeRun, name: string, ...flags: string[]) => {
    const files: [file: string, variants: string[]][] = []
    for (const [columns, variants] of runs) {
      const file = writeFile(name, columns)
      assert.deepEqual(await importRun(file, name, ...flags), variants, columns.join(', '))
      files.push([file, variants])
    }
    return files
  }
  test(`continues histories after ${what}, and importing the files again changes nothing`, async () => {
    for (const [file, variants] of await importRuns(writeRun, what))
      assert.deepEqual(await importRun(file, what), variants)
  })

  // CSV files contain no settings and no labels of providers.
  if (runs.flatMap(([columns]) => columns).every((column) => !/ × .*[ (]/.test(column)))
    test(`continues histories in CSV files after ${what}`, {
      skip: fullOnly('the columns of CSV files are matched like those of JSON files'),
    }, async () => {
      const name = `CSV: ${what}`
      for (const [file, variants] of await importRuns(writeCsvRun, name))
        assert.deepEqual(await importRun(file, name), variants)
      // A run with one column is named after the file only, so that it replaces the one before.
      if (runs.every(([columns]) => columns.length > 1))
        await importRuns(writeCsvRun, `${name}, replaced`, '--on-conflict', 'replace')
    })
}

test('continues the variants of labeled files when one is edited and another is inserted in front', async () => {
  const runOf = (name: string) =>
    fileURLToPath(new URL(`../../fixtures/import/promptfoo/${name}`, import.meta.url))
  assert.deepEqual(await importRun(runOf('labeled-run.json'), 'Labeled greetings'), [':0 r1', ':1 r1'])
  assert.deepEqual(await importRun(runOf('labeled-run-edited.json'), 'Labeled greetings'), [
    ':2 r1',
    ':0 r2',
    ':1 r1',
  ])
})

test('uses the variant of --variant for one column, and its family for several', async () => {
  const importAs = (...columns: string[]) => importRun(writeRun('d', columns), 'mine', '--variant', 'mine')
  assert.deepEqual(await importAs('A × x'), ['r1'])
  assert.deepEqual(await importAs('B × x', 'A × x'), [':1 r1', 'r1'])
  assert.deepEqual(await importAs('B × x'), ['r2'])
})

test('does not confuse families whose names begin with the same text', async () => {
  assert.deepEqual(await importRun(writeRun('Suite:a', ['A × x', 'B × x']), 'Suite:a'), [':0 r1', ':1 r1'])
  assert.deepEqual(await importRun(writeRun('Suite', ['A × x', 'B × x']), 'Suite'), [':0 r1', ':1 r1'])
})

test('keeps the variant of a stored evaluation when the description changes', async () => {
  const id = 'eval-with-new-description'
  await importRun(writeRun('before', ['A × x', 'B × x'], id), 'before')
  assert.deepEqual(await importRun(writeRun('after', ['A × x', 'B × x'], id), 'before'), [':0 r1', ':1 r1'])
})
