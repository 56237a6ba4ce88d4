// Search params of the page that compares a judge with people: both evaluators, and which rows it lists.
import { oneOf, searchOf, text } from '../../state/search-params.ts'

/** The rows that the page can list, by the verdicts of the judge and of the people. */
export const ROW_KINDS = [
  'disagree',
  'false-pass',
  'false-fail',
  'both-pass',
  'both-fail',
  'no-verdict',
] as const
export type RowKind = (typeof ROW_KINDS)[number]

export const agreementSearch = searchOf({
  /** The evaluator that is checked. */
  evaluator: text,
  /** The evaluator that counts as the truth. */
  with: text,
  /** Which rows are listed. */
  kind: oneOf(ROW_KINDS),
})
