// A collapsible JSON tree. Collapsed branches and long lists are rendered on demand.
import { useState } from 'react'
import { digitsOf } from '../format/exact-json.ts'
import { pluralize } from '../format/numbers.ts'
import styles from './content.module.css'

/** Members shown before the user asks for more. */
const INITIAL_MEMBERS = 100
const OPEN_DEPTH = 2

interface JsonTreeProps {
  value: unknown
  name?: string
  depth?: number
}

export function JsonTree({ value, name, depth = 0 }: JsonTreeProps) {
  const [isOpen, setIsOpen] = useState(depth < OPEN_DEPTH)
  const [visibleCount, setVisibleCount] = useState(INITIAL_MEMBERS)
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
      // Ignore toggle events of nested branches.
      onToggle={(event) => event.target === event.currentTarget && setIsOpen(event.currentTarget.open)}
    >
      <summary>
        {label}
        {isList ? '[' : '{'}
        {!isOpen && (
          <span className={styles.count}>
            {pluralize(members.length, isList ? 'element' : 'member')} {isList ? ']' : '}'}
          </span>
        )}
      </summary>
      {isOpen && (
        <>
          {members.slice(0, visibleCount).map(([key, one], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: members have no id and never move
            <JsonTree key={index} value={one} depth={depth + 1} {...(key !== undefined && { name: key })} />
          ))}
          {members.length > visibleCount && (
            <button
              type="button"
              className={styles.more}
              onClick={() => setVisibleCount(visibleCount + 10 * INITIAL_MEMBERS)}
            >
              Show more ({pluralize(members.length - visibleCount, isList ? 'element' : 'member')} left)
            </button>
          )}
          <div>{isList ? ']' : '}'}</div>
        </>
      )}
    </details>
  )
}
