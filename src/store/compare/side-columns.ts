// Cached arrays with the numbers of one evaluation: scores, cost and latency, of scenarios and of the rows that they form.
import type { Connection, SqlFragments, Value } from '../dialect/dialect.ts'
import { DEFAULT_EVALUATOR, type DeclaredEvaluator } from '../evaluations/evaluators.ts'
import { markMatchingRows } from '../query/row-selection.ts'
import type { BoundSql } from '../reads/conditions.ts'
import { type ComparisonCache, combineVersions, type RowColumns } from './comparison-cache.ts'
import { averageRepeats, judgeScores, type RowNumbers, type RowScores } from './rows/row-scores.ts'
import { hasUnusedPositions, type Rows, readRows } from './rows/rows.ts'
import type { Side } from './sides.ts'

/** The group of a scenario whose result is not a text. */
export const NO_TEXT = -1

/** A text of scenarios, such as their ids. */
export interface TextColumn {
  /** SQL expression. The text is not empty and has no line feed. */
  text: string
  /** SQL from FROM to WHERE, with the column `position`. */
  rows: string
  values: number[]
}

/** Scenarios per statement. Splitting and using their texts takes about 10 ms, in which no other request runs. */
const CHUNK_ROWS = 50_000

const RANGE = 'AND position >= ? AND position < ?'

/** Values: those of the column, the first position, and the position after the last one. */
export function textsStatement({ text, rows }: TextColumn, { cancelable, joinLines }: SqlFragments): string {
  return joinLines(
    `SELECT position AS ordinal, ${text} AS element ${rows} ${RANGE} AND ${cancelable('position')} ORDER BY position`,
  )
}

export class SideColumns {
  readonly connection: Connection
  readonly cache: ComparisonCache

  constructor(connection: Connection, cache: ComparisonCache) {
    this.connection = connection
    this.cache = cache
  }

  /** The rows that the scenarios form. */
  async rows(side: Side): Promise<Rows> {
    const { counts, firstPositions } = await this.cachedOf(side, 'rows', async () => {
      const { count, equalCount, firstPositions = new Int32Array() } = await readRows(this.connection, side)
      return { counts: Int32Array.of(count, equalCount), firstPositions }
    })
    const [count = 0, equalCount = 0] = counts
    return { count, equalCount, firstPositions: firstPositions.length > 0 ? firstPositions : undefined }
  }

  /** Undefined if the evaluation does not have the evaluator. */
  async rowScores(side: Side, evaluator: string): Promise<RowScores | undefined> {
    const scores = await this.scores(side, evaluator)
    return scores && this.#ofRows(side, `scores ${side.ordinals.get(evaluator)}`, scores)
  }

  async rowMeasures(side: Side, column: 'cost' | 'latency'): Promise<RowScores> {
    return this.#ofRows(side, column, await this.measures(side, column))
  }

  /** By the position of the first scenario of each row: the share of its repeats that pass. NaN without a verdict. */
  async passRates(
    side: Side,
    evaluator: string,
    declared: DeclaredEvaluator,
  ): Promise<Float64Array | undefined> {
    const scores = await this.scores(side, evaluator)
    const { firstPositions } = await this.rows(side)
    if (!scores) return undefined
    const numbers = judgeScores(scores, declared)
    return firstPositions ? averageRepeats({ ...scores, numbers }, firstPositions).numbers : numbers
  }

  /** By the position of the first scenario of each row: 1 if its repeats both pass and fail. */
  async flakyRows(side: Side, evaluator: string): Promise<Uint8Array> {
    const isFlaky = new Uint8Array(side.positionCount)
    const { firstPositions } = await this.rows(side)
    if (!firstPositions) return isFlaky
    const rates = await this.passRates(side, evaluator, side.declared.get(evaluator) ?? DEFAULT_EVALUATOR)
    for (const [row, rate] of rates?.entries() ?? []) if (rate > 0 && rate < 1) isFlaky[row] = 1
    return isFlaky
  }

  /** The positions of all scenarios of rows that both pass and fail. */
  async flakyScenarios(side: Side, evaluator: string): Promise<Int32Array> {
    const isFlaky = await this.flakyRows(side, evaluator)
    const { firstPositions = new Int32Array() } = await this.rows(side)
    return Int32Array.from(firstPositions.keys()).filter(
      (position) => isFlaky[firstPositions[position] as number] === 1,
    )
  }

  /** By the position of the first scenario of each row: 1 if a scenario of the row matches the condition. */
  async markRows(side: Side, condition: BoundSql | undefined): Promise<Uint8Array> {
    const isMatching = await markMatchingRows(this.connection, side, condition)
    const { firstPositions } = await this.rows(side)
    if (!firstPositions) return isMatching
    const isIncluded = new Uint8Array(isMatching.length)
    for (const [position, first] of firstPositions.entries())
      if (isMatching[position] === 1) isIncluded[first] = 1
    return isIncluded
  }

  async #ofRows(side: Side, name: string, numbers: RowNumbers): Promise<RowScores> {
    const { firstPositions } = await this.rows(side)
    if (!firstPositions) return { ...numbers, repeats: undefined } as RowScores
    const { counts, lowest, highest, ...means } = await this.cachedOf(side, `rows ${name}`, async () =>
      averageRepeats(numbers, firstPositions),
    )
    return { ...means, repeats: { counts, lowest, highest } } as RowScores
  }

  /** By scenario. Undefined if the evaluation does not have the evaluator. */
  async scores(side: Side, evaluator: string): Promise<RowNumbers | undefined> {
    const ordinal = side.ordinals.get(evaluator)
    if (ordinal === undefined) return undefined
    return this.cachedOf(side, `scores ${ordinal}`, async () => {
      const rows = {
        sql: 'FROM result WHERE evaluation = ? AND evaluator = ? AND is_error = 0 AND number IS NOT NULL',
        values: [side.key, ordinal],
      }
      // A verdict is 0 or 1, so it is read together with its position.
      const statement = `SELECT position * 2 + number ${rows.sql} AND is_verdict = 1`
      const verdicts = await this.connection.readNumbers(statement, ...rows.values)
      const others = { ...rows, sql: `${rows.sql} AND is_verdict = 0` }
      const scores =
        verdicts.length === side.count
          ? noNumbers(side)
          : await readRowNumbers(this.connection, side, 'number', others)
      for (const verdict of verdicts) {
        const position = Math.floor(verdict / 2)
        scores.numbers[position] = verdict % 2
        scores.verdicts[position] = 1
      }
      return scores
    })
  }

  /** By scenario: the first position with the same text as result, or NO_TEXT. Undefined if the evaluator has no text. */
  async textGroups(side: Side, evaluator: string): Promise<Int32Array | undefined> {
    const scores = await this.scores(side, evaluator)
    if (!scores) return undefined
    const ordinal = side.ordinals.get(evaluator) as number
    const { groups } = await this.cachedOf(side, `texts ${ordinal}`, async () => {
      const scored = scores.numbers.reduce((count, number) => count + (Number.isNaN(number) ? 0 : 1), 0)
      // Most evaluators have a score for every row, so that no text has to be read.
      const groups = new Int32Array(scored < side.count ? side.positionCount : 0).fill(NO_TEXT)
      const values = [side.key, ordinal]
      if (groups.length > 0)
        await this.setEqualRows(side, groups, textGroupsStatement(this.connection.sql), values)
      return { groups: groups.some((group) => group !== NO_TEXT) ? groups : new Int32Array() }
    })
    return groups.length > 0 ? groups : undefined
  }

  /** Calls `add` for each scenario that has the text, in the order of positions. One string for many texts is read fastest. */
  async readTexts(
    { positionCount }: Side,
    column: TextColumn,
    add: (position: number, text: string) => void,
  ): Promise<void> {
    const { connection } = this
    for (let start = 0; start < positionCount; start += CHUNK_ROWS) {
      const end = Math.min(start + CHUNK_ROWS, positionCount)
      const values = [...column.values, start, end]
      const bytes = await connection.joinElements(textsStatement(column, connection.sql), '\n', ...values)
      if (bytes.length === 0) continue
      const texts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().split('\n')
      // If every scenario has the text, the positions are known.
      const positions =
        texts.length === end - start
          ? undefined
          : await connection.readNumbers(
              `SELECT position ${column.rows} ${RANGE} ORDER BY position`,
              ...values,
            )
      for (let index = 0; index < texts.length; index += 1)
        add(positions?.[index] ?? start + index, texts[index] as string)
    }
  }

  /** Sets the groups of the rows that a statement returns: for each, its position and its group, packed into one number. */
  async setEqualRows(
    { positionCount }: Side,
    groups: Int32Array,
    statement: string,
    values: Value[],
  ): Promise<void> {
    for (const pair of await this.connection.readNumbers(statement, positionCount, ...values))
      groups[Math.floor(pair / positionCount)] = pair % positionCount
  }

  /** By scenario. */
  measures(side: Side, column: 'cost' | 'latency'): Promise<RowNumbers> {
    const rows = { sql: `FROM measure WHERE evaluation = ? AND ${column} IS NOT NULL`, values: [side.key] }
    return this.cachedOf(side, column, () => readRowNumbers(this.connection, side, column, rows))
  }

  /** Caches columns of one evaluation. The name must identify the computation completely. */
  cachedOf<Result extends RowColumns>(
    side: Side,
    name: string,
    compute: () => Promise<Result>,
  ): Promise<Result> {
    return this.cache.columns.getOrCreate(`${combineVersions([side])} ${name}`, compute)
  }
}

/** `rows` is SQL from FROM to WHERE. */
async function readRowNumbers(
  connection: Connection,
  side: Side,
  column: string,
  rows: BoundSql,
): Promise<RowNumbers> {
  const found = await connection.readNumbers(`SELECT ${column} ${rows.sql} ORDER BY position`, ...rows.values)
  // If every row has a number, the positions are known.
  if (found.length === side.count && !hasUnusedPositions(side)) return { ...noNumbers(side), numbers: found }
  const rowNumbers = noNumbers(side)
  if (found.length === 0) return rowNumbers
  const positions = await connection.readNumbers(
    `SELECT position ${rows.sql} ORDER BY position`,
    ...rows.values,
  )
  for (const [index, position] of positions.entries()) rowNumbers.numbers[position] = found[index] as number
  return rowNumbers
}

function noNumbers({ positionCount }: Side): RowNumbers {
  return {
    numbers: new Float64Array(positionCount).fill(Number.NaN),
    verdicts: new Uint8Array(positionCount),
  }
}

/** Sorting takes memory for each text, so long ones are sorted by their hash. */
export function textGroupsStatement({ sha256, cancelable }: SqlFragments): string {
  const isLong = 'length(text) > 100'
  return `SELECT position * ? + min(position)
      OVER (PARTITION BY ${isLong}, CASE WHEN ${isLong} THEN ${sha256('text')} ELSE text END)
    FROM result WHERE evaluation = ? AND evaluator = ? AND ${cancelable('position')}
      AND is_error = 0 AND number IS NULL AND text IS NOT NULL`
}
