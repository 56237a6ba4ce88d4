// The query parameters for filters and sort order.
import type { TOptional, TProperties, TString } from 'typebox'
import { Type } from '../schema-builders.ts'
import { type ListFilters, ROW_FIELDS, type RowField } from './fields.ts'
import {
  describeListFilter,
  filterForms,
  filterPattern,
  paramName,
  ROW_FILTER_DESCRIPTIONS,
} from './filters.ts'
import { ORDER_PATTERN, ORDERS } from './orders.ts'

function describeField(field: RowField): string {
  return `${ROW_FILTER_DESCRIPTIONS[field]}: ${filterForms(field).join(', ')}.`
}

function optionalText(description: string, pattern?: string): TOptional<TString> {
  return Type.Optional(Type.String({ description, ...(pattern !== undefined && { pattern }) }))
}

const NAMED_FIELDS = ROW_FIELDS.filter(([, { names }]) => names !== undefined)

/** The parameters with fixed names. */
export const filterQuery = {
  ...Object.fromEntries(
    ROW_FIELDS.filter(([, { names }]) => names === undefined).map(([name, field]) => [
      name,
      field.type === 'search'
        ? optionalText(`Full-text search: ${ROW_FILTER_DESCRIPTIONS[name]}.`)
        : optionalText(describeField(name), filterPattern(field)),
    ]),
  ),
  base: optionalText('The id of the baseline evaluation for `delta`.'),
}

export const orderQuery = {
  order: optionalText(
    `Sort order: one of ${ORDERS.join(', ')}. Use desc instead of asc for descending order. Ties are sorted by position. Rows without a value come last.`,
    ORDER_PATTERN,
  ),
}

/** An object of query parameters that also accepts filters named after evaluators and inputs. */
export function withNamedFilters<Members extends TProperties>(members: Members) {
  const patternProperties = Object.fromEntries(
    NAMED_FIELDS.map(([name, field]) => [
      `^${field.prefix ?? name}\\.`,
      Type.String({ title: paramName(name), pattern: filterPattern(field) }),
    ]),
  )
  return Type.Object(members, { additionalProperties: false, patternProperties })
}

/** The filters named after an evaluator or input, as an exploded object parameter of OpenAPI. */
export const NAMED_FILTERS = {
  name: 'filters',
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  description: NAMED_FIELDS.map(([field]) => `${paramName(field)}: ${describeField(field)}`).join(' '),
  schema: {
    type: 'object',
    patternProperties: {
      [`^(${NAMED_FIELDS.map(([field, { prefix = field }]) => prefix).join('|')})\\.`]: { type: 'string' },
    },
    additionalProperties: false,
  },
  examples: { failed: { summary: 'Rows that failed', value: { 'result.exact_match': 'is.false' } } },
}

export function listFilterQuery<Filters extends ListFilters>(filters: Filters) {
  const parameters = Object.entries(filters).map(
    ([name, field]) =>
      [name, optionalText(`Filter: ${describeListFilter(field)}.`, filterPattern(field, 'eq'))] as const,
  )
  return Object.fromEntries(parameters) as Record<keyof Filters & string, TOptional<TString>>
}
