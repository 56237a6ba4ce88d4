// Hashes of inputs, expected answers and outputs, to compare rows in joins and filters.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { canContainInexactNumber, ExactNumber, parseExact } from '../../json/exact-number.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'

/** Enough bytes to make collisions negligible. */
const HASH_BYTES = 16

/** Twice as fast for short texts as a hash that is returned as bytes, which have a memory block of their own. */
export function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'latin1'), 'latin1')
}

/** The part of the hashed text of a list for one of its texts. The length keeps adjacent texts distinct. */
function withLength(text: string): string {
  return `${text.length}:${text}`
}

function hashTexts(textsWithLength: string): Buffer {
  return Buffer.from(hash('sha256', textsWithLength, 'latin1').slice(0, HASH_BYTES), 'latin1')
}

/** A value as plain text, and whether it is a string (`t`) or not (`v`): `1` and `"1"` have the same text. */
interface PlainValue {
  text: string
  kind: 't' | 'v'
}

export interface PlainInput extends PlainValue {
  name: string
}

function toPlain(value: unknown): PlainValue {
  return typeof value === 'string'
    ? { text: normalizeUnicode(value), kind: 't' }
    : { text: toCanonicalJson(value), kind: 'v' }
}

/** Skips ASCII text, which has one byte per character. Counting its bytes is faster than the normalization. */
function normalizeUnicode(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : text.normalize('NFC')
}

/** Serializes equal values to the same text: members sorted by name, Unicode normalized. */
function toCanonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(normalizeUnicode(value))
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof ExactNumber) return value.decimal
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toCanonicalJson(member)}`).join(',')}}`
}

/** Mixes the types of the values into a hash of their texts, so that `1` and `"1"` differ. */
function mixTypes(textHash: Buffer, kinds: string): Buffer {
  const checksum = KIND_CHECKSUMS[kinds] ?? crc32(kinds)
  const typedHash = Buffer.from(textHash)
  typedHash.writeUInt32BE((typedHash.readUInt32BE(0) ^ checksum) >>> 0, 0)
  return typedHash
}

/** For a single value, which is the most frequent case. */
const KIND_CHECKSUMS: Record<string, number> = { t: crc32('t'), v: crc32('v') }

/**
 * The inputs of a scenario in the form that is hashed. `text` is their JSON text, from which numbers are read that a
 * double cannot represent.
 */
export function plainInputs(inputs: EvaluationScenario['inputs'], text: string | undefined): PlainInput[] {
  // Most values are strings, and their text can look like such a number.
  const hasNumber = text !== undefined && inputs.some(({ value }) => containsNumber(value))
  const exactInputs =
    hasNumber && canContainInexactNumber(text) ? (parseExact(text) as EvaluationScenario['inputs']) : inputs
  return exactInputs.map(({ name, value }) => ({ name, ...toPlain(value) }))
}

function containsNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'number'
  for (const name in value) if (containsNumber((value as Record<string, unknown>)[name])) return true
  return false
}

export interface ValueHashes {
  hash: Uint8Array
  /** The same for values with the same plain text. */
  text_hash: Uint8Array
}

export function valueHashes(value: unknown): ValueHashes {
  return plainValueHashes(toPlain(value))
}

export function plainValueHashes({ text, kind }: PlainValue): ValueHashes {
  const text_hash = hashTexts(withLength(text))
  return { hash: mixTypes(text_hash, kind), text_hash }
}

/** Hashes all inputs of a row, independent of their order. */
export function inputHashes(inputs: PlainInput[]): ValueHashes {
  let [texts, kinds] = ['', '']
  for (const { name, text, kind } of sortBy('name', inputs)) {
    texts += withLength(name) + withLength(text)
    kinds += kind
  }
  const text_hash = hashTexts(texts)
  return { hash: mixTypes(text_hash, kinds), text_hash }
}

export function correctAnswersHash(answers: NonNullable<EvaluationScenario['correct_answers']>): Uint8Array {
  let texts = ''
  for (const { key, value } of sortBy('key', answers)) texts += withLength(key) + withLength(value)
  return hashTexts(texts)
}

export function outputsHash(outputs: EvaluationScenario['outputs']): Uint8Array {
  let [texts, messages, kinds] = ['', '', '']
  for (const { result } of outputs) {
    const { text, kind } = toPlain(result.value)
    texts += withLength(text)
    messages += withLength(result.error?.message ?? '')
    kinds += kind
  }
  return mixTypes(hashTexts(texts + messages), kinds)
}

/** A sorted copy. Values with equal names keep their order. */
function sortBy<Key extends string, Named extends Record<Key, string>>(key: Key, values: Named[]): Named[] {
  if (values.length < 2) return values
  return values.toSorted(({ [key]: a }, { [key]: b }) => (a < b ? -1 : Number(a > b)))
}
