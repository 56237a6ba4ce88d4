// In-memory model of filters and orders: which scenarios match, and how they are sorted.
import fc from 'fast-check'
import { formatInList } from '../../src/schema/filters/in-operand.ts'
import { EVALUATORS, type GeneratedScenario, resultOf, scoreOf } from './stored-evaluations.ts'

const THRESHOLD = 0.5

/** Booleans are verdicts, and so are the scores of `score`, which has a threshold. */
export function verdictOf(one: GeneratedScenario, evaluator: string): boolean | undefined {
  const result = resultOf(one, evaluator)
  if (!result || result.error) return undefined
  if (typeof result.value === 'boolean') return result.value
  const isDeclared = evaluator === 'score' && typeof result.value === 'number'
  return isDeclared ? (result.value as number) >= THRESHOLD : undefined
}

export function totalOf(one: GeneratedScenario, measure: 'cost' | 'latency'): number | undefined {
  const numbers = one.outputs.map((output) => output[measure]).filter((value) => value != null)
  return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0)
}

const OPERATORS = {
  eq: (a: unknown, b: unknown) => a === b,
  ne: (a: unknown, b: unknown) => a !== b,
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
}

export function satisfies(
  value: number | undefined,
  operator: keyof typeof OPERATORS,
  operand: number,
): boolean {
  return value !== undefined && OPERATORS[operator](value as never, operand as never)
}

type Predicate = (one: GeneratedScenario) => boolean
export interface FilterCase {
  parameter: string
  /** Several values repeat the parameter. */
  value: string | string[]
  matches: Predicate
}

export const comparisonOperator = fc.constantFrom(...(Object.keys(OPERATORS) as (keyof typeof OPERATORS)[]))

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const textMembers = fc.subarray(['0', '1', '0.5', '-1', 'Straße', '[1,{"a":2}]', 'null', '', 'a,b'], {
  minLength: 1,
})

export const filterCases: fc.Arbitrary<FilterCase> = fc.oneof(
  fc.tuple(fc.constantFrom('latency', 'cost'), comparisonOperator, fc.constantFrom(0, 0.25, 1, 3.5)).map(
    ([measure, operator, operand]): FilterCase => ({
      parameter: measure,
      value: `${operator}.${operand}`,
      matches: (one) => satisfies(totalOf(one, measure as 'cost'), operator, operand),
    }),
  ),
  fc.tuple(fc.constantFrom('latency', 'cost'), fc.subarray([0, 0.25, 1, 3.5, 99], { minLength: 1 })).map(
    ([measure, members]): FilterCase => ({
      parameter: measure,
      value: `in.(${members})`,
      matches: (one) => members.includes(totalOf(one, measure as 'cost') ?? Number.NaN),
    }),
  ),
  fc.tuple(fc.constantFrom(...EVALUATORS), textMembers).map(
    ([evaluator, members]): FilterCase => ({
      parameter: `result.${evaluator}`,
      value: `in.${formatInList(members)}`,
      matches: (one) => {
        const result = resultOf(one, evaluator)
        const score = scoreOf(one, evaluator)
        if (!result || result.error) return false
        if (typeof result.value === 'string') return members.includes(result.value)
        return score !== undefined && members.some((member) => member !== '' && Number(member) === score)
      },
    }),
  ),
  fc.tuple(fc.constantFrom('q', 'n'), textMembers).map(
    ([name, members]): FilterCase => ({
      parameter: `input.${name}`,
      value: `in.${formatInList(members)}`,
      matches: ({ inputs }) => {
        const input = inputs.find((one) => one.name === name)
        return input !== undefined && members.includes(plainText(input.value))
      },
    }),
  ),
  fc.constantFrom('true', 'false').map(
    (word): FilterCase => ({
      parameter: 'is_pinned',
      value: `is.${word}`,
      matches: ({ is_pinned }) => (is_pinned === true) === (word === 'true'),
    }),
  ),
  fc.constantFrom('present', 'null').map(
    (word): FilterCase => ({
      parameter: 'note',
      value: `is.${word}`,
      matches: ({ note }) => (note !== null) === (word === 'present'),
    }),
  ),
  fc.constantFrom('true', 'false').map(
    (word): FilterCase => ({
      parameter: 'error',
      value: `is.${word}`,
      matches: ({ outputs }) => outputs.some(({ result }) => result.error) === (word === 'true'),
    }),
  ),
  fc.constantFrom('HTTP <n> for k', 'HTTP 429 for k').map(
    (group): FilterCase => ({
      parameter: 'error',
      value: `eq.${group}`,
      matches: ({ outputs }) => group.includes('<n>') && outputs.some(({ result }) => result.error),
    }),
  ),
  fc.constantFrom(...EVALUATORS).map(
    (evaluator): FilterCase => ({
      parameter: `error.${evaluator}`,
      value: 'eq.Timeout after <n> ms',
      matches: (one) => resultOf(one, evaluator)?.error != null,
    }),
  ),
  fc.constantFrom('yes', 'ÄÖ "X"', 'canberra', 'again', '429', 'straße', 'nowhere').map(
    (text): FilterCase => ({
      parameter: 'q',
      value: text,
      matches: (one) => searchedText(one).includes(text.toLowerCase()),
    }),
  ),
  fc.shuffledSubarray(EVALUATORS, { minLength: 2, maxLength: 2 }).map(
    (names): FilterCase => ({
      parameter: 'disagree',
      value: names,
      matches: (one) => {
        const [first, second] = names.map((name) => verdictOf(one, name))
        return first !== undefined && second !== undefined && first !== second
      },
    }),
  ),
  fc.tuple(fc.constantFrom(...EVALUATORS), fc.constantFrom('true', 'false', 'null', 'error')).map(
    ([evaluator, word]): FilterCase => ({
      parameter: `result.${evaluator}`,
      value: `is.${word}`,
      matches: (one) => {
        const result = resultOf(one, evaluator)
        if (word === 'error') return result?.error != null
        if (word === 'null') return !result || (result.error == null && result.value == null)
        return verdictOf(one, evaluator) === (word === 'true')
      },
    }),
  ),
  fc
    .tuple(fc.constantFrom(...EVALUATORS), comparisonOperator, fc.constantFrom('0', '0.5', '1', '1.0', '-1'))
    .map(
      ([evaluator, operator, operand]): FilterCase => ({
        parameter: `result.${evaluator}`,
        value: `${operator}.${operand}`,
        matches: (one) => {
          const { value } = resultOf(one, evaluator) ?? {}
          const isText = typeof value === 'string' && !resultOf(one, evaluator)?.error
          if (isText && (operator === 'eq' || operator === 'ne')) return OPERATORS[operator](value, operand)
          return satisfies(scoreOf(one, evaluator), operator, Number(operand))
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
      ([name, operator, operand]): FilterCase => ({
        parameter: `input.${name}`,
        value: `${operator}.${operand}`,
        matches: ({ inputs }) => {
          const input = inputs.find((one) => one.name === name)
          return input !== undefined && OPERATORS[operator as 'eq'](plainText(input.value), operand)
        },
      }),
    ),
)

function searchedText({ inputs, outputs, correct_answers, note }: GeneratedScenario): string {
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

/** A scenario with every evaluator and input, so that filters never fail on an unknown name. */
export const SCENARIO_WITH_ALL_NAMES: GeneratedScenario = {
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

type SortKey = number | string | undefined

/** Sorts like the service: rows without a value come last, and ties keep their position. */
export function sorted(scenarios: GeneratedScenario[], order: string): GeneratedScenario[] {
  return sortedBy(scenarios, order, (one) => one)
}

/** Sorts rows by the scenario they contain, if any. */
export function sortedBy<Row>(
  rows: Row[],
  order: string,
  scenarioOf: (row: Row) => GeneratedScenario | undefined,
): Row[] {
  const [, by = '', name = '', direction = ''] = /^(\w+?)(?:\.(.*))?\.(asc|desc)$/.exec(order) ?? []
  const keysOf = (row: Row): SortKey[] => {
    const one = scenarioOf(row)
    if (!one) return [undefined, undefined]
    if (by !== 'result') return [totalOf(one, by as 'cost')]
    const result = resultOf(one, name)
    const text = typeof result?.value === 'string' && !result.error ? result.value : undefined
    return [scoreOf(one, name), text]
  }
  return sortedByKeys(rows, keysOf, direction === 'desc' ? -1 : 1)
}

export function sortedByKeys<Row>(rows: Row[], keysOf: (row: Row) => SortKey[], sign: 1 | -1): Row[] {
  const compare = (a: SortKey, b: SortKey) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return a < b ? -sign : a > b ? sign : 0
  }
  // The sort is stable, so ties keep their position.
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

/** There can be only one search, and one pair of evaluators. */
export const areValid = (filters: FilterCase[]) =>
  ['q', 'disagree'].every((name) => filters.filter(({ parameter }) => parameter === name).length < 2)

/** Several filters of one parameter repeat it. */
export function toQuery(filters: FilterCase[]): Record<string, string[]> {
  const groups = Object.groupBy(filters, ({ parameter }) => parameter)
  return Object.fromEntries(
    Object.entries(groups).map(([parameter, group = []]) => [parameter, group.flatMap(({ value }) => value)]),
  )
}
