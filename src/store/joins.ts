// Pairs the rows of a base evaluation with those of its candidates by one key: the id of a scenario, its inputs, one of
// its inputs, or its place. Rows are never merged: each has at most one partner.
import type { Connection, Value } from './dialect/dialect.ts'
import { AUTO, type JoinedEvaluation, type JoinKey, joinKey, type Keys, keysOf } from './join-keys.ts'
import { roomFor } from './rooms.ts'

export type { JoinedEvaluation, JoinKey } from './join-keys.ts'

/** So many rows of the smaller evaluation have a partner where `auto` is content with a key. */
const ENOUGH = 0.95

export interface Statement {
  statement: string
  values: Value[]
}

export interface Joined {
  base: JoinedEvaluation
  candidate: JoinedEvaluation
  by: JoinKey
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
  /** The same pairs, of some positions of the candidate alone, in any order. */
  pairsAt(positions: number[]): Statement
}

/** What has to be counted about two evaluations to join them: with it they are joined again without a look at their rows. */
export type Pairing = Pick<Joined, 'by' | 'matched' | 'repeats'>

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

/** Throws like joinEvaluations, without looking at a row. */
export async function checkJoin(
  connection: Connection,
  base: JoinedEvaluation,
  candidates: JoinedEvaluation[],
  asked: string,
): Promise<void> {
  if (asked === 'auto') return
  const by = joinKey(asked)
  for (const candidate of candidates) await keysOf(connection, base, candidate, by)
}

async function join(
  connection: Connection,
  base: JoinedEvaluation,
  candidate: JoinedEvaluation,
  by: JoinKey,
): Promise<Joined> {
  const [a, b] = await keysOf(connection, base, candidate, by)
  const repeats = { base: await countRepeats(connection, a), candidate: await countRepeats(connection, b) }
  const { pairs, isInIndex } = pairsOf(a, b, repeats)
  const matched = await count(connection, isInIndex ? countIndexed(a, b) : countOf(pairs), pairs)
  return joinAgain(connection, base, candidate, { by, matched, repeats })
}

/** As they were joined before, while neither has changed. */
export async function joinAgain(
  connection: Connection,
  base: JoinedEvaluation,
  candidate: JoinedEvaluation,
  { by, matched, repeats }: Pairing,
): Promise<Joined> {
  const [a, b] = await keysOf(connection, base, candidate, by)
  const smaller = Math.min(base.count, candidate.count)
  const rate = smaller === 0 ? 1 : matched / smaller
  return { base, candidate, by, matched, rate, repeats, ...pairsOf(a, b, repeats) }
}

function pairsOf(a: Keys, b: Keys, repeats: Joined['repeats']) {
  const hasRepeats = repeats.base + repeats.candidate > 0
  const isInIndex = a.isIndexed && !hasRepeats
  const pairs = isInIndex ? indexedPairs(a, b) : hasRepeats ? repeatedPairs(a, b) : hashedPairs(a, b)
  const pairsAt = (positions: number[]) => (isInIndex ? indexedAt(a, b, positions) : someOf(pairs, positions))
  return { pairs, pairsAt, isInIndex }
}

async function count(connection: Connection, statement: string, { values }: { values: Value[] }) {
  return (await connection.get<{ count: number }>(statement, ...values))?.count ?? 0
}

function countOf(rows: Statement): string {
  return `SELECT count(*) AS count FROM (${rows.statement}) AS one`
}

/** Of keys that are in an index by themselves: no row is looked at for its position. */
function countIndexed(a: Keys, b: Keys): string {
  return `SELECT count(*) AS count FROM ${a.table} AS a CROSS JOIN ${b.table} AS b
    WHERE ${a.where('a')} AND ${b.where('b')} AND b.${b.column} = a.${a.column}`
}

async function countRepeats(connection: Connection, keys: Keys): Promise<number> {
  if (keys.isUnique) return 0
  const groups = `SELECT count(*) AS alike FROM ${keys.table} AS one
    WHERE ${keys.where('one')} AND ${keys.column} IS NOT NULL GROUP BY ${keys.column}`
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

/** From a few rows of the candidate to their partners, each by the index. */
function indexedAt(a: Keys, b: Keys, positions: number[]): Statement {
  const chosen = roomFor(positions)
  return {
    statement: `SELECT a.position AS base_position, b.position AS position
      FROM ${b.table} AS b CROSS JOIN ${a.table} AS a
      WHERE ${b.where('b')} AND b.position IN (${chosen.marks}) AND ${a.where('a')} AND a.${a.column} = b.${b.column}`,
    values: [...b.values, ...chosen.values, ...a.values],
  }
}

function someOf({ statement, values }: Statement, positions: number[]): Statement {
  const chosen = roomFor(positions)
  return {
    statement: `SELECT base_position, position FROM (${statement}) AS every WHERE position IN (${chosen.marks})`,
    values: [...values, ...chosen.values],
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

/**
 * The first of a key with the first, the second with the second. Sorted where they are joined, SQLite would look
 * through all of one side for each row of the other.
 */
function repeatedPairs(a: Keys, b: Keys): Statement {
  return {
    statement: `WITH a AS MATERIALIZED (${numbered(a)}), b AS MATERIALIZED (${numbered(b)}),
      pair AS MATERIALIZED (SELECT a.position AS base_position, b.position AS position, a.cluster AS cluster
        FROM a CROSS JOIN b WHERE b.join_key = a.join_key AND b.turn = a.turn)
      SELECT base_position, position, cluster FROM pair ORDER BY base_position`,
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
  { base, candidate, by, matched }: Joined,
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
