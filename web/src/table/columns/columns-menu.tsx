// The menu that chooses and orders the columns.
import { Menu } from '../../ui/menu.tsx'
import type { ColumnChoice, TableColumn } from './column-choice.ts'
import styles from './columns-menu.module.css'

export function ColumnsMenu({ choice }: { choice: ColumnChoice }) {
  const { all, chosen, choose } = choice
  const keys = chosen.map((one) => one.key)
  const hidden = all.filter((one) => !keys.includes(one.key))
  function swap(at: number, other: number): void {
    const next = [...keys]
    const [one, two] = [next[at], next[other]]
    if (one === undefined || two === undefined) return
    next[at] = two
    next[other] = one
    choose(next)
  }
  /** Pinned columns come first, so only columns of the same group can be swapped. */
  const canSwap = (at: number, other: number) => chosen[at]?.isPinned === chosen[other]?.isPinned
  return (
    <Menu label="▦ Columns" title="Choose and order the columns">
      <ul className={styles.columnList}>
        {/* One list for all columns, so that a moved checkbox keeps the focus. */}
        {[...chosen, ...hidden].map((column, at) => {
          const isChosen = at < chosen.length
          const others = keys.filter((key) => key !== column.key)
          return (
            <li key={column.key}>
              <label>
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={isChosen && chosen.length === 1}
                  onChange={(event) => {
                    if (isChosen) focusNextCheckbox(event.currentTarget)
                    choose(isChosen ? others : [...keys, column.key])
                  }}
                />{' '}
                {columnLabel(column)}
              </label>
              {isChosen && (
                <>
                  <button
                    type="button"
                    data-stay=""
                    className="plain"
                    aria-label={`Move ${column.name} up`}
                    aria-disabled={!canSwap(at, at - 1)}
                    onClick={() => canSwap(at, at - 1) && swap(at, at - 1)}
                  >
                    ↑
                  </button>
                  <button
                    type="button"
                    data-stay=""
                    className="plain"
                    aria-label={`Move ${column.name} down`}
                    aria-disabled={!canSwap(at, at + 1)}
                    onClick={() => canSwap(at, at + 1) && swap(at, at + 1)}
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

/** A hidden column moves to the end of the list; the focus stays at its old position. */
function focusNextCheckbox(box: HTMLElement): void {
  box.closest('li')?.nextElementSibling?.querySelector('input')?.focus()
}

function columnLabel({ kind, name }: TableColumn) {
  return (
    <>
      {name}
      {kind !== name && <span className="muted"> {kind === 'result' ? 'evaluator' : kind}</span>}
    </>
  )
}
