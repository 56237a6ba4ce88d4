// Rows × evaluations as a heat map: which row passes in which evaluation, the rows that differ the most first.
import { useNavigate } from '@tanstack/react-router'
import type { Leaderboard, LeaderboardRows } from 'assay-client'
import { useMemo } from 'react'
import { shortNames } from '../../../navigation/short-names.ts'
import { formatMeasure } from '../../../results/measures.ts'
import { usePreference } from '../../../state/preferences.ts'
import { DENSITIES } from '../../../state/row-params.ts'
import { oneOf } from '../../../state/search-params.ts'
import { columnsOf } from '../../../table/columns/column-type.ts'
import { RowsTable } from '../../../table/rows-table.tsx'
import { type DisplayedRows, TableSection } from '../../../table/table-section.tsx'
import { useIsNarrow } from '../../../ui/media.ts'
import { MessageBlock } from '../../../ui/messages/message-block.tsx'
import { type HeatRow, heatRows } from '../queries.ts'
import { scoreFormat, scoreUnit } from '../scores.ts'
import type { LeaderboardParams, RankingQuery } from '../search-params.ts'
import { COLUMN_TYPES, type HeatContext, MAX_INPUTS } from './column-types.tsx'

interface RowsViewProps {
  params: LeaderboardParams
  leaderboard: Leaderboard
}

type Displayed = DisplayedRows<RankingQuery, HeatRow, HeatRow, LeaderboardRows>

export function RowsView({ params, leaderboard }: RowsViewProps) {
  return (
    <TableSection
      query={params.query}
      sourceOf={heatRows}
      isReady
      scenarios={Math.max(...leaderboard.evaluations.map(({ row_count }) => row_count))}
      orderLabel={() => 'the largest differences first'}
      renderTable={(displayed, isBusy) => (
        <HeatMap params={params} leaderboard={leaderboard} displayed={displayed} isBusy={isBusy} />
      )}
      renderEmpty={() => <MessageBlock title="These evaluations have no rows" />}
    />
  )
}

interface HeatMapProps extends RowsViewProps {
  displayed: Displayed
  isBusy: boolean
}

function HeatMap({ params, leaderboard, displayed, isBusy }: HeatMapProps) {
  const { first, source } = displayed
  const navigate = useNavigate()
  const context = useHeatContext(params, leaderboard, first)
  const isNarrow = useIsNarrow()
  const inputs = useMemo(() => shownInputs(first.rows, isNarrow ? 1 : MAX_INPUTS), [first.rows, isNarrow])
  const columns = useMemo(
    () => columnsOf(COLUMN_TYPES, { inputs, runs: context.runs }),
    [inputs, context.runs],
  )
  const density = oneOf(DENSITIES)(usePreference('density') ?? '') ?? 'default'
  /** Opens the row in the evaluation of a column, or in the best one that has it. */
  function open({ cells }: HeatRow, column: number | undefined): void {
    const candidates = [...(column === undefined ? [] : [column]), ...context.runs.map(({ cell }) => cell)]
    for (const index of candidates) {
      const evaluationId = first.evaluations[index]
      const scenario = cells[index]?.scenario
      if (evaluationId === undefined || !scenario) continue
      void navigate({
        to: '/evaluations/$evaluationId',
        params: { evaluationId },
        search: { row: scenario, on: leaderboard.on },
      })
      return
    }
  }
  return (
    <RowsTable
      source={source}
      total={first.total}
      scenarios={first.total}
      isBusy={isBusy}
      types={COLUMN_TYPES}
      columns={columns}
      context={context}
      rowNumber={({ row }) => row.position + 1}
      density={density}
      headerHeight={48}
      onOpen={(row, column) => open(row, column?.evaluationIndex)}
      footer={() => ', the largest differences first'}
    />
  )
}

/** In the order of the ranks, or of a variant in the order of time: then a row of the map is a history. */
function useHeatContext(
  { variantId }: LeaderboardParams,
  leaderboard: Leaderboard,
  { evaluations: ids, rows, is_verdict }: LeaderboardRows,
): HeatContext {
  return useMemo(() => {
    const names = shortNames(leaderboard.evaluations)
    const { format } = scoreFormat(leaderboard)
    const ranked =
      variantId === undefined
        ? leaderboard.evaluations
        : leaderboard.evaluations.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
    const runs = ranked.flatMap(({ id, mean }) => {
      const cell = ids.indexOf(id)
      if (cell === -1) return []
      return { cell, name: names.get(id) ?? id, mean: mean === null ? undefined : format(mean) }
    })
    const scores = rows.flatMap(({ cells }) => cells.flatMap(({ score }) => score ?? []))
    return {
      output: 1,
      runs,
      isVerdict: is_verdict,
      hasNumbers: !is_verdict,
      format: (score) => formatMeasure(scoreUnit(leaderboard), score),
      range: [Math.min(...scores), Math.max(...scores)],
    }
  }, [variantId, leaderboard, ids, rows, is_verdict])
}

/** The longest text tells rows apart. Structured values would take its space. */
function shownInputs(rows: readonly HeatRow[], most: number): string[] {
  const inputs = rows.flatMap(({ row }) => row.inputs)
  const names = [...new Set(inputs.map(({ name }) => name))]
  const structured = new Set(inputs.flatMap(({ name, value }) => (typeof value === 'object' ? name : [])))
  const texts = names.filter((name) => !structured.has(name))
  const candidates = texts.length > 0 ? texts : names
  const lengthOf = (input: string) =>
    inputs.reduce((sum, { name, value }) => sum + (name === input ? String(value).length : 0), 0)
  const [longest] = candidates.toSorted((a, b) => lengthOf(b) - lengthOf(a))
  const others = candidates.filter((name) => name !== longest).slice(0, most - 1)
  return candidates.filter((name) => name === longest || others.includes(name))
}
