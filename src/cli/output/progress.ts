// A progress line on standard error, shown only in a terminal; and formatting of numbers.

import { sanitizeLine } from './terminal-text.ts'

const INTERVAL_MS = 200

export class Progress {
  readonly #label: string
  readonly #formatAmount: (amount: number) => string
  readonly #startTime = performance.now()
  #lastShownTime = 0

  constructor(label: string, formatAmount: (amount: number) => string) {
    this.#label = sanitizeLine(label)
    this.#formatAmount = formatAmount
  }

  show(doneAmount: number, total: number): void {
    const now = performance.now()
    if (!process.stderr.isTTY || now - this.#lastShownTime < INTERVAL_MS) return
    const rate = doneAmount / ((now - this.#startTime) / 1000)
    const secondsLeft = rate > 0 ? Math.ceil((total - doneAmount) / rate) : 0
    this.showText(
      `${this.#formatAmount(doneAmount)} of ${this.#formatAmount(total)}, ${this.#formatAmount(rate)}/s, ${formatDuration(secondsLeft)} left`,
    )
  }

  /** Shows a text instead of an amount. */
  showText(text: string): void {
    if (!process.stderr.isTTY) return
    this.#lastShownTime = performance.now()
    process.stderr.write(`\r\x1b[K${this.#label}: ${text}`)
  }

  /** Clears the line. */
  end(): void {
    if (this.#lastShownTime > 0) process.stderr.write('\r\x1b[K')
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

/** For example `1 row` or `1,200 rows`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`
}

/** For example `120 rows × 5` for 600 scenarios that are repeats of 120 rows. */
export function formatRowCount(rows: number, scenarios: number): string {
  const text = countOf(rows, 'row')
  if (scenarios === rows) return text
  if (scenarios % rows === 0) return `${text} × ${formatCount(scenarios / rows)}`
  return `${text}, ${countOf(scenarios, 'scenario')}`
}
