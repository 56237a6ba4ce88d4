// Tests the sorted row buffer: it returns rows that were added in any order by group, sorted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { RowCodec } from '../../../src/store/buffer/row-buffer.ts'
import { SortedRowBuffer } from '../../../src/store/buffer/sorted-row-buffer.ts'
import { createTempFolder } from '../../support/harness.ts'

const CODEC: RowCodec<string> = {
  encode: (encoder, row) => encoder.writeText(row),
  decode: (decoder) => decoder.readText() ?? '',
}

type AddedRow = [group: number, sortKey: number | undefined, size: number]

/** Adds all rows and returns the index of each row that a group returns. */
async function readGroups(addedRows: AddedRow[], groups: number[]): Promise<Record<number, string[]>> {
  const buffer = new SortedRowBuffer(createTempFolder(), CODEC)
  try {
    for (const [index, [group, sortKey, size]] of addedRows.entries())
      await buffer.add(`${index}:${'x'.repeat(size)}`, group, sortKey)
    assert.equal(buffer.count, addedRows.length)
    const rowsByGroup: Record<number, string[]> = {}
    for (const group of groups) {
      const rows: string[] = []
      for await (const batch of buffer.batches(group)) rows.push(...batch)
      rowsByGroup[group] = rows.map((row) => row.split(':')[0] ?? '')
    }
    return rowsByGroup
  } finally {
    await buffer.close()
  }
}

test('returns rows in the order of insertion when they have no sort key', async () => {
  const rows = Array.from({ length: 3000 }, (): AddedRow => [0, undefined, 200])
  const { 0: returnedRows } = await readGroups(rows, [0])
  assert.deepEqual(
    returnedRows,
    rows.map((_, index) => String(index)),
  )
})

test('returns nothing for a group without rows', async () => {
  assert.deepEqual(await readGroups([[2, 1, 1]], [0, 2]), { 0: [], 2: ['0'] })
})

test('sorts by sort key and then by insertion, in memory and in a file', async () => {
  const sortKey = fc.oneof(fc.integer({ min: -3, max: 5 }), fc.constantFrom(1e300, -1e300, 0.5))
  const row = fc.tuple(fc.nat(2), sortKey, fc.constantFrom(1, 10, 40_000))
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (addedRows) => {
      const rowsByGroup = await readGroups(addedRows, [2, 0, 1])
      for (const group of [0, 1, 2]) {
        const expected = addedRows
          .map(([rowGroup, sortKey], index) => ({ rowGroup, sortKey, index }))
          .filter(({ rowGroup }) => rowGroup === group)
          .sort((a, b) => a.sortKey - b.sortKey || a.index - b.index)
        assert.deepEqual(
          rowsByGroup[group],
          expected.map(({ index }) => String(index)),
        )
      }
    }),
    { numRuns: 100 },
  )
})
