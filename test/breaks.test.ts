// Checks the table of deliberate breaks without running it: each text still exists, and so does each test.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { applyBreak, BREAKS } from './breaks/breaks.ts'

const readSource = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

/** Matches all names that a string or template literal can produce. */
function literalPattern(literal: string): RegExp {
  const parts = literal.slice(1, -1).replaceAll(/\\(['"`])/g, '$1')
  return new RegExp(
    `^${parts
      .split(/\$\{[^}]*\}/)
      .map(RegExp.escape)
      .join('.+')}$`,
  )
}

/** Whether a test of the file can have this name. A rejected request has a name before the colon, and a common rest. */
function hasTest(source: string, name: string): boolean {
  const names = [name, name.replace(/: returns \d+ [a-z-]+ and stores nothing$/, '')]
  const titles = source.matchAll(/\btest\(\s*(`(?:\\.|[^`\\])*`)/g)
  return (
    names.some((text) => source.includes(`'${text.replaceAll("'", "\\'")}'`)) ||
    [...titles].some(([, title = '']) => literalPattern(title).test(name))
  )
}

test('every break changes a text that occurs once, and has a test that exists', () => {
  assert.ok(BREAKS.length >= 30)
  assert.equal(new Set(BREAKS.map(({ name }) => name)).size, BREAKS.length)
  for (const deliberateBreak of BREAKS) {
    const { name, file, test } = deliberateBreak
    const source = readSource(file)
    assert.notEqual(applyBreak(deliberateBreak, source), source, name)
    assert.ok(hasTest(readSource(test.file), test.name), `${test.file} has no test "${test.name}"`)
  }
})
