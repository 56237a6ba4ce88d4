// The evaluations that are compared with each other, and what is known of them before a row is looked at.
import type { Comparison } from '../schema/comparisons.ts'
import type { Connection } from './dialect/dialect.ts'
import { type DeclaredEvaluator, declaredEvaluators } from './evaluators.ts'
import type { JoinedEvaluation } from './joins.ts'
import { getScenarioColumns } from './scenarios.ts'

/** What is known of an evaluation that is compared. */
export interface Side extends JoinedEvaluation {
  /** Changes whenever its rows do. */
  version: string
  about: Comparison['evaluations'][number]
  /** The names of its evaluators; the place of each is its number in the store. */
  evaluators: string[]
  ordinals: Map<string, number>
  declared: Map<string, DeclaredEvaluator>
  /** What its tool said of how the run ended, where it did not end well. */
  unfinished: string | undefined
}

/** The base and at least one candidate. */
export type Sides = [base: Side, ...candidates: Side[]]

export async function readSides(connection: Connection, evaluations: JoinedEvaluation[]): Promise<Sides> {
  const sides: Side[] = []
  for (const evaluation of evaluations) sides.push(await readSide(connection, evaluation))
  return sides as Sides
}

/** The names of all evaluators: those of the base, then those that only candidates have. */
export function evaluatorsOf(sides: Sides): string[] {
  return [...new Set(sides.flatMap(({ evaluators }) => evaluators))]
}

type AboutRow = Omit<Side['about'], 'inputs'> & {
  version: string
  evaluators: string | null
  metadata: string | null
}

/** Of the metadata, which may be large, only where a tool says in it how the run ended. */
const ABOUT = `SELECT version, id, name, variant_id, revision, scenario_count, evaluators,
  CASE WHEN substr(source, 1, 10) = 'Inspect AI' THEN metadata END AS metadata FROM evaluation WHERE key = ?`

async function readSide(connection: Connection, { key, count }: JoinedEvaluation): Promise<Side> {
  const row = await connection.get<AboutRow>(ABOUT, key)
  if (!row) throw new Error(`The evaluation with the key ${key} is not there`)
  const { version, evaluators, metadata, ...about } = row
  const { status } = JSON.parse(metadata ?? '{}') as { status?: unknown }
  const { score: names, input: inputs } = await getScenarioColumns(connection, key)
  return {
    key,
    count,
    version,
    about: { ...about, inputs },
    evaluators: names,
    ordinals: new Map(names.map((name, ordinal) => [name, ordinal])),
    declared: declaredEvaluators(evaluators),
    unfinished: typeof status === 'string' && status !== 'success' ? status : undefined,
  }
}

/** The number of an evaluator in each; undefined where one does not have it. */
export function placeOf(
  base: Side,
  candidate: Side,
  name: string,
): { base: number; candidate: number } | undefined {
  const [of, to] = [base.ordinals.get(name), candidate.ordinals.get(name)]
  return of === undefined || to === undefined ? undefined : { base: of, candidate: to }
}

/** Those of the names that both have, with their numbers. */
export function sharedEvaluators(
  base: Side,
  candidate: Side,
  names: string[],
): Map<string, { base: number; candidate: number }> {
  const shared = new Map<string, { base: number; candidate: number }>()
  for (const name of names) {
    const place = placeOf(base, candidate, name)
    if (place) shared.set(name, place)
  }
  return shared
}

export function isHigherBetter(base: Side, candidate: Side, name: string): boolean {
  return (base.declared.get(name) ?? candidate.declared.get(name))?.higher_is_better ?? true
}
