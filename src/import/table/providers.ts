// Columns that name what was compared, such as `model`: their values, and whether each question occurs once per value.
import { hash } from 'node:crypto'
import { isMissing } from './cells.ts'
import { meaningOf, type NameMeaning } from './column-names.ts'
import type { TableValue } from './rows.ts'

/** A file can contain the results of so many models. */
export const MAX_PROVIDERS = 100
/** A longer text is a prompt, not a name. */
const MAX_NAME_CHARACTERS = 100
/** How many questions are compared, and how many columns can contain them. */
const MAX_KEYS = 1000
const MAX_KEY_COLUMNS = 8
/** Test sets can contain a few questions twice. */
const MAX_REPEATED_SHARE = 0.05

/** The rows of one question by its text: which values have a row, and how many of them have two. */
class KeyColumn {
  readonly #pairs = new Map<string, Set<string>>()
  #pairCount = 0
  #repeatedCount = 0

  add(key: string, provider: string, repetition: string): void {
    let pairs = this.#pairs.get(key)
    if (!pairs) {
      if (this.#pairs.size >= MAX_KEYS) return
      pairs = new Set()
      this.#pairs.set(key, pairs)
    }
    const pair = JSON.stringify([provider, repetition])
    if (pairs.has(pair) || pairs.size >= MAX_KEYS) this.#repeatedCount += 1
    else pairs.add(pair)
    this.#pairCount += 1
  }

  /** Whether questions occur with several values, but only once with each. */
  get isPaired(): boolean {
    const providerCounts = Array.from(
      this.#pairs.values(),
      (pairs) => new Set(Array.from(pairs, (pair) => (JSON.parse(pair) as [string])[0])).size,
    )
    const shared = providerCounts.filter((count) => count > 1).length
    return shared * 2 >= providerCounts.length && this.#repeatedCount <= this.#pairCount * MAX_REPEATED_SHARE
  }
}

/** The values of one column. */
export class ProviderSample {
  /** In the order of the file. One more than the limit if there are too many. */
  readonly values: string[] = []
  /** Whether rows have no value, or one that is not a name. */
  hasOthers = false
  readonly #indexes = new Map<string, number>()
  readonly #keyColumns = new Map<string, KeyColumn>()

  add(text: string, keys: readonly (readonly [string, string])[], repetition: string): void {
    if (isMissing(text) || text.length > MAX_NAME_CHARACTERS) {
      this.hasOthers = true
      return
    }
    if (!this.#indexes.has(text)) {
      if (this.values.length > MAX_PROVIDERS) return
      this.#indexes.set(text, this.values.length)
      this.values.push(text)
    }
    for (const [name, key] of keys) {
      let column = this.#keyColumns.get(name)
      if (!column) {
        if (this.#keyColumns.size >= MAX_KEY_COLUMNS) continue
        column = new KeyColumn()
        this.#keyColumns.set(name, column)
      }
      column.add(key, text, repetition)
    }
  }

  /** Undefined for a value that the column did not have when it was examined. */
  indexOf(text: string): number | undefined {
    return this.#indexes.get(text)
  }

  /** Whether every row has a value, and there are not too many. */
  get isComplete(): boolean {
    return !this.hasOthers && this.values.length > 0 && this.values.length <= MAX_PROVIDERS
  }

  /** Whether each question occurs once per value. */
  get isPaired(): boolean {
    return [...this.#keyColumns.values()].some(({ isPaired }) => isPaired)
  }
}

/** Finds such columns in the rows of a table, by name. */
export class ProviderSamples {
  readonly samples = new Map<string, ProviderSample>()
  readonly #mapped: ReadonlySet<string>
  readonly #roles = new Map<string, NameMeaning['role'] | undefined>()

  constructor(mapped: readonly string[]) {
    this.#mapped = new Set(mapped)
  }

  get areEmpty(): boolean {
    return this.samples.size === 0
  }

  add(values: readonly (readonly [string, TableValue])[]): void {
    const candidates = values.filter(([name]) => this.#roleOf(name) === 'provider')
    if (candidates.length === 0) return
    const keys = values
      .filter(([name]) => ['input', 'id', undefined].includes(this.#roleOf(name)))
      .map(([name, value]) => [name, shortText(textOf(value))] as const)
      .filter(([, text]) => text !== '')
    const repetition = values.find(([name]) => this.#roleOf(name) === 'repetition')
    for (const [name, value] of candidates) {
      let sample = this.samples.get(name)
      if (!sample) {
        sample = new ProviderSample()
        this.samples.set(name, sample)
      }
      sample.add(textOf(value), keys, repetition ? textOf(repetition[1]) : '')
    }
  }

  #roleOf(name: string): NameMeaning['role'] | undefined {
    if (!this.#roles.has(name))
      this.#roles.set(name, this.#mapped.has(name) ? 'provider' : meaningOf(name)?.role)
    return this.#roles.get(name)
  }
}

export function textOf(value: TableValue): string {
  return (typeof value === 'string' ? value : value.isNull ? '' : value.plain).trim()
}

/** A long text is compared by its digest, so that memory does not grow with the length of texts. */
export function shortText(text: string): string {
  return text.length <= 64 ? text : hash('sha256', text, 'base64')
}
