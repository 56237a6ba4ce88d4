// Parses and validates request bodies that are one JSON document.
import type { FastifyRequest } from 'fastify'
import { validateRecord } from '../../import/validate-record.ts'
import { JsonProblem } from '../../json/problem.ts'
import { type JsonRecord, recordLimits } from '../../json/records.ts'
import { type ScanLimits, scan } from '../../json/scan.ts'
import { checkScenario, type ScenarioWrite } from '../../schema/scenarios.ts'
import { ContentErrors } from '../../schema/validation/content-errors.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { ValidationError, Validator } from '../../schema/validation/validator.ts'
import type { Settings } from '../../settings/settings.ts'
import { scenarioTexts } from '../../store/scenarios/row.ts'
import { readWholeBody, requireContentType } from './body.ts'
import { addErrors, findOtherEvaluation } from './record-parser.ts'

/** Reads a body that is one JSON object. Throws invalid-json or invalid-content. */
export async function readDocument<Value>(
  request: FastifyRequest,
  settings: Settings,
  check: Validator<Value>,
): Promise<ParsedValue<Value>> {
  requireContentType(request, ['application/json'])
  const bytes = await readWholeBody(request, settings)
  const record = validateRecord(scanDocument(bytes, recordLimits(settings.max_record_bytes)), check)
  if (record.content) return record.content
  const errors = new ContentErrors()
  addErrors(errors, record, '')
  throw errors.toProblem()
}

function scanDocument(bytes: Buffer, limits: ScanLimits): JsonRecord {
  const start = { index: 0, line: 1, offset: 0 }
  try {
    return { ...start, scanned: scan(bytes, limits) }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    const { fault, message, offset, line, pointer } = error
    return { ...start, problem: new JsonProblem(fault, message, offset, line + 1, pointer) }
  }
}

/** Reads a body that is one scenario, whose ids must be those of the path if it has them. */
export async function readScenario(
  request: FastifyRequest,
  settings: Settings,
  path: { evaluation_id: string; scenario_id: string },
): Promise<{ body: string; extra: string | null }> {
  const check: Validator<ScenarioWrite> = (content) => {
    const errors = checkScenario(content)
    return errors.length > 0 ? errors : findOtherIds(content.value as ScenarioWrite, path)
  }
  const { value, memberTexts } = await readDocument(request, settings, check)
  const idText = JSON.stringify(path.scenario_id)
  return scenarioTexts(path.evaluation_id, {
    value: { ...value, id: path.scenario_id },
    memberTexts: new Map(memberTexts).set('id', idText),
  })
}

function findOtherIds(
  scenario: ScenarioWrite,
  path: { evaluation_id: string; scenario_id: string },
): ValidationError[] {
  const { id } = scenario
  const errors = [findOtherEvaluation(scenario, path.evaluation_id) ?? []].flat()
  if (id == null || id === path.scenario_id) return errors
  const detail = `The id of this scenario is '${id}', but it was sent to '${path.scenario_id}'. Omit id: a scenario keeps its id.`
  return [{ pointer: '/id', detail }, ...errors]
}
