// Filters as SQL: conditions on the rows of one evaluation, over `measure AS row`.
import { Problem } from '../errors.ts'
import { exactValue } from '../json/exact.ts'
import { storable } from '../json/storable.ts'
import { type Filter, numberOf } from '../schema/filters.ts'
import { OPERATORS } from '../schema/operators.ts'
import type { ScenarioColumns } from './derived.ts'
import type { SqlWords, Value } from './dialect/dialect.ts'
import { type ValueHashes, valueHashes } from './row-hashes.ts'
import { shownNames } from './shown-names.ts'

/** SQL with the values for its placeholders. */
export interface Fragment {
  sql: string
  values: Value[]
}

/** What conditions are about. */
export interface FilterContext {
  evaluation: number
  columns: ScenarioColumns
  words: SqlWords
  /** Turns the scores of an evaluator into verdicts, where its evaluation declares a threshold. */
  threshold(evaluator: string): { threshold: number; higher_is_better: boolean } | undefined
  /** Gives `position` and `delta` of every row that can be compared with the base on an evaluator, for whoever has a base. */
  deltas(evaluator: string): Fragment
}

/** One condition for all of them; `1 = 1` for none. Throws invalid-request where a name is not one of the evaluation. */
export function conditionOf(filters: Filter[], context: FilterContext): Fragment {
  const conditions = filters.map((filter) => CONDITIONS[filter.field](filter, context))
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND ') || '1 = 1',
    values: conditions.flatMap(({ values }) => values),
  }
}

type Condition = (filter: Filter, context: FilterContext) => Fragment

const CONDITIONS: Record<Filter['field'], Condition> = {
  q(filter, { evaluation, words }) {
    const text = filter.operator === 'is' ? '' : filter.operand
    return {
      sql: `row.position IN (SELECT position FROM search WHERE evaluation = ? AND ${words.contains('text', '?')})`,
      values: [evaluation, storable(text.toLowerCase())],
    }
  },
  latency: (filter) => compared('row.latency', filter),
  cost: (filter) => compared('row.cost', filter),
  is_pinned: (filter) => flagged('row.is_pinned', filter, 'true'),
  note: (filter) => flagged('row.has_note', filter, 'present'),
  error(filter) {
    if (filter.operator === 'is') return flagged('row.has_error', filter, 'true')
    return { sql: 'row.error_group = ?', values: [storable(filter.operand)] }
  },
  evaluator_error(filter, { evaluation, columns }) {
    const ordinal = ordinalOf(columns.score, filter.name, 'evaluator')
    const group = filter.operator === 'is' ? '' : filter.operand
    return {
      sql: `row.position IN (SELECT position FROM result
        WHERE evaluation = ? AND evaluator = ? AND error_group = ?)`,
      values: [evaluation, ordinal, storable(group)],
    }
  },
  result: resultCondition,
  input(filter, { evaluation, columns }) {
    const ordinal = ordinalOf(columns.input, filter.name, 'input')
    const { text_hash, hash } = operandHashes(filter.operator === 'is' ? '' : filter.operand)
    const same = '(text_hash = ? OR hash = ?)'
    return {
      sql: `row.position IN (SELECT position FROM input
        WHERE evaluation = ? AND input = ? AND ${filter.operator === 'ne' ? `NOT ${same}` : same})`,
      values: [evaluation, ordinal, text_hash, hash],
    }
  },
  delta(filter, { deltas }) {
    const pairs = deltas(filter.name)
    const { sql, values } = compared('compared.delta', filter)
    return {
      sql: `row.position IN (SELECT compared.position FROM (${pairs.sql}) AS compared WHERE ${sql})`,
      values: [...pairs.values, ...values],
    }
  },
}

function compared(column: string, filter: Filter): Fragment {
  if (filter.operator === 'is' || filter.operator === 'contains') throw new Error(`${column} is compared`)
  return { sql: `${column} ${OPERATORS[filter.operator].sign} ?`, values: [numberOf(filter.operand) ?? null] }
}

function flagged(column: string, filter: Filter, yes: string): Fragment {
  return { sql: `${column} = ?`, values: [Number(filter.operator === 'is' && filter.word === yes)] }
}

function resultCondition(filter: Filter, context: FilterContext): Fragment {
  const ordinal = ordinalOf(context.columns.score, filter.name, 'evaluator')
  const isNull = filter.operator === 'is' && filter.word === 'null'
  const { sql, values } = isNull
    ? { sql: '(is_error = 1 OR number IS NOT NULL OR text IS NOT NULL)', values: [] }
    : resultIs(filter, context)
  return {
    sql: `row.position ${isNull ? 'NOT IN' : 'IN'} (SELECT position FROM result
      WHERE evaluation = ? AND evaluator = ? AND ${sql})`,
    values: [context.evaluation, ordinal, ...values],
  }
}

/** A condition on `result`. What an evaluator said before it failed does not count. */
function resultIs(filter: Filter, context: FilterContext): Fragment {
  if (filter.operator === 'is') {
    if (filter.word === 'error') return { sql: 'is_error = 1', values: [] }
    return verdictIs(filter.word === 'true', context.threshold(filter.name))
  }
  if (filter.operator === 'contains') throw new Error('results are compared')
  const number = numberOf(filter.operand)
  if (filter.operator !== 'eq' && filter.operator !== 'ne') {
    return { sql: `is_error = 0 AND number ${OPERATORS[filter.operator].sign} ?`, values: [number ?? null] }
  }
  const sign = OPERATORS[filter.operator].sign
  const text = storable(filter.operand)
  if (number !== undefined) {
    return { sql: `is_error = 0 AND (number ${sign} ? OR text ${sign} ?)`, values: [number, text] }
  }
  // A score is never the text that was asked for.
  const other = filter.operator === 'ne' ? ' OR number IS NOT NULL' : ''
  return { sql: `is_error = 0 AND (text ${sign} ?${other})`, values: [text] }
}

function verdictIs(hasPassed: boolean, declared: ReturnType<FilterContext['threshold']>): Fragment {
  const verdict = `is_verdict = 1 AND number = ${Number(hasPassed)}`
  if (!declared) return { sql: `is_error = 0 AND ${verdict}`, values: [] }
  const sign = declared.higher_is_better ? (hasPassed ? '>=' : '<') : hasPassed ? '<=' : '>'
  return {
    sql: `is_error = 0 AND (${verdict} OR is_verdict = 0 AND number ${sign} ?)`,
    values: [declared.threshold],
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** A value is found by its text, or by any other way to write it as JSON. */
function operandHashes(operand: string): ValueHashes {
  const { text_hash, hash: ofText } = valueHashes(operand)
  const value = numberOf(operand) === undefined ? parsed(operand) : exactValue(operand)
  return { text_hash, hash: value === undefined ? ofText : valueHashes(value).hash }
}

/** Throws invalid-request with the names there are. */
export function ordinalOf(names: string[], asked: string, kind: 'evaluator' | 'input'): number {
  const ordinal = names.indexOf(storable(asked))
  if (ordinal !== -1) return ordinal
  const known = names.length === 0 ? `It has no ${kind}.` : `It has ${shownNames(names)}.`
  throw new Problem('invalid-request', `The evaluation has no ${kind} '${asked}'. ${known}`)
}
