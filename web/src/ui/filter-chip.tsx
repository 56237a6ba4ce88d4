// The chip of an active filter.
import { X } from 'lucide'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import styles from './chip.module.css'

interface FilterChipProps {
  children: ReactNode
  title?: string | undefined
  /** The accessible name of the button: "Remove latency > 2 s". */
  removeLabel: string
  onRemove: () => void
}

export function FilterChip({ children, title, removeLabel, onRemove }: FilterChipProps) {
  return (
    <span className={styles.filter}>
      <span data-tooltip={title}>{children}</span>
      <IconButton icon={X} size="small" label={removeLabel} onClick={onRemove} />
    </span>
  )
}
