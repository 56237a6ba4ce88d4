// What the export of the comparison page contains: all joined rows of the view, with full texts.
import { useQueryClient } from '@tanstack/react-query'
import { lazyModule } from '../../../api/lazy-modules.ts'
import type { ExportedRows } from '../../../export/save-rows.ts'
import { type ComparisonState, comparisonNames } from '../page-state.ts'
import { comparisonQuery } from '../queries.ts'
import { classCounts, rowsInClass } from '../row-classes.ts'

const loadReader = lazyModule(() => import('./export-rows.ts'))

export function useExportedRows(state: ComparisonState): ExportedRows {
  const { query } = state
  const queryClient = useQueryClient()
  const classes = classCounts(state)
  return {
    rows: classes && rowsInClass(classes, query.show),
    name: ['comparison', ...query.evaluations, query.show].join('-'),
    async *read(options) {
      const { readRows } = await loadReader()
      const comparison = await queryClient.ensureQueryData(comparisonQuery(query))
      yield* readRows(query, { ...comparisonNames(comparison), evaluations: query.evaluations }, options)
    },
  }
}
