// State of the comparison page: search params, checked against the evaluators and inputs of the evaluations.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Comparison, ComparisonRows } from 'assay-client'
import { useMemo } from 'react'
import { firstChanged } from '../../results/verdict-sentence.ts'
import { withoutUnknownNames } from '../../state/row-params.ts'
import { comparisonQuery, comparisonRows, type RowQuery } from './queries.ts'
import { type ComparisonParams, useComparisonParams } from './search-params.ts'

export type ComparisonState = ReturnType<typeof useComparisonState>

export function useComparisonState() {
  const params = useComparisonParams()
  const { evaluations, by } = params
  const isEnabled = evaluations.length > 1
  // The same query as the first window of the table.
  const firstWindow = (query: RowQuery) =>
    queryOptions({
      ...comparisonRows(query).windowQuery(0),
      enabled: isEnabled,
      placeholderData: (previous, previousQuery) =>
        String(previousQuery?.queryKey[1]) === String(evaluations) ? previous : undefined,
    })
  // Request statistics after the rows: they take the server longer, and the rows would wait for them.
  const { isPending } = useQuery(firstWindow(resolveRowQuery(params, undefined).query))
  const { data: comparison, error } = useQuery({
    ...comparisonQuery({ evaluations, by }),
    enabled: isEnabled && !isPending,
  })
  const { query, unknownParams } = useMemo(() => resolveRowQuery(params, comparison), [params, comparison])
  const firstRows = useQuery(firstWindow(query))
  const inputSource = comparison ?? firstRows.data
  const inputs = useMemo(() => inputNames(inputSource), [inputSource])
  return {
    params,
    comparison,
    query,
    /** The evaluator that row classes use. Without `on` in the URL, it is one that changed, or the choice of the API. Undefined while loading. */
    evaluator: query.on ?? firstRows.data?.on ?? (comparison && defaultEvaluator(comparison)),
    /** Rows per class, after filters. */
    classes: firstRows.data?.classes,
    /** Whether an evaluation has rows with several scenarios. Undefined while the comparison is loading. */
    hasRepeats: comparison?.evaluations.some(({ row_count, scenario_count }) => row_count < scenario_count),
    /** Names of all inputs; only those of the first rows while the comparison is loading. */
    inputs,
    /** Search params that have no effect. */
    ignored: [...params.ignored, ...unknownParams],
    /** Why the evaluations cannot be compared. */
    error,
  }
}

/** Higher is better unless the evaluator declares otherwise. */
export function isHigherBetter(
  { comparison }: Pick<ComparisonState, 'comparison'>,
  evaluator: string | undefined,
): boolean {
  const evaluators = comparison?.candidates[0]?.evaluators
  return evaluators?.find(({ name }) => name === evaluator)?.higher_is_better ?? true
}

/** The evaluator that the API chooses: the first one that the baseline and the first candidate have, or else the first. */
function defaultEvaluator({ candidates, warnings }: Comparison): string | undefined {
  const [firstCandidate] = candidates
  const isMissing = (name: string) =>
    warnings.some(
      ({ code, evaluation, evaluator }) =>
        code === 'evaluator-missing' && evaluation === firstCandidate?.id && evaluator === name,
    )
  const names = firstCandidate?.evaluators.map(({ name }) => name) ?? []
  return names.find((name) => !isMissing(name)) ?? names[0]
}

/** The evaluator that is worse or better in a candidate, unless the API chooses it anyway. */
function changedEvaluator(comparison: Comparison): string | undefined {
  const evaluators = comparison.candidates.flatMap((candidate) =>
    candidate.has_different_rows ? [] : candidate.evaluators,
  )
  const names = comparisonNames(comparison).evaluators
  const changed = firstChanged(names.flatMap((name) => evaluators.filter((entry) => entry.name === name)))
  return changed === defaultEvaluator(comparison) ? undefined : changed
}

/** Builds the row query, and lists the search params with names that the comparison does not have. */
function resolveRowQuery(
  params: ComparisonParams,
  comparison: Comparison | undefined,
): { query: RowQuery; unknownParams: string[] } {
  const names = comparison && comparisonNames(comparison)
  const { evaluations, by, show } = params
  const { filters, order, unknown } = withoutUnknownNames(params, names && { ...names, hasBaseline: true })
  const isKnown = params.on === undefined || !names || names.evaluators.includes(params.on)
  const on = isKnown ? params.on : undefined
  return {
    query: { evaluations, by, show, on: on ?? (comparison && changedEvaluator(comparison)), filters, order },
    unknownParams: [...unknown, ...(isKnown ? [] : [`on=${params.on}`])],
  }
}

function inputNames(source: Pick<Comparison, 'evaluations'> | ComparisonRows | undefined): string[] {
  if (source && 'evaluations' in source) {
    return [...new Set(source.evaluations.flatMap(({ inputs }) => inputs))]
  }
  const rows = source?.rows.flatMap(({ base, candidates }) => [base, ...candidates.map(({ row }) => row)])
  return [...new Set(rows?.flatMap((row) => row?.inputs.map(({ name }) => name) ?? []))]
}

export function comparisonNames({ candidates, evaluations }: Comparison) {
  return {
    evaluators: candidates[0]?.evaluators.map(({ name }) => name) ?? [],
    inputs: inputNames({ evaluations }),
  }
}
