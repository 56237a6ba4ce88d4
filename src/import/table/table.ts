// Imports tables: CSV (comma, tab, semicolon or vertical bar) and JSON records of scalar values.
import type { Importer } from '../importer.ts'
import { explicitRole, isAssayExport } from './columns.ts'
import { presetImporter } from './preset.ts'
import { previewColumns } from './rows.ts'

/** Tables from tools whose importers are no presets. */
const OTHER_TOOL_COLUMNS = [
  ['example_id', 'repetition_number'],
  ['doc_id', 'doc'],
  ['run_id', 'data_source_idx'],
  ['run_id', 'datasource_item'],
]

/** The importer for tables of any origin. It does not detect the tables of presets. */
export function tableImporter(presets: readonly Importer[]): Importer {
  return presetImporter({
    name: 'table',
    label: 'CSV, TSV or flat JSON',
    description:
      'tables as CSV, TSV or JSON records, with columns such as input.NAME, output, expected and score.NAME',
    docs: 'how-to/import-tables.md',
    reference: 'reference/imports/tables.md',
    example: 'assay import answers.csv --variant support-bot',
    detects(_names, source) {
      const names = previewColumns(source)
      return names !== undefined && isResultsTable(names) && !presets.some((preset) => preset.detects(source))
    },
  })
}

/** Whether the column names look like a table of results: at least one input, and one output, answer, score or error. */
function isResultsTable(names: readonly string[]): boolean {
  if (OTHER_TOOL_COLUMNS.some((columns) => columns.every((name) => names.includes(name)))) return false
  const roles = new Set(names.map((name) => explicitRole(name) ?? 'input'))
  const hasOutcome = (['output', 'expected', 'score', 'error'] as const).some((role) => roles.has(role))
  return (hasOutcome && roles.has('input')) || isAssayExport(names)
}
