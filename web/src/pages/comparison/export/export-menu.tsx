// Export menu of the comparison page: saves all joined rows of the view, with full texts.
import { useQueryClient } from '@tanstack/react-query'
import { ExportMenu as SharedExportMenu } from '../../../export/export-menu.tsx'
import { type ComparisonState, comparisonNames } from '../page-state.ts'
import { comparisonQuery } from '../queries.ts'
import { classCounts, rowsInClass } from '../row-classes.ts'
import { estimatedSize, saveRows } from './export-rows.ts'

export function ExportMenu({ state }: { state: ComparisonState }) {
  const { query } = state
  const queryClient = useQueryClient()
  const classes = classCounts(state)
  const rows = classes && rowsInClass(classes, query.show)
  return (
    <SharedExportMenu
      rows={rows}
      estimate={(_format, signal) => estimatedSize(query, { rows: rows ?? 0, signal })}
      save={async (saving) => {
        const comparison = await queryClient.ensureQueryData(comparisonQuery(query))
        await saveRows(query, { ...comparisonNames(comparison), evaluations: query.evaluations }, saving)
      }}
    />
  )
}
