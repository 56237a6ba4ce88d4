// Hashes of inputs, expected answers and outputs, to compare rows in joins and filters.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ExactNumber, exactValue, mayBeInexact } from '../../json/exact-number.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'

/** Enough bytes to make collisions negligible. */
const HASH_BYTES = 16

/** Hashes a list of texts. Length prefixes keep adjacent texts distinct. */
function hashTexts(texts: string[]): Buffer {
  const text = texts.map((one) => `${one.length}:${one}`).join('')
  // Copied, so that the full digest can be freed.
  return Buffer.from(hash('sha256', text, 'buffer').subarray(0, HASH_BYTES))
}

/** A value as plain text, and whether it is a string: `1` and `"1"` have the same text. */
interface PlainValue {
  text: string
  isText: boolean
}

function plainValue(value: unknown): PlainValue {
  return typeof value === 'string'
    ? { text: normalizeUnicode(value), isText: true }
    : { text: canonicalJson(value), isText: false }
}

/** Skips ASCII text: testing is faster than normalizing. */
function normalizeUnicode(text: string): string {
  return /[^\0-\x7f]/.test(text) ? text.normalize('NFC') : text
}

/** Serializes equal values to the same text: members sorted by name, Unicode normalized. */
function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(normalizeUnicode(value))
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof ExactNumber) return value.decimal
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** Mixes the types of the values into a hash of their texts, so that `1` and `"1"` differ. */
function withTypes(textHash: Buffer, values: PlainValue[]): Buffer {
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
  if (text === undefined || !mayBeInexact(text)) return inputs
  return exactValue(text) as EvaluationScenario['inputs']
}

export interface ValueHashes {
  hash: Uint8Array
  /** The same for values with the same plain text. */
  text_hash: Uint8Array
}

export function valueHashes(value: unknown): ValueHashes {
  const plain = plainValue(value)
  const text_hash = hashTexts([plain.text])
  return { hash: withTypes(text_hash, [plain]), text_hash }
}

/** Hashes all inputs of a row, independent of their order. */
export function inputHashes(inputs: EvaluationScenario['inputs']): ValueHashes {
  const values = sortByName(inputs.map(({ name, value }) => ({ name, ...plainValue(value) })))
  const text_hash = hashTexts(values.flatMap(({ name, text }) => [name, text]))
  return { hash: withTypes(text_hash, values), text_hash }
}

export function correctAnswersHash(answers: NonNullable<EvaluationScenario['correct_answers']>): Uint8Array {
  const values = sortByName(answers.map(({ key, value }) => ({ name: key, value })))
  return hashTexts(values.flatMap(({ name, value }) => [name, value]))
}

export function outputsHash(outputs: EvaluationScenario['outputs']): Uint8Array {
  const values = outputs.map(({ result }) => plainValue(result.value))
  const messages = outputs.map(({ result }) => result.error?.message ?? '')
  return withTypes(hashTexts([...values.map(({ text }) => text), ...messages]), values)
}

function sortByName<Named extends { name: string }>(values: Named[]): Named[] {
  return values.sort(({ name: a }, { name: b }) => (a < b ? -1 : Number(a > b)))
}
