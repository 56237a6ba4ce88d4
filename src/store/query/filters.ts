// Converts filters to SQL conditions on the rows of one evaluation, over `measure AS row`.
import { Problem } from '../../errors.ts'
import { parseExact } from '../../json/exact-number.ts'
import { toStorableText } from '../../json/storable-text.ts'
import type { RowField } from '../../schema/filters/fields.ts'
import { type Filter, numberOf, type OperandValue, type RowFilter } from '../../schema/filters/filters.ts'
import { quoteNames } from '../../schema/validation/truncate.ts'
import type { SqlFragments } from '../dialect/dialect.ts'
import {
  DEFAULT_EVALUATOR,
  type DeclaredEvaluator,
  type DeclaredEvaluators,
} from '../evaluations/evaluators.ts'
import {
  type BoundSql,
  columnCondition,
  joinAlternatives,
  joinConditions,
  memberCondition,
  SIGNS,
} from '../reads/conditions.ts'
import type { ColumnOrdinals } from '../scenarios/columns.ts'
import { type ValueHashes, valueHashes } from '../scenarios/row-hashes.ts'
import { normalizeSearch } from '../search/search-text.ts'

/** The evaluation that conditions apply to. */
export interface FilterContext {
  evaluation: number
  ordinals: ColumnOrdinals
  sql: SqlFragments
  declared: DeclaredEvaluators
}

/** A filter on scenarios. Filters by `delta` and `flaky` need all scenarios of a row and are applied in memory. */
export type ColumnFilter = Filter<Exclude<RowField, 'delta' | 'flaky'>>

export function isColumnFilter(filter: RowFilter): filter is ColumnFilter {
  return filter.field !== 'delta' && filter.field !== 'flaky'
}

/** Throws invalid-request if the evaluation does not have a named column. */
export function buildCondition(filter: ColumnFilter, context: FilterContext): BoundSql {
  return CONDITION_BUILDERS[filter.field](filter, context)
}

type ConditionBuilder = (filter: ColumnFilter, context: FilterContext) => BoundSql

const compareColumn =
  (column: string): ConditionBuilder =>
  (filter, { sql }) =>
    columnCondition(column, filter, sql)

const compareFlag =
  (column: string, trueWord: string): ConditionBuilder =>
  ({ value }) => ({ sql: `${column} = ?`, values: [Number(value === trueWord)] })

/** Compares a column of `repetition`, which has no entry for most scenarios. */
const compareRepetition =
  (column: string): ConditionBuilder =>
  (filter, { evaluation, sql }) => {
    const isMissing = filter.operator === 'is' && filter.value === 'null'
    const condition =
      filter.operator === 'is'
        ? { sql: `${column} IS NOT NULL`, values: [] }
        : columnCondition(column, filter, sql)
    return {
      sql: `row.position ${isMissing ? 'NOT IN' : 'IN'} (SELECT position FROM repetition
        WHERE evaluation = ? AND ${sql.cancelable('position')} AND ${condition.sql})`,
      values: [evaluation, ...condition.values],
    }
  }

const compareErrorGroup = compareColumn('row.error_group')
const compareErrorFlag = compareFlag('row.has_error', 'true')

const CONDITION_BUILDERS: Record<ColumnFilter['field'], ConditionBuilder> = {
  q: ({ value }, { evaluation, sql }) => ({
    sql: `row.position IN (${sql.searchPositions})`,
    values: [evaluation, normalizeSearch(String(value))],
  }),
  latency: compareColumn('row.latency'),
  cost: compareColumn('row.cost'),
  is_pinned: compareFlag('row.is_pinned', 'true'),
  note: compareFlag('row.has_note', 'present'),
  sample: compareRepetition('sample'),
  // PostgreSQL rejects a fraction as an operand of an integer column.
  repetition: compareRepetition('CAST(number AS DOUBLE PRECISION)'),
  error: (filter, context) =>
    (filter.operator === 'is' ? compareErrorFlag : compareErrorGroup)(filter, context),
  evaluator_error: (filter, context) => selectResults(filter, context, compareColumn('error_group')),
  result: (filter, context) =>
    filter.operator === 'is' && filter.value === 'null'
      ? selectResults(filter, context, () => ({ sql: HAS_RESULT, values: [] }), 'NOT IN')
      : selectResults(filter, context, matchResult),
  disagree({ value }, { evaluation, ordinals, declared, sql }) {
    const find = (name: OperandValue = '') => ({
      ordinal: getOrdinal(ordinals.score, String(name), 'evaluator'),
      declared: declared.get(toStorableText(String(name))),
    })
    const [first, second] = [value].flat()
    const pair = [find(first), find(second)] as const
    const pairs = selectResultPairs(evaluation, pair, sql)
    const differ = joinAlternatives([matchVerdicts(pair, true, false), matchVerdicts(pair, false, true)])
    return {
      sql: `row.position IN (SELECT a.position ${pairs.sql} AND ${differ.sql})`,
      values: [...pairs.values, ...differ.values],
    }
  },
  input({ name, operator, value }, { evaluation, ordinals, sql }) {
    const ordinal = getOrdinal(ordinals.input, name, 'input')
    const hashes = [value].flat().map((operand) => computeOperandHashes(String(operand)))
    const isEqual = joinAlternatives([
      memberCondition(
        'text_hash',
        hashes.map(({ text_hash }) => text_hash),
      ),
      memberCondition(
        'hash',
        hashes.map(({ hash }) => hash),
      ),
    ])
    return {
      sql: `row.position IN (SELECT position FROM input
        WHERE evaluation = ? AND input = ? AND ${sql.cancelable('position')} AND ${operator === 'ne' ? 'NOT ' : ''}${isEqual.sql})`,
      values: [evaluation, ordinal, ...isEqual.values],
    }
  },
}

const HAS_RESULT = '(is_error = 1 OR number IS NOT NULL OR text IS NOT NULL)'

/** Selects rows by the result of an evaluator. `match` builds a condition on `result`. */
function selectResults(
  filter: ColumnFilter,
  context: FilterContext,
  match: ConditionBuilder,
  membership = 'IN',
): BoundSql {
  const ordinal = getOrdinal(context.ordinals.score, filter.name, 'evaluator')
  const { sql, values } = match(filter, context)
  return {
    sql: `row.position ${membership} (SELECT position FROM result
      WHERE evaluation = ? AND evaluator = ? AND ${context.sql.cancelable('position')} AND ${sql})`,
    values: [context.evaluation, ordinal, ...values],
  }
}

/** Values of failed evaluators never match. */
const matchResult: ConditionBuilder = ({ name, ...condition }, { declared }) => {
  const { operator, value } = condition
  if (operator === 'is') {
    if (value === 'error') return { sql: 'is_error = 1', values: [] }
    return matchVerdict(value === 'true', declared.get(toStorableText(name)))
  }
  if (operator === 'contains' || operator === 'has')
    throw new Error('A filter on results needs a comparison operator')
  if (operator === 'in') return matchMembers(value.map(String))
  const sign = SIGNS[operator]
  if (typeof value === 'number') return { sql: `is_error = 0 AND number ${sign} ?`, values: [value] }
  const [number, text] = [numberOf(value), toStorableText(value)]
  if (number !== undefined) {
    return { sql: `is_error = 0 AND (number ${sign} ? OR text ${sign} ?)`, values: [number, text] }
  }
  // A number always differs from a text operand.
  const orIsNumber = operator === 'ne' ? ' OR number IS NOT NULL' : ''
  return { sql: `is_error = 0 AND (text ${sign} ?${orIsNumber})`, values: [text] }
}

/** Results that are equal to a member, as a number or as a text. */
function matchMembers(members: string[]): BoundSql {
  const numbers = members.map(numberOf).filter((number) => number !== undefined)
  const { sql, values } = joinAlternatives([
    memberCondition('text', members.map(toStorableText)),
    ...(numbers.length > 0 ? [memberCondition('number', numbers)] : []),
  ])
  return { sql: `is_error = 0 AND ${sql}`, values }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Hashes that match a value by its plain text, or by any equivalent JSON notation. */
function computeOperandHashes(operand: string): ValueHashes {
  const { text_hash, hash: textHash } = valueHashes(operand)
  const value = numberOf(operand) === undefined ? parseJson(operand) : parseExact(operand)
  return { text_hash, hash: value === undefined ? textHash : valueHashes(value).hash }
}

/** The index of a name. Throws invalid-request with the existing names if it does not exist. */
export function getOrdinal(
  ordinals: Map<string, number>,
  requestedName: string,
  kind: 'evaluator' | 'input',
): number {
  const ordinal = ordinals.get(toStorableText(requestedName))
  if (ordinal !== undefined) return ordinal
  const hint = ordinals.size === 0 ? `It has no ${kind}.` : `It has ${quoteNames([...ordinals.keys()])}.`
  throw new Problem('invalid-request', `The evaluation has no ${kind} '${requestedName}'. ${hint}`)
}

/** The results of a table, or of its alias, that passed or failed. Results of failed evaluators are no verdicts. */
function matchVerdict(
  hasPassed: boolean,
  { higher_is_better, threshold }: DeclaredEvaluator = DEFAULT_EVALUATOR,
  table = 'result',
): BoundSql {
  const verdict = `${table}.is_verdict = 1 AND ${table}.number = ${Number(hasPassed)}`
  if (threshold === null) return { sql: `${table}.is_error = 0 AND ${verdict}`, values: [] }
  const sign = higher_is_better ? (hasPassed ? '>=' : '<') : hasPassed ? '<=' : '>'
  return {
    sql: `${table}.is_error = 0 AND (${verdict} OR ${table}.is_verdict = 0 AND ${table}.number ${sign} ?)`,
    values: [threshold],
  }
}

/** One of two evaluators whose results are compared. */
interface PairedEvaluator {
  ordinal: number
  declared: DeclaredEvaluator | undefined
}

type EvaluatorPair = readonly [first: PairedEvaluator, second: PairedEvaluator]

/** The results of two evaluators for the same row, as tables `a` and `b`: SQL from FROM to WHERE. */
function selectResultPairs(evaluation: number, [first, second]: EvaluatorPair, sql: SqlFragments): BoundSql {
  return {
    sql: `FROM result AS a CROSS JOIN result AS b WHERE a.evaluation = ? AND a.evaluator = ?
      AND b.evaluation = a.evaluation AND b.evaluator = ? AND b.position = a.position
      AND ${sql.cancelable('a.position')}`,
    values: [evaluation, first.ordinal, second.ordinal],
  }
}

/** The pairs of results with these verdicts. */
function matchVerdicts(
  [first, second]: EvaluatorPair,
  hasFirstPassed: boolean,
  hasSecondPassed: boolean,
): BoundSql {
  return joinConditions([
    matchVerdict(hasFirstPassed, first.declared, 'a'),
    matchVerdict(hasSecondPassed, second.declared, 'b'),
  ])
}
