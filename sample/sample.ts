// The sample that a newcomer sees first: the support assistant of an invented outdoor shop, with the history
// of its three variants and six evaluations of them. Seeded, and the same on every machine.
import type { SampleEvaluation, SampleVariant } from './shapes.ts'
import { supportEvaluations } from './support/evaluations.ts'
import { supportAnswer } from './support/variant.ts'
import { translatorEvaluation } from './translator/evaluation.ts'
import { replyTranslator } from './translator/variant.ts'
import { triageEvaluation } from './triage/evaluation.ts'
import { ticketTriage } from './triage/variant.ts'

export function sampleVariants(): SampleVariant[] {
  return [supportAnswer(), ticketTriage(), replyTranslator()]
}

/** From the oldest to the newest; an evaluation comes after its baseline. */
export function sampleEvaluations(): SampleEvaluation[] {
  return [...supportEvaluations(), triageEvaluation(), translatorEvaluation()].sort((one, other) =>
    one.evaluation.created_at < other.evaluation.created_at ? -1 : 1,
  )
}
