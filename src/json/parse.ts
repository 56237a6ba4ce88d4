// The value of a text that was scanned.
import type { Scanned } from './scan.ts'
import { elementTexts, memberTexts } from './slices.ts'

/**
 * JSON.parse of Node 26 (V8 14.6) may take a name that is written with an escape for another one that it has met
 * before and that holds a backslash: behind {"\\":1} it reads {"\u0000":2} as {"\\":2}. So objects with such
 * names are put together here, one name at a time.
 */
export function parseScanned({ text, hasEscapedNames }: Pick<Scanned, 'text' | 'hasEscapedNames'>): unknown {
  return hasEscapedNames ? parseSlices(text) : JSON.parse(text)
}

function parseSlices(text: string): unknown {
  if (text.startsWith('[')) return elementTexts(text).map(parseSlices)
  if (!text.startsWith('{')) return JSON.parse(text)
  const members = [...memberTexts(text)].map(([name, value]) => [name, parseSlices(value)] as const)
  // Unlike an assignment it makes `__proto__` a member like any other.
  return Object.fromEntries(members)
}
