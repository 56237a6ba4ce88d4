// Builds the database row of a scenario: its body, assembled from the uploaded JSON texts, and its derived values in
// column order, ready to bind.
import { createHash } from 'node:crypto'
import { parseScanned } from '../../json/parse.ts'
import type { RecordStart } from '../../json/records.ts'
import { NO_LIMITS, scan } from '../../json/scan.ts'
import { generateId } from '../../schema/ids.ts'
import type { EvaluationScenario, ScenarioWrite } from '../../schema/scenarios.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { Value } from '../dialect/dialect.ts'
import type { ResultScore, RowScores } from '../evaluations/score-statistics.ts'
import {
  answerValues,
  columnNames,
  inputValues,
  MEASURE_COLUMNS,
  measureValues,
  RESULT_COLUMNS,
  repetitionValues,
  resultValues,
  type ScenarioColumns,
  sumAmounts,
} from './derived-columns.ts'
import { plainInputs, sha256 } from './row-hashes.ts'

export interface ScenarioRow {
  /** Location in the uploaded file, for conflict messages. */
  location: Pick<RecordStart, 'index' | 'line'> | null
  id: string
  /** Generated ids differ between evaluations of the same test set, so rows are not paired by them. */
  hasGeneratedId: boolean
  body: string
  extra: string | null
  digest: Uint8Array
  measure: Value[]
  /** Empty if the extra data has no sample and no repetition. */
  repetition: Value[]
  /** Empty if the extra data has no answers of reviewers. */
  answer: Value[]
  /** Each list begins with the name of the evaluator or input. */
  results: Value[][]
  inputs: Value[][]
  names: ScenarioColumns
}

/** The id and the JSON texts of a scenario. `unmarkedBody` is the body without pin and note. */
export function scenarioTexts(
  evaluation_id: string,
  { value, memberTexts }: ParsedValue<ScenarioWrite>,
): { id: string; unmarkedBody: string; body: string; extra: string | null } {
  const id = value.id ?? generateId()
  const idText = value.id == null ? JSON.stringify(id) : memberTexts.get('id')
  const bodyStart = `{"id":${idText},"evaluation_id":${JSON.stringify(evaluation_id)},"inputs":${memberTexts.get('inputs') ?? '[]'},"outputs":${memberTexts.get('outputs') ?? '[]'},"correct_answers":${memberTexts.get('correct_answers') ?? 'null'}`
  const bodyEnd = `,"results":${memberTexts.get('results') ?? '[]'}}`
  const unmarkedBody = `${bodyStart},"is_pinned":null,"note":null${bodyEnd}`
  const hasPinOrNote = value.is_pinned != null || value.note != null
  const body = hasPinOrNote
    ? `${bodyStart},"is_pinned":${memberTexts.get('is_pinned') ?? 'null'},"note":${memberTexts.get('note') ?? 'null'}${bodyEnd}`
    : unmarkedBody
  return {
    id,
    unmarkedBody,
    body,
    extra: value.extra == null ? null : (memberTexts.get('extra') ?? null),
  }
}

/**
 * Member texts are stored exactly as uploaded. A scenario without an id gets a generated one. `hasGeneratedId`: the id in
 * the record was generated.
 */
export function scenarioRow(
  evaluation_id: string,
  { value, memberTexts }: ParsedValue<ScenarioWrite>,
  location: ScenarioRow['location'] = null,
  hasGeneratedId = false,
): ScenarioRow {
  const { id, unmarkedBody, body, extra } = scenarioTexts(evaluation_id, { value, memberTexts })
  const { inputs = [], outputs = [], results = [] } = value
  const { correct_answers = null, is_pinned = null, note = null } = value
  const scenario = { inputs, outputs, results, correct_answers, is_pinned, note }
  const hashedInputs = plainInputs(inputs, memberTexts.get('inputs'))
  return {
    location,
    id,
    hasGeneratedId: hasGeneratedId || value.id == null,
    body,
    extra,
    digest: contentDigest(unmarkedBody, extra),
    measure: measureValues(scenario, hashedInputs),
    repetition: repetitionValues(value.extra),
    answer: answerValues(value.extra),
    results: resultValues(scenario),
    inputs: inputValues(hashedInputs),
    names: columnNames(scenario),
  }
}

/** Replaces the texts of some members of a body. */
export function bodyWithChanges(
  members: ReadonlyMap<string, string>,
  changes: Record<string, string>,
): string {
  const parts = [...members].map(([name, text]) => `"${name}":${changes[name] ?? text}`)
  return `{${parts.join(',')}}`
}

/** Rebuilds the row of a stored scenario. Throws if the text is not valid JSON. */
export function rowFromStored(evaluation_id: string, body: string, extra: string | null): ScenarioRow {
  const scanned = scan(Buffer.from(body), NO_LIMITS)
  const memberTexts = new Map(scanned.members)
  const value = parseScanned(scanned) as ScenarioWrite
  if (extra !== null) {
    const scannedExtra = scan(Buffer.from(extra), NO_LIMITS)
    memberTexts.set('extra', scannedExtra.text)
    value.extra = parseScanned(scannedExtra) as Record<string, unknown>
  }
  return scenarioRow(evaluation_id, { value, memberTexts })
}

/** Identifies repeated uploads of a record. Covers the uploaded content without pin and note. */
export function contentDigest(unmarkedBody: string, extra: string | null): Uint8Array {
  // A long text is hashed in parts, because concatenating long texts would copy them.
  if (unmarkedBody.length < 65536) return sha256(`${unmarkedBody}\n${extra ?? ''}`)
  return createHash('sha256')
    .update(unmarkedBody)
    .update('\n')
    .update(extra ?? '')
    .digest()
}

const [COST, LATENCY, HAS_ERROR] = ['cost', 'latency', 'has_error'].map((name) =>
  MEASURE_COLUMNS.indexOf(name),
) as [number, number, number]
const [NUMBER, IS_VERDICT, IS_ERROR] = ['number', 'is_verdict', 'is_error'].map((name) =>
  RESULT_COLUMNS.indexOf(name),
) as [number, number, number]

/** What the scores of an evaluation depend on in a row. */
export function rowScores({ measure, results }: Pick<ScenarioRow, 'measure' | 'results'>): RowScores {
  return {
    cost: measure[COST] as number | null,
    latency: measure[LATENCY] as number | null,
    hasError: measure[HAS_ERROR] === 1,
    results: results.map((values) => resultScore(String(values[0]), values, 1)),
  }
}

/** `values` has one value for each of RESULT_COLUMNS, from the index `start`. */
export function resultScore(evaluator: string, values: Value[], start = 0): ResultScore {
  return {
    evaluator,
    number: values[start + NUMBER] as number | null,
    isVerdict: values[start + IS_VERDICT] === 1,
    isError: values[start + IS_ERROR] === 1,
  }
}

/** Computes only the derived values that scores depend on. */
export function scenarioScores(scenario: EvaluationScenario): RowScores {
  return {
    cost: sumAmounts(scenario.outputs, 'cost'),
    latency: sumAmounts(scenario.outputs, 'latency'),
    hasError: scenario.outputs.some(({ result }) => result.error != null),
    results: resultValues(scenario).map(([evaluator, ...values]) => resultScore(String(evaluator), values)),
  }
}

/** `text` is an element of the results of a stored scenario. */
export function storedResultScore(evaluator: string, text: string): ResultScore {
  const results = [JSON.parse(text) as EvaluationScenario['results'][number]]
  const [[, ...values] = []] = resultValues({ results })
  return resultScore(evaluator, values)
}
