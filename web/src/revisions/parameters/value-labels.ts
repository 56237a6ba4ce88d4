// Parameter values as text for labels and table cells.
import { digitsOf } from '../../../../src/json/exact-values.ts'

/** Strings without quotes unless they look like another JSON value; other values as JSON with exact digits. */
export function valueLabel(value: unknown): string {
  if (typeof value === 'string' && !needsQuotes(value)) return value
  return JSON.stringify(value) ?? ''
}

function needsQuotes(text: string): boolean {
  return text.trim() !== text || text === '' || /^(?:true|false|null|[-\d[{"].*)$/s.test(text)
}

/** The difference of two numbers: "+0.1". Undefined if one is not a number or exceeds the safe integer range. */
export function numberChange(oldValue: unknown, newValue: unknown): string | undefined {
  const [from, to] = [Number(digitsOf(oldValue)), Number(digitsOf(newValue))]
  const difference = Number((to - from).toPrecision(12))
  if (Math.abs(from) > Number.MAX_SAFE_INTEGER || Math.abs(to) > Number.MAX_SAFE_INTEGER) return undefined
  if (!Number.isFinite(difference) || difference === 0) return undefined
  return `${difference < 0 ? '−' : '+'}${Math.abs(difference)}`
}
