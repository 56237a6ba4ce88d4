// The menu that chooses and orders the columns.
import { Menu } from '../../ui/menu.tsx'
import type { ColumnChoice, TableColumn } from './column-choice.ts'
import styles from './columns-menu.module.css'

export function ColumnsMenu({ choice }: { choice: ColumnChoice }) {
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
                <ColumnLabel column={column} />
              </label>
              {isChosen && (
                <>
                  <button
                    type="button"
                    data-keep-open=""
                    className="plain"
                    aria-label={`Move ${column.name} up`}
                    aria-disabled={!canSwap(index, index - 1)}
                    onClick={() => canSwap(index, index - 1) && swap(index, index - 1)}
                  >
                    ↑
                  </button>
                  <button
                    type="button"
                    data-keep-open=""
                    className="plain"
                    aria-label={`Move ${column.name} down`}
                    aria-disabled={!canSwap(index, index + 1)}
                    onClick={() => canSwap(index, index + 1) && swap(index, index + 1)}
                  >
                    ↓
                  </button>
                </>
              )}
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

function ColumnLabel({ column: { kind, name } }: { column: TableColumn }) {
  return (
    <>
      {name}
      {kind !== name && <span className="muted"> {kind === 'result' ? 'evaluator' : kind}</span>}
    </>
  )
}
