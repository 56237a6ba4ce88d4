// Keeps spreadsheets from running what a model wrote: in a CSV each cell that begins like a formula gets an apostrophe
// before it.
export class SpreadsheetGuard {
  #isCellStart = true
  #isQuoted = false

  /** The next piece of the table, guarded. Cells may reach over pieces. */
  guard(piece: string): string {
    let guarded = ''
    let taken = 0
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at] as string
      if (this.#isCellStart) {
        if (character === '"' && !this.#isQuoted) {
          this.#isQuoted = true
          continue
        }
        if ('=+-@'.includes(character)) {
          guarded += `${piece.slice(taken, at)}'`
          taken = at
        }
        this.#isCellStart = false
      }
      // A quote inside of a cell is two: out of the quotes, and in again.
      if (character === '"') this.#isQuoted = !this.#isQuoted
      else if (!this.#isQuoted && (character === ',' || character === '\n')) this.#isCellStart = true
    }
    return guarded + piece.slice(taken)
  }
}

export function spreadsheetSafe(): TransformStream<string, string> {
  const guard = new SpreadsheetGuard()
  return new TransformStream({ transform: (piece, out) => out.enqueue(guard.guard(piece)) })
}
