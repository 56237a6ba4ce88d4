// Formats numbers with few digits and units.
const formats = new Map<string, Intl.NumberFormat>()

/** With at most and at least these decimals. Caches formatters: creating one takes far longer than using it. */
export function formatDecimal(value: number, most: number, least = 0): string {
  const name = `${least} ${most}`
  let format = formats.get(name)
  if (!format) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits: least, maximumFractionDigits: most })
    formats.set(name, format)
  }
  return format.format(value)
}

export function formatCount(value: number): string {
  return formatDecimal(value, 3)
}

/** "1 row", "2 rows". */
export function pluralize(value: number, noun: string): string {
  return `${formatCount(value)} ${value === 1 ? noun : `${noun}s`}`
}

/** At most three decimals, without trailing zeros. */
export function formatScore(value: number, decimals = 3): string {
  if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -decimals) return value.toExponential(1)
  if (Math.abs(value) >= 1e6) return value.toPrecision(4)
  return formatDecimal(value, decimals)
}

export function formatPercent(share: number): string {
  return `${formatDecimal(share * 100, 1)} %`
}

export function formatSeconds(value: number): string {
  if (Math.abs(value) < 1) return `${formatScore(value * 1000, Math.abs(value) < 0.001 ? 2 : 0)} ms`
  return `${formatScore(value, value < 10 ? 2 : 1)} s`
}

export function formatDollars(value: number): string {
  const most =
    value === 0 || Math.abs(value) >= 1 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(Math.abs(value))))
  return `$${formatDecimal(value, most, Math.min(2, most))}`
}

export function formatBytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  let [unit, scaled] = [0, value]
  while (scaled >= 1000 && unit < units.length - 1) {
    scaled /= 1000
    unit++
  }
  return `${formatDecimal(scaled, scaled < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`
}
