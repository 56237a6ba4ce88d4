// What a reviewer sees of a scenario: inputs, outputs and expected answers, as exact texts.
import { splitElements, splitMembers } from '../../json/member-texts.ts'

import type { ReviewPair } from '../../schema/reviews/reviews.ts'

/** The JSON text of a scenario without results, cost, latency, note and the evaluation, from the stored body. */
export function blindText(body: string): string {
  return withOutputs(body, `"outputs":${blindOutputs(body)}`)
}

/** The same of the scenario of the candidate, with the outputs of both evaluations as `left` and `right`. */
export function blindPairText(body: string, baseBody: string, candidateSide: ReviewPair['candidate_side']) {
  const outputs = [body, baseBody].map(blindOutputs)
  const [left, right] = candidateSide === 'left' ? outputs : outputs.toReversed()
  return withOutputs(body, `"outputs":[],"left":${left},"right":${right}`)
}

function withOutputs(body: string, outputs: string): string {
  const members = splitMembers(body)
  return `{"id":${members.get('id')},"inputs":${members.get('inputs')},${outputs},"correct_answers":${members.get('correct_answers')}}`
}

function blindOutputs(body: string): string {
  const outputs = splitElements(splitMembers(body).get('outputs') ?? '[]')
  return `[${outputs.map((output) => `{"result":${splitMembers(output).get('result')}}`).join(',')}]`
}
