// Builds a scenario from the values of a table row.
import { Json } from '../../json/value.ts'
import { type ErrorParts, ScenarioBuilder } from '../scenario-builder.ts'
import type { Column } from './columns.ts'

/**
 * Values that do not fit the field of their role go to `extra`. `repeatsIds`: the rows with one id are repetitions of a sample.
 */
export function buildScenario(
  row: number,
  values: Iterable<readonly [Column, Json]>,
  repeatsIds = false,
): ScenarioBuilder {
  const builder = new ScenarioBuilder(String(row), true)
  let [output, error]: [Json | undefined, ErrorParts | undefined] = [undefined, undefined]
  const measurements: { cost?: Json; latency?: Json } = {}
  const results: [string, Json][] = []
  const reasons = new Map<string, [Column, Json]>()
  /** The evaluators whose result has a scale. */
  const ratings = new Set<string>()
  for (const [column, value] of values) {
    const { role, name } = column
    const key = column.key ?? name
    if (role === 'provider') continue
    if (role === 'input') builder.addInput(key, value)
    else if (role === 'output') output = value
    else if (role === 'expected') {
      if (!value.isNull) builder.addCorrectAnswer(key, value)
    } else if (role === 'score') {
      results.push([key, value])
      if (column.type === 'rating' && value.get('scale')) ratings.add(key)
    } else if (role === 'reason' && !reasons.has(key)) reasons.set(key, [column, value])
    else if (role === 'id' && isUsableId(value)) {
      builder.id = value.plain
      builder.hasGeneratedId = false
    } else if ((role === 'cost' || role === 'latency') && Number.isFinite(value.number))
      measurements[role] = value
    else if (role === 'error' && parseError(value)) error = parseError(value)
    else if (role === 'is_pinned' && value.boolean !== undefined) builder.is_pinned = value.boolean
    else if (role === 'repetition' && isRepetition(value.number)) builder.repetition = value.number
    else if (role === 'note' && value.string !== undefined) builder.note = value.string
    else if (value.text !== '""') builder.addExtra(name, value)
  }
  if (repeatsIds && !builder.hasGeneratedId && builder.repetition !== undefined) {
    builder.sample = builder.id
    if (builder.repetition > 1) builder.id = `${builder.sample} #${builder.repetition}`
  }
  for (const [evaluator, value] of results) {
    const reason = undefinedIfNull(reasons.get(evaluator)?.[1])
    if (ratings.has(evaluator)) {
      builder.addResult(evaluator, {
        value: value.get('value'),
        reason,
        extra: [['scale', value.get('scale')]],
      })
      reasons.delete(evaluator)
      continue
    }
    // An object with an error is an evaluator that failed.
    const evaluatorError = value.isObject ? parseError(value.get('error') ?? Json.of(null)) : undefined
    if (evaluatorError)
      builder.addResult(evaluator, { value: value.get('value'), error: evaluatorError, reason })
    else builder.addResult(evaluator, { value, reason })
    reasons.delete(evaluator)
  }
  for (const [{ name }, value] of reasons.values()) builder.addExtra(name, value)
  // An empty output together with an error counts as no output.
  const value = error && output && (output.isNull || output.string === '') ? undefined : output
  if (output || error || measurements.cost || measurements.latency)
    builder.addOutput({ value, error, ...measurements })
  return builder
}

function undefinedIfNull(value: Json | undefined): Json | undefined {
  return value?.isNull ? undefined : value
}

function isRepetition(number: number | undefined): number is number {
  return Number.isSafeInteger(number) && Number(number) > 0
}

function isUsableId(value: Json): boolean {
  return value.number !== undefined || (value.string ?? '') !== ''
}

function parseError(value: Json): ErrorParts | undefined {
  if (value.isNull || value.boolean === false || value.text === '[]' || value.text === '{}') return undefined
  const message = value.string ?? value.get('message')?.string ?? value.text
  if (message.trim() === '') return undefined
  const stacktrace = value.get('stacktrace')?.string
  return { message, stacktrace }
}
