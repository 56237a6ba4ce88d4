// What the page of a comparison shows: the address, held against what the evaluations have.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Comparison, ComparisonRows } from 'assay-client'
import { useMemo } from 'react'
import { comparisonQuestion, type RowQuestion, windowQuestion } from './questions.ts'
import { useView, type View } from './view.ts'

export interface Shown {
  view: View
  comparison: Comparison | undefined
  question: RowQuestion
  /** The evaluator that classes are about: where none is said the API chooses it. Undefined until it is known. */
  on: string | undefined
  /** How many of the rows that the filters leave are in each class. */
  classes: ComparisonRows['classes'] | undefined
  /** The names of all inputs; before figures are there, those of the first rows. */
  inputs: string[]
  ignored: string[]
  /** Why the evaluations could not be compared. */
  error: unknown
}

export function useShown(): Shown {
  const view = useView()
  const { evaluations, by } = view
  const isAsked = evaluations.length > 1
  // The first of the windows that the table asks for.
  const firstOf = (question: RowQuestion) =>
    queryOptions({
      ...windowQuestion(question, 0),
      enabled: isAsked,
      placeholderData: (before, query) =>
        String(query?.queryKey[1]) === String(evaluations) ? before : undefined,
    })
  // Figures come after the rows, which would wait for them: to find them out takes a server longer.
  const { isPending } = useQuery(firstOf(questionOf(view, undefined).question))
  const { data: comparison, error } = useQuery({
    ...comparisonQuestion({ evaluations, by }),
    enabled: isAsked && !isPending,
  })
  const { question, unknown } = useMemo(() => questionOf(view, comparison), [view, comparison])
  const first = useQuery(firstOf(question))
  const known = comparison ?? first.data
  const inputs = useMemo(() => inputNames(known), [known])
  return {
    view,
    comparison,
    question,
    on: question.on ?? first.data?.on ?? (comparison && firstInCommon(comparison)),
    classes: first.data?.classes,
    inputs,
    ignored: [...view.ignored, ...unknown],
    error,
  }
}

/** Whether more is better on an evaluator: so it is where nothing is said. */
export function directionOn({ comparison }: Pick<Shown, 'comparison'>, on: string | undefined): boolean {
  const evaluators = comparison?.candidates[0]?.evaluators
  return evaluators?.find(({ name }) => name === on)?.higher_is_better ?? true
}

/** The evaluator that the API chooses, before rows say which: the first of base and first candidate, else the first. */
function firstInCommon({ candidates, warnings }: Comparison): string | undefined {
  const [first] = candidates
  const isMissing = (name: string) =>
    warnings.some(
      ({ code, evaluation, evaluator }) =>
        code === 'evaluator-missing' && evaluation === first?.id && evaluator === name,
    )
  const names = first?.evaluators.map(({ name }) => name) ?? []
  return names.find((name) => !isMissing(name)) ?? names[0]
}

/** What is asked about rows, and the parts of the view that cannot be. */
export function questionOf(
  view: View,
  comparison: Comparison | undefined,
): { question: RowQuestion; unknown: string[] } {
  const names = comparison && namesOf(comparison)
  const { evaluations, by, show } = view
  const filters = view.filters.filter(([name]) => isKnown(name, names))
  const order = view.order !== undefined && isKnown(view.order, names) ? view.order : undefined
  const on = view.on !== undefined && isKnown(`result.${view.on}`, names) ? view.on : undefined
  return {
    question: { evaluations, by, show, on, filters, order },
    unknown: [
      ...view.filters.filter((one) => !filters.includes(one)).map(([name]) => name),
      ...(view.order === order ? [] : [`order=${view.order}`]),
      ...(view.on === on ? [] : [`on=${view.on}`]),
    ],
  }
}

interface Names {
  evaluators: string[]
  inputs: string[]
}

function inputNames(known: Pick<Comparison, 'evaluations'> | ComparisonRows | undefined): string[] {
  if (known && 'evaluations' in known) {
    return [...new Set(known.evaluations.flatMap(({ inputs }) => inputs))]
  }
  const rows = known?.rows.flatMap(({ base, candidates }) => [base, ...candidates.map(({ row }) => row)])
  return [...new Set(rows?.flatMap((row) => row?.inputs.map(({ name }) => name) ?? []))]
}

export function namesOf({ candidates, evaluations }: Comparison): Names {
  return {
    evaluators: candidates[0]?.evaluators.map(({ name }) => name) ?? [],
    inputs: inputNames({ evaluations }),
  }
}

/** Of a filter or an order: `result.exact_match` and `result.exact_match.desc` alike. Before names are known all are good. */
function isKnown(word: string, names: Names | undefined): boolean {
  const [family = '', ...rest] = word.split('.')
  if (names === undefined || rest.length === 0) return true
  const name = rest.join('.')
  const has = (known: string[]) =>
    known.some((one) => name === one || name === `${one}.asc` || name === `${one}.desc`)
  if (family === 'input') return has(names.inputs)
  if (family === 'delta' || family === 'result' || family === 'error') return has(names.evaluators)
  return true
}
