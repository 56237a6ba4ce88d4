// Export menu of the comparison page: saves all joined rows of the view, with full texts.
import { useQueryClient } from '@tanstack/react-query'
import { ExportMenu as SharedExportMenu } from '../../../export/export-menu.tsx'
import { type ComparisonState, comparisonNames } from '../page-state.ts'
import { comparisonQuery } from '../queries.ts'
import { classCounts, rowsInClass } from '../row-classes.ts'
import { readRows } from './export-rows.ts'

export function ExportMenu({ state }: { state: ComparisonState }) {
  const { query } = state
  const queryClient = useQueryClient()
  const classes = classCounts(state)
  return (
    <SharedExportMenu
      rows={classes && rowsInClass(classes, query.show)}
      name={['comparison', ...query.evaluations, query.show].join('-')}
      read={async function* (options) {
        const comparison = await queryClient.ensureQueryData(comparisonQuery(query))
        yield* readRows(query, { ...comparisonNames(comparison), evaluations: query.evaluations }, options)
      }}
    />
  )
}
