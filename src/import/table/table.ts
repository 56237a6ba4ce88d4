// Imports tables: CSV (comma, tab, semicolon or vertical bar) and JSON records of scalar values.
import type { ColumnRole } from '../../schema/imports.ts'
import type { Importer } from '../importer.ts'
import { UNCERTAIN_RANK } from './column-names.ts'
import { explicitRole, isAssayExport } from './columns.ts'
import { detectColumns } from './detect-columns.ts'
import { presetImporter } from './preset.ts'
import { previewColumns } from './rows.ts'
import { sampleOfNames } from './sample.ts'

/** Tables from other tools, whose importers read other files only. */
const OTHER_TOOL_COLUMNS = [
  ['example_id', 'repetition_number'],
  ['doc_id', 'doc'],
  ['run_id', 'data_source_idx'],
  ['run_id', 'datasource_item'],
]

/** The importer for tables of any origin. It does not detect the files of other importers. */
export function tableImporter(others: readonly Importer[]): Importer {
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
      return (
        names !== undefined && isResultsTable(names) && !others.some((importer) => importer.detects(source))
      )
    },
  })
}

/** Whether the column names look like a table of results: at least one input, and one output, answer, score or error. */
function isResultsTable(names: readonly string[]): boolean {
  if (OTHER_TOOL_COLUMNS.some((columns) => columns.every((name) => names.includes(name)))) return false
  const { columns, possibleOutputs, outputRank = 0 } = detectColumns(sampleOfNames(names), new Map())
  const roles = new Set(columns.map(({ role }) => role))
  const hasExplicitOutcome = names.some((name) => OUTCOMES.has(explicitRole(name) ?? 'input'))
  const hasMeasurement = [...OUTCOMES, 'cost', 'latency'].some(
    (role) => role !== 'output' && roles.has(role as ColumnRole),
  )
  // Data sets have columns such as `label` too, but no results.
  const hasOutput = roles.has('output') && (outputRank < UNCERTAIN_RANK || hasMeasurement)
  const hasOutcome = hasExplicitOutcome || hasOutput || roles.has('error') || possibleOutputs.length > 0
  return (hasOutcome && roles.has('input')) || isAssayExport(names)
}

const OUTCOMES: ReadonlySet<ColumnRole> = new Set(['output', 'expected', 'score', 'error'])
