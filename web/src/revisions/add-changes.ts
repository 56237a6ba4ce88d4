// Joins the revisions of a variant with the list of its evaluations.
import type { Evaluation } from 'assay-client'
import type { Revision } from '../queries/variants.ts'

/** Adds the status and the scores with changes to the evaluations of the revisions. */
export function addChanges(revisions: Revision[], evaluations: readonly Evaluation[]): Revision[] {
  if (evaluations.length === 0) return revisions
  const byId = new Map(evaluations.map((evaluation) => [evaluation.id, evaluation]))
  return revisions.map((revision) => ({
    ...revision,
    evaluations: revision.evaluations.map((evaluation) => {
      const listed = byId.get(evaluation.id)
      if (!listed) return evaluation
      const { status, expected_count, scenario_count, scores = evaluation.scores } = listed
      return { ...evaluation, status, expected_count, scenario_count, scores }
    }),
  }))
}
