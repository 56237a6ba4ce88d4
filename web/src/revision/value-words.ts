// Values of parameters as they stand in a sentence or a cell.
import { digitsOf } from '../format/exact.ts'

/** A text without quotes, unless it would be taken for something else; anything else as JSON, with every digit. */
export function wordsOf(value: unknown): string {
  if (typeof value === 'string' && !needsQuotes(value)) return value
  return JSON.stringify(value) ?? ''
}

function needsQuotes(text: string): boolean {
  return text.trim() !== text || text === '' || /^(?:true|false|null|[-\d[{"].*)$/s.test(text)
}

/** How far a number went: "+0.1"; undefined where it is none, or has more digits than can be subtracted. */
export function stepOf(old: unknown, now: unknown): string | undefined {
  const [from, to] = [Number(digitsOf(old)), Number(digitsOf(now))]
  const step = Number((to - from).toPrecision(12))
  if (Math.abs(from) > Number.MAX_SAFE_INTEGER || Math.abs(to) > Number.MAX_SAFE_INTEGER) return undefined
  if (!Number.isFinite(step) || step === 0) return undefined
  return `${step < 0 ? '−' : '+'}${Math.abs(step)}`
}
