// A JSON value in a message. The members of an object are pairs of name and value, and nested values are trees.
import { useState } from 'react'
import { digitsOf } from '../../format/exact-json.ts'
import { pluralize } from '../../format/numbers.ts'
import { LongText } from '../../ui/truncation.tsx'
import { JsonTree } from '../json-tree.tsx'
import { isObject, isScalar } from '../shape.ts'
import styles from './conversation.module.css'

/** Members that are shown until the user asks for all of them. */
const MAX_PAIRS = 50
/** Shorter texts are in quotes, so that they differ from numbers. Two pairs fit on a line. */
const SHORT_LENGTH = 40

export function JsonValue({ value }: { value: unknown }) {
  const [maxPairs, setMaxPairs] = useState(MAX_PAIRS)
  if (isScalar(value)) return <Scalar value={value} />
  const members = isObject(value) ? Object.entries(value) : []
  if (members.length === 0) return <JsonTree value={value} />
  const isCompact = members.every(
    ([, member]) => isScalar(member) && scalarText(member).length < SHORT_LENGTH,
  )
  return (
    <dl className={styles.pairs} data-compact={isCompact}>
      {members.slice(0, maxPairs).map(([name, member]) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd dir="auto">
            {isScalar(member) ? <Scalar value={member} /> : <JsonTree value={member} depth={1} />}
          </dd>
        </div>
      ))}
      {members.length > maxPairs && (
        <button type="button" onClick={() => setMaxPairs(members.length)}>
          Show {pluralize(members.length - maxPairs, 'more member')}
        </button>
      )}
    </dl>
  )
}

function Scalar({ value }: { value: unknown }) {
  return <LongText text={scalarText(value)} />
}

/** Long texts and those with quotes are shown as they are: escaped ones are hard to read. */
function scalarText(value: unknown): string {
  if (typeof value !== 'string') return digitsOf(value) ?? String(value)
  return value.length < SHORT_LENGTH && !/["\\\n]/.test(value) ? `"${value}"` : value
}
