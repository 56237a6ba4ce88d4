// Finds and removes the sample data that `assay serve --sample` loads into an empty store.
import type { Evaluation, Variant } from 'assay-client'
import { assay } from '../../../api/client.ts'
import { isSampleEvaluation, isSampleVariant } from './sample-contents.ts'

export interface Sample {
  evaluations: Evaluation[]
  /** Without those that other evaluations use. */
  variants: Variant[]
}

export async function findSample(signal?: AbortSignal): Promise<Sample> {
  const evaluations: Evaluation[] = []
  const usedByOthers = new Set<string | null>()
  for await (const evaluation of assay.evaluations({}, { signal })) {
    if (isSampleEvaluation(evaluation)) evaluations.push(evaluation)
    else usedByOthers.add(evaluation.variant_id)
  }
  const variants: Variant[] = []
  for await (const variant of assay.variants({}, { signal })) {
    if (isSampleVariant(variant) && !usedByOthers.has(variant.id)) variants.push(variant)
  }
  return { evaluations, variants }
}

export async function removeSample({ evaluations, variants }: Sample): Promise<void> {
  for (const { id } of evaluations) await assay.deleteEvaluation(id)
  for (const { id } of variants) await assay.deleteVariant(id)
}
