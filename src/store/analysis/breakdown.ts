// Breaks an evaluation down into groups of rows: by an input, by the result of an evaluator, or by the error of the output.
import { Problem } from '../../errors.ts'
import { toStorableText } from '../../json/storable-text.ts'
import {
  type GroupKey,
  type GroupOrder,
  isNamedOrder,
  MOST_ROWS_FIRST,
  needsBaseline,
} from '../../schema/analysis/breakdown-query.ts'
import type { Breakdown, GroupStatistics } from '../../schema/analysis/breakdowns.ts'
import type { RowFilter } from '../../schema/filters/filters.ts'
import { BY_POSITION } from '../../schema/filters/orders.ts'
import { toSummaryBaseline } from '../compare/baseline-summary.ts'
import type { ComparisonCache } from '../compare/comparison-cache.ts'
import type { Side } from '../compare/sides.ts'
import { openSide, openView, type ViewEvaluations } from '../compare/view-with-baseline.ts'
import type { Connection } from '../dialect/dialect.ts'
import { DEFAULT_EVALUATOR } from '../evaluations/evaluators.ts'
import { getOrdinal } from '../query/filters.ts'
import { readScenarioIds } from '../reads/scenario-ids.ts'
import { computeGroupStatistics } from './group-statistics.ts'
import { readGroupValues } from './group-values.ts'
import { type ListedGroup, listGroups } from './listed-groups.ts'
import { openGroups } from './row-groups.ts'

export interface BreakdownOptions {
  by: GroupKey
  filters: RowFilter[]
  order?: GroupOrder
}

/**
 * Checks the options and returns a function that reads the breakdown as JSON text. Throws invalid-request if they name
 * something that the evaluations do not have.
 */
export async function openBreakdown(
  connection: Connection,
  evaluations: ViewEvaluations,
  { by, filters, order = MOST_ROWS_FIRST }: BreakdownOptions,
  cache: ComparisonCache,
): Promise<() => Promise<string>> {
  if (needsBaseline(order) && !evaluations.baseline)
    throw new Problem('invalid-request', `The order '${order.by}' needs a baseline. Name it with 'base'.`)
  const viewOptions = { filters, order: BY_POSITION }
  const { view, baseline, chosen } = await openView(connection, evaluations, viewOptions, cache)
  const { columns, side } = await openSide(connection, evaluations.evaluation, baseline, cache)
  const readGroups = openGroups(columns, side, by)
  if (isNamedOrder(order)) getOrdinal(side.ordinals, order.name, 'evaluator')
  return async () => {
    const groups = await readGroups()
    const isSelected = await columns.markRows(side, view.condition)
    const { groupCount, listed, grouped } = listGroups(side, groups, isSelected)
    const { groups: statistics, total } = await computeGroupStatistics(columns, side, grouped, baseline)
    const rest = statistics[listed.length] ?? null
    const sorted = sortGroups(
      listed.map((group, index) => ({ group, statistics: statistics[index] as GroupStatistics })),
      order,
    )
    const texts = await formatGroups(connection, side, by, sorted)
    const header = {
      id: side.info.id,
      by: by.field === 'error' ? by.field : `${by.field}.${by.name}`,
      evaluators: describeEvaluators(side),
      ...(baseline && { base: await toSummaryBaseline(baseline, chosen) }),
      total,
      group_count: groupCount,
    } satisfies Omit<Breakdown, 'groups' | 'rest'>
    return `${JSON.stringify(header).slice(0, -1)},"groups":[${texts.join(',')}],"rest":${JSON.stringify(rest)}}`
  }
}

function describeEvaluators({ evaluators, declared }: Side): Breakdown['evaluators'] {
  return evaluators.map((name) => {
    const { higher_is_better, threshold } = declared.get(name) ?? DEFAULT_EVALUATOR
    return { name, higher_is_better, threshold }
  })
}

interface GroupWithStatistics {
  group: ListedGroup
  statistics: GroupStatistics
}

/** Groups without a value come last. */
function sortGroups(groups: GroupWithStatistics[], order: GroupOrder): GroupWithStatistics[] {
  const sign = order.direction === 'desc' ? -1 : 1
  const withValue = groups.map((group) => ({ ...group, value: sortValue(group.statistics, order) }))
  return withValue.sort((a, b) => {
    if (a.value === b.value) return a.group.first - b.group.first
    if (a.value === null || b.value === null) return a.value === null ? 1 : -1
    return sign * (a.value - b.value)
  })
}

function sortValue(
  { rows, output_errors, cost, latency, evaluators }: GroupStatistics,
  { by, name }: GroupOrder,
): number | null {
  if (by === 'rows') return rows
  if (by === 'errors') return output_errors
  if (by === 'cost' || by === 'latency') return { cost, latency }[by].mean
  const evaluator = evaluators.find((one) => one.name === toStorableText(name))
  return (by === 'result' ? evaluator?.mean : evaluator?.base?.[by]) ?? null
}

/** Values are JSON texts as they were sent, so that numbers keep their digits. */
async function formatGroups(
  connection: Connection,
  { key }: Side,
  by: GroupKey,
  groups: GroupWithStatistics[],
): Promise<string[]> {
  const listed = groups.map(({ group }) => group)
  const ids = await readScenarioIds(
    connection,
    key,
    listed.map(({ first }) => first),
  )
  const values = await readGroupValues(connection, key, by, listed)
  return groups.map(({ group: { kind, first }, statistics }) => {
    const value = kind === 'value' ? values.get(first) : ''
    const members = JSON.stringify({ first: ids.get(first), ...statistics })
    return `{"kind":"${kind}",${value}${members.slice(1)}`
  })
}
