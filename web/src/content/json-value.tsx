// A JSON value. The members of a small object are pairs of name and value; tables and trees load when they are needed.
import { Suspense, useState } from 'react'
import { isObject, isScalar } from '../../../src/conversation/values.ts'
import { digitsOf } from '../../../src/json/exact-values.ts'
import { pluralize } from '../format/numbers.ts'
import { lazyComponent } from '../ui/messages/lazy-component.tsx'
import { LongText } from '../ui/truncation.tsx'
import shared from './content.module.css'
import styles from './json-value.module.css'

export const JsonView = lazyComponent(async () => (await import('./json-view.tsx')).JsonView)

/** Objects with more members are trees, which have a search. */
const MAX_PAIRS = 20
/** Shorter texts are in quotes, so that they differ from numbers, and can share a line. */
const SHORT_LENGTH = 40

export function JsonValue({ value }: { value: unknown }) {
  // A block: the parts of a message are below each other.
  if (isScalar(value))
    return (
      <div>
        <ScalarText value={value} />
      </div>
    )
  const members = isObject(value) ? Object.entries(value) : []
  const scalarCount = members.filter(([, member]) => isScalar(member)).length
  // An object of mostly nested values is easier to read in one tree.
  if (members.length === 0 || members.length > MAX_PAIRS || scalarCount < members.length / 2)
    return (
      <Suspense>
        <JsonView value={value} />
      </Suspense>
    )
  return (
    <dl className={`${shared.block} ${styles.pairs}`}>
      {members.map(([name, member]) => (
        <div key={name} className={isShort(member) ? undefined : styles.wide}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd dir="auto">
            {isScalar(member) ? <ScalarText value={member} /> : <Nested value={member} name={name} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** One line until it is opened. */
function Nested({ value, name }: { value: unknown; name: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const count = Object.keys(value as object).length
  return (
    <details
      onToggle={(event) => event.target === event.currentTarget && setIsOpen(event.currentTarget.open)}
    >
      <summary>
        {Array.isArray(value) ? `[ ${pluralize(count, 'element')} ]` : `{ ${pluralize(count, 'member')} }`}
      </summary>
      {isOpen && (
        <Suspense>
          <JsonView value={value} isExact name={name} />
        </Suspense>
      )}
    </details>
  )
}

function ScalarText({ value }: { value: unknown }) {
  return <LongText text={scalarText(value)} />
}

function isShort(value: unknown): boolean {
  return isScalar(value) && scalarText(value).length < SHORT_LENGTH
}

/** Long texts and those with quotes are shown as they are: escaped ones are hard to read. */
function scalarText(value: unknown): string {
  if (typeof value !== 'string') return digitsOf(value) ?? String(value)
  return value.length < SHORT_LENGTH && !/["\\\n]/.test(value) ? `"${value}"` : value
}
