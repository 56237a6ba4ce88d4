// Empty state of the table: why the class has no rows, and buttons for the classes that have rows.
import type { ComparisonRows } from 'assay-client'
import { NoMatch, RemoveFilterButtons } from '../../../filters/no-match.tsx'
import { formatCount } from '../../../format/numbers.ts'
import type { Filter } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Button } from '../../../ui/button.tsx'
import { MessageBlock } from '../../../ui/messages/message-block.tsx'
import type { ComparisonState } from '../page-state.ts'
import { comparisonRows, type RowQuery } from '../queries.ts'
import { pairNames, ROW_CLASSES, rowsInClass } from '../row-classes.ts'
import { CLASS_FILTERS } from '../search-params.ts'

interface NoRowsProps {
  state: ComparisonState
  query: RowQuery
  response: ComparisonRows
}

export function NoRows({ state, query, response }: NoRowsProps) {
  const { filters } = query
  const removal = {
    filters,
    totalQuery: (remaining: Filter[]) => comparisonRows({ ...query, filters: remaining }).rowQuery(0),
  }
  if (filters.length > 0 && rowsInClass(response.classes, 'all') === 0) return <NoMatch {...removal} />
  return (
    <MessageBlock
      title={headline(state, query, response)}
      actions={
        <>
          <ClassButtons query={query} response={response} />
          <RemoveFilterButtons {...removal} />
        </>
      }
    >
      {response.on !== null && filters.length === 0 && <p>{outputSummary(state)}</p>}
    </MessageBlock>
  )
}

/** The classes that have rows. */
function ClassButtons({ query, response: { classes } }: Omit<NoRowsProps, 'state'>) {
  const changeParams = useChangeSearchParams()
  const otherClasses = CLASS_FILTERS.filter((show) => show !== query.show && rowsInClass(classes, show) > 0)
  return otherClasses.map((show) => (
    <Button
      key={show}
      // The button is removed together with the message, so move the focus to the search box.
      onClick={() => {
        document.querySelector<HTMLElement>('search input')?.focus()
        changeParams({ show: show === 'regressed' ? undefined : show })
      }}
    >
      {ROW_CLASSES[show].name} <span className="quiet">{formatCount(rowsInClass(classes, show))}</span>
    </Button>
  ))
}

function headline(
  state: ComparisonState,
  { show, filters }: RowQuery,
  { classes, on }: ComparisonRows,
): string {
  const [baseline, candidate] = pairNames(state)
  const filterClause = filters.length > 0 ? ' that matches the filters' : ''
  if (rowsInClass(classes, 'all') === 0) return `${baseline} and ${candidate} have no rows`
  if (show === 'missing') return `Every row${filterClause} is in both ${baseline} and ${candidate}`
  if (on === null) return `${baseline} and ${candidate} have no evaluators`
  if (show === 'regressed' || show === 'improved') {
    const isUnchanged = classes.regressed + classes.improved === 0
    return `No matched row${filterClause} ${isUnchanged ? 'changed' : show} on ${on}`
  }
  if (show === 'unclear')
    return `No matched row${filterClause} has repeats that differ without a clear change`
  if (show === 'same') return `No matched row${filterClause} has the same score on ${on} in both`
  return `Every matched row${filterClause} can be compared on ${on}`
}

/** "65,466 identical outputs, 34,222 changed." */
function outputSummary({ comparison }: ComparisonState): string {
  const candidate = comparison?.candidates[0]
  if (!candidate || candidate.matched === 0) return ''
  const { matched, outputs_changed } = candidate
  const identicalCount = matched - outputs_changed
  return `${formatCount(identicalCount)} identical ${identicalCount === 1 ? 'output' : 'outputs'}, ${formatCount(outputs_changed)} changed.`
}
