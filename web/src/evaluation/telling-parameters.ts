// Of everything that a revision is configured with, the little that tells it from others at a glance.

/** Their values say what they are. */
const MODELS = ['model', 'model_name', 'provider']
const FIRST = [...MODELS, 'temperature', 'reasoning_effort', 'max_tokens', 'top_p', 'top_k', 'seed']
const MOST = 4
const LONGEST = 40

/** "gpt-x", "temperature 0.2": the model, the temperature, and at most two more. */
export function tellingParameters(parameters: Record<string, unknown> = {}): string[] {
  const scalars = [...new Map(scalarsOf(parameters))]
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  return scalars
    .toSorted(([one], [other]) => rank(one) - rank(other))
    .slice(0, MOST)
    .map(([name, value]) => (MODELS.includes(name) ? String(value) : `${name} ${value}`))
}

/** Tools keep settings one level down, as `config` or `hyperparameters`; what is further up comes last, and so wins. */
function scalarsOf(parameters: Record<string, unknown>): [name: string, value: unknown][] {
  const members = Object.entries(parameters)
  const nested = members.flatMap(([, value]) => (isObject(value) ? Object.entries(value) : []))
  return [...nested, ...members].filter(([, value]) => isTelling(value))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text with spaces is a prompt or the like. */
function isTelling(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && value.length <= LONGEST && !/\s/.test(value)
  return typeof value === 'number' || typeof value === 'boolean'
}
