// The evaluations of a leaderboard: which of them can be ranked, their joined rows, and the rows that all of them have.
import { Problem } from '../../../errors.ts'
import type { LeaderboardWarning } from '../../../schema/analysis/leaderboards.ts'
import type { Connection } from '../../dialect/dialect.ts'
import type { ComparisonCache } from '../comparison-cache.ts'
import { JoinedColumns } from '../joined-columns.ts'
import { resolveName } from '../joined-filters.ts'
import { MIN_MATCH_RATE } from '../joins.ts'
import type { RowScores } from '../rows/row-scores.ts'
import { UNUSED_POSITION } from '../rows/rows.ts'
import { SideColumns } from '../side-columns.ts'
import { listEvaluators, mapAhead, type Side, type Sides } from '../sides.ts'

/** One ranked evaluation. */
export interface Run {
  side: Side
  /** By row of the reference: the position of the first scenario of the row; negative if this evaluation lacks it. */
  positions: Int32Array
  scores: RowScores
}

export interface Runs {
  columns: JoinedColumns
  on: string
  higherIsBetter: boolean
  /** In the order of the request. */
  runs: Run[]
  /** The evaluation with the most rows. */
  reference: Side
  /** The positions of the rows of the reference. */
  rows: Int32Array
  /** The rows that have a score in all runs: verdicts or numbers, but not both. */
  shared: Int32Array
  areVerdicts: boolean
  warnings: LeaderboardWarning[]
}

/** Throws nothing-to-rank if fewer than two evaluations have the evaluator, and invalid-request if none or the join key is wrong. */
export async function openRuns(
  connection: Connection,
  sides: Side[],
  { on: requested, by }: { on: string | undefined; by: string },
  cache: ComparisonCache,
): Promise<Runs> {
  const on = chooseSharedEvaluator(sides, requested)
  const warnings: LeaderboardWarning[] = []
  const scored = sides.filter((side) => side.ordinals.has(on))
  for (const side of sides) if (!scored.includes(side)) warnings.push(warnMissingEvaluator(side, on))
  if (scored.length < 2) throw nothingToRank(`Fewer than two of the evaluations have results of '${on}'.`)
  const reference = await findLargest(connection, scored, cache)
  const columns = await joinRuns(
    connection,
    [reference, ...scored.filter((side) => side !== reference)],
    by,
    cache,
  )
  const runs = new Map<Side, Run>()
  const { candidatePositions } = columns.pairIndex(0)
  const rows = Int32Array.from(candidatePositions.keys()).filter(
    (row) => candidatePositions[row] !== UNUSED_POSITION,
  )
  const opened = await mapAhead([...columns.sides.entries()], async ([index, side]) => {
    if (index > 0 && (await columns.hasDifferentRows(index - 1))) return undefined
    const positions = index === 0 ? identity(rows) : columns.pairIndex(index - 1).candidatePositions
    return { side, positions, scores: (await columns.rowScores(side, on)) as RowScores }
  })
  for (const [index, side] of columns.sides.entries()) {
    const run = opened[index]
    if (run) runs.set(side, run)
    else warnings.push(warnDifferentRows(side, reference))
  }
  const ranked = scored.flatMap((side) => runs.get(side) ?? [])
  if (ranked.length < 2)
    throw nothingToRank('The evaluations have different rows under the same ids. Try by=input.')
  for (const { side } of ranked) warnings.push(...warnUnfinished(side))
  const { shared, areVerdicts } = findShared(rows, ranked)
  return {
    columns,
    on,
    higherIsBetter: isHigherBetter(ranked, on),
    runs: ranked,
    reference,
    rows,
    shared,
    areVerdicts,
    warnings,
  }
}

export function nothingToRank(detail: string): Problem {
  return new Problem('nothing-to-rank', detail)
}

/** Defaults to the evaluator that the most evaluations have; of several, the first. Throws invalid-request. */
function chooseSharedEvaluator(sides: Side[], requested: string | undefined): string {
  if (requested !== undefined) return resolveName(sides as Sides, requested, 'evaluator')
  const countOf = (name: string) => sides.filter((side) => side.ordinals.has(name)).length
  const [first, ...others] = listEvaluators(sides as Sides)
  if (first === undefined) throw nothingToRank('None of the evaluations has results of an evaluator.')
  return others.reduce((best, name) => (countOf(name) > countOf(best) ? name : best), first)
}

async function findLargest(connection: Connection, sides: Side[], cache: ComparisonCache): Promise<Side> {
  const columns = new SideColumns(connection, cache)
  let largest: { side: Side; count: number } | undefined
  for (const side of sides) {
    const { count } = await columns.rows(side)
    if (!largest || count > largest.count) largest = { side, count }
  }
  return (largest as { side: Side }).side
}

/** Never by position, unless requested: a rank over unrelated rows would mean nothing. */
async function joinRuns(
  connection: Connection,
  sides: Side[],
  by: string,
  cache: ComparisonCache,
): Promise<JoinedColumns> {
  if (by !== 'auto') return JoinedColumns.open(connection, sides as Sides, by, cache)
  const byId = await JoinedColumns.open(connection, sides as Sides, 'id', cache)
  const idRate = await readLowestRate(byId)
  if (idRate >= MIN_MATCH_RATE) return byId
  const byInput = await JoinedColumns.open(connection, sides as Sides, 'input', cache)
  return (await readLowestRate(byInput)) > idRate ? byInput : byId
}

/** Different rows under the same ids do not match. */
async function readLowestRate(columns: JoinedColumns): Promise<number> {
  const rates = await mapAhead([...columns.join.joins.entries()], async ([candidate, { rate }]) =>
    (await columns.hasDifferentRows(candidate)) ? 0 : rate,
  )
  return Math.min(...rates)
}

/** Maps each row to itself. */
function identity(rows: Int32Array): Int32Array {
  const positions = new Int32Array((rows.at(-1) ?? -1) + 1).fill(UNUSED_POSITION)
  for (const row of rows) positions[row] = row
  return positions
}

function findShared(rows: Int32Array, runs: Run[]): { shared: Int32Array; areVerdicts: boolean } {
  const [first] = runs as [Run]
  const shared = rows.filter((row) => {
    const isVerdict = first.scores.verdicts[first.positions[row] as number]
    return runs.every(({ positions, scores }) => {
      const position = positions[row] as number
      return (
        position >= 0 && !Number.isNaN(scores.numbers[position]) && scores.verdicts[position] === isVerdict
      )
    })
  })
  const isVerdict = (row: number) => first.scores.verdicts[first.positions[row] as number] === 1
  return { shared, areVerdicts: shared.every(isVerdict) }
}

/** As the first evaluation that declares it says. */
function isHigherBetter(runs: Run[], on: string): boolean {
  const declared = runs.map(({ side }) => side.declared.get(on)).find((evaluator) => evaluator !== undefined)
  return declared?.higher_is_better ?? true
}

function warnMissingEvaluator({ info: { id } }: Side, on: string): LeaderboardWarning {
  const detail = `'${id}' has no results of '${on}' and is not ranked.`
  return { code: 'evaluator-missing', evaluation: id, rows: null, detail }
}

function warnDifferentRows({ info: { id } }: Side, { info }: Side): LeaderboardWarning {
  const detail = `'${id}' has other rows than '${info.id}' under the same ids and is not ranked. Try by=input.`
  return { code: 'inputs-differ', evaluation: id, rows: null, detail }
}

function warnUnfinished({ info: { id }, run, unfinishedStatus }: Side): LeaderboardWarning[] {
  const status = run.status === 'finished' ? unfinishedStatus : run.status
  if (status === undefined) return []
  const detail = `'${id}' has the status '${status}'. Its results can be incomplete.`
  return [{ code: 'unfinished', evaluation: id, rows: null, detail }]
}
