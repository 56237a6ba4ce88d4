// What the export of the page contains: the filtered rows.
import { lazyModule } from '../../../api/lazy-modules.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import type { ExportedRows } from '../../../export/exported-rows.ts'
import { rowCount } from '../filters/state-filter.ts'

const loadReader = lazyModule(() => import('./export-rows.ts'))

export function exportedRows(pageState: EvaluationState): ExportedRows {
  const { id, query } = pageState
  return {
    rows: rowCount(pageState),
    name: query.filters.length > 0 ? `${id}-filtered` : id,
    async *read(options) {
      const { readRows } = await loadReader()
      yield* readRows(id, query, options)
    },
  }
}
