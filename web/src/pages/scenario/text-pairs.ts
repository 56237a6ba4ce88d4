// The text pairs that the Diff tab can compare: the selected output with an expected answer, another output or the
// baseline's output.
import type { EvaluationScenario } from 'assay-client'
import { indentedText } from '../../format/value-text.ts'
import type { ScenarioState } from './scenario-state.ts'

interface NamedText {
  name: string
  text: string
}

export interface TextPair {
  id: string
  /** Undefined while loading. */
  old: NamedText | undefined
  name: string
  output: NamedText
}

/** `baseline` is the matched scenario. Its pair has no old text until it is loaded. */
export function textPairsOf(
  { scenario, output, outputIndex, baselineRow }: ScenarioState,
  baseline: EvaluationScenario | undefined,
): TextPair[] {
  if (!output) return []
  const { outputs, correct_answers: answers } = scenario
  const selectedOutput = {
    name: outputs.length > 1 ? `output ${outputIndex + 1} of ${outputs.length}` : 'output',
    text: indentedText(output.result.value),
  }
  const createPair = (id: string, name: string, text: string | undefined): TextPair => ({
    id,
    name,
    old: text === undefined ? undefined : { name, text },
    output: selectedOutput,
  })
  const expectedPairs = (answers ?? []).map(({ key, value }, index) => {
    const name = answers?.length === 1 ? 'expected' : `expected ${key}`
    const member = memberOf(output.result.value, key)
    const answer = createPair(`expected ${index}`, name, value)
    return member === undefined
      ? answer
      : { ...answer, output: { name: `${selectedOutput.name}: ${key}`, text: indentedText(member) } }
  })
  const outputPairs = outputs.flatMap(({ result }, index) =>
    index === outputIndex
      ? []
      : [createPair(`output ${index}`, `output ${index + 1}`, indentedText(result.value))],
  )
  const baselineOutput = baseline && (baseline.outputs[outputIndex] ?? baseline.outputs[0])
  const baselineText = baseline && indentedText(baselineOutput?.result.value)
  return [
    ...expectedPairs,
    ...outputPairs,
    ...(baselineRow ? [createPair('baseline', 'baseline output', baselineText)] : []),
  ]
}

/** An expected answer named `category` is compared with the member `category` of the output, if it has one. */
function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}
