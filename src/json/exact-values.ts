// Parses JSON so that every number keeps its digits. The page uses it too.
interface RawJson {
  rawJSON: string
}

/** Browser features missing in TypeScript's types: the source text of a value in a reviver, and JSON.rawJSON. */
const json = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ): unknown
  rawJSON?: (text: string) => RawJson
  isRawJSON?: (value: unknown) => value is RawJson
}

/** Parses JSON so that JSON.stringify writes all numbers as in the source, even those a double cannot represent. */
export function parseExactly(text: string): unknown {
  return json.parse(text, (_key, value, context) => {
    const source = typeof value === 'number' ? context?.source : undefined
    return source === undefined || source === String(value) ? value : (json.rawJSON?.(source) ?? value)
  })
}

/** The digits of a number as in the source, or undefined for other values. */
export function digitsOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return json.isRawJSON?.(value) ? value.rawJSON : undefined
}
