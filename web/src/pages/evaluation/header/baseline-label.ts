// The short name of the baseline.
import type { Evaluation, EvaluationSummary } from 'assay-client'

/** "r4" for another revision of the same variant, else the name. */
export function baselineLabel(
  { variant_id, revision }: Evaluation,
  base: NonNullable<EvaluationSummary['base']>,
): string {
  const isOtherRevision = variant_id !== null && base.variant_id === variant_id && base.revision !== revision
  return isOtherRevision && base.revision !== null ? `r${base.revision}` : (base.name ?? base.id)
}
