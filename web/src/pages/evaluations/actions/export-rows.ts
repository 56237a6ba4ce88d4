// The exported list: the visible columns, with unrounded numbers and ids.
import type { Evaluation } from 'assay-client'
import type { Column } from '../table/columns.ts'
import { type Baselines, errorCount } from '../table/statistics.ts'

type ExportedRow = Record<string, string | number | null>

export function toExportRows(
  rows: readonly Evaluation[],
  columns: readonly Column[],
  baselines: Baselines,
): ExportedRow[] {
  return rows.map((evaluation) => {
    const { id, name, variant_id, revision, baseline_id, scenario_count, created_at } = evaluation
    const exported: ExportedRow = { id, name, baseline_id, errors: errorCount(evaluation) }
    const fields: Record<string, ExportedRow> = {
      ran: { variant_id, revision },
      rows: { rows: scenario_count },
      created: { created_at },
    }
    for (const column of columns) {
      Object.assign(exported, fields[column.id])
      if (!column.statistic) continue
      const statistic = column.statistic(evaluation, baselines)
      exported[column.id] = statistic?.value ?? null
      exported[deltaName(column)] = statistic?.delta ?? null
    }
    return exported
  })
}

/** The delta of cost is relative to the baseline. */
function deltaName({ id }: Column): string {
  return id === 'cost' ? 'relative_delta.cost' : `delta.${id.replace(/^result\./, '')}`
}
