// Groups the rows of an evaluation by an input, a result or an error. Groups are arrays of numbers by position, because an
// evaluation can have as many groups as rows.

import type { GroupKey } from '../../schema/analysis/breakdown-query.ts'
import { MAX_GROUPS } from '../../schema/analysis/breakdowns.ts'
import type { SideColumns } from '../compare/side-columns.ts'
import type { Side } from '../compare/sides.ts'
import type { SqlFragments, Value } from '../dialect/dialect.ts'
import { getOrdinal } from '../query/filters.ts'

/** The rows that have a value to group by, and the rows where the evaluator failed. */
interface GroupStatements {
  table: string
  /** The rows of the evaluation. */
  where: string
  values: Value[]
  hasValue: string
  /** The columns of the value. Rows with equal values are a group. */
  partition: string
  hasError?: string
}

/** Throws invalid-request if the evaluation does not have the input or evaluator. */
export function getGroupStatements(
  { key, ordinals, inputOrdinals }: Pick<Side, 'key' | 'ordinals' | 'inputOrdinals'>,
  { field, name }: GroupKey,
  sql: Pick<SqlFragments, 'sha256'>,
): GroupStatements {
  switch (field) {
    case 'input':
      return {
        table: 'input',
        where: 'evaluation = ? AND input = ?',
        values: [key, getOrdinal(inputOrdinals, name, 'input')],
        hasValue: '1 = 1',
        partition: 'hash',
      }
    case 'result':
      return {
        table: 'result',
        where: 'evaluation = ? AND evaluator = ?',
        values: [key, getOrdinal(ordinals, name, 'evaluator')],
        hasValue: 'is_error = 0 AND (number IS NOT NULL OR text IS NOT NULL)',
        partition: `is_verdict, number, ${shortText(sql)}`,
        hasError: 'is_error = 1',
      }
    case 'error':
      return {
        table: 'measure',
        where: 'evaluation = ?',
        values: [key],
        hasValue: 'has_error = 1',
        partition: 'error_group',
      }
  }
}

/** Sorting takes memory for each text, so long ones are sorted by their hash. */
function shortText({ sha256 }: Pick<SqlFragments, 'sha256'>): string {
  const isLong = 'length(text) > 100'
  return `${isLong}, CASE WHEN ${isLong} THEN ${sha256('text')} ELSE text END`
}

/** One row per row with a value: its position and the first position with the same value, packed into one number. */
export function groupsStatement(
  { table, where, hasValue, partition }: GroupStatements,
  { cancelable }: Pick<SqlFragments, 'cancelable'>,
): string {
  return `SELECT position * ? + min(position) OVER (PARTITION BY ${partition})
    FROM ${table} WHERE ${where} AND ${cancelable('position')} AND ${hasValue}`
}

/** By position: the group of each row. It is the first position with the same value, or one of the two numbers below. */
export async function readGroups(
  columns: SideColumns,
  side: Side,
  statements: GroupStatements,
): Promise<Int32Array> {
  const { positionCount } = side
  const { connection } = columns
  const { table, where, values, hasError } = statements
  const name = `groups ${table} ${values.slice(1).join(' ')}`
  const { groups } = await columns.cachedOf(side, name, async () => {
    const groups = new Int32Array(positionCount).fill(missingGroup(side))
    const packed = await connection.readNumbers(
      groupsStatement(statements, connection.sql),
      positionCount,
      ...values,
    )
    for (const pair of packed) groups[Math.floor(pair / positionCount)] = pair % positionCount
    if (hasError !== undefined) {
      const statement = `SELECT position FROM ${table} WHERE ${where} AND ${hasError}`
      for (const position of await connection.readNumbers(statement, ...values))
        groups[position] = errorGroup(side)
    }
    return { groups }
  })
  return groups
}

/** The group of the rows without a value. */
function missingGroup({ positionCount }: Pick<Side, 'positionCount'>): number {
  return positionCount
}

/** The group of the rows where the evaluator failed. */
function errorGroup({ positionCount }: Pick<Side, 'positionCount'>): number {
  return positionCount + 1
}

export interface ListedGroup {
  kind: 'value' | 'missing' | 'error'
  /** The position of its first selected row. */
  first: number
}

export interface ListedGroups {
  /** The number of all groups. */
  groupCount: number
  /** The groups with the most rows, in this order. */
  listed: ListedGroup[]
  /** By position: the index of the listed group, `listed.length` for rows of other groups, and -1 for rows that are not selected. */
  indexes: Int32Array
}

/** Lists the groups with the most rows. The first row decides between groups of the same size. */
export function listGroups(
  side: Pick<Side, 'positionCount'>,
  groups: Int32Array,
  isSelected: Uint8Array,
): ListedGroups {
  const { positionCount } = side
  const counts = new Int32Array(positionCount + 2)
  const firstPositions: number[] = []
  for (const [position, group] of groups.entries()) {
    if (isSelected[position] === 0) continue
    if (counts[group] === 0) firstPositions.push(position)
    counts[group] = (counts[group] as number) + 1
  }
  const groupAt = (position: number) => groups[position] as number
  // Size and first position are packed into one number: sorting numbers is faster than sorting with a function.
  const sortKeys = Float64Array.from(firstPositions, (position) => {
    const count = counts[groupAt(position)] as number
    return (positionCount - count) * positionCount + position
  })
  const positions = [...sortKeys.sort().subarray(0, MAX_GROUPS)].map((sortKey) => sortKey % positionCount)
  const indexOfGroup = new Int32Array(positionCount + 2).fill(positions.length)
  for (const [index, position] of positions.entries()) indexOfGroup[groupAt(position)] = index
  const kindOf = (group: number) =>
    group === missingGroup(side) ? 'missing' : group === errorGroup(side) ? 'error' : 'value'
  return {
    groupCount: firstPositions.length,
    listed: positions.map((first) => ({ kind: kindOf(groupAt(first)), first })),
    indexes: groups.map((group, position) =>
      isSelected[position] === 0 ? -1 : (indexOfGroup[group] as number),
    ),
  }
}
