// The pairs of texts that a scenario can be compared by: an expected answer, another output or that of the baseline on one
// side, the output that is looked at on the other.
import type { EvaluationScenario } from 'assay-client'
import { laidOut } from '../format/values.ts'
import type { Opened } from './opened.ts'

interface Side {
  name: string
  text: string
}

export interface Pair {
  id: string
  old: Side | undefined
  name: string
  output: Side
}

/** `baseline` is the paired scenario, once it is here: until then its pair has no old text. */
export function pairsOf(
  { scenario, output, outputIndex, base }: Opened,
  baseline: EvaluationScenario | undefined,
): Pair[] {
  if (!output) return []
  const { outputs, correct_answers: answers } = scenario
  const whole = {
    name: outputs.length > 1 ? `output ${outputIndex + 1} of ${outputs.length}` : 'output',
    text: laidOut(output.result.value),
  }
  const pair = (id: string, name: string, text: string | undefined): Pair => ({
    id,
    name,
    old: text === undefined ? undefined : { name, text },
    output: whole,
  })
  const expected = (answers ?? []).map(({ key, value }, index) => {
    const name = answers?.length === 1 ? 'expected' : `expected ${key}`
    const member = memberOf(output.result.value, key)
    const answer = pair(`expected ${index}`, name, value)
    return member === undefined
      ? answer
      : { ...answer, output: { name: `${whole.name}: ${key}`, text: laidOut(member) } }
  })
  const others = outputs.flatMap(({ result }, index) =>
    index === outputIndex ? [] : [pair(`output ${index}`, `output ${index + 1}`, laidOut(result.value))],
  )
  const beside = baseline && (baseline.outputs[outputIndex] ?? baseline.outputs[0])
  const ofBase = baseline && laidOut(beside?.result.value)
  return [...expected, ...others, ...(base ? [pair('baseline', 'baseline output', ofBase)] : [])]
}

/** An answer for `category` is about that member of an output that has one. */
function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}
