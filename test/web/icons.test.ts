// Icons come from Lucide. Characters that look like icons differ between fonts, and screen readers read them aloud.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
/** Arrows, technical symbols, geometric shapes, symbols, dingbats and emoji. */
const ICON_CHARACTERS =
  /[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u{1f000}-\u{1faff}]/u
const COMMENT = /^\s*(?:\/\/|\/\*|\*).*$/gm

test('the page uses no characters as icons', () => {
  const files = globSync('web/src/**/*.{ts,tsx,css}', { cwd: ROOT })
  assert.ok(files.length > 100)
  const lines = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8').replace(COMMENT, '')
    return text
      .split('\n')
      .flatMap((line, index) => (ICON_CHARACTERS.test(line) ? `${file}:${index + 1} ${line.trim()}` : []))
  })
  assert.deepEqual(lines, [])
})
