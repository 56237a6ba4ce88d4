// The table of one section. Rows outside of the visible range are not rendered.
import type { Evaluation } from 'assay-client'
import { memo } from 'react'
import { type RowRange, renderedRows } from '../../../ui/visible-rows.ts'
import type { RowSelection, Section } from '../page-state.ts'
import type { Order } from '../search-params.ts'
import { Cell } from './cells.tsx'
import { columnTracks } from './column-layout.ts'
import type { Column } from './columns.ts'
import { SectionHeader } from './section-header.tsx'
import { ROW_PX } from './section-layout.ts'
import styles from './table.module.css'

interface SectionTableProps extends RowSelection, RowRange {
  section: Section
  columns: readonly Column[]
  order: Order | undefined
  /** The width of the page. */
  widthPx: number
  nameWidthPx: number
  /** The row in the tab order of the page. */
  activeId: string | undefined
  onActivate: (id: string) => void
  onToggle: (id: string) => void
  hasMore: boolean
  isStale: boolean
  baselineIds: ReadonlySet<string>
}

/** Memoized, because scrolling changes only the sections that enter or leave the window. */
export const SectionTable = memo(function SectionTable(props: SectionTableProps) {
  const { section, columns, order, from, to, widthPx, nameWidthPx, activeId, onActivate, onToggle } = props
  const { hasMore, isStale, baselineIds, selectedIds, onSelect } = props
  const { rows, title } = section
  const activeIndex = rows.findIndex(({ id }) => id === activeId)
  const { tracks, minWidthPx } = columnTracks(columns, nameWidthPx, widthPx)
  return (
    <div className={minWidthPx > widthPx ? styles.wideSection : styles.section}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the ARIA grid pattern requires it
        role="grid"
        aria-label={title}
        data-section={section.id}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        aria-busy={isStale}
        className={styles.grid}
        style={{ '--columns': tracks, minWidth: minWidthPx } as object}
      >
        <SectionHeader
          section={section}
          columns={columns}
          order={order}
          hasMore={hasMore}
          selectedIds={selectedIds}
          onSelect={onSelect}
        />
        <tbody className={isStale ? styles.staleRows : styles.rows} style={{ height: rows.length * ROW_PX }}>
          {renderedRows({ from, to }, activeIndex === -1 ? undefined : activeIndex).map((index) => {
            const evaluation = rows[index]
            if (!evaluation) return null
            const { id, name } = evaluation
            const isSelected = selectedIds.has(id)
            return (
              <tr
                key={id}
                data-id={id}
                aria-rowindex={index + 2}
                aria-selected={isSelected}
                tabIndex={id === activeId ? 0 : -1}
                className={styles.row}
                style={{ transform: `translateY(${index * ROW_PX}px)` }}
                onFocus={() => onActivate(id)}
                onClick={() => onActivate(id)}
              >
                <td className={styles.select}>
                  <input
                    type="checkbox"
                    aria-label={`Select ${name ?? id}`}
                    checked={isSelected}
                    tabIndex={-1}
                    onChange={() => onToggle(id)}
                  />
                </td>
                <Cells columns={columns} evaluation={evaluation} isBaseline={baselineIds.has(id)} />
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
})

interface CellsProps {
  columns: readonly Column[]
  evaluation: Evaluation
  isBaseline: boolean
}

/** Memoized, because selecting and focusing a row does not change its cells. */
const Cells = memo(function Cells({ columns, ...props }: CellsProps) {
  return columns.map((column) => <Cell key={column.id} column={column} {...props} />)
})
