// Finds the name that a misspelled name probably means.

/** The known name with the fewest different characters. Undefined if more than a third of them differ. */
export function findNearest(name: string, knownNames: readonly string[]): string | undefined {
  const distances = knownNames.map((known) => ({ known, distance: editDistance(name, known) }))
  const [nearest] = distances.toSorted((a, b) => a.distance - b.distance)
  return nearest && nearest.distance <= Math.max(1, nearest.known.length / 3) ? nearest.known : undefined
}

/** The number of inserted, removed and replaced characters (Levenshtein). Two swapped characters count as one. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row += 1) {
    const [above = [], previous = []] = [rows[row - 1], rows[row - 2]]
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (previous[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    rows.push(current)
  }
  return rows.at(-1)?.at(-1) ?? 0
}
