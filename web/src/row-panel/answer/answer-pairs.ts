// What the selected output can be compared with: an expected answer, another output or the baseline's output.
import type { EvaluationScenario } from 'assay-client'
import { indentedText } from '../../format/value-text.ts'

export interface Side {
  name: string
  value: unknown
}

export interface AnswerPair {
  id: string
  name: string
  /** The name of the expected answer; undefined for other outputs. */
  expectedKey?: string
  /** What the output is compared with. Undefined while loading. */
  other: Side | undefined
  output: Side
}

/** The part of a scenario that reviewers see, too. */
export interface ComparedScenario extends Pick<EvaluationScenario, 'correct_answers'> {
  outputs: Pick<EvaluationScenario['outputs'][number], 'result'>[]
}

interface AnswerPairsOptions {
  scenario: ComparedScenario
  outputIndex: number
  hasBaseline: boolean
  /** The matched scenario in the baseline. Its pair has no other side until it is loaded. */
  baseline: ComparedScenario | undefined
}

export function answerPairsOf(options: AnswerPairsOptions): AnswerPair[] {
  const { scenario, outputIndex, hasBaseline, baseline } = options
  const { outputs, correct_answers: answers } = scenario
  const output = outputs[outputIndex]
  if (!output) return []
  const selectedOutput = {
    name: outputs.length > 1 ? `Output ${outputIndex + 1} of ${outputs.length}` : 'Output',
    value: output.result.value,
  }
  const expectedPairs = (answers ?? []).map(({ key, value }, index): AnswerPair => {
    const member = memberOf(output.result.value, key)
    const isUnique = answers?.filter((answer) => answer.key === key).length === 1
    const label = isUnique ? key : `${key} ${index + 1}`
    return {
      id: `expected ${index}`,
      name: answers?.length === 1 ? 'expected answer' : `expected ${label}`,
      expectedKey: label,
      other: { name: answers?.length === 1 ? 'Expected' : `Expected: ${label}`, value },
      output:
        member === undefined ? selectedOutput : { name: `${selectedOutput.name}: ${key}`, value: member },
    }
  })
  const outputPairs = outputs.flatMap(({ result }, index): AnswerPair[] => {
    if (index === outputIndex) return []
    const other = { name: `Output ${index + 1}`, value: result.value }
    return [
      {
        id: `output ${index}`,
        name: `output ${index + 1}`,
        other,
        output: selectedOutput,
      },
    ]
  })
  const baselineOutput = baseline && (baseline.outputs[outputIndex] ?? baseline.outputs[0])
  const baselinePair: AnswerPair = {
    id: 'baseline',
    name: 'baseline output',
    other: baseline && { name: 'Baseline output', value: baselineOutput?.result.value },
    output: selectedOutput,
  }
  // Answers for members of the output are no alternatives to each other.
  const areAlternatives = expectedPairs.every((pair) => pair.output === selectedOutput)
  return [
    ...(areAlternatives ? bestMatchFirst(expectedPairs) : expectedPairs),
    ...outputPairs,
    ...(hasBaseline ? [baselinePair] : []),
  ]
}

/** An expected answer named `category` is compared with the member `category` of the output, if it has one. */
function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}

/** Moves the expected answer that is most similar to the output to the start. */
function bestMatchFirst(pairs: AnswerPair[]): AnswerPair[] {
  const [first] = pairs
  if (!first || pairs.length < 2) return pairs
  const similarityToOutput = similarityTo(indentedText(first.output.value))
  const similarities = pairs.map(({ other }) => similarityToOutput(indentedText(other?.value)))
  const best = pairs[similarities.indexOf(Math.max(...similarities))] ?? first
  return [best, ...pairs.filter((pair) => pair !== best)]
}

/** Characters of each text that are compared, so that long texts take no longer than a few milliseconds. */
const COMPARED_LENGTH = 5000

/**
 * Dice's coefficient of the pairs of adjacent characters: 0 if two texts have none in common, 1 if they have the same. It
 * needs no word boundaries, so it works for all languages, and its time is linear.
 */
function similarityTo(text: string): (other: string) => number {
  const pairs = characterPairs(text)
  return (other) => {
    if (other === text) return Number.POSITIVE_INFINITY
    const otherPairs = characterPairs(other)
    return (2 * pairs.intersection(otherPairs).size) / Math.max(1, pairs.size + otherPairs.size)
  }
}

function characterPairs(text: string): Set<string> {
  const start = text.slice(0, COMPARED_LENGTH).toLowerCase()
  return new Set(
    Array.from({ length: Math.max(0, start.length - 1) }, (_, index) => start.slice(index, index + 2)),
  )
}
