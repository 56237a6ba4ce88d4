// The file of exported evaluations. It loads when the first file is saved.
import type { Evaluation } from 'assay-client'
import { csvOf } from '../../../export/csv.ts'
import { saveFile } from '../../../export/save-rows.ts'
import { pluralize } from '../../../format/numbers.ts'
import { errorCount, groupEvaluations } from '../../../groups/groups.ts'
import { preference } from '../../../state/preferences.ts'
import { toast } from '../../../ui/messages/toasts.tsx'
import {
  COLUMNS_PREFERENCE,
  type Column,
  type ColumnChoices,
  columnsOf,
  readColumnChoices,
} from '../table/columns.ts'

type ExportFormat = 'csv' | 'json'
type ExportedRow = Record<string, string | number | null>

export async function saveEvaluations(
  load: () => Promise<readonly Evaluation[]> | readonly Evaluation[],
  format: ExportFormat,
): Promise<void> {
  try {
    const evaluations = await load()
    const rows = toExportRows(evaluations, readColumnChoices(preference(COLUMNS_PREFERENCE)))
    const text = format === 'csv' ? csvOf(rows) : `${JSON.stringify(rows, null, 2)}\n`
    saveFile(new Blob([text]), `evaluations.${format}`)
    toast(`Saved ${pluralize(evaluations.length, 'evaluation')} to evaluations.${format}.`)
  } catch (error) {
    toast(`Export failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The columns of all sections that are not hidden, with unrounded numbers and ids. */
export function toExportRows(evaluations: readonly Evaluation[], choices: ColumnChoices): ExportedRow[] {
  const groups = groupEvaluations(evaluations)
  const columnsById = new Map<string, Column[]>()
  for (const column of groups.flatMap(columnsOf)) {
    if (choices[column.id] !== false)
      columnsById.set(column.id, [...(columnsById.get(column.id) ?? []), column])
  }
  return evaluations.map((evaluation) => {
    const { id, name, baseline_id } = evaluation
    const fields = [...columnsById.values()].map((columns) => exportedFields(columns, evaluation))
    return Object.assign({ id, name, baseline_id, errors: errorCount(evaluation) }, ...fields)
  })
}

/** `columns` are those of the sections with the same id: at most one of them has a value for the evaluation. */
function exportedFields([column, ...others]: readonly Column[], evaluation: Evaluation): ExportedRow {
  if (!column) return {}
  const { id, measure } = column
  if (!measure) return column.exported?.(evaluation) ?? {}
  const [value] = [column, ...others].flatMap((each) => each.measure?.measureIn(evaluation) ?? [])
  if (measure.unit === 'seconds') return { [id]: value?.value ?? null }
  // The change of cost is relative to the baseline.
  const changeName = id === 'cost' ? 'relative_delta.cost' : `delta.${id.replace(/^result\./, '')}`
  return { [id]: value?.value ?? null, [changeName]: value?.change?.difference ?? null }
}
