// The page shows JSON exactly as stored, to the last digit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseExactly } from '../../src/json/exact-values.ts'
import { indentJson, numberOf } from '../../web/src/format/exact-json.ts'
import { indentedText } from '../../web/src/format/value-text.ts'

test('numbers keep their digits', () => {
  const text = '[1.0,1E2,-0,1e400,9007199254740993,0.1,7]'
  assert.equal(JSON.stringify(parseExactly(text)), text)
  assert.equal(indentedText(parseExactly('{"a":1.50}')), '{\n  "a": 1.50\n}')
  assert.equal(numberOf(parseExactly('1.50')), 1.5)
  assert.equal(numberOf(parseExactly('"1"')), undefined)
})

test('indents a text without changing a token', () => {
  const text = '{"a":[1.0,{}],"b, {\\"":"x: [y]\\\\","2":[],"1":{"c":null}}'
  assert.equal(
    indentJson(text),
    '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b, {\\"": "x: [y]\\\\",\n  "2": [],\n  "1": {\n    "c": null\n  }\n}',
  )
  fc.assert(
    fc.property(fc.json(), (json) => {
      const compact = JSON.stringify(JSON.parse(json))
      assert.equal(indentJson(compact), JSON.stringify(JSON.parse(json), null, 2))
    }),
  )
})
