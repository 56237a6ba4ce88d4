// How results of each evaluator are displayed: its scoring rule from the evaluation, and the same decimals for the whole column.
import { useMemo } from 'react'
import { formatScore } from '../format/numbers.ts'
import { preference, setPreference, usePreference } from '../state/preferences.ts'
import { useStable } from '../state/stable-values.ts'
import {
  DEFAULT_RULE,
  type EvaluatorDeclaration,
  type Row,
  resultOf,
  ruleOf,
  type ScoringRule,
} from './cells.ts'
import type { EvaluatorSummary } from './result-states.ts'

export interface EvaluatorDisplay extends ScoringRule {
  decimals: number
  /** Whether the user chose the decimals. */
  isRounded: boolean
}

export const MAX_DECIMALS = 8
export type EvaluatorDisplays = Record<string, EvaluatorDisplay>

export const DEFAULT_DISPLAY: EvaluatorDisplay = { ...DEFAULT_RULE, decimals: 3, isRounded: false }

interface DisplayedEvaluator extends EvaluatorDeclaration {
  name: string
  quantiles?: EvaluatorSummary['quantiles']
}

const NO_ROWS: never[] = []

/** `rows` are typical rows, which decide how many decimals the scores of a column need. */
export function useEvaluatorDisplays(
  evaluators: readonly DisplayedEvaluator[],
  rows: readonly Pick<Row, 'results'>[] = NO_ROWS,
): EvaluatorDisplays {
  const preferredText = usePreference('decimals')
  const displays = useMemo(() => {
    const preferredDecimals = parseDecimals(preferredText)
    const displayOf = (evaluator: DisplayedEvaluator): EvaluatorDisplay => {
      const preferred = preferredDecimals.get(evaluator.name)
      const decimals = preferred ?? decimalsOf(evaluator, rows)
      return { ...ruleOf(evaluator), decimals, isRounded: preferred !== undefined }
    }
    return Object.fromEntries(evaluators.map((evaluator) => [evaluator.name, displayOf(evaluator)]))
  }, [evaluators, rows, preferredText])
  return useStable(displays)
}

/** Those of the scores in these rows, at most three. Sorted rows can all have the same score, so quantiles count too. */
function decimalsOf({ name, quantiles }: DisplayedEvaluator, rows: readonly Pick<Row, 'results'>[]): number {
  const values = rows.map((row) => resultOf(row, name)?.value).filter((value) => typeof value === 'number')
  if (values.length === 0) return DEFAULT_DISPLAY.decimals
  const hasFractions = Object.values(quantiles ?? {}).some((value) => value !== null && value % 1 !== 0)
  const needed = values.map((value) => formatScore(value).split('.')[1]?.length ?? 0)
  return Math.min(DEFAULT_DISPLAY.decimals, Math.max(hasFractions ? 2 : 0, ...needed))
}

/** With the decimals of the column. A value that needs more gets more, unless the user chose the decimals. */
export function formatFixed(value: number, { decimals, isRounded }: EvaluatorDisplay): string {
  const text = value.toFixed(decimals)
  const error = Math.abs(value - Number(text))
  const isClose =
    isRounded || (error < 0.5 * 10 ** -DEFAULT_DISPLAY.decimals && (error === 0 || Number(text) !== 0))
  return isClose && Math.abs(value) < 1e6 ? text : formatScore(value)
}

/** All digits of a score, with zeros up to the decimals of the column: "0.50" for "0.5", but "0.123" for "0.123". */
export function padDecimals(digits: string, { decimals }: EvaluatorDisplay): string {
  const padded = Number(digits).toFixed(decimals)
  return padded.startsWith(digits) ? padded : digits
}

export function setDecimals(evaluator: string, decimals: number): void {
  const preferredDecimals = parseDecimals(preference('decimals'))
  preferredDecimals.set(evaluator, Math.max(0, Math.min(MAX_DECIMALS, Math.round(decimals))))
  setPreference('decimals', JSON.stringify([...preferredDecimals]))
}

/** Stored as pairs of evaluator and decimals. */
function parseDecimals(text: string | undefined): Map<string, number> {
  try {
    return new Map(JSON.parse(text ?? '[]'))
  } catch {
    return new Map()
  }
}
