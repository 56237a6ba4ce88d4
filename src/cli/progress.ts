// A line on the terminal that says how far a long command is; nothing at all where nobody is watching.

const EVERY_MS = 200

export class Progress {
  readonly #what: string
  readonly #unit: (amount: number) => string
  readonly #started = performance.now()
  #shown = 0

  constructor(what: string, unit: (amount: number) => string) {
    this.#what = what
    this.#unit = unit
  }

  show(done: number, total: number): void {
    const now = performance.now()
    if (!process.stderr.isTTY || now - this.#shown < EVERY_MS) return
    this.#shown = now
    const rate = done / ((now - this.#started) / 1000)
    const left = rate > 0 ? Math.ceil((total - done) / rate) : 0
    const amount = `${this.#unit(done)} of ${this.#unit(total)}, ${this.#unit(rate)}/s, ${duration(left)} left`
    process.stderr.write(`\r\x1b[K${this.#what}: ${amount}`)
  }

  /** Takes the line away again. */
  end(): void {
    if (this.#shown > 0) process.stderr.write('\r\x1b[K')
  }
}

function duration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

export function whole(count: number): string {
  return Math.round(count).toLocaleString('en')
}
