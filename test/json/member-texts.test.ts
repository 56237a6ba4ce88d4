// Tests the functions that return the exact texts of object members and array elements.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitElements, splitMembers } from '../../src/json/member-texts.ts'
import { anyCharacter } from '../support/characters.ts'
import { EXACT_VALUES } from '../support/corpus.ts'

const memberNames = fc
  .string({ unit: anyCharacter })
  .map((name) => (name.isWellFormed() ? name : `x${name.length}`))

test('returns the exact texts of the members of an object', () => {
  fc.assert(
    fc.property(fc.uniqueArray(memberNames), fc.array(fc.jsonValue()), (keys, values) => {
      const texts = keys.map((key, index) => [key, JSON.stringify(values[index] ?? null)] as const)
      const object = `{${texts.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`
      assert.deepEqual([...splitMembers(object)], texts)
    }),
  )
})

test('returns the exact texts of the elements of an array', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (values) => {
      const texts = values.map((value) => JSON.stringify(value))
      assert.deepEqual(splitElements(`[${texts.join(',')}]`), texts)
    }),
  )
})

test('preserves values that JSON.parse and JSON.stringify would change', () => {
  assert.deepEqual(splitElements(`[${EXACT_VALUES.join(',')}]`), EXACT_VALUES)
  const object = `{${EXACT_VALUES.map((value, index) => `"${index}":${value}`).join(',')}}`
  assert.deepEqual([...splitMembers(object).values()], EXACT_VALUES)
})

test('throws if the text is truncated', () => {
  for (const text of ['["a', '[[1', '[{"a']) assert.throws(() => splitElements(text))
})
