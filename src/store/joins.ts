// Pairs the rows of a base evaluation with those of its candidates by one key: the id of a scenario, its inputs, one of
// its inputs, or its place. Rows are never merged: each has at most one partner.
import { Problem } from '../errors.ts'
import { storable } from '../json/storable.ts'
import type { Connection, Value } from './dialect/dialect.ts'
import { getScenarioColumns } from './scenarios.ts'

/** `auto` is the first of these by which enough rows match. */
const AUTO = ['id', 'input', 'position'] as const
export type JoinKey = (typeof AUTO)[number] | `input.${string}`

/** So many rows of the smaller evaluation have a partner where `auto` is content with a key. */
const ENOUGH = 0.95

/** What is joined: an evaluation and how many scenarios it has. */
export interface JoinedEvaluation {
  key: number
  count: number
}

export interface Statement {
  statement: string
  values: Value[]
}

export interface Joined {
  base: JoinedEvaluation
  candidate: JoinedEvaluation
  /** How many rows have a partner. */
  matched: number
  /** The same as a part of the smaller evaluation; 1 where that is empty, for none of its rows is without one. */
  rate: number
  /** How many rows of each have the key of a row before them in the same evaluation. */
  repeats: { base: number; candidate: number }
  /**
   * One row a pair, in order of the base: `base_position`, `position` and `cluster`, which rows of the base share that
   * have the same key. For the FROM clause, in parentheses, or as a CTE.
   */
  pairs: Statement
}

export interface Join {
  by: JoinKey
  /** Every key that was looked at, with the lowest rate of the candidates. */
  tried: { by: JoinKey; match_rate: number }[]
  /** In the order of the candidates. */
  joined: Joined[]
}

/** Throws invalid-request where there is no such key, or where an evaluation has no input of that name. */
export async function joinEvaluations(
  connection: Connection,
  base: JoinedEvaluation,
  candidates: JoinedEvaluation[],
  asked: string,
): Promise<Join> {
  const tried: Join['tried'] = []
  for (const by of asked === 'auto' ? AUTO : [joinKey(asked)]) {
    const joined: Joined[] = []
    for (const candidate of candidates) joined.push(await join(connection, base, candidate, by))
    const match_rate = Math.min(...joined.map(({ rate }) => rate))
    tried.push({ by, match_rate })
    if (match_rate >= ENOUGH || asked !== 'auto' || by === 'position') return { by, tried, joined }
  }
  throw new Error('The last key that is tried is taken')
}

function joinKey(asked: string): JoinKey {
  if (asked === 'id' || asked === 'input' || asked === 'position' || /^input\../s.test(asked))
    return asked as JoinKey
  throw new Problem(
    'invalid-request',
    `'by' is one of auto, id, input, position, and input.<name> with the name of an input, not '${asked}'.`,
  )
}

async function join(
  connection: Connection,
  base: JoinedEvaluation,
  candidate: JoinedEvaluation,
  by: JoinKey,
): Promise<Joined> {
  const [a, b] = await keysOf(connection, base, candidate, by)
  const repeats = { base: await countRepeats(connection, a), candidate: await countRepeats(connection, b) }
  const hasRepeats = repeats.base + repeats.candidate > 0
  const pairs = hasRepeats ? repeatedPairs(a, b) : a.isIndexed ? indexedPairs(a, b) : hashedPairs(a, b)
  const matched = await count(connection, `SELECT count(*) AS count FROM (${pairs.statement}) AS pair`, pairs)
  const smaller = Math.min(base.count, candidate.count)
  return { base, candidate, matched, rate: smaller === 0 ? 1 : matched / smaller, repeats, pairs }
}

/** Where the keys of an evaluation's rows are: `column` of the rows of `table` that `where` names. */
interface Keys {
  table: 'scenario' | 'measure' | 'input'
  column: string
  where: (alias: string) => string
  values: Value[]
  /** Whether an index leads from a key to its row. */
  isIndexed: boolean
  isUnique: boolean
}

async function keysOf(
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
  const both = first.filter((one) => second.includes(one))
  const there =
    both.length === 0
      ? 'They have no input in common'
      : `They have ${both.map((one) => `'${one}'`).join(', ')}`
  throw new Problem(
    'invalid-request',
    `Not all of the evaluations have an input '${name}' to join by. ${there}.`,
  )
}

async function count(connection: Connection, statement: string, { values }: { values: Value[] }) {
  return (await connection.get<{ count: number }>(statement, ...values))?.count ?? 0
}

async function countRepeats(connection: Connection, keys: Keys): Promise<number> {
  if (keys.isUnique) return 0
  const groups = `SELECT count(*) AS alike FROM ${keys.table} AS one WHERE ${keys.where('one')} GROUP BY ${keys.column}`
  const statement = `SELECT CAST(coalesce(sum(alike), 0) AS bigint) - count(*) AS count FROM (${groups}) AS alike`
  return count(connection, statement, keys)
}

/** In SQLite a CROSS JOIN keeps the order: it would not know which of two alike tables to begin with. */
function indexedPairs(a: Keys, b: Keys): Statement {
  return {
    statement: `SELECT a.position AS base_position, b.position AS position, a.position AS cluster
      FROM ${a.table} AS a CROSS JOIN ${b.table} AS b
      WHERE ${a.where('a')} AND ${b.where('b')} AND b.${b.column} = a.${a.column} ORDER BY a.position`,
    values: [...a.values, ...b.values],
  }
}

/** Set aside, so that SQLite makes an index of it for the while. */
function hashedPairs(a: Keys, b: Keys): Statement {
  return {
    statement: `WITH b AS MATERIALIZED (
        SELECT position, ${b.column} AS join_key FROM ${b.table} AS one WHERE ${b.where('one')})
      SELECT a.position AS base_position, b.position AS position, a.position AS cluster
      FROM ${a.table} AS a CROSS JOIN b
      WHERE ${a.where('a')} AND b.join_key = a.${a.column} ORDER BY a.position`,
    values: [...b.values, ...a.values],
  }
}

/** The first of a key with the first, the second with the second. */
function repeatedPairs(a: Keys, b: Keys): Statement {
  return {
    statement: `WITH a AS MATERIALIZED (${numbered(a)}), b AS MATERIALIZED (${numbered(b)})
      SELECT a.position AS base_position, b.position AS position, a.cluster AS cluster
      FROM a CROSS JOIN b WHERE b.join_key = a.join_key AND b.turn = a.turn ORDER BY a.position`,
    values: [...a.values, ...b.values],
  }
}

function numbered({ table, column, where }: Keys): string {
  return `SELECT position, ${column} AS join_key, row_number() OVER alike AS turn,
      first_value(position) OVER alike AS cluster
    FROM ${table} AS one WHERE ${where('one')} WINDOW alike AS (PARTITION BY ${column} ORDER BY position)`
}

/**
 * How many rows more would have a partner if `1` and `"1"` were the same. Only inputs have types: of rows that were
 * joined by something else, all inputs are looked at.
 */
export async function countMatchesByText(
  connection: Connection,
  { base, candidate, matched }: Joined,
  by: JoinKey,
): Promise<number> {
  const isByInput = by !== 'id' && by !== 'position'
  if (isByInput && matched === Math.min(base.count, candidate.count)) return 0
  const key = isByInput ? by : 'input'
  const typed = isByInput
    ? matched
    : await countMatches(connection, await keysOf(connection, base, candidate, key))
  return (await countMatches(connection, await keysOf(connection, base, candidate, key, 'text_hash'))) - typed
}

async function countMatches(connection: Connection, [a, b]: [Keys, Keys]): Promise<number> {
  const groups = ({ table, column, where }: Keys) =>
    `SELECT ${column} AS join_key, count(*) AS alike FROM ${table} AS one WHERE ${where('one')} GROUP BY ${column}`
  const statement = `WITH a AS MATERIALIZED (${groups(a)}), b AS MATERIALIZED (${groups(b)})
    SELECT CAST(coalesce(sum(CASE WHEN a.alike < b.alike THEN a.alike ELSE b.alike END), 0) AS bigint) AS count
    FROM a CROSS JOIN b WHERE b.join_key = a.join_key`
  return count(connection, statement, { values: [...a.values, ...b.values] })
}
