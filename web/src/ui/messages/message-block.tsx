// An empty state, a missing page or an error: what it is, why, and what to do.
import type { ReactNode } from 'react'
import styles from './message-block.module.css'

interface MessageBlockProps {
  title: ReactNode
  /** h1 if the block is the whole page. */
  heading?: 'h1' | 'h2'
  isError?: boolean
  /** Buttons and links. */
  actions?: ReactNode
  children?: ReactNode
}

export function MessageBlock({
  title,
  heading: Heading = 'h2',
  isError,
  actions,
  children,
}: MessageBlockProps) {
  return (
    <div className={styles.block} role={isError ? 'alert' : undefined}>
      <Heading>{title}</Heading>
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
