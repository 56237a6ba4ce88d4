// Parses numbers with commas and units, and converts units exactly, without the rounding of binary fractions.
import { Json } from '../../json/value.ts'
import { parseNumber } from '../csv-rows.ts'
import type { Commas } from './columns.ts'
import { UNITS } from './name-lists.ts'

/** Parses a number. Without a meaning of commas, it cannot contain one. */
export function parseDecimal(text: string, commas: Commas | null): Json | undefined {
  if (commas === 'decimal') return text.includes('.') ? undefined : parseNumber(text.replace(',', '.'))
  return parseNumber(commas === 'thousands' && THOUSANDS.test(text) ? text.replaceAll(',', '') : text)
}

const THOUSANDS = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/

/** What the comma of a single number separates: thousands in `1,500.5`, decimals in `1,5`, unknown in `1,500`. */
export function guessCommas(text: string): Commas | null {
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(text)) return null
  return THOUSANDS.test(text) ? 'thousands' : text.includes(',') ? 'decimal' : null
}

/** Parses a rating with its scale, such as `4/5` or `4 out of 5`. */
export function parseRating(text: string): { number: Json; scale: Json } | undefined {
  const [, value = '', maximum = ''] =
    /^(\d+(?:[.,]\d+)?)\s*(?:\/|out of|von|sur|de)\s*(\d+)$/i.exec(text) ?? []
  const [number, scale] = [parseNumber(value.replace(',', '.')), parseNumber(maximum)]
  return number && scale && Number(scale.number) > 1 ? { number, scale } : undefined
}

const LATENCY_UNITS = (['ms', 's', 'us', 'min'] as const).flatMap((unit) =>
  UNITS[unit].map((word) => [word, unit] as const),
)

/** Parses a cost such as `$0.01` or `0.01 USD`, or a latency such as `850ms`. */
export function parseMeasurement(
  text: string,
  role: string,
  commas: Commas | null,
): { number: Json; unit: string } | undefined {
  const [, sign = '', digits = '', word = ''] = /^(\$?)\s*([\d.,]+)\s*(\p{L}*)$/u.exec(text) ?? []
  const unitWord = word.toLowerCase().replace('µ', 'u')
  const unit =
    role === 'cost'
      ? (sign === '$') !== (unitWord === 'usd') && (sign === '' || word === '')
        ? 'usd'
        : undefined
      : sign === ''
        ? LATENCY_UNITS.find(([name]) => name === unitWord)?.[1]
        : undefined
  const number = unit === undefined ? undefined : parseDecimal(digits, commas ?? guessCommas(digits))
  return unit !== undefined && number ? { number, unit } : undefined
}

/** Converts a latency to seconds or a cost to US dollars. */
export function scaleMeasurement(value: Json, type: string | null): Json {
  if (!Number.isFinite(value.number)) return value
  if (type === 'ms') return new Json(scaleDecimal(value.text, -3))
  if (type === 'us') return new Json(scaleDecimal(value.text, -6))
  if (type === 'min') return new Json(scaleDecimal(value.text, 0, 60n))
  return type === 'cents' ? new Json(scaleDecimal(value.text, -2)) : value
}

/** Multiplies a JSON number by `factor` and by 10 to the power of `shift`. */
export function scaleDecimal(text: string, shift: number, factor = 1n): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = String(BigInt(whole + fraction) * factor)
  const scale = Number(exponent) + shift - fraction.length
  if (digits === '0') return '0'
  // Numbers far from 1 keep an exponent, because they would have many zeros.
  if (Math.abs(scale) > 30) return `${sign}${digits}e${scale}`
  if (scale >= 0) return `${sign}${digits}${'0'.repeat(scale)}`
  const padded = digits.padStart(1 - scale, '0')
  const decimals = padded.slice(scale).replace(/0+$/, '')
  return `${sign}${padded.slice(0, scale)}${decimals === '' ? '' : `.${decimals}`}`
}
