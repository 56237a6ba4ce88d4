// What several importers read from the values of other tools in the same way.
import type { Json } from '../json/value.ts'
import type { ErrorParts } from './scenario-builder.ts'

/** Undefined instead of null or an empty object or array. */
export function undefinedIfEmpty(value: Json | undefined): Json | undefined {
  return !value || value.isNull || value.text === '{}' || value.text === '[]' ? undefined : value
}

/** The members of an object without those that were used, and without null. */
export function unusedMembers(object: Json, used: ReadonlySet<string>): [string, Json][] {
  return [...object.members].filter(([name, { isNull }]) => !used.has(name) && !isNull)
}

/** The error in a member. An empty text and false mean that there is none. */
export function errorOf(value: Json | undefined): ErrorParts | undefined {
  return value && value.string !== '' && value.boolean !== false ? { message: value.plain } : undefined
}

/** Numbers names from the second time on: `name`, `name #2`. */
export class NameNumbers {
  readonly #counts: Map<string, number>

  /** `used`: names that have occurred already. */
  constructor(...used: string[]) {
    this.#counts = new Map(used.map((name) => [name, 1]))
  }

  has(name: string): boolean {
    return this.#counts.has(name)
  }

  add(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return count === 1 ? name : `${name} #${count}`
  }
}

export function hasAny(row: Json, ...names: string[]): boolean {
  return names.some((name) => row.get(name))
}
