// Checks the table of deliberate breaks without running it: each break changes one place, and its test exists.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BREAKS } from './breaks/breaks.ts'
import { applyBreak, findTestFile } from './breaks/find.ts'

test('every break changes a text that occurs once, and has a test that exists', () => {
  const breaks = Object.values(BREAKS).flat()
  assert.ok(breaks.length >= 30)
  assert.equal(new Set(breaks.map(({ name }) => name)).size, breaks.length)
  for (const deliberateBreak of breaks) {
    assert.doesNotThrow(() => applyBreak(deliberateBreak))
    assert.doesNotThrow(() => findTestFile(deliberateBreak))
  }
})
