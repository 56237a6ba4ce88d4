// The rows of a leaderboard with the state and score in each evaluation, those that differ the most first.
import type { Cell } from '../../../schema/analysis/leaderboards.ts'
import { DEFAULT_EVALUATOR } from '../../evaluations/evaluators.ts'
import { readScenarioIds } from '../../reads/scenario-ids.ts'
import { roundStatistic } from '../../statistics/rounding.ts'
import type { Run, Runs } from './runs.ts'

/** How much the scores of rows differ between evaluations. */
export interface Spread {
  /** Positions in the reference, the largest difference first. */
  rows: Int32Array
  /** By position in the reference. NaN if fewer than two evaluations have a score. */
  deviations: Float64Array
}

export function sortBySpread({ rows, runs, reference }: Runs): Spread {
  const deviations = new Float64Array(reference.positionCount).fill(Number.NaN)
  for (const row of rows) deviations[row] = standardDeviation(scoresOf(row, runs))
  const keyOf = (row: number) => (Number.isNaN(deviations[row]) ? -1 : (deviations[row] as number))
  return { rows: rows.toSorted((a, b) => keyOf(b) - keyOf(a) || a - b), deviations }
}

function scoresOf(row: number, runs: Run[]): number[] {
  const scores: number[] = []
  for (const run of runs) {
    const score = run.scores.numbers[run.positions[row] as number]
    if (score !== undefined && !Number.isNaN(score)) scores.push(score)
  }
  return scores
}

function standardDeviation(scores: number[]): number {
  if (scores.length < 2) return Number.NaN
  // Halved terms cannot overflow. Equal scores have no deviation, not even a rounding error.
  const [first] = scores as [number]
  const distances = scores.map((score) => score / 2 - first / 2)
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / scores.length
  const squares = distances.reduce((sum, distance) => sum + (distance - mean) ** 2, 0)
  return 2 * Math.sqrt(squares / scores.length)
}

/** The cells of some rows, in the order of the runs. */
export async function readCells(runs: Runs, rows: Int32Array): Promise<Cell[][]> {
  const cells = Array.from(rows, (): Cell[] => [])
  for (const run of runs.runs) {
    const cellOf = await readRun(runs, run, rows)
    for (const [index, row] of rows.entries()) cells[index]?.push(cellOf(run.positions[row] ?? -1))
  }
  return cells
}

const MISSING: Cell = { scenario: null, state: 'missing', score: null }

async function readRun(runs: Runs, run: Run, rows: Int32Array): Promise<(position: number) => Cell> {
  const { columns, on } = runs
  const { side, scores } = run
  const rates = await columns.passRates(side, on, side.declared.get(on) ?? DEFAULT_EVALUATOR)
  const failures = await readFailures(runs, run)
  const positions = Array.from(rows, (row) => run.positions[row] ?? -1).filter((position) => position >= 0)
  const ids = await readScenarioIds(columns.connection, side.key, positions)
  return (position) => {
    if (position < 0) return MISSING
    const score = scores.numbers[position] as number
    const scenario = ids.get(position) ?? null
    if (Number.isNaN(score))
      return { scenario, state: failures[position] === 1 ? 'error' : 'not-evaluated', score: null }
    return { scenario, state: stateOf(rates?.[position] ?? Number.NaN), score: roundStatistic(score) }
  }
}

/** `rate` is the share of repeats that pass. NaN for numbers without a threshold. */
function stateOf(rate: number): Cell['state'] {
  if (Number.isNaN(rate)) return 'scored'
  if (rate === 1) return 'pass'
  return rate === 0 ? 'fail' : 'mixed'
}

const READ_FAILURES = `SELECT position FROM result WHERE evaluation = ? AND evaluator = ? AND is_error = 1
  UNION SELECT position FROM measure WHERE evaluation = ? AND has_error = 1`

/** By the position of the first scenario of each row: 1 if an output or the evaluator failed. */
async function readFailures({ columns, on }: Runs, { side }: Run): Promise<Uint8Array> {
  const ordinal = side.ordinals.get(on) as number
  const { failures } = await columns.cachedOf(side, `failures ${ordinal}`, async () => {
    const { firstPositions } = await columns.rows(side)
    const failures = new Uint8Array(side.positionCount)
    const positions = await columns.connection.readNumbers(READ_FAILURES, side.key, ordinal, side.key)
    for (const position of positions) failures[firstPositions?.[position] ?? position] = 1
    return { failures }
  })
  return failures
}
