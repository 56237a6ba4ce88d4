// Tests the ZIP reader with valid and malicious archives.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { UnreadableFile } from '../../src/errors.ts'
import {
  MAX_ENTRIES,
  type RandomAccessFile,
  readDirectory,
  readEntryBytes,
  UnreadableEntry,
} from '../../src/import/zip/read-zip.ts'
import { fullOnly, testOptions } from '../support/options.ts'
import { bomb, type Entry, type ZipOptions, zip } from '../support/zip-archives.ts'

function fileOf(bytes: Buffer): RandomAccessFile & { read: number } {
  return {
    size: bytes.length,
    read: 0,
    async readBytes(start, length) {
      assert.ok(start >= 0 && start + length <= bytes.length, 'reads only inside the file')
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

/** Reads the first entry and discards its content. */
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
  test(`reads ${name} entries, with and without ZIP64`, async () => {
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

test('reads an archive without entries', async () => {
  assert.deepEqual(await contentsOf(zip([])), [])
})

test('reads deflated and zstd archives written by Python', async () => {
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

test('reads all frames of a zstd entry', async () => {
  const parts = ['one ', 'two ', 'three'].map((text) => text.repeat(1000))
  const packed = Buffer.concat(parts.map((part) => zstdCompressSync(Buffer.from(part))))
  const entry = { name: 'a', data: parts.join(''), method: 93, packed }
  assert.deepEqual(await contentsOf(zip([entry])), [['a', parts.join('')]])
})

test('reads sizes from the directory if they follow the data', async () => {
  const bytes = zip([{ ...ONE, flags: 8 }])
  // The header then contains zeros.
  bytes.fill(0, 14, 26)
  assert.deepEqual(await contentsOf(bytes), [['header.json', '{"a":1}']])
})

test('reads an archive inside an archive as a normal entry', async () => {
  const inner = zip([{ name: 'bomb', data: '', packed: bomb(4), size: 64 * 1024 * 1024 }])
  const outer = zip([ONE, { name: 'inner.zip', data: inner, method: 0 }])
  assert.deepEqual(
    (await readDirectory(fileOf(outer))).map(({ name }) => name),
    ['header.json', 'inner.zip'],
  )
})

const good = zip([ONE, { name: 'b', data: 'text' }])
const inComment = zip([{ name: 'other.json', data: '{}' }])

const REJECTED_ARCHIVES: [what: string, bytes: () => Buffer, why: RegExp][] = [
  ['a file that is not an archive', () => Buffer.from('{"eval":{}}'), /its end record is missing/],
  ['an empty file', () => Buffer.alloc(0), /its end record is missing/],
  ['a truncated archive', () => good.subarray(0, good.length - 5), /may be truncated/],
  [
    'a truncated directory',
    () => Buffer.concat([good.subarray(0, 60), good.subarray(90)]),
    /not at the offset in its end record/,
  ],
  [
    'a directory that begins outside of the file',
    () => zip([ONE], { directoryStart: 2 ** 31 }),
    /not at the offset/,
  ],
  [
    'a directory that is larger than the file',
    () => zip([ONE], { directoryLength: 2 ** 31 }),
    /not at the offset/,
  ],
  [
    'a ZIP64 offset outside of the file',
    () => zip([ONE], { isZip64: true, directoryStart: 2 ** 40 }),
    /not at the offset/,
  ],
  [
    'ZIP64 with a size past all files',
    () => zip([ONE], { isZip64: true, directoryStart: 2 ** 60 }),
    /a size larger than any file/,
  ],
  ['fewer entries than the directory has', () => zip([ONE, ONE], { count: 1 }), /larger than its entries/],
  ['more entries than the directory has', () => zip([ONE], { count: 2 }), /directory is damaged/],
  ['100,000 entries', () => zip([ONE], { isZip64: true, count: 100_000 }), /100000 entries, more than 99999/],
  ['a wrong count of entries', () => zip([ONE], { isZip64: true, count: 2 ** 40 }), /entries, more than/],
  [
    'a name with path traversal',
    () => zip([{ ...ONE, name: '../header.json' }]),
    /is a path outside of the archive/,
  ],
  [
    'a name with path traversal in the middle',
    () => zip([{ ...ONE, name: 'samples/../../etc/passwd' }]),
    /is a path outside of the archive/,
  ],
  ['an absolute name', () => zip([{ ...ONE, name: '/etc/passwd' }]), /is a path outside of the archive/],
  ['a name with a drive', () => zip([{ ...ONE, name: 'C:header.json' }]), /is a path outside of the archive/],
  [
    'a name with path traversal by backslash',
    () => zip([{ ...ONE, name: 'a\\..\\b' }]),
    /is a path outside of the archive/,
  ],
  ['a name with NUL', () => zip([{ ...ONE, name: 'a\0b' }]), /is a path outside of the archive/],
  ['a name that is too long', () => zip([{ ...ONE, name: 'n'.repeat(4097) }]), /has 4097 bytes/],
  ['no name', () => zip([{ ...ONE, name: '' }]), /has 0 bytes/],
  ['an encrypted entry', () => zip([{ ...ONE, flags: 1 }]), /is encrypted/],
  ['two entries at the same offset', () => zip([ONE, { ...ONE, name: 'headed.json', start: 0 }]), /overlaps/],
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
  ['an entry after the directory', () => zip([{ ...ONE, start: 5000 }]), /overlaps/],
  ['a second end record in the comment', () => zip([ONE], { comment: inComment }), /it has two end records/],
  [
    'extra bytes after the end',
    () => Buffer.concat([good, Buffer.from('more')]),
    /its end record is missing/,
  ],
]
for (const [what, bytes, why] of REJECTED_ARCHIVES) {
  test(`rejects the whole archive: ${what}`, async () => {
    await assert.rejects(readDirectory(fileOf(bytes())), (error) => {
      assert.ok(error instanceof UnreadableFile, String(error))
      assert.match(error.message, why)
      return true
    })
  })
}

test(`reads ${MAX_ENTRIES} entries`, { skip: fullOnly('builds a large archive') }, async () => {
  const entries = Array<Entry>(MAX_ENTRIES).fill({ name: 'a', data: '', method: 0 })
  assert.equal((await readDirectory(fileOf(zip(entries)))).length, MAX_ENTRIES)
})

const DAMAGED: [what: string, entry: Entry, why: RegExp, form?: ZipOptions][] = [
  ['a checksum that is wrong', { ...ONE, crc: 1 }, /its checksum is wrong/],
  ['a size that is too small', { ...ONE, size: 3 }, /larger than declared in the directory/],
  ['a size that is too large', { ...ONE, size: 30 }, /smaller than declared in the directory/],
  ['a size that differs from the header', { ...ONE, localSize: 5 }, /differ from those in the directory/],
  [
    'a name that differs from the header',
    { ...ONE, localName: 'footer.json' },
    /not at the offset declared in the directory/,
  ],
  ['an unknown method', { ...ONE, method: 14 }, /unsupported compression method 14/],
  ['data that is not compressed', { ...ONE, packed: Buffer.from('not deflated') }, /is damaged/],
  [
    'data that is not zstd',
    { ...ONE, method: 93, packed: Buffer.from('not zstd at all') },
    /is damaged|has extra bytes|smaller/,
  ],
  ['truncated data', { ...ONE, data: 'x'.repeat(1000), packed: Buffer.from([0x4b]) }, /is damaged/],
  [
    'extra bytes after the compressed data',
    { ...ONE, packed: Buffer.concat([Buffer.from([3, 0]), Buffer.alloc(9)]), size: 0, crc: 0 },
    /has extra bytes/,
  ],
  [
    'a declared size of 10 GiB',
    { ...ONE, packed: bomb(1), size: 10 * 1024 ** 3 },
    /larger than 2147483648 bytes/,
  ],
  [
    '256 MiB from 256 kB, as declared',
    { ...ONE, packed: bomb(16), size: 256 * 1024 ** 2 },
    /more than 200 times/,
  ],
  [
    '10 GiB declared as 9 MiB',
    { ...ONE, packed: bomb(640), size: 9 * 1024 ** 2 },
    /larger than declared in the directory/,
  ],
]
for (const [what, entry, why, form] of DAMAGED) {
  test(`rejects one entry and reads the others: ${what}`, async () => {
    const memoryBefore = process.memoryUsage().rss
    const bytes = zip([entry, ONE], form)
    await assert.rejects(drain(bytes), (error) => {
      assert.ok(error instanceof UnreadableEntry, String(error))
      assert.match(error.message, why)
      return true
    })
    const file = fileOf(bytes)
    const secondEntry = (await readDirectory(file))[1]
    assert.ok(secondEntry)
    const chunks = await Array.fromAsync(readEntryBytes(file, secondEntry))
    assert.equal(Buffer.concat(chunks).toString(), ONE.data)
    if (testOptions.measures)
      assert.ok(process.memoryUsage().rss - memoryBefore < 200e6, 'uses little memory')
  })
}

test('releases all resources when the reader stops early', async () => {
  const file = fileOf(zip([{ name: 'a', data: Buffer.alloc(4e6, 'abc') }]))
  const [entry] = await readDirectory(file)
  assert.ok(entry)
  for await (const _ of readEntryBytes(file, entry)) break
})
