import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { elementTexts, memberTexts } from '../../src/json/member-texts.ts'
import { EXACT_VALUES } from '../support/corpus.ts'

const names = fc.string({ unit: 'binary' }).map((name) => (name.isWellFormed() ? name : `x${name.length}`))

test('returns the exact texts of the members of an object', () => {
  fc.assert(
    fc.property(fc.uniqueArray(names), fc.array(fc.jsonValue()), (keys, values) => {
      const texts = keys.map((key, index) => [key, JSON.stringify(values[index] ?? null)] as const)
      const object = `{${texts.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`
      assert.deepEqual([...memberTexts(object)], texts)
    }),
  )
})

test('returns the exact texts of the elements of an array', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (values) => {
      const texts = values.map((value) => JSON.stringify(value))
      assert.deepEqual(elementTexts(`[${texts.join(',')}]`), texts)
    }),
  )
})

test('preserves tokens that a parser would change', () => {
  assert.deepEqual(elementTexts(`[${EXACT_VALUES.join(',')}]`), EXACT_VALUES)
  const object = `{${EXACT_VALUES.map((value, index) => `"${index}":${value}`).join(',')}}`
  assert.deepEqual([...memberTexts(object).values()], EXACT_VALUES)
})

test('throws if the text is truncated', () => {
  for (const text of ['["a', '[[1', '[{"a']) assert.throws(() => elementTexts(text))
})
