// Converts units of decimal numbers exactly, without the rounding of binary fractions.

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
