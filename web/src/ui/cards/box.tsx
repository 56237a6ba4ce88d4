// A titled box with a table or a list.
import { type ReactNode, useId } from 'react'
import table from '../table.module.css'
import styles from './box.module.css'

interface BoxProps {
  title: string
  /** The question that it is about, if there are several. */
  name?: string | undefined
  count?: number | undefined
  detail?: ReactNode
  /** The controls at the end of the heading. */
  controls?: ReactNode
  id?: string
  children: ReactNode
}

export function Box({ title, name, count, detail, controls, id, children }: BoxProps) {
  const headingId = useId()
  return (
    <section id={id} aria-labelledby={headingId} className={`${table.card} ${styles.box}`}>
      <header>
        <h2 id={headingId}>{title}</h2>
        {count !== undefined && <span className="quiet">{count}</span>}
        {name !== undefined && <bdi className="quiet ellipsis">{name}</bdi>}
        <span className={`quiet ${styles.detail}`}>{detail}</span>
        {controls}
      </header>
      {children}
    </section>
  )
}

/** A sentence below the content. */
export function BoxFooter({ children }: { children: ReactNode }) {
  return <p className={styles.footer}>{children}</p>
}
