// The evaluators that an evaluation declares: their direction and pass threshold.
import { toStorableText } from '../../json/storable-text.ts'
import { Json } from '../../json/value.ts'
import type { EvaluatorKind } from '../../schema/evaluations.ts'
import type { Connection } from '../dialect/dialect.ts'
import { finiteOrNull } from '../statistics/rounding.ts'

export interface DeclaredEvaluator {
  higher_is_better: boolean
  /** A score that reaches the threshold passes. Without a threshold, scores are not verdicts. */
  threshold: number | null
  kind: EvaluatorKind | null
}

/** For evaluators that are not declared. */
export const DEFAULT_EVALUATOR: DeclaredEvaluator = { higher_is_better: true, threshold: null, kind: null }

/** Whether a score reaches the threshold. False without a threshold. */
export function passes(
  { threshold, higher_is_better }: Pick<DeclaredEvaluator, 'threshold' | 'higher_is_better'>,
  number: number,
): boolean {
  return threshold !== null && (higher_is_better ? number >= threshold : number <= threshold)
}

/** By name. Only the first declaration of a name is used. */
export type DeclaredEvaluators = Map<string, DeclaredEvaluator>

export async function getDeclaredEvaluators(
  connection: Connection,
  evaluation: number,
): Promise<DeclaredEvaluators> {
  return parseDeclaredEvaluators(await readEvaluators(connection, evaluation))
}

/** The JSON text of the `evaluators` member. */
export async function readEvaluators(connection: Connection, evaluation: number): Promise<string | null> {
  const row = await connection.get<{ evaluators: string | null }>(
    'SELECT evaluators FROM evaluation WHERE key = ?',
    evaluation,
  )
  return row?.evaluators ?? null
}

interface DeclaredMembers {
  name: string
  higher_is_better?: boolean
  threshold?: number
  kind?: EvaluatorKind
}

/** Parses the JSON text of the `evaluators` member. */
export function parseDeclaredEvaluators(evaluators: string | null): DeclaredEvaluators {
  const declared: DeclaredEvaluators = new Map()
  const list = JSON.parse(evaluators ?? '[]') as DeclaredMembers[]
  for (const { name: declaredName, higher_is_better = true, threshold, kind = null } of list) {
    const name = toStorableText(declaredName)
    if (declared.has(name)) continue
    declared.set(name, { higher_is_better, threshold: finiteOrNull(threshold), kind })
  }
  return declared
}

/**
 * The declared evaluators with other members: those of `changes` override stored ones, and null removes a member. Other
 * evaluators stay as they are.
 */
export function changeDeclarations(stored: Json, changes: Json): Json {
  const changesByName = Map.groupBy(changes.elements, nameOf)
  const changed = stored.elements.map((evaluator) => {
    const own = changesByName.get(nameOf(evaluator)) ?? []
    // Only the first declaration of a name is used.
    changesByName.delete(nameOf(evaluator))
    return own.reduce(withMembers, evaluator)
  })
  const added = [...changesByName.values()].map((own) => own.reduce(withMembers, Json.object([])))
  return Json.array([...changed, ...added])
}

function withMembers(evaluator: Json, change: Json): Json {
  const members = new Map([...evaluator.members, ...change.members])
  return Json.object([...members].filter(([, member]) => !member.isNull))
}

function nameOf(evaluator: Json): string {
  return evaluator.get('name')?.string ?? ''
}

/** The names of the evaluators with a direction or threshold, from the JSON text of the `evaluators` member. */
export function parseDirectedEvaluators(evaluators: string | null): Set<string> {
  const list = JSON.parse(evaluators ?? '[]') as DeclaredMembers[]
  return new Set(
    list
      .filter(({ higher_is_better, threshold }) => higher_is_better !== undefined || threshold !== undefined)
      .map(({ name }) => toStorableText(name)),
  )
}

/** The names of the evaluators whose results people give. */
export function humanEvaluators(declared: DeclaredEvaluators): Set<string> {
  return new Set([...declared].filter(([, { kind }]) => kind === 'human').map(([name]) => name))
}
