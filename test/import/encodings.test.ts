// Tests files that are compressed with gzip or zstd, or are in UTF-16: they are imported like the same file in UTF-8.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { runAssayCommand } from '../support/command-runner/run.ts'
import { createTempFolder } from '../support/harness.ts'
import {
  createImportStore,
  detectingImporters,
  importInto,
  scenarioLines,
  storedEvaluation,
} from '../support/import-file.ts'
import { fullOnly, testOptions } from '../support/options.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/import', import.meta.url))
/** Longer than the preview and than a chunk, so that characters are cut at the end of chunks. */
const ROWS = Array.from({ length: 60 }, (_, row) => `${row},q,${'é😀a'.repeat(30 * row)} naïve,${row % 2}`)
const TABLE = `id,input.q,output,score.ok\n${ROWS.join('\n')}\n`

const swapBytes = (text: string) => Buffer.from(text, 'utf16le').swap16()
const SKIPPABLE_FRAME = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2])

type Encode = (text: string) => Buffer
const half = (text: string) => text.indexOf('\n', text.length / 2)
const inTwoParts =
  (encode: Encode): Encode =>
  (text) =>
    Buffer.concat([encode(text.slice(0, half(text))), encode(text.slice(half(text)))])

const ENCODINGS: Record<string, { encode: Encode; isConverted?: true }> = {
  gzip: { encode: gzipSync },
  'several gzip members': { encode: inTwoParts(gzipSync) },
  zstd: { encode: zstdCompressSync },
  'several zstd frames': { encode: inTwoParts(zstdCompressSync) },
  'zstd with a skippable frame': {
    encode: (text) => Buffer.concat([SKIPPABLE_FRAME, zstdCompressSync(text)]),
  },
  'UTF-16, little-endian': { encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'), isConverted: true },
  'UTF-16, big-endian': { encode: (text) => swapBytes(`\ufeff${text}`), isConverted: true },
  'UTF-16, little-endian, without a mark': {
    encode: (text) => Buffer.from(text, 'utf16le'),
    isConverted: true,
  },
  'UTF-16, big-endian, without a mark': { encode: swapBytes, isConverted: true },
  'gzip of UTF-16': {
    encode: (text) => gzipSync(Buffer.from(`\ufeff${text}`, 'utf16le')),
    isConverted: true,
  },
}

function writeTempFile(content: string | Buffer, name: string): string {
  const path = join(createTempFolder(), name)
  writeFileSync(path, content)
  return path
}

describe('an encoded file', async () => {
  const store = await createImportStore()
  const plainReport = await importInto(store, writeTempFile(TABLE, 'answers.csv'))
  const [plain] = plainReport.evaluations
  assert.equal(plain?.accepted, ROWS.length)

  for (const [name, { encode, isConverted }] of Object.entries(ENCODINGS)) {
    test(`is imported like the same file in UTF-8: ${name}`, async () => {
      const report = await importInto(store, writeTempFile(encode(TABLE), 'answers.csv'))
      assert.deepEqual(
        report.evaluations.map(({ id, unchanged }) => [id, unchanged]),
        [[plain?.id, ROWS.length]],
      )
      assert.deepEqual(
        report.repairs.map(({ record, detail }) => [record, detail]),
        isConverted ? [[null, 'The file was converted from UTF-16 to UTF-8.']] : [],
      )
    })
  }

  test('of any format gives the same scenarios', async () => {
    const files = [
      'promptfoo/echo-run.json',
      'inspect/capitals.eval',
      'table/flat.jsonl',
      'promptfoo/echo-run-repeated.jsonl',
      'inspect/log_formats.json',
      'deepeval/test_run_20261115_123910.json',
      'phoenix/returns-nightly.json',
      'openai/page.json',
    ]
    for (const file of testOptions.profile === 'full' ? files : files.slice(0, 3)) {
      const path = join(FIXTURES, file)
      const bytes = readFileSync(path)
      const name = file.replace(/.*\//, '')
      const { evaluations, refusals } = await importInto(store, path)
      assert.deepEqual(refusals, [], name)
      const isText = !file.endsWith('.eval')
      for (const [encodedName, content] of [
        [`${name}.gz`, gzipSync(bytes)],
        [`${name}.zst`, zstdCompressSync(bytes)],
        ...(isText ? [[name, Buffer.from(`\ufeff${bytes}`, 'utf16le')] as const] : []),
      ] as const) {
        const encodedPath = writeTempFile(content, encodedName)
        assert.deepEqual(await detectingImporters(encodedPath), await detectingImporters(path), encodedName)
        const report = await importInto(store, encodedPath)
        assert.deepEqual(
          report.evaluations.map(({ id, accepted }) => [id, accepted]),
          evaluations.map(({ id }) => [id, 0]),
          encodedName,
        )
      }
    }
  })

  test('has the name of its variant without the suffix, and its own name in the report', async () => {
    for (const suffix of ['.gz', '.zst']) {
      const path = writeTempFile(gzipSync('input.q,output\n1,a\n'), `column.csv${suffix}`)
      const report = await importInto(store, path, '--evaluation', `e${suffix}`)
      assert.deepEqual([report.file, report.variants[0]?.id], [path, 'column'])
    }
  })

  test('is detected by its content, not by its name', async () => {
    for (const [name, content] of [
      ['plain.csv.gz', 'q,output\n1,a\n'],
      ['compressed.csv', zstdCompressSync('q,output\n1,a\n')],
    ] as const)
      assert.deepEqual(await detectingImporters(writeTempFile(content, name)), ['table'])
  })

  test('can be read together with compressed files in its folder', async () => {
    const folder = createTempFolder()
    const run = '2026-01-21T03-44-18.458309'
    const [samples, results] = [`samples_math_perturbed_full_${run}.jsonl`, `results_${run}.json`]
    const read = (name: string) => readFileSync(join(FIXTURES, 'lm-eval', name))
    writeFileSync(join(folder, `${samples}.gz`), gzipSync(read(samples)))
    writeFileSync(join(folder, `${results}.zst`), zstdCompressSync(read(results)))
    const expected = await importInto(store, join(FIXTURES, 'lm-eval', samples))
    for (const name of readdirSync(folder)) {
      const { evaluations } = await importInto(store, join(folder, name))
      assert.deepEqual(
        evaluations.map(({ id, accepted }) => [id, accepted]),
        expected.evaluations.map(({ id }) => [id, 0]),
      )
    }
    const { code, stdout } = await runAssayCommand(['import', '--json', '--data', createTempFolder(), folder])
    const report = JSON.parse(stdout)
    assert.equal(code, 0)
    assert.deepEqual(
      report.files.map(({ file }: { file: string }) => file),
      [join(folder, `${samples}.gz`)],
    )
    const { evaluation } = await storedEvaluation(store, expected.evaluations[0]?.id ?? '')
    assert.equal(report.files[0].evaluations[0].id, evaluation.id)
  })

  test('can come from standard input', {
    skip: fullOnly('starts a command; cli/import.test.ts reads standard input'),
  }, async () => {
    const data = createTempFolder()
    const input = Buffer.from('\ufeffq,output\n1,é\n', 'utf16le')
    const { code, stdout } = await runAssayCommand(['import', '--data', data, '--json', '-'], {}, input)
    const [report] = JSON.parse(stdout).files
    assert.deepEqual([code, report.evaluations[0].accepted, report.repaired], [0, 1, 1])
  })

  test('has the line numbers of the original file in its report', async () => {
    const text = '\ufeffq,output\r\n1,"é\r\n\r\n"\r\n2,b,c\r\n'
    const [refusal] = (await importInto(store, writeTempFile(Buffer.from(text, 'utf16le'), 'a.csv'))).refusals
    assert.deepEqual([refusal?.record, refusal?.line], [2, 5])
  })
})

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const compressed = gzipSync(TABLE)
const frame = zstdCompressSync(TABLE)
/** One raw block of one byte, in a frame with a window of 128 MiB. */
const LARGE_WINDOW = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x88, 9, 0, 0, 0x61])
const DAMAGED: [name: string, content: Buffer, line: number, detail: RegExp][] = [
  ['incomplete gzip', compressed.subarray(0, -9), 1, /compressed with gzip, but damaged or incomplete/],
  ['gzip with a wrong checksum', withByte(compressed, compressed.length - 6), 1, /damaged or incomplete/],
  ['gzip with a changed byte', withByte(compressed, compressed.length >> 1), 1, /damaged or incomplete/],
  ['gzip with extra bytes', Buffer.concat([compressed, Buffer.from('extra')]), 1, /damaged or incomplete/],
  ['incomplete zstd', frame.subarray(0, -1), 1, /compressed with zstd, but damaged or incomplete/],
  ['zstd with extra bytes', Buffer.concat([frame, Buffer.from('extra')]), 1, /damaged or incomplete/],
  ['an incomplete second frame', Buffer.concat([frame, frame.subarray(0, 100)]), 1, /damaged or incomplete/],
  ['a zstd window that is too large', LARGE_WINDOW, 1, /needs a zstd window of more than 8 MiB/],
  ['a lone surrogate', utf16(`q,output\n1,a\n2,\ud83d b\n`), 3, /not valid UTF-16: .* at byte 32/],
  ['an odd number of bytes', utf16('q,output\n1,a\n').subarray(0, -1), 2, /not valid UTF-16: .* at byte 26/],
  [
    'a lone surrogate after many rows',
    utf16(`${TABLE}1,\udc00,\n`),
    ROWS.length + 2,
    /not valid UTF-16: .* at byte \d+/,
  ],
]

function withByte(bytes: Buffer, index: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[index] = (changed[index] ?? 0) ^ 0x55
  return changed
}

describe('a damaged file', async () => {
  const store = await createImportStore()
  for (const [name, content, line, detail] of DAMAGED) {
    test(`is rejected with a reason: ${name}`, async () => {
      const path = writeTempFile(content, 'answers.csv')
      const report = await importInto(store, path, '--format', 'table', '--evaluation', 'e')
      assert.equal(report.stored, false)
      const [refusal] = report.refusals.filter((note) => note.record === null)
      assert.match(refusal?.detail ?? '', detail)
      assert.equal(refusal?.line, line)
      await assert.rejects(scenarioLines(store, 'e'), /has no evaluation 'e'/)
    })
  }

  test('is rejected by the command with exit code 1, also if its format cannot be detected', async () => {
    for (const [content, message] of [
      [
        compressed.subarray(0, compressed.length >> 1),
        /rejected: line 1: The file is compressed with gzip, but/,
      ],
      [compressed.subarray(0, 12), /has an unknown format\.\nThe file is compressed with gzip, but damaged/],
    ] as const) {
      const path = writeTempFile(content, 'answers.csv.gz')
      const { code, stdout, stderr } = await runAssayCommand(['import', '--data', createTempFolder(), path])
      assert.equal(code, 1)
      assert.match(stdout + stderr, message)
    }
  })
})

test('a compressed file is limited in its size and expansion', async () => {
  const store = await createImportStore()
  const repeated = `input.q,output\n${'1,aaaaaaaaaaaaaaaa\n'.repeat(600_000)}`
  for (const [content, flags, detail] of [
    [TABLE, ['--max-body-bytes', '100000'], /larger than 100000 bytes after decompression/],
    [repeated, [], /expands to more than 200 times its compressed size/],
  ] as const) {
    const path = writeTempFile(gzipSync(content), 'answers.csv.gz')
    const { stored, refusals } = await importInto(store, path, ...flags)
    assert.equal(stored, false)
    assert.match(refusals[0]?.detail ?? '', detail)
  }
})
