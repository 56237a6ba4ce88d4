// Selects the few parameters of a revision that identify it at a glance.

/** Shown without their names. */
const MODELS = ['model', 'model_name', 'provider']
const PRIORITY = [...MODELS, 'temperature', 'reasoning_effort', 'max_tokens', 'top_p', 'top_k', 'seed']
const MAX_PARAMETERS = 4
const MAX_LENGTH = 40
/** Names of models can be paths. The page truncates them. */
const MAX_MODEL_LENGTH = 200

/** "gpt-x", "temperature 0.2": the model, the temperature, and at most two more. */
export function mainParameters(parameters: Record<string, unknown> = {}): string[] {
  const scalars = [...new Map(scalarsOf(parameters))]
  const rank = (name: string) => (PRIORITY.includes(name) ? PRIORITY.indexOf(name) : PRIORITY.length)
  return scalars
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .slice(0, MAX_PARAMETERS)
    .map(([name, value]) => (MODELS.includes(name) ? String(value) : `${name} ${value}`))
}

/** Some tools nest settings in `config` or `hyperparameters`. Top-level parameters come last, so that they win. */
function scalarsOf(parameters: Record<string, unknown>): [name: string, value: unknown][] {
  const members = Object.entries(parameters)
  const nested = members.flatMap(([, value]) => (isObject(value) ? Object.entries(value) : []))
  return [...nested, ...members].filter(([name, value]) =>
    isShort(value, MODELS.includes(name) ? MAX_MODEL_LENGTH : MAX_LENGTH),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text with spaces is probably a prompt. */
function isShort(value: unknown, maxLength: number): boolean {
  if (typeof value === 'string') return value !== '' && value.length <= maxLength && !/\s/.test(value)
  return typeof value === 'number' || typeof value === 'boolean'
}
