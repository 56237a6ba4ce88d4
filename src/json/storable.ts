// Strings of JSON may hold what a text column cannot: half a surrogate pair, or the character NUL.

/** The same text with U+FFFD in place of what cannot be kept. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
