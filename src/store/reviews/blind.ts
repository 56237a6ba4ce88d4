// What a reviewer sees of a scenario: inputs, outputs and expected answers, as exact texts.
import { splitElements, splitMembers } from '../../json/member-texts.ts'

/** The JSON text of a scenario without results, cost, latency, note and the evaluation, from the stored body. */
export function blindText(body: string): string {
  const members = splitMembers(body)
  const outputs = splitElements(members.get('outputs') ?? '[]').map(
    (output) => `{"result":${splitMembers(output).get('result')}}`,
  )
  return `{"id":${members.get('id')},"inputs":${members.get('inputs')},"outputs":[${outputs.join(',')}],"correct_answers":${members.get('correct_answers')}}`
}
