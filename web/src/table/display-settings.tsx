// The display settings of a table: row height, settings of the page, and columns.
import { ArrowDown, ArrowUp } from 'lucide'
import type { ReactNode } from 'react'
import { DENSITIES, type Density, useChangePreference } from '../state/row-params.ts'
import { IconButton } from '../ui/button.tsx'
import { MenuHeading, MenuSeparator } from '../ui/menus/menu.tsx'
import { Segments } from '../ui/tabs.tsx'
import type { ColumnChoice } from './columns/column-choice.ts'
import styles from './display-settings.module.css'

interface DisplaySettingsProps {
  density: Density
  choice: ColumnChoice
  /** Labels of the columns by kind. */
  types: Record<string, { label: string }>
  /** Menu items of the page. */
  children?: ReactNode
}

export function DisplaySettings({ density, choice, types, children }: DisplaySettingsProps) {
  const prefer = useChangePreference()
  return (
    <div>
      <MenuHeading>Row height</MenuHeading>
      <div className={styles.densities}>
        <Segments
          label="Row height"
          value={density}
          options={DENSITIES.map((value) => ({ value, label: value }))}
          onChange={(value) => prefer('density', value)}
        />
      </div>
      {children && <MenuSeparator />}
      {children}
      <MenuSeparator />
      <MenuHeading>Columns</MenuHeading>
      <ColumnList choice={choice} types={types} />
    </div>
  )
}

const MOVES = [
  { by: -1, icon: ArrowUp, direction: 'up' },
  { by: 1, icon: ArrowDown, direction: 'down' },
]

interface ColumnListProps {
  choice: ColumnChoice
  /** Labels by kind. */
  types: Record<string, { label: string }>
}

/** The list that chooses and orders the columns. */
function ColumnList({ choice, types }: ColumnListProps) {
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
    <ul className={styles.columnList}>
      {/* Chosen and hidden columns are in one list, so that a checkbox keeps the focus when its column moves. */}
      {[...chosenColumns, ...hiddenColumns].map((column, index) => {
        const isChosen = index < chosenColumns.length
        const label = types[column.kind]?.label
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
              {label !== column.name && <span className="quiet"> {label}</span>}
            </label>
            {isChosen &&
              MOVES.map(({ by, icon, direction }) => (
                <IconButton
                  key={by}
                  icon={icon}
                  size="small"
                  label={`Move ${column.name} ${direction}`}
                  data-keep-open=""
                  aria-disabled={!canSwap(index, index + by)}
                  onClick={() => canSwap(index, index + by) && swap(index, index + by)}
                />
              ))}
          </li>
        )
      })}
    </ul>
  )
}

/** Hiding a column moves its checkbox to the end of the list, so the focus goes to the checkbox after it. */
function focusNextCheckbox(checkbox: HTMLElement): void {
  checkbox.closest('li')?.nextElementSibling?.querySelector('input')?.focus()
}
