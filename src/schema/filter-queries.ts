// The filters and the order of rows as the parameters of a query.
import type { TProperties } from 'typebox'
import { FIELDS, type FilterField, formsOf, ORDERS, parameterOf, wordOf } from './filters.ts'
import { Type } from './type.ts'

function described(field: FilterField): string {
  return `${FIELDS[field].means}: ${formsOf(field).join(', ')}.`
}

/** The parameters whose names are known beforehand. */
export const filterQuery = {
  q: Type.Optional(Type.String({ description: `Rows where ${FIELDS.q.means}.` })),
  ...Object.fromEntries(
    (['latency', 'cost', 'is_pinned', 'note', 'error'] as const).map((field) => [
      field,
      Type.Optional(Type.String({ description: described(field) })),
    ]),
  ),
  base: Type.Optional(
    Type.String({ description: 'The id of an evaluation whose rows delta compares with.' }),
  ),
}

export const orderQuery = {
  order: Type.Optional(
    Type.String({
      description: `One of ${ORDERS.join(', ')}; desc in place of asc. Position breaks ties; rows without a value come last.`,
    }),
  ),
}

/** An object of query parameters that also takes filters by the names of evaluators and inputs. */
export function withNamedFilters<Members extends TProperties>(members: Members) {
  const patternProperties = Object.fromEntries(
    NAMED.map((field) => [`^${wordOf(field)}\\.`, Type.String({ title: parameterOf(field) })]),
  )
  return Type.Object(members, { additionalProperties: false, patternProperties })
}

const NAMED = ['result', 'input', 'delta', 'evaluator_error'] as const

/** Those whose names hold the name of an evaluator or input: properties of an object that is spread over the query. */
export const NAMED_FILTERS = {
  name: 'filters',
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  description: NAMED.map((field) => `${parameterOf(field)}: ${described(field)}`).join(' '),
  schema: {
    type: 'object',
    patternProperties: { [`^(${NAMED.map(wordOf).join('|')})\\.`]: { type: 'string' } },
    additionalProperties: false,
  },
  examples: { failed: { summary: 'Rows that failed', value: { 'result.exact_match': 'is.false' } } },
}
