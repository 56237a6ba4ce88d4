// The keys that rows can be joined by, and where the store has them.
import { Problem } from '../errors.ts'
import { storable } from '../json/storable.ts'
import type { Connection, Value } from './dialect/dialect.ts'
import { getScenarioColumns } from './scenarios.ts'
import { shownNames } from './shown-names.ts'

/** `auto` is the first of these by which enough rows match. */
export const AUTO = ['id', 'input', 'position'] as const
export type JoinKey = (typeof AUTO)[number] | `input.${string}`

/** What is joined: an evaluation and how many scenarios it has. */
export interface JoinedEvaluation {
  key: number
  count: number
}

/** Throws invalid-request where it is none. */
export function joinKey(asked: string): JoinKey {
  if (asked === 'id' || asked === 'input' || asked === 'position' || asked.startsWith('input.'))
    return asked as JoinKey
  throw new Problem(
    'invalid-request',
    `'by' is one of auto, id, input, position, and input.<name> with the name of an input, not '${asked}'.`,
  )
}

/** Where the keys of an evaluation's rows are: `column` of the rows of `table` that `where` names. */
export interface Keys {
  table: 'scenario' | 'measure' | 'input'
  column: string
  where: (alias: string) => string
  values: Value[]
  /** Whether an index leads from a key to its row. */
  isIndexed: boolean
  isUnique: boolean
}

export async function keysOf(
  connection: Connection,
  base: JoinedEvaluation,
  candidate: JoinedEvaluation,
  by: JoinKey,
  form: 'hash' | 'text_hash' = 'hash',
): Promise<[Keys, Keys]> {
  const sides = [base, candidate]
  if (by.startsWith('input.')) {
    const ordinals = await inputOrdinals(connection, sides, by.slice('input.'.length))
    return sides.map(({ key }, side) => namedKeys(key, ordinals[side] ?? 0, form)) as [Keys, Keys]
  }
  const isInput = by === 'input'
  return sides.map(({ key }) => ({
    table: by === 'id' ? 'scenario' : 'measure',
    column: isInput ? `input_${form}` : by,
    where: (alias) => `${alias}.evaluation = ?`,
    values: [key],
    isIndexed: form === 'hash',
    isUnique: !isInput,
  })) as [Keys, Keys]
}

function namedKeys(evaluation: number, ordinal: number, column: string): Keys {
  return {
    table: 'input',
    column,
    where: (alias) => `${alias}.evaluation = ? AND ${alias}.input = ?`,
    values: [evaluation, ordinal],
    isIndexed: false,
    isUnique: false,
  }
}

/** Which input of each evaluation has the name. */
async function inputOrdinals(
  connection: Connection,
  sides: JoinedEvaluation[],
  name: string,
): Promise<number[]> {
  const names: string[][] = []
  for (const { key } of sides) names.push((await getScenarioColumns(connection, key)).input)
  const ordinals = names.map((of) => of.indexOf(storable(name)))
  if (!ordinals.includes(-1)) return ordinals
  const [first = [], second = []] = names
  const others = new Set(second)
  const both = first.filter((one) => others.has(one))
  const there = both.length === 0 ? 'They have no input in common' : `They have ${shownNames(both)}`
  throw new Problem(
    'invalid-request',
    `Not all of the evaluations have an input '${name}' to join by. ${there}.`,
  )
}
