// What the export of the page contains: the filtered rows.
import { assay } from '../../../api/client.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import type { ExportedRows } from '../../../export/save-rows.ts'
import { scenarioParams } from '../../../queries/rows-call.ts'
import { rowCount } from '../filters/state-filter.ts'

export function exportedRows(pageState: EvaluationState): ExportedRows {
  const { id, query } = pageState
  return {
    rows: rowCount(pageState),
    name: query.filters.length > 0 ? `${id}-filtered` : id,
    async *read({ format, isExcelSafe, limit, signal }) {
      const params = {
        ...scenarioParams(query),
        ...(isExcelSafe && { csv: 'excel' as const }),
        ...(limit !== undefined && { limit }),
      }
      const { body } = await assay.exportScenarios(id, params, format, { signal })
      if (!body) throw new Error('The response has no content.')
      // Not every browser supports `for await` on a stream.
      const reader = body.getReader()
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
    },
  }
}
