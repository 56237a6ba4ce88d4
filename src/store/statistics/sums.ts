// Sums and means that SQL computes without overflow, which is an error in PostgreSQL. Uses no database.
import { finiteOrNull, roundToZero } from './rounding.ts'

/** Larger numbers are divided by SCALE and summed separately. Smaller numbers could underflow when divided. */
const MAX_UNSCALED_NUMBER = 1e290
const SCALE = 2 ** 40

/** The columns of selectSums. They are null without numbers. */
export type Sums<Name extends string> = {
  [Column in `${Name}_sum` | `${Name}_abs_sum` | `${Name}_large`]: number | null
}

interface SumOptions {
  /** The SQL expression of the number. Default: the column `name`. */
  value?: string
  /** The SQL condition for the numbers to sum. */
  where?: string
  /** The largest absolute value, if it is known. */
  maximum?: number
}

/** SQL: the sums of a number, as columns that begin with `name`. */
export function selectSums(
  name: string,
  { value = name, where, maximum = Number.MAX_VALUE }: SumOptions = {},
): string {
  const isLarge = `abs(${value}) >= ${MAX_UNSCALED_NUMBER}`
  const sum = (number: string, ...conditions: string[]) => {
    const filters = where === undefined ? conditions : [where, ...conditions]
    return `sum(${number})${filters.length === 0 ? '' : ` FILTER (WHERE ${filters.join(' AND ')})`}`
  }
  const conditions = maximum < MAX_UNSCALED_NUMBER ? [] : [`NOT ${isLarge}`]
  const large =
    conditions.length === 0 ? 'CAST(NULL AS double precision)' : sum(`${value} / ${SCALE}`, isLarge)
  return `${sum(value, ...conditions)} AS ${name}_sum, ${sum(`abs(${value})`, ...conditions)} AS ${name}_abs_sum,
    ${large} AS ${name}_large`
}

/** The total and mean of `n` numbers. Null if there are none or the value overflows a double. */
export function computeTotals<Name extends string>(
  n: number,
  name: Name,
  row: Partial<Sums<Name>> | undefined,
): { total: number | null; mean: number | null } {
  const column = (suffix: 'sum' | 'abs_sum' | 'large') => row?.[`${name}_${suffix}`] ?? 0
  const sum = roundToZero(column('sum'), column('abs_sum'))
  if (n === 0) return { total: null, mean: null }
  return {
    total: finiteOrNull(sum + column('large') * SCALE),
    mean: finiteOrNull(sum / n + (column('large') / n) * SCALE),
  }
}
