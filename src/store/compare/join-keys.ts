// The keys that rows can be joined by, and the columns that contain them.
import { Problem } from '../../errors.ts'
import { toStorableText } from '../../json/storable-text.ts'
import { quoteNames } from '../../schema/validation/truncate.ts'
import type { Connection, Value } from '../dialect/dialect.ts'
import { getScenarioColumns } from '../scenarios/scenarios.ts'

/** The keys that `auto` tries, in this order. */
export const AUTO_KEYS = ['id', 'input', 'position'] as const
export type JoinKey = (typeof AUTO_KEYS)[number] | `input.${string}`

/** An evaluation to join, with its number of scenarios. */
export interface JoinedEvaluation {
  key: number
  count: number
}

/** Throws invalid-request if the text is not a join key. */
export function parseJoinKey(text: string): JoinKey {
  if (text === 'id' || text === 'input' || text === 'position' || text.startsWith('input.'))
    return text as JoinKey
  throw new Problem(
    'invalid-request',
    `'by' must be auto, id, input, position or input.<name>, not '${text}'.`,
  )
}

/** The column that contains the join keys of one evaluation: `column` of the rows of `table` that match `where`. */
export interface JoinColumn {
  table: 'scenario' | 'measure' | 'input'
  column: string
  where: (alias: string) => string
  values: Value[]
  /** Whether an index covers the keys. */
  isIndexed: boolean
  isUnique: boolean
}

export async function joinColumns(
  connection: Connection,
  baseline: JoinedEvaluation,
  candidate: JoinedEvaluation,
  by: JoinKey,
  hash: 'hash' | 'text_hash' = 'hash',
): Promise<[JoinColumn, JoinColumn]> {
  const sides = [baseline, candidate]
  if (by.startsWith('input.')) {
    const ordinals = await inputOrdinals(connection, sides, by.slice('input.'.length))
    return sides.map(({ key }, index) => namedInputColumn(key, ordinals[index] ?? 0, hash)) as [
      JoinColumn,
      JoinColumn,
    ]
  }
  const isInput = by === 'input'
  return sides.map(({ key }) => ({
    table: by === 'id' ? 'scenario' : 'measure',
    column: isInput ? `input_${hash}` : by,
    where: (alias) => `${alias}.evaluation = ?`,
    values: [key],
    isIndexed: hash === 'hash',
    isUnique: !isInput,
  })) as [JoinColumn, JoinColumn]
}

function namedInputColumn(evaluation: number, ordinal: number, column: string): JoinColumn {
  return {
    table: 'input',
    column,
    where: (alias) => `${alias}.evaluation = ? AND ${alias}.input = ?`,
    values: [evaluation, ordinal],
    isIndexed: false,
    isUnique: false,
  }
}

/** The ordinal of the named input in each evaluation. Throws invalid-request if one lacks it. */
async function inputOrdinals(
  connection: Connection,
  sides: JoinedEvaluation[],
  name: string,
): Promise<number[]> {
  const names: string[][] = []
  for (const { key } of sides) names.push((await getScenarioColumns(connection, key)).input)
  const ordinals = names.map((inputs) => inputs.indexOf(toStorableText(name)))
  if (!ordinals.includes(-1)) return ordinals
  const [first = [], second = []] = names
  const inSecond = new Set(second)
  const shared = first.filter((input) => inSecond.has(input))
  const hint = shared.length === 0 ? 'They have no input in common' : `They have ${quoteNames(shared)}`
  throw new Problem('invalid-request', `Not all evaluations have an input '${name}' to join by. ${hint}.`)
}
