// Prevents formula injection: adds an apostrophe to CSV cells that start like a formula.
export class FormulaEscaper {
  #isCellStart = true
  #isQuoted = false

  /** Escapes the next chunk. Cells can span chunks. */
  escape(chunk: string): string {
    let escaped = ''
    let copied = 0
    for (let offset = 0; offset < chunk.length; offset++) {
      const character = chunk[offset] as string
      if (this.#isCellStart) {
        if (character === '"' && !this.#isQuoted) {
          this.#isQuoted = true
          continue
        }
        if ('=+-@'.includes(character)) {
          escaped += `${chunk.slice(copied, offset)}'`
          copied = offset
        }
        this.#isCellStart = false
      }
      // An escaped quote is two quotes: it leaves and reenters the quoted state.
      if (character === '"') this.#isQuoted = !this.#isQuoted
      else if (!this.#isQuoted && (character === ',' || character === '\n')) this.#isCellStart = true
    }
    return escaped + chunk.slice(copied)
  }
}
