// Values derived from a scenario when it is written, for filters, sorting, joins and statistics.
// All of them can be recomputed from the stored body and extra data.
import { toStorableText } from '../../json/storable-text.ts'
import { readAnswers } from '../../schema/reviews/answers.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import type { Value } from '../dialect/dialect.ts'
import { finiteOrNull } from '../statistics/rounding.ts'
import { errorGroup } from './error-groups.ts'
import {
  correctAnswersHash,
  inputHashes,
  outputsHash,
  type PlainInput,
  plainValueHashes,
} from './row-hashes.ts'

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
export function measureValues(
  { outputs, correct_answers, is_pinned, note }: Omit<Scenario, 'inputs' | 'results'>,
  inputs: PlainInput[],
): Value[] {
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
    failedOutput?.result.error ? storableGroup(failedOutput.result.error) : null,
    Number(is_pinned === true),
    Number(note != null),
  ]
}

/** Limit of `extra.sample`, in code points, as of ids. */
const MAX_SAMPLE_LENGTH = 200

export const REPETITION_COLUMNS = ['sample', 'number']

/** One value for each of REPETITION_COLUMNS, or none if `extra` has neither. Members with other values are free-form data. */
export function repetitionValues(extra: Record<string, unknown> | null | undefined): Value[] {
  if (!extra) return []
  const sample = isSample(extra.sample) ? toStorableText(extra.sample) : null
  const number = isRepetition(extra.repetition) ? extra.repetition : null
  return sample === null && number === null ? [] : [sample, number]
}

export const ANSWER_COLUMNS = ['answers']

/** One value for each of ANSWER_COLUMNS, or none if `extra` has no answers of reviewers. */
export function answerValues(extra: Record<string, unknown> | null | undefined): Value[] {
  const answers = readAnswers(extra) ?? []
  return answers.length === 0 ? [] : [JSON.stringify(answers)]
}

function isSample(value: unknown): value is string {
  // A code point has at most two code units.
  if (typeof value !== 'string' || value.length > 2 * MAX_SAMPLE_LENGTH) return false
  return value !== '' && Array.from(value).length <= MAX_SAMPLE_LENGTH
}

function isRepetition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

const NO_HASHES = { hash: null, text_hash: null }

export const RESULT_COLUMNS = ['type', 'number', 'text', 'is_verdict', 'is_error', 'error_group']

/**
 * For each result: the evaluator's name and one value for each of RESULT_COLUMNS. A result has a number (1 or 0 for a
 * verdict), a text, an error, or none of them (not scored). Only the first result of each evaluator is used.
 */
export function resultValues({ results }: Pick<Scenario, 'results'>): Value[][] {
  const rows = results.map(({ evaluator_config, result: { type, value, error } }) => [
    toStorableText(evaluator_config),
    toStorableText(type),
    toNumber(value),
    typeof value === 'string' ? toStorableText(value) : null,
    Number(typeof value === 'boolean'),
    Number(error != null),
    error ? storableGroup(error) : null,
  ])
  return selectFirstByName(rows)
}

export const INPUT_COLUMNS = ['hash', 'text_hash']

/** For each input: its name and one value for each of INPUT_COLUMNS. Only the first input of each name is used. */
export function inputValues(inputs: PlainInput[]): Value[][] {
  const rows = inputs.map((input) => {
    const { hash, text_hash } = plainValueHashes(input)
    return [toStorableText(input.name), hash, text_hash]
  })
  return selectFirstByName(rows)
}

/** Derived tables with one row for each name in a scenario. `ordinal` is the column that refers to evaluation_column. */
export const NAMED_TABLES = {
  results: { table: 'result', ordinal: 'evaluator', kind: 'score', columns: RESULT_COLUMNS },
  inputs: { table: 'input', ordinal: 'input', kind: 'input', columns: INPUT_COLUMNS },
} as const

/** The first row of each name. A name is the first value. */
function selectFirstByName(rows: Value[][]): Value[][] {
  if (rows.length < 2) return rows
  const names = new Set<Value | undefined>()
  return rows.filter(([name]) => !names.has(name) && names.add(name))
}

function storableGroup({ message }: { message: string }): string {
  return toStorableText(errorGroup(message))
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
  const number = typeof value === 'boolean' ? Number(value) : finiteOrNull(value)
  // Negative zero is zero: JSON text and SQLite do not keep its sign.
  return number === 0 ? 0 : number
}

/** The cost or latency of all outputs together. Null if none has one. */
export function sumAmounts(outputs: Scenario['outputs'], name: 'cost' | 'latency'): number | null {
  let total: number | null = null
  for (const output of outputs) {
    const amount = toNumber(output[name])
    if (amount !== null) total = (total ?? 0) + amount
  }
  return toNumber(total)
}
