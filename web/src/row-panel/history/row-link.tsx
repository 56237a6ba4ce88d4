// A link to the row in another evaluation, in the same kind of view: a panel or a page.
import { Link, useParams } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useSharedSearch } from '../../state/search-params.ts'
import type { HistoryRow } from './points.ts'

interface RowLinkProps
  extends Pick<
    ComponentProps<'a'>,
    'className' | 'tabIndex' | 'onFocus' | 'children' | 'aria-current' | 'aria-describedby'
  > {
  row: HistoryRow
}

/** Keeps the text format, but no filters, order or baseline, which belong to the evaluation on the screen. */
export function RowLink({ row, ...props }: RowLinkProps) {
  const { evaluation_id: evaluationId, scenario_id: scenarioId } = row
  const { evaluationId: shownEvaluation, scenarioId: shownScenario } = useParams({ strict: false })
  const { as, on, density, cols } = useSharedSearch()
  // A comparison has other columns.
  const search = { as, on, density, cols: shownEvaluation === undefined ? undefined : cols }
  if (shownScenario === undefined) {
    return (
      <Link
        to="/evaluations/$evaluationId"
        params={{ evaluationId }}
        search={{ ...search, row: scenarioId }}
        {...props}
      />
    )
  }
  return (
    <Link
      to="/evaluations/$evaluationId/scenarios/$scenarioId"
      params={{ evaluationId, scenarioId }}
      search={search}
      {...props}
    />
  )
}
