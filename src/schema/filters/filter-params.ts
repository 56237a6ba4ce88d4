// The query parameters for filters and sort order.
import type { TOptional, TProperties, TString } from 'typebox'
import { Type } from '../schema-builders.ts'
import { describeFilter, type ListFilters } from './list-filters.ts'
import { FIELDS, type FilterField, filterForms, ORDERS, paramName, paramPrefix } from './row-filters.ts'

function describeField(field: FilterField): string {
  return `${FIELDS[field].description}: ${filterForms(field).join(', ')}.`
}

/** The parameters with fixed names. */
export const filterQuery = {
  q: Type.Optional(Type.String({ description: `Full-text search: ${FIELDS.q.description}.` })),
  ...Object.fromEntries(
    (['latency', 'cost', 'is_pinned', 'note', 'error'] as const).map((field) => [
      field,
      Type.Optional(Type.String({ description: describeField(field) })),
    ]),
  ),
  base: Type.Optional(Type.String({ description: 'The id of the baseline evaluation for `delta`.' })),
}

export const orderQuery = {
  order: Type.Optional(
    Type.String({
      description: `Sort order: one of ${ORDERS.join(', ')}. Use desc instead of asc for descending order. Ties are sorted by position. Rows without a value come last.`,
    }),
  ),
}

/** An object of query parameters that also accepts filters named after evaluators and inputs. */
export function withNamedFilters<Members extends TProperties>(members: Members) {
  const patternProperties = Object.fromEntries(
    NAMED_FIELDS.map((field) => [`^${paramPrefix(field)}\\.`, Type.String({ title: paramName(field) })]),
  )
  return Type.Object(members, { additionalProperties: false, patternProperties })
}

const NAMED_FIELDS = ['result', 'input', 'delta', 'evaluator_error'] as const

/** The filters named after an evaluator or input, as an exploded object parameter of OpenAPI. */
export const NAMED_FILTERS = {
  name: 'filters',
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  description: NAMED_FIELDS.map((field) => `${paramName(field)}: ${describeField(field)}`).join(' '),
  schema: {
    type: 'object',
    patternProperties: { [`^(${NAMED_FIELDS.map(paramPrefix).join('|')})\\.`]: { type: 'string' } },
    additionalProperties: false,
  },
  examples: { failed: { summary: 'Rows that failed', value: { 'result.exact_match': 'is.false' } } },
}

export function listFilterQuery<Filters extends ListFilters>(filters: Filters) {
  const parameters = Object.entries(filters).map(([name, kind]) => {
    const description = `Filter: ${describeFilter(kind)}.`
    return [name, Type.Optional(Type.String({ description }))] as const
  })
  return Object.fromEntries(parameters) as Record<keyof Filters & string, TOptional<TString>>
}
