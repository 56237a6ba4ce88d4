// Imports experiments of LangSmith as CSV: the download of the page, and the data frame of the SDK.
import type { ColumnChoice } from '../table/columns.ts'
import { presetImporter } from '../table/preset.ts'
import type { TableValue } from '../table/rows.ts'
import { expand, jsonOf, openMappedTable, type RowMapper, rolesByName } from './rows.ts'

const ROLES: Readonly<Record<string, ColumnChoice>> = {
  example_id: { role: 'id' },
  inputs: { role: 'input' },
  outputs: { role: 'output' },
  reference_outputs: { role: 'expected' },
  error: { role: 'error' },
  execution_time: { role: 'latency', type: 's' },
  latency: { role: 'latency', type: 's' },
  total_cost: { role: 'cost', type: 'usd' },
  tokens: { role: 'extra' },
  total_tokens: { role: 'extra' },
  prompt_tokens: { role: 'extra' },
  completion_tokens: { role: 'extra' },
  status: { role: 'extra' },
  metadata: { role: 'extra' },
  tags: { role: 'extra' },
  start_time: { role: 'extra' },
  end_time: { role: 'extra' },
  run: { role: 'extra' },
  run_id: { role: 'extra' },
}

const PREFIXES: Readonly<Record<string, ColumnChoice>> = {
  'inputs.': { role: 'input' },
  'input.': { role: 'input' },
  'reference_outputs.': { role: 'expected' },
  'reference.': { role: 'expected' },
  'feedback.': { role: 'score' },
}

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
  const columns = rolesByName(names, ROLES, PREFIXES)
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
  docs: 'how-to/import-presets.md',
  reference: 'reference/imports/presets.md',
  example: 'assay import experiment-download.csv --variant support-bot',
  detects: (names, source) => source.jsonPreview === undefined && isLangsmithTable(names),
  columns: langsmithColumns,
  openTable: (source, options) =>
    openMappedTable(source, options, { createMapper: () => mapRow, ids: ['example_id', 'id'] }),
})
