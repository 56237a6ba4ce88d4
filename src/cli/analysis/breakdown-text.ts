// The text report of a breakdown: a table of all groups and, with a baseline, what changed.
import type { Breakdown, GroupStatistics } from '../../schema/analysis/breakdowns.ts'
import { MAX_WIDTH } from '../output/help-text.ts'
import { countOf, formatCount } from '../output/progress.ts'
import { formatMean, fractionDigits } from '../output/statistics.ts'
import { alignColumns, textWidth, truncateLine } from '../output/terminal-text.ts'
import { changeText, TEXT } from './change-report.ts'
import { formatLabel, labelOf, restLabel } from './group-labels.ts'
import { type Metric, metricsOf } from './metric-changes.ts'

const MAX_HEADING_LENGTH = 20
/** Space that is reserved for the names of groups. */
const LABEL_WIDTH = 24

export function breakdownText(breakdown: Breakdown): string {
  const { id, by, total, group_count, base } = breakdown
  const rows = groupRows(breakdown)
  const columns = metricsOf(breakdown)
    .filter((metric) => metric.read(total).n > 0)
    .map((metric) => ({ metric, cells: metricCells(metric, rows) }))
  const firstCells = [
    [TEXT.name(by), 'rows', 'failed'],
    ...rows.map(([label, { rows, output_errors }]) => [label, formatCount(rows), formatCount(output_errors)]),
  ]
  const { shown, hiddenCount } = fitColumns(firstCells, columns)
  // The last column is left-aligned, so an empty one follows.
  const table = firstCells.map((cells, row) => [...cells, ...shown.map(({ cells }) => cells[row] ?? ''), ''])
  const hidden =
    hiddenCount === 0 ? [] : [`${countOf(hiddenCount, 'evaluator')} did not fit. Use --json for all.`]
  const matched = base
    ? `, ${formatCount(base.matched)} matched with ${TEXT.name(base.id)} by ${base.by}`
    : ''
  return [
    `${TEXT.name(id)} by ${TEXT.name(by)}: ${countOf(total.rows, 'row')} in ${countOf(group_count, 'group')}${matched}.`,
    '',
    ...alignColumns(table, MAX_WIDTH),
    ...hidden,
    ...(base ? ['', ...changeText(breakdown)] : []),
    '',
  ].join('\n')
}

type LabeledStatistics = [label: string, statistics: GroupStatistics]

function groupRows(breakdown: Breakdown): LabeledStatistics[] {
  const { groups, rest, total } = breakdown
  return [
    ...groups.map((group): LabeledStatistics => [formatLabel(labelOf(breakdown, group), TEXT), group]),
    ...(rest ? [[restLabel(breakdown).text, rest] as LabeledStatistics] : []),
    ['(all rows)', total],
  ]
}

/** The heading, and one cell per row. All rows have the decimal places of the largest mean. */
function metricCells(metric: Metric, rows: LabeledStatistics[]): string[] {
  const means = rows.map(([, statistics]) => metric.read(statistics).mean)
  const digits = fractionDigits(means, metric.unit)
  const heading = metric.isEvaluator ? truncateLine(metric.name, MAX_HEADING_LENGTH) : metric.name
  return [heading, ...means.map((mean) => formatMean(mean, metric.unit, digits))]
}

interface Column {
  metric: Metric
  cells: string[]
}

/** As many evaluators as fit in a line, at least one, and always cost and latency. */
function fitColumns(firstCells: string[][], columns: Column[]): { shown: Column[]; hiddenCount: number } {
  const widthOf = (cells: string[]) => 2 + Math.max(...cells.map(textWidth))
  const columnWidths = (firstCells[0] ?? []).map((_, column) =>
    widthOf(firstCells.map((row) => row[column] ?? '')),
  )
  const [labelWidth = 0, ...countWidths] = columnWidths
  let width = Math.min(labelWidth, LABEL_WIDTH) + countWidths.reduce((sum, next) => sum + next, 0)
  const others = columns.filter(({ metric }) => !metric.isEvaluator)
  for (const { cells } of others) width += widthOf(cells)
  const evaluators = columns.filter(({ metric }) => metric.isEvaluator)
  const fitting = evaluators.filter(({ cells }, index) => {
    width += widthOf(cells)
    return width <= MAX_WIDTH || index === 0
  })
  return { shown: [...fitting, ...others], hiddenCount: evaluators.length - fitting.length }
}
