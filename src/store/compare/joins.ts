// Pairs the rows of a baseline with the rows of its candidates by a join key: scenario id, all inputs, one input, or
// position. A row belongs to at most one pair per candidate.
import type { Connection, SqlFragments, Value } from '../dialect/dialect.ts'
import type { BoundSql } from '../reads/conditions.ts'
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
export const MIN_MATCH_RATE = 0.95

export interface CandidateJoin {
  baseline: JoinedEvaluation
  candidate: JoinedEvaluation
  by: JoinKey
  /** The number of pairs. */
  matched: number
  /** `matched` divided by the number of rows of the smaller evaluation; 1 if that is empty. */
  rate: number
  /** The number of rows in each evaluation that have the same join key as an earlier row. */
  repeatedKeys: { baseline: number; candidate: number }
  /**
   * Selects one row per pair in baseline order: `base_position` and `position`, those of the first scenarios of both rows. Usable as
   * a subquery or a CTE.
   */
  pairs: BoundSql
  /** Whether all scenarios of both evaluations are joined by their ids. */
  isByScenarioId: boolean
}

/** The counts of a join. With them, restoreJoin rebuilds the join without reading rows. */
export type Pairing = Pick<CandidateJoin, 'by' | 'matched' | 'repeatedKeys'>

export interface Join {
  by: JoinKey
  /** Every key that was tried, with the lowest match rate of all candidates. */
  tried: { by: JoinKey; match_rate: number }[]
  /** In the order of the candidates. */
  joins: CandidateJoin[]
}

/** Throws invalid-request if the join key is unknown, and like `join`. */
export async function joinEvaluations<Evaluation extends JoinedEvaluation>(
  candidates: Evaluation[],
  requestedKey: string,
  join: (candidate: Evaluation, by: JoinKey) => Promise<CandidateJoin>,
): Promise<Join> {
  const tried: Join['tried'] = []
  for (const by of requestedKey === 'auto' ? AUTO_KEYS : [parseJoinKey(requestedKey)]) {
    const joins: CandidateJoin[] = []
    for (const candidate of candidates) joins.push(await join(candidate, by))
    const match_rate = Math.min(...joins.map(({ rate }) => rate))
    tried.push({ by, match_rate })
    if (match_rate >= MIN_MATCH_RATE || requestedKey !== 'auto' || by === 'position')
      return { by, tried, joins }
  }
  throw new Error('auto must always accept the last key')
}

/** Throws like joinCandidate, without reading rows. */
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

/** Throws invalid-request if an evaluation lacks the named input. */
export async function joinCandidate(
  connection: Connection,
  baseline: JoinedEvaluation,
  candidate: JoinedEvaluation,
  by: JoinKey,
): Promise<CandidateJoin> {
  const joinColumns = await getJoinColumns(connection, baseline, candidate, by)
  const [a, b] = joinColumns
  const repeatedKeys = {
    baseline: await countRepeatedKeys(connection, a),
    candidate: await countRepeatedKeys(connection, b),
  }
  const { pairs, isIndexOnly } = buildPairs(a, b, repeatedKeys, connection.sql)
  const matched = await readCount(
    connection,
    isIndexOnly ? countIndexedPairsStatement(a, b) : countPairsStatement(pairs),
    pairs,
  )
  return toCandidateJoin(connection.sql, baseline, candidate, joinColumns, { by, matched, repeatedKeys })
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
  pairing: Pairing,
): CandidateJoin {
  const rate = roundRate(pairing.matched, Math.min(baseline.rowCount, candidate.rowCount)) ?? 1
  return {
    baseline,
    candidate,
    ...pairing,
    rate,
    pairs: buildPairs(a, b, pairing.repeatedKeys, sql).pairs,
    isByScenarioId: a.isScenarioId && b.isScenarioId,
  }
}

function buildPairs(
  a: JoinColumn,
  b: JoinColumn,
  repeatedKeys: CandidateJoin['repeatedKeys'],
  sql: SqlFragments,
): { pairs: BoundSql; isIndexOnly: boolean } {
  if (repeatedKeys.baseline + repeatedKeys.candidate > 0)
    return { pairs: repeatedPairs(a, b, sql), isIndexOnly: false }
  const isIndexOnly = a.isIndexed && b.isIndexed
  return { pairs: isIndexOnly ? indexedPairs(a, b) : hashedPairs(a, b, sql), isIndexOnly }
}

interface ChangeCounts {
  /** The number of pairs with different outputs. Of repeats, the first ones are compared. */
  outputs_changed: number
  /** The number of pairs with different expected answers. */
  answers_differ: number
  /** The number of pairs with different inputs. Values that differ only in type, and rows without inputs, do not count. */
  inputs_differ: number
}

export async function countChanges(
  connection: Connection,
  { baseline, candidate, pairs }: CandidateJoin,
): Promise<ChangeCounts> {
  const row = await connection.get<ChangeCounts>(
    `SELECT count(*) FILTER (WHERE a.output_hash <> b.output_hash) AS outputs_changed,
       count(*) FILTER (WHERE a.expected_hash <> b.expected_hash) AS answers_differ,
       count(*) FILTER (WHERE a.input_text_hash <> b.input_text_hash) AS inputs_differ
     FROM (${pairs.sql}) AS pair CROSS JOIN measure AS a CROSS JOIN measure AS b
     WHERE ${connection.sql.cancelable('pair.base_position')} AND a.evaluation = ? AND a.position = pair.base_position
       AND b.evaluation = ? AND b.position = pair.position`,
    ...pairs.values,
    baseline.key,
    candidate.key,
  )
  return row as ChangeCounts
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

async function countRepeatedKeys(connection: Connection, joinColumn: JoinColumn): Promise<number> {
  if (joinColumn.isUnique) return 0
  const groups = `SELECT count(*) AS n FROM ${joinColumn.table} AS one
    WHERE ${joinColumn.where('one')} AND ${joinColumn.column} IS NOT NULL GROUP BY ${joinColumn.column}`
  const statement = `SELECT CAST(coalesce(sum(n), 0) AS bigint) - count(*) AS count FROM (${groups}) AS same_key`
  return readCount(connection, statement, joinColumn)
}

/** CROSS JOIN fixes the join order in SQLite, whose planner cannot choose between two similar tables. */
function indexedPairs(a: JoinColumn, b: JoinColumn): BoundSql {
  return {
    sql: `SELECT a.position AS base_position, b.position AS position
      FROM ${a.table} AS a CROSS JOIN ${b.table} AS b
      WHERE ${a.where('a')} AND ${b.where('b')} AND b.${b.column} = a.${a.column} ORDER BY a.position`,
    values: [...a.values, ...b.values],
  }
}

/** The rows of the candidate are materialized, so that SQLite builds a temporary index on them. */
function hashedPairs(a: JoinColumn, b: JoinColumn, { cancelable }: SqlFragments): BoundSql {
  return {
    sql: `WITH b AS MATERIALIZED (
        SELECT position, ${b.column} AS join_key FROM ${b.table} AS one
        WHERE ${b.where('one')} AND ${cancelable('position')})
      SELECT a.position AS base_position, b.position AS position
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
      pair AS MATERIALIZED (SELECT a.position AS base_position, b.position AS position
        FROM a CROSS JOIN b WHERE ${sql.cancelable('a.position')} AND b.join_key = a.join_key AND b.occurrence = a.occurrence)
      SELECT base_position, position FROM pair ORDER BY base_position`,
    values: [...a.values, ...b.values],
  }
}

function numberedRows({ table, column, where }: JoinColumn, { cancelable }: SqlFragments): string {
  return `SELECT position, ${column} AS join_key, row_number() OVER (PARTITION BY ${column} ORDER BY position) AS occurrence
    FROM ${table} AS one WHERE ${where('one')} AND ${cancelable('position')}`
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
  if (isByInput && matched === Math.min(baseline.rowCount, candidate.rowCount)) return 0
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
