// The command line of test/run.ts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SIZES } from './sizes.ts'
import { createTempFolder } from './support/harness.ts'

const RUNNER = fileURLToPath(new URL('run.ts', import.meta.url))

function runTests(...args: string[]) {
  // Node skips a test run inside a test file unless this variable is missing.
  const { NODE_TEST_CONTEXT, ...env } = process.env
  return spawnSync(process.execPath, [RUNNER, ...args], { env, encoding: 'utf8' })
}

test('--help lists the options and every size', () => {
  const { status, stdout } = runTests('--help')
  assert.equal(status, 0)
  for (const word of ['quick', 'full', '--engine', '--size', '--seed', '--update', ...Object.keys(SIZES)])
    assert.ok(stdout.includes(word), word)
})

test('wrong arguments exit with 2 and a message', () => {
  for (const args of [['--size', 'rounds=1'], ['missing.test.ts']]) {
    const { status, stderr } = runTests(...args)
    assert.equal(status, 2, stderr)
    assert.match(stderr, /\nRun with --help to see the options\.\n$/)
  }
})

test('a failed test exits with 1, and sizes reach the test file', () => {
  const file = join(createTempFolder(), 'sizes.test.ts')
  const sizes = JSON.stringify(new URL('sizes.ts', import.meta.url).href)
  writeFileSync(
    file,
    `import { test } from 'node:test'
    import { sizes } from ${sizes}
    test('size', () => { if (sizes.crash_rounds !== 50) throw new Error(String(sizes.crash_rounds)) })`,
  )
  const result = runTests('--size', 'crash_rounds=50', file)
  assert.equal(result.status, 0, result.stdout)
  assert.match(result.stdout, /^SQLite: 1 test, 1 passed, 0 failed, 0 skipped in \d+ s\nTotal: \d+ s\n/m)
  assert.equal(runTests('full', file).status, 1)
})
