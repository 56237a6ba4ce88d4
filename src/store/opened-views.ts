// A view with what its question names: the evaluation it is of, and the one it is compared with.
import type { Filter, Order } from '../schema/filters.ts'
import { Base } from './bases.ts'
import type { Connection } from './dialect/dialect.ts'
import { type EvaluationHead, getEvaluation } from './evaluations.ts'
import type { Viewer } from './projects.ts'
import { View } from './views.ts'

export interface OpenedView {
  view: View
  base: Base | undefined
  /** Changes whenever the rows of either evaluation do. */
  version: string
}

/** Throws like getEvaluation for the base, and invalid-request where the question does not fit the evaluations. */
export async function openView(
  connection: Connection,
  viewer: Viewer,
  owner: EvaluationHead,
  question: { filters: Filter[]; order: Order; base: string | undefined },
): Promise<OpenedView> {
  if (question.base === undefined) {
    const view = await View.open(connection, owner.key, question)
    return { view, base: undefined, version: owner.version }
  }
  const head = await getEvaluation(connection, viewer, question.base)
  const base = await Base.open(connection, { ...head, id: question.base }, owner)
  const view = await View.open(connection, owner.key, question, (evaluator) => base.deltas(evaluator))
  return { view, base, version: `${owner.version}.${head.version}` }
}
