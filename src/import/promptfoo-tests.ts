// The tests behind the rows of a promptfoo file: their order, and how often each was repeated.
import { hash } from 'node:crypto'
import type { Json } from '../json/value.ts'

/**
 * Which test a row is of, and which repetition of it. Where rows do not number their tests, or tests were repeated,
 * a digest of the inputs is kept of each.
 */
export class Tests {
  /** By their inputs: where a test stands, where no row says so. */
  readonly #orders = new Map<string, number>()
  /** By column and inputs: the numbers of the tests, and how many of them have been placed. */
  readonly #seen = new Map<string, { tests: number[]; placed: number }>()
  #isRepeated = false

  /** A row of the table, in which the tests stand as they were given. */
  learnOrder(names: Json[], row: Json): void {
    const values = row.get('vars')?.elements ?? []
    this.#order(keyOf(names.map((name, index) => [name.plain, values[index]?.plain ?? ''])))
  }

  learn(row: Json, column: number): void {
    const key = inputsKey(row)
    const test = row.get('testIdx')?.number
    if (test === undefined) this.#order(key)
    const seen = this.#seen.get(`${column} ${key}`) ?? { tests: [], placed: 0 }
    this.#seen.set(`${column} ${key}`, seen)
    seen.tests.push(test ?? seen.tests.length)
    if (seen.tests.length > 1) this.#isRepeated = true
  }

  /** Asked once for each row, in the order of the file. */
  place(row: Json, column: number): { order: number; repetition: number | undefined } {
    const test = row.get('testIdx')?.number
    if (test !== undefined && !this.#isRepeated) return { order: test, repetition: undefined }
    const key = inputsKey(row)
    const seen = this.#seen.get(`${column} ${key}`) ?? { tests: [], placed: 0 }
    if (test !== undefined) return { order: test, repetition: rank(seen, test) }
    seen.placed += 1
    return { order: this.#order(key), repetition: this.#isRepeated ? seen.placed : undefined }
  }

  #order(key: string): number {
    const order = this.#orders.get(key) ?? this.#orders.size
    this.#orders.set(key, order)
    return order
  }
}

/** Which of the tests it is, by their numbers. They are sorted when the first is asked for. */
function rank(seen: { tests: number[]; placed: number }, test: number): number {
  if (seen.placed === 0) seen.tests.sort((a, b) => a - b)
  seen.placed += 1
  let [low, high] = [0, seen.tests.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seen.tests[middle] as number) < test) low = middle + 1
    else high = middle
  }
  return low + 1
}

function inputsKey(row: Json): string {
  return keyOf(Array.from(row.get('vars')?.members ?? [], ([name, value]) => [name, value.plain]))
}

function keyOf(inputs: [name: string, value: string][]): string {
  return hash('sha256', JSON.stringify(inputs.toSorted(([a], [b]) => (a < b ? -1 : 1))), 'base64url').slice(
    0,
    22,
  )
}
