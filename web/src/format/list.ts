// Formats a list of names.

/** "a", "a and b", "a, b and c", "a, b, c and 2 more". */
export function formatList(names: readonly string[], max = 3): string {
  const hiddenCount = names.length - max
  const parts = hiddenCount > 0 ? [...names.slice(0, max), `${hiddenCount} more`] : names
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
