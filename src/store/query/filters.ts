// Converts filters to SQL conditions on the rows of one evaluation, over `measure AS row`.
import { Problem } from '../../errors.ts'
import { parseExact } from '../../json/exact-number.ts'
import { toStorableText } from '../../json/storable-text.ts'
import { OPERATORS } from '../../schema/filters/operators.ts'
import { type Filter, numberOf } from '../../schema/filters/row-filters.ts'
import { quoteNames } from '../../schema/validation/truncate.ts'
import type { SqlFragments, Value } from '../dialect/dialect.ts'
import type { ScenarioColumns } from '../scenarios/derived-columns.ts'
import { type ValueHashes, valueHashes } from '../scenarios/row-hashes.ts'

/** SQL text with the values for its placeholders. */
export interface BoundSql {
  sql: string
  values: Value[]
}

/** The evaluation that conditions apply to. */
export interface FilterContext {
  evaluation: number
  columns: ScenarioColumns
  sql: SqlFragments
  /** The declared threshold of an evaluator, which turns its scores into verdicts. */
  threshold(evaluator: string): { threshold: number; higher_is_better: boolean } | undefined
  /** Selects `position` and `delta` of every row with comparable scores in the baseline. */
  deltas(evaluator: string): BoundSql
}

/** Combines all filters; `1 = 1` for none. Throws invalid-request if the evaluation does not have a named column. */
export function buildCondition(filters: Filter[], context: FilterContext): BoundSql {
  const conditions = filters.map((filter) => CONDITION_BUILDERS[filter.field](filter, context))
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND ') || '1 = 1',
    values: conditions.flatMap(({ values }) => values),
  }
}

type ConditionBuilder = (filter: Filter, context: FilterContext) => BoundSql

const CONDITION_BUILDERS: Record<Filter['field'], ConditionBuilder> = {
  q(filter, { evaluation, sql }) {
    const text = filter.operator === 'is' ? '' : filter.operand
    return {
      sql: `row.position IN (SELECT position FROM search WHERE evaluation = ? AND ${sql.contains('text', '?')})`,
      values: [evaluation, toStorableText(text.toLowerCase())],
    }
  },
  latency: (filter) => numberCondition('row.latency', filter),
  cost: (filter) => numberCondition('row.cost', filter),
  is_pinned: (filter) => flagCondition('row.is_pinned', filter, 'true'),
  note: (filter) => flagCondition('row.has_note', filter, 'present'),
  error(filter) {
    if (filter.operator === 'is') return flagCondition('row.has_error', filter, 'true')
    return { sql: 'row.error_group = ?', values: [toStorableText(filter.operand)] }
  },
  evaluator_error(filter, { evaluation, columns }) {
    const ordinal = getOrdinal(columns.score, filter.name, 'evaluator')
    const group = filter.operator === 'is' ? '' : filter.operand
    return {
      sql: `row.position IN (SELECT position FROM result
        WHERE evaluation = ? AND evaluator = ? AND error_group = ?)`,
      values: [evaluation, ordinal, toStorableText(group)],
    }
  },
  result: resultCondition,
  input(filter, { evaluation, columns }) {
    const ordinal = getOrdinal(columns.input, filter.name, 'input')
    const { text_hash, hash } = computeOperandHashes(filter.operator === 'is' ? '' : filter.operand)
    const isEqual = '(text_hash = ? OR hash = ?)'
    return {
      sql: `row.position IN (SELECT position FROM input
        WHERE evaluation = ? AND input = ? AND ${filter.operator === 'ne' ? `NOT ${isEqual}` : isEqual})`,
      values: [evaluation, ordinal, text_hash, hash],
    }
  },
  delta(filter, { deltas }) {
    const pairs = deltas(filter.name)
    const { sql, values } = numberCondition('compared.delta', filter)
    return {
      sql: `row.position IN (SELECT compared.position FROM (${pairs.sql}) AS compared WHERE ${sql})`,
      values: [...pairs.values, ...values],
    }
  },
}

function numberCondition(column: string, filter: Filter): BoundSql {
  if (filter.operator === 'is' || filter.operator === 'contains')
    throw new Error(`A filter on ${column} needs a comparison operator`)
  return { sql: `${column} ${OPERATORS[filter.operator].sign} ?`, values: [numberOf(filter.operand) ?? null] }
}

function flagCondition(column: string, filter: Filter, trueWord: string): BoundSql {
  return { sql: `${column} = ?`, values: [Number(filter.operator === 'is' && filter.word === trueWord)] }
}

function resultCondition(filter: Filter, context: FilterContext): BoundSql {
  const ordinal = getOrdinal(context.columns.score, filter.name, 'evaluator')
  const isNull = filter.operator === 'is' && filter.word === 'null'
  const { sql, values } = isNull
    ? { sql: '(is_error = 1 OR number IS NOT NULL OR text IS NOT NULL)', values: [] }
    : matchResult(filter, context)
  return {
    sql: `row.position ${isNull ? 'NOT IN' : 'IN'} (SELECT position FROM result
      WHERE evaluation = ? AND evaluator = ? AND ${sql})`,
    values: [context.evaluation, ordinal, ...values],
  }
}

/** A condition on `result`. Values of failed evaluators never match. */
function matchResult(filter: Filter, context: FilterContext): BoundSql {
  if (filter.operator === 'is') {
    if (filter.word === 'error') return { sql: 'is_error = 1', values: [] }
    return matchVerdict(filter.word === 'true', context.threshold(filter.name))
  }
  if (filter.operator === 'contains') throw new Error('A filter on results needs a comparison operator')
  const number = numberOf(filter.operand)
  if (filter.operator !== 'eq' && filter.operator !== 'ne') {
    return { sql: `is_error = 0 AND number ${OPERATORS[filter.operator].sign} ?`, values: [number ?? null] }
  }
  const sign = OPERATORS[filter.operator].sign
  const text = toStorableText(filter.operand)
  if (number !== undefined) {
    return { sql: `is_error = 0 AND (number ${sign} ? OR text ${sign} ?)`, values: [number, text] }
  }
  // A number always differs from a text operand.
  const orIsNumber = filter.operator === 'ne' ? ' OR number IS NOT NULL' : ''
  return { sql: `is_error = 0 AND (text ${sign} ?${orIsNumber})`, values: [text] }
}

function matchVerdict(hasPassed: boolean, declared: ReturnType<FilterContext['threshold']>): BoundSql {
  const verdict = `is_verdict = 1 AND number = ${Number(hasPassed)}`
  if (!declared) return { sql: `is_error = 0 AND ${verdict}`, values: [] }
  const sign = declared.higher_is_better ? (hasPassed ? '>=' : '<') : hasPassed ? '<=' : '>'
  return {
    sql: `is_error = 0 AND (${verdict} OR is_verdict = 0 AND number ${sign} ?)`,
    values: [declared.threshold],
  }
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
export function getOrdinal(names: string[], requestedName: string, kind: 'evaluator' | 'input'): number {
  const ordinal = names.indexOf(toStorableText(requestedName))
  if (ordinal !== -1) return ordinal
  const hint = names.length === 0 ? `It has no ${kind}.` : `It has ${quoteNames(names)}.`
  throw new Problem('invalid-request', `The evaluation has no ${kind} '${requestedName}'. ${hint}`)
}
