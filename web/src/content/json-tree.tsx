// A JSON value that folds: what is closed or far down is not there until somebody opens it.
import { useState } from 'react'
import { digitsOf } from '../format/exact.ts'
import { counted } from '../format/numbers.ts'
import styles from './content.module.css'

/** How many members are shown before somebody asks for the rest. */
const SHOWN = 100
const OPEN_DEPTH = 2

interface JsonTreeProps {
  value: unknown
  name?: string
  depth?: number
}

export function JsonTree({ value, name, depth = 0 }: JsonTreeProps) {
  const [isOpen, setIsOpen] = useState(depth < OPEN_DEPTH)
  const [shown, setShown] = useState(SHOWN)
  const label = name !== undefined && <span className={styles.name}>{JSON.stringify(name)}: </span>
  if (value === null || typeof value !== 'object' || digitsOf(value) !== undefined) {
    return (
      <div className={styles.leaf}>
        {label}
        <span className={typeof value === 'string' ? undefined : styles.scalar}>{JSON.stringify(value)}</span>
      </div>
    )
  }
  const isList = Array.isArray(value)
  const members = isList ? value.map((one): [undefined, unknown] => [undefined, one]) : Object.entries(value)
  if (members.length === 0) {
    return (
      <div className={styles.leaf}>
        {label}
        {isList ? '[]' : '{}'}
      </div>
    )
  }
  return (
    <details
      className={styles.branch}
      open={isOpen}
      // Branches inside tell of themselves, and of nothing else.
      onToggle={(event) => event.target === event.currentTarget && setIsOpen(event.currentTarget.open)}
    >
      <summary>
        {label}
        {isList ? '[' : '{'}
        {!isOpen && (
          <span className={styles.count}>
            {counted(members.length, isList ? 'element' : 'member')} {isList ? ']' : '}'}
          </span>
        )}
      </summary>
      {isOpen && (
        <>
          {members.slice(0, shown).map(([key, one], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a value has no other name, and never changes its place
            <JsonTree key={index} value={one} depth={depth + 1} {...(key !== undefined && { name: key })} />
          ))}
          {members.length > shown && (
            <button type="button" className={styles.more} onClick={() => setShown(shown + 10 * SHOWN)}>
              Show more of the other {counted(members.length - shown, isList ? 'element' : 'member')}
            </button>
          )}
          <div>{isList ? ']' : '}'}</div>
        </>
      )}
    </details>
  )
}
