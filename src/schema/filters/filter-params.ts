// The query parameters for filters and sort order.
import type { TOptional, TProperties, TSchema, TString } from 'typebox'
import { Type } from '../schema-builders.ts'
import { describeForms } from './corrections.ts'
import { type FilterField, type ListFilters, ROW_FIELDS, ROW_FILTERS, type RowField } from './fields.ts'
import { filterForms, filterPattern, paramName, ROW_FILTER_DESCRIPTIONS } from './filters.ts'
import { LIST_ORDERS, ORDER_PATTERN, ORDERS } from './orders.ts'

/** The maximum number of filters of a request. Each filter can read all rows. */
export const MAX_FILTERS = 32

function describeField(field: RowField): string {
  return `${ROW_FILTER_DESCRIPTIONS[field]}: ${filterForms(ROW_FILTERS[field]).join(', ')}.`
}

function optionalText(description: string, pattern?: string): TOptional<TString> {
  return Type.Optional(Type.String({ description, ...(pattern !== undefined && { pattern }) }))
}

/** A filter can be repeated. Every value is a condition. */
function repeatable(field: FilterField, options: object) {
  return Type.Array(Type.String({ pattern: filterPattern(field) }), { maxItems: MAX_FILTERS, ...options })
}

function describeParameter(name: RowField, field: FilterField): TOptional<TSchema> {
  if (field.type === 'search') return optionalText(`Full-text search: ${ROW_FILTER_DESCRIPTIONS[name]}.`)
  if (field.type !== 'pair') return Type.Optional(repeatable(field, { description: describeField(name) }))
  const description = `Filter: ${ROW_FILTER_DESCRIPTIONS[name]}.`
  return Type.Optional(Type.Array(Type.String(), { minItems: 2, maxItems: 2, description }))
}

const NAMED_FIELDS = ROW_FIELDS.filter(([, { names }]) => names !== undefined)

/** The baseline of a request. */
export function baseQuery(description: string): TOptional<TString> {
  return optionalText(
    `The id of the baseline evaluation. Without a value: the default baseline, see \`chosen\` in the response. ${description}`,
  )
}

/** The parameters with fixed names. */
export const filterQuery = {
  ...Object.fromEntries(
    ROW_FIELDS.filter(([, { names }]) => names === undefined).map(([name, field]) => [
      name,
      describeParameter(name, field),
    ]),
  ),
  base: baseQuery('`delta` refers to it.'),
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
      repeatable(field, { title: paramName(name) }),
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

/** The parameters for filters and order of a list. */
export function listFilterQuery(filters: ListFilters): Record<string, TOptional<TSchema>> {
  const parameters = Object.entries(filters).map(([name, field]) => [
    name,
    field.columns
      ? optionalText(describeSearch(field.columns))
      : Type.Optional(repeatable(field, { description: `Filter. ${describeForms(field)}` })),
  ])
  const order = Type.Enum(LIST_ORDERS, {
    description:
      'Sort order. Default: `created_at.desc`. Names are compared by the code points of their first 200 characters, and entries without a name by their id.',
  })
  return { ...Object.fromEntries(parameters), order: Type.Optional(order) }
}

/** What the search of a list finds. */
export function describeSearch(columns: readonly string[]): string {
  return `entries with this text in the ${columns.join(' or the ')}; ignores the case of A to Z`
}
