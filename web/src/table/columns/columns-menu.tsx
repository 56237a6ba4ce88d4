// The menu that chooses and orders the columns.
import { Menu } from '../../ui/menu.tsx'
import type { ColumnChoice } from './column-choice.ts'
import type { ColumnType } from './column-type.ts'
import styles from './columns-menu.module.css'

const MOVES = [
  { by: -1, arrow: '↑', direction: 'up' },
  { by: 1, arrow: '↓', direction: 'down' },
]

interface ColumnsMenuProps<Kind extends string> {
  choice: ColumnChoice<Kind>
  types: Record<Kind, Pick<ColumnType<never, never, never>, 'label'>>
}

export function ColumnsMenu<Kind extends string>({ choice, types }: ColumnsMenuProps<Kind>) {
  const { allColumns, chosenColumns, choose } = choice
  const chosenKeys = chosenColumns.map(({ key }) => key)
  const hiddenColumns = allColumns.filter(({ key }) => !chosenKeys.includes(key))
  function swap(index: number, otherIndex: number): void {
    const newKeys = [...chosenKeys]
    const [key, otherKey] = [newKeys[index], newKeys[otherIndex]]
    if (key === undefined || otherKey === undefined) return
    newKeys[index] = otherKey
    newKeys[otherIndex] = key
    choose(newKeys)
  }
  /** Pinned columns are always first, so a pinned and an unpinned column cannot be swapped. */
  const canSwap = (index: number, otherIndex: number) =>
    chosenColumns[index]?.isPinned === chosenColumns[otherIndex]?.isPinned
  return (
    <Menu label="▦ Columns" title="Choose and order the columns">
      <ul className={styles.columnList}>
        {/* Chosen and hidden columns are in one list, so that a checkbox keeps the focus when its column moves. */}
        {[...chosenColumns, ...hiddenColumns].map((column, index) => {
          const isChosen = index < chosenColumns.length
          const { label } = types[column.kind]
          const otherKeys = chosenKeys.filter((key) => key !== column.key)
          return (
            <li key={column.key}>
              <label>
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={isChosen && chosenColumns.length === 1}
                  onChange={(event) => {
                    if (isChosen) focusNextCheckbox(event.currentTarget)
                    choose(isChosen ? otherKeys : [...chosenKeys, column.key])
                  }}
                />{' '}
                {column.name}
                {label !== column.name && <span className="muted"> {label}</span>}
              </label>
              {isChosen &&
                MOVES.map(({ by, arrow, direction }) => (
                  <button
                    key={by}
                    type="button"
                    data-keep-open=""
                    className="plain"
                    aria-label={`Move ${column.name} ${direction}`}
                    aria-disabled={!canSwap(index, index + by)}
                    onClick={() => canSwap(index, index + by) && swap(index, index + by)}
                  >
                    {arrow}
                  </button>
                ))}
            </li>
          )
        })}
      </ul>
    </Menu>
  )
}

/** Hiding a column moves its checkbox to the end of the list, so the focus goes to the checkbox after it. */
function focusNextCheckbox(checkbox: HTMLElement): void {
  checkbox.closest('li')?.nextElementSibling?.querySelector('input')?.focus()
}
