// What to beware of, in a few words each: warnings of one kind about one candidate are said once.
import type { Comparison } from 'assay-client'
import { count, counted } from '../format/numbers.ts'
import { nameOf } from './compared.ts'
import { listed } from './outcomes.ts'

export type Warning = Comparison['warnings'][number]

export interface Caution {
  code: Warning['code']
  /** The candidate or evaluation it is about. */
  evaluation: string | null
  words: string
  warnings: Warning[]
}

export function cautionsOf(comparison: Comparison): Caution[] {
  const groups = Map.groupBy(comparison.warnings, ({ code, evaluation }) => `${code} ${evaluation}`)
  return [...groups.values()].flatMap((warnings) => {
    const [first] = warnings
    if (!first) return []
    const { code, evaluation } = first
    return { code, evaluation, words: wordsOf(first, warnings, comparison), warnings }
  })
}

function wordsOf({ code, evaluation, rows }: Warning, warnings: Warning[], comparison: Comparison): string {
  const name = evaluation === null ? '' : nameOf(comparison, evaluation)
  const evaluators = listed(warnings.flatMap(({ evaluator }) => evaluator ?? []))
  const some = counted(rows ?? 0, 'row')
  switch (code) {
    case 'rows-missing':
      return missingWords(comparison, evaluation)
    case 'answers-differ':
      return `${some} of ${name} with another correct answer`
    case 'evaluator-missing':
      return `${evaluators} not in both ${nameOf(comparison, comparison.evaluations[0]?.id ?? '')} and ${name}`
    case 'evaluator-differs':
      return `${name} has other settings of ${evaluators}`
    case 'types-differ':
      return `${some} of ${name} equal as text but not as value`
    case 'rows-repeated':
      return `${some} of ${name} with the key of another`
    case 'joined-by-position':
      return 'matched by place alone'
    case 'unfinished':
      return `${name} did not finish`
  }
}

/** In which of the two the rows are. */
function missingWords(comparison: Comparison, id: string | null): string {
  const candidate = comparison.candidates.find((one) => one.id === id)
  if (!candidate || id === null) return 'rows without a match'
  const { only_in_base, only_in_candidate } = candidate
  const base = nameOf(comparison, comparison.evaluations[0]?.id ?? '')
  const sides: [number, string][] = [
    [only_in_base, base],
    [only_in_candidate, nameOf(comparison, id)],
  ]
  const [first, second] = sides.filter(([rows]) => rows > 0)
  if (!first) return 'rows without a match'
  return `${counted(first[0], 'row')} only in ${first[1]}${second ? `, ${count(second[0])} only in ${second[1]}` : ''}`
}
