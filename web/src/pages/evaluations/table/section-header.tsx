// The header of a section: the name of its variant or source, and a sort button for each column.
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { splitName } from '../../../format/split-name.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { RowSelection, Section } from '../page-state.ts'
import type { Order } from '../search-params.ts'
import type { Column } from './columns.ts'
import styles from './table.module.css'

const NEXT_DIRECTION = { none: 'desc', descending: 'asc', ascending: undefined } as const

interface SectionHeaderProps extends RowSelection {
  section: Section
  columns: readonly Column[]
  order: Order | undefined
  /** Whether older evaluations are not loaded yet. */
  hasMore: boolean
}

export function SectionHeader({
  section,
  columns,
  order,
  hasMore,
  selectedIds,
  onSelect,
}: SectionHeaderProps) {
  const { rows, title } = section
  const titles = section.columns.map(({ title }) => title)
  const areAllSelected = rows.every(({ id }) => selectedIds.has(id))
  function toggleAll() {
    const ids = rows.map(({ id }) => id)
    const others = [...selectedIds].filter((id) => !ids.includes(id))
    onSelect(new Set(areAllSelected ? others : [...others, ...ids]))
  }
  return (
    <thead>
      <tr aria-rowindex={1} data-header="" className={`${styles.row} ${styles.header}`}>
        <th scope="col" className={styles.select}>
          <input
            type="checkbox"
            aria-label={`Select all of ${title}`}
            checked={areAllSelected}
            tabIndex={-1}
            onChange={toggleAll}
          />
        </th>
        {columns.map((column, index) =>
          column.id === 'name' ? (
            <NameHeader key="name" section={section} order={order} hasMore={hasMore} />
          ) : (
            <ColumnHeader
              key={column.id}
              column={column}
              previous={columns[index - 1]}
              otherTitles={titles}
              order={order}
            />
          ),
        )}
      </tr>
    </thead>
  )
}

function NameHeader({ section, order, hasMore }: Pick<SectionHeaderProps, 'section' | 'order' | 'hasMore'>) {
  const { variantId, title, rows, evaluations } = section
  const count = `${hasMore ? 'newest ' : ''}${pluralize(evaluations.length, 'evaluation')}`
  return (
    <th scope="col" aria-sort={directionOf(order, 'name')} className={styles.name}>
      <span className={`ellipsis ${styles.group}`}>
        {variantId === null ? (
          title
        ) : (
          <Link to="/variants/$variantId" params={{ variantId }} tabIndex={-1}>
            {title}
          </Link>
        )}
      </span>
      {rows.length < evaluations.length ? (
        <Link
          to="/"
          search={{ variant_id: `eq.${variantId}` }}
          tabIndex={-1}
          className={styles.more}
          data-tooltip={`Show ${hasMore ? 'all' : `all ${count}`}`}
        >
          {formatCount(rows.length)} of {hasMore && 'newest '}
          {formatCount(evaluations.length)} shown
        </Link>
      ) : (
        <SortButton id="name" label="Sort by name" order={order}>
          {count}
        </SortButton>
      )}
      {variantId !== null && evaluations.length > 1 && (
        <Link
          to="/leaderboard"
          search={{ variant_id: `eq.${variantId}` }}
          tabIndex={-1}
          className={`${styles.more} ${styles.leaderboard}`}
          data-tooltip="Rank them over the rows that all of them have"
          data-shortcut="l"
        >
          Leaderboard
        </Link>
      )}
    </th>
  )
}

interface ColumnHeaderProps {
  column: Column
  previous: Column | undefined
  /** The titles of the columns of the section, also of hidden ones. */
  otherTitles: readonly string[]
  order: Order | undefined
}

function ColumnHeader({ column, previous, otherTitles, order }: ColumnHeaderProps) {
  const { id, title, unit, description, isNumeric, hasChanges } = column
  const [start, end] = splitName(title, otherTitles)
  const className = [
    isNumeric ? styles.number : styles.cell,
    hasChanges && styles.beforeChange,
    // The changes of the previous column have no header, so its space is free.
    isNumeric && previous?.hasChanges && styles.afterChange,
  ]
  return (
    <th scope="col" aria-sort={directionOf(order, id)} className={className.filter(Boolean).join(' ')}>
      <SortButton
        id={id}
        name={unit ? `${title} ${unit}` : title}
        label={description && `${title}: ${description}`}
        order={order}
      >
        <span className={styles.columnTitle}>
          <span className="ellipsis">{start}</span>
          {end && <span>{end}</span>}
          {unit && <span className={styles.unit}> {unit}</span>}
        </span>
      </SortButton>
    </th>
  )
}

interface SortButtonProps {
  id: string
  /** The accessible name, if the text is in parts. */
  name?: string
  label: string | undefined
  order: Order | undefined
  children: React.ReactNode
}

function SortButton({ id, name, label, order, children }: SortButtonProps) {
  const changeParams = useChangeSearchParams<'/'>()
  const direction = directionOf(order, id)
  const nextDirection = NEXT_DIRECTION[direction]
  return (
    <button
      type="button"
      className={`plain ${styles.sort}`}
      tabIndex={-1}
      aria-label={name}
      data-tooltip={label}
      onClick={() => changeParams({ order: nextDirection && `${id}.${nextDirection}` })}
    >
      {children}
      {direction !== 'none' && <Icon icon={direction === 'ascending' ? ArrowUp : ArrowDown} size={12} />}
    </button>
  )
}

function directionOf(order: Order | undefined, id: string): 'none' | 'ascending' | 'descending' {
  if (order?.column !== id) return 'none'
  return order.isDescending ? 'descending' : 'ascending'
}
