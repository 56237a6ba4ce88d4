// Sums and means of numbers of any size. Uses no database, so both engines return the same digits.
import { ExactSum } from './exact-sum.ts'
import { roundToZero } from './rounding.ts'

/** Sums and squares of larger or smaller numbers can exceed the range of a double. */
const [MIN_UNSCALED, MAX_UNSCALED] = [1e-100, 1e100]

/** The mean as a multiple of `unit`. NaN if there are no numbers. */
export function computeMean(numbers: Float64Array): { mean: number; unit: number } {
  const { sum, unit } = computeScaledSum(numbers)
  return { mean: sum / numbers.length, unit }
}

/** The total and the mean. Null if there are no numbers or the value does not fit a double. */
export function computeTotals(numbers: Float64Array): { total: number | null; mean: number | null } {
  const sum = new ExactSum()
  for (const number of numbers) sum.add(number)
  return sum.totals(numbers.length)
}

function computeScaledSum(numbers: Float64Array): { sum: number; unit: number } {
  const largest = findLargest(numbers)
  const isExtreme = largest > MAX_UNSCALED || (largest > 0 && largest < MIN_UNSCALED)
  const unit = isExtreme ? largest : 1
  const { sum, absoluteSum } = computeSum(isExtreme ? numbers.map((number) => number / unit) : numbers)
  return { sum: roundToZero(sum, absoluteSum), unit }
}

/** Neumaier's compensated summation. */
export function computeSum(numbers: Float64Array): { sum: number; absoluteSum: number } {
  let [sum, compensation, absoluteSum] = [0, 0, 0]
  for (const number of numbers) {
    const next = sum + number
    compensation += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum
    sum = next
    absoluteSum += Math.abs(number)
  }
  return { sum: sum + compensation, absoluteSum }
}

export function findLargest(numbers: Float64Array): number {
  let largest = 0
  for (const number of numbers) if (Math.abs(number) > largest) largest = Math.abs(number)
  return largest
}
