// How wide columns are, and which of them stay in sight while the others scroll.
export const DIGIT_PX = 8
/** Of the width of the table, at most, for columns that stay. */
const STUCK_SHARE = 0.6

export interface Layout {
  /** For grid-template-columns: the number of the row first. */
  template: string
  minWidth: number
  /** Where the columns that stay begin: that of the numbers first. */
  lefts: number[]
  /** How wide they are together. */
  stuckWidth: number
}

export interface ColumnSize {
  min: number
  /** Its share of the room that is left. */
  grow: number
  isPinned: boolean
}

interface Room {
  /** How many scenarios there are, for the width of their numbers. */
  scenarios: number
  width: number
}

export function layoutOf(sizes: ColumnSize[], { scenarios, width }: Room): Layout {
  const numbers = String(scenarios).length * DIGIT_PX + 44
  const lefts = [0]
  let stuckWidth = numbers
  for (const { min, isPinned } of sizes) {
    if (!isPinned || stuckWidth + min > width * STUCK_SHARE) break
    lefts.push(stuckWidth)
    stuckWidth += min
  }
  const tracks = sizes.map(({ min, grow }) => (grow > 0 ? `minmax(${min}px, ${grow}fr)` : `${min}px`))
  return {
    template: [`${numbers}px`, ...tracks].join(' '),
    minWidth: sizes.reduce((sum, { min }) => sum + min, numbers),
    lefts,
    stuckWidth,
  }
}

/** What needs no more than this is as wide as it needs to be. */
const SHORT_PX = 140

/** How wide a column of short texts is, with room for its menu; undefined where they are not short. */
export function shortWidth(name: string, longest: number | undefined): number | undefined {
  const needed = Math.max((longest ?? Infinity) * DIGIT_PX + 16, name.length * DIGIT_PX + 40)
  return needed <= SHORT_PX ? needed : undefined
}
