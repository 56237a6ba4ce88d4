// Finds the order and the repetitions of the tests in a promptfoo file.
import { hash } from 'node:crypto'
import type { Json } from '../../json/value.ts'
import { Ranks } from '../tool-run.ts'

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
  /** The test numbers by column and inputs. Rows without one have the number 0. */
  readonly #repeats = new Ranks()

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
    this.#repeats.add(`${column} ${key}`, test ?? 0)
  }

  /** Must be called once per row, in the order of the file. */
  locate(row: Json, column: number): TestLocation {
    const test = row.get('testIdx')?.number
    const { hasRepeats } = this.#repeats
    if (test !== undefined && !hasRepeats) return { order: test }
    const key = inputsHash(row)
    const order = test ?? this.#assignOrder(key)
    if (!hasRepeats) return { order }
    const name = `${column} ${key}`
    const sample = test === undefined ? order : this.#repeats.first(name)
    return { order, sample: String(sample), repetition: this.#repeats.next(name, test ?? 0) }
  }

  #assignOrder(key: string): number {
    const order = this.#orders.get(key) ?? this.#orders.size
    this.#orders.set(key, order)
    return order
  }
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
