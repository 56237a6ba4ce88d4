// The positions of sections and rows, in pixels from the top of the table. All rows have the same height.
export const ROW_PX = 32
/** One pixel more than a row, for its border. */
export const HEADER_PX = 33
/** Between two sections. */
const GAP_PX = 16

interface Rows {
  rows: readonly { id: string }[]
}

/** The top of each section. */
export function sectionTops(sections: readonly Rows[]): number[] {
  let top = 0
  return sections.map(({ rows }) => {
    const sectionTop = top
    top += HEADER_PX + rows.length * ROW_PX + GAP_PX
    return sectionTop
  })
}

export function heightOf(sections: readonly Rows[]): number {
  return sections.reduce((sum, { rows }) => sum + HEADER_PX + rows.length * ROW_PX + GAP_PX, 0)
}

/** The first row below a position. */
export function rowBelow(sections: readonly Rows[], y: number): { id: string; top: number } | undefined {
  const tops = sectionTops(sections)
  for (const [index, { rows }] of sections.entries()) {
    const firstRowTop = (tops[index] ?? 0) + HEADER_PX
    const rowIndex = Math.max(0, Math.ceil((y - firstRowTop) / ROW_PX))
    const row = rows[rowIndex]
    if (row) return { id: row.id, top: firstRowTop + rowIndex * ROW_PX }
  }
  return undefined
}

export function topOfRow(sections: readonly Rows[], id: string | undefined): number | undefined {
  const tops = sectionTops(sections)
  for (const [index, { rows }] of sections.entries()) {
    const rowIndex = rows.findIndex((row) => row.id === id)
    if (rowIndex !== -1) return (tops[index] ?? 0) + HEADER_PX + rowIndex * ROW_PX
  }
  return undefined
}
