// Tests the table of the checks of `npm run trust`, and docs/reference/guarantees.md, which is generated from it.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './support/test-run.ts'
import { CHECKS } from './trust/checks.ts'
import { formatGuarantees, readGuarantees, readMeasured } from './trust/guarantees.ts'
import { addMeasurements, describeMeasurements, formatTable } from './trust/results.ts'

test('there are 32 checks, and all their test files exist', () => {
  assert.equal(CHECKS.length, 32)
  for (const { number, tests } of CHECKS) {
    assert.ok(tests.length > 0)
    for (const { file } of tests) assert.ok(existsSync(join(ROOT, file)), `check ${number}: ${file}`)
  }
})

test('docs/reference/guarantees.md has the promises and tests of the table, with a measurement each', () => {
  const page = readGuarantees()
  const measured = readMeasured(page)
  assert.equal(page, formatGuarantees(measured), 'Run npm run trust -- --update NUMBERS.')
})

test('counts of several tests are added, and of other measurements the largest counts', () => {
  const total = { cases: 2, peak_memory_mb: 30 }
  addMeasurements(total, { cases: 3, lost: 0, peak_memory_mb: 20, recovery_s: 1.25 })
  addMeasurements(total)
  assert.deepEqual(total, { cases: 5, lost: 0, peak_memory_mb: 30, recovery_s: 1.25 })
  assert.equal(describeMeasurements(total), '5 cases, peak memory 30 MB, 0 lost, recovery 1.3 s')
  const [head = '', row = ''] = formatTable([
    { number: 3, engine: 'sqlite', outcome: 'passed', measurements: total, duration: 90_000 },
  ]).split('\n')
  assert.match(head, /^check +engine +result +cases /)
  assert.match(row, /^3 +SQLite +passed +5 +0 +30 +1 min 30 s +recovery 1\.3 s$/)
})
