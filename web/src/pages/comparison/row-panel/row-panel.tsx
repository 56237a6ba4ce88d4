// The content of the panel with one row of a comparison: inputs, expected answers, outputs, results and history.
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { isUnreachable } from '../../../api/client.ts'
import { LayoutSwitches, useLayoutPreferences } from '../../../content/text-layout.tsx'
import { RowHistory } from '../../../row-panel/history/row-history.tsx'
import { PanelError, RowSkeleton } from '../../../row-panel/panel-content.tsx'
import { PanelHeader } from '../../../row-panel/panel-header.tsx'
import { useRowNavigation } from '../../../row-panel/row-navigation.ts'
import shared from '../../../row-panel/row-panel.module.css'
import { ShareMenu } from '../../../share/share-menu.tsx'
import { viewLink } from '../../../share/view-link.ts'
import { TEXT_FORMATS, withoutFilters } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Triangle } from '../../../ui/icon.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import type { ComparisonState } from '../page-state.ts'
import { comparisonRows, type RowQuery, regressionsIn, viewCall } from '../queries.ts'
import { ROW_CLASSES } from '../row-classes.ts'
import { hasRepeats, type RowData, type SelectedRepeats, scenarioIds, useRowData } from '../row-data.ts'
import { type RowRef, rowSearchParams } from '../search-params.ts'
import { Outputs } from './outputs.tsx'
import { Repeats } from './repeats.tsx'
import { RowResults } from './results.tsx'
import styles from './row-panel.module.css'
import { RowSummary } from './row-summary.tsx'
import { PanelValues } from './values.tsx'

const NO_REPEATS: SelectedRepeats = {}

export function RowPanel({ state, row }: { state: ComparisonState; row: RowRef }) {
  const changeParams = useChangeSearchParams()
  const { query, params } = state
  const navigation = useRowNavigation({
    source: comparisonRows(query),
    // A query without names needs no check against those of the comparison.
    isReady: state.comparison !== undefined || !hasNames(query),
    row,
    // Replaces the history entry, so that Back closes the panel instead of stepping through the rows.
    open: (rowRef) => changeParams(rowSearchParams(rowRef), { replace: true }),
    scenariosOf: (joinedRow) =>
      scenarioIds(joinedRow).flatMap((id, index): [string, string][] =>
        id === null ? [] : [[query.evaluations[index] ?? '', id]],
      ),
    matchName: 'regression',
    loadMatches: async () => regressionsIn(query),
  })
  const search = useSearch({ from: '/compare' })
  const [selection, setSelection] = useState<{ row: RowRef; repeats: SelectedRepeats }>({ row, repeats: {} })
  // Another row starts with its first repeats.
  const isSameRow = selection.row.id === row.id && selection.row.side === row.side
  const repeats = isSameRow ? selection.repeats : NO_REPEATS
  const { rowData, error, failureReason } = useRowData(state, row, navigation.position, repeats)
  const failure = navigation.error ?? error
  const close = () => changeParams(rowSearchParams(undefined))
  return (
    <div className={shared.scenario} aria-busy={rowData?.isStale ?? true}>
      <PanelHeader
        navigation={navigation}
        number={rowData && !rowData.isStale ? rowNumber(rowData) : undefined}
        id={row.id}
        isLoading={rowData === undefined}
        noun="row"
        matchName="regression"
        onShowAll={() => changeParams({ ...withoutFilters(params.filters), show: 'all' })}
        onClose={close}
      >
        <ShareMenu
          link={() => viewLink(location.origin + location.pathname, search, params)}
          confined_to={{ comparison: params.evaluations }}
          call={viewCall({ ...query, on: state.evaluator }, params.row)}
          layer="panel"
          variant="plain"
          isIconOnly
        />
      </PanelHeader>
      {failure && !isUnreachable(failure) ? (
        <PanelError error={failure} onClose={close} />
      ) : rowData ? (
        <Row
          state={state}
          rowData={rowData}
          onSelectRepeat={(index, id) => setSelection({ row, repeats: { ...repeats, [index]: id } })}
        />
      ) : (
        <RowSkeleton failure={navigation.failureReason ?? failureReason} />
      )}
    </div>
  )
}

function hasNames({ filters, order, on }: RowQuery): boolean {
  return filters.length > 0 || order !== undefined || on !== undefined
}

/** In the baseline, or in the first candidate if the baseline does not have the row. */
function rowNumber({ row: { base, candidates } }: RowData): number | undefined {
  const position = base?.position ?? candidates[0]?.row?.position
  return position === undefined ? undefined : position + 1
}

interface RowProps {
  state: ComparisonState
  rowData: RowData
  onSelectRepeat: (evaluationIndex: number, scenario: string) => void
}

function Row({ state, rowData, onSelectRepeat }: RowProps) {
  const { params, comparison, evaluator } = state
  const { pair, textFormat } = params
  const layout = useLayoutPreferences()
  const { baseline, candidates, row } = rowData
  const selectedCandidates = pair === 'all' ? candidates : candidates.slice(pair - 1, pair)
  if (!comparison) return null
  // A row that only the baseline has, has the history of the baseline.
  const historyRow = [...selectedCandidates, baseline].find(({ scenario }) => scenario)
  const values = { evaluationRows: [baseline, ...candidates], textFormat, isWrapped: layout.isWrapped }
  return (
    <>
      <RowSummary
        rowData={rowData}
        comparison={comparison}
        selectedCandidates={selectedCandidates}
        evaluator={evaluator}
      />
      <section
        key={`${row.base?.id} ${row.candidates[0]?.row?.id}`}
        aria-label="Content of the row"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: makes long content scrollable with the keyboard
        tabIndex={0}
        className={`${rowData.isStale ? shared.stale : shared.body} ${styles.content}`}
      >
        <PanelValues kind="Input" {...values} />
        <PanelValues kind="Expected" {...values} />
        <section className={styles.outputsSection} aria-labelledby="row-outputs">
          <div className={styles.outputsHeader}>
            <h3 id="row-outputs">Outputs</h3>
            <CandidatePicker rowData={rowData} pair={pair} />
            <LayoutSwitches
              formats={TEXT_FORMATS}
              textFormat={textFormat}
              layout={layout}
              hasSplit={pair !== 'all'}
            />
          </div>
          {hasRepeats(row) && (
            <Repeats
              state={state}
              rowData={rowData}
              selectedCandidates={selectedCandidates}
              onSelect={onSelectRepeat}
            />
          )}
          <div className={pair === 'all' ? styles.box : `${styles.box} ${styles.withSide}`}>
            <div className={styles.outputs}>
              <Outputs
                evaluationRows={[baseline, ...selectedCandidates]}
                output={params.output}
                textFormat={textFormat}
                layout={layout}
              />
            </div>
            <RowResults
              query={state.query}
              baseline={baseline}
              candidates={selectedCandidates}
              comparison={comparison}
            />
          </div>
        </section>
        {historyRow?.scenario && (
          <div className={styles.history}>
            <RowHistory evaluationId={historyRow.comparedEvaluation.id} scenarioId={historyRow.scenario.id} />
          </div>
        )}
      </section>
    </>
  )
}

/** Number of a candidate, from 1. */
type Pair = number | 'all'

interface CandidatePickerProps {
  rowData: RowData
  pair: Pair
}

/** Selects what the row panel compares: the baseline and one candidate, or all evaluations. Hidden if there is only one candidate. */
function CandidatePicker({ rowData, pair }: CandidatePickerProps) {
  const { baseline, candidates, row } = rowData
  const changeParams = useChangeSearchParams()
  const select = (next: Pair) => changeParams({ pair: next === 1 ? undefined : next }, { replace: true })
  const hasChoice = candidates.length > 1
  const shortcuts = candidates.map(({ shortName }, index) => [
    index + 1,
    { label: `Compare with ${shortName}`, run: () => select(index + 1) },
  ])
  useShortcuts(
    'panel',
    hasChoice
      ? Object.fromEntries([
          ...shortcuts,
          [0, { label: 'Show all evaluations side by side', run: () => select('all') }],
        ])
      : {},
  )
  if (!hasChoice) return null
  return (
    <Segments
      label={`Candidate compared with ${baseline.name}`}
      value={String(pair)}
      options={[
        ...candidates.map(({ name, shortName }, index) => {
          const { outcome } = ROW_CLASSES[row.candidates[index]?.class ?? 'missing']
          return {
            value: String(index + 1),
            title: `${name}: ${row.candidates[index]?.class} (${index + 1})`,
            label: (
              <span className={styles.candidate}>
                <bdi>{shortName}</bdi>
                {outcome && <Triangle direction={outcome} />}
                <span className="sr-only">{row.candidates[index]?.class}</span>
              </span>
            ),
          }
        }),
        { value: 'all', title: 'All evaluations side by side (0)', label: 'All' },
      ]}
      onChange={(value) => select(value === 'all' ? value : Number(value))}
    />
  )
}
