// The list as a file: the columns that are seen, with whole numbers and the ids that a program wants.
import type { Evaluation } from 'assay-client'
import type { Column } from './columns.ts'
import { type Baselines, errorCount } from './figures.ts'

type Exported = Record<string, string | number | null>

export function exportedRows(
  rows: readonly Evaluation[],
  columns: readonly Column[],
  baselines: Baselines,
): Exported[] {
  return rows.map((evaluation) => {
    const { id, name, variant_id, revision, baseline_id, scenario_count, created_at } = evaluation
    const exported: Exported = { id, name, baseline_id, errors: errorCount(evaluation) }
    const plain: Record<string, Exported> = {
      ran: { variant_id, revision },
      rows: { rows: scenario_count },
      created: { created_at },
    }
    for (const column of columns) {
      Object.assign(exported, plain[column.id])
      if (!column.figure) continue
      const figure = column.figure(evaluation, baselines)
      exported[column.id] = figure?.value ?? null
      exported[deltaName(column)] = figure?.delta ?? null
    }
    return exported
  })
}

/** Of cost it is a part of the baseline's, not a difference. */
function deltaName({ id }: Column): string {
  return id === 'cost' ? 'relative_delta.cost' : `delta.${id.replace(/^result\./, '')}`
}
