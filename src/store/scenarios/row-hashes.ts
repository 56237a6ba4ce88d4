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

/** Hashes a list of texts. Length prefixes keep adjacent texts distinct. */
function hashTexts(texts: string[]): Buffer {
  const prefixedText = texts.map((text) => `${text.length}:${text}`).join('')
  return sha256(prefixedText).subarray(0, HASH_BYTES)
}

/** A value as plain text, and whether it is a string: `1` and `"1"` have the same text. */
interface PlainValue {
  text: string
  isText: boolean
}

function toPlainValue(value: unknown): PlainValue {
  return typeof value === 'string'
    ? { text: normalizeUnicode(value), isText: true }
    : { text: toCanonicalJson(value), isText: false }
}

/** Skips ASCII text, because the test is faster than the normalization. */
function normalizeUnicode(text: string): string {
  return /[^\0-\x7f]/.test(text) ? text.normalize('NFC') : text
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
function mixTypes(textHash: Buffer, values: PlainValue[]): Buffer {
  const kinds = crc32(values.map(({ isText }) => (isText ? 't' : 'v')).join(''))
  const typedHash = Buffer.from(textHash)
  typedHash.writeUInt32BE((typedHash.readUInt32BE(0) ^ kinds) >>> 0, 0)
  return typedHash
}

/** Parses inputs with exact numbers if the text contains numbers that a double cannot represent. */
export function exactInputs(
  inputs: EvaluationScenario['inputs'],
  text: string | undefined,
): EvaluationScenario['inputs'] {
  if (text === undefined || !canContainInexactNumber(text)) return inputs
  return parseExact(text) as EvaluationScenario['inputs']
}

export interface ValueHashes {
  hash: Uint8Array
  /** The same for values with the same plain text. */
  text_hash: Uint8Array
}

export function valueHashes(value: unknown): ValueHashes {
  const plain = toPlainValue(value)
  const text_hash = hashTexts([plain.text])
  return { hash: mixTypes(text_hash, [plain]), text_hash }
}

/** Hashes all inputs of a row, independent of their order. */
export function inputHashes(inputs: EvaluationScenario['inputs']): ValueHashes {
  const values = sortByName(inputs.map(({ name, value }) => ({ name, ...toPlainValue(value) })))
  const text_hash = hashTexts(values.flatMap(({ name, text }) => [name, text]))
  return { hash: mixTypes(text_hash, values), text_hash }
}

export function correctAnswersHash(answers: NonNullable<EvaluationScenario['correct_answers']>): Uint8Array {
  const values = sortByName(answers.map(({ key, value }) => ({ name: key, value })))
  return hashTexts(values.flatMap(({ name, value }) => [name, value]))
}

export function outputsHash(outputs: EvaluationScenario['outputs']): Uint8Array {
  const values = outputs.map(({ result }) => toPlainValue(result.value))
  const messages = outputs.map(({ result }) => result.error?.message ?? '')
  return mixTypes(hashTexts([...values.map(({ text }) => text), ...messages]), values)
}

function sortByName<Named extends { name: string }>(values: Named[]): Named[] {
  return values.sort(({ name: a }, { name: b }) => (a < b ? -1 : Number(a > b)))
}
