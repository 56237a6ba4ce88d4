// What commands pass to a target and get from it.
import type { Comparison, RowScore } from '../../schema/comparisons.ts'
import type { BaselineReason } from '../../schema/rules.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import type { Share } from '../../schema/shares.ts'
import type { Format } from '../../serialize/format.ts'

export type Noun = 'evaluation' | 'variant'

export interface ChangeFilters {
  actions: string[]
  since: string | undefined
  until: string | undefined
}

export type ShareToCreate = Pick<Share, 'name' | 'confined_to'> & {
  /** Default: after one week, or when the API key of a service expires. */
  expires_at: string | undefined
}

/** The rows that match all filters. */
export interface RowSelection {
  /** The query parameters of the API. */
  parameters: Record<string, string[]>
  /** The id of the baseline of `delta`. */
  base: string | undefined
}

export interface ExportOptions {
  format: Format
  /** Whether CSV cells must not look like formulas. */
  isExcelSafe: boolean
  /** Default: all rows. */
  rows?: RowSelection | undefined
}

export interface OpenComparison {
  comparison: Comparison
  /** Why the baseline was chosen. Null if it was named. */
  chosen: BaselineReason | null
  /** The worst regressions of one candidate on an evaluator. */
  findRegressions(candidate: number, evaluator: string, limit: number): Promise<Regressions>
  /** The JSON text of the breakdown of one candidate, with its changes from the baseline. Throws like breakDown. */
  breakDown(candidate: number, by: string): Promise<string>
}

export interface Regressions {
  /** Number of all regressions. */
  total: number
  rows: Regression[]
}

/** A row that is worse. With repeats, its scenarios are the first ones, and its scores include all of them. */
export interface Regression {
  baseline: EvaluationScenario
  candidate: EvaluationScenario
  base_score: RowScore | null
  score: RowScore | null
}
