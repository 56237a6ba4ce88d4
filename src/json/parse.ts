// Parses JSON text that has been scanned.
import { JsonNode } from './json-node.ts'
import type { Scanned } from './scan.ts'

/**
 * Works around a bug in JSON.parse of Node 26 (V8 14.6): it can confuse an escaped name with an earlier name that
 * contains a backslash. After {"\\":1} it reads {"\u0000":2} as {"\\":2}. Texts with escaped names are parsed name by name.
 */
export function parseScanned({ text, hasEscapedNames }: Pick<Scanned, 'text' | 'hasEscapedNames'>): unknown {
  return hasEscapedNames ? parseWith(text, JSON.parse) : JSON.parse(text)
}

/** Parses valid text without whitespace outside strings. `parseScalar` receives all values that are not containers. */
export function parseWith(text: string, parseScalar: (text: string) => unknown): unknown {
  const parse = (node: JsonNode): unknown => {
    if (node.isArray) return Array.from(node.elements(), parse)
    if (!node.isObject) return parseScalar(node.text)
    const members = Array.from(node.members(), ([name, value]) => [name, parse(value)] as const)
    // Unlike an assignment, this treats `__proto__` as a normal member.
    return Object.fromEntries(members)
  }
  return parse(JsonNode.of(text))
}
