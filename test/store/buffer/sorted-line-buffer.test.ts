// Tests the sorted line buffer: it returns lines that were added in any order by group, sorted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SortedLineBuffer } from '../../../src/store/buffer/sorted-line-buffer.ts'
import { createTempFolder } from '../../support/harness.ts'

type AddedLine = [group: number, sortKey: number | undefined, size: number]

/** Adds all lines and returns the index of each line that a group returns. */
async function readGroups(addedLines: AddedLine[], groups: number[]): Promise<Record<number, string[]>> {
  const buffer = new SortedLineBuffer(createTempFolder())
  try {
    for (const [index, [group, sortKey, size]] of addedLines.entries())
      await buffer.add(`${index}:${'x'.repeat(size)}`, group, sortKey)
    assert.equal(buffer.count, addedLines.length)
    const linesByGroup: Record<number, string[]> = {}
    for (const group of groups) {
      const rows: string[] = []
      for await (const batch of buffer.batches(group)) rows.push(...batch.map(String))
      linesByGroup[group] = rows.map((row) => row.split(':')[0] ?? '')
    }
    return linesByGroup
  } finally {
    await buffer.close()
  }
}

test('returns lines in the order of insertion when they have no sort key', async () => {
  const rows = Array.from({ length: 3000 }, (): AddedLine => [0, undefined, 200])
  const { 0: returnedRows } = await readGroups(rows, [0])
  assert.deepEqual(
    returnedRows,
    rows.map((_, index) => String(index)),
  )
})

test('returns nothing for a group without lines', async () => {
  assert.deepEqual(await readGroups([[2, 1, 1]], [0, 2]), { 0: [], 2: ['0'] })
})

test('sorts by sort key and then by insertion, in memory and in a file', async () => {
  const sortKey = fc.oneof(fc.integer({ min: -3, max: 5 }), fc.constantFrom(1e300, -1e300, 0.5))
  const row = fc.tuple(fc.nat(2), sortKey, fc.constantFrom(1, 10, 40_000))
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (addedLines) => {
      const linesByGroup = await readGroups(addedLines, [2, 0, 1])
      for (const group of [0, 1, 2]) {
        const expected = addedLines
          .map(([rowGroup, sortKey], index) => ({ rowGroup, sortKey, index }))
          .filter(({ rowGroup }) => rowGroup === group)
          .sort((a, b) => a.sortKey - b.sortKey || a.index - b.index)
        assert.deepEqual(
          linesByGroup[group],
          expected.map(({ index }) => String(index)),
        )
      }
    }),
    { numRuns: 100 },
  )
})
