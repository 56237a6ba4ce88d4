// Pairs the rows of a baseline with the rows of its candidates by a join key: scenario id, all inputs, one input, or
// position. A row belongs to at most one pair per candidate. The nth row of a key is paired with the nth row of the same key.
import type { Connection } from '../dialect/dialect.ts'
import { roundRate } from '../statistics/rounding.ts'
import { combineVersions, type RowColumns } from './comparison-cache.ts'
import {
  AUTO_KEYS,
  chooseJoinTexts,
  getInputOrdinals,
  inputName,
  type JoinKey,
  parseJoinKey,
} from './join-keys.ts'
import { hasUnusedPositions, UNUSED_POSITION } from './rows/rows.ts'
import type { SideColumns, TextColumn } from './side-columns.ts'
import { mapAhead, type Side, type Sides } from './sides.ts'

/** `auto` uses the first join key by which at least this share of the smaller evaluation matches. */
export const MIN_MATCH_RATE = 0.95

/** Stands for a missing row. */
export const NO_ROW = -1

/**
 * Joined rows are numbered: baseline rows by the position of their first scenario, then unpaired candidate rows. The row number is also
 * the default order.
 */
export interface PairIndex extends RowColumns {
  /** By baseline position: the first position of the paired candidate row, NO_ROW or UNUSED_POSITION. */
  candidatePositions: Int32Array
  /** By candidate position: the row number, or UNUSED_POSITION. */
  rowNumbers: Int32Array
}

/** An evaluation to join. `rowCount` is smaller than `count` if scenarios are repeats of the same row. */
type JoinedSide = Side & { rowCount: number }

export interface CandidateJoin {
  baseline: JoinedSide
  candidate: JoinedSide
  by: JoinKey
  /** The number of pairs. */
  matched: number
  /** `matched` divided by the number of rows of the smaller evaluation; 1 if that is empty. */
  rate: number
  /** The number of rows in each evaluation that have the same join key as an earlier row. */
  repeatedKeys: { baseline: number; candidate: number }
  pairs: PairIndex
}

export interface Join {
  by: JoinKey
  /** Every key that was tried, with the lowest match rate of all candidates. */
  tried: { by: JoinKey; match_rate: number }[]
  /** In the order of the candidates. */
  joins: CandidateJoin[]
}

/** Throws invalid-request if the evaluations cannot be joined by the requested key. */
export async function joinSides(columns: SideColumns, sides: Sides, requestedKey: string): Promise<Join> {
  const joined: JoinedSide[] = []
  for (const side of sides) joined.push({ ...side, rowCount: (await columns.rows(side)).count })
  const [baseline, ...candidates] = joined as [JoinedSide, ...JoinedSide[]]
  const tried: Join['tried'] = []
  for (const by of requestedKey === 'auto' ? AUTO_KEYS : [parseJoinKey(requestedKey)]) {
    const indexKeys = createKeyIndexer(columns)
    const joins = await mapAhead(candidates, (candidate) =>
      joinCandidate(columns, baseline, candidate, by, indexKeys),
    )
    const match_rate = Math.min(...joins.map(({ rate }) => rate))
    tried.push({ by, match_rate })
    if (match_rate >= MIN_MATCH_RATE || requestedKey !== 'auto' || by === 'position')
      return { by, tried, joins }
  }
  throw new Error('auto must always accept the last key')
}

/** Throws like joinSides, without reading rows. */
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
  columns: SideColumns,
  baseline: JoinedSide,
  candidate: JoinedSide,
  by: JoinKey,
  indexKeys: IndexKeys,
): Promise<CandidateJoin> {
  const name = `pairs ${combineVersions([baseline, candidate])} ${by}`
  const { counts, ...pairs } = await columns.cache.columns.getOrCreate(name, () =>
    pairRows(columns, baseline, candidate, by, indexKeys),
  )
  const [matched, repeatedInBaseline, repeatedInCandidate] = counts as unknown as [number, number, number]
  const repeatedKeys = { baseline: repeatedInBaseline, candidate: repeatedInCandidate }
  const rate = roundRate(matched, Math.min(baseline.rowCount, candidate.rowCount)) ?? 1
  return { baseline, candidate, by, matched, rate, repeatedKeys, pairs: pairs as PairIndex }
}

interface CountedPairs extends PairIndex {
  /** The number of pairs, and of rows in each evaluation that have the same join key as an earlier row. */
  counts: Int32Array
}

/** `hash`: `text_hash` treats 1 and "1" as equal. */
async function pairRows(
  columns: SideColumns,
  baseline: Side,
  candidate: Side,
  by: JoinKey,
  indexKeys: IndexKeys,
  hash: 'hash' | 'text_hash' = 'hash',
): Promise<CountedPairs> {
  const candidatePositions = await mapRows(columns, baseline, () => NO_ROW)
  const rowNumbers = await mapRows(columns, candidate, (position) => baseline.positionCount + position)
  let [matched, repeated] = [0, 0]
  const pair = (row: number, position: number) => {
    candidatePositions[row] = position
    rowNumbers[position] = row
    matched += 1
  }
  if (by === 'position') {
    const positions = listRows(rowNumbers)
    for (const [index, row] of listRows(candidatePositions).subarray(0, positions.length).entries())
      pair(row, positions[index] as number)
    return { candidatePositions, rowNumbers, counts: Int32Array.of(matched, 0, 0) }
  }
  const texts = await chooseJoinTexts(columns.connection, [baseline, candidate], by, hash)
  const [baselineTexts, candidateTexts] = texts as [TextColumn, TextColumn]
  const index = await indexKeys(baseline, baselineTexts)
  const otherKeys = new Set<string>()
  /** By the first row of a key in the baseline: its row for the next pair. UNUSED_POSITION before the key was found. */
  const nextRows = new Int32Array(baseline.positionCount).fill(UNUSED_POSITION)
  await columns.readTexts(candidate, candidateTexts, (position, key) => {
    if (rowNumbers[position] === UNUSED_POSITION) return
    const first = index.firstRows.get(key)
    const isRepeated = first === undefined ? otherKeys.has(key) : nextRows[first] !== UNUSED_POSITION
    if (isRepeated) repeated += 1
    if (first === undefined) {
      otherKeys.add(key)
      return
    }
    const row = isRepeated ? (nextRows[first] as number) : first
    if (row === NO_ROW) return
    nextRows[first] = index.nextRows[row] as number
    pair(row, position)
  })
  return { candidatePositions, rowNumbers, counts: Int32Array.of(matched, index.repeated, repeated) }
}

/** A number for each row, by the position of its first scenario. All other positions are marked as unused. */
async function mapRows(
  columns: SideColumns,
  side: Side,
  toNumber: (position: number) => number,
): Promise<Int32Array> {
  const { key, positionCount } = side
  const { firstPositions } = await columns.rows(side)
  if (firstPositions)
    return firstPositions.map((first, position) =>
      first === position ? toNumber(position) : UNUSED_POSITION,
    )
  const numbers = new Int32Array(positionCount).fill(UNUSED_POSITION)
  if (!hasUnusedPositions(side)) {
    // Several times as fast as Int32Array.from.
    for (let position = 0; position < positionCount; position += 1) numbers[position] = toNumber(position)
    return numbers
  }
  const statement = 'SELECT position FROM measure WHERE evaluation = ?'
  for (const position of await columns.connection.readNumbers(statement, key))
    numbers[position] = toNumber(position)
  return numbers
}

/** The positions that mapRows has not marked as unused. */
function listRows(numbers: Int32Array): Int32Array {
  return Int32Array.from(numbers.keys()).filter((position) => numbers[position] !== UNUSED_POSITION)
}

/** The rows of an evaluation by their join key. */
interface KeyIndex {
  /** The first row of each key. */
  firstRows: Map<string, number>
  /** By position: the next row with the same key, or NO_ROW. */
  nextRows: Int32Array
  /** The number of rows that have the same join key as an earlier row. */
  repeated: number
}

type IndexKeys = (side: Side, column: TextColumn) => Promise<KeyIndex>

/** All candidates are joined with the same index of the baseline. */
function createKeyIndexer(columns: SideColumns): IndexKeys {
  const indexes = new Map<string, Promise<KeyIndex>>()
  return (side, column) => {
    const name = JSON.stringify(column)
    const index = indexes.get(name) ?? indexKeys(columns, side, column)
    indexes.set(name, index)
    return index
  }
}

async function indexKeys(columns: SideColumns, side: Side, column: TextColumn): Promise<KeyIndex> {
  const rows = await mapRows(columns, side, () => NO_ROW)
  const index = { firstRows: new Map<string, number>(), nextRows: rows, repeated: 0 }
  const { firstRows, nextRows } = index
  /** Of keys that several rows have. */
  const lastRows = new Map<string, number>()
  await columns.readTexts(side, column, (position, key) => {
    if (rows[position] === UNUSED_POSITION) return
    const first = firstRows.get(key)
    if (first === undefined) {
      firstRows.set(key, position)
      return
    }
    nextRows[lastRows.get(key) ?? first] = position
    lastRows.set(key, position)
    index.repeated += 1
  })
  return index
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
  // Both positions are packed into one number.
  const { positionCount } = candidate
  const packed: number[] = []
  for (const [row, position] of pairs.candidatePositions.entries())
    if (position >= 0) packed.push(row * positionCount + position)
  const row = await connection.get<ChangeCounts>(
    `WITH pair (packed) AS (${connection.sql.integers})
     SELECT count(*) FILTER (WHERE a.output_hash <> b.output_hash) AS outputs_changed,
       count(*) FILTER (WHERE a.expected_hash <> b.expected_hash) AS answers_differ,
       count(*) FILTER (WHERE a.input_text_hash <> b.input_text_hash) AS inputs_differ
     FROM pair CROSS JOIN measure AS a CROSS JOIN measure AS b
     WHERE ${connection.sql.cancelable('a.position')} AND a.evaluation = ? AND a.position = packed / CAST(? AS INTEGER)
       AND b.evaluation = ? AND b.position = packed % CAST(? AS INTEGER)`,
    JSON.stringify(packed),
    baseline.key,
    positionCount,
    candidate.key,
    positionCount,
  )
  return row as ChangeCounts
}

/**
 * Counts how many more pairs there would be if `1` and `"1"` were equal. Only inputs have types, so for other join keys
 * all inputs are compared.
 */
export async function countMatchesByText(
  columns: SideColumns,
  { baseline, candidate, by, matched }: CandidateJoin,
): Promise<number> {
  const isByInput = by !== 'id' && by !== 'position'
  if (isByInput && matched === Math.min(baseline.rowCount, candidate.rowCount)) return 0
  const countMatches = async (hash: 'hash' | 'text_hash') => {
    const index: IndexKeys = (side, column) => indexKeys(columns, side, column)
    const { counts } = await pairRows(columns, baseline, candidate, isByInput ? by : 'input', index, hash)
    return counts[0] as number
  }
  return (await countMatches('text_hash')) - (isByInput ? matched : await countMatches('hash'))
}
