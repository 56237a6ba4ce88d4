// What is derived from a scenario when it is written, for filters, sorting, joins, search and statistics.
// Everything here can be computed again from the stored body.
import { storable } from '../json/storable.ts'
import type { EvaluationScenario } from '../schema/scenarios.ts'
import type { Value } from './dialect/dialect.ts'
import { errorGroup } from './error-groups.ts'
import { answersHash, inputHashes, outputsHash, valueHashes } from './row-hashes.ts'

/** What of a scenario anything is derived from. */
type Scenario = Pick<EvaluationScenario, 'inputs' | 'outputs' | 'results'> &
  Partial<Pick<EvaluationScenario, 'correct_answers' | 'note' | 'is_pinned'>>

/** The names of the inputs, answers and evaluators there are, each kind in order of first appearance. */
export type ScenarioColumns = Record<'input' | 'expected' | 'score', string[]>

export const MEASURE_COLUMNS = [
  'input_hash',
  'input_text_hash',
  'expected_hash',
  'output_hash',
  'cost',
  'latency',
  'has_error',
  'error_group',
  'is_pinned',
  'has_note',
]

/** One value for each of MEASURE_COLUMNS. */
export function measureOf({ inputs, outputs, correct_answers, is_pinned, note }: Scenario): Value[] {
  const failed = outputs.find(({ result }) => result.error != null)
  // Without inputs there is nothing to tell a row by.
  const { hash, text_hash } = inputs.length === 0 ? NO_HASHES : inputHashes(inputs)
  return [
    hash,
    text_hash,
    answersHash(correct_answers ?? []),
    outputsHash(outputs),
    sum(outputs.map(({ cost }) => cost)),
    sum(outputs.map(({ latency }) => latency)),
    Number(failed !== undefined),
    groupOf(failed?.result.error),
    Number(is_pinned === true),
    Number(note != null),
  ]
}

const NO_HASHES = { hash: null, text_hash: null }

export const RESULT_COLUMNS = ['type', 'number', 'text', 'is_verdict', 'is_error', 'error_group']

/**
 * The evaluator's name and one value for each of RESULT_COLUMNS, for each of the scenario's results: a number (of a
 * verdict, 1 for true and 0 for false), a text, an error, or none of them (not scored). Of several results of one
 * evaluator the first one counts.
 */
export function resultsOf({ results }: Scenario): Value[][] {
  return firstOfEach(results, ({ evaluator_config }) => evaluator_config).map(([evaluator, { result }]) => [
    evaluator,
    storable(result.type),
    numberOf(result.value),
    typeof result.value === 'string' ? storable(result.value) : null,
    Number(typeof result.value === 'boolean'),
    Number(result.error != null),
    groupOf(result.error),
  ])
}

export const INPUT_COLUMNS = ['hash', 'text_hash']

/** The name and one value for each of INPUT_COLUMNS, for each of the scenario's inputs: the first of several of a name. */
export function inputsOf({ inputs }: Scenario): Value[][] {
  return firstOfEach(inputs, ({ name }) => name).map(([name, { value }]) => {
    const { hash, text_hash } = valueHashes(value)
    return [name, hash, text_hash]
  })
}

function firstOfEach<Item>(items: Item[], nameOf: (item: Item) => string): [string, Item][] {
  const first = new Map<string, Item>()
  for (const item of items) {
    const name = storable(nameOf(item))
    if (!first.has(name)) first.set(name, item)
  }
  return [...first]
}

function groupOf(error: { message: string } | null | undefined): string | null {
  return error == null ? null : storable(errorGroup(error.message))
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
