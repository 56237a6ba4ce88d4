// Reads the filtered rows for an export.
import { assay } from '../../../api/client.ts'
import type { ReadOptions } from '../../../export/save-rows.ts'
import type { RowQuery } from '../../../queries/evaluations.ts'
import { scenarioParams } from '../../../queries/rows-call.ts'

export async function* readRows(
  id: string,
  query: RowQuery,
  { format, isExcelSafe, limit, signal }: ReadOptions,
) {
  const params = {
    ...scenarioParams(query),
    ...(isExcelSafe && { csv: 'excel' as const }),
    ...(limit !== undefined && { limit }),
  }
  const response = await assay.exportScenarios(id, params, format, { signal })
  if (!response.body) throw new Error('The response has no content.')
  // Not every browser supports `for await` on a stream.
  const reader = response.body.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
}
