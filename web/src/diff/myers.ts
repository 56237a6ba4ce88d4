// The shortest list of insertions and deletions between two lists: Eugene W. Myers, "An O(ND) Difference Algorithm", 1986.

interface CommonRange {
  oldIndex: number
  newIndex: number
  length: number
}

/** Limits the memory, which grows with the square of the number of edits. */
const MAX_EDITS = 3000

/** Ranges of equal items in order, or undefined if the lists are too different. `deadline` is a time of `performance.now`. */
export function commonRanges(
  oldIds: number[],
  newIds: number[],
  deadline: number,
): CommonRange[] | undefined {
  const maxEdits = Math.min(oldIds.length + newIds.length, MAX_EDITS)
  /** How far each diagonal reaches in the old list, from diagonal -maxEdits - 1. A diagonal is old index - new index. */
  const reached = new Int32Array(2 * maxEdits + 3)
  const origin = maxEdits + 1
  /** For each number of edits, the diagonals from -edits to edits. */
  const history: Int32Array[] = []
  for (let edits = 0; edits <= maxEdits && performance.now() < deadline; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const [below = 0, above = 0] = [reached[origin + diagonal - 1], reached[origin + diagonal + 1]]
      const isInsertion = diagonal === -edits || (diagonal !== edits && below < above)
      let oldIndex = isInsertion ? above : below + 1
      while (oldIndex < oldIds.length && oldIds[oldIndex] === newIds[oldIndex - diagonal]) oldIndex++
      reached[origin + diagonal] = oldIndex
      if (oldIndex >= oldIds.length && oldIndex - diagonal >= newIds.length) {
        return rangesOf(history, oldIds.length, newIds.length)
      }
    }
    history.push(reached.slice(origin - edits, origin + edits + 1))
  }
  return undefined
}

/** Follows the edits back from the ends of both lists. */
function rangesOf(history: Int32Array[], oldLength: number, newLength: number): CommonRange[] {
  const ranges: CommonRange[] = []
  let [oldIndex, newIndex] = [oldLength, newLength]
  for (let edits = history.length; edits >= 0; edits--) {
    const diagonal = oldIndex - newIndex
    const previous = history[edits - 1]
    const reachedBy = (index: number) => previous?.[index + edits - 1] ?? -1
    const isInsertion =
      diagonal === -edits || (diagonal !== edits && reachedBy(diagonal - 1) < reachedBy(diagonal + 1))
    const editedFrom = isInsertion ? reachedBy(diagonal + 1) : reachedBy(diagonal - 1)
    const start = previous ? editedFrom + (isInsertion ? 0 : 1) : 0
    if (oldIndex > start)
      ranges.push({ oldIndex: start, newIndex: start - diagonal, length: oldIndex - start })
    oldIndex = editedFrom
    newIndex = editedFrom - (isInsertion ? diagonal + 1 : diagonal - 1)
  }
  return ranges.reverse()
}
