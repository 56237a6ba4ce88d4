// The columns of the heat map: inputs, one cell per evaluation, and how many evaluations pass or how much the scores differ.
import { formatMeasure } from '../../../results/measures.ts'
import { nameWidth } from '../../../table/columns/column-layout.ts'
import type { Cell, Column, ColumnTypes } from '../../../table/columns/column-type.ts'
import { scenarioColumns } from '../../../table/columns/text-columns.tsx'
import type { HeatRow } from '../queries.ts'
import { type HeatScale, heatCellProps, stateName } from './heat-cell.ts'

export interface HeatRun {
  /** The index of its cells. */
  cell: number
  name: string
  /** Its score over the shared rows. */
  mean: string | undefined
}

export interface HeatContext extends HeatScale {
  output: number
  /** In the order of the columns. */
  runs: readonly HeatRun[]
  isVerdict: boolean
}

interface Names {
  inputs: readonly string[]
  runs: readonly HeatRun[]
}

type Kind = 'input' | 'run' | 'total'

/** The cells need the width. */
export const MAX_INPUTS = 2
/** With more evaluations the map scrolls sideways, and the first input stays visible. */
const MAX_VISIBLE_RUNS = 9

const SCENARIO_TYPES = scenarioColumns<HeatRow, HeatContext>(({ row }) => row)

export const COLUMN_TYPES: ColumnTypes<Kind, HeatRow, Names, HeatContext> = {
  input: {
    ...SCENARIO_TYPES.input,
    columns: ({ inputs, runs }) =>
      inputs.map((name, index) => ({
        key: `input.${name}`,
        name,
        isPinned: index === 0 && runs.length > MAX_VISIBLE_RUNS,
      })),
    header: () => null,
  },
  run: {
    label: 'evaluation',
    columns: ({ runs }) =>
      runs.map(({ cell, name }) => ({ key: `run.${cell}`, name, evaluationIndex: cell })),
    width: ({ name }) => nameWidth(name.length, 64, 112),
    align: 'left',
    cell: heatCell,
    value: ({ cells }, { evaluationIndex = 0 }) => cells[evaluationIndex]?.score,
    header: ({ evaluationIndex }, { runs }) => runs.find(({ cell }) => cell === evaluationIndex)?.mean,
    sort: () => [],
  },
  total: {
    label: 'total',
    columns: () => [{ key: 'total', name: '' }],
    width: () => [88, 0],
    align: 'right',
    cell: (row, _, { isVerdict }) => ({ content: isVerdict ? passedLabel(row) : spreadLabel(row) }),
    value: ({ spread }) => spread,
    header: (_, { isVerdict }) => (isVerdict ? 'passed' : 'deviation'),
    sort: () => [],
  },
}

function heatCell({ cells }: HeatRow, { name, evaluationIndex = 0 }: Column, context: HeatContext): Cell {
  const cell = cells[evaluationIndex]
  if (!cell) return { content: null }
  return {
    ...heatCellProps(cell, context),
    title: [`${name}: ${stateName(cell.state)}`, cell.score !== null && context.format(cell.score)]
      .filter(Boolean)
      .join(', '),
  }
}

/** "5 of 8": only evaluations with a score count. */
function passedLabel({ cells }: HeatRow): string {
  const scored = cells.filter(({ score }) => score !== null)
  return `${scored.filter(({ state }) => state === 'pass').length} of ${scored.length}`
}

function spreadLabel({ spread }: HeatRow): string {
  return spread === null ? '–' : formatMeasure('score', spread)
}
