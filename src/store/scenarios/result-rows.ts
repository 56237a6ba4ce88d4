// An uploaded result as texts and derived values, ready to be stored in an existing scenario.
import type { RecordStart } from '../../json/records.ts'
import { toStorableText } from '../../json/storable-text.ts'
import type { NewResult } from '../../schema/scenarios.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { Value } from '../dialect/dialect.ts'
import { resultValues } from './derived-columns.ts'

export interface ResultRow {
  /** Location in the uploaded body, for messages. */
  location: Pick<RecordStart, 'index' | 'line'>
  scenario_id: string
  /** The name of the evaluator, in storable form. */
  evaluator: string
  /** The JSON text of an element of `results`. */
  text: string
  /** The JSON text of the reason and the person; null without either. */
  details: string | null
  /** One value for each of RESULT_COLUMNS. */
  values: Value[]
}

/** The texts of the result, the reason and the person are stored exactly as uploaded. */
export function resultRow(
  { value, memberTexts }: ParsedValue<NewResult>,
  location: ResultRow['location'],
): ResultRow {
  const { scenario_id, evaluator_config, result } = value
  const [[, ...values] = []] = resultValues({ results: [{ evaluator_config, result }] })
  const details = (['reason', 'by'] as const)
    .filter((name) => value[name] != null)
    .map((name) => `"${name}":${memberTexts.get(name)}`)
  return {
    location,
    scenario_id,
    evaluator: toStorableText(evaluator_config),
    text: `{"evaluator_config":${memberTexts.get('evaluator_config')},"result":${memberTexts.get('result')}}`,
    details: details.length === 0 ? null : `{${details.join(',')}}`,
    values,
  }
}
