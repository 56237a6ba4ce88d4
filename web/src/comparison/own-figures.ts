// What each evaluation scored over all of its own rows, for whoever points at a figure: asked for only then.
import { useQueries } from '@tanstack/react-query'
import type { EvaluationSummary } from 'assay-client'
import { useState } from 'react'
import { summaryQuestion } from '../evaluation/questions.ts'
import { counted } from '../format/numbers.ts'
import type { FigureRow } from './figure-rows.ts'

interface OwnFigures {
  /** In words; empty while it is not known. */
  own: (id: string, row: FigureRow) => string
  ask: () => void
}

export function useOwnFigures(evaluations: readonly string[]): OwnFigures {
  const [isAsked, setIsAsked] = useState(false)
  const summaries = useQueries({
    queries: evaluations.map((id) => ({ ...summaryQuestion(id, { filters: [] }), enabled: isAsked })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  function own(id: string, row: FigureRow): string {
    const summary = summaries.find((one) => one.id === id)
    if (!summary) return ''
    const value = ownMean(summary, row)
    return value == null
      ? ''
      : `${row.format(value)} over all of its ${counted(summary.scenario_count, 'row')}`
  }
  return { own, ask: () => setIsAsked(true) }
}

function ownMean(summary: EvaluationSummary, { name, evaluator }: FigureRow): number | null | undefined {
  if (evaluator === undefined) return summary[name === 'cost' ? 'cost' : 'latency'].mean
  const figures = summary.evaluators.find((one) => one.name === evaluator)
  return figures?.mean ?? figures?.pass_rate
}
