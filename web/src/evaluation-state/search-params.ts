// The search params of the evaluation and scenario pages: the API's filters and order, and display settings.
import {
  type Density,
  type Filter,
  type RowPreferences,
  readRowParams,
  type TextFormat,
  useRowParams,
} from '../state/row-params.ts'
import { paramValue, type SearchParams } from '../state/search-params.ts'

export const TABS = ['diff', 'output', 'inputs', 'results', 'raw'] as const
export type Tab = (typeof TABS)[number]
const GROUPS = ['error'] as const
type Group = (typeof GROUPS)[number]

export interface EvaluationParams {
  filters: Filter[]
  order: string | undefined
  /** The evaluation to compare with: '' for none, undefined for the evaluation's own baseline. */
  base: string | undefined
  /** The evaluator whose states the chips show. */
  on: string | undefined
  columns: string[] | undefined
  density: Density
  textFormat: TextFormat
  group: Group | undefined
  /** The number of the selected output, starting at 1. */
  output: number
  row: string | undefined
  tab: Tab | undefined
  /** Params that are unknown or invalid, and were ignored. */
  ignored: string[]
}

const DISPLAY_PARAMS = ['order', 'base', 'on', 'cols', 'density', 'as', 'group', 'output', 'row', 'tab']

export function useEvaluationParams(): EvaluationParams {
  return useRowParams(readEvaluationParams)
}

export function readEvaluationParams(search: SearchParams, preferred: RowPreferences = {}): EvaluationParams {
  const { rows, readOption } = readRowParams(search, DISPLAY_PARAMS, preferred)
  return {
    ...rows,
    base: paramValue(search, 'base'),
    group: readOption('group', GROUPS),
    row: paramValue(search, 'row'),
    tab: readOption('tab', TABS),
  }
}
