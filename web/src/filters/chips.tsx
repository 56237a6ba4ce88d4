// A chip that shows the number of rows of a kind and filters by it, and the select next to the chips.
import type { ReactNode } from 'react'
import { formatCount } from '../format/numbers.ts'

import styles from './filters.module.css'

interface ChipProps {
  name: string
  title?: string
  icon?: ReactNode
  rows: number
  isSelected: boolean
  onSelect: () => void
}

export function Chip({ name, title, icon, rows, isSelected, onSelect }: ChipProps) {
  return (
    <button type="button" aria-pressed={isSelected} title={title} className={styles.chip} onClick={onSelect}>
      {icon && <span aria-hidden="true">{icon} </span>}
      {name} <span className={styles.rows}>{formatCount(rows)}</span>
    </button>
  )
}

interface ChipsSelectProps {
  /** The text before the select: "of". */
  prefix: string
  label: string
  value: string | undefined
  options: readonly { value: string; name: string }[]
  onSelect: (value: string) => void
}

export function ChipsSelect({ prefix, label, value, options, onSelect }: ChipsSelectProps) {
  return (
    <label className={styles.chipsSelect}>
      <span className="muted">{prefix}</span>
      <select aria-label={label} value={value} onChange={(event) => onSelect(event.target.value)}>
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
