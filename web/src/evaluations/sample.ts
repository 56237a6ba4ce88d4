// The sample that `assay serve --sample` puts into an empty store, and how it is taken out again.
import type { Evaluation, Variant } from 'assay-client'
import { assay } from '../api.ts'
import { isSampleEvaluation, isSampleVariant } from './sample-contents.ts'

export interface Sample {
  evaluations: Evaluation[]
  /** But for those that other evaluations ran. */
  variants: Variant[]
}

export async function findSample(signal?: AbortSignal): Promise<Sample> {
  const evaluations: Evaluation[] = []
  const ranByOthers = new Set<string | null>()
  for await (const evaluation of assay.evaluations({}, { signal })) {
    if (isSampleEvaluation(evaluation)) evaluations.push(evaluation)
    else ranByOthers.add(evaluation.variant_id)
  }
  const variants: Variant[] = []
  for await (const variant of assay.variants({}, { signal })) {
    if (isSampleVariant(variant) && !ranByOthers.has(variant.id)) variants.push(variant)
  }
  return { evaluations, variants }
}

export async function removeSample({ evaluations, variants }: Sample): Promise<void> {
  for (const { id } of evaluations) await assay.deleteEvaluation(id)
  for (const { id } of variants) await assay.deleteVariant(id)
}
