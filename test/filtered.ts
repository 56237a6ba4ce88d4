// Filters and orders by brute force: which of some scenarios they leave, and how those are sorted, without a database.
import fc from 'fast-check'
import { EVALUATORS, type GeneratedScenario, resultOf, scoreOf } from './evaluations-of.ts'

const THRESHOLD = 0.5

/** The verdict of an evaluator: booleans are one, and scores of `score`, which has a threshold. */
function verdictOf(one: GeneratedScenario, evaluator: string): boolean | undefined {
  const result = resultOf(one, evaluator)
  if (!result || result.error) return undefined
  if (typeof result.value === 'boolean') return result.value
  const isDeclared = evaluator === 'score' && typeof result.value === 'number'
  return isDeclared ? (result.value as number) >= THRESHOLD : undefined
}

function totalOf(one: GeneratedScenario, what: 'cost' | 'latency'): number | undefined {
  const numbers = one.outputs.map((output) => output[what]).filter((value) => value != null)
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0)
}

const SIGNS = {
  eq: (a: unknown, b: unknown) => a === b,
  ne: (a: unknown, b: unknown) => a !== b,
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
}

export function compares(value: number | undefined, operator: keyof typeof SIGNS, operand: number): boolean {
  return value !== undefined && SIGNS[operator](value as never, operand as never)
}

type Test = (one: GeneratedScenario) => boolean
export interface Case {
  parameter: string
  value: string
  holds: Test
}

export const comparison = fc.constantFrom(...(Object.keys(SIGNS) as (keyof typeof SIGNS)[]))

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const cases: fc.Arbitrary<Case> = fc.oneof(
  fc.tuple(fc.constantFrom('latency', 'cost'), comparison, fc.constantFrom(0, 0.25, 1, 3.5)).map(
    ([what, operator, operand]): Case => ({
      parameter: what,
      value: `${operator}.${operand}`,
      holds: (one) => compares(totalOf(one, what as 'cost'), operator, operand),
    }),
  ),
  fc.constantFrom('true', 'false').map(
    (word): Case => ({
      parameter: 'is_pinned',
      value: `is.${word}`,
      holds: ({ is_pinned }) => (is_pinned === true) === (word === 'true'),
    }),
  ),
  fc.constantFrom('present', 'null').map(
    (word): Case => ({
      parameter: 'note',
      value: `is.${word}`,
      holds: ({ note }) => (note !== null) === (word === 'present'),
    }),
  ),
  fc.constantFrom('true', 'false').map(
    (word): Case => ({
      parameter: 'error',
      value: `is.${word}`,
      holds: ({ outputs }) => outputs.some(({ result }) => result.error) === (word === 'true'),
    }),
  ),
  fc.constantFrom('HTTP <n> for k', 'HTTP 429 for k').map(
    (group): Case => ({
      parameter: 'error',
      value: `eq.${group}`,
      holds: ({ outputs }) => group.includes('<n>') && outputs.some(({ result }) => result.error),
    }),
  ),
  fc.constantFrom(...EVALUATORS).map(
    (evaluator): Case => ({
      parameter: `error.${evaluator}`,
      value: 'eq.Timeout after <n> ms',
      holds: (one) => resultOf(one, evaluator)?.error != null,
    }),
  ),
  fc.constantFrom('yes', 'ÄÖ "X"', 'canberra', 'again', '429', 'straße', 'nowhere').map(
    (text): Case => ({
      parameter: 'q',
      value: text,
      holds: (one) => searched(one).includes(text.toLowerCase()),
    }),
  ),
  fc.tuple(fc.constantFrom(...EVALUATORS), fc.constantFrom('true', 'false', 'null', 'error')).map(
    ([evaluator, word]): Case => ({
      parameter: `result.${evaluator}`,
      value: `is.${word}`,
      holds: (one) => {
        const result = resultOf(one, evaluator)
        if (word === 'error') return result?.error != null
        if (word === 'null') return !result || (result.error == null && result.value == null)
        return verdictOf(one, evaluator) === (word === 'true')
      },
    }),
  ),
  fc.tuple(fc.constantFrom(...EVALUATORS), comparison, fc.constantFrom('0', '0.5', '1', '1.0', '-1')).map(
    ([evaluator, operator, operand]): Case => ({
      parameter: `result.${evaluator}`,
      value: `${operator}.${operand}`,
      holds: (one) => {
        const { value } = resultOf(one, evaluator) ?? {}
        const isText = typeof value === 'string' && !resultOf(one, evaluator)?.error
        if (isText && (operator === 'eq' || operator === 'ne')) return SIGNS[operator](value, operand)
        return compares(scoreOf(one, evaluator), operator, Number(operand))
      },
    }),
  ),
  fc
    .tuple(
      fc.constantFrom('q', 'n'),
      fc.constantFrom('eq', 'ne'),
      fc.constantFrom('1', 'Straße', '[1,{"a":2}]', 'null'),
    )
    .map(
      ([name, operator, operand]): Case => ({
        parameter: `input.${name}`,
        value: `${operator}.${operand}`,
        holds: ({ inputs }) => {
          const input = inputs.find((one) => one.name === name)
          return input !== undefined && SIGNS[operator as 'eq'](plainText(input.value), operand)
        },
      }),
    ),
)

function searched({ inputs, outputs, correct_answers, note }: GeneratedScenario): string {
  const values = [
    ...inputs.map(({ value }) => value),
    ...outputs.flatMap(({ result }) => [result.value, result.error?.message]),
    ...(correct_answers ?? []).map(({ value }) => value),
    note,
  ]
  return values
    .filter((value) => value != null)
    .map(plainText)
    .join('\n')
    .toLowerCase()
}

/** Every evaluator and input is there, so that none of them is refused as unknown. */
export const EVERYTHING: GeneratedScenario = {
  id: 'everything',
  inputs: ['q', 'n'].map((name) => ({ name, type: 'text', value: 'y' })),
  outputs: [],
  correct_answers: null,
  is_pinned: null,
  note: null,
  results: EVALUATORS.map((evaluator_config) => ({
    evaluator_config,
    result: { type: 'bool', value: true },
  })),
}

export const DECLARED = [{ name: 'score', threshold: THRESHOLD }]

type Sorted = number | string | undefined

/** Sorts as the service does: rows without a value last, position breaks ties. */
export function sorted(scenarios: GeneratedScenario[], order: string): GeneratedScenario[] {
  return sortedBy(scenarios, order, (one) => one)
}

/** The same of rows that have a scenario, or none. */
export function sortedBy<Row>(
  rows: Row[],
  order: string,
  scenarioOf: (row: Row) => GeneratedScenario | undefined,
): Row[] {
  const [, by = '', name = '', direction = ''] = /^(\w+?)(?:\.(.*))?\.(asc|desc)$/.exec(order) ?? []
  const keysOf = (row: Row): Sorted[] => {
    const one = scenarioOf(row)
    if (!one) return [undefined, undefined]
    if (by !== 'result') return [totalOf(one, by as 'cost')]
    const result = resultOf(one, name)
    const text = typeof result?.value === 'string' && !result.error ? result.value : undefined
    return [scoreOf(one, name), text]
  }
  return sortedByKeys(rows, keysOf, direction === 'desc' ? -1 : 1)
}

export function sortedByKeys<Row>(rows: Row[], keysOf: (row: Row) => Sorted[], sign: 1 | -1): Row[] {
  const compare = (a: Sorted, b: Sorted) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return a < b ? -sign : a > b ? sign : 0
  }
  // A sort that is stable keeps the position among equals.
  return rows.toSorted((a, b) => {
    const [first, second] = [keysOf(a), keysOf(b)]
    return first.map((value, index) => compare(value, second[index])).find((sign) => sign !== 0) ?? 0
  })
}

export const orders = fc.constantFrom(
  'latency.asc',
  'latency.desc',
  'cost.desc',
  ...EVALUATORS.flatMap((name) => [`result.${name}.asc`, `result.${name}.desc`]),
)
