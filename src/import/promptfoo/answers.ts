// Finds the correct answers of a promptfoo result: in its assertions and in variables with usual names.
import { Json } from '../../json/value.ts'
import type { ScenarioBuilder } from '../scenario-builder.ts'

/** Assertions whose value is an answer, or a part of one. The values of all others are conditions, code or settings. */
const ANSWER_TYPES: ReadonlySet<string> = new Set([
  // The output must be or contain the value.
  ...['equals', 'starts-with', 'contains', 'contains-all', 'contains-any'],
  ...['icontains', 'icontains-all', 'icontains-any'],
  // The output is compared with the value as a reference.
  ...['similar', 'similar:cosine', 'similar:dot', 'similar:euclidean', 'levenshtein'],
  ...['bleu', 'gleu', 'meteor', 'rouge-n', 'tool-call-f1'],
  // A model compares the output or its context with the value as the truth.
  ...['factuality', 'model-graded-factuality', 'context-recall'],
])

/** Variables that usually contain the expected answer. */
const ANSWER_VARIABLES = ['expected', '__expected', 'ground_truth', 'reference', 'answer']

export function addAnswers(builder: ScenarioBuilder, row: Json, vars: Json | undefined): void {
  const components = row.get('gradingResult', 'componentResults')?.elements ?? []
  const renderedValues = new Map<string, Json | undefined>()
  for (const component of components)
    renderedValues.set(keyOf(component.get('assertion')), component.get('metadata', 'renderedAssertionValue'))
  const addAnswer = (assertion: Json | undefined): void => {
    for (const inner of assertion?.get('assert')?.elements ?? []) addAnswer(inner)
    const type = assertion?.get('type')?.string ?? ''
    if (!ANSWER_TYPES.has(type)) return
    const value = renderedValues.get(keyOf(assertion)) ?? assertion?.get('value')
    for (const answer of value?.isArray ? value.elements : value ? [value] : [])
      if (isLiteral(answer)) builder.addCorrectAnswer(assertion?.get('metric')?.string ?? type, answer)
  }
  const assertions = row.get('testCase', 'assert')?.elements
  for (const assertion of assertions ?? components.map((component) => component.get('assertion')))
    addAnswer(assertion)
  for (const name of ANSWER_VARIABLES) {
    const value = vars?.get(name)
    const answer = name === '__expected' && value ? parseExpected(value) : value
    if (answer) builder.addCorrectAnswer(name, answer)
  }
}

function keyOf(assertion: Json | undefined): string {
  return `${assertion?.get('type')?.text} ${assertion?.get('value')?.text}`
}

/** False for templates and for references to files, whose content the file does not contain. */
function isLiteral({ string = '' }: Json): boolean {
  return !/\{\{|\{%|^(file:\/\/|package:)/.test(string)
}

/** The answer in a text such as `contains: Paris`. Undefined if the text is an assertion without an answer. */
function parseExpected(value: Json): Json | undefined {
  const text = value.string?.trim() ?? ''
  if (!isLiteral(Json.of(text))) return undefined
  const [prefix, type = ''] = /^([a-z][a-z0-9:-]*?)(?:\([\d.]+\))?:(?!\/\/)/.exec(text) ?? []
  if (prefix === undefined) return value
  return ANSWER_TYPES.has(type) ? Json.of(text.slice(prefix.length).trim()) : undefined
}
