// Which evaluator the page checks, and which one counts as the truth.
import type { Agreement, Evaluation, EvaluationSummary } from 'assay-client'

export interface JudgeNames {
  evaluator: string
  with: string
}

/** Evaluators whose results are only texts have no verdicts. */
export function comparableNames({ evaluators }: EvaluationSummary): string[] {
  return evaluators.filter(({ n }) => n > 0).map(({ name }) => name)
}

/** People are the truth, and language models are what is checked, unless the search params name others. */
export function judgeNames(
  names: readonly string[],
  { evaluators }: Pick<Evaluation, 'evaluators'>,
  requested: { evaluator?: string | undefined; with?: string | undefined },
): JudgeNames | undefined {
  const kindOf = (name: string) => evaluators?.find((declared) => declared.name === name)?.kind
  const truth =
    requested.with ??
    names.find((name) => name !== requested.evaluator && kindOf(name) === 'human') ??
    names.findLast((name) => name !== requested.evaluator)
  const others = names.filter((name) => name !== truth)
  const evaluator =
    requested.evaluator ??
    others.find((name) => kindOf(name) === 'model') ??
    others.find((name) => kindOf(name) !== 'human') ??
    others[0]
  return truth === undefined || evaluator === undefined ? undefined : { evaluator, with: truth }
}

/** "people", or the name of an evaluator that is not one of people. */
export function truthName({ with: { name, kind } }: Pick<Agreement, 'with'>): string {
  return kind === 'human' ? 'people' : name
}
