// Ranges of rows, and the windows that hold them.
export interface Range {
  first: number
  last: number
}

/** Rows on either side that will be wanted next. With those in sight they are within two windows: one each way. */
const AHEAD = 40

/** The windows of so many rows that hold a range, and what will be wanted next. */
export function windowsAround({ first, last }: Range, total: number, size: number): number[] {
  const from = Math.floor(Math.max(0, first - AHEAD) / size)
  const to = Math.floor(Math.max(first, last, Math.min(total - 1, last + AHEAD)) / size)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
