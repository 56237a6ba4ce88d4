// What tells whether two rows have the same inputs, expected answers or outputs: hashes, for joins and filters.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ExactNumber, exactValue, mayBeInexact } from '../json/exact.ts'
import type { EvaluationScenario } from '../schema/scenarios.ts'

/** So many bytes that no two texts share them by chance. */
const HASH_BYTES = 16

/** Of several texts together: lengths keep them apart. */
function hashOf(texts: string[]): Buffer {
  const text = texts.map((one) => `${one.length}:${one}`).join('')
  // A copy of its own: the rest of it is of no use.
  return Buffer.from(hash('sha256', text, 'buffer').subarray(0, HASH_BYTES))
}

/** A value as a person would type it, and whether it is a text by itself: `1` and `"1"` are typed alike. */
interface Plain {
  text: string
  isText: boolean
}

function plain(value: unknown): Plain {
  return typeof value === 'string'
    ? { text: composed(value), isText: true }
    : { text: canonical(value), isText: false }
}

/** Most texts have nothing to compose, which is sooner seen than done. */
function composed(text: string): string {
  return /[^\0-\x7f]/.test(text) ? text.normalize('NFC') : text
}

/** One text for values that are the same: names in order, characters composed. */
function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(composed(value))
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof ExactNumber) return value.decimal
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

/** The hash of texts becomes that of values: another one where a text stands for another kind of value. */
function typed(hashed: Buffer, values: Plain[]): Buffer {
  const kinds = crc32(values.map(({ isText }) => (isText ? 't' : 'v')).join(''))
  const marked = Buffer.from(hashed)
  marked.writeUInt32BE((marked.readUInt32BE(0) ^ kinds) >>> 0, 0)
  return marked
}

/** The inputs with their numbers as they were written, where doubles could not tell them apart. */
export function exactInputs(
  inputs: EvaluationScenario['inputs'],
  text: string | undefined,
): EvaluationScenario['inputs'] {
  if (text === undefined || !mayBeInexact(text)) return inputs
  return exactValue(text) as EvaluationScenario['inputs']
}

export interface ValueHashes {
  hash: Uint8Array
  /** The same for values that are typed alike. */
  text_hash: Uint8Array
}

export function valueHashes(value: unknown): ValueHashes {
  const one = plain(value)
  const text_hash = hashOf([one.text])
  return { hash: typed(text_hash, [one]), text_hash }
}

/** Of all inputs of a row, whatever the order of their names. */
export function inputHashes(inputs: EvaluationScenario['inputs']): ValueHashes {
  const values = byName(inputs.map(({ name, value }) => ({ name, ...plain(value) })))
  const text_hash = hashOf(values.flatMap(({ name, text }) => [name, text]))
  return { hash: typed(text_hash, values), text_hash }
}

export function answersHash(answers: NonNullable<EvaluationScenario['correct_answers']>): Uint8Array {
  const values = byName(answers.map(({ key, value }) => ({ name: key, value })))
  return hashOf(values.flatMap(({ name, value }) => [name, value]))
}

export function outputsHash(outputs: EvaluationScenario['outputs']): Uint8Array {
  const values = outputs.map(({ result }) => plain(result.value))
  const messages = outputs.map(({ result }) => result.error?.message ?? '')
  return typed(hashOf([...values.map(({ text }) => text), ...messages]), values)
}

function byName<Named extends { name: string }>(values: Named[]): Named[] {
  return values.sort(({ name: a }, { name: b }) => (a < b ? -1 : Number(a > b)))
}
