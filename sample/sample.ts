// The sample data for new users: three variants of an AI support assistant of a fictional outdoor shop, and six
// evaluations. Generated from fixed seeds, so it is the same on every machine.

import { supportEvaluations } from './support/evaluations.ts'
import { supportAnswer } from './support/variant.ts'
import { translatorEvaluation } from './translator/evaluation.ts'
import { replyTranslator } from './translator/variant.ts'
import { triageEvaluation } from './triage/evaluation.ts'
import { ticketTriage } from './triage/variant.ts'
import type { SampleEvaluation, SampleVariant } from './types.ts'

export function sampleVariants(): SampleVariant[] {
  return [supportAnswer(), ticketTriage(), replyTranslator()]
}

/** Oldest first, so an evaluation comes after its baseline. */
export function sampleEvaluations(): SampleEvaluation[] {
  return [...supportEvaluations(), triageEvaluation(), translatorEvaluation()].sort((one, other) =>
    one.evaluation.created_at < other.evaluation.created_at ? -1 : 1,
  )
}
