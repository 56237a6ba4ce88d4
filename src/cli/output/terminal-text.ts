// Prints text to the terminal.

/** Replaces control characters, line breaks and bidirectional marks in user data, which could manipulate the terminal. */
export function sanitizeLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
