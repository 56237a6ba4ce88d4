// Batches of rows: every value is stored exactly, whatever the number of rows.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Value } from '../../../src/store/dialect/dialect.ts'
import { createTestStore } from '../../support/harness.ts'
import { POSTGRES_ONLY, testOptions } from '../../support/options.ts'

const INSERT = 'INSERT INTO batch_row (number, integer, real, text, bytes) VALUES (?, ?, ?, ?, ?)'
const SELECT = 'SELECT number, integer, real, text, bytes FROM batch_row ORDER BY number'

/** PostgreSQL inserts few rows and many rows with different statements. */
const FEW = 3
const MANY = 40

const types =
  testOptions.engine === 'sqlite'
    ? ['INTEGER', 'REAL', 'TEXT', 'BLOB', 'STRICT']
    : ['bigint', 'double precision', 'text', 'bytea', '']

describe('a batch of rows', async () => {
  const { writer } = await createTestStore()

  before(() =>
    writer.transaction((transaction) => {
      const [integer, real, text, blob, suffix] = types
      return transaction.run(
        `CREATE TABLE batch_row (number ${integer} PRIMARY KEY, integer ${integer}, real ${real}, text ${text}, bytes ${blob}) ${suffix}`,
      )
    }),
  )

  /** Inserts rows and reads them back in one transaction, which is rolled back. */
  async function roundTrip(rows: Value[][], statement = INSERT): Promise<Value[][]> {
    const rollback = new Error('rolled back')
    let stored: Value[][] = []
    const transaction = writer.transaction(async (transaction) => {
      const count = await transaction.runMany([
        statement,
        rows.map((values, index) => [index, ...values] as Value[]),
      ])
      assert.equal(count, rows.length)
      const storedRows = await transaction.all<Record<string, Value>>(SELECT)
      stored = storedRows.map(({ number: _, ...values }) => Object.values(values))
      throw rollback
    })
    await assert.rejects(transaction, rollback)
    return stored
  }

  const toComparable = (rows: Value[][]) =>
    rows.map((row) => row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)))

  async function assertStored(values: Value[][]): Promise<void> {
    for (const count of [FEW, MANY]) {
      for (let start = 0; start < values.length; start += count) {
        const rows = Array.from(
          { length: count },
          (_, index) => values[(start + index) % values.length] ?? [],
        )
        assert.deepEqual(toComparable(await roundTrip(rows)), toComparable(rows))
      }
    }
  }

  test('stores texts that have a meaning in SQL and in array literals', async () => {
    const texts = [
      '',
      ' ',
      'NULL',
      'null',
      '{}',
      '{NULL,"a"}',
      '{"a","b"}',
      '"',
      '""',
      '\\',
      '\\\\',
      '\\"',
      "'",
      "''; DROP TABLE batch_row; --",
      '$1',
      '?',
      '\\x00ff',
      '\\N',
      '\\.',
      '(1,2)',
      ',',
      'a,b',
      '\u0001\t\n\r\u001f\u007f',
      '\ufffd\ufffe\uffff\ufeff',
      'é e\u0301 ß 語 🙂 👩‍👩‍👧',
      '🙂'.repeat(1000),
      'long '.repeat(300_000),
    ]
    await assertStored(texts.map((text) => [null, null, text, null]))
    await assertStored(texts.map((text) => [null, null, text, Buffer.from(text)]))
  })

  test('stores numbers at the limits of their types, and null', async () => {
    const integers = [0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, -(2 ** 32), 2 ** 53 - 1, 1 - 2 ** 53, null]
    const reals = [0.1, -0.1, 1e308, -1e308, Number.MIN_VALUE, Number.EPSILON, 2 ** 53 + 2, 1 / 3, 0, null]
    await assertStored(integers.map((integer, index) => [integer, reals[index] ?? null, null, null]))
    await assertStored([[null, null, null, null]])
  })

  test('stores generated values', async () => {
    const character = fc
      .integer({ min: 1, max: 0x10ffff })
      .map((code) => String.fromCodePoint(code).toWellFormed())
    const row = fc.tuple(
      fc.option(fc.maxSafeInteger()),
      fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)),
      fc.option(fc.string({ unit: character })),
      fc.option(fc.uint8Array()),
    )
    const rows = fc.array(row, { minLength: 1, maxLength: MANY })
    const property = fc.asyncProperty(rows, async (rows) => {
      assert.deepEqual(toComparable(await roundTrip(rows)), toComparable(rows))
    })
    await fc.assert(property, { numRuns: 50, seed: testOptions.seed })
  })

  test('stores a text that is bound as bytes', { skip: POSTGRES_ONLY }, async () => {
    for (const count of [FEW, MANY]) {
      const rows = Array.from({ length: count }, (_, index) => [index, 0.5, `{"${index}": "é\\"}`, null])
      const inBytes = rows.map(([integer, real, text]) => [integer, real, Buffer.from(String(text)), null])
      assert.deepEqual(await roundTrip(inBytes as Value[][]), rows)
    }
  })

  test('stores negative zero as zero', async () => {
    for (const count of [FEW, MANY]) {
      const stored = await roundTrip(Array.from({ length: count }, () => [0, -0, null, null]))
      assert.ok(stored.every(([, real]) => Object.is(real, 0)))
    }
  })

  test('rejects a text with NUL or invalid UTF-8, and stores no row', { skip: POSTGRES_ONLY }, async () => {
    for (const text of ['a\0b', Buffer.from([0x61, 0xff]), Buffer.from([0xed, 0xa0, 0x80])]) {
      for (const count of [FEW, MANY]) {
        const rows = Array.from({ length: count }, (_, index) => [
          index,
          0,
          0,
          index === count - 1 ? text : '',
          null,
        ])
        const inserted = writer.transaction((transaction) => transaction.runMany([INSERT, rows]))
        await assert.rejects(inserted, { code: '22021' })
      }
    }
    assert.deepEqual(await roundTrip([]), [])
  })

  test('rejects a value of another type than its column', async () => {
    const invalidRows: Value[][] = [
      [0.5, null, null, null],
      ['x', null, null, null],
      [null, 'x', null, null],
    ]
    for (const invalid of invalidRows) {
      for (const count of [FEW, MANY]) await assert.rejects(roundTrip(Array(count).fill(invalid)))
    }
  })

  test('updates or skips rows that exist, and counts only changed rows', async () => {
    const rows = (text: string) => Array.from({ length: MANY }, (_, index) => [index, 0, 0, text, null])
    const update = `${INSERT} ON CONFLICT (number) DO UPDATE SET text = excluded.text`
    const skip = `${INSERT} ON CONFLICT (number) DO NOTHING`
    const rollback = new Error('rolled back')
    const transaction = writer.transaction(async (transaction) => {
      assert.equal(await transaction.runMany([INSERT, rows('first').slice(5)]), MANY - 5)
      assert.equal(await transaction.runMany([skip, rows('second')]), 5)
      assert.equal(await transaction.runMany([update, rows('third')], [skip, rows('fourth')]), MANY)
      const stored = await transaction.all<{ text: string }>(SELECT)
      assert.deepEqual(new Set(stored.map(({ text }) => text)), new Set(['third']))
      throw rollback
    })
    await assert.rejects(transaction, rollback)
  })
})
