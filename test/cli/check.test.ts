// Tests of assay check: it finds corrupted data and wrong derived data.
import assert from 'node:assert/strict'
import { copyFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { openStoreAt } from '../../bench/store.ts'
import { checkStore } from '../../src/store/check.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { fillCorpus } from '../support/corpus.ts'
import { createTempFolder, createTestStore } from '../support/harness.ts'

const store = await createTestStore()
await fillCorpus(store)
const intactFile = join(createTempFolder(), 'whole.db')
await store.backup(intactFile)

/** A copy of the store, changed directly with SQL. Returns its URL. */
function createCorruptStore(statement: string): string {
  const file = join(createTempFolder(), 'assay.db')
  copyFileSync(intactFile, file)
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, defensive: false })
  database.exec(statement)
  database.close()
  return `sqlite:${file}`
}

async function faultsOf(url: string): Promise<string[]> {
  const store = await openStoreAt(url, {}, { createIfMissing: false })
  try {
    const { faults } = await checkStore(store, () => undefined)
    return faults.map(({ where, what }) => `${where}: ${what}`)
  } finally {
    await store.close()
  }
}

test('reports no errors for an intact store', async () => {
  const { code, stdout, stderr } = await runAssay(['check', '--database', `sqlite:${intactFile}`])
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^Evaluations: 7, scenarios: 140, variants: 6, revisions: 20\. No errors\.\n$/)
})

const ONE = `evaluation = (SELECT key FROM evaluation WHERE id = 'full') AND position = 3`
const FAULTS: [name: string, statement: string, expected: RegExp][] = [
  [
    'a changed body',
    `UPDATE scenario SET body = replace(body, '"is_pinned":null', '"is_pinned":true') WHERE ${ONE}`,
    /evaluation full, scenario s-3: measure:/,
  ],
  [
    'a body that is not JSON',
    `UPDATE scenario SET body = substr(body, 2) WHERE ${ONE}`,
    /scenario s-3: the body cannot be read/,
  ],
  [
    'a body with added white space',
    `UPDATE scenario SET body = replace(body, '"results":', '"results": ') WHERE ${ONE}`,
    /scenario s-3: body:/,
  ],
  [
    'a body that repeats a name',
    `UPDATE scenario SET body = replace(body, '"note":null', '"note":null,"note":null') WHERE ${ONE}`,
    /the body cannot be read/,
  ],
  ['a changed id', `UPDATE scenario SET id = 'x' WHERE ${ONE}`, /scenario x: id:/],
  ['a changed extra object', `UPDATE scenario SET extra = '{"a":1}' WHERE ${ONE}`, /: digest:/],
  ['a changed digest', `UPDATE scenario SET digest = zeroblob(32) WHERE ${ONE}`, /: digest:/],
  ['a changed cost', `UPDATE measure SET cost = cost + 1 WHERE ${ONE}`, /: measure:/],
  ['a changed result', `UPDATE result SET number = 0.5 WHERE ${ONE} AND evaluator = 0`, /: results:/],
  ['a missing result', `DELETE FROM result WHERE ${ONE} AND evaluator = 1`, /: results:/],
  ['a changed input', `UPDATE input SET hash = zeroblob(16) WHERE ${ONE}`, /: inputs:/],
  ['a missing input', `DELETE FROM input WHERE ${ONE}`, /: inputs:/],
  [
    'a measure row without a scenario',
    `INSERT INTO measure SELECT evaluation, 999, input_hash, input_text_hash, expected_hash, output_hash, cost, latency, has_error, error_group, is_pinned, has_note FROM measure WHERE ${ONE}`,
    /: number of rows in measure:/,
  ],
  [
    'a generated id without a scenario',
    `INSERT INTO generated_id SELECT evaluation, 999 FROM measure WHERE ${ONE}`,
    /: number of generated ids without a scenario:/,
  ],
  [
    'a missing sample',
    `UPDATE scenario SET extra = '{"sample":"x"}' WHERE ${ONE}`,
    /scenario s-3: repetition:/,
  ],
  [
    'a repetition that the scenario does not have',
    `INSERT INTO repetition SELECT evaluation, position, NULL, 2 FROM measure WHERE ${ONE}`,
    /scenario s-3: repetition:/,
  ],
  [
    'a repetition without a scenario',
    `INSERT INTO repetition SELECT evaluation, 999, 'x', 2 FROM measure WHERE ${ONE}`,
    /: number of rows in repetition:/,
  ],
  ['a wrong scenario count', `UPDATE evaluation SET scenario_count = 24 WHERE id = 'full'`, /scenario_count/],
  ['a wrong body size', `UPDATE evaluation SET body_bytes = 1 WHERE id = 'full'`, /body_bytes/],
  ['a missing column', `DELETE FROM evaluation_column WHERE kind = 'score' AND name = 'exact'`, /: columns:/],
  ...['scores', 'statistics'].map((column): (typeof FAULTS)[number] => [
    `changed ${column}`,
    `UPDATE evaluation_scores SET ${column} = replace(${column}, '"output_errors":2', '"output_errors":3')`,
    /^evaluation full: scores:/m,
  ]),
  ['missing scores', 'DELETE FROM evaluation_scores', /^evaluation full: scores:/m],
  [
    'a scenario without an evaluation',
    `UPDATE scenario SET evaluation = 999 WHERE ${ONE}`,
    /rows of scenario have no evaluation \(key 999\)/,
  ],
  [
    'an unreadable revision',
    `UPDATE revision SET body = replace(body, 'Ana', 'Bob"') WHERE revision = 1`,
    /revision 1: the body cannot be read/,
  ],
  [
    'a changed configuration of a revision',
    `UPDATE revision SET body = replace(body, '"temperature":', '"heat":') WHERE revision = 1`,
    /revision 1: digest:/,
  ],
  [
    'a changed revision number',
    `UPDATE revision SET revision = 9 WHERE revision = 3`,
    /revision 9: revision number:/,
  ],
  [
    'a changed creation time of a revision',
    `UPDATE revision SET created_at = '2020-01-01T00:00:00.000Z' WHERE revision = 3`,
    /revision 3: created_at:/,
  ],
  [
    'a wrong revision count',
    `UPDATE variant SET revision_count = 1 WHERE id = 'full'`,
    /variant full: revision_count/,
  ],
]

describe('assay check finds', () => {
  for (const [name, statement, expected] of FAULTS) {
    test(name, async () => {
      assert.match((await faultsOf(createCorruptStore(statement))).join('\n'), expected)
    })
  }

  test('an index that does not match its table', async () => {
    const url = createCorruptStore(
      `PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'variant_by_id')
       WHERE name = 'evaluation_by_id'`,
    )
    const { code, stdout, stderr } = await runAssay(['check', '--database', url])
    assert.equal(code, 1)
    assert.match(stdout, /^store: /m)
    assert.match(stderr, /^assay: The store has integrity errors\.\n.+\n$/)
  })

  test('a truncated file', async () => {
    const file = join(createTempFolder(), 'assay.db')
    copyFileSync(intactFile, file)
    truncateSync(file, 40_000)
    const { code, stderr } = await runAssay(['check', '--database', `sqlite:${file}`])
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^assay: The store is damaged: .+\/assay\.db: database disk image is malformed\n.+\n$/,
    )
  })
})

test('prints the report as JSON with --json', async () => {
  const url = createCorruptStore(`UPDATE variant SET revision_count = 1 WHERE id = 'full'`)
  const { code, stdout } = await runAssay(['check', '--database', url, '--json'])
  assert.equal(code, 1)
  const { faults, background, ...counts } = JSON.parse(stdout)
  assert.deepEqual(counts, { evaluations: 7, scenarios: 140, variants: 6, revisions: 20 })
  assert.deepEqual(background, [])
  assert.deepEqual(faults[0], {
    where: 'variant full',
    what: 'revision_count: the stored value differs from the value computed from the bodies',
  })
})

test('rejects a file that is not a store', async () => {
  const file = join(createTempFolder(), 'notes.txt')
  writeFileSync(file, 'not a store')
  const { code, stderr } = await runAssay(['check', '--database', `sqlite:${file}`])
  assert.equal(code, 1)
  assert.match(stderr, /is not an Assay store/)
})
