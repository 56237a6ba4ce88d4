// Rows that were set aside in any order, of several groups, come out group by group as they belong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OrderedSpool } from '../../src/store/ordered-spool.ts'
import type { Packing } from '../../src/store/spool.ts'
import { freshFolder } from '../harness.ts'

const PACKING: Packing<string> = {
  pack: (packer, row) => packer.text(row),
  unpack: (unpacker) => unpacker.text() ?? '',
}

type Added = [group: number, order: number | undefined, size: number]

/** What comes out of each group, after all was added. */
async function taken(added: Added[], groups: number[]): Promise<Record<number, string[]>> {
  const spool = new OrderedSpool(freshFolder(), PACKING)
  try {
    for (const [index, [group, order, size]] of added.entries())
      await spool.add(`${index}:${'x'.repeat(size)}`, group, order)
    assert.equal(spool.count, added.length)
    const out: Record<number, string[]> = {}
    for (const group of groups) {
      const rows: string[] = []
      for await (const batch of spool.batches(group)) rows.push(...batch)
      out[group] = rows.map((row) => row.split(':')[0] ?? '')
    }
    return out
  } finally {
    await spool.close()
  }
}

test('without an order they come as they were added', async () => {
  const rows = Array.from({ length: 3000 }, (): Added => [0, undefined, 200])
  const { 0: first } = await taken(rows, [0])
  assert.deepEqual(
    first,
    rows.map((_, index) => String(index)),
  )
})

test('a group of which there is nothing is empty', async () => {
  assert.deepEqual(await taken([[2, 1, 1]], [0, 2]), { 0: [], 2: ['0'] })
})

test('from memory and from a file, they are sorted by their order, and as they came where that is the same', async () => {
  const order = fc.oneof(fc.integer({ min: -3, max: 5 }), fc.constantFrom(1e300, -1e300, 0.5))
  const row = fc.tuple(fc.nat(2), order, fc.constantFrom(1, 10, 40_000))
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (added) => {
      const out = await taken(added, [2, 0, 1])
      for (const group of [0, 1, 2]) {
        const expected = added
          .map(([of, order], index) => ({ of, order, index }))
          .filter(({ of }) => of === group)
          .sort((a, b) => a.order - b.order || a.index - b.index)
        assert.deepEqual(
          out[group],
          expected.map(({ index }) => String(index)),
        )
      }
    }),
    { numRuns: 100 },
  )
})
