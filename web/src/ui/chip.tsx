// Chips: a choice with a count, and a badge.
import { X } from 'lucide'
import type { ComponentProps, ReactNode } from 'react'
import { formatCount } from '../format/numbers.ts'
import { IconButton } from './button.tsx'
import styles from './chip.module.css'

interface ChipProps extends ComponentProps<'button'> {
  icon?: ReactNode
  /** Not displayed until it is loaded. */
  count?: number | undefined
  /** The number without filters. Displayed if it is another one: "20 of 120". */
  total?: number | undefined
  isPressed: boolean
}

export function Chip({ icon, count, total, isPressed, children, className, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-pressed={isPressed}
      className={[styles.chip, className].filter(Boolean).join(' ')}
    >
      {icon}
      {children}
      {count !== undefined && (
        <span className={styles.count}>
          {formatCount(count)}
          {total !== undefined && total !== count && ` of ${formatCount(total)}`}
        </span>
      )}
    </button>
  )
}

interface BadgeProps {
  tone?: 'neutral' | 'accent' | 'warning'
  title?: string | undefined
  children: ReactNode
}

export function Badge({ tone = 'neutral', title, children }: BadgeProps) {
  return (
    <span className={tone === 'neutral' ? styles.badge : `${styles.badge} ${styles[tone]}`} title={title}>
      {children}
    </span>
  )
}

interface FilterChipProps {
  children: ReactNode
  title?: string | undefined
  /** The accessible name of the button: "Remove latency > 2 s". */
  removeLabel: string
  onRemove: () => void
}

/** The chip of an active filter. */
export function FilterChip({ children, title, removeLabel, onRemove }: FilterChipProps) {
  return (
    <span className={styles.filter}>
      <span data-tooltip={title}>{children}</span>
      <IconButton icon={X} size="small" label={removeLabel} onClick={onRemove} />
    </span>
  )
}
