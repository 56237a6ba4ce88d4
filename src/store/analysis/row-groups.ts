// Groups the rows of an evaluation by an input, a result or an error. A group is a number, and each row has one: an evaluation
// can have as many groups as rows.
import type { GroupKey } from '../../schema/analysis/breakdown-query.ts'
import { inputHashes } from '../compare/join-keys.ts'
import { NO_TEXT, type SideColumns } from '../compare/side-columns.ts'
import type { Side } from '../compare/sides.ts'
import type { SqlFragments } from '../dialect/dialect.ts'
import { getOrdinal } from '../query/filters.ts'

/** By position: the group of each row, which is the first position with the same value or one of the two numbers below. */
export type RowGroups = Int32Array

/** The group of the rows without a value. */
export function missingGroup({ positionCount }: Pick<Side, 'positionCount'>): number {
  return positionCount
}

/** The group of the rows where the evaluator failed. */
export function errorGroup({ positionCount }: Pick<Side, 'positionCount'>): number {
  return positionCount + 1
}

/** Reads the groups of all rows. They are cached, so that filters and orders do not read them again. */
export type ReadGroups = () => Promise<RowGroups>

/** Throws invalid-request if the evaluation does not have the input or evaluator. */
export function openGroups(columns: SideColumns, side: Side, { field, name }: GroupKey): ReadGroups {
  if (field === 'input') {
    const ordinal = getOrdinal(side.inputOrdinals, name, 'input')
    return () => cacheGroups(columns, side, `input ${ordinal}`, () => readInputGroups(columns, side, ordinal))
  }
  if (field === 'error')
    return () => cacheGroups(columns, side, 'error', () => readErrorGroups(columns, side))
  const ordinal = getOrdinal(side.ordinals, name, 'evaluator')
  return () => cacheGroups(columns, side, `result ${ordinal}`, () => readResultGroups(columns, side, ordinal))
}

async function cacheGroups(
  columns: SideColumns,
  side: Side,
  name: string,
  read: () => Promise<RowGroups>,
): Promise<RowGroups> {
  const { groups } = await columns.cachedOf(side, `groups ${name}`, async () => ({ groups: await read() }))
  return groups
}

/** The hashes are grouped in memory, because sorting them in the database takes three times as long. */
async function readInputGroups(columns: SideColumns, side: Side, ordinal: number): Promise<RowGroups> {
  const groups = new Int32Array(side.positionCount).fill(missingGroup(side))
  const firstPositions = new Map<string, number>()
  const hashes = inputHashes(columns.connection.sql, side.key, ordinal)
  await columns.readTexts(side, hashes, (position, hash) => groupRow(groups, firstPositions, position, hash))
  return groups
}

function groupRow<Key>(
  groups: RowGroups,
  firstPositions: Map<Key, number>,
  position: number,
  value: Key,
): void {
  const first = firstPositions.get(value)
  groups[position] = first ?? position
  if (first === undefined) firstPositions.set(value, position)
}

/** Numbers come from the column that statistics read, too. */
async function readResultGroups(columns: SideColumns, side: Side, ordinal: number): Promise<RowGroups> {
  const { connection } = columns
  const groups = new Int32Array(side.positionCount).fill(missingGroup(side))
  const [name = ''] = [...side.ordinals].find(([, evaluator]) => evaluator === ordinal) ?? []
  const scores = await columns.scores(side, name)
  const [verdicts, numbers] = [new Map<number, number>(), new Map<number, number>()]
  for (let position = 0; scores && position < groups.length; position += 1) {
    const number = scores.numbers[position] as number
    if (!Number.isNaN(number))
      groupRow(groups, scores.verdicts[position] === 1 ? verdicts : numbers, position, number)
  }
  for (const [position, first] of (await columns.textGroups(side, name))?.entries() ?? [])
    if (first !== NO_TEXT) groups[position] = first
  const failures = 'SELECT position FROM result WHERE evaluation = ? AND evaluator = ? AND is_error = 1'
  for (const position of await connection.readNumbers(failures, side.key, ordinal))
    groups[position] = errorGroup(side)
  return groups
}

async function readErrorGroups(columns: SideColumns, side: Side): Promise<RowGroups> {
  const groups = new Int32Array(side.positionCount).fill(missingGroup(side))
  await columns.setEqualRows(side, groups, errorGroupsStatement(columns.connection.sql), [side.key])
  return groups
}

export function errorGroupsStatement({ cancelable }: SqlFragments): string {
  return `SELECT position * ? + min(position) OVER (PARTITION BY error_group)
    FROM measure WHERE evaluation = ? AND ${cancelable('position')} AND has_error = 1`
}
