// What the page of an evaluation shows: the address, held against the names that the evaluation has.
import { useQuery } from '@tanstack/react-query'
import { AssayError, type Evaluation, type EvaluationSummary } from 'assay-client'
import { useMemo } from 'react'
import { type ConfinedTo, useCovers } from '../shell/confinement.ts'
import { evaluationQuestion, placeQuestion, type RowQuestion, summaryQuestion } from './questions.ts'
import { type FilterState, stateOf, withoutState } from './states.ts'
import { type Filter, useView, type View } from './view.ts'

export interface Shown {
  id: string
  evaluation: Evaluation | undefined
  view: View
  /** Which rows, in which order. */
  question: RowQuestion
  /** What figures and chips are about: the same rows, whatever state is chosen. */
  figures: RowQuestion
  summary: EvaluationSummary | undefined
  /** The evaluation that this one is compared with. */
  base: string | undefined
  /** The evaluation it should be compared with, where that is gone. */
  missingBase: string | undefined
  /** The evaluator that the chips follow, and the state that is chosen of it. */
  on: string | undefined
  state: FilterState | undefined
  ignored: string[]
  /** Why the evaluation or its figures could not be read. */
  error: unknown
}

type Columns = EvaluationSummary['columns']

/** Where one scenario is all that is shown, nothing is asked about figures. */
export function useShown(id: string, scenario?: string): Shown {
  const view = useView()
  const { data: evaluation, error } = useQuery(evaluationQuestion(id))
  const covers = useCovers()
  const baseline = covers('evaluation', evaluation?.baseline_id) ? evaluation?.baseline_id : undefined
  const base = view.base === '' ? undefined : (view.base ?? baseline ?? undefined)
  const wanted = base === id ? undefined : base
  const isWantedOpen = covers('evaluation', wanted)
  // A view that one scenario can be found in has no name that is not there.
  const { filters: said, order } = view
  const place = useQuery({
    ...placeQuestion(id, { filters: said, order, base: isWantedOpen ? wanted : undefined }, scenario ?? ''),
    enabled: evaluation !== undefined && scenario !== undefined,
  })
  const isAsked = evaluation !== undefined && (scenario === undefined || place.error !== null)
  // The columns of all rows, so that a filter by a name that is not there is left out instead of failing.
  const beside = useQuery({
    ...summaryQuestion(id, { filters: [], base: wanted }),
    enabled: isAsked && wanted !== undefined && isWantedOpen,
  })
  const isRefused = beside.error instanceof AssayError && [403, 404].includes(beside.error.status)
  const isBaseMissing = wanted !== undefined && (isRefused || !isWantedOpen)
  const compared = isBaseMissing ? undefined : wanted
  const alone = useQuery({
    ...summaryQuestion(id, { filters: [] }),
    enabled: isAsked && compared === undefined,
  })
  const whole = compared === undefined ? alone : beside
  const columns = whole.data?.columns
  const [filters, unknownFilters] = useMemo(
    () => knownFilters(view.filters, columns, compared),
    [view.filters, columns, compared],
  )
  const isOrderKnown = view.order === undefined || isKnown(view.order, columns, compared)
  const on = columns ? chosenEvaluator(view.on, whole.data) : view.on
  const figures = { filters: on === undefined ? filters : withoutState(filters, on), base: compared }
  const filtered = useQuery({
    ...summaryQuestion(id, figures),
    enabled: columns !== undefined && figures.filters.length > 0,
  })
  const unknown = [...unknownFilters, ...(isOrderKnown ? [] : [`order=${view.order}`])]
  return {
    id,
    evaluation,
    view,
    question: { filters, order: isOrderKnown ? view.order : undefined, base: compared },
    figures,
    summary: figures.filters.length > 0 ? filtered.data : whole.data,
    base: compared,
    missingBase: isBaseMissing ? wanted : undefined,
    on,
    state: on === undefined ? undefined : stateOf(filters, on),
    ignored: [...view.ignored, ...unknown],
    error: error ?? whole.error ?? filtered.error,
  }
}

/** What a link to this view must open: its base too, where it has one. */
export function confinementOf({ id, base }: Shown): ConfinedTo {
  return base === undefined ? { evaluation_id: id } : { comparison: [base, id] }
}

/** Filters that can be asked, and the names of the others. Before columns are known all are taken for good. */
function knownFilters(
  filters: Filter[],
  columns: Columns | undefined,
  base: string | undefined,
): [known: Filter[], unknown: string[]] {
  const known = filters.filter(([name]) => isKnown(name, columns, base))
  return [known, filters.filter((one) => !known.includes(one)).map(([name]) => name)]
}

/** Of a filter or an order: `result.exact_match` and `result.exact_match.desc` alike. */
function isKnown(word: string, columns: Columns | undefined, base: string | undefined): boolean {
  if (columns === undefined) return true
  const [family = '', ...rest] = word.split('.')
  if (rest.length === 0) return true
  const name = rest.join('.')
  const has = (names: string[]) =>
    names.some((one) => name === one || name === `${one}.asc` || name === `${one}.desc`)
  if (family === 'input') return has(columns.inputs)
  if (family === 'delta') return base !== undefined && has(columns.evaluators)
  if (family === 'result' || family === 'error') return has(columns.evaluators)
  return true
}

/** Of its own choice, else the first evaluator with a verdict, else the first. */
export function chosenEvaluator(
  said: string | undefined,
  summary: EvaluationSummary | undefined,
): string | undefined {
  const evaluators = summary?.evaluators ?? []
  const found =
    evaluators.find(({ name }) => name === said) ??
    evaluators.find(({ passed }) => passed !== null) ??
    evaluators[0]
  return found?.name
}
