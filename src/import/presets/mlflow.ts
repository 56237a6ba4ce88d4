// Imports evaluation tables of MLflow: eval_results_table.json, and result_df of mlflow.genai in the orientation split.
import { UnreadableFile } from '../../errors.ts'
import { Json } from '../../json/value.ts'
import type { ImportOptions } from '../importer.ts'
import { readDocument, readRest, rejectionNote } from '../read-records.ts'
import type { Source } from '../source.ts'
import { expand } from '../table/mapped-rows.ts'
import { columnRoles, presetImporter } from '../table/preset.ts'
import type { TableReader } from '../table/rows.ts'

const PATHS = { records: ['data'], dropped: ['index'] }
const OUTPUTS = ['outputs', 'predictions', 'prediction', 'response']
/** Assessments that are expectations, not scores. */
const EXPECTATION = /^(expected_\w+|expectations|ground_truth|guidelines)\/value$/

const rolesOf = columnRoles({
  input: 'inputs, inputs.*, request, request.*',
  expected: 'targets, target, ground_truth',
  error: 'failure',
  'latency:s': 'latency',
  'latency:ms': 'execution_duration',
  extra: `token_count, trace_id, request_id, client_request_id, trace, state, request_time, trace_metadata, tags, spans,
    assessments`,
})

/** Throws UnreadableFile. */
async function openSplit(source: Source, { limits }: ImportOptions): Promise<TableReader> {
  const rest = await readRest(source, PATHS, limits)
  const columns = rest.get('columns')?.elements ?? []
  const names = columns.map(({ string }) => string ?? '')
  if (names.length === 0 || names.some((name) => name === '') || new Set(names).size < names.length)
    throw new UnreadableFile('The member columns must be a list of different column names.')
  return {
    names: undefined,
    async *rows() {
      for await (const record of readDocument(source, PATHS, limits)) {
        if ('kind' in record) yield record
        else if (!record.scanned) yield rejectionNote(record, '', record.problem.message)
        else {
          const values = new Json(record.scanned.text)
          const { elements } = values
          if (!values.isArray || elements.length !== names.length)
            yield rejectionNote(record, '', `This must be a list of ${names.length} values, one per column.`)
          else yield { kind: 'row', index: record.index, line: record.line, values: readRow(names, elements) }
        }
      }
    },
  }
}

function* readRow(names: readonly string[], values: readonly Json[]): Generator<readonly [string, Json]> {
  const row = new Map(names.map((name, index) => [name, values[index] as Json]))
  for (const [name, value] of row) {
    const evaluator = /^(.*)\/value$/.exec(name)?.[1]
    const error = evaluator === undefined ? undefined : row.get(`${evaluator}/error_message`)
    if (name === 'inputs' || name === 'request') yield* expand(name, value)
    // A scorer that failed has no value.
    else if (error?.string !== undefined && value.isNull) yield [name, Json.object([['error', error]])]
    else if (name.endsWith('/error_message') && isUsed(row, name)) continue
    else yield [name, value]
  }
  if (row.get('state')?.string === 'ERROR')
    yield ['failure', Json.of('MLflow recorded an error (state ERROR). Its message is in the trace.')]
}

/** Whether the message is stored as the error of its evaluator. */
function isUsed(row: ReadonlyMap<string, Json>, name: string): boolean {
  return row.get(name.replace(/error_message$/, 'value'))?.isNull ?? false
}

export const mlflow = presetImporter({
  name: 'mlflow',
  label: 'MLflow',
  description: 'evaluation tables of MLflow as JSON, with the members columns and data',
  example: 'assay import eval_results_table.json --variant support-bot',
  detects: (names, { jsonPreview }) =>
    jsonPreview?.shape === 'lines' &&
    ['columns', 'data'].every((name) => names.includes(name)) &&
    names.every((name) => !name.startsWith('columns.')),
  openTable: openSplit,
  columns(names) {
    const columns = rolesOf(names)
    const output = OUTPUTS.find((name) => names.includes(name))
    if (output !== undefined) columns.set(output, { role: 'output' })
    for (const name of names) {
      const [, evaluator, part] =
        /^(.*)\/(score|value|justification|rationale|error_message)$/.exec(name) ?? []
      if (EXPECTATION.test(name)) columns.set(name, { role: 'expected', key: evaluator })
      else if (part === 'score' || part === 'value') columns.set(name, { role: 'score', key: evaluator })
      else if (part === 'error_message') columns.set(name, { role: 'extra' })
      else if (part !== undefined) columns.set(name, { role: 'reason', key: evaluator })
    }
    return columns
  },
})
