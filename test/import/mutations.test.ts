// Files that are broken in every way: whatever an importer makes of them, it says so, and stores all or nothing.
// MUTATIONS=5000 for a long campaign over each format, SEED for another one.
import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ImportReport } from '../../src/schema/imports.ts'
import type { Store } from '../../src/store/store.ts'
import { freshFolder, freshStore } from '../harness.ts'
import { importInto } from './importing.ts'

const MUTATIONS = Number(process.env.MUTATIONS ?? 40)
const SEED = Number(process.env.SEED ?? 1)
const FIXTURES = fileURLToPath(new URL('../fixtures/import', import.meta.url))

/** Numbers below a limit, the same for the same seed. */
class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  roll(sides: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * sides)
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.roll(items.length)] as Item
  }
}

type Mutation = (bytes: Buffer, dice: Dice) => Buffer | undefined

const STRANGE = [
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

const MUTATIONS_OF: Record<string, Mutation> = {
  'bytes flipped': (bytes, dice) => {
    const flipped = Buffer.from(bytes)
    for (let count = 1 + dice.roll(4); count > 0; count -= 1)
      flipped[dice.roll(bytes.length)] = dice.roll(256)
    return flipped
  },
  'cut off': (bytes, dice) => bytes.subarray(0, dice.roll(bytes.length)),
  'a part missing': (bytes, dice) => {
    const at = dice.roll(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + dice.roll(200))])
  },
  'a part doubled': (bytes, dice) => {
    const at = dice.roll(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - dice.roll(200)))])
  },
  'a member removed': (bytes, dice) => changed(bytes, dice, () => undefined),
  'a value of another type': (bytes, dice) => changed(bytes, dice, () => dice.of(STRANGE)),
}

/** One value somewhere inside is another one, or not there; undefined where the file is no JSON. */
function changed(bytes: Buffer, dice: Dice, replace: () => unknown): Buffer | undefined {
  const text = bytes.toString()
  try {
    const lines =
      /^\s*[[{][^\n]*\n\s*[[{]/.test(text) && !/^\s*\[/.test(text) ? text.trimEnd().split('\n') : [text]
    const index = dice.roll(lines.length)
    const document = JSON.parse(lines[index] ?? '')
    let holder = document
    for (let depth = 1 + dice.roll(7); ; depth -= 1) {
      const names = Object.keys(holder)
      if (names.length === 0) break
      const name = dice.of(names)
      const inner = holder[name]
      if (depth > 1 && typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0) {
        holder = inner
        continue
      }
      holder[name] = replace()
      break
    }
    lines[index] = JSON.stringify(document)
    return Buffer.from(lines.join('\n'))
  } catch {
    return undefined
  }
}

async function counts({ reader }: Store): Promise<unknown> {
  const tables = ['evaluation', 'scenario', 'measure', 'search', 'result', 'input', 'variant', 'revision']
  const columns = tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`)
  return reader.get(`SELECT ${columns.join(', ')}`)
}

function checkReport({ stored, evaluations, refused, refusals }: ImportReport): void {
  if (stored) {
    assert.equal(refused, 0)
    for (const { id } of evaluations) assert.ok(id.length > 0)
    return
  }
  assert.ok(refused > 0 && refusals.length > 0, 'it says why nothing is stored')
  for (const { line, detail, pointer } of refusals) {
    assert.ok(Number.isInteger(line) && line > 0, `line ${line}`)
    assert.ok(detail.length > 10, detail)
    assert.ok(pointer === '' || pointer.startsWith('/'), pointer)
  }
}

for (const format of readdirSync(FIXTURES)) {
  test(`${MUTATIONS} broken files of ${format} are refused with a place, or stored whole`, async (t) => {
    const store = await freshStore()
    const folder = join(FIXTURES, format)
    const files = readdirSync(folder).filter((name) => /\.(json|jsonl|csv|tsv|eval)$/.test(name))
    const work = freshFolder()
    for (const name of files) copyFileSync(join(folder, name), join(work, name))
    const dice = new Dice(SEED)
    const tally = { stored: 0, refused: 0 }
    for (let round = 0; round < MUTATIONS; ) {
      const name = dice.of(files)
      const kind = dice.of(Object.keys(MUTATIONS_OF))
      const original = readFileSync(join(folder, name))
      const mutated = MUTATIONS_OF[kind]?.(original, dice)
      if (!mutated) continue
      const path = join(work, name)
      writeFileSync(path, mutated)
      const before = await counts(store)
      try {
        const report = await importInto(store, path, '--format', format)
        checkReport(report)
        if (!report.stored) assert.deepEqual(await counts(store), before, 'nothing is stored of it')
        tally[report.stored ? 'stored' : 'refused'] += 1
      } catch (error) {
        const kept = join(freshFolder(), basename(name))
        writeFileSync(kept, mutated)
        throw new Error(`round ${round}, ${kind} of ${name}, kept as ${kept}`, { cause: error })
      }
      writeFileSync(path, original)
      round += 1
    }
    t.diagnostic(JSON.stringify(tally))
    assert.ok(tally.refused > 0)
  })
}
