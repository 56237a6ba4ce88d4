// What is derived from a scenario when it is written, for filters, sorting, joins, search and statistics.
// Everything here can be computed again from the stored body.
import { createHash } from 'node:crypto'
import type { EvaluationScenario } from '../schema/scenarios.ts'

export interface Measure {
  input_hash: Uint8Array
  cost: number | null
  latency: number | null
  has_error: boolean
}

/** One evaluator's verdict: a number (true is 1, false 0), a text, an error, or none of them (not scored). */
export interface DerivedResult {
  evaluator: string
  type: string
  number: number | null
  text: string | null
  is_error: boolean
}

export function measureOf({ inputs, outputs }: EvaluationScenario): Measure {
  return {
    input_hash: inputHash(inputs),
    cost: sum(outputs.map(({ cost }) => cost)),
    latency: sum(outputs.map(({ latency }) => latency)),
    has_error: outputs.some(({ result }) => result.error != null),
  }
}

export function resultsOf({ results }: EvaluationScenario): DerivedResult[] {
  return results.map(({ evaluator_config, result: { type, value, error } }) => ({
    evaluator: evaluator_config,
    type,
    number: numberOf(value),
    text: typeof value === 'string' ? value : null,
    is_error: error != null,
  }))
}

/** Unescaped and case-folded: what a person would search for in a row. */
export function searchTextOf({ inputs, outputs, correct_answers, note }: EvaluationScenario): string {
  const values = [
    ...inputs.map(({ value }) => value),
    ...outputs.flatMap(({ result }) => [result.value, result.error?.message]),
    ...(correct_answers ?? []).map(({ value }) => value),
    note,
  ]
  const texts = values.filter((value) => value != null).map((value) => asText(value))
  return texts.join('\n').toLowerCase()
}

/** Two scenarios with the same inputs have the same hash, whatever the order of their names. */
function inputHash(inputs: EvaluationScenario['inputs']): Uint8Array {
  const named = inputs.map(({ name, value }) => [name, canonical(value)] as const)
  named.sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
  return createHash('sha256').update(JSON.stringify(named)).digest()
}

function canonical(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC')
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return { members: members.map(([name, member]) => [name, canonical(member)]) }
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function sum(values: (number | null | undefined)[]): number | null {
  const numbers = values.map(numberOf).filter((value) => value !== null)
  return numbers.length === 0 ? null : numbers.reduce((total, value) => total + value, 0)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
