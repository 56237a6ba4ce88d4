// The mapping from scroll position to visible rows, including tables taller than an element can be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { windowsAround } from '../../web/src/table/row-windows.ts'
import { bodyHeight, scrollTopFor, visibleRangeAt } from '../../web/src/table/scroll.ts'

const extents = fc.record({
  rows: fc.integer({ min: 1, max: 3_000_000 }),
  rowHeight: fc.constantFrom(28, 96, 150),
  height: fc.integer({ min: 200, max: 1200 }),
})

test('the ends of the scroll bar show the first and last row, within the maximum element height', () => {
  fc.assert(
    fc.property(extents, (extent) => {
      const end = Math.max(0, bodyHeight(extent) - extent.height)
      assert.ok(bodyHeight(extent) <= 15_000_000)
      assert.equal(visibleRangeAt(0, extent).first, 0)
      assert.equal(visibleRangeAt(end, extent).last, extent.rows - 1)
    }),
  )
})

test('scrolling to a row makes it fully visible', () => {
  fc.assert(
    fc.property(extents, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (extent, seed, part) => {
      const index = seed % extent.rows
      const before = part * Math.max(0, bodyHeight(extent) - extent.height)
      const scrollTop = scrollTopFor(index, before, extent) ?? before
      const { from, to, first, last, top } = visibleRangeAt(scrollTop, extent)
      assert.ok(first <= index && index <= last && from <= first && last <= to)
      // Tolerate one pixel of rounding in very tall tables.
      const y = top + (index - from) * extent.rowHeight - scrollTop
      assert.ok(y >= -1 && y + extent.rowHeight <= extent.height + 1, `${y}`)
    }),
  )
})

test('visible rows need at most two windows', () => {
  assert.deepEqual(windowsAround({ first: 0, last: 21 }, 100_000, 200), [0])
  assert.deepEqual(windowsAround({ first: 150, last: 171 }, 100_000, 200), [0, 1])
  assert.deepEqual(windowsAround({ first: 99_979, last: 99_999 }, 100_000, 200), [499])
  // Rows added after the total was read.
  assert.deepEqual(windowsAround({ first: 180, last: 205 }, 190, 200), [0, 1])
})
