// Empty state of the table: why the class has no rows, and buttons for the classes that have rows.
import type { ComparisonRows } from 'assay-client'
import styles from '../../../filters/filters.module.css'
import { NoMatch } from '../../../filters/no-match.tsx'
import { formatCount } from '../../../format/numbers.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
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
  const isFiltered = filters.length > 0
  const hasFilteredRows = rowsInClass(response.classes, 'all') > 0
  return (
    <>
      {(!isFiltered || hasFilteredRows) && <NoneInClass state={state} query={query} response={response} />}
      {isFiltered && (
        <NoMatch
          filters={filters}
          hidesHeading={hasFilteredRows}
          totalQuery={(remainingFilters) =>
            comparisonRows({ ...query, filters: remainingFilters }).rowQuery(0)
          }
        />
      )}
    </>
  )
}

function NoneInClass({ state, query, response }: NoRowsProps) {
  const changeParams = useChangeSearchParams()
  const { classes, on } = response
  const otherClasses = CLASS_FILTERS.filter((show) => show !== query.show && rowsInClass(classes, show) > 0)
  return (
    <>
      <h2>{headline(state, query, response)}</h2>
      {on !== null && query.filters.length === 0 && <p>{outputSummary(state)}</p>}
      {otherClasses.length > 0 && (
        <ul aria-label="Classes with rows" className={styles.removeButtons}>
          {otherClasses.map((show) => (
            <li key={show}>
              <button
                type="button"
                // The button is removed together with the message, so move the focus to the search box.
                onClick={() => {
                  document.querySelector<HTMLElement>('search input')?.focus()
                  changeParams({ show: show === 'regressed' ? undefined : show })
                }}
              >
                {ROW_CLASSES[show].name}{' '}
                <span className={styles.rows}>{formatCount(rowsInClass(classes, show))}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
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
