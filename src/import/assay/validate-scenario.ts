// Validates one scenario of a file in Assay's own format.
import type { JsonRecord } from '../../json/records.ts'
import { checkExportedScenario, checkScenario, type ExportedScenario } from '../../schema/scenarios.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { ValidationError } from '../../schema/validation/validator.ts'
import { type ValidatedRecord, validateRecord } from '../validate-record.ts'

/** What is known about a file of scenarios after its first record. */
interface ScenarioFile {
  evaluation_id: string
  /** Whether the header describes the evaluation. */
  isFullExport: boolean
  /** Whether the evaluation was set by an option, so that scenarios can name others. */
  isEvaluationSet: boolean
}

/** Without an id of the evaluation, the scenario can belong to any. */
export function validateScenario(
  record: JsonRecord,
  { evaluation_id, isFullExport, isEvaluationSet }: Partial<ScenarioFile>,
): ValidatedRecord<ExportedScenario> {
  const check = isFullExport ? checkExportedScenario : checkScenario
  const validated = validateRecord<ExportedScenario>(record, check)
  const mismatch = !isEvaluationSet && findMismatch(validated.content, evaluation_id)
  return mismatch ? { place: validated.place, errors: [mismatch] } : validated
}

function findMismatch(
  scenario: ParsedValue<{ evaluation_id?: string }> | undefined,
  id: string | undefined,
): ValidationError | undefined {
  const scenarioEvaluation = scenario?.value.evaluation_id
  if (id === undefined || scenarioEvaluation === undefined || scenarioEvaluation === id) return undefined
  const detail = `This scenario belongs to the evaluation '${scenarioEvaluation}', the scenarios before it to '${id}'. Use --evaluation ID to import all into one evaluation.`
  return { pointer: '/evaluation_id', detail }
}
