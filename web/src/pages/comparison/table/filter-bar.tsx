// The toolbar above the joined rows: classes, search, filters, sort order and display settings.

import { ArrowDownUp } from 'lucide'
import { BreakdownButton } from '../../../breakdown/breakdown-button.tsx'
import type { BreakdownState } from '../../../breakdown/breakdown-state.ts'
import styles from '../../../filters/row-toolbar.module.css'
import { RowToolbar } from '../../../filters/row-toolbar.tsx'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { currentOrder } from '../../../table/columns/sort-order.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Triangle } from '../../../ui/icon.tsx'
import { ChoiceMenu } from '../../../ui/menus/choice-menu.tsx'
import { lazyComponent } from '../../../ui/messages/lazy-component.tsx'
import { shortName, withFirstCandidate } from '../evaluation-links.ts'
import { type ComparisonState, isHigherBetter } from '../page-state.ts'
import { ReviewButton } from '../review/review-button.tsx'
import { classCounts, flakyFilter, pairNames, ROW_CLASSES, rowsInClass } from '../row-classes.ts'
import { CLASS_FILTERS, withEvaluations } from '../search-params.ts'
import { COLUMN_TYPES, useColumns } from './column-types.tsx'
import { defaultOrder, orderChoices } from './sort-order.ts'

const DisplaySettings = lazyComponent(
  async () => (await import('../../../table/display-settings.tsx')).DisplaySettings,
)

interface FilterBarProps {
  state: ComparisonState
  breakdown: BreakdownState
}

export function FilterBar({ state, breakdown }: FilterBarProps) {
  const { params, query, comparison } = state
  const columns = useColumns(state)
  const [baselineName] = pairNames(state)
  const evaluators = comparison?.candidates[0]?.evaluators ?? []
  return (
    <RowToolbar
      chips={<ClassChips state={state} />}
      filters={params.filters}
      removableFilters={query.filters.filter(
        ([name]) => name !== 'q' && name !== flakyFilter(state.evaluator ?? '')[0],
      )}
      filterNames={{ evaluators: evaluators.map(({ name }) => name), inputs: state.inputs, baselineName }}
      totalRows={totalOf(state)}
      actions={
        <>
          <ReviewButton state={state} />
          <BreakdownButton breakdown={breakdown} />
          <OrderMenu state={state} />
        </>
      }
      displaySettings={<DisplaySettings density={params.density} choice={columns} types={COLUMN_TYPES} />}
    />
  )
}

/** The number of rows without filters, once loaded. */
function totalOf({ comparison }: ComparisonState): number | undefined {
  const [evaluator] = comparison?.candidates[0]?.evaluators ?? []
  return evaluator && rowsInClass(evaluator.classes, 'all')
}

function OrderMenu({ state }: { state: ComparisonState }) {
  const { query, evaluator } = state
  const changeParams = useChangeSearchParams()
  const sortState = { ...query, evaluator, higherIsBetter: isHigherBetter(state, evaluator) }
  const usualOrder = defaultOrder(sortState)
  return (
    <ChoiceMenu
      title="Sort rows"
      icon={ArrowDownUp}
      variant="plain"
      value={currentOrder(query.order, usualOrder)}
      options={orderChoices(sortState, pairNames(state)).map(({ order, label }) => ({
        value: order,
        name: label,
      }))}
      onSelect={(order) => changeParams({ order: order === usualOrder ? undefined : order })}
    />
  )
}

/** Chips with the rows per class that select a class, and menus for the candidate and the evaluator. */
function ClassChips({ state }: { state: ComparisonState }) {
  const { params, comparison, hasRepeats } = state
  const changeParams = useChangeSearchParams()
  const classes = classCounts(state)
  const totalRows = totalOf(state)
  return (
    <div role="group" aria-label="Classes" className={styles.chips}>
      {comparison && <EvaluatorMenu state={state} />}
      {comparison && <CandidateMenu state={state} />}
      {CLASS_FILTERS.filter((show) => show !== 'unclear' || hasRepeats || params.show === show).map(
        (show) => {
          const { name, description, outcome } = ROW_CLASSES[show]
          return (
            <Chip
              key={show}
              data-tooltip={description}
              icon={outcome && <Triangle direction={outcome} />}
              count={classes && rowsInClass(classes, show)}
              total={show === 'all' ? totalRows : undefined}
              isPressed={params.show === show}
              onClick={() => changeParams({ show: show === 'regressed' ? undefined : show })}
            >
              {name}
            </Chip>
          )
        },
      )}
      {hasRepeats && <FlakyChip state={state} />}
    </div>
  )
}

/** Row classes are those of the first candidate; selecting another one moves it to the first position. */
function CandidateMenu({ state: { params, comparison } }: { state: ComparisonState }) {
  const changeParams = useChangeSearchParams()
  const [, firstCandidate, ...otherCandidates] = params.evaluations
  if (otherCandidates.length === 0) return null
  return (
    <ChoiceMenu
      title="Candidate of the classes"
      value={firstCandidate}
      options={params.evaluations.slice(1).map((id) => ({ value: id, name: shortName(comparison, id) }))}
      onSelect={(id) => changeParams(withEvaluations(withFirstCandidate(params.evaluations, id)))}
    />
  )
}

function EvaluatorMenu({ state: { params, comparison, evaluator } }: { state: ComparisonState }) {
  const changeParams = useChangeSearchParams()
  const evaluators = comparison?.candidates[0]?.evaluators ?? []
  if (evaluator === undefined || evaluators.length === 0) return null
  /** Also removes a sort order by the previous evaluator. */
  function selectEvaluator(name: string) {
    const isByEvaluator = /^(?:delta|result)\./.test(params.order ?? '')
    changeParams({ on: name, ...(isByEvaluator && { order: undefined }) })
  }
  return (
    <ChoiceMenu
      title="Evaluator of the classes"
      value={evaluator}
      options={evaluators.map(({ name }) => ({ value: name, name }))}
      onSelect={selectEvaluator}
    />
  )
}

/** The chip that filters by rows of the candidate that both pass and fail. */
function FlakyChip({ state }: { state: ComparisonState }) {
  const { params, comparison, evaluator = '' } = state
  const changeParams = useChangeSearchParams()
  const [candidate] = comparison?.candidates ?? []
  const isVerdict = candidate?.evaluators.some(({ name, is_verdict }) => name === evaluator && is_verdict)
  if (!candidate || !isVerdict) return null
  const [name, value] = flakyFilter(evaluator)
  const isPressed = params.filters.some((filter) => filter[0] === name && filter[1] === value)
  return (
    <Chip
      data-tooltip={`Rows of ${shortName(comparison, candidate.id)} that both pass and fail`}
      isPressed={isPressed}
      onClick={() => changeParams({ [name]: isPressed ? undefined : value })}
    >
      Flaky
    </Chip>
  )
}
