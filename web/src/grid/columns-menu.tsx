// Which columns the table has, and in which order.
import { Menu } from '../parts/menu.tsx'
import type { ColumnChoice, GridColumn } from './columns.ts'
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
  /** Pinned columns stand before the others, so that only columns of a kind change places. */
  const isBeside = (at: number, other: number) => chosen[at]?.isPinned === chosen[other]?.isPinned
  return (
    <Menu label="▦ Columns" title="Choose and order the columns">
      <ul className={styles.columnList}>
        {/* One list of all, so that a box that moves keeps the focus. */}
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
                    if (isChosen) toNextBox(event.currentTarget)
                    choose(isChosen ? others : [...keys, column.key])
                  }}
                />{' '}
                {words(column)}
              </label>
              {isChosen && (
                <>
                  <button
                    type="button"
                    data-stay=""
                    className="plain"
                    aria-label={`Move ${column.name} up`}
                    aria-disabled={!isBeside(at, at - 1)}
                    onClick={() => isBeside(at, at - 1) && swap(at, at - 1)}
                  >
                    ↑
                  </button>
                  <button
                    type="button"
                    data-stay=""
                    className="plain"
                    aria-label={`Move ${column.name} down`}
                    aria-disabled={!isBeside(at, at + 1)}
                    onClick={() => isBeside(at, at + 1) && swap(at, at + 1)}
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

/** A column that is hidden goes to the end of the list: the keyboard stays where it was. */
function toNextBox(box: HTMLElement): void {
  box.closest('li')?.nextElementSibling?.querySelector('input')?.focus()
}

function words({ kind, name }: GridColumn) {
  return (
    <>
      {name}
      {kind !== name && <span className="soft"> {kind === 'result' ? 'evaluator' : kind}</span>}
    </>
  )
}
