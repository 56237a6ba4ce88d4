// Pairs the rows of a baseline with the rows of its candidates by a join key: scenario id, all inputs, one input, or
// position. A row belongs to at most one pair per candidate.
import type { Connection, SqlFragments, Value } from '../dialect/dialect.ts'
import type { BoundSql } from '../reads/conditions.ts'
import { inList } from '../reads/in-list.ts'
import { roundRate } from '../statistics/rounding.ts'
import {
  AUTO_KEYS,
  getInputOrdinals,
  getJoinColumns,
  inputName,
  type JoinColumn,
  type JoinedEvaluation,
  type JoinKey,
  parseJoinKey,
} from './join-keys.ts'

export type { JoinedEvaluation, JoinKey } from './join-keys.ts'

/** `auto` uses the first join key by which at least this share of the smaller evaluation matches. */
const MIN_MATCH_RATE = 0.95

export interface CandidateJoin {
  baseline: JoinedEvaluation
  candidate: JoinedEvaluation
  by: JoinKey
  /** The number of pairs. */
  matched: number
  /** `matched` divided by the size of the smaller evaluation; 1 if that is empty. */
  rate: number
  /** The number of rows in each evaluation that have the same join key as an earlier row. */
  repeats: { baseline: number; candidate: number }
  /**
   * Selects one row per pair in baseline order: `base_position`, `position` and `cluster`. Pairs with the same join
   * key have the same cluster. Usable as a subquery or a CTE.
   */
  pairs: BoundSql
  /** Selects the pairs at some positions of the candidate, in any order. */
  pairsAt(positions: number[]): BoundSql
}

/** The counts of a join. With them, restoreJoin rebuilds the join without reading rows. */
export type Pairing = Pick<CandidateJoin, 'by' | 'matched' | 'repeats'>

export interface Join {
  by: JoinKey
  /** Every key that was tried, with the lowest match rate of all candidates. */
  tried: { by: JoinKey; match_rate: number }[]
  /** In the order of the candidates. */
  joins: CandidateJoin[]
}

/** Throws invalid-request if the join key is unknown or an evaluation lacks the named input. */
export async function joinEvaluations(
  connection: Connection,
  baseline: JoinedEvaluation,
  candidates: JoinedEvaluation[],
  requestedKey: string,
): Promise<Join> {
  const tried: Join['tried'] = []
  for (const by of requestedKey === 'auto' ? AUTO_KEYS : [parseJoinKey(requestedKey)]) {
    const joins: CandidateJoin[] = []
    for (const candidate of candidates) joins.push(await joinCandidate(connection, baseline, candidate, by))
    const match_rate = Math.min(...joins.map(({ rate }) => rate))
    tried.push({ by, match_rate })
    if (match_rate >= MIN_MATCH_RATE || requestedKey !== 'auto' || by === 'position')
      return { by, tried, joins }
  }
  throw new Error('auto must always accept the last key')
}

/** Throws like joinEvaluations, without reading rows. */
export async function checkJoin(
  connection: Connection,
  baseline: { key: number },
  candidates: { key: number }[],
  requestedKey: string,
): Promise<void> {
  if (requestedKey === 'auto') return
  const input = inputName(parseJoinKey(requestedKey))
  if (input === undefined) return
  for (const candidate of candidates) await getInputOrdinals(connection, [baseline, candidate], input)
}

async function joinCandidate(
  connection: Connection,
  baseline: JoinedEvaluation,
  candidate: JoinedEvaluation,
  by: JoinKey,
): Promise<CandidateJoin> {
  const joinColumns = await getJoinColumns(connection, baseline, candidate, by)
  const [a, b] = joinColumns
  const repeats = {
    baseline: await countRepeats(connection, a),
    candidate: await countRepeats(connection, b),
  }
  const { pairs, isIndexOnly } = buildPairs(a, b, repeats, connection.sql)
  const matched = await readCount(
    connection,
    isIndexOnly ? countIndexedPairsStatement(a, b) : countPairsStatement(pairs),
    pairs,
  )
  return toCandidateJoin(connection.sql, baseline, candidate, joinColumns, { by, matched, repeats })
}

/** Rebuilds a join from its counts. The evaluations must not have changed since. */
export async function restoreJoin(
  connection: Connection,
  baseline: JoinedEvaluation,
  candidate: JoinedEvaluation,
  pairing: Pairing,
): Promise<CandidateJoin> {
  const joinColumns = await getJoinColumns(connection, baseline, candidate, pairing.by)
  return toCandidateJoin(connection.sql, baseline, candidate, joinColumns, pairing)
}

function toCandidateJoin(
  sql: SqlFragments,
  baseline: JoinedEvaluation,
  candidate: JoinedEvaluation,
  [a, b]: [JoinColumn, JoinColumn],
  { by, matched, repeats }: Pairing,
): CandidateJoin {
  const smallerCount = Math.min(baseline.count, candidate.count)
  const rate = roundRate(matched, smallerCount) ?? 1
  return { baseline, candidate, by, matched, rate, repeats, ...buildPairs(a, b, repeats, sql) }
}

function buildPairs(a: JoinColumn, b: JoinColumn, repeats: CandidateJoin['repeats'], sql: SqlFragments) {
  const hasRepeats = repeats.baseline + repeats.candidate > 0
  const isIndexOnly = a.isIndexed && !hasRepeats
  const pairs = isIndexOnly
    ? indexedPairs(a, b)
    : hasRepeats
      ? repeatedPairs(a, b, sql)
      : hashedPairs(a, b, sql)
  const pairsAt = (positions: number[]) =>
    isIndexOnly ? indexedPairsAt(a, b, positions) : filteredPairs(pairs, positions)
  return { pairs, pairsAt, isIndexOnly }
}

async function readCount(connection: Connection, statement: string, { values }: { values: Value[] }) {
  return (await connection.get<{ count: number }>(statement, ...values))?.count ?? 0
}

function countPairsStatement(rows: BoundSql): string {
  return `SELECT count(*) AS count FROM (${rows.sql}) AS pair`
}

/** Counts pairs from the index alone, without reading positions from the table. */
function countIndexedPairsStatement(a: JoinColumn, b: JoinColumn): string {
  return `SELECT count(*) AS count FROM ${a.table} AS a CROSS JOIN ${b.table} AS b
    WHERE ${a.where('a')} AND ${b.where('b')} AND b.${b.column} = a.${a.column}`
}

async function countRepeats(connection: Connection, joinColumn: JoinColumn): Promise<number> {
  if (joinColumn.isUnique) return 0
  const groups = `SELECT count(*) AS n FROM ${joinColumn.table} AS one
    WHERE ${joinColumn.where('one')} AND ${joinColumn.column} IS NOT NULL GROUP BY ${joinColumn.column}`
  const statement = `SELECT CAST(coalesce(sum(n), 0) AS bigint) - count(*) AS count FROM (${groups}) AS same_key`
  return readCount(connection, statement, joinColumn)
}

/** CROSS JOIN fixes the join order in SQLite, whose planner cannot choose between two similar tables. */
function indexedPairs(a: JoinColumn, b: JoinColumn): BoundSql {
  return {
    sql: `SELECT a.position AS base_position, b.position AS position, a.position AS cluster
      FROM ${a.table} AS a CROSS JOIN ${b.table} AS b
      WHERE ${a.where('a')} AND ${b.where('b')} AND b.${b.column} = a.${a.column} ORDER BY a.position`,
    values: [...a.values, ...b.values],
  }
}

/** Looks up the pairs of a few candidate rows by index. */
function indexedPairsAt(a: JoinColumn, b: JoinColumn, positions: number[]): BoundSql {
  const list = inList(positions)
  return {
    sql: `SELECT a.position AS base_position, b.position AS position
      FROM ${b.table} AS b CROSS JOIN ${a.table} AS a
      WHERE ${b.where('b')} AND b.position IN (${list.placeholders}) AND ${a.where('a')} AND a.${a.column} = b.${b.column}`,
    values: [...b.values, ...list.values, ...a.values],
  }
}

function filteredPairs({ sql, values }: BoundSql, positions: number[]): BoundSql {
  const list = inList(positions)
  return {
    sql: `SELECT base_position, position FROM (${sql}) AS pair WHERE position IN (${list.placeholders})`,
    values: [...values, ...list.values],
  }
}

/** The rows of the candidate are materialized, so that SQLite builds a temporary index on them. */
function hashedPairs(a: JoinColumn, b: JoinColumn, { cancelable }: SqlFragments): BoundSql {
  return {
    sql: `WITH b AS MATERIALIZED (
        SELECT position, ${b.column} AS join_key FROM ${b.table} AS one
        WHERE ${b.where('one')} AND ${cancelable('position')})
      SELECT a.position AS base_position, b.position AS position, a.position AS cluster
      FROM ${a.table} AS a CROSS JOIN b
      WHERE ${a.where('a')} AND ${cancelable('a.position')} AND b.join_key = a.${a.column} ORDER BY a.position`,
    values: [...b.values, ...a.values],
  }
}

/**
 * Pairs the nth row of a key with the nth row of the same key. The pairs are materialized before sorting: otherwise
 * SQLite scans one whole side for each row of the other.
 */
function repeatedPairs(a: JoinColumn, b: JoinColumn, sql: SqlFragments): BoundSql {
  return {
    sql: `WITH a AS MATERIALIZED (${numberedRows(a, sql)}), b AS MATERIALIZED (${numberedRows(b, sql)}),
      pair AS MATERIALIZED (SELECT a.position AS base_position, b.position AS position, a.cluster AS cluster
        FROM a CROSS JOIN b WHERE ${sql.cancelable('a.position')} AND b.join_key = a.join_key AND b.occurrence = a.occurrence)
      SELECT base_position, position, cluster FROM pair ORDER BY base_position`,
    values: [...a.values, ...b.values],
  }
}

function numberedRows({ table, column, where }: JoinColumn, { cancelable }: SqlFragments): string {
  return `SELECT position, ${column} AS join_key, row_number() OVER same_key AS occurrence,
      first_value(position) OVER same_key AS cluster
    FROM ${table} AS one WHERE ${where('one')} AND ${cancelable('position')}
    WINDOW same_key AS (PARTITION BY ${column} ORDER BY position)`
}

/**
 * Counts how many more pairs there would be if `1` and `"1"` were equal. Only inputs have types, so for other join keys
 * all inputs are compared.
 */
export async function countMatchesByText(
  connection: Connection,
  { baseline, candidate, by, matched }: CandidateJoin,
): Promise<number> {
  const isByInput = by !== 'id' && by !== 'position'
  if (isByInput && matched === Math.min(baseline.count, candidate.count)) return 0
  const joinKey = isByInput ? by : 'input'
  const typedMatches = isByInput
    ? matched
    : await countMatches(connection, await getJoinColumns(connection, baseline, candidate, joinKey))
  return (
    (await countMatches(
      connection,
      await getJoinColumns(connection, baseline, candidate, joinKey, 'text_hash'),
    )) - typedMatches
  )
}

async function countMatches(connection: Connection, [a, b]: [JoinColumn, JoinColumn]): Promise<number> {
  const groups = ({ table, column, where }: JoinColumn) =>
    `SELECT ${column} AS join_key, count(*) AS n FROM ${table} AS one WHERE ${where('one')} GROUP BY ${column}`
  const statement = `WITH a AS MATERIALIZED (${groups(a)}), b AS MATERIALIZED (${groups(b)})
    SELECT CAST(coalesce(sum(CASE WHEN a.n < b.n THEN a.n ELSE b.n END), 0) AS bigint) AS count
    FROM a CROSS JOIN b WHERE b.join_key = a.join_key`
  return readCount(connection, statement, { values: [...a.values, ...b.values] })
}
