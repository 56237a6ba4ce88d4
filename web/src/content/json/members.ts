// Members of JSON values: the elements of an array, or the members of an object.
import { digitsOf } from '../../../../src/json/exact-values.ts'

export interface Members {
  count: number
  isArray: boolean
  /** Undefined for an element of an array. */
  nameAt: (index: number) => string | undefined
  valueAt: (index: number) => unknown
}

/** Undefined for a scalar. Numbers with exact digits are objects (see exact-json.ts), but scalars. */
export function membersOf(value: unknown): Members | undefined {
  if (value === null || typeof value !== 'object' || digitsOf(value) !== undefined) return undefined
  if (Array.isArray(value)) {
    return { count: value.length, isArray: true, nameAt: () => undefined, valueAt: (index) => value[index] }
  }
  const names = Object.keys(value)
  const valueAt = (index: number) => (value as Record<string, unknown>)[names[index] ?? '']
  return { count: names.length, isArray: false, nameAt: (index) => names[index], valueAt }
}

/** The path of a member as jq writes it: `.items[0]["unit price"]`. The path of the whole value is empty. */
export function memberPath(path: string, name: string | undefined, index: number): string {
  if (name !== undefined && /^[A-Za-z_]\w*$/.test(name)) return `${path}.${name}`
  return `${path || '.'}[${name === undefined ? index : JSON.stringify(name)}]`
}

/** The text of a scalar, without quotes. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' ? value : (digitsOf(value) ?? String(value))
}
