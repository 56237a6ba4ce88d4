// Compares the column tables with the database, and stores every member that can be written.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportedVariant } from '../../../src/cli/target/full-export.ts'
import { checkEvaluation, EvaluationPatch, EvaluationWrite } from '../../../src/schema/evaluations.ts'
import { type ParsedValue, parsedValue } from '../../../src/schema/validation/parsed-value.ts'
import type { Validator } from '../../../src/schema/validation/validator.ts'
import { checkVariant, type Variant, VariantWrite } from '../../../src/schema/variants.ts'
import { ensureProject } from '../../../src/store/access/projects.ts'
import {
  createEvaluation,
  EVALUATION_COLUMNS,
  findDifferingMembers,
  getEvaluationText,
  updateEvaluation,
} from '../../../src/store/evaluations/evaluations.ts'
import { type Columns, type ColumnTable, storedMembers } from '../../../src/store/resources/columns.ts'
import { addRevision } from '../../../src/store/variants/revisions.ts'
import { createVariant, getVariantText, VARIANT_COLUMNS } from '../../../src/store/variants/variants.ts'
import { createTestStore, ENGINE } from '../../support/harness.ts'

const store = await createTestStore()
const project = await store.writer.transaction((transaction) => ensureProject(transaction, 'columns'))

/** Columns that are not members of the resource. */
const OTHER_COLUMNS = ['key', 'project', 'version', 'body_bytes', 'digest']
const OTHER_EVALUATION_COLUMNS = [
  ...OTHER_COLUMNS,
  'next_position',
  'revision_created_at',
  'declaration_changes',
]

const COLUMN_TYPES = {
  sqlite: {
    statement: 'SELECT name, type FROM pragma_table_info(?)',
    text: ['TEXT'],
    number: ['INTEGER', 'REAL'],
  },
  postgres: {
    statement: `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = ?`,
    text: ['text'],
    number: ['bigint', 'double precision'],
  },
}[ENGINE]

const resources = [
  { table: 'evaluation', columns: EVALUATION_COLUMNS as Columns, otherColumns: OTHER_EVALUATION_COLUMNS },
  { table: 'variant', columns: VARIANT_COLUMNS as Columns, otherColumns: OTHER_COLUMNS },
]

for (const { table, columns, otherColumns } of resources) {
  test(`the database has exactly the columns of the ${table} table, with their types`, async () => {
    const rows = await store.reader.all<{ name: string; type: string }>(COLUMN_TYPES.statement, table)
    const types = new Map(rows.map(({ name, type }) => [name, type]))
    const memberColumns = storedMembers(columns).filter((name) => typeof columns[name] !== 'object')
    assert.deepEqual([...types.keys()].sort(), [...memberColumns, ...otherColumns].sort())
    for (const name of memberColumns) {
      const isNumber = ['number', 'count'].includes(columns[name] as string)
      assert.ok(COLUMN_TYPES[isNumber ? 'number' : 'text'].includes(types.get(name) ?? ''), name)
    }
  })
}

interface MemberSchema {
  /** The type, or the type and null. */
  type: string | string[]
  enum?: unknown[]
  items?: MemberSchema
}

/** A valid value for a member. `seed` distinguishes values. */
function sampleValue(name: string, schema: MemberSchema, seed: number): unknown {
  const given = { created_at: `2026-01-0${seed}T00:00:00.000Z`, variant_id: `v${seed}`, revision: seed }
  if (name in given) return given[name as keyof typeof given]
  if (schema.enum) return schema.enum[seed % 2]
  const [type] = [schema.type].flat()
  if (type === 'string') return `${name} ${seed}`
  if (type === 'integer') return seed
  if (type === 'number') return seed + 0.5
  if (type === 'boolean') return seed % 2 === 1
  if (type !== 'array') return { seed }
  return [schema.items?.type === 'string' ? `${name} ${seed}` : { name: `${name} ${seed}` }]
}

function sampleOf<Value extends object>(
  properties: object,
  seed: number,
  validator?: Validator<Value>,
): ParsedValue<Value> {
  const members = Object.entries(properties).map(([name, schema]) => [name, sampleValue(name, schema, seed)])
  const content = parsedValue(Object.fromEntries(members) as Value)
  assert.deepEqual(validator?.(content) ?? [], [])
  return content
}

test('stores, updates and compares every member of an evaluation that can be written', async () => {
  await store.writer.transaction(async (transaction) => {
    for (const seed of [1, 2]) {
      const variant = await createVariant(transaction, project, parsedValue({ id: `v${seed}` }))
      const revision = { revision: seed, modified_by: 'a', config: { config_name: 'c' } }
      await addRevision(transaction, variant, parsedValue(revision))
    }
    const content = sampleOf(EvaluationWrite.properties, 1, checkEvaluation)
    const key = await createEvaluation(transaction, project, content)
    const stored = JSON.parse(await getEvaluationText(transaction, key))
    const { updated_at } = stored
    assert.deepEqual(stored, { ...content.value, updated_at, scenario_count: 0 })
    assert.deepEqual(Object.keys(stored), storedMembers(EVALUATION_COLUMNS))
    assert.deepEqual(await findDifferingMembers(transaction, key, content), [])

    const patch = sampleOf<EvaluationWrite>(EvaluationPatch.properties, 2)
    assert.deepEqual(
      (await findDifferingMembers(transaction, key, patch)).sort(),
      Object.keys(EvaluationPatch.properties).sort(),
    )
    await updateEvaluation(transaction, project, key, patch)
    const updated = JSON.parse(await getEvaluationText(transaction, key))
    assert.deepEqual(updated, { ...stored, ...patch.value, updated_at: updated.updated_at })
  })
})

test('stores and exports every member of a variant that can be written', async () => {
  await store.writer.transaction(async (transaction) => {
    const content = sampleOf(VariantWrite.properties, 3, checkVariant)
    const key = await createVariant(transaction, project, content)
    const stored = JSON.parse(await getVariantText(transaction, key))
    const { created_at, updated_at } = stored
    const counts = { revision_count: 0, latest_revision: null }
    assert.deepEqual(stored, { ...content.value, created_at, updated_at, ...counts })
    assert.deepEqual(Object.keys(stored), storedMembers(VARIANT_COLUMNS))
    const exported = JSON.parse(exportedVariant(JSON.stringify(stored)))
    assert.deepEqual(exported, { ...content.value, created_at })
  })
})

// The type check fails if one of these tables compiles.
type VariantTable = ColumnTable<Variant, VariantWrite>
const { name: _, ...withoutName } = VARIANT_COLUMNS
// @ts-expect-error A member has no column.
withoutName satisfies VariantTable
// @ts-expect-error A column has no member.
void ({ ...VARIANT_COLUMNS, unknown: 'text' } satisfies VariantTable)
// @ts-expect-error A member that can be written is not stored.
void ({ ...VARIANT_COLUMNS, name: 'on request' } satisfies VariantTable)
// @ts-expect-error A text is stored as a number.
void ({ ...VARIANT_COLUMNS, name: 'number' } satisfies VariantTable)
