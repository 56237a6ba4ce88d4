// The sample that `assay serve --sample` puts into an empty store, and how it is taken out again. What somebody has added to
// is no longer the sample's.
import type { Evaluation, Variant } from 'assay-client'
import { assay } from '../api.ts'

type Known = Record<string, [createdAt: string, count: number]>

export const SAMPLE_EVALUATIONS: Known = {
  'support-answer-r3': ['2026-09-11T07:02:18.440Z', 120],
  'support-answer-r4': ['2026-09-18T07:01:55.083Z', 120],
  'ticket-triage-r4': ['2026-09-24T06:30:11.204Z', 80],
  'reply-translator-r3': ['2026-09-29T06:45:30.128Z', 60],
  'support-answer-r5': ['2026-09-30T07:02:07.916Z', 120],
  'support-answer-r6': ['2026-10-06T07:01:49.302Z', 120],
}
export const SAMPLE_VARIANTS: Known = {
  'support-answer': ['2026-09-01T08:40:02.519Z', 7],
  'ticket-triage': ['2026-09-07T11:58:40.006Z', 5],
  'reply-translator': ['2026-09-16T10:09:33.870Z', 4],
}

export function isSampleEvaluation({ id, created_at, scenario_count }: Evaluation): boolean {
  return isKnown(SAMPLE_EVALUATIONS, id, created_at, scenario_count)
}

export function isSampleVariant({ id, created_at, revision_count }: Variant): boolean {
  return isKnown(SAMPLE_VARIANTS, id, created_at, revision_count)
}

function isKnown(known: Known, id: string, createdAt: string, count: number): boolean {
  const [time, size] = (Object.hasOwn(known, id) && known[id]) || []
  return time === createdAt && size === count
}

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
