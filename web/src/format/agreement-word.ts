// Words for the agreement of two evaluators.
import { formatCount, pluralize } from './numbers.ts'

/** Cohen's kappa on the scale of Landis and Koch. */
const WORDS: [least: number, word: string][] = [
  [0.81, 'almost perfect'],
  [0.61, 'substantial'],
  [0.41, 'moderate'],
  [0.21, 'fair'],
  [0, 'slight'],
  [-1, 'poor'],
]

/** "1 false pass", "6 false passes". */
export function falsePasses(count: number): string {
  return `${formatCount(count)} false ${count === 1 ? 'pass' : 'passes'}`
}

export const falseFails = (count: number) => pluralize(count, 'false fail')

export function agreementWord(kappa: number | null): string | undefined {
  return kappa === null ? undefined : WORDS.find(([least]) => kappa >= least)?.[1]
}
