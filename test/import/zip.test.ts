// The ZIP reader: what it reads, and the archives that were made to do harm.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { Unreadable } from '../../src/import/importer.ts'
import { type Bytes, MAX_ENTRIES, readDirectory } from '../../src/import/zip.ts'
import { BadEntry, readEntryBytes } from '../../src/import/zip-entry.ts'
import { bomb, type Entry, type Form, zip } from './zipping.ts'

function fileOf(bytes: Buffer): Bytes & { read: number } {
  return {
    size: bytes.length,
    read: 0,
    async bytes(start, length) {
      assert.ok(start >= 0 && start + length <= bytes.length, 'nothing outside of the file is asked for')
      this.read += length
      return Buffer.from(bytes.subarray(start, start + length))
    },
  }
}

async function contentsOf(bytes: Buffer): Promise<[string, string][]> {
  const file = fileOf(bytes)
  const contents: [string, string][] = []
  for (const entry of await readDirectory(file)) {
    const chunks: Buffer[] = []
    for await (const chunk of readEntryBytes(file, entry)) chunks.push(chunk)
    contents.push([entry.name, Buffer.concat(chunks).toString()])
  }
  return contents
}

/** What the first entry gives is thrown away. */
async function drain(bytes: Buffer): Promise<void> {
  const file = fileOf(bytes)
  const [entry] = await readDirectory(file)
  assert.ok(entry)
  for await (const _ of readEntryBytes(file, entry));
}

const ONE: Entry = { name: 'header.json', data: '{"a":1}' }

for (const [method, name] of [
  [0, 'stored'],
  [8, 'deflated'],
  [93, 'zstd'],
] as const) {
  test(`entries that are ${name} are read, with and without ZIP64`, async () => {
    const long = 'samples of text. '.repeat(50_000)
    const entries = [
      { name: 'a.json', data: '{}', method },
      { name: 'samples/é_epoch_1.json', data: long, method },
      { name: 'empty', data: '', method },
    ]
    const expected = entries.map(({ name, data }) => [name, data])
    assert.deepEqual(await contentsOf(zip(entries)), expected)
    assert.deepEqual(await contentsOf(zip(entries, { isZip64: true })), expected)
    assert.deepEqual(await contentsOf(zip(entries, { comment: Buffer.from('made by hand') })), expected)
  })
}

test('an archive without entries is one', async () => {
  assert.deepEqual(await contentsOf(zip([])), [])
})

test('what Python writes is read: deflated and zstd', async () => {
  for (const name of ['log_formats.eval', 'planets.eval']) {
    const bytes = readFileSync(new URL(`../fixtures/import/inspect/${name}`, import.meta.url))
    const names = (await contentsOf(bytes)).map(([name, text]) => [
      name,
      typeof JSON.parse(text.replaceAll('NaN', '0')),
    ])
    assert.ok(names.length > 5)
    assert.deepEqual(names.at(-1), ['header.json', 'object'])
  }
})

test('zstd of several frames is read to its end', async () => {
  const parts = ['one ', 'two ', 'three'].map((text) => text.repeat(1000))
  const packed = Buffer.concat(parts.map((part) => zstdCompressSync(Buffer.from(part))))
  const entry = { name: 'a', data: parts.join(''), method: 93, packed }
  assert.deepEqual(await contentsOf(zip([entry])), [['a', parts.join('')]])
})

test('sizes behind the data are taken from the directory', async () => {
  const bytes = zip([{ ...ONE, flags: 8 }])
  // The header then has zeros.
  bytes.fill(0, 14, 26)
  assert.deepEqual(await contentsOf(bytes), [['header.json', '{"a":1}']])
})

test('an archive in an archive is an entry like any other', async () => {
  const inner = zip([{ name: 'bomb', data: '', packed: bomb(4), size: 64 * 1024 * 1024 }])
  const outer = zip([ONE, { name: 'inner.zip', data: inner, method: 0 }])
  assert.deepEqual(
    (await readDirectory(fileOf(outer))).map(({ name }) => name),
    ['header.json', 'inner.zip'],
  )
})

const good = zip([ONE, { name: 'b', data: 'text' }])
const inComment = zip([{ name: 'other.json', data: '{}' }])

const REFUSED: [what: string, bytes: () => Buffer, why: RegExp][] = [
  ['what is no archive', () => Buffer.from('{"eval":{}}'), /its end is missing/],
  ['an empty file', () => Buffer.alloc(0), /its end is missing/],
  ['an archive that is cut off', () => good.subarray(0, good.length - 5), /may be cut off/],
  [
    'a directory that is cut off',
    () => Buffer.concat([good.subarray(0, 60), good.subarray(90)]),
    /not where its end says/,
  ],
  ['a directory that begins outside of the file', () => zip([ONE], { directoryStart: 2 ** 31 }), /not where/],
  ['a directory that is larger than the file', () => zip([ONE], { directoryLength: 2 ** 31 }), /not where/],
  [
    'ZIP64 that leads outside of the file',
    () => zip([ONE], { isZip64: true, directoryStart: 2 ** 40 }),
    /not where/,
  ],
  [
    'ZIP64 with a size past all files',
    () => zip([ONE], { isZip64: true, directoryStart: 2 ** 60 }),
    /larger than any file/,
  ],
  ['fewer entries than the directory has', () => zip([ONE, ONE], { count: 1 }), /larger than its entries/],
  ['more entries than the directory has', () => zip([ONE], { count: 2 }), /directory is damaged/],
  [
    '100,000 entries',
    () => zip(Array(100_000).fill({ ...ONE, method: 0 })),
    /100000 entries, more than 99999/,
  ],
  [
    'a count of entries that is a lie',
    () => zip([ONE], { isZip64: true, count: 2 ** 40 }),
    /entries, more than/,
  ],
  ['a name that leads up', () => zip([{ ...ONE, name: '../header.json' }]), /leads out of it/],
  [
    'a name that leads up inside',
    () => zip([{ ...ONE, name: 'samples/../../etc/passwd' }]),
    /leads out of it/,
  ],
  ['an absolute name', () => zip([{ ...ONE, name: '/etc/passwd' }]), /leads out of it/],
  ['a name with a drive', () => zip([{ ...ONE, name: 'C:header.json' }]), /leads out of it/],
  ['a name that leads up by a backslash', () => zip([{ ...ONE, name: 'a\\..\\b' }]), /leads out of it/],
  ['a name with NUL', () => zip([{ ...ONE, name: 'a\0b' }]), /leads out of it/],
  ['a name that is too long', () => zip([{ ...ONE, name: 'n'.repeat(4097) }]), /has 4097 bytes/],
  ['no name', () => zip([{ ...ONE, name: '' }]), /has 0 bytes/],
  ['an encrypted entry', () => zip([{ ...ONE, flags: 1 }]), /is encrypted/],
  ['two entries in the same place', () => zip([ONE, { ...ONE, name: 'headed.json', start: 0 }]), /overlaps/],
  [
    'an entry inside another',
    () =>
      zip([
        { ...ONE, method: 0, data: 'x'.repeat(200) },
        { ...ONE, start: 60 },
      ]),
    /overlaps/,
  ],
  ['an entry that reaches into the directory', () => zip([{ ...ONE, packedSize: 100 }]), /overlaps/],
  ['an entry behind the directory', () => zip([{ ...ONE, start: 5000 }]), /overlaps/],
  ['a second end in the comment', () => zip([ONE], { comment: inComment }), /it has two ends/],
  ['something behind the end', () => Buffer.concat([good, Buffer.from('more')]), /its end is missing/],
]
for (const [what, bytes, why] of REFUSED) {
  test(`the whole archive is refused: ${what}`, async () => {
    await assert.rejects(readDirectory(fileOf(bytes())), (error) => {
      assert.ok(error instanceof Unreadable, String(error))
      assert.match(error.message, why)
      return true
    })
  })
}

test(`as many as ${MAX_ENTRIES} entries are read`, async () => {
  const entries = Array<Entry>(MAX_ENTRIES).fill({ name: 'a', data: '', method: 0 })
  assert.equal((await readDirectory(fileOf(zip(entries)))).length, MAX_ENTRIES)
})

const DAMAGED: [what: string, entry: Entry, why: RegExp, form?: Form][] = [
  ['a checksum that is wrong', { ...ONE, crc: 1 }, /its checksum is wrong/],
  ['a size that is too small', { ...ONE, size: 3 }, /larger than the directory says/],
  ['a size that is too large', { ...ONE, size: 30 }, /smaller than the directory says/],
  ['a size that its header does not have', { ...ONE, localSize: 5 }, /not those in the directory/],
  [
    'a name that its header does not have',
    { ...ONE, localName: 'footer.json' },
    /not where the directory says/,
  ],
  ['a method that is not known', { ...ONE, method: 14 }, /a method, 14, that is not known/],
  ['what is not compressed', { ...ONE, packed: Buffer.from('not deflated') }, /It is damaged/],
  [
    'what is not zstd',
    { ...ONE, method: 93, packed: Buffer.from('not zstd at all') },
    /It is damaged|Something follows|smaller/,
  ],
  ['what is cut off', { ...ONE, data: 'x'.repeat(1000), packed: Buffer.from([0x4b]) }, /It is damaged/],
  [
    'something behind what is compressed',
    { ...ONE, packed: Buffer.concat([Buffer.from([3, 0]), Buffer.alloc(9)]), size: 0, crc: 0 },
    /Something follows/,
  ],
  ['10 GiB, as it says', { ...ONE, packed: bomb(1), size: 10 * 1024 ** 3 }, /larger than 2147483648 bytes/],
  [
    '256 MiB of 256 kB, as it says',
    { ...ONE, packed: bomb(16), size: 256 * 1024 ** 2 },
    /more than 200 times/,
  ],
  [
    '10 GiB that it says are 9 MiB',
    { ...ONE, packed: bomb(640), size: 9 * 1024 ** 2 },
    /larger than the directory says/,
  ],
]
for (const [what, entry, why, form] of DAMAGED) {
  test(`an entry is refused, and others are not: ${what}`, async () => {
    const before = process.memoryUsage().rss
    const bytes = zip([entry, ONE], form)
    await assert.rejects(drain(bytes), (error) => {
      assert.ok(error instanceof BadEntry, String(error))
      assert.match(error.message, why)
      return true
    })
    const file = fileOf(bytes)
    const other = (await readDirectory(file))[1]
    assert.ok(other)
    const chunks = await Array.fromAsync(readEntryBytes(file, other))
    assert.equal(Buffer.concat(chunks).toString(), ONE.data)
    assert.ok(process.memoryUsage().rss - before < 200e6, 'little of it is ever held')
  })
}

test('whoever stops reading an entry leaves nothing behind', async () => {
  const file = fileOf(zip([{ name: 'a', data: Buffer.alloc(4e6, 'abc') }]))
  const [entry] = await readDirectory(file)
  assert.ok(entry)
  for await (const _ of readEntryBytes(file, entry)) break
})
