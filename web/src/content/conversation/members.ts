// Reads members of values that can contain anything.

/** Empty texts count as missing: providers write them for members that do not apply. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The first of these values that is a text. */
export function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => textOf(value) !== undefined)
}
