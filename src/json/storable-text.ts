// JSON strings can contain lone surrogates and NUL characters, which a text column cannot store.

/** Replaces characters that cannot be stored with U+FFFD. */
export function toStorableText(text: string): string {
  const wellFormed = text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\ufffd') : wellFormed
}
