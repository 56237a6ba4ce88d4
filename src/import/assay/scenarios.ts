// Imports scenarios in Assay's own format: a JSON array, or one scenario per line. The first line of a full export
// contains the evaluation and the revision it ran.
import type { JsonRecord } from '../../json/records.ts'
import type { EvaluationWrite } from '../../schema/evaluations.ts'
import type { ParsedRecord } from '../../schema/import-events.ts'
import {
  checkExportedScenario,
  checkScenario,
  type ExportedScenario,
  ScenarioWrite,
} from '../../schema/scenarios.ts'
import { type ParsedValue, parsedValue } from '../../schema/validation/parsed-value.ts'
import type { ValidationError } from '../../schema/validation/validator.ts'
import { identifyFile } from '../file-identity.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { readRecords, rejectionsOf } from '../read-records.ts'
import type { Source } from '../source.ts'
import { fileStem } from '../tool-run.ts'
import { type ValidatedRecord, validateRecord } from '../validate-record.ts'
import { readExportHeader } from './export-header.ts'

const DISTINCTIVE_PATHS = [
  'evaluation_id',
  'inputs',
  'outputs',
  'correct_answers',
  'results.evaluator_config',
]
/** Other tools use some of these names too, but together with names that are not in this list. */
const SCENARIO_MEMBERS = new Set(Object.keys(ScenarioWrite.properties))

export const scenarios: Importer = {
  name: 'scenarios',
  label: 'Assay scenarios',
  description: 'scenarios as returned or exported by Assay, with inputs, outputs and results',
  docs: 'reference/commands.md',
  example: 'assay import full-export.ndjson',
  isOwnFormat: true,

  detects({ jsonPreview }) {
    // Traces of other tools have inputs and outputs too.
    if (!jsonPreview || jsonPreview.paths.has('trace_id')) return false
    const isFullExport = jsonPreview.shape === 'lines' && jsonPreview.names[0] === 'evaluation'
    if (isFullExport || DISTINCTIVE_PATHS.some((path) => jsonPreview.paths.has(path))) return true
    const isOtherTool = [...jsonPreview.paths].some((path) => path.startsWith('results.'))
    return (
      !isOtherTool &&
      jsonPreview.names.length > 0 &&
      jsonPreview.names.every((name) => SCENARIO_MEMBERS.has(name))
    )
  },

  async open(source, options) {
    return {
      async *events() {
        let id: string | undefined
        let isFullExport = false
        const isEvaluationSet = options.evaluation !== undefined
        for await (const record of readRecords(source, options.limits)) {
          if ('kind' in record) yield record
          else if (isHeader(record)) {
            const header = readExportHeader(record, options)
            if (header.rejection) yield* rejectionsOf(header.rejection)
            else {
              id = header.id
              isFullExport = true
              yield* header.events
            }
          } else {
            const validated = validateScenario(record, {
              isFullExport,
              isEvaluationSet,
              ...(id !== undefined && { evaluation_id: id }),
            })
            const { place, content } = validated
            if (content) {
              id ??= yield* createEvaluation(content.value, source, options)
              yield { kind: 'scenario', place, content, hasGeneratedId: content.value.has_generated_id }
            } else yield* rejectionsOf(validated)
          }
        }
        if (id === undefined && options.evaluation !== undefined)
          yield* createMinimalEvaluation(options.evaluation, options)
      },
    }
  },
}

function isHeader({ index, scanned }: JsonRecord): boolean {
  return index === 0 && scanned?.members?.has('evaluation') === true
}

/** Yields the evaluation of a file without a header, and returns its id. */
async function* createEvaluation(
  { evaluation_id }: { evaluation_id?: string },
  source: Source,
  options: ImportOptions,
): AsyncGenerator<ParsedRecord, string> {
  const id = options.evaluation ?? evaluation_id
  if (id === undefined) return yield* createFileEvaluation(source, options)
  yield* createMinimalEvaluation(id, options)
  return id
}

/** An evaluation that the file does not describe is named after its id. */
function* createMinimalEvaluation(
  id: string,
  { variant }: ImportOptions,
  details: EvaluationWrite = {},
  continuesStored = false,
): Generator<ParsedRecord> {
  if (variant !== undefined) yield { kind: 'variant', id: variant, content: parsedValue({ name: variant }) }
  const content = parsedValue({ name: id, variant_id: variant ?? null, ...details })
  yield { kind: 'evaluation', id, content, continuesStored }
}

/** Without any id, the evaluation is named after the file. Returns its id. */
async function* createFileEvaluation(
  source: Source,
  options: ImportOptions,
): AsyncGenerator<ParsedRecord, string> {
  const description = { name: fileStem(source.name), source: 'assay' }
  const { id, file, continuesStored } = await identifyFile(source, description, options)
  const details = file ? { ...description, metadata: { file: JSON.parse(file.text) } } : description
  yield* createMinimalEvaluation(id, options, details, continuesStored)
  return id
}

/** What is known about a file of scenarios after its first record. */
interface ScenarioFile {
  evaluation_id: string
  /** Whether the header describes the evaluation. */
  isFullExport: boolean
  /** Whether the evaluation was set by an option, so that scenarios can name others. */
  isEvaluationSet: boolean
}

/** Without an id of the evaluation, the scenario can belong to any. */
function validateScenario(
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
