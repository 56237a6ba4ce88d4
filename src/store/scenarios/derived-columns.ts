// Values derived from a scenario when it is written, for filters, sorting, joins, search and statistics.
// All of them can be recomputed from the stored body.
import { toStorableText } from '../../json/storable-text.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import type { Value } from '../dialect/dialect.ts'
import { finiteOrNull } from '../statistics/rounding.ts'
import { errorGroup } from './error-groups.ts'
import { correctAnswersHash, inputHashes, outputsHash, valueHashes } from './row-hashes.ts'

/** The members of a scenario that derived values depend on. */
type Scenario = Pick<EvaluationScenario, 'inputs' | 'outputs' | 'results'> &
  Partial<Pick<EvaluationScenario, 'correct_answers' | 'note' | 'is_pinned'>>

/** The names of inputs, expected answers and evaluators, each kind in order of first appearance. */
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
export function measureValues({ inputs, outputs, correct_answers, is_pinned, note }: Scenario): Value[] {
  const failedOutput = outputs.find(({ result }) => result.error != null)
  // Rows without inputs cannot be joined by input.
  const { hash, text_hash } = inputs.length === 0 ? NO_HASHES : inputHashes(inputs)
  return [
    hash,
    text_hash,
    correctAnswersHash(correct_answers ?? []),
    outputsHash(outputs),
    sumAmounts(outputs, 'cost'),
    sumAmounts(outputs, 'latency'),
    Number(failedOutput !== undefined),
    computeErrorGroup(failedOutput?.result.error),
    Number(is_pinned === true),
    Number(note != null),
  ]
}

const NO_HASHES = { hash: null, text_hash: null }

export const RESULT_COLUMNS = ['type', 'number', 'text', 'is_verdict', 'is_error', 'error_group']

/**
 * For each result: the evaluator's name and one value for each of RESULT_COLUMNS. A result has a number (1 or 0 for a
 * verdict), a text, an error, or none of them (not scored). Only the first result of each evaluator is used.
 */
export function resultValues({ results }: Scenario): Value[][] {
  return selectFirstByName(results, ({ evaluator_config }) => evaluator_config).map(
    ([evaluator, { result }]) => [
      evaluator,
      toStorableText(result.type),
      toNumber(result.value),
      typeof result.value === 'string' ? toStorableText(result.value) : null,
      Number(typeof result.value === 'boolean'),
      Number(result.error != null),
      computeErrorGroup(result.error),
    ],
  )
}

export const INPUT_COLUMNS = ['hash', 'text_hash']

/** For each input: its name and one value for each of INPUT_COLUMNS. Only the first input of each name is used. */
export function inputValues({ inputs }: Scenario): Value[][] {
  return selectFirstByName(inputs, ({ name }) => name).map(([name, { value }]) => {
    const { hash, text_hash } = valueHashes(value)
    return [name, hash, text_hash]
  })
}

/** Derived tables with one row for each name in a scenario. `ordinal` is the column that refers to evaluation_column. */
export const NAMED_TABLES = {
  results: { table: 'result', ordinal: 'evaluator', kind: 'score', columns: RESULT_COLUMNS },
  inputs: { table: 'input', ordinal: 'input', kind: 'input', columns: INPUT_COLUMNS },
} as const

function selectFirstByName<Item>(items: Item[], nameOf: (item: Item) => string): [string, Item][] {
  const itemsByName = new Map<string, Item>()
  for (const item of items) {
    const name = toStorableText(nameOf(item))
    if (!itemsByName.has(name)) itemsByName.set(name, item)
  }
  return [...itemsByName]
}

function computeErrorGroup(error: { message: string } | null | undefined): string | null {
  return error == null ? null : toStorableText(errorGroup(error.message))
}

/** The searchable text of a row: unescaped and in lower case. */
export function searchText({ inputs, outputs, correct_answers, note }: Scenario): string {
  const values = [
    ...inputs.map(({ value }) => value),
    ...outputs.flatMap(({ result }) => [result.value, result.error?.message]),
    ...(correct_answers ?? []).map(({ value }) => value),
    note,
  ]
  const texts = values.filter((value) => value != null).map((value) => toText(value))
  return toStorableText(texts.join('\n').toLowerCase())
}

/** The column names of a scenario, in storable form. */
export function columnNames({ inputs, correct_answers, results }: Scenario): ScenarioColumns {
  return {
    input: inputs.map(({ name }) => toStorableText(name)),
    expected: (correct_answers ?? []).map(({ key }) => toStorableText(key)),
    score: results.map(({ evaluator_config }) => toStorableText(evaluator_config)),
  }
}

function toNumber(value: unknown): number | null {
  return typeof value === 'boolean' ? Number(value) : finiteOrNull(value)
}

/** The cost or latency of all outputs together. Null if none has one. */
export function sumAmounts(outputs: Scenario['outputs'], name: 'cost' | 'latency'): number | null {
  const numbers = outputs.map((output) => toNumber(output[name])).filter((value) => value !== null)
  return numbers.length === 0 ? null : toNumber(numbers.reduce((total, value) => total + value, 0))
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
