// The file of exported evaluations. It loads when the first file is saved.
import type { Evaluation } from 'assay-client'
import { csvOf } from '../../../export/csv.ts'
import type { Column } from '../table/columns.tsx'
import { type Baselines, errorCount } from '../table/statistics.ts'

type ExportedRow = Record<string, string | number | null>

export function exportText(rows: ExportedRow[], format: 'csv' | 'json'): string {
  return format === 'csv' ? csvOf(rows) : `${JSON.stringify(rows, null, 2)}\n`
}

/** The visible columns, with unrounded numbers and ids. */
export function toExportRows(
  rows: readonly Evaluation[],
  columns: readonly Column[],
  baselines: Baselines,
): ExportedRow[] {
  return rows.map((evaluation) => {
    const { id, name, baseline_id } = evaluation
    const fields = columns.map((column) => {
      const statistic = column.statistic?.(evaluation, baselines)
      return {
        ...column.exported?.(evaluation),
        ...(column.statistic && {
          [column.id]: statistic?.value ?? null,
          [deltaName(column)]: statistic?.delta ?? null,
        }),
      }
    })
    return Object.assign({ id, name, baseline_id, errors: errorCount(evaluation) }, ...fields)
  })
}

/** The delta of cost is relative to the baseline. */
function deltaName({ id }: Column): string {
  return id === 'cost' ? 'relative_delta.cost' : `delta.${id.replace(/^result\./, '')}`
}
