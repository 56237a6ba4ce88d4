// Prepares two JSON texts for a comparison by line. Every token stays as it is: digits, escapes and the order of members.
import { digitsOf, parseExactly } from '../../../src/json/exact-values.ts'
import { indentJson } from '../format/exact-json.ts'

export interface JsonTexts {
  oldText: string
  newText: string
  isOnlyOrderDifferent: boolean
}

/** Indents both texts, or returns undefined unless both are JSON objects or arrays. */
export function jsonTextsOf(oldText: string, newText: string): JsonTexts | undefined {
  if (!isObjectOrArray(oldText) || !isObjectOrArray(newText)) return undefined
  const [oldJson, newJson] = [indentJson(oldText), indentJson(newText)]
  return { oldText: oldJson, newText: newJson, isOnlyOrderDifferent: isReordered(oldText, newText) }
}

function isObjectOrArray(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

function isReordered(oldText: string, newText: string): boolean {
  const length = (text: string) => text.replace(/\s+/g, '').length
  // Another order has the same length. Most texts differ in it, and are not sorted.
  if (length(oldText) !== length(newText)) return false
  try {
    const canonical = (text: string) => JSON.stringify(withSortedMembers(parseExactly(text)))
    return canonical(oldText) === canonical(newText)
  } catch {
    // Nested too deeply.
    return false
  }
}

function withSortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedMembers)
  if (value === null || typeof value !== 'object' || digitsOf(value) !== undefined) return value
  const members = Object.entries(value).map(([name, member]) => [name, withSortedMembers(member)] as const)
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}
