// Tests parsing of scanned texts with escaped names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseScanned } from '../../src/json/parse.ts'
import { NO_LIMITS, scan } from '../../src/json/scan.ts'
import { JsonTexts } from '../support/json-texts.ts'

const parse = (text: string) => parseScanned(scan(Buffer.from(text), NO_LIMITS))

test('reads an escaped name correctly after a name with a backslash', () => {
  for (const prefix of ['', '"a":0,']) {
    parse(String.raw`{${prefix}"\\":1}`)
    parse(String.raw`{${prefix}"\\u":1}`)
    assert.deepEqual(Object.keys(parse(String.raw`{${prefix}"\u0000":2}`) as object).at(-1), '\0')
    assert.deepEqual(Object.keys(parse(String.raw`{${prefix}"\u0041\n":2}`) as object).at(-1), 'A\n')
  }
})

test('detects escaped names at any depth', () => {
  const hasEscapedNames = (text: string) => scan(Buffer.from(text), NO_LIMITS).hasEscapedNames
  assert.equal(hasEscapedNames(String.raw`{"a":"\n","b":["\\"]}`), false)
  assert.equal(hasEscapedNames(String.raw`{"a":[{"\n":1}]}`), true)
})

test('parses escaped names to the same value as JSON.parse', () => {
  const texts = new JsonTexts(7)
  for (let count = 0; count < 3000; count += 1) {
    const { text } = scan(Buffer.from(texts.value(20).loose), NO_LIMITS)
    // JSON.parse is correct for names without escapes.
    if (scan(Buffer.from(text), NO_LIMITS).hasEscapedNames) continue
    assert.deepEqual(parseScanned({ text, hasEscapedNames: true }), JSON.parse(text))
  }
})

test('parses deep and long values', () => {
  const deep = `${'{"\\u0061":'.repeat(500)}[${'1,'.repeat(500_000)}"${'\\n'.repeat(500_000)}"]${'}'.repeat(500)}`
  let value = parse(deep)
  for (let depth = 0; depth < 500; depth += 1) value = (value as { a: unknown }).a
  assert.equal((value as unknown[]).length, 500_001)
})
