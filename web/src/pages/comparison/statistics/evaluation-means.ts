// Means of each evaluation over all its rows, for tooltips. Requested when the pointer or focus enters the table.
import { useQueries } from '@tanstack/react-query'
import type { EvaluationSummary } from 'assay-client'
import { useState } from 'react'
import { pluralize } from '../../../format/numbers.ts'
import { summaryQuery } from '../../../queries/evaluations.ts'
import type { StatisticsRow } from './statistics-rows.ts'

export function useEvaluationMeans(evaluations: readonly string[]) {
  const [isEnabled, setIsEnabled] = useState(false)
  const summaries = useQueries({
    queries: evaluations.map((id) => ({ ...summaryQuery(id, { filters: [] }), enabled: isEnabled })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  /** Tooltip text; empty while loading. */
  function meanLabel(id: string, row: StatisticsRow): string {
    const summary = summaries.find((item) => item.id === id)
    if (!summary) return ''
    const value = meanOf(summary, row)
    return value == null ? '' : `${row.format(value)} over all ${pluralize(summary.rows, 'row')}`
  }
  return { meanLabel, load: () => setIsEnabled(true) }
}

function meanOf(summary: EvaluationSummary, { name, evaluator }: StatisticsRow): number | null | undefined {
  if (evaluator === undefined) return summary[name === 'cost' ? 'cost' : 'latency'].mean
  const statistics = summary.evaluators.find((item) => item.name === evaluator)
  return statistics?.mean ?? statistics?.pass_rate
}
