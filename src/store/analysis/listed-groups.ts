// Selects the groups of a breakdown that are listed: those with the most rows. All others are combined.
import { type BreakdownGroup, MAX_GROUPS } from '../../schema/analysis/breakdowns.ts'
import type { Side } from '../compare/sides.ts'
import { errorGroup, missingGroup, type RowGroups } from './row-groups.ts'

export interface ListedGroup {
  kind: BreakdownGroup['kind']
  /** The position of its first selected row. */
  first: number
}

/** The groups that have statistics of their own. */
export interface GroupedRows {
  /** By position: the index of the group, or -1 for rows that are not selected. */
  indexes: Int32Array
  /** The number of groups. */
  count: number
}

export interface ListedGroups {
  /** The number of all groups. */
  groupCount: number
  /** The groups with the most rows, in this order. */
  listed: ListedGroup[]
  /** The listed groups. If there are others, they are combined as the last one. */
  grouped: GroupedRows
}

/** The first row decides between groups of the same size. */
export function listGroups(
  side: Pick<Side, 'positionCount'>,
  groups: RowGroups,
  isSelected: Uint8Array,
): ListedGroups {
  const { positionCount } = side
  const counts = new Int32Array(positionCount + 2)
  const firstPositions: number[] = []
  for (let position = 0; position < positionCount; position += 1) {
    if (isSelected[position] === 0) continue
    const group = groups[position] as number
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
  const groupCount = firstPositions.length
  return {
    groupCount,
    listed: positions.map((first) => ({ kind: kindOf(groupAt(first)), first })),
    grouped: {
      indexes: groups.map((group, position) =>
        isSelected[position] === 0 ? -1 : (indexOfGroup[group] as number),
      ),
      count: positions.length + Number(groupCount > positions.length),
    },
  }
}
