// Tests of the commands that maintain a store: prune, projects, compact and --version.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { addLargeEvaluation } from '../../bench/data.ts'
import { openStoreAt } from '../../bench/store.ts'
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import { checkStore } from '../../src/store/check.ts'
import { createEvaluation } from '../../src/store/evaluations/evaluations.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { addScenarios, fillCorpus, scenario } from '../support/corpus.ts'
import { createStoreLocation, createTestKey } from '../support/harness.ts'

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

describe('assay prune', async () => {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  await store.writer.transaction(async (transaction) => {
    const evaluations: [project: string, id: string, days: number, baseline_id: string | null][] = [
      ['default', 'old', 100, null],
      ['default', 'own baseline', 99, 'own baseline'],
      ['default', 'baseline', 98, null],
      ['default', 'recent', 10, 'baseline'],
      ['other', 'old', 100, null],
    ]
    for (const [name, id, days, baseline_id] of evaluations) {
      const project = await ensureProject(transaction, name)
      const content = parsedValue({ id, created_at: daysAgo(days), baseline_id })
      const key = await createEvaluation(transaction, project, content)
      await addScenarios(transaction, key, [scenario(id, 0), scenario(id, 1)])
    }
  })
  await store.close()
  const listIds = async (...args: string[]) =>
    JSON.parse((await runAssay(['list', '--json', ...flags, ...args])).stdout).map(
      ({ id }: { id: string }) => id,
    )

  test('lists what it would delete in a dry run, and deletes nothing', async () => {
    const { code, stdout } = await runAssay(['prune', '--older-than', '90d', '--dry-run', ...flags])
    assert.equal(code, 0)
    assert.match(
      stdout,
      /^old +\S+ +2 scenarios\nown baseline .+\nbaseline .+\nWould delete 3 evaluations with 6 scenarios, .+ This was a dry run\.\n$/,
    )
    assert.deepEqual(await listIds(), ['recent', 'baseline', 'own baseline', 'old'])
  })

  test('keeps baselines of other evaluations, other projects and recent evaluations', async () => {
    const args = ['prune', '--older-than', '90d', '--keep-baselines', '--json', ...flags]
    const { evaluations, dry_run } = JSON.parse((await runAssay(args)).stdout)
    assert.deepEqual(
      [dry_run, evaluations.map(({ id, scenario_count }: Record<string, unknown>) => [id, scenario_count])],
      [
        false,
        [
          ['old', 2],
          ['own baseline', 2],
        ],
      ],
    )
    assert.deepEqual(await listIds(), ['recent', 'baseline'])
    assert.deepEqual(await listIds('--project', 'other'), ['old'])
    const again = await runAssay(['prune', '--older-than', '90d', '--keep-baselines', ...flags])
    assert.match(again.stdout, /^Deleted 0 evaluations with 0 scenarios/)
    assert.equal((await runAssay(['check', ...flags])).code, 0)
    const changes = JSON.parse(
      (await runAssay(['changes', '--action', 'evaluation.deleted', '--json', ...flags])).stdout,
    )
    assert.equal(changes.length, 2)
  })
})

describe('assay projects', async () => {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  await fillCorpus(store)
  await createTestKey(store, { project: 'other' })
  await createTestKey(store, { project: 'other', expires_at: daysAgo(1) })
  await store.close()
  const listProjects = async () =>
    JSON.parse((await runAssay(['projects', 'list', '--json', ...flags])).stdout)
  const dumpOf = async (id: string) => (await runAssay(['export', id, '--full', ...flags])).stdout

  test('lists projects with what they contain', async () => {
    const counts = (await listProjects()).map(
      ({ created_at: _, ...project }: Record<string, unknown>) => project,
    )
    assert.deepEqual(counts, [
      { name: 'default', evaluations: 5, variants: 4, keys: 0 },
      { name: 'other', evaluations: 2, variants: 2, keys: 1 },
    ])
    const { stdout } = await runAssay(['projects', 'list', ...flags])
    assert.match(
      stdout,
      /^NAME +CREATED +EVALUATIONS +VARIANTS +ACTIVE KEYS\ndefault .+\nother .+ 2 +2 +1\n$/,
    )
  })

  test('deletes a project only with --yes, and leaves the others unchanged', async () => {
    const before = await dumpOf('shared')
    const refused = await runAssay(['projects', 'delete', 'other', ...flags])
    assert.equal(refused.code, 2)
    assert.match(
      refused.stderr,
      /'other' has 2 evaluations, 2 variants and 1 active keys\. Nothing was deleted\.\n.+--yes\.\n$/,
    )
    assert.equal((await listProjects()).length, 2)
    const { code, stdout } = await runAssay(['projects', 'delete', 'other', '--yes', ...flags])
    assert.deepEqual(
      [code, stdout],
      [0, "Deleted the project 'other' with 2 evaluations, 2 variants and 1 active keys.\n"],
    )
    assert.deepEqual(
      (await listProjects()).map(({ name }: { name: string }) => name),
      ['default'],
    )
    assert.equal(await dumpOf('shared'), before)
    assert.equal((await runAssay(['check', ...flags])).code, 0)
    const unknown = await runAssay(['projects', 'delete', 'other', '--yes', ...flags])
    assert.match(unknown.stderr, /^assay: The store has no project 'other'\.\n.+\n$/)
    assert.equal(unknown.code, 1)
    // A new project with the same name is empty.
    const { stdout: changes } = await runAssay(['changes', '--project', 'other', ...flags])
    assert.equal(changes, "The project 'other' has no such changes.\n")
  })
})

test('assay compact makes the file smaller, also while the store is open', async () => {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  for (const id of ['deleted', 'remaining']) await addLargeEvaluation(store, 500, { id })
  assert.equal((await runAssay(['delete', 'deleted', ...flags])).code, 0)
  const { bytes_before, bytes } = JSON.parse((await runAssay(['compact', '--json', ...flags])).stdout)
  assert.ok(bytes < bytes_before * 0.7, `${bytes} of ${bytes_before} bytes`)
  const { stdout, code } = await runAssay(['compact', ...flags])
  assert.equal(code, 0)
  assert.match(stdout, /^The store has (\d+\.\d MB)\. Before, it had \1\.\n$/)
  const { checked, faults } = await checkStore(store, () => undefined)
  assert.deepEqual([checked.scenarios, faults], [500, []])
  await store.close()
})

test('assay --version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.deepEqual(await runAssay(['--version']), { code: 0, stdout: `assay ${version}\n`, stderr: '' })
})
