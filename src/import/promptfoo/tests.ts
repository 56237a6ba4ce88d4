// Finds the order and the repetitions of the tests in a promptfoo file.
import { hash } from 'node:crypto'
import type { Json } from '../../json/value.ts'

/** `sample` is the number of the first test with the same inputs. Both it and `repetition` are undefined if no test was repeated. */
interface TestLocation {
  order: number
  sample?: string
  repetition?: number
}

/**
 * The test of a row, and which repetition of it. If rows have no test numbers, or tests were repeated, a digest of the
 * inputs is stored for each.
 */
export class TestOrder {
  /** Test positions by inputs, for rows without a test number. */
  readonly #orders = new Map<string, number>()
  /** By column and inputs: the test numbers, and how many of them have been assigned. */
  readonly #repeatedTests = new Map<string, { tests: number[]; assigned: number }>()
  #isRepeated = false

  /** Adds a row of the table, which has the tests in their original order. */
  addTableRow(names: readonly Json[], row: Json): void {
    const values = row.get('vars')?.elements ?? []
    this.#assignOrder(hashInputs(names.map((name, index) => [name.plain, values[index]?.plain ?? ''])))
  }

  /** Adds a result. Must be called for all results before `locate`. */
  addResult(row: Json, column: number): void {
    const key = inputsHash(row)
    const test = row.get('testIdx')?.number
    if (test === undefined) this.#assignOrder(key)
    const repeats = this.#repeatedTests.get(`${column} ${key}`) ?? { tests: [], assigned: 0 }
    this.#repeatedTests.set(`${column} ${key}`, repeats)
    repeats.tests.push(test ?? repeats.tests.length)
    if (repeats.tests.length > 1) this.#isRepeated = true
  }

  /** Must be called once per row, in the order of the file. */
  locate(row: Json, column: number): TestLocation {
    const test = row.get('testIdx')?.number
    if (test !== undefined && !this.#isRepeated) return { order: test }
    const key = inputsHash(row)
    const repeats = this.#repeatedTests.get(`${column} ${key}`) ?? { tests: [], assigned: 0 }
    if (test !== undefined) {
      const repetition = findRank(repeats, test)
      return { order: test, sample: String(repeats.tests[0]), repetition }
    }
    repeats.assigned += 1
    const order = this.#assignOrder(key)
    return this.#isRepeated ? { order, sample: String(order), repetition: repeats.assigned } : { order }
  }

  #assignOrder(key: string): number {
    const order = this.#orders.get(key) ?? this.#orders.size
    this.#orders.set(key, order)
    return order
  }
}

/** The rank of a test number. The numbers are sorted on the first call. */
function findRank(repeats: { tests: number[]; assigned: number }, test: number): number {
  if (repeats.assigned === 0) repeats.tests.sort((a, b) => a - b)
  repeats.assigned += 1
  let [low, high] = [0, repeats.tests.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((repeats.tests[middle] as number) < test) low = middle + 1
    else high = middle
  }
  return low + 1
}

function inputsHash(row: Json): string {
  return hashInputs(Array.from(row.get('vars')?.members ?? [], ([name, value]) => [name, value.plain]))
}

function hashInputs(inputs: [name: string, value: string][]): string {
  return hash('sha256', JSON.stringify(inputs.toSorted(([a], [b]) => (a < b ? -1 : 1))), 'base64url').slice(
    0,
    22,
  )
}
