// The indexes of lists: which one finds the entries that match a filter, and conditions that let the engine use it.
import type { Filter, FilterCondition } from '../../schema/filters/filters.ts'
import type { ListOrder } from '../../schema/filters/orders.ts'

/** Texts can exceed the size limit of an index entry in PostgreSQL, so indexes contain their first characters. */
const indexedText = (text: string) => `substr(${text}, 1, 200)`

/** The value that lists are sorted by for the order `name`. */
export const SORTED_NAME = indexedText('coalesce(name, id)')

/** Most entries have this status, so there is no index for it. */
const COMMON_STATUS = 'finished'

/** Expressions that indexes contain instead of the column of a filter. */
const INDEXED_EXPRESSIONS: Record<string, string> = { name: SORTED_NAME, source: indexedText('source') }

/**
 * A condition that the filter implies, and that an index can be searched by: `value` is the placeholder of a value.
 * Undefined if there is none.
 */
export function impliedCondition(filter: Filter): { expression: string; value: string } | string | undefined {
  const { field, operator } = filter
  const expression = INDEXED_EXPRESSIONS[field]
  if (expression !== undefined && isEquality(filter)) return { expression, value: indexedText('?') }
  if (field === 'status' && excludesCommonStatus(filter)) return `status <> '${COMMON_STATUS}'`
  if (field === 'tags' && operator === 'has') return `tags <> '[]'`
  return undefined
}

function isEquality({ operator }: FilterCondition): boolean {
  return operator === 'eq' || operator === 'in'
}

function excludesCommonStatus({ operator, value }: FilterCondition): boolean {
  if (operator === 'ne') return value === COMMON_STATUS
  return isEquality({ operator, value } as FilterCondition) && ![value].flat().includes(COMMON_STATUS)
}

/** Filters in the order in which their indexes are preferred: the first ones match fewer entries. */
const FILTER_INDEXES: {
  suffix: string
  isUsable: (filter: Filter) => boolean
  /** Whether the entries can be so many that the index is only useful in its own order. */
  isForNewest?: true
}[] = [
  { suffix: 'name', isUsable: (filter) => filter.field === 'name' && isEquality(filter) },
  { suffix: 'variant', isUsable: (filter) => filter.field === 'variant_id' && isEquality(filter) },
  { suffix: 'family', isUsable: (filter) => filter.field === 'family' && isEquality(filter) },
  { suffix: 'status', isUsable: (filter) => filter.field === 'status' && excludesCommonStatus(filter) },
  { suffix: 'tag', isUsable: ({ field }) => field === 'tags', isForNewest: true },
  {
    suffix: 'source',
    isUsable: (filter) => filter.field === 'source' && isEquality(filter),
    isForNewest: true,
  },
]

/**
 * The index that SQLite must use for these filters. Without statistics, its planner reads the whole list in order.
 * Undefined if the list is best read in order.
 */
export function findFilterIndex(
  table: 'evaluation' | 'variant',
  filters: Filter[],
  { by }: ListOrder,
): string | undefined {
  const index = FILTER_INDEXES.find(
    ({ isUsable, isForNewest }) => filters.some(isUsable) && (!isForNewest || by === 'created_at'),
  )
  return index && `${table}_by_${index.suffix}`
}
