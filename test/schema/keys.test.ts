import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isId } from '../../src/schema/ids.ts'
import { generateKey, hashKey, maskKeys, publicIdOf } from '../../src/schema/keys.ts'

test('generates a key with the correct format, public part and last four characters', () => {
  const minted = generateKey()
  assert.match(minted.key, /^assay_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}$/)
  assert.equal(publicIdOf(minted.key), minted.public_id)
  assert.ok(minted.key.endsWith(minted.last_four))
  assert.deepEqual(minted.hash, hashKey(minted.key))
})

test('computes the checksum as CRC-32 in base 62, padded with 0', () => {
  // 1105748185 in base 62, computed with another zlib binding.
  assert.equal(publicIdOf(`assay_AAAAAAAAAAAA_${'B'.repeat(30)}1Cpbc9`), 'AAAAAAAAAAAA')
  assert.equal(publicIdOf(`assay_AAAAAAAAAAAA_${'B'.repeat(30)}1Cpbc8`), undefined)
})

test('detects every single wrong character', () => {
  const { key } = generateKey()
  const anyOther = fc.tuple(fc.integer({ min: 0, max: key.length - 1 }), fc.constantFrom(...'0aZ_-é '))
  fc.assert(
    fc.property(anyOther, ([at, character]) => {
      if (key[at] === character) return
      assert.equal(publicIdOf(key.slice(0, at) + character + key.slice(at + 1)), undefined)
    }),
  )
})

test('rejects a truncated or extended key', () => {
  const { key } = generateKey()
  for (const text of ['', key.slice(0, -1), `${key}0`, ` ${key}`, key.replace('assay', 'ASSAY')]) {
    assert.equal(publicIdOf(text), undefined, text)
  }
})

test('masks the secret of a key anywhere in a text', () => {
  const { key, public_id } = generateKey()
  const masked = maskKeys(`/x?key=${key}&again=${key}`)
  assert.ok(!masked.includes(key.slice(19)))
  assert.equal(masked, `/x?key=assay_${public_id}_***&again=assay_${public_id}_***`)
})

test('masks a percent-encoded key', () => {
  const { key } = generateKey()
  for (const text of [
    key.replaceAll('_', '%5f'),
    key.replace('a', '%61'),
    `/${key.replaceAll('_', '%5F')}?x=%zz`,
  ]) {
    assert.ok(!maskKeys(text).includes(key.slice(19)), text)
  }
})

const IDS: [id: string, ok: boolean][] = [
  ['a', true],
  ['💡'.repeat(200), true],
  ['x'.repeat(200), true],
  ['a/b c', true],
  ['...', true],
  ['', false],
  ['.', false],
  ['..', false],
  ['x'.repeat(201), false],
  ['💡'.repeat(201), false],
  ['a\u0000', false],
  ['a\nb', false],
  ['\u007f', false],
  ['\u0085', false],
  ['\ud800', false],
]
for (const [id, ok] of IDS) {
  test(`${JSON.stringify(id.slice(0, 12))} (${[...id].length}) ${ok ? 'is' : 'is not'} an id`, () => {
    assert.equal(isId(id), ok)
  })
}
