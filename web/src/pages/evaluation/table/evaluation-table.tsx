// The table of an evaluation's rows.
import { useQueryClient } from '@tanstack/react-query'
import { AssayError, type EvaluationRows } from 'assay-client'
import { ChevronDown, MessageSquareText, Pin } from 'lucide'
import { Suspense, useMemo, useState } from 'react'
import { useCanWrite } from '../../../api/key.ts'
import { failureFilter, failuresIn, isFailure } from '../../../evaluation-state/next-failure.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { setPendingFocus, takePendingFocus } from '../../../evaluation-state/pending-focus.ts'
import { NoMatch } from '../../../filters/no-match.tsx'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { evaluationRows, type RowQuery } from '../../../queries/evaluations.ts'
import { markScenario } from '../../../queries/scenarios.ts'
import type { Row } from '../../../results/cells.ts'
import { useEvaluatorDisplays } from '../../../results/evaluator-display.ts'
import { SERVICE_URL } from '../../../state/base-path.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { useLastDefined, useStable } from '../../../state/stable-values.ts'
import { useCellFilter } from '../../../table/columns/cell-filter.ts'
import { useVaryingColumns } from '../../../table/columns/column-choice.ts'
import { currentOrder, orderLabel } from '../../../table/columns/sort-order.ts'
import styles from '../../../table/header.module.css'
import { RowsTable } from '../../../table/rows-table.tsx'
import tableStyles from '../../../table/table.module.css'
import { type DisplayedRows, TableSection } from '../../../table/table-section.tsx'
import type { RowShortcuts } from '../../../table/table-shortcuts.ts'
import type { FollowedRows } from '../../../table/table-state.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useIsNarrow } from '../../../ui/media.ts'
import { Menu } from '../../../ui/menus/menu.tsx'
import { lazyComponent } from '../../../ui/messages/lazy-component.tsx'
import { Loading } from '../../../ui/messages/loading.tsx'
import { MessageBlock } from '../../../ui/messages/message-block.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'
import { COLUMN_TYPES, useColumns } from './column-types.tsx'
import { type EvaluationContext, namesIn } from './context.ts'
import noRowsStyles from './no-rows.module.css'

const ColumnMenu = lazyComponent(async () => (await import('./column-menu.tsx')).ColumnMenu)

export function EvaluationTable({ pageState }: { pageState: EvaluationState }) {
  const { id, query, evaluation } = pageState
  const scenarios = evaluation?.scenario_count
  return (
    <TableSection
      query={query}
      sourceOf={(displayedQuery) => evaluationRows(id, displayedQuery)}
      // The baseline is only known when the evaluation is loaded.
      isReady={evaluation !== undefined}
      version={pageState.version}
      scenarios={scenarios}
      displayedError={pageState.error}
      orderLabel={(displayed) => orderLabel(displayed.query.order)}
      renderTable={(displayed, isBusy, followed) => (
        <LoadedRows pageState={pageState} displayed={displayed} isBusy={isBusy} followed={followed} />
      )}
      renderEmpty={({ query: { filters, base, group } }) =>
        scenarios === 0 ? (
          <NoRows id={id} />
        ) : (
          <NoMatch
            filters={filters}
            totalQuery={(remaining) => evaluationRows(id, { filters: remaining, base, group }).rowQuery(0)}
          />
        )
      }
    />
  )
}

interface LoadedRowsProps {
  pageState: EvaluationState
  displayed: DisplayedRows<RowQuery, Row, string, EvaluationRows>
  isBusy: boolean
  followed: FollowedRows
}

function LoadedRows({ pageState, displayed, isBusy, followed }: LoadedRowsProps) {
  const { id, evaluation, params, baselineId, activeEvaluator, isGrouped } = pageState
  const { source, first } = displayed
  const names = useMemo(() => namesIn(first.rows), [first])
  const choice = useColumns(pageState, names)
  const visibleColumns = useVaryingColumns(choice.chosenColumns, displayed.query.filters)
  const summary = useLastDefined(pageState.summary)
  const displays = useEvaluatorDisplays(summary?.evaluators ?? evaluation?.evaluators ?? [], first.rows)
  const query = useStable(pageState.query)
  const { output } = params
  const isNarrow = useIsNarrow()
  const context = useMemo(
    (): EvaluationContext => ({
      id,
      evaluation,
      query,
      baselineId,
      activeEvaluator,
      isGrouped,
      summary,
      displays,
      output,
      isNarrow,
    }),
    [id, evaluation, query, baselineId, activeEvaluator, isGrouped, summary, displays, output, isNarrow],
  )
  const changeParams = useChangeSearchParams()
  const rowShortcuts = { ...useRowShortcuts(id), ...useCellFilter(visibleColumns, (row: Row) => row) }
  useGroupShortcut(pageState)
  // Returning from a scenario page focuses its row.
  const [pendingRow, setPendingRow] = useState(() => takePendingFocus('row'))
  const scenarios = evaluation?.scenario_count ?? first.total
  const rowCount = pageState.rowCount ?? first.total
  const failure = summary && failureFilter(summary, activeEvaluator)
  return (
    <RowsTable
      source={source}
      total={first.total}
      followed={followed}
      scenarios={scenarios}
      isBusy={isBusy}
      types={COLUMN_TYPES}
      columns={visibleColumns}
      context={context}
      columnMenu={(column) => (
        <Menu
          label={`Column ${column.name}`}
          icon={ChevronDown}
          isIconOnly
          variant="plain"
          size="small"
          className={styles.menuButton}
        >
          <Suspense fallback={<Loading />}>
            <ColumnMenu column={column} choice={choice} context={context} />
          </Suspense>
        </Menu>
      )}
      rowNumber={rowNumber}
      density={params.density}
      headerHeight={48}
      onResize={choice.resize}
      order={currentOrder(query.order, 'position')}
      defaultOrder="position"
      openRow={params.row}
      onOpen={(row) => changeParams({ row })}
      pendingRow={pendingRow}
      onFound={() => setPendingRow(undefined)}
      match={{
        noun: 'failure',
        isMatch: failure && ((row) => isFailure(row, failure, displays[activeEvaluator ?? ''])),
        matches: failure && failuresIn(id, displayed.query, failure),
      }}
      rowShortcuts={rowShortcuts}
      numberedRows={{ evaluation: id, refOf: (scenario) => scenario }}
      keyHints={
        pageState.hasRepeats && (
          <span>
            <kbd>g</kbd> {isGrouped ? 'ungroup' : 'group'} repeats
          </span>
        )
      }
      footer={(total) =>
        displayed.query.filters.length > 0 &&
        total < rowCount &&
        `, filtered from ${formatCount(rowCount)}${statisticsLabel(pageState)}`
      }
    />
  )
}

/** The selected state does not filter the statistics, but all other filters do. */
function statisticsLabel({ summary, isGrouped }: EvaluationState): string {
  if (!summary || summary.matched === summary.scenario_count) return ''
  return ` · statistics of ${pluralize(isGrouped ? summary.rows : summary.matched, 'row')}`
}

/** Groups the repeats of a row, or lists each of them. */
function useGroupShortcut({ hasRepeats, isGrouped }: EvaluationState): void {
  const changeParams = useChangeSearchParams()
  const label = isGrouped ? 'Ungroup repeats' : 'Group repeats'
  const run = () => changeParams({ group: isGrouped ? 'none' : undefined })
  useShortcuts('page', hasRepeats ? { g: { label, run } } : {})
}

/** Pins the current row or opens its note. None for keys without the write scope. */
function useRowShortcuts(evaluation: string): RowShortcuts<Row> {
  const queryClient = useQueryClient()
  if (!useCanWrite()) return {}
  return {
    p: {
      label: 'Pin or unpin row',
      run: async ({ id, is_pinned }) => {
        try {
          await markScenario(queryClient, evaluation, id, { is_pinned: !is_pinned })
          toast(is_pinned ? 'Unpinned.' : 'Pinned.')
        } catch (error) {
          toast(error instanceof AssayError ? error.detail : 'Could not save the pin.')
        }
      },
    },
    e: {
      label: 'Edit note of row',
      run: ({ id }, open) => {
        setPendingFocus('note', id)
        open()
      },
    },
  }
}

function NoRows({ id }: { id: string }) {
  const path = `/api/evaluations/${encodeURIComponent(id)}/evaluation_scenarios`
  const command = `curl -H "Authorization: Bearer $ASSAY_KEY" -H 'Content-Type: application/json' \\
  --data '[{"inputs": [{"name": "question", "type": "text", "value": "What is the capital of Chad?"}],
            "outputs": [{"result": {"type": "text", "value": "N\\u0027Djamena"}}],
            "results": [{"evaluator_config": "exact_match", "result": {"type": "bool", "value": true}}]}]' \\
  '${SERVICE_URL}${path}'`
  return (
    <MessageBlock title="No rows yet" actions={<CopyButton text={command}>Copy</CopyButton>}>
      <p>Add a row with this command. Set ASSAY_KEY to a key with the write scope.</p>
      <pre className={noRowsStyles.command}>{command}</pre>
    </MessageBlock>
  )
}

function rowNumber({ note, is_pinned, position }: Row) {
  const number = position + 1
  if (!note && !is_pinned) return number
  return (
    <>
      <span className={tableStyles.marks}>
        {note && (
          <span data-tooltip={note.length > 300 ? `${note.slice(0, 300)}…` : note}>
            <Icon icon={MessageSquareText} size={12} />
            <span className="sr-only">note</span>
          </span>
        )}
        {is_pinned && (
          <span data-tooltip="Pinned">
            <Icon icon={Pin} size={12} />
            <span className="sr-only">pinned</span>
          </span>
        )}
      </span>{' '}
      {number}
    </>
  )
}
