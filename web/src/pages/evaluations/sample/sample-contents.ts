// Identifies the sample data of `assay serve --sample`. Evaluations and variants with added rows or revisions do not count.
import type { Evaluation, Variant } from 'assay-client'

type SampleEntries = Record<string, [createdAt: string, count: number]>

export const SAMPLE_EVALUATIONS: SampleEntries = {
  'support-answer-r3': ['2026-09-11T07:02:18.440Z', 120],
  'support-answer-r4': ['2026-09-18T07:01:55.083Z', 120],
  'ticket-triage-r4': ['2026-09-24T06:30:11.204Z', 80],
  'ticket-triage-r4-llama-3.1-8b': ['2026-09-25T08:51:36.209Z', 80],
  'ticket-triage-r4-gemini-1.5-flash': ['2026-09-25T08:57:03.550Z', 80],
  'ticket-triage-r4-gpt-4o-mini': ['2026-09-25T09:04:20.072Z', 80],
  'ticket-triage-r4-claude-3-5-haiku': ['2026-09-25T09:12:44.318Z', 80],
  'reply-translator-r3': ['2026-09-29T06:45:30.128Z', 60],
  'support-answer-r5': ['2026-09-30T07:02:07.916Z', 120],
  'support-answer-r6': ['2026-10-06T07:01:49.302Z', 120],
}
export const SAMPLE_VARIANTS: SampleEntries = {
  'support-answer': ['2026-09-01T08:40:02.519Z', 7],
  'ticket-triage': ['2026-09-07T11:58:40.006Z', 5],
  'reply-translator': ['2026-09-16T10:09:33.870Z', 4],
}

export function isSampleEvaluation({ id, created_at, scenario_count }: Evaluation): boolean {
  return isUnchanged(SAMPLE_EVALUATIONS, id, created_at, scenario_count)
}

export function isSampleVariant({ id, created_at, revision_count }: Variant): boolean {
  return isUnchanged(SAMPLE_VARIANTS, id, created_at, revision_count)
}

function isUnchanged(entries: SampleEntries, id: string, createdAt: string, count: number): boolean {
  const [time, size] = (Object.hasOwn(entries, id) && entries[id]) || []
  return time === createdAt && size === count
}
