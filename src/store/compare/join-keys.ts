// The keys that rows can be joined by, and the texts that contain them.
import { Problem } from '../../errors.ts'
import { toStorableText } from '../../json/storable-text.ts'
import { quoteNames } from '../../schema/validation/truncate.ts'
import type { Connection, SqlFragments } from '../dialect/dialect.ts'
import { getColumnOrdinals } from '../scenarios/columns.ts'
import { hasGeneratedIds, hasGivenId } from '../scenarios/generated-ids.ts'
import { hasSamples } from './rows/rows.ts'
import type { TextColumn } from './side-columns.ts'

/** The keys that `auto` tries, in this order. */
export const AUTO_KEYS = ['id', 'input', 'position'] as const
export type JoinKey = (typeof AUTO_KEYS)[number] | `input.${string}`

/** Throws invalid-request if the text is not a join key. */
export function parseJoinKey(text: string): JoinKey {
  if (text === 'id' || text === 'input' || text === 'position' || text.startsWith('input.'))
    return text as JoinKey
  throw new Problem(
    'invalid-request',
    `'by' must be auto, id, input, position or input.<name>, not '${text}'.`,
  )
}

/** The input that the key names, if it names one. */
export function inputName(joinKey: JoinKey): string | undefined {
  return joinKey.startsWith('input.') ? joinKey.slice('input.'.length) : undefined
}

/**
 * The texts that the rows of both evaluations are joined by; not for positions. For inputs, `hash` selects the hash: `text_hash`
 * treats 1 and "1" as equal. Throws invalid-request if an evaluation lacks the named input.
 */
export async function chooseJoinTexts(
  connection: Connection,
  evaluations: { key: number }[],
  joinKey: JoinKey,
  hash: 'hash' | 'text_hash',
): Promise<TextColumn[]> {
  const { sql } = connection
  const input = inputName(joinKey)
  if (input !== undefined) {
    const ordinals = await getInputOrdinals(connection, evaluations, input)
    return evaluations.map(({ key }, index) => inputHashes(sql, key, ordinals[index] as number, hash))
  }
  if (joinKey === 'id') return chooseIds(connection, evaluations)
  const column = `input_${hash}`
  return evaluations.map(({ key }) => ({
    text: sql.hex(column),
    rows: `FROM measure WHERE evaluation = ? AND ${column} IS NOT NULL`,
    values: [key],
  }))
}

/** The hashes of one input. */
export function inputHashes(
  sql: SqlFragments,
  evaluation: number,
  ordinal: number,
  hash: 'hash' | 'text_hash' = 'hash',
): TextColumn {
  const rows = 'FROM input WHERE evaluation = ? AND input = ?'
  return { text: sql.hex(hash), rows, values: [evaluation, ordinal] }
}

/** The id of the sample, or else of the scenario. Generated ids are excluded: they say nothing about which rows belong together. */
async function chooseIds(connection: Connection, evaluations: { key: number }[]): Promise<TextColumn[]> {
  let isSampled = false
  for (const { key } of evaluations) isSampled ||= await hasSamples(connection, key)
  // The name of a sample can contain a line feed.
  const text = isSampled ? connection.sql.sha256('coalesce(sample, id)') : 'id'
  const table = isSampled ? 'scenario LEFT JOIN repetition USING (evaluation, position)' : 'scenario'
  const columns: TextColumn[] = []
  for (const { key } of evaluations) {
    const isGiven = (await hasGeneratedIds(connection, key)) ? ` AND ${hasGivenId('scenario')}` : ''
    columns.push({ text, rows: `FROM ${table} WHERE evaluation = ?${isGiven}`, values: [key] })
  }
  return columns
}

/** The ordinal of the named input in each evaluation. Throws invalid-request if one lacks it. */
export async function getInputOrdinals(
  connection: Connection,
  evaluations: { key: number }[],
  name: string,
): Promise<number[]> {
  const inputs: Map<string, number>[] = []
  for (const { key } of evaluations) inputs.push((await getColumnOrdinals(connection, key)).input)
  const ordinals = inputs.flatMap((inputOrdinals) => inputOrdinals.get(toStorableText(name)) ?? [])
  if (ordinals.length === inputs.length) return ordinals
  const [baselineInputs, candidateInputs] = inputs
  const commonInputs = [...(baselineInputs?.keys() ?? [])].filter((input) => candidateInputs?.has(input))
  const hint =
    commonInputs.length === 0
      ? 'They have no input in common'
      : `The inputs that they have in common: ${quoteNames(commonInputs)}`
  throw new Problem('invalid-request', `Not all evaluations have an input '${name}' to join by. ${hint}.`)
}
