// Parses the filters of a request or of a command.
import { Problem } from '../../errors.ts'
import { describeInvalidFilter, describeInvalidPair, encodeForUrl } from './corrections.ts'
import { type FilterField, findRowField, type ListFilters, ROW_FILTERS } from './fields.ts'
import { MAX_FILTERS } from './filter-params.ts'
import { type Filter, type FilterCondition, parseCondition, parsePair, type RowFilter } from './filters.ts'

/** The filters of rows among parameters. `encode` writes corrections as the user has to. Throws invalid-request. */
export function parseFilters(query: Record<string, unknown>, encode = encodeForUrl): RowFilter[] {
  return limitFilters(
    Object.entries(query).flatMap(([parameter, value]) => {
      const target = findRowField(parameter)
      if (!target) return []
      return parseConditions(parameter, ROW_FILTERS[target.field], value, encode).map((condition) => ({
        ...target,
        ...condition,
      }))
    }),
  )
}

/** Throws invalid-request. The filters are in the order of the fields, for any order of the parameters. */
export function parseListFilters(fields: ListFilters, query: Record<string, unknown>): Filter[] {
  return limitFilters(
    Object.entries(fields).flatMap(([field, definition]) =>
      parseConditions(field, definition, query[field]).map((condition) => ({
        field,
        name: '',
        ...condition,
      })),
    ),
  )
}

/** The conditions of all values of a parameter. Throws invalid-request. */
function parseConditions(
  parameter: string,
  field: FilterField,
  value: unknown,
  encode = encodeForUrl,
): FilterCondition[] {
  const texts = [value ?? []].flat() as string[]
  if (field.type === 'pair' && texts.length > 0) {
    const pair = parsePair(texts)
    if (pair) return [pair]
    throw new Problem('invalid-request', describeInvalidPair(parameter, texts, encode))
  }
  return texts.map((text) => {
    const condition = parseCondition(field, text)
    if (condition) return condition
    throw new Problem('invalid-request', describeInvalidFilter(parameter, field, text, encode))
  })
}

function limitFilters<Filters extends unknown[]>(filters: Filters): Filters {
  if (filters.length <= MAX_FILTERS) return filters
  throw new Problem('invalid-request', `At most ${MAX_FILTERS} filters are allowed. Remove some of them.`)
}
