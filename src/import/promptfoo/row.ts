// Builds a scenario from a promptfoo result.
import { Json } from '../../json/value.ts'
import { type ErrorParts, ScenarioBuilder } from '../scenario-builder.ts'
import { errorOf, NameNumbers, unusedMembers } from '../values.ts'

/** Texts with which promptfoo reports that an assertion could not be evaluated. */
const EVALUATION_FAILED =
  /^(Custom function threw error|Python code execution failed|Ruby code execution failed|Webhook error|Moderation API error|Search rubric evaluation failed)\b/

const USED_MEMBERS = new Set([
  'id',
  'vars',
  'response',
  'cost',
  'latencyMs',
  'gradingResult',
  'namedScores',
  'success',
  'score',
  'testCase',
])

export function buildScenario(row: Json, id: string): ScenarioBuilder {
  const builder = new ScenarioBuilder(id)
  const vars = row.get('vars') ?? row.get('testCase', 'vars')
  for (const [name, value] of vars?.members ?? []) builder.addInput(name, value)
  addAnswers(builder, row, vars)
  const error = appError(row)
  if (!vars?.isObject) builder.addExtra('vars', vars)
  const latencyMs = row.get('latencyMs')
  const cost = row.get('cost') ?? row.get('response', 'cost')
  builder.addNonNumbers({ latencyMs, cost })
  builder.addOutput({ value: row.get('response', 'output'), error, cost, latencyMs })
  addResults(builder, row, error !== undefined)
  addComment(builder, row.get('gradingResult', 'comment')?.string)
  builder.addExtra('response', omitMembers(row.get('response'), 'output', 'error'))
  builder.addExtra('testCase', omitMembers(row.get('testCase'), 'vars'))
  builder.addExtra('gradingResult', omitMembers(row.get('gradingResult'), ...GRADING_USED))
  builder.addUnusedMembers(row, USED_MEMBERS)
  return builder
}

/** An error of the application, not of an assertion. */
function appError(row: Json): ErrorParts | undefined {
  const failureReason = row.get('failureReason')
  const response = row.get('response')
  const responseError = errorOf(response?.get('error'))
  if (responseError) return responseError
  const error = errorOf(row.get('error'))
  if (failureReason?.number === 2)
    return error ?? { message: 'The application failed. The file does not contain the cause.' }
  // The first releases do not write why a row failed.
  return failureReason === undefined && response?.get('output') === undefined ? error : undefined
}

function isAssertionSet(assertion: Json): boolean {
  return assertion.get('type')?.string === 'assert-set'
}

/** The assertion of a component result. Older versions do not name a set: the next one of the test is used. */
function assertionOf(component: Json, sets: Iterator<Json> | undefined): Json | undefined {
  const isSet = component.get('componentResults') && !component.get('assertion')
  if (!isSet) return component.get('assertion')
  const nextSet = sets?.next().value as Json | undefined
  return component.get('metadata', 'assertionSet') ?? nextSet
}

/** The evaluator name: the metric, else the type of the assertion. */
function nameOf(assertion: Json | undefined): string | undefined {
  return assertion?.get('metric')?.string ?? assertion?.get('type')?.string
}

const COMPONENT_USED = ['pass', 'reason'] as const
const GRADING_USED = ['pass', 'score', 'reason', 'comment', 'componentResults', 'namedScores'] as const

function addResults(builder: ScenarioBuilder, row: Json, hasFailed: boolean): void {
  const grading = row.get('gradingResult')
  // Reserves the name of the overall verdict.
  const names = new NameNumbers('pass')
  const sets = row.get('testCase', 'assert')?.elements.filter(isAssertionSet).values()
  for (const component of grading?.get('componentResults')?.elements ?? []) {
    const name = names.add(nameOf(assertionOf(component, sets)) ?? 'assertion')
    const extra = [...component.members].filter(([member]) => !COMPONENT_USED.includes(member as 'pass'))
    const reason = component.get('reason')
    const error = hasEvaluatorError(component)
      ? { message: reason?.plain ?? 'The evaluator failed.' }
      : undefined
    builder.addResult(name, {
      value: error ? undefined : component.get('pass'),
      type: 'bool',
      error,
      reason,
      extra,
    })
  }
  const scores = row.get('namedScores') ?? grading?.get('namedScores')
  if (!scores?.isObject) builder.addExtra('namedScores', scores)
  for (const [name, value] of scores?.members ?? [])
    builder.addResult(names.add(names.has(name) ? `${name}.score` : name), { value, type: 'number' })
  // If the application failed, there is no verdict: promptfoo counts an error, not a failure.
  const verdict = row.get('success') ?? grading?.get('pass')
  const score = row.get('score') ?? grading?.get('score')
  builder.addResult('pass', {
    value: hasFailed ? undefined : verdict,
    type: 'bool',
    reason: grading?.get('reason'),
    extra: [
      ['score', score],
      ['success', hasFailed ? verdict : undefined],
    ],
  })
}

function hasEvaluatorError(component: Json): boolean {
  if (component.get('metadata', 'graderError')?.boolean === true || component.get('error')) return true
  return (
    component.get('pass')?.boolean === false && EVALUATION_FAILED.test(component.get('reason')?.string ?? '')
  )
}

/** A comment that begins with !highlight pins the scenario. */
function addComment(builder: ScenarioBuilder, comment: string | undefined): void {
  if (comment === undefined) return
  const isPinned = comment.startsWith('!highlight')
  const note = isPinned ? comment.slice('!highlight'.length).trimStart() : comment
  if (isPinned) builder.is_pinned = true
  if (note !== '') builder.note = note
}

function omitMembers(object: Json | undefined, ...names: readonly string[]): Json | undefined {
  if (!object?.isObject) return object
  const members = unusedMembers(object, new Set(names))
  return members.length === 0 ? undefined : Json.object(members)
}

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

function addAnswers(builder: ScenarioBuilder, row: Json, vars: Json | undefined): void {
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
