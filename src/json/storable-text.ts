// JSON strings can contain lone surrogates and NUL characters, which a text column cannot store.

/** Replaces characters that cannot be stored with U+FFFD. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
