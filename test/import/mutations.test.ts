// Imports randomly damaged fixtures. Each is either stored completely or rejected with a location.
import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { Problem } from '../../src/errors.ts'
import type { ImportReport } from '../../src/schema/imports.ts'
import type { Store } from '../../src/store/store.ts'
import { sizes } from '../sizes.ts'
import { createTempFolder, createTestStore } from '../support/harness.ts'
import { importInto } from '../support/import-file.ts'
import { testOptions } from '../support/options.ts'

const MUTATIONS = sizes.mutations
const SEED = testOptions.seed
const FIXTURES = fileURLToPath(new URL('../fixtures/import', import.meta.url))

/** A seeded random number generator. */
class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * limit)
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }
}

type Mutation = (bytes: Buffer, random: Random) => Buffer | undefined

const UNEXPECTED_VALUES = [
  null,
  0,
  -1,
  1e300,
  '',
  'x',
  true,
  [],
  {},
  [[]],
  { a: null },
  ['x'],
  '\u0000',
  'a'.repeat(300),
]

const flipBytes: Mutation = (bytes, random) => {
  const flipped = Buffer.from(bytes)
  for (let count = 1 + random.below(4); count > 0; count -= 1)
    flipped[random.below(bytes.length)] = random.below(256)
  return flipped
}
const truncate: Mutation = (bytes, random) => bytes.subarray(0, random.below(bytes.length))

/** Damages the encoded file, not the text in it. */
const damageEncoded =
  (encode: (bytes: Buffer) => Buffer): Mutation =>
  (bytes, random) =>
    random.pick([flipBytes, truncate])(encode(bytes), random)

const MUTATIONS_OF: Record<string, Mutation> = {
  'bytes flipped': flipBytes,
  truncated: truncate,
  'damaged gzip': damageEncoded((bytes) => gzipSync(bytes)),
  'damaged zstd': damageEncoded((bytes) => zstdCompressSync(bytes)),
  'damaged UTF-16': damageEncoded((bytes) => Buffer.from(`\ufeff${bytes}`, 'utf16le')),
  'a part missing': (bytes, random) => {
    const offset = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, offset), bytes.subarray(offset + 1 + random.below(200))])
  },
  'a part doubled': (bytes, random) => {
    const offset = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, offset), bytes.subarray(Math.max(0, offset - random.below(200)))])
  },
  'a member removed': (bytes, random) => replaceValue(bytes, random, () => undefined),
  'a value of another type': (bytes, random) =>
    replaceValue(bytes, random, () => random.pick(UNEXPECTED_VALUES)),
}

/** Replaces or removes one nested value. Undefined if the file is not JSON. */
function replaceValue(bytes: Buffer, random: Random, replace: () => unknown): Buffer | undefined {
  const text = bytes.toString()
  try {
    const lines =
      /^\s*[[{][^\n]*\n\s*[[{]/.test(text) && !/^\s*\[/.test(text) ? text.trimEnd().split('\n') : [text]
    const index = random.below(lines.length)
    const document = JSON.parse(lines[index] ?? '')
    let parent = document
    for (let depth = 1 + random.below(7); ; depth -= 1) {
      const names = Object.keys(parent)
      if (names.length === 0) break
      const name = random.pick(names)
      const child = parent[name]
      if (depth > 1 && typeof child === 'object' && child !== null && Object.keys(child).length > 0) {
        parent = child
        continue
      }
      parent[name] = replace()
      break
    }
    lines[index] = JSON.stringify(document)
    return Buffer.from(lines.join('\n'))
  } catch {
    return undefined
  }
}

async function counts({ reader }: Store): Promise<unknown> {
  const tables = ['evaluation', 'scenario', 'measure', 'result', 'input', 'variant', 'revision']
  const columns = tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`)
  return reader.get(`SELECT ${columns.join(', ')}`)
}

function checkReport({ stored, evaluations, refused, refusals }: ImportReport): void {
  if (stored) {
    assert.equal(refused, 0)
    for (const { id } of evaluations) assert.ok(id.length > 0)
    return
  }
  assert.ok(refused > 0 && refusals.length > 0, 'the report explains why nothing was stored')
  for (const { line, detail, pointer } of refusals) {
    assert.ok(Number.isInteger(line) && line > 0, `line ${line}`)
    assert.ok(detail.length > 10, detail)
    assert.ok(pointer === '' || pointer.startsWith('/'), pointer)
  }
}

async function importDamaged(store: Store, path: string, format: string): Promise<'stored' | 'refused'> {
  try {
    const report = await importInto(store, path, '--format', format)
    checkReport(report)
    return report.stored ? 'stored' : 'refused'
  } catch (error) {
    // The rows of a damaged file without ids can be those of an earlier one, in another order.
    if (!(error instanceof Problem) || error.code !== 'conflict') throw error
    assert.match(error.message, /\(line \d+\)/)
    return 'refused'
  }
}

for (const format of readdirSync(FIXTURES)) {
  test(`rejects ${MUTATIONS} damaged files of ${format} with a location, or stores them completely`, async (t) => {
    const store = await createTestStore()
    const folder = join(FIXTURES, format)
    const files = readdirSync(folder).filter((name) => /\.(json|jsonl|csv|tsv|eval|parquet)$/.test(name))
    const work = createTempFolder()
    for (const name of files) copyFileSync(join(folder, name), join(work, name))
    const random = new Random(SEED)
    const tally = { stored: 0, refused: 0 }
    for (let round = 0; round < MUTATIONS; ) {
      const name = random.pick(files)
      const kind = random.pick(Object.keys(MUTATIONS_OF))
      const original = readFileSync(join(folder, name))
      const mutated = MUTATIONS_OF[kind]?.(original, random)
      if (!mutated) continue
      const path = join(work, name)
      writeFileSync(path, mutated)
      const countsBefore = await counts(store)
      try {
        const outcome = await importDamaged(store, path, format)
        if (outcome === 'refused') assert.deepEqual(await counts(store), countsBefore, 'nothing was stored')
        tally[outcome] += 1
      } catch (error) {
        const copy = join(createTempFolder(), basename(name))
        writeFileSync(copy, mutated)
        throw new Error(`round ${round}, ${kind} of ${name}, saved as ${copy}`, { cause: error })
      }
      writeFileSync(path, original)
      round += 1
    }
    t.diagnostic(JSON.stringify(tally))
    assert.ok(tally.refused > 0)
  })
}
