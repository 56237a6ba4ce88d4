// A block that is one line until it is opened. What it contains is rendered when it is opened.
import { ChevronRight } from 'lucide'
import { type ReactNode, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import styles from './conversation.module.css'

/** No screen shows more characters on a line. */
const MAX_LINE_LENGTH = 300

interface CollapsibleProps {
  /** What the block is, such as "Reasoning". */
  label?: string
  /** The start of the content, shown while it is closed. */
  summary: string
  /** The length of the content. */
  length?: string
  children: ReactNode
}

export function Collapsible({ label, summary, length, children }: CollapsibleProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={styles.collapsible}
      open={isOpen}
      // Ignore toggle events of nested blocks.
      onToggle={(event) => event.target === event.currentTarget && setIsOpen(event.currentTarget.open)}
    >
      <summary className={styles.summary}>
        <Icon icon={ChevronRight} size={14} />
        {label !== undefined && <span className={styles.label}>{label}</span>}
        <span className={styles.line} dir="auto">
          {!isOpen && summary.slice(0, MAX_LINE_LENGTH)}
        </span>
        {length !== undefined && <span className="quiet">{length}</span>}
      </summary>
      {isOpen && children}
    </details>
  )
}
