import { parseExactly } from '../format/exact.ts'

/** Laid out alike, so that of two texts that are JSON only what differs does. */
export function asJson(old: string, text: string): [old: string, text: string] {
  const parsed = (one: string) => JSON.stringify(parseExactly(one), null, 2)
  try {
    return [parsed(old), parsed(text)]
  } catch {
    return [old, text]
  }
}
