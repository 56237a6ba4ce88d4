// Of everything that a revision is configured with, the little that tells it from others at a glance.

/** What people ask for first. */
const FIRST = ['model', 'temperature']
const NEXT = ['reasoning_effort', 'max_tokens', 'top_p', 'top_k', 'seed']
const MOST = 4
const LONGEST = 32

/** "gpt-x", "temperature 0.2": the model, the temperature, and at most two more. */
export function tellingParameters(parameters: Record<string, unknown> = {}): string[] {
  const scalars = Object.entries(parameters).filter(([, value]) => isTelling(value))
  const rank = ([name]: [string, unknown]) => {
    const place = [...FIRST, ...NEXT].indexOf(name)
    return place < 0 ? FIRST.length + NEXT.length : place
  }
  return scalars
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MOST)
    .map(([name, value]) => (name === 'model' ? String(value) : `${name} ${value}`))
}

function isTelling(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && value.length <= LONGEST && !value.includes('\n')
  return typeof value === 'number' || typeof value === 'boolean'
}
