// A progress line on standard error, shown only in a terminal; and formatting of numbers.

const INTERVAL_MS = 200

export class Progress {
  readonly #label: string
  readonly #unit: (amount: number) => string
  readonly #started = performance.now()
  #lastShown = 0

  constructor(label: string, unit: (amount: number) => string) {
    this.#label = label
    this.#unit = unit
  }

  show(done: number, total: number): void {
    const now = performance.now()
    if (!process.stderr.isTTY || now - this.#lastShown < INTERVAL_MS) return
    this.#lastShown = now
    const rate = done / ((now - this.#started) / 1000)
    const left = rate > 0 ? Math.ceil((total - done) / rate) : 0
    const amount = `${this.#unit(done)} of ${this.#unit(total)}, ${this.#unit(rate)}/s, ${formatDuration(left)} left`
    process.stderr.write(`\r\x1b[K${this.#label}: ${amount}`)
  }

  /** Clears the line. */
  end(): void {
    if (this.#lastShown > 0) process.stderr.write('\r\x1b[K')
  }
}

function formatDuration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en')
}
