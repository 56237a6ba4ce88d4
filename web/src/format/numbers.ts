// Figures as people read them: few digits, and units.
const grouped = new Intl.NumberFormat('en-US')
const formats = new Map<string, Intl.NumberFormat>()

/** Making a format takes far longer than using it, and tables are full of numbers. */
function digits(value: number, most: number, least = 0): string {
  const name = `${least} ${most}`
  let format = formats.get(name)
  if (!format) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits: least, maximumFractionDigits: most })
    formats.set(name, format)
  }
  return format.format(value)
}

export function count(value: number): string {
  return grouped.format(value)
}

/** "1 row", "2 rows". */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? noun : `${noun}s`}`
}

/** A score: three decimals at most, and no digits that say nothing. */
export function score(value: number, decimals = 3): string {
  if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -decimals) return value.toExponential(1)
  if (Math.abs(value) >= 1e6) return value.toPrecision(4)
  return digits(value, decimals)
}

export function percent(share: number): string {
  return `${digits(share * 100, 1)} %`
}

/** Percentage points, of a difference of shares. */
export function points(difference: number): string {
  return `${digits(Math.abs(difference) * 100, 1)} pp`
}

export function seconds(value: number): string {
  if (Math.abs(value) < 1) return `${score(value * 1000, Math.abs(value) < 0.001 ? 2 : 0)} ms`
  return `${score(value, value < 10 ? 2 : 1)} s`
}

export function dollars(value: number): string {
  const most =
    value === 0 || Math.abs(value) >= 1 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(Math.abs(value))))
  return `$${digits(value, most, Math.min(2, most))}`
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  let [unit, left] = [0, value]
  while (left >= 1000 && unit < units.length - 1) {
    left /= 1000
    unit++
  }
  return `${digits(left, left < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`
}
