// A view with what its question names: the evaluation it is of, and the one it is compared with.
import type { Filter, Order } from '../schema/filters.ts'
import { Base } from './bases.ts'
import type { Connection } from './dialect/dialect.ts'
import { type EvaluationHead, getEvaluation } from './evaluations.ts'
import type { KeptPairings } from './kept-pairings.ts'
import type { Viewer } from './projects.ts'
import { View } from './views.ts'

/** The evaluation that is looked at, and the one it is compared with. */
export interface ViewHeads {
  owner: EvaluationHead
  base: (EvaluationHead & { id: string }) | undefined
  /** Changes whenever the rows of either do. */
  version: string
}

/** Throws like getEvaluation. */
export async function getViewHeads(
  connection: Connection,
  viewer: Viewer,
  id: string,
  baseId: string | undefined,
): Promise<ViewHeads> {
  const owner = await getEvaluation(connection, viewer, id)
  if (baseId === undefined) return { owner, base: undefined, version: owner.version }
  const head = await getEvaluation(connection, viewer, baseId)
  return { owner, base: { ...head, id: baseId }, version: `${owner.version}.${head.version}` }
}

export interface OpenedView {
  view: View
  base: Base | undefined
}

/** Throws invalid-request where the question does not fit the evaluations. */
export async function openView(
  connection: Connection,
  { owner, base: head, version }: ViewHeads,
  question: { filters: Filter[]; order: Order },
  pairings: KeptPairings,
): Promise<OpenedView> {
  const base =
    head && (await Base.open(connection, head, owner, await pairings.get(connection, head, owner, version)))
  const deltas = base && ((evaluator: string) => base.deltas(evaluator))
  return { view: await View.open(connection, owner.key, question, deltas), base }
}
