// A collapsible JSON tree. Collapsed branches and long lists are rendered on demand.
import { useState } from 'react'
import { digitsOf } from '../format/exact-json.ts'
import { pluralize } from '../format/numbers.ts'
import styles from './content.module.css'

/** Number of members shown until the user clicks "Show more". */
const INITIAL_MEMBERS = 100
const INITIAL_OPEN_DEPTH = 2

interface JsonTreeProps {
  value: unknown
  name?: string
  depth?: number
}

export function JsonTree({ value, name, depth = 0 }: JsonTreeProps) {
  const [isOpen, setIsOpen] = useState(depth < INITIAL_OPEN_DEPTH)
  const [visibleCount, setVisibleCount] = useState(INITIAL_MEMBERS)
  const label = name !== undefined && <span className={styles.name}>{JSON.stringify(name)}: </span>
  // A number with exact digits is an object (see exact-json.ts), but is shown as a number.
  if (value === null || typeof value !== 'object' || digitsOf(value) !== undefined) {
    return (
      <div className={styles.leaf}>
        {label}
        <span className={typeof value === 'string' ? undefined : styles.scalar}>{JSON.stringify(value)}</span>
      </div>
    )
  }
  const isArray = Array.isArray(value)
  const members = isArray
    ? value.map((element): [undefined, unknown] => [undefined, element])
    : Object.entries(value)
  if (members.length === 0) {
    return (
      <div className={styles.leaf}>
        {label}
        {isArray ? '[]' : '{}'}
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
        {isArray ? '[' : '{'}
        {!isOpen && (
          <span className={styles.count}>
            {pluralize(members.length, isArray ? 'element' : 'member')} {isArray ? ']' : '}'}
          </span>
        )}
      </summary>
      {isOpen && (
        <>
          {members.slice(0, visibleCount).map(([key, member], index) => (
            <JsonTree
              // biome-ignore lint/suspicious/noArrayIndexKey: members have no id and never move
              key={index}
              value={member}
              depth={depth + 1}
              {...(key !== undefined && { name: key })}
            />
          ))}
          {members.length > visibleCount && (
            <button
              type="button"
              className={styles.showMore}
              onClick={() => setVisibleCount(visibleCount + 10 * INITIAL_MEMBERS)}
            >
              Show more ({pluralize(members.length - visibleCount, isArray ? 'element' : 'member')} left)
            </button>
          )}
          <div>{isArray ? ']' : '}'}</div>
        </>
      )}
    </details>
  )
}
