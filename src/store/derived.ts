// What is derived from a scenario when it is written, for filters, sorting, joins, search and statistics.
// Everything here can be computed again from the stored body.
import { hash } from 'node:crypto'
import { storable } from '../json/storable.ts'
import type { EvaluationScenario } from '../schema/scenarios.ts'
import type { Value } from './dialect/dialect.ts'

/** What of a scenario anything is derived from. */
type Scenario = Pick<EvaluationScenario, 'inputs' | 'outputs' | 'results'> &
  Partial<Pick<EvaluationScenario, 'correct_answers' | 'note' | 'is_pinned'>>

/** The names of the inputs, answers and evaluators there are, each kind in order of first appearance. */
export type ScenarioColumns = Record<'input' | 'expected' | 'score', string[]>

export const MEASURE_COLUMNS = ['input_hash', 'cost', 'latency', 'has_error', 'is_pinned', 'has_note']

/** One value for each of MEASURE_COLUMNS. */
export function measureOf({ inputs, outputs, is_pinned, note }: Scenario): Value[] {
  return [
    inputHash(inputs),
    sum(outputs.map(({ cost }) => cost)),
    sum(outputs.map(({ latency }) => latency)),
    Number(outputs.some(({ result }) => result.error != null)),
    Number(is_pinned === true),
    Number(note != null),
  ]
}

export const RESULT_COLUMNS = ['evaluator', 'type', 'number', 'text', 'is_error']

/**
 * One value for each of RESULT_COLUMNS, for each of the scenario's results: a number (true is 1, false 0), a text,
 * an error, or none of them (not scored).
 */
export function resultsOf({ results }: Scenario): Value[][] {
  return results.map(({ evaluator_config, result: { type, value, error } }) => [
    storable(evaluator_config),
    storable(type),
    numberOf(value),
    typeof value === 'string' ? storable(value) : null,
    Number(error != null),
  ])
}

/** Unescaped and case-folded: what a person would search for in a row. */
export function searchTextOf({ inputs, outputs, correct_answers, note }: Scenario): string {
  const values = [
    ...inputs.map(({ value }) => value),
    ...outputs.flatMap(({ result }) => [result.value, result.error?.message]),
    ...(correct_answers ?? []).map(({ value }) => value),
    note,
  ]
  const texts = values.filter((value) => value != null).map((value) => asText(value))
  return storable(texts.join('\n').toLowerCase())
}

/** The names that head the columns of a table, as they can be kept. */
export function namesOf({ inputs, correct_answers, results }: Scenario): ScenarioColumns {
  return {
    input: inputs.map(({ name }) => storable(name)),
    expected: (correct_answers ?? []).map(({ key }) => storable(key)),
    score: results.map(({ evaluator_config }) => storable(evaluator_config)),
  }
}

/** Two scenarios with the same inputs have the same hash, whatever the order of their names. */
function inputHash(inputs: EvaluationScenario['inputs']): Uint8Array {
  const named = inputs.map(({ name, value }) => [name, canonical(value)] as const)
  named.sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
  return hash('sha256', JSON.stringify(named), 'buffer')
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
  return numbers.length === 0 ? null : numberOf(numbers.reduce((total, value) => total + value, 0))
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
