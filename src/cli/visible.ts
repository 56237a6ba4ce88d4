// Text that others wrote, for a terminal.

/** In one line, with a mark in place of every character that could steer the terminal or turn the text round. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
}
