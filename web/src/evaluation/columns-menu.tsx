// Which columns the table has, and in which order.
import { Menu } from '../parts/menu.tsx'
import styles from './column-menu.module.css'
import { type Column, useColumns } from './columns.ts'
import type { Shown } from './shown.ts'

export function ColumnsMenu({ shown }: { shown: Shown }) {
  const { all, chosen, choose } = useColumns(shown)
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
        {chosen.map((column, at) => (
          <li key={column.key}>
            <label>
              <input
                type="checkbox"
                checked
                disabled={chosen.length === 1}
                onChange={() => choose(keys.filter((key) => key !== column.key))}
              />{' '}
              {words(column)}
            </label>
            <button
              type="button"
              data-stay=""
              className="plain"
              aria-label={`Move ${column.name} up`}
              disabled={!isBeside(at, at - 1)}
              onClick={() => swap(at, at - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              data-stay=""
              className="plain"
              aria-label={`Move ${column.name} down`}
              disabled={!isBeside(at, at + 1)}
              onClick={() => swap(at, at + 1)}
            >
              ↓
            </button>
          </li>
        ))}
        {hidden.map((column) => (
          <li key={column.key}>
            <label>
              <input type="checkbox" checked={false} onChange={() => choose([...keys, column.key])} />{' '}
              {words(column)}
            </label>
          </li>
        ))}
      </ul>
    </Menu>
  )
}

function words({ kind, name }: Column) {
  return (
    <>
      {name}
      {kind !== name && <span className="soft"> {kind === 'result' ? 'evaluator' : kind}</span>}
    </>
  )
}
