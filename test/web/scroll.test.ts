// Which rows a position of the scroll bar shows, also where the rows are taller together than an element can be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { windowsAround } from '../../web/src/grid/ranges.ts'
import { bodyHeight, scrollTopFor, sightAt } from '../../web/src/grid/scroll.ts'

const extents = fc.record({
  rows: fc.integer({ min: 1, max: 3_000_000 }),
  rowHeight: fc.constantFrom(28, 96, 150),
  height: fc.integer({ min: 200, max: 1200 }),
})

test('both ends of the bar are both ends of the rows, in a body that browsers can show', () => {
  fc.assert(
    fc.property(extents, (extent) => {
      const end = Math.max(0, bodyHeight(extent) - extent.height)
      assert.ok(bodyHeight(extent) <= 15_000_000)
      assert.equal(sightAt(0, extent).first, 0)
      assert.equal(sightAt(end, extent).last, extent.rows - 1)
    }),
  )
})

test('a row that is shown is wholly in sight, where the rows are drawn', () => {
  fc.assert(
    fc.property(extents, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (extent, seed, part) => {
      const index = seed % extent.rows
      const before = part * Math.max(0, bodyHeight(extent) - extent.height)
      const scrollTop = scrollTopFor(index, before, extent) ?? before
      const { from, to, first, last, top } = sightAt(scrollTop, extent)
      assert.ok(first <= index && index <= last && from <= first && last <= to)
      // A pixel for the rounding of very long bars.
      const y = top + (index - from) * extent.rowHeight - scrollTop
      assert.ok(y >= -1 && y + extent.rowHeight <= extent.height + 1, `${y}`)
    }),
  )
})

test('rows in sight are asked for in no more than two windows', () => {
  assert.deepEqual(windowsAround({ first: 0, last: 21 }, 100_000, 200), [0])
  assert.deepEqual(windowsAround({ first: 150, last: 171 }, 100_000, 200), [0, 1])
  assert.deepEqual(windowsAround({ first: 99_979, last: 99_999 }, 100_000, 200), [499])
  // Rows that came since the total was told.
  assert.deepEqual(windowsAround({ first: 180, last: 205 }, 190, 200), [0, 1])
})
