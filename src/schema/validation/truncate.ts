// Shortens user-provided texts for messages.

const MAX_CHARACTERS = 500

/** Names and values can be megabytes. Returns a copy, which does not keep the original string in memory. */
export function truncate(text: string, limit = MAX_CHARACTERS): string {
  return text.length <= limit ? text : `${Buffer.from(text.slice(0, limit)).toString()}…`
}

const MAX_NAMES = 50

/** Quotes the first names, each truncated. */
export function quoteNames(names: readonly string[]): string {
  const quotedNames = names.slice(0, MAX_NAMES).map((name) => `'${truncate(name, 100)}'`)
  const suffix = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return `${quotedNames.join(', ')}${suffix}`
}
