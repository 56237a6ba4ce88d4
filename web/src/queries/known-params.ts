// Checks filters and orders of a URL against the names of the data.

export interface KnownNames {
  evaluators: readonly string[]
  inputs: readonly string[]
}

/**
 * Accepts the names of filters (`result.exact_match`) and orders (`result.exact_match.desc`). Accepts all until the names are
 * loaded, and changes only if there is a baseline.
 */
export function isKnownParam(param: string, names: KnownNames | undefined, hasBaseline = true): boolean {
  const [kind = '', ...rest] = param.split('.')
  if (names === undefined || rest.length === 0) return true
  const name = rest.join('.')
  const isIn = (knownNames: readonly string[]) =>
    knownNames.some((known) => name === known || name === `${known}.asc` || name === `${known}.desc`)
  if (kind === 'input') return isIn(names.inputs)
  if (kind === 'delta') return hasBaseline && isIn(names.evaluators)
  return (kind !== 'result' && kind !== 'error') || isIn(names.evaluators)
}
