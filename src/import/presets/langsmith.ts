// Imports experiments of LangSmith as CSV: the download of the page, and the data frame of the SDK.
import type { ColumnChoice } from '../table/columns.ts'
import { expand, jsonOf, type RowMapper } from '../table/mapped-rows.ts'
import { columnRoles, presetImporter } from '../table/preset.ts'
import type { TableValue } from '../table/rows.ts'

const rolesOf = columnRoles({
  id: 'example_id',
  input: 'inputs, inputs.*, input.*',
  output: 'outputs',
  expected: 'reference_outputs, reference_outputs.*, reference.*',
  score: 'feedback.*',
  error: 'error',
  'latency:s': 'execution_time, latency',
  'cost:usd': 'total_cost',
  extra: `tokens, total_tokens, prompt_tokens, completion_tokens, status, metadata, tags, start_time, end_time, run,
    run_id`,
})

const EXPANDED = ['inputs', 'reference_outputs'] as const

export function isLangsmithTable(names: readonly string[]): boolean {
  const hasPrefix = (prefix: string) => names.some((name) => name.startsWith(prefix))
  return (
    (names.includes('inputs') && names.includes('outputs') && names.includes('reference_outputs')) ||
    ((hasPrefix('inputs.') || hasPrefix('input.')) &&
      hasPrefix('outputs.') &&
      (names.includes('execution_time') || hasPrefix('feedback.')))
  )
}

/** The id of the example is the same in all experiments. The id of the run is used without it. */
export function langsmithColumns(names: readonly string[]): ReadonlyMap<string, ColumnChoice> {
  const columns = rolesOf(names)
  if (names.includes('id')) columns.set('id', { role: names.includes('example_id') ? 'extra' : 'id' })
  // The application returns an object. Its first member is the output.
  const [output, ...others] = names.filter((name) => name.startsWith('outputs.'))
  if (output !== undefined) columns.set(output, { role: names.includes('outputs') ? 'extra' : 'output' })
  for (const name of others) columns.set(name, { role: 'extra' })
  // In the download, the names of feedback have no prefix.
  const otherRole = names.includes('outputs') ? 'score' : 'extra'
  for (const name of names) if (!columns.has(name)) columns.set(name, { role: otherRole })
  return columns
}

const mapRow: RowMapper = function* (values, limits) {
  const row = new Map<string, TableValue>(values)
  for (const name of EXPANDED) row.delete(name)
  for (const name of EXPANDED) yield* expand(name, jsonOf(values.get(name), limits))
  for (const [name, value] of row) yield [name, name === 'outputs' ? (jsonOf(value, limits) ?? '') : value]
}

export const langsmith = presetImporter({
  name: 'langsmith',
  label: 'LangSmith',
  description: 'experiments from LangSmith as CSV, with inputs, outputs and reference_outputs',
  example: 'assay import experiment-download.csv --variant support-bot',
  detects: (names, source) => source.jsonPreview === undefined && isLangsmithTable(names),
  columns: langsmithColumns,
  rows: { createMapper: () => mapRow, ids: ['example_id', 'id'] },
})
