// assay check finds whatever does not agree with what was written.
import assert from 'node:assert/strict'
import { copyFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { openAt } from '../../bench/store.ts'
import { checkStore } from '../../src/store/check.ts'
import { fillCorpus } from '../corpus.ts'
import { assay, freshFolder, freshStore } from '../harness.ts'

const store = await freshStore()
await fillCorpus(store)
const whole = join(freshFolder(), 'whole.db')
await store.backup(whole)

/** A copy of the store in which something was done behind Assay's back. */
function spoilt(statement: string): string {
  const file = join(freshFolder(), 'assay.db')
  copyFileSync(whole, file)
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, defensive: false })
  database.exec(statement)
  database.close()
  return `sqlite:${file}`
}

async function faultsOf(url: string): Promise<string[]> {
  const store = await openAt(url, {}, { mayMake: false })
  try {
    const { faults } = await checkStore(store, () => undefined)
    return faults.map(({ where, what }) => `${where}: ${what}`)
  } finally {
    await store.close()
  }
}

test('a store that is as it was written is well', async () => {
  const { code, stdout, stderr } = await assay(['check', '--database', `sqlite:${whole}`])
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^Evaluations: 7, scenarios: 140, variants: 6, revisions: 20\. All is well\.\n$/)
})

const ONE = `evaluation = (SELECT key FROM evaluation WHERE id = 'full') AND position = 3`
const FAULTS: [name: string, statement: string, says: RegExp][] = [
  [
    'a body',
    `UPDATE scenario SET body = replace(body, '"is_pinned":null', '"is_pinned":true') WHERE ${ONE}`,
    /evaluation full, scenario s-3: the measure/,
  ],
  [
    'a body that is no JSON',
    `UPDATE scenario SET body = substr(body, 2) WHERE ${ONE}`,
    /scenario s-3: the body cannot be read/,
  ],
  [
    'a body with white space',
    `UPDATE scenario SET body = replace(body, '"results":', '"results": ') WHERE ${ONE}`,
    /scenario s-3: the body/,
  ],
  [
    'a body with a name twice',
    `UPDATE scenario SET body = replace(body, '"note":null', '"note":null,"note":null') WHERE ${ONE}`,
    /the body cannot be read/,
  ],
  ['an id', `UPDATE scenario SET id = 'x' WHERE ${ONE}`, /scenario x: the id/],
  ['an extra', `UPDATE scenario SET extra = '{"a":1}' WHERE ${ONE}`, /the digest/],
  ['a digest', `UPDATE scenario SET digest = zeroblob(32) WHERE ${ONE}`, /the digest/],
  ['a search text', `UPDATE search SET text = 'x' WHERE ${ONE}`, /the search text/],
  ['a search text that is missing', `DELETE FROM search WHERE ${ONE}`, /the search text/],
  ['a cost', `UPDATE measure SET cost = cost + 1 WHERE ${ONE}`, /the measure/],
  ['a result', `UPDATE result SET number = 0.5 WHERE ${ONE} AND evaluator = 0`, /the results/],
  ['a result that is missing', `DELETE FROM result WHERE ${ONE} AND evaluator = 1`, /the results/],
  ['an input', `UPDATE input SET hash = zeroblob(16) WHERE ${ONE}`, /the inputs/],
  ['an input that is missing', `DELETE FROM input WHERE ${ONE}`, /the inputs/],
  [
    'a measure of nothing',
    `INSERT INTO measure SELECT evaluation, 999, input_hash, input_text_hash, expected_hash, output_hash, cost, latency, has_error, error_group, is_pinned, has_note FROM measure WHERE ${ONE}`,
    /the rows of measure/,
  ],
  ['a count', `UPDATE evaluation SET scenario_count = 24 WHERE id = 'full'`, /scenario_count/],
  ['a number of bytes', `UPDATE evaluation SET body_bytes = 1 WHERE id = 'full'`, /body_bytes/],
  [
    'a column that is missing',
    `DELETE FROM evaluation_column WHERE kind = 'score' AND name = 'exact'`,
    /the columns/,
  ],
  ['a scenario of nothing', `UPDATE scenario SET evaluation = 999 WHERE ${ONE}`, /belongs to nothing/],
  [
    'a revision',
    `UPDATE revision SET body = replace(body, 'Ana', 'Bob"') WHERE revision = 1`,
    /revision 1: the body cannot be read/,
  ],
  [
    'the configuration of a revision',
    `UPDATE revision SET body = replace(body, '"temperature":', '"heat":') WHERE revision = 1`,
    /revision 1: the digest/,
  ],
  [
    'the number of a revision',
    `UPDATE revision SET revision = 9 WHERE revision = 3`,
    /revision 9: the number/,
  ],
  [
    'the time of a revision',
    `UPDATE revision SET created_at = '2020-01-01T00:00:00.000Z' WHERE revision = 3`,
    /revision 3: the time/,
  ],
  [
    'a count of revisions',
    `UPDATE variant SET revision_count = 1 WHERE id = 'full'`,
    /variant full: revision_count/,
  ],
]

describe('what was changed behind its back is found', () => {
  for (const [name, statement, says] of FAULTS) {
    test(name, async () => {
      assert.match((await faultsOf(spoilt(statement))).join('\n'), says)
    })
  }

  test('an index that does not agree with its table', async () => {
    const url = spoilt(
      `PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'variant_by_id')
       WHERE name = 'evaluation_by_id'`,
    )
    const { code, stdout, stderr } = await assay(['check', '--database', url])
    assert.equal(code, 1)
    assert.match(stdout, /^store: /m)
    assert.match(stderr, /^assay: The store has faults\.\n.+\n$/)
  })

  test('a file that is cut off', async () => {
    const file = join(freshFolder(), 'assay.db')
    copyFileSync(whole, file)
    truncateSync(file, 40_000)
    const { code, stderr } = await assay(['check', '--database', `sqlite:${file}`])
    assert.equal(code, 1)
    assert.ok(stderr !== '')
  })
})

test('with --json a program reads the same', async () => {
  const url = spoilt(`UPDATE variant SET revision_count = 1 WHERE id = 'full'`)
  const { code, stdout } = await assay(['check', '--database', url, '--json'])
  assert.equal(code, 1)
  const { faults, ...counts } = JSON.parse(stdout)
  assert.deepEqual(counts, { evaluations: 7, scenarios: 140, variants: 6, revisions: 20 })
  assert.deepEqual(faults[0], { where: 'variant full', what: 'revision_count is not what the bodies give' })
})

test('a file that is not a store is refused and left as it is', async () => {
  const file = join(freshFolder(), 'notes.txt')
  writeFileSync(file, 'not a store')
  const { code, stderr } = await assay(['check', '--database', `sqlite:${file}`])
  assert.equal(code, 1)
  assert.match(stderr, /is not a store of Assay/)
})
