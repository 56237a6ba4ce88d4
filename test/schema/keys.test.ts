import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isId } from '../../src/schema/ids.ts'
import { hashKey, maskKeys, mintKey, publicIdOf } from '../../src/schema/keys.ts'

test('a minted key has its form, its public part and its last four', () => {
  const minted = mintKey()
  assert.match(minted.key, /^assay_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}$/)
  assert.equal(publicIdOf(minted.key), minted.public_id)
  assert.ok(minted.key.endsWith(minted.last_four))
  assert.deepEqual(minted.hash, hashKey(minted.key))
})

test('the checksum is CRC-32 of all before it in base 62, padded with 0', () => {
  // 1105748185 by zlib of another language, in base 62.
  assert.equal(publicIdOf(`assay_AAAAAAAAAAAA_${'B'.repeat(30)}1Cpbc9`), 'AAAAAAAAAAAA')
  assert.equal(publicIdOf(`assay_AAAAAAAAAAAA_${'B'.repeat(30)}1Cpbc8`), undefined)
})

test('every single wrong character is noticed', () => {
  const { key } = mintKey()
  const anyOther = fc.tuple(fc.integer({ min: 0, max: key.length - 1 }), fc.constantFrom(...'0aZ_-é '))
  fc.assert(
    fc.property(anyOther, ([at, character]) => {
      if (key[at] === character) return
      assert.equal(publicIdOf(key.slice(0, at) + character + key.slice(at + 1)), undefined)
    }),
  )
})

test('a cut or lengthened key is refused', () => {
  const { key } = mintKey()
  for (const text of ['', key.slice(0, -1), `${key}0`, ` ${key}`, key.replace('assay', 'ASSAY')]) {
    assert.equal(publicIdOf(text), undefined, text)
  }
})

test('the secret is masked wherever a key stands', () => {
  const { key, public_id } = mintKey()
  const masked = maskKeys(`/x?key=${key}&again=${key}`)
  assert.ok(!masked.includes(key.slice(19)))
  assert.equal(masked, `/x?key=assay_${public_id}_***&again=assay_${public_id}_***`)
})

test('a key that is percent-encoded is masked too', () => {
  const { key } = mintKey()
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
